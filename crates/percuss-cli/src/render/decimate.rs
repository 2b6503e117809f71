//! Decimation from the physics rate to the sample rate: a linear-phase filter (rubato's FFT resampler) without its delay.
//!
//! Times      Physics step s (from 1) is at s/(N·rate), output m (from 0) at (m+1)/rate, so that a sample has the same
//!            time with and without oversampling. Time 0 is not simulated; its input is 0.
//! Allocates  only in `new`.

use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::{Fft, FixedSync, Resampler, WindowFunction};
use std::io;

/// Length of the filter in output samples. The passband ends at 1 − 14/length of the Nyquist frequency.
const FILTER_LENGTH: usize = 1024;

/// Decimates interleaved frames by an integer factor.
pub struct OfflineDecimator {
    channels: usize,
    /// `None` for factor 1, which passes every frame through.
    filter: Option<Fft<f64>>,
    pending: Vec<f64>,
    output: Vec<f64>,
    /// Output frames still to be discarded: the delay of the filter.
    delay_left: usize,
}

impl OfflineDecimator {
    /// A decimator by `factor`, at least 1.
    pub fn new(factor: usize, channels: usize) -> Self {
        if factor == 1 {
            return Self { channels, filter: None, pending: Vec::new(), output: Vec::new(), delay_left: 0 };
        }
        let (window, both) = (WindowFunction::BlackmanHarris2, FixedSync::Both);
        let filter = Fft::new_custom(factor, 1, FILTER_LENGTH * factor, 1, channels, window, both)
            .expect("rates and sizes are above zero");
        let mut pending = Vec::with_capacity(filter.input_frames_max() * channels);
        pending.resize(channels, 0.0);
        let output = vec![0.0; filter.output_frames_max() * channels];
        let delay_left = filter.output_delay() + 1;
        Self { channels, filter: Some(filter), pending, output, delay_left }
    }

    /// Takes interleaved input frames and passes the output frames that are ready to `sink`.
    pub fn push(&mut self, mut frames: &[f64], mut sink: impl FnMut(&[f64]) -> io::Result<()>) -> io::Result<()> {
        let Some(filter) = &mut self.filter else { return sink(frames) };
        let chunk = filter.input_frames_next() * self.channels;
        while !frames.is_empty() {
            let (taken, rest) = frames.split_at(frames.len().min(chunk - self.pending.len()));
            self.pending.extend_from_slice(taken);
            frames = rest;
            if self.pending.len() == chunk {
                let written = filter_chunk(filter, &self.pending, &mut self.output, self.channels);
                self.pending.clear();
                let skipped = self.delay_left.min(written);
                self.delay_left -= skipped;
                sink(&self.output[skipped * self.channels..written * self.channels])?;
            }
        }
        Ok(())
    }
}

/// Filters one chunk; returns the number of output frames.
fn filter_chunk(filter: &mut Fft<f64>, input: &[f64], output: &mut [f64], channels: usize) -> usize {
    let (frames_in, frames_out) = (input.len() / channels, output.len() / channels);
    let from = InterleavedSlice::new(input, channels, frames_in).expect("whole frames");
    let mut to = InterleavedSlice::new_mut(output, channels, frames_out).expect("whole frames");
    filter.process_into_buffer(&from, &mut to, None).expect("buffers have the sizes the filter asked for").1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    const RATE: f64 = 48_000.0;

    fn collect(decimator: &mut OfflineDecimator, input: &[f64], output: &mut Vec<f64>) {
        let sink = |frames: &[f64]| {
            output.extend_from_slice(frames);
            Ok(())
        };
        decimator.push(input, sink).unwrap();
    }

    /// Decimates a sine sampled at the physics rate; step s is at s/(N·rate).
    fn decimated(factor: usize, frequency: f64) -> Vec<f64> {
        let mut decimator = OfflineDecimator::new(factor, 1);
        let mut output = Vec::new();
        let steps = 12_000 * factor;
        let sine = |s: usize| (TAU * frequency * s as f64 / (RATE * factor as f64)).sin();
        let input: Vec<f64> = (1..=steps).map(sine).collect();
        for block in input.chunks(777) {
            collect(&mut decimator, block, &mut output);
        }
        output
    }

    #[test]
    fn tone_in_the_passband_keeps_level_and_phase() {
        for factor in [1, 2, 3, 4, 7, 64] {
            for frequency in [1000.0, 10_000.0, 20_000.0] {
                let output = decimated(factor, frequency);
                assert!(output.len() > 10_000, "factor {factor}: {} frames", output.len());
                // 0.01 dB, and the phase to a thousandth of a radian, allow an error of 1.5e-3.
                for (m, &found) in output.iter().enumerate().skip(1100) {
                    let expected = (TAU * frequency * (m + 1) as f64 / RATE).sin();
                    assert!((found - expected).abs() < 1e-3, "factor {factor}, {frequency} Hz, frame {m}");
                }
            }
        }
    }

    #[test]
    fn tone_above_nyquist_is_attenuated_by_90_db() {
        for (factor, frequency) in [(2, 24_500.0), (2, 47_000.0), (4, 25_000.0), (4, 90_000.0), (8, 30_000.0)] {
            let output = decimated(factor, frequency);
            let peak = output.iter().skip(1100).fold(0.0_f64, |peak, x| peak.max(x.abs()));
            let level = 20.0 * peak.log10();
            assert!(level < -90.0, "factor {factor}, {frequency} Hz: {level} dB");
        }
    }

    #[test]
    fn channels_do_not_mix() {
        let mut decimator = OfflineDecimator::new(2, 2);
        let mut output = Vec::new();
        let input: Vec<f64> = (0..20_000).flat_map(|_| [1.0, 0.0]).collect();
        collect(&mut decimator, &input, &mut output);
        for frame in output.chunks(2).skip(1100) {
            assert!((frame[0] - 1.0).abs() < 1e-6 && frame[1] == 0.0, "{frame:?}");
        }
    }
}
