//! Settings of a render: rates, length, level and format of the sound, from flags and scene.

use super::level::{DEFAULT_LUFS, Level};
use super::sound_format::SoundFormat;
use crate::arg_values::{MAX_DURATION, SAMPLE_RATE_RANGE};
use crate::args::{BitDepth, RenderArgs};
use crate::error::{CliError, Result};
use crate::format;
use percuss_scene::Scene;
use std::path::Path;

/// Upper bound for the header of a WAV file \[bytes\].
const MAX_HEADER_BYTES: u64 = 68;
/// Largest size of a WAV file, which stores its size in 32 bits \[bytes\].
const MAX_FILE_BYTES: u64 = u32::MAX as u64;

/// Settings of a render.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderSettings {
    /// Sample rate of the sound file \[Hz\], a whole number.
    pub rate: f64,
    /// Physics steps per sample.
    pub oversample: u32,
    /// Samples per channel; the largest number of them if the sound ends when it is silent.
    pub frames: u64,
    /// Whether the sound ends when it is silent.
    pub until_silent: bool,
    /// Number of channels.
    pub channels: usize,
    /// Sample format.
    pub bit_depth: BitDepth,
    /// File format.
    pub format: SoundFormat,
    /// Level of the sound file.
    pub level: Level,
    /// Whether inaudibly low frequencies are removed.
    pub dc_block: bool,
    /// Fade-out of a sound that is still loud at its end \[s\].
    pub fade: f64,
}

impl RenderSettings {
    /// Settings from the flags where given, else from the scene, for a sound file.
    pub fn new(args: &RenderArgs, scene: &Scene, sound_file: &Path) -> Result<Self> {
        let format = SoundFormat::of(sound_file)?;
        let rate = args.rate.unwrap_or(scene.sample_rate);
        if rate.fract() != 0.0 || !(SAMPLE_RATE_RANGE.0..=SAMPLE_RATE_RANGE.1).contains(&rate) {
            return Err(CliError::with_hint(
                format!(
                    "sample_rate is {rate} Hz, must be a whole number of Hz from {} to {}",
                    SAMPLE_RATE_RANGE.0, SAMPLE_RATE_RANGE.1
                ),
                "choose another with --rate",
            ));
        }
        let seconds = args.seconds.unwrap_or(scene.duration);
        if seconds > MAX_DURATION {
            return Err(CliError::with_hint(
                format!("duration is {seconds} s, must be at most {MAX_DURATION} s"),
                "choose a shorter one with --seconds",
            ));
        }
        let settings = Self {
            rate,
            oversample: args.oversample.unwrap_or(scene.rendering.oversample),
            frames: (seconds * rate).round() as u64,
            until_silent: scene.rendering.until_silent && args.seconds.is_none(),
            channels: scene.channels().max(1),
            bit_depth: args.bits,
            format,
            level: level(args),
            dc_block: scene.rendering.dc_block && !args.no_dc_block,
            fade: args.fade.unwrap_or(scene.rendering.fade),
        };
        format.check(sound_file, rate, settings.channels, settings.bit_depth)?;
        settings.check_size(seconds)?;
        Ok(settings)
    }

    fn check_size(&self, seconds: f64) -> Result<()> {
        if self.frames == 0 {
            return Err(CliError::with_hint(
                format!("{seconds} s at {} Hz is less than one sample", self.rate),
                "raise --seconds",
            ));
        }
        if self.format == SoundFormat::Wav && self.file_bytes() > MAX_FILE_BYTES {
            return Err(CliError::with_hint(
                format!(
                    "the sound file would have {}, a WAV file holds 4.29 GB",
                    format::byte_count(self.file_bytes())
                ),
                format!("use fewer --bits, one channel, a .flac file, or at most --seconds {}", self.max_seconds()),
            ));
        }
        Ok(())
    }

    /// Step rate of the simulation \[Hz\].
    pub fn physics_rate(&self) -> f64 {
        self.rate * f64::from(self.oversample)
    }

    /// Total number of physics steps, the largest if the sound ends when it is silent.
    pub fn steps(&self) -> u64 {
        self.frames * u64::from(self.oversample)
    }

    /// Frames of the fade-out.
    pub fn fade_frames(&self) -> u64 {
        (self.fade * self.rate).round() as u64
    }

    /// Duration, the longest if the sound ends when it is silent \[s\].
    pub fn seconds(&self) -> f64 {
        self.frames as f64 / self.rate
    }

    fn frame_bytes(&self) -> u64 {
        self.channels as u64 * u64::from(self.bit_depth.bits() / 8)
    }

    /// Upper bound for the size of the sound file \[bytes\].
    pub fn file_bytes(&self) -> u64 {
        self.frames.saturating_mul(self.frame_bytes()).saturating_add(MAX_HEADER_BYTES)
    }

    /// Longest duration that a WAV file can hold, in whole seconds.
    fn max_seconds(&self) -> u64 {
        ((MAX_FILE_BYTES - MAX_HEADER_BYTES) as f64 / (self.frame_bytes() as f64 * self.rate)) as u64
    }
}

/// The level that the flags ask for.
fn level(args: &RenderArgs) -> Level {
    match (args.no_normalise, args.peak, args.lufs) {
        (true, ..) => Level::Physical,
        (false, Some(peak), _) => Level::Peak(peak),
        (false, None, lufs) => Level::Loudness(lufs.unwrap_or(DEFAULT_LUFS)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(frames: u64) -> RenderSettings {
        RenderSettings {
            rate: 48_000.0,
            oversample: 1,
            frames,
            until_silent: false,
            channels: 2,
            bit_depth: BitDepth::Int24,
            format: SoundFormat::Wav,
            level: Level::Peak(-1.0),
            dc_block: true,
            fade: 0.0,
        }
    }

    #[test]
    fn file_over_4_gib_is_rejected_to_the_frame() {
        let max_frames = (MAX_FILE_BYTES - MAX_HEADER_BYTES) / 6;
        assert!(settings(max_frames).check_size(1.0).is_ok());
        assert!(settings(max_frames + 1).check_size(1.0).is_err());
        assert!(settings(u64::MAX).check_size(1.0).is_err());
    }

    #[test]
    fn proposed_duration_fits() {
        let seconds = settings(u64::MAX).max_seconds();
        assert!(settings(seconds * 48_000).check_size(seconds as f64).is_ok());
        assert!(settings((seconds + 1) * 48_000).check_size(seconds as f64).is_err());
    }

    #[test]
    fn zero_samples_are_rejected() {
        assert!(settings(0).check_size(1e-9).is_err());
    }
}
