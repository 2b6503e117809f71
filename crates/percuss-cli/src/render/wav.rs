//! The sound file: level set, format chosen, written in one pass over the spool.

use super::plan::Plan;
use super::spool::Audio;
use crate::args::Bits;
use crate::failure::Result;
use crate::output::Target;
use hound::{SampleFormat, WavSpec, WavWriter};
use std::io;

/// Where the peak is brought to \[dBFS\].
pub const LEVEL: f64 = -1.0;

/// What was done to the samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Written {
    /// Factor on every sample.
    pub gain: f64,
    /// Samples that did not fit and were cut off.
    pub clipped: u64,
}

impl Written {
    /// The factor in decibels.
    pub fn gain_db(&self) -> f64 {
        20.0 * self.gain.log10()
    }
}

/// Writes the sound file.
pub fn write(audio: &Audio, plan: &Plan, target: &Target) -> Result<Written> {
    // Silence stays silence.
    let raise = plan.normalise && audio.peak > 0.0;
    let gain = if raise { 10_f64.powf(LEVEL / 20.0) / audio.peak } else { 1.0 };
    let mut clipped = 0;
    target.write(|file| {
        let mut writer = WavWriter::new(file, spec(plan)).map_err(plain)?;
        audio.for_each(|frame| {
            for &sample in frame {
                clipped += u64::from(put(&mut writer, f64::from(sample) * gain, plan.bits).map_err(plain)?);
            }
            Ok(())
        })?;
        writer.finalize().map_err(plain)
    })?;
    Ok(Written { gain, clipped })
}

fn spec(plan: &Plan) -> WavSpec {
    WavSpec {
        channels: plan.channels as u16,
        sample_rate: plan.rate as u32,
        bits_per_sample: plan.bits.count(),
        sample_format: if plan.bits == Bits::B32 { SampleFormat::Float } else { SampleFormat::Int },
    }
}

/// Writes a sample; returns whether it had to be cut off.
fn put<W: io::Write + io::Seek>(writer: &mut WavWriter<W>, sample: f64, bits: Bits) -> hound::Result<bool> {
    if bits == Bits::B32 {
        return writer.write_sample(sample as f32).map(|()| false);
    }
    let full_scale = f64::from(1_i32 << (bits.count() - 1));
    let value = (sample * full_scale).round().clamp(-full_scale, full_scale - 1.0);
    writer.write_sample(value as i32).map(|()| sample.abs() > 1.0)
}

fn plain(error: hound::Error) -> io::Error {
    match error {
        hound::Error::IoError(error) => error,
        other => io::Error::other(other),
    }
}
