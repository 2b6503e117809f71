//! Look-ahead limiter: the output stays below full scale, without the distortion of a clipper.
//!
//! Equation    y[n] = g[n]·x[n−L] with one gain for all channels.
//!             r = min(1, ceiling / max |x|) is what a frame needs; m[n] the least r of the last L+1 frames; h follows m down at
//!             once and up with a time constant; g[n] is the mean of the last L+1 values of h.
//!             Every h[k] of that mean is at most m[k], which covers frame n−L: so g[n] ≤ r[n−L], and |y| ≤ ceiling
//! Idle        g is exactly 1 until the first peak: the output is the input, L frames later
//! Allocates   only in `new`

use std::collections::VecDeque;

/// Largest output: −0.3 dBFS.
pub(crate) const CEILING: f64 = 0.966;
/// Time by which the gain falls ahead of a peak \[s\].
const LOOK_AHEAD: f64 = 1.5e-3;
/// Time constant with which the gain returns \[s\].
const RELEASE: f64 = 0.08;

/// A limiter of interleaved frames.
#[derive(Clone, Debug)]
pub(crate) struct Limiter {
    channels: usize,
    /// The last L frames, interleaved, as a ring.
    delayed: Vec<f64>,
    /// The last L+1 values of h, as a ring.
    gains: Vec<f64>,
    /// Sum of `gains`.
    sum: f64,
    /// Candidates for the least r, with their frames: r rises from front to back.
    least: VecDeque<(u64, f64)>,
    /// Last value of h.
    held: f64,
    /// Share of the way to 1 that h goes back per frame.
    release: f64,
    /// Number of frames so far.
    count: u64,
}

/// Frames by which the output is later than the input, at a rate \[Hz\].
pub(crate) fn look_ahead_frames(rate: f64) -> usize {
    (LOOK_AHEAD * rate).round() as usize
}

impl Limiter {
    pub fn new(channels: usize, rate: f64) -> Self {
        let frames = look_ahead_frames(rate);
        Self {
            channels,
            delayed: vec![0.0; frames * channels],
            gains: vec![1.0; frames + 1],
            sum: (frames + 1) as f64,
            least: VecDeque::with_capacity(frames + 2),
            held: 1.0,
            release: 1.0 - (-1.0 / (RELEASE * rate)).exp(),
            count: 0,
        }
    }

    /// Replaces a frame with the one L frames before, limited. Returns the gain.
    pub fn process(&mut self, frame: &mut [f64]) -> f64 {
        let peak = frame.iter().fold(0.0_f64, |peak, sample| peak.max(sample.abs()));
        let gain = self.next_gain(if peak > CEILING { CEILING / peak } else { 1.0 });
        let frames = self.gains.len() - 1;
        if frames > 0 {
            let at = (self.count % frames as u64) as usize * self.channels;
            self.delayed[at..at + self.channels].swap_with_slice(frame);
        }
        self.count += 1;
        // Rounding can take a sample past the ceiling by its last digit.
        frame.iter_mut().for_each(|sample| *sample = (*sample * gain).clamp(-CEILING, CEILING));
        gain
    }

    /// The mean gain after a frame that needs `required`.
    fn next_gain(&mut self, required: f64) -> f64 {
        let window = self.gains.len() as u64;
        while self.least.back().is_some_and(|(_, later)| *later >= required) {
            self.least.pop_back();
        }
        self.least.push_back((self.count, required));
        while self.least.front().is_some_and(|(frame, _)| frame + window <= self.count) {
            self.least.pop_front();
        }
        let least = self.least.front().map_or(1.0, |(_, least)| *least);
        let risen = self.held + (1.0 - self.held) * self.release;
        // Within rounding of 1 the limiter is idle again.
        self.held = least.min(if risen > 1.0 - 1e-6 { 1.0 } else { risen });
        let at = (self.count % window) as usize;
        self.sum += self.held - self.gains[at];
        self.gains[at] = self.held;
        if self.held == 1.0 && self.sum > window as f64 - 1e-6 {
            // Sums of ones are exact: no error of rounding is kept.
            self.sum = self.gains.iter().sum();
        }
        (self.sum / window as f64).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RATE: f64 = 48_000.0;

    fn limited(samples: &[f64]) -> Vec<f64> {
        let mut limiter = Limiter::new(1, RATE);
        let limit = |&sample: &f64| {
            let mut frame = [sample];
            limiter.process(&mut frame);
            frame[0]
        };
        samples.iter().map(limit).collect()
    }

    #[test]
    fn what_is_below_the_ceiling_is_only_delayed() {
        let samples: Vec<f64> = (0..1000).map(|n| 0.96 * (0.1 * f64::from(n)).sin()).collect();
        let delay = look_ahead_frames(RATE);
        let output = limited(&samples);
        assert!(output[..delay].iter().all(|&sample| sample == 0.0));
        assert_eq!(output[delay..], samples[..1000 - delay]);
    }

    #[test]
    fn the_gain_falls_before_a_peak_without_a_step_and_returns() {
        let samples: Vec<f64> = (0..48_000).map(|n| if n == 500 { 10.0 } else { 0.1 }).collect();
        let output = limited(&samples);
        let delay = look_ahead_frames(RATE);
        assert!((output[500 + delay] - CEILING).abs() < 1e-9);
        let largest_step =
            output[delay..500 + delay].windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
        assert!(largest_step < 0.1 * 2.0 / delay as f64, "{largest_step}");
        // What is left of the reduction after a second, twelve times the release time.
        assert!((output[47_999] / 0.1 - 1.0).abs() < 1.5 * (-0.98 / RELEASE).exp());
    }

    proptest! {
        #[test]
        fn the_output_never_exceeds_the_ceiling(
            samples in prop::collection::vec(prop_oneof![-1.0..1.0, -1e3..1e3, -1e300..1e300], 1..2000)
        ) {
            prop_assert!(limited(&samples).iter().all(|sample| sample.abs() <= CEILING));
        }
    }
}
