//! Decimation from the simulation rate to the device rate, for scenes that need a higher rate.
//!
//! Filter      windowed sinc, h(m) = sinc(m/N·c)·w(m), |m| ≤ L·N, Blackman window w, c = 0.9: cut off at 0.45 of the
//!             device rate, below −70 dB from 0.5 of it
//! Delay       L device samples
//! Allocates   only in `new`

use std::f64::consts::PI;

/// Half the length of the filter, L \[device samples\].
const HALF_LENGTH: usize = 40;
/// Cutoff c, relative to half the device rate.
const CUTOFF: f64 = 0.9;

/// Maximum number of steps per device sample.
const MAX_FACTOR: usize = 8;

/// Steps per device sample for a simulation rate of at least 0.9 times the scene's rate.
pub(crate) fn oversampling_factor(scene_rate: f64, device_rate: f64) -> usize {
    // A scene for 48 kHz runs at 44.1 kHz without oversampling.
    (1..MAX_FACTOR).find(|&n| n as f64 * device_rate >= 0.9 * scene_rate).unwrap_or(MAX_FACTOR)
}

/// Low-pass filter and decimator for interleaved frames.
#[derive(Clone, Debug)]
pub(crate) struct Decimator {
    factor: usize,
    taps: Vec<f64>,
    channels: usize,
    /// Ring buffer of frames, stored twice, so that the last frames are always contiguous.
    history: Vec<f64>,
    write_index: usize,
}

impl Decimator {
    pub fn new(factor: usize, channels: usize) -> Self {
        let half_length = (HALF_LENGTH * factor) as f64;
        let count = 2 * HALF_LENGTH * factor + 1;
        let mut taps: Vec<f64> = (0..count)
            .map(|tap| {
                let m = tap as f64 - half_length;
                let x = PI * m * CUTOFF / factor as f64;
                let sinc = if m == 0.0 { 1.0 } else { x.sin() / x };
                let phase = PI * m / (half_length + 1.0);
                sinc * (0.42 + 0.5 * phase.cos() + 0.08 * (2.0 * phase).cos())
            })
            .collect();
        let sum: f64 = taps.iter().sum();
        taps.iter_mut().for_each(|tap| *tap /= sum);
        Self { factor, taps, channels, history: vec![0.0; 2 * count * channels], write_index: 0 }
    }

    pub fn factor(&self) -> usize {
        self.factor
    }

    /// Device frames after which the filter holds nothing of what was before.
    pub fn settling_frames(&self) -> u32 {
        (self.taps.len() / self.factor + 1) as u32
    }

    /// Forgets what was before.
    pub fn restart(&mut self) {
        self.history.fill(0.0);
    }

    /// Adds a frame at the simulation rate.
    pub fn push_frame(&mut self, frame: &[f64]) {
        let count = self.taps.len();
        for copy in [self.write_index, self.write_index + count] {
            self.history[copy * self.channels..][..self.channels].copy_from_slice(frame);
        }
        self.write_index = (self.write_index + 1) % count;
    }

    /// Computes the frame at the device rate.
    pub fn compute_frame(&self, frame: &mut [f64]) {
        frame.fill(0.0);
        let history = self.history[self.write_index * self.channels..].chunks(self.channels);
        for (tap, past_frame) in self.taps.iter().zip(history) {
            for (out, sample) in frame.iter_mut().zip(past_frame) {
                *out += tap * sample;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Amplitude of a sinusoid after decimation by 2; its frequency is a fraction of the device rate.
    fn gain_at(frequency: f64) -> f64 {
        let mut decimator = Decimator::new(2, 1);
        let (mut power, mut frame) = (0.0_f64, [0.0]);
        for n in 0..2000 {
            for step in 0..2 {
                decimator.push_frame(&[(PI * frequency * f64::from(2 * n + step)).sin()]);
            }
            decimator.compute_frame(&mut frame);
            if n > 200 {
                power += frame[0] * frame[0];
            }
        }
        (2.0 * power / 1799.0).sqrt()
    }

    #[test]
    fn the_pass_band_passes_and_aliases_are_attenuated() {
        for frequency in [0.01, 0.1, 0.3, 0.4] {
            assert!((gain_at(frequency) - 1.0).abs() < 0.01, "{frequency}: {}", gain_at(frequency));
        }
        for frequency in [0.51, 0.7, 0.9] {
            assert!(gain_at(frequency) < 10_f64.powf(-70.0 / 20.0), "{frequency}: {}", gain_at(frequency));
        }
    }

    #[test]
    fn the_simulation_rate_is_close_to_the_scene_rate_or_above() {
        let cases =
            [(44_100.0, 48_000.0, 1), (48_000.0, 44_100.0, 1), (96_000.0, 48_000.0, 2), (192_000.0, 44_100.0, 4)];
        for (scene, device, expected) in cases {
            assert_eq!(oversampling_factor(scene, device), expected, "{scene} on {device}");
        }
    }
}
