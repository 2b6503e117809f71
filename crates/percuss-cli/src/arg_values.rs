//! Parsers of command-line values: ranges of rates, times and counts.

/// Smallest and largest sample rate \[Hz\].
pub const SAMPLE_RATE_RANGE: (f64, f64) = (1000.0, 768_000.0);
/// Longest duration of a render \[s\].
pub const MAX_DURATION: f64 = 360_000.0;

/// Parses a sample rate \[Hz\].
pub fn parse_sample_rate(text: &str) -> Result<f64, String> {
    let allowed = "must be a whole number of Hz from 1000 to 768000";
    let rate: f64 = text.parse().map_err(|_| format!("not a number, {allowed}"))?;
    // A WAV file stores its rate as an integer: any other would play out of tune.
    if (SAMPLE_RATE_RANGE.0..=SAMPLE_RATE_RANGE.1).contains(&rate) && rate.fract() == 0.0 {
        Ok(rate)
    } else {
        Err(allowed.into())
    }
}

/// Parses a duration above 0 \[s\].
pub fn parse_duration(text: &str) -> Result<f64, String> {
    let allowed = format!("must be above 0 s and at most {MAX_DURATION} s");
    let seconds: f64 = text.parse().map_err(|_| format!("not a number, {allowed}"))?;
    if seconds > 0.0 && seconds <= MAX_DURATION { Ok(seconds) } else { Err(allowed) }
}

/// Parses a time from 0 \[s\].
pub fn parse_time(text: &str) -> Result<f64, String> {
    if text.parse() == Ok(0.0) {
        Ok(0.0)
    } else {
        parse_duration(text).map_err(|_| format!("must be from 0 to {MAX_DURATION} s"))
    }
}

/// Parses a loudness \[LUFS\].
pub fn parse_loudness(text: &str) -> Result<f64, String> {
    parse_in_range(text, (-70.0, 0.0), "LUFS")
}

/// Parses a peak \[dBFS\].
pub fn parse_peak(text: &str) -> Result<f64, String> {
    parse_in_range(text, (-60.0, 0.0), "dBFS")
}

/// Parses the duration of a fade \[s\].
pub fn parse_fade(text: &str) -> Result<f64, String> {
    parse_in_range(text, (0.0, 10.0), "s")
}

/// Parses a range of levels \[dB\].
pub fn parse_level_range(text: &str) -> Result<f64, String> {
    parse_in_range(text, (10.0, 200.0), "dB")
}

fn parse_in_range(text: &str, (least, most): (f64, f64), unit: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value| (least..=most).contains(value));
    value.ok_or_else(|| format!("must be a number from {least} to {most} {unit}"))
}

/// Parses a slow-motion factor.
pub fn parse_slow_down(text: &str) -> Result<f64, String> {
    let slow = text.parse().ok().filter(|slow| (0.01..=1e6).contains(slow));
    slow.ok_or_else(|| "must be a number from 0.01 to 1e6".into())
}

/// Parses a number of modes.
pub fn parse_mode_count(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=200).contains(count));
    count.ok_or_else(|| "must be a whole number from 1 to 200".into())
}

/// Parses a range of shards, as in 0-9, or one of them.
pub fn parse_shard_range(text: &str) -> Result<std::ops::RangeInclusive<u64>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let range = first.parse().ok().zip(last.parse().ok()).filter(|(first, last)| first <= last);
    range
        .map(|(first, last)| first..=last)
        .ok_or_else(|| "must be a shard, or the first and the last of several, as in 0-9".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shard_ranges_are_rising() {
        assert_eq!(parse_shard_range("3"), Ok(3..=3));
        assert_eq!(parse_shard_range("0-9"), Ok(0..=9));
        for wrong in ["", "-", "9-0", "-1", "1-", "a-b", "1-2-3"] {
            assert!(parse_shard_range(wrong).is_err(), "--shards {wrong}");
        }
    }

    #[test]
    fn only_finite_numbers_in_range_are_parsed() {
        assert_eq!(parse_sample_rate("44100"), Ok(44_100.0));
        assert_eq!(parse_sample_rate("96e3"), Ok(96_000.0));
        for wrong in ["nan", "inf", "-48000", "0", "999", "768001", "44100.5", "fast"] {
            assert!(parse_sample_rate(wrong).is_err(), "--rate {wrong}");
        }
        assert_eq!(parse_duration("0.5"), Ok(0.5));
        for wrong in ["nan", "inf", "-1", "0", "360001", "long"] {
            assert!(parse_duration(wrong).is_err(), "--seconds {wrong}");
        }
    }
}
