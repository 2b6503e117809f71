//! Writes the sound file: converts the samples in one pass over the temporary audio.

use super::settings::RenderSettings;
use super::sound_format::SoundFormat;
use super::temp_audio::TempAudio;
use crate::args::BitDepth;
use crate::error::Result;
use crate::output::OutputFile;
use flac_codec::encode::{FlacSampleWriter, Options};
use hound::{SampleFormat, WavSpec, WavWriter};
use std::io::{self, Seek, Write};

/// Frames that are passed to the FLAC encoder at once.
const FLAC_BLOCK_FRAMES: usize = 4096;

/// Writes the sound file with a gain; returns the number of samples that were clipped.
pub fn write(audio: &TempAudio, settings: &RenderSettings, gain: f64, output: &OutputFile) -> Result<u64> {
    let mut clipped = 0;
    output.write(|file| {
        clipped = match (settings.format, settings.bit_depth) {
            (SoundFormat::Flac, bit_depth) => {
                write_flac(audio, settings, Quantiser::new(gain, bit_depth), file).map_err(io::Error::other)?
            }
            (SoundFormat::Wav, BitDepth::Float32) => write_float_wav(audio, settings, gain, file).map_err(io_error)?,
            (SoundFormat::Wav, bit_depth) => {
                write_integer_wav(audio, settings, Quantiser::new(gain, bit_depth), file).map_err(io_error)?
            }
        };
        Ok(())
    })?;
    Ok(clipped)
}

/// Converts samples to integers and counts those beyond full scale.
struct Quantiser {
    gain: f64,
    full_scale: f64,
    clipped: u64,
}

impl Quantiser {
    fn new(gain: f64, bit_depth: BitDepth) -> Self {
        Self { gain, full_scale: f64::from(1_i32 << (bit_depth.bits() - 1)), clipped: 0 }
    }

    fn quantise(&mut self, sample: f32) -> i32 {
        let value = f64::from(sample) * self.gain;
        self.clipped += u64::from(value.abs() > 1.0);
        (value * self.full_scale).round().clamp(-self.full_scale, self.full_scale - 1.0) as i32
    }
}

fn wav_spec(settings: &RenderSettings) -> WavSpec {
    WavSpec {
        channels: settings.channels as u16,
        sample_rate: settings.rate as u32,
        bits_per_sample: settings.bit_depth.bits(),
        sample_format: if settings.bit_depth == BitDepth::Float32 { SampleFormat::Float } else { SampleFormat::Int },
    }
}

fn write_float_wav(
    audio: &TempAudio,
    settings: &RenderSettings,
    gain: f64,
    file: impl Write + Seek,
) -> hound::Result<u64> {
    let mut writer = WavWriter::new(file, wav_spec(settings))?;
    audio.for_each(|frame| {
        let mut samples = frame.iter().map(|&sample| (f64::from(sample) * gain) as f32);
        samples.try_for_each(|sample| writer.write_sample(sample)).map_err(io_error)
    })?;
    // A number beyond full scale is a number like any other.
    writer.finalize().map(|()| 0)
}

fn write_integer_wav(
    audio: &TempAudio,
    settings: &RenderSettings,
    mut quantiser: Quantiser,
    file: impl Write + Seek,
) -> hound::Result<u64> {
    let mut writer = WavWriter::new(file, wav_spec(settings))?;
    audio.for_each(|frame| {
        let mut samples = frame.iter().map(|&sample| quantiser.quantise(sample));
        samples.try_for_each(|sample| writer.write_sample(sample)).map_err(io_error)
    })?;
    writer.finalize().map(|()| quantiser.clipped)
}

fn write_flac(
    audio: &TempAudio,
    settings: &RenderSettings,
    mut quantiser: Quantiser,
    file: impl Write + Seek,
) -> std::result::Result<u64, flac_codec::Error> {
    let (channels, bits) = (settings.channels as u8, u32::from(settings.bit_depth.bits()));
    let samples = audio.frames * u64::from(channels);
    let mut writer =
        FlacSampleWriter::new(file, Options::default(), settings.rate as u32, bits, channels, Some(samples))?;
    let capacity = FLAC_BLOCK_FRAMES * settings.channels;
    let mut block = Vec::with_capacity(capacity);
    audio.for_each(|frame| {
        block.extend(frame.iter().map(|&sample| quantiser.quantise(sample)));
        if block.len() < capacity {
            return Ok(());
        }
        let written = writer.write(&block);
        block.clear();
        written.map_err(io::Error::other)
    })?;
    writer.write(&block)?;
    writer.finalize().map(|()| quantiser.clipped)
}

fn io_error(error: hound::Error) -> io::Error {
    match error {
        hound::Error::IoError(error) => error,
        other => io::Error::other(other),
    }
}
