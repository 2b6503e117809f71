//! Sound files in memory.

use crate::clip::Clip;
use crate::error::{DataError, Result};
use crate::recipe::Audio;
use flac_codec::encode::{FlacSampleWriter, Options, OptionsError};
use hound::{SampleFormat, WavSpec, WavWriter};
use std::error::Error;
use std::io::Cursor;

/// Bits of a FLAC sample.
const FLAC_BITS: u32 = 24;

/// A sound file.
pub struct SoundFile {
    /// Its bytes; empty if audio is not kept.
    pub bytes: Vec<u8>,
    /// What a sample of 1 in the file is, in the units of the pickups.
    pub scale: f64,
}

impl Audio {
    /// End of the names of its files.
    #[must_use]
    pub fn extension(self) -> Option<&'static str> {
        match self {
            Self::Flac => Some("flac"),
            Self::Wav => Some("wav"),
            Self::None => None,
        }
    }
}

/// Encodes the sound of a clip.
///
/// # Errors
/// A format that does not hold so many channels.
pub fn encode(clip: &Clip, audio: Audio, rate: u32) -> Result<SoundFile> {
    let failed =
        |error: String| DataError::refused(error, "change the channels of the scene, or set keep.audio = \"none\"");
    match audio {
        Audio::None => Ok(SoundFile { bytes: Vec::new(), scale: 1.0 }),
        Audio::Flac => flac(clip, rate).map_err(|error| failed(error.to_string())),
        Audio::Wav => wav(clip, rate).map_err(|error| failed(error.to_string())),
    }
}

/// Options that take least time: the sounds of contacts are hardly smaller with others.
fn fast_options() -> std::result::Result<Options, OptionsError> {
    Options::fast().no_padding().no_seektable().block_size(4096)?.max_partition_order(0)
}

fn flac(clip: &Clip, rate: u32) -> std::result::Result<SoundFile, Box<dyn Error>> {
    let peak = clip.samples.iter().fold(0.0_f64, |peak, sample| peak.max(sample.abs()));
    let scale = if peak > 0.0 { peak } else { 1.0 };
    let full_scale = f64::from((1 << (FLAC_BITS - 1)) - 1);
    let samples: Vec<i32> = clip.samples.iter().map(|sample| (sample / scale * full_scale).round() as i32).collect();
    let mut file = Cursor::new(Vec::new());
    let (channels, count) = (clip.channels as u8, samples.len() as u64);
    let mut writer = FlacSampleWriter::new(&mut file, fast_options()?, rate, FLAC_BITS, channels, Some(count))?;
    writer.write(&samples)?;
    writer.finalize()?;
    // Readers take 2²³ for 1.
    Ok(SoundFile { bytes: file.into_inner(), scale: scale * (full_scale + 1.0) / full_scale })
}

fn wav(clip: &Clip, rate: u32) -> hound::Result<SoundFile> {
    let spec = WavSpec {
        channels: clip.channels as u16,
        sample_rate: rate,
        bits_per_sample: 32,
        sample_format: SampleFormat::Float,
    };
    let mut file = Cursor::new(Vec::new());
    let mut writer = WavWriter::new(&mut file, spec)?;
    clip.samples.iter().try_for_each(|&sample| writer.write_sample(sample as f32))?;
    writer.finalize()?;
    Ok(SoundFile { bytes: file.into_inner(), scale: 1.0 })
}
