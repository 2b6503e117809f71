//! Sound files in memory.

use crate::clip::Clip;
use crate::error::{DataError, Result};
use crate::flac;
use crate::recipe::Audio;
use hound::{SampleFormat, WavSpec, WavWriter};
use std::io::Cursor;

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
        Audio::Flac => flac(clip, rate).map_err(failed),
        Audio::Wav => wav(clip, rate).map_err(|error| failed(error.to_string())),
    }
}

fn flac(clip: &Clip, rate: u32) -> std::result::Result<SoundFile, String> {
    if clip.channels > flac::MAX_CHANNELS || rate > flac::MAX_RATE {
        let (channels, rates) = (flac::MAX_CHANNELS, flac::MAX_RATE);
        let limits = format!("FLAC has at most {channels} channels and {rates} Hz");
        return Err(format!("{limits}, the clip has {} and {rate} Hz", clip.channels));
    }
    let scale = peak(&clip.samples);
    let full_scale = f64::from((1 << (flac::BITS - 1)) - 1);
    let factor = full_scale / scale;
    let samples: Vec<i32> = clip.samples.iter().map(|sample| nearest(sample * factor)).collect();
    let bytes = flac::encode(&samples, clip.channels, rate);
    // Readers take 2²³ for 1.
    Ok(SoundFile { bytes, scale: scale * (full_scale + 1.0) / full_scale })
}

/// The largest magnitude, or 1 if all are 0: so small that dividing by it overflows, or not there.
fn peak(samples: &[f64]) -> f64 {
    const LANES: usize = 8;
    let (groups, rest) = samples.as_chunks::<LANES>();
    let larger = |peak: f64, sample: f64| if sample.abs() > peak { sample.abs() } else { peak };
    let mut peaks = [0.0; LANES];
    for group in groups {
        peaks.iter_mut().zip(group).for_each(|(peak, &sample)| *peak = larger(*peak, sample));
    }
    let peak = peaks.iter().chain(rest).copied().fold(0.0, larger);
    if peak > f64::MIN_POSITIVE / f64::EPSILON { peak } else { 1.0 }
}

/// The nearest whole number, below 2³¹: the lowest digits of a number so large that it has no others.
fn nearest(x: f64) -> i32 {
    const LARGE: f64 = 1.5 * (1_u64 << 52) as f64;
    (x + LARGE).to_bits() as i32
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn samples_are_rounded_to_the_nearest(x in -8_388_608.0..8_388_608.0) {
            prop_assert!((f64::from(nearest(x)) - x).abs() <= 0.5);
        }

        #[test]
        fn the_peak_is_the_largest_magnitude(samples in prop::collection::vec(-1e3..1e3, 1..40)) {
            let largest = samples.iter().fold(0.0_f64, |largest, sample: &f64| largest.max(sample.abs()));
            prop_assert_eq!(peak(&samples), largest);
        }
    }

    #[test]
    fn silence_has_a_scale() {
        for samples in [vec![], vec![0.0; 9], vec![f64::MIN_POSITIVE; 3]] {
            assert_eq!(peak(&samples), 1.0);
        }
    }
}
