//! Spectrogram of a sound.

use crate::study::plate::partials::RATE;
use realfft::RealFftPlanner;
use std::f64::consts::TAU;

/// Levels in decibels relative to the maximum, one column per window.
pub struct DecibelSpectrogram {
    columns: Vec<Vec<f64>>,
    /// Duration of the sound, rounded to 10 ms \[s\].
    pub length: f64,
    /// Highest frequency \[Hz\].
    pub highest: f64,
}

/// Zero padding: length of the FFT over that of the window.
const PADDING: usize = 2;
/// Number of columns.
const COLUMNS: usize = 700;

impl DecibelSpectrogram {
    /// Spectrogram of a signal with Hann windows of `window` samples, up to a frequency \[Hz\].
    pub fn new(signal: &[f64], window: usize, highest: f64) -> Self {
        let size = PADDING * window;
        let fft = RealFftPlanner::<f64>::new().plan_fft_forward(size);
        let (mut input, mut output) = (fft.make_input_vec(), fft.make_output_vec());
        let bins = (highest / RATE * size as f64).ceil() as usize;
        let mut column = |index: usize| {
            let centre = (index as f64 + 0.5) / COLUMNS as f64 * signal.len() as f64;
            input.fill(0.0);
            for (n, x) in input.iter_mut().take(window).enumerate() {
                let hann = 0.5 - 0.5 * (TAU * (n as f64 + 0.5) / window as f64).cos();
                let sample = (centre as usize + n).checked_sub(window / 2).and_then(|at| signal.get(at));
                *x = hann * sample.copied().unwrap_or(0.0);
            }
            fft.process(&mut input, &mut output).expect("buffers of the plan's length");
            output.iter().take(bins + 1).map(|bin| bin.norm_sqr()).collect::<Vec<f64>>()
        };
        let mut columns: Vec<Vec<f64>> = (0..COLUMNS).map(&mut column).collect();
        let loudest = columns.iter().flatten().fold(f64::MIN_POSITIVE, |most, &power| most.max(power));
        for power in columns.iter_mut().flatten() {
            *power = 10.0 * (*power / loudest).max(1e-30).log10();
        }
        Self { columns, length: (100.0 * signal.len() as f64 / RATE).round() / 100.0, highest }
    }

    /// Level at fractions of the duration and of the highest frequency \[dB\].
    pub fn level(&self, along: f64, up: f64) -> f64 {
        let column = &self.columns[((along * COLUMNS as f64) as usize).min(COLUMNS - 1)];
        column[((up * (column.len() - 1) as f64).round() as usize).min(column.len() - 1)]
    }
}
