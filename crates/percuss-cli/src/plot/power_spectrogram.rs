//! Powers of a sound over time and frequency: Hann windows, channels added.

use crate::render::temp_audio::TempAudio;
use realfft::RealFftPlanner;
use std::io;

/// Length of a window \[s\]: a compromise between resolution in time and in frequency.
const WINDOW_SECONDS: f64 = 0.093;
/// Largest number of windows.
const MAX_COLUMNS: u64 = 1200;

/// Power of every FFT bin, one column per window.
pub struct PowerSpectrogram {
    /// Window length \[samples\].
    pub window: usize,
    columns: Vec<Vec<f32>>,
    hop: u64,
    max_power: f32,
    frames: u64,
}

impl PowerSpectrogram {
    /// Transforms a sound.
    pub fn new(rate: f64, audio: &TempAudio) -> io::Result<Self> {
        // A short sound gets shorter windows, so that there are several columns.
        let wanted = (WINDOW_SECONDS * rate).min(audio.frames as f64 / 4.0).max(32.0);
        let window = 1_usize << (wanted.log2().round() as u32);
        let hop = (window as u64 / 16).max(audio.frames.div_ceil(MAX_COLUMNS));
        let fft = RealFftPlanner::<f32>::new().plan_fft_forward(window);
        let phase = |n: usize| std::f32::consts::TAU * (n as f32 + 0.5) / window as f32;
        let hann: Vec<f32> = (0..window).map(|n| 0.5 - 0.5 * phase(n).cos()).collect();
        let mut frames = vec![0.0; window * audio.channels];
        let (mut input, mut output) = (fft.make_input_vec(), fft.make_output_vec());
        let mut columns = Vec::new();
        for centre in (0..=audio.frames).step_by(hop as usize) {
            audio.read(centre as i64 - window as i64 / 2, &mut frames)?;
            let mut column = vec![0.0; output.len()];
            // Powers of channels are added, so that channels in antiphase do not cancel.
            for channel in 0..audio.channels {
                for (n, x) in input.iter_mut().enumerate() {
                    *x = hann[n] * scaled_to_peak(frames[n * audio.channels + channel], audio.peak);
                }
                fft.process(&mut input, &mut output).map_err(io::Error::other)?;
                column.iter_mut().zip(&output).for_each(|(power, bin)| *power += bin.norm_sqr());
            }
            columns.push(column);
        }
        let max_power = columns.iter().flatten().fold(0.0_f32, |most, &power| most.max(power));
        Ok(Self { window, columns, hop, max_power, frames: audio.frames })
    }

    /// Level relative to the largest \[dB\] at a fraction of the duration and of the Nyquist frequency; −∞ where there is no
    /// power. Between bins the power is interpolated linearly.
    pub fn level(&self, time: f64, frequency: f64) -> f64 {
        let frame = time * self.frames as f64;
        let column = &self.columns[((frame / self.hop as f64).round() as usize).min(self.columns.len() - 1)];
        let place = frequency * (column.len() - 1) as f64;
        let bin = (place as usize).min(column.len() - 2);
        let part = place - bin as f64;
        let power = (1.0 - part) * f64::from(column[bin]) + part * f64::from(column[bin + 1]);
        if power > 0.0 { 10.0 * (power / f64::from(self.max_power)).log10() } else { f64::NEG_INFINITY }
    }
}

/// Scales a sample to the peak, so that the square of a small one does not underflow.
fn scaled_to_peak(sample: f32, peak: f64) -> f32 {
    if peak > 0.0 { (f64::from(sample) / peak) as f32 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::temp_audio::TempAudioWriter;
    use std::f64::consts::TAU;

    #[test]
    fn sine_is_at_its_frequency_and_falls_in_time_as_its_amplitude() {
        let (rate, frequency) = (8000.0, 1000.0);
        let mut writer = TempAudioWriter::new(&std::env::temp_dir(), 1).unwrap();
        // 40 dB less in the second half.
        let level = |n: usize| if n < 16_000 { 1.0 } else { 0.01 };
        let samples: Vec<f64> = (0..32_000).map(|n| level(n) * (TAU * frequency * n as f64 / rate).sin()).collect();
        writer.write(&samples, 32_000).unwrap();
        let found = PowerSpectrogram::new(rate, &writer.finish().unwrap()).unwrap();
        assert_eq!(found.window, 1024);
        assert!(found.level(0.25, 0.25).abs() < 0.1, "{}", found.level(0.25, 0.25));
        assert!((found.level(0.75, 0.25) + 40.0).abs() < 0.1, "{}", found.level(0.75, 0.25));
        assert!(found.level(0.25, 0.3) < -80.0 && found.level(0.25, 0.9) < -100.0);
    }
}
