//! Partials of a sound: frequencies, levels and decay rates.

use std::f64::consts::{LOG10_E, TAU};

/// Sample rate of the study \[Hz\].
pub const RATE: f64 = 44_100.0;

/// Second difference, which removes the drift of a free plate at 0.4 Hz that would mask partials under a hand.
pub fn second_difference(signal: &[f64]) -> Vec<f64> {
    signal.windows(3).map(|x| x[2] - 2.0 * x[1] + x[0]).collect()
}

/// Segment of a signal between two times \[s\], with a Hann window.
pub fn hann_windowed(signal: &[f64], from: f64, to: f64) -> Vec<f64> {
    let part = &signal[(from * RATE) as usize..(to * RATE) as usize];
    let window = |n: usize| 0.5 - 0.5 * (TAU * n as f64 / part.len() as f64).cos();
    part.iter().enumerate().map(|(n, sample)| window(n) * sample).collect()
}

/// Level of a windowed segment at a frequency \[dB\], by Goertzel's algorithm.
fn goertzel_level(segment: &[f64], frequency: f64) -> f64 {
    let coefficient = 2.0 * (TAU * frequency / RATE).cos();
    let (now, before) = segment.iter().fold((0.0, 0.0), |(now, before), x| (x + coefficient * now - before, now));
    let square: f64 = now * now + before * before - coefficient * now * before;
    10.0 * (square / (segment.len() as f64).powi(2)).log10()
}

/// A partial: frequency \[Hz\] and level \[dB\].
pub type Partial = (f64, f64);

/// Peaks of a spectrum between two frequencies, in order of frequency, down to 45 dB below the strongest. A peak is at
/// least 15 dB above its surroundings.
pub fn peaks(segment: &[f64], low: f64, high: f64) -> Vec<Partial> {
    // The window's main lobe is two bins wide on each side: eight steps.
    let step = RATE / segment.len() as f64 / 4.0;
    let levels: Vec<f64> =
        (0..((high - low) / step) as usize).map(|i| goertzel_level(segment, low + i as f64 * step)).collect();
    let peak_frequency = levels.iter().copied().fold(f64::MIN, f64::max);
    let is_prominent = |i: usize| [levels[i - 8], levels[i + 8]].iter().all(|beside| levels[i] > beside + 15.0);
    (8..levels.len().saturating_sub(8))
        .filter(|&i| levels[i] > levels[i - 1] && levels[i] >= levels[i + 1])
        .filter(|&i| levels[i] > peak_frequency - 45.0 && is_prominent(i))
        .map(|i| {
            let shift = 0.5 * (levels[i - 1] - levels[i + 1]) / (levels[i - 1] - 2.0 * levels[i] + levels[i + 1]);
            (low + (i as f64 + shift) * step, levels[i])
        })
        .collect()
}

/// Frequency of the largest level between two frequencies \[Hz\]; `None` at the ends of the range.
pub fn peak_frequency(segment: &[f64], low: f64, high: f64) -> Option<f64> {
    const STEPS: i32 = 200;
    let at = |i: i32| low + (high - low) * f64::from(i) / f64::from(STEPS);
    let best = (0..=STEPS)
        .map(|i| (goertzel_level(segment, at(i)), i))
        .fold((f64::MIN, 0), |a, b| if b.0 > a.0 { b } else { a });
    (1..STEPS).contains(&best.1).then(|| at(best.1))
}

/// Decay rate of a partial between two times \[1/s\], from windows of a given length \[s\].
pub fn decay_rate(signal: &[f64], frequency: f64, [from, to]: [f64; 2], window: f64) -> f64 {
    let at = |time: f64| goertzel_level(&hann_windowed(signal, time, time + window), frequency);
    (at(from) - at(to)) / (to - from) / (20.0 * LOG10_E)
}
