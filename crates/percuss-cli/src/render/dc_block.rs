//! Removes inaudibly low frequencies: a Butterworth high-pass of fourth order.
//!
//! Equation   |H(f)|² = 1/(1 + (f_c/f)⁸), f_c = 20 Hz: −3 dB at 20 Hz, −0.3 dB at 27.5 Hz (A0), −24 dB at 10 Hz, 0 at 0 Hz
//! Update     two sections of second order, bilinear transform, transposed direct form II:
//!            y = b₀x + s₁, s₁ = b₁x − a₁y + s₂, s₂ = b₂x − a₂y, with b = b₀·(1, −2, 1)
//! Start      in the steady state of a constant input, so that a displacement that is there from the start makes no sound
//! Allocates  only in `new`

use std::f64::consts::{PI, TAU};

/// Frequency at which the level is 3 dB lower \[Hz\].
pub const CORNER: f64 = 20.0;

/// A section of second order.
#[derive(Clone, Copy, Debug)]
struct Section {
    b0: f64,
    a1: f64,
    a2: f64,
    state: [f64; 2],
}

impl Section {
    /// The section with the pole pair at `angle` from the negative real axis.
    fn new(rate: f64, angle: f64) -> Self {
        let k = (0.5 * TAU * CORNER / rate).tan();
        let damping = 2.0 * angle.cos() * k;
        let scale = 1.0 / (1.0 + damping + k * k);
        Self { b0: scale, a1: 2.0 * (k * k - 1.0) * scale, a2: (1.0 - damping + k * k) * scale, state: [0.0; 2] }
    }

    /// Takes the state in which a constant input gives no output.
    fn settle(&mut self, input: f64) {
        self.state = [-self.b0 * input, self.b0 * input];
    }

    fn filter(&mut self, x: f64) -> f64 {
        let scaled = self.b0 * x;
        let y = scaled + self.state[0];
        self.state = [-2.0 * scaled - self.a1 * y + self.state[1], scaled - self.a2 * y];
        y
    }
}

/// The filter, for interleaved channels.
#[derive(Clone, Debug)]
pub struct DcBlock {
    channels: Vec<[Section; 2]>,
}

impl DcBlock {
    /// A filter at a rate \[Hz\], in the steady state of one input per channel.
    pub fn new(rate: f64, steady_input: &[f64]) -> Self {
        let channel = |&input: &f64| {
            let mut sections = [PI / 8.0, 3.0 * PI / 8.0].map(|angle| Section::new(rate, angle));
            sections[0].settle(input);
            sections
        };
        Self { channels: steady_input.iter().map(channel).collect() }
    }

    /// Filters interleaved frames in place.
    pub fn filter(&mut self, frames: &mut [f64]) {
        for frame in frames.chunks_exact_mut(self.channels.len()) {
            for (sample, [first, second]) in frame.iter_mut().zip(&mut self.channels) {
                *sample = second.filter(first.filter(*sample));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Level of a sine after the filter has settled \[dB\].
    fn level(rate: f64, frequency: f64) -> f64 {
        let count = (3.0 * rate) as usize;
        let mut samples: Vec<f64> = (0..count).map(|n| (TAU * frequency * n as f64 / rate).sin()).collect();
        DcBlock::new(rate, &[0.0]).filter(&mut samples);
        let settled = &samples[count / 3..];
        let power = settled.iter().map(|x| x * x).sum::<f64>() / settled.len() as f64;
        10.0 * (2.0 * power).log10()
    }

    #[test]
    fn response_is_that_of_a_butterworth_filter_at_any_rate() {
        for rate in [8_000.0, 44_100.0, 768_000.0] {
            for frequency in [5.0, 10.0, 20.0, 27.5, 100.0, 1000.0_f64] {
                let expected = -10.0 * (1.0 + (CORNER / frequency).powi(8)).log10();
                let found = level(rate, frequency);
                // The bilinear transform warps frequencies by (π·1000/8000)²/3, far above the corner.
                assert!((found - expected).abs() < 0.02, "{frequency} Hz at {rate} Hz: {found} dB, not {expected} dB");
            }
        }
    }

    #[test]
    fn constant_that_is_there_from_the_start_is_silent() {
        let mut frames: Vec<f64> = (0..4000).flat_map(|_| [0.3, -7.0]).collect();
        DcBlock::new(44_100.0, &[0.3, -7.0]).filter(&mut frames);
        // Rounding of the states, which the filter amplifies by up to (rate/corner)².
        assert!(
            frames.iter().all(|x| x.abs() < 1e-9),
            "{:?}",
            frames.iter().fold(0.0_f64, |most, x| most.max(x.abs()))
        );
    }

    #[test]
    fn step_decays_to_zero() {
        let mut samples = vec![1.0; 44_100];
        DcBlock::new(44_100.0, &[0.0]).filter(&mut samples);
        assert!((samples[0] - 1.0).abs() < 0.01 && samples[44_099].abs() < 1e-9);
    }
}
