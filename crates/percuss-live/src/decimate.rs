//! From the rate of the physics to that of the device, where a scene needs a higher one.
//!
//! Filter      windowed sinc, h(m) = sinc(m/N·c)·w(m), |m| ≤ L·N, Blackman window w, c = 0.9: cut off at 0.45 of the
//!             device's rate, below −70 dB from 0.5 of it on
//! Delay       L samples of the device
//! Allocates   only in `new`

use std::f64::consts::PI;

/// Half the length of the filter, in samples of the device.
const HALF: usize = 40;
const CUT: f64 = 0.9;

/// Most steps per sample that are worth it.
const MOST: usize = 8;

/// How many steps a sample takes, so that the physics runs at nearly the scene's rate at least \[Hz\].
pub(crate) fn factor(scene_rate: f64, device_rate: f64) -> usize {
    // A scene made for 48 kHz runs well at 44.1 kHz.
    (1..MOST).find(|&n| n as f64 * device_rate >= 0.9 * scene_rate).unwrap_or(MOST)
}

/// Keeps the last frames of the physics.
#[derive(Clone, Debug)]
pub(crate) struct Decimator {
    factor: usize,
    taps: Vec<f64>,
    channels: usize,
    /// Frames in a ring, twice over, so that the last ones always lie in a row.
    past: Vec<f64>,
    at: usize,
}

impl Decimator {
    pub fn new(factor: usize, channels: usize) -> Self {
        let reach = (HALF * factor) as f64;
        let count = 2 * HALF * factor + 1;
        let mut taps: Vec<f64> = (0..count)
            .map(|tap| {
                let m = tap as f64 - reach;
                let x = PI * m * CUT / factor as f64;
                let sinc = if m == 0.0 { 1.0 } else { x.sin() / x };
                let phase = PI * m / (reach + 1.0);
                sinc * (0.42 + 0.5 * phase.cos() + 0.08 * (2.0 * phase).cos())
            })
            .collect();
        let sum: f64 = taps.iter().sum();
        taps.iter_mut().for_each(|tap| *tap /= sum);
        Self { factor, taps, channels, past: vec![0.0; 2 * count * channels], at: 0 }
    }

    pub fn factor(&self) -> usize {
        self.factor
    }

    /// Takes a frame of the physics.
    pub fn push(&mut self, frame: &[f64]) {
        let count = self.taps.len();
        for copy in [self.at, self.at + count] {
            self.past[copy * self.channels..][..self.channels].copy_from_slice(frame);
        }
        self.at = (self.at + 1) % count;
    }

    /// The frame of the device.
    pub fn pull(&self, frame: &mut [f64]) {
        frame.fill(0.0);
        let past = self.past[self.at * self.channels..].chunks(self.channels);
        for (tap, before) in self.taps.iter().zip(past) {
            for (out, sample) in frame.iter_mut().zip(before) {
                *out += tap * sample;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Amplitude of a tone after decimation by 2, its frequency as a fraction of the device's rate.
    fn passed(frequency: f64) -> f64 {
        let mut decimator = Decimator::new(2, 1);
        let (mut power, mut frame) = (0.0_f64, [0.0]);
        for n in 0..2000 {
            for step in 0..2 {
                decimator.push(&[(PI * frequency * f64::from(2 * n + step)).sin()]);
            }
            decimator.pull(&mut frame);
            if n > 200 {
                power += frame[0] * frame[0];
            }
        }
        (2.0 * power / 1799.0).sqrt()
    }

    #[test]
    fn what_can_be_heard_passes_and_what_would_fold_back_does_not() {
        for heard in [0.01, 0.1, 0.3, 0.4] {
            assert!((passed(heard) - 1.0).abs() < 0.01, "{heard}: {}", passed(heard));
        }
        for folded in [0.51, 0.7, 0.9] {
            assert!(passed(folded) < 10_f64.powf(-70.0 / 20.0), "{folded}: {}", passed(folded));
        }
    }

    #[test]
    fn the_physics_runs_at_nearly_the_scenes_rate_at_least() {
        let cases =
            [(44_100.0, 48_000.0, 1), (48_000.0, 44_100.0, 1), (96_000.0, 48_000.0, 2), (192_000.0, 44_100.0, 4)];
        for (scene, device, expected) in cases {
            assert_eq!(factor(scene, device), expected, "{scene} on {device}");
        }
    }
}
