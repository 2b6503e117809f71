//! The end of a scene with `duration = "until silent"`.
//!
//! Silent   once no sample of the last `HOLD` seconds is above `LEVEL_DB`, relative to the loudest sample so far, nothing
//!          is scheduled any more, and something has sounded

/// Level below which a sound is silent, relative to its peak so far \[dB\].
pub const LEVEL_DB: f64 = -70.0;
/// Time for which it has to stay silent \[s\].
pub const HOLD: f64 = 1.0;

/// Detects the end of a sound.
#[derive(Clone, Debug)]
pub struct SilenceDetector {
    /// Level over the peak so far.
    threshold: f64,
    hold_frames: u64,
    /// Frame before which silence does not count.
    first_frame: u64,
    frames: u64,
    peak: f64,
    quiet_frames: u64,
}

impl SilenceDetector {
    /// A detector at a rate \[Hz\] for a scene whose last event is over at a time \[s\].
    pub fn new(rate: f64, last_event: f64) -> Self {
        Self {
            threshold: 10_f64.powf(LEVEL_DB / 20.0),
            hold_frames: (HOLD * rate).ceil() as u64,
            first_frame: (last_event * rate).ceil() as u64,
            frames: 0,
            peak: 0.0,
            quiet_frames: 0,
        }
    }

    /// Takes interleaved frames.
    pub fn observe(&mut self, samples: &[f64], channels: usize) {
        for frame in samples.chunks_exact(channels) {
            let largest = frame.iter().fold(0.0_f64, |largest, sample| largest.max(sample.abs()));
            self.peak = self.peak.max(largest);
            self.frames += 1;
            let is_quiet = largest <= self.threshold * self.peak && self.frames > self.first_frame;
            self.quiet_frames = if is_quiet { self.quiet_frames + 1 } else { 0 };
        }
    }

    /// Whether the sound is over.
    pub fn is_silent(&self) -> bool {
        self.peak > 0.0 && self.quiet_frames >= self.hold_frames
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of samples after which a sound is silent.
    fn end(last_event: f64, sound: impl Fn(f64) -> f64) -> Option<usize> {
        let mut detector = SilenceDetector::new(1000.0, last_event);
        (1..=20_000).find(|&n| {
            detector.observe(&[sound(n as f64 / 1000.0)], 1);
            detector.is_silent()
        })
    }

    #[test]
    fn decaying_sound_ends_a_hold_after_it_crosses_the_level() {
        // exp(−t) falls by 70 dB in 3.5·ln 10 = 8.059 s: the sample 8061 is the first below, 8060 after the loudest.
        let found = end(0.0, |t| (1.0 - t).exp()).unwrap();
        assert_eq!(found, 8061 + 999);
    }

    #[test]
    fn pauses_shorter_than_the_hold_and_what_is_scheduled_are_waited_for() {
        let strikes = |t: f64| if [1.0, 1.9, 2.8].iter().any(|&at| (t - at).abs() < 0.01) { 1.0 } else { 0.0 };
        assert!((3800..3820).contains(&end(0.0, strikes).unwrap()));
        assert!((6000..6010).contains(&end(5.0, strikes).unwrap()));
    }

    #[test]
    fn scene_that_has_not_sounded_yet_is_not_over() {
        assert_eq!(end(0.0, |_| 0.0), None);
    }
}
