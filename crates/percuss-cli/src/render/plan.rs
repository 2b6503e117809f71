//! How a scene is rendered: rates, length and format, settled before anything runs.

use crate::args::{Bits, LONGEST, RATES, RenderArgs};
use crate::failure::{Failure, Result};
use crate::format;
use percuss_scene::Scene;

/// The largest header a WAV file gets here \[bytes\].
const HEADER: u64 = 68;
/// A WAV file counts its bytes in 32 bits.
const LARGEST: u64 = u32::MAX as u64;

/// How a scene is rendered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Rate of the sound file \[Hz\], a whole number.
    pub rate: f64,
    /// Physics steps per sample.
    pub oversample: u32,
    /// Samples per channel.
    pub frames: u64,
    /// Channels.
    pub channels: usize,
    /// Format of a sample.
    pub bits: Bits,
    /// Whether the peak is brought to −1 dBFS.
    pub normalise: bool,
}

impl Plan {
    /// Takes from the flags what is given, else from the scene.
    pub fn new(args: &RenderArgs, scene: &Scene) -> Result<Self> {
        let rate = args.rate.unwrap_or(scene.sample_rate);
        if rate.fract() != 0.0 || !(RATES.0..=RATES.1).contains(&rate) {
            return Err(Failure::hinted(
                format!("sample_rate is {rate} Hz, must be a whole number of Hz from {} to {}", RATES.0, RATES.1),
                "choose another with --rate",
            ));
        }
        let seconds = args.seconds.unwrap_or(scene.duration);
        if seconds > LONGEST {
            return Err(Failure::hinted(
                format!("duration is {seconds} s, must be at most {LONGEST} s"),
                "choose a shorter one with --seconds",
            ));
        }
        let plan = Self {
            rate,
            oversample: args.oversample,
            frames: (seconds * rate).round() as u64,
            channels: scene.channels().max(1),
            bits: args.bits,
            normalise: !args.no_normalise,
        };
        plan.check_size(seconds)?;
        Ok(plan)
    }

    fn check_size(&self, seconds: f64) -> Result<()> {
        if self.frames == 0 {
            return Err(Failure::hinted(
                format!("{seconds} s at {} Hz is not even one sample", self.rate),
                "raise --seconds",
            ));
        }
        if self.file_size() > LARGEST {
            return Err(Failure::hinted(
                format!("the sound file would have {}, a WAV file holds 4.29 GB", format::bytes(self.file_size())),
                format!("use fewer --bits, one channel, or at most --seconds {}", self.longest_seconds()),
            ));
        }
        Ok(())
    }

    /// Rate of the physics \[Hz\].
    pub fn physics_rate(&self) -> f64 {
        self.rate * f64::from(self.oversample)
    }

    /// Physics steps in all.
    pub fn steps(&self) -> u64 {
        self.frames * u64::from(self.oversample)
    }

    /// Length \[s\].
    pub fn seconds(&self) -> f64 {
        self.frames as f64 / self.rate
    }

    fn frame_size(&self) -> u64 {
        self.channels as u64 * u64::from(self.bits.count() / 8)
    }

    /// Size of the sound file \[bytes\], at most.
    pub fn file_size(&self) -> u64 {
        self.frames.saturating_mul(self.frame_size()).saturating_add(HEADER)
    }

    /// How many whole seconds a WAV file can hold.
    fn longest_seconds(&self) -> u64 {
        ((LARGEST - HEADER) as f64 / (self.frame_size() as f64 * self.rate)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(frames: u64) -> Plan {
        Plan { rate: 48_000.0, oversample: 1, frames, channels: 2, bits: Bits::B24, normalise: true }
    }

    #[test]
    fn a_file_over_four_gibibytes_is_refused_to_the_frame() {
        let most = (LARGEST - HEADER) / 6;
        assert!(plan(most).check_size(1.0).is_ok());
        assert!(plan(most + 1).check_size(1.0).is_err());
        assert!(plan(u64::MAX).check_size(1.0).is_err());
    }

    #[test]
    fn the_length_proposed_fits() {
        let seconds = plan(u64::MAX).longest_seconds();
        assert!(plan(seconds * 48_000).check_size(seconds as f64).is_ok());
        assert!(plan((seconds + 1) * 48_000).check_size(seconds as f64).is_err());
    }

    #[test]
    fn no_samples_are_refused() {
        assert!(plan(0).check_size(1e-9).is_err());
    }
}
