//! Removes the mean of the output: a scene's pickups may read displacements that do not return to zero.
//!
//! Equation    y = x − x⁻ + r·y⁻,  r = exp(−2π·f/rate): a zero at 0 Hz and a pole at f = 10 Hz
//! Start       while the filters before it settle, x is only remembered: a constant is not heard as a step
//! Allocates   only in `new`

use std::f64::consts::TAU;

/// Frequency above which the output passes \[Hz\]: −3 dB there, −0.5 dB at 30 Hz.
const CUTOFF: f64 = 10.0;

/// One filter per channel.
#[derive(Clone, Debug)]
pub(crate) struct DcBlock {
    pole: f64,
    /// Input and output of the previous frame, for every channel.
    previous: Vec<[f64; 2]>,
    /// Frames after the start in which the input settles.
    settling_frames: u32,
    /// Frames left of these.
    remaining: u32,
}

impl DcBlock {
    pub fn new(channels: usize, rate: f64, settling_frames: u32) -> Self {
        let previous = vec![[0.0; 2]; channels];
        Self { pole: (-TAU * CUTOFF / rate).exp(), previous, settling_frames, remaining: settling_frames }
    }

    /// Starts again: the next frames are taken as the mean.
    pub fn restart(&mut self) {
        self.remaining = self.settling_frames;
    }

    /// Filters a frame in place.
    pub fn process(&mut self, frame: &mut [f64]) {
        let is_settling = self.remaining > 0;
        self.remaining = self.remaining.saturating_sub(1);
        for (sample, [input, output]) in frame.iter_mut().zip(&mut self.previous) {
            *output = if is_settling { 0.0 } else { *sample - *input + self.pole * *output };
            *input = *sample;
            *sample = *output;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: f64 = 48_000.0;

    /// Output after a number of frames of a signal.
    fn filtered(frames: usize, signal: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut block = DcBlock::new(1, RATE, 1);
        let filter = |n: usize| {
            let mut frame = [signal(n as f64 / RATE)];
            block.process(&mut frame);
            frame[0]
        };
        (0..frames).map(filter).collect()
    }

    #[test]
    fn a_constant_is_never_heard() {
        assert!(filtered(48_000, |_| 0.58).iter().all(|&sample| sample == 0.0));
    }

    #[test]
    fn an_offset_decays_and_tones_pass() {
        let offset = filtered(48_000, |time| if time < 0.1 { 0.0 } else { 1.0 });
        assert!(offset[47_999].abs() < 1e-12);
        let loudest = |frequency: f64| {
            let tone = filtered(96_000, |time| (TAU * frequency * time).sin());
            tone[48_000..].iter().fold(0.0_f64, |peak, sample| peak.max(sample.abs()))
        };
        // |H| = 1/√(1 + (f₀/f)²).
        for (frequency, gain) in [(10.0, 0.5_f64.sqrt()), (30.0, 0.9_f64.sqrt()), (1000.0, 1.0)] {
            assert!((loudest(frequency) - gain).abs() < 2e-3, "{frequency} Hz: {}", loudest(frequency));
        }
    }
}
