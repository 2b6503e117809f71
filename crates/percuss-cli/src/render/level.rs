//! The level of the sound file: loudness or peak normalisation, or none.
//!
//! Loudness    integrated, by EBU R 128 and ITU-R BS.1770-4, of the sound at a peak of 0 dBFS: so its absolute gate of
//!             −70 LUFS does not depend on the units of the pickups
//! True peak   of the signal between the samples, oversampled four times (twice from 96 kHz, not from 192 kHz)
//! Gain        to the loudness wanted, or to a true peak of −1 dBTP, whichever is lower

use super::settings::RenderSettings;
use super::temp_audio::TempAudio;
use ebur128::{Channel, EbuR128, Mode};
use std::io;

/// Default loudness \[LUFS\]: the reference of ReplayGain 2.
pub const DEFAULT_LUFS: f64 = -18.0;
/// Largest true peak after loudness normalisation \[dBTP\].
pub const CEILING_DBTP: f64 = -1.0;

/// Level that is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Level {
    /// Integrated loudness \[LUFS\], below the ceiling.
    Loudness(f64),
    /// Largest sample \[dBFS\].
    Peak(f64),
    /// Samples in the units of the pickups.
    Physical,
}

/// Level of the written sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelStats {
    /// Factor on every sample.
    pub gain: f64,
    /// Integrated loudness \[LUFS\]; `None` where it is undefined: shorter than 0.4 s, silent, or in units of the pickups.
    pub loudness: Option<f64>,
    /// True peak \[dBTP\]; `None` where the sound is silent, or in units of the pickups.
    pub true_peak: Option<f64>,
}

impl LevelStats {
    /// Gain in decibels.
    pub fn gain_db(&self) -> f64 {
        20.0 * self.gain.log10()
    }
}

/// Measures the sound and finds the gain.
pub fn measure(audio: &TempAudio, settings: &RenderSettings) -> io::Result<LevelStats> {
    // Silence cannot be normalised.
    if settings.level == Level::Physical || audio.peak == 0.0 {
        return Ok(LevelStats { gain: 1.0, loudness: None, true_peak: None });
    }
    let (loudness, true_peak) = loudness_and_true_peak(audio, settings.rate)?;
    let gain_db = match (settings.level, loudness) {
        (Level::Loudness(wanted), Some(loudness)) => (wanted - loudness).min(CEILING_DBTP - true_peak),
        (Level::Peak(wanted), _) => wanted,
        (Level::Loudness(_) | Level::Physical, _) => CEILING_DBTP - true_peak,
    };
    Ok(LevelStats {
        gain: 10_f64.powf(gain_db / 20.0) / audio.peak,
        loudness: loudness.map(|loudness| loudness + gain_db),
        true_peak: Some(true_peak + gain_db),
    })
}

/// Integrated loudness \[LUFS\] and true peak \[dBTP\] of the sound at a peak of 0 dBFS.
fn loudness_and_true_peak(audio: &TempAudio, rate: f64) -> io::Result<(Option<f64>, f64)> {
    let failed = |error: ebur128::Error| io::Error::other(format!("loudness: {error}"));
    let mut meter = EbuR128::new(audio.channels as u32, rate as u32, Mode::I | Mode::TRUE_PEAK).map_err(failed)?;
    // All channels weigh the same: percuss does not know where their loudspeakers are.
    meter.set_channel_map(&vec![Channel::Center; audio.channels]).map_err(failed)?;
    let mut scaled = vec![0.0; audio.channels];
    audio.for_each(|frame| {
        scaled.iter_mut().zip(frame).for_each(|(scaled, &sample)| *scaled = f64::from(sample) / audio.peak);
        meter.add_frames_f64(&scaled).map_err(failed)
    })?;
    let loudness = meter.loudness_global().map_err(failed)?;
    let peaks = (0..audio.channels as u32).map(|channel| meter.true_peak(channel).map_err(failed));
    let peak = peaks.collect::<io::Result<Vec<f64>>>()?.into_iter().fold(1.0, f64::max);
    Ok((loudness.is_finite().then_some(loudness), 20.0 * peak.log10()))
}
