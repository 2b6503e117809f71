//! Writes the WAV file: normalises, converts the sample format, in one pass over the temporary audio.

use super::settings::RenderSettings;
use super::temp_audio::TempAudio;
use crate::args::BitDepth;
use crate::error::Result;
use crate::output::OutputFile;
use hound::{SampleFormat, WavSpec, WavWriter};
use std::io;

/// Peak after normalisation \[dBFS\].
pub const NORMALISED_PEAK_DBFS: f64 = -1.0;

/// Gain and clipping of the written samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WavStats {
    /// Factor on every sample.
    pub gain: f64,
    /// Number of samples that were clipped.
    pub clipped: u64,
}

impl WavStats {
    /// Gain in decibels.
    pub fn gain_db(&self) -> f64 {
        20.0 * self.gain.log10()
    }
}

/// Writes the sound file.
pub fn write(audio: &TempAudio, settings: &RenderSettings, output: &OutputFile) -> Result<WavStats> {
    // Silence cannot be normalised.
    let is_normalised = settings.normalise && audio.peak > 0.0;
    let gain = if is_normalised { 10_f64.powf(NORMALISED_PEAK_DBFS / 20.0) / audio.peak } else { 1.0 };
    let mut clipped = 0;
    output.write(|file| {
        let mut writer = WavWriter::new(file, spec(settings)).map_err(io_error)?;
        audio.for_each(|frame| {
            for &sample in frame {
                clipped += u64::from(
                    write_sample(&mut writer, f64::from(sample) * gain, settings.bit_depth).map_err(io_error)?,
                );
            }
            Ok(())
        })?;
        writer.finalize().map_err(io_error)
    })?;
    Ok(WavStats { gain, clipped })
}

fn spec(settings: &RenderSettings) -> WavSpec {
    WavSpec {
        channels: settings.channels as u16,
        sample_rate: settings.rate as u32,
        bits_per_sample: settings.bit_depth.bits(),
        sample_format: if settings.bit_depth == BitDepth::Float32 { SampleFormat::Float } else { SampleFormat::Int },
    }
}

/// Writes a sample; returns whether it was clipped.
fn write_sample<W: io::Write + io::Seek>(
    writer: &mut WavWriter<W>,
    sample: f64,
    bit_depth: BitDepth,
) -> hound::Result<bool> {
    if bit_depth == BitDepth::Float32 {
        return writer.write_sample(sample as f32).map(|()| false);
    }
    let full_scale = f64::from(1_i32 << (bit_depth.bits() - 1));
    let value = (sample * full_scale).round().clamp(-full_scale, full_scale - 1.0);
    writer.write_sample(value as i32).map(|()| sample.abs() > 1.0)
}

fn io_error(error: hound::Error) -> io::Error {
    match error {
        hound::Error::IoError(error) => error,
        other => io::Error::other(other),
    }
}
