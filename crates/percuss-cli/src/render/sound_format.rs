//! Formats of sound files, chosen by the extension of the file.

use crate::args::BitDepth;
use crate::error::{CliError, Result};
use std::path::Path;

/// A format of sound files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoundFormat {
    /// RIFF WAVE: 16 and 24 bits, 32-bit float, up to 4 GB.
    Wav,
    /// Free Lossless Audio Codec: 16 and 24 bits, up to eight channels.
    Flac,
}

impl SoundFormat {
    /// The format of a file.
    pub fn of(path: &Path) -> Result<Self> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            // `OutputFile` says so.
            None if path.is_dir() => Ok(Self::Wav),
            Some("wav") => Ok(Self::Wav),
            Some("flac") => Ok(Self::Flac),
            other => {
                let found = other.map_or("has no extension".into(), |other| format!("ends in .{other}"));
                Err(CliError::Usage {
                    message: format!("{}: {found}, a sound file must end in .wav or .flac", path.display()),
                    hint: format!("name it {}", path.with_extension("wav").display()),
                })
            }
        }
    }

    /// Checks that the format can hold such a sound.
    pub fn check(self, path: &Path, rate: f64, channels: usize, bit_depth: BitDepth) -> Result<()> {
        /// Limits of FLAC.
        const MAX_RATE: f64 = 655_350.0;
        const MAX_CHANNELS: usize = 8;
        let problem = match self {
            Self::Wav => None,
            Self::Flac if bit_depth == BitDepth::Float32 => Some("holds 16 or 24 bits, not 32".to_owned()),
            Self::Flac if channels > MAX_CHANNELS => {
                Some(format!("holds up to {MAX_CHANNELS} channels, not {channels}"))
            }
            Self::Flac if rate > MAX_RATE => Some(format!("has a rate of up to {MAX_RATE} Hz, not {rate} Hz")),
            Self::Flac => None,
        };
        problem.map_or(Ok(()), |problem| {
            let (message, wav) = (format!("{}: a FLAC file {problem}", path.display()), path.with_extension("wav"));
            Err(CliError::Usage { message, hint: format!("a WAV file does: name it {}", wav.display()) })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_follows_the_extension_in_any_case() {
        let format = |name: &str| SoundFormat::of(Path::new(name));
        assert_eq!(format("a.wav").unwrap(), SoundFormat::Wav);
        assert_eq!(format("folder.flac/a.FLAC").unwrap(), SoundFormat::Flac);
        for wrong in ["a.mp3", "a", "a.wave", "a.flac.ogg"] {
            let error = format(wrong).unwrap_err();
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().contains(".wav or .flac"), "{error}");
        }
    }

    #[test]
    fn flac_refuses_what_it_cannot_hold() {
        let check = |rate, channels, bits| SoundFormat::Flac.check(Path::new("a.flac"), rate, channels, bits);
        assert!(check(655_350.0, 8, BitDepth::Int24).is_ok());
        assert!(check(655_351.0, 8, BitDepth::Int24).is_err());
        assert!(check(44_100.0, 9, BitDepth::Int16).is_err());
        assert!(check(44_100.0, 1, BitDepth::Float32).is_err());
        assert!(SoundFormat::Wav.check(Path::new("a.wav"), 768_000.0, 64, BitDepth::Float32).is_ok());
    }
}
