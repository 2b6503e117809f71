//! Fade-out of a sound that is still loud at its end.
//!
//! Gain   ½ + ½cos(π·n/N) for n = 1, …, N: the last sample is 0

use super::temp_audio::TempAudio;
use std::f64::consts::PI;
use std::io;

/// Level above which the end of a sound is loud, relative to its peak \[dB\].
pub const LOUD_DB: f64 = -60.0;

/// Whether the last `frames` frames are loud.
pub fn is_loud_at_end(audio: &TempAudio, frames: u64) -> io::Result<bool> {
    let loudest = last_frames(audio, frames)?.into_iter().fold(0.0, |loudest: f32, sample| loudest.max(sample.abs()));
    Ok(f64::from(loudest) > 10_f64.powf(LOUD_DB / 20.0) * audio.peak)
}

/// Fades out the last `frames` frames.
pub fn fade_out(audio: &mut TempAudio, frames: u64) -> io::Result<()> {
    let mut samples = last_frames(audio, frames)?;
    let count = (samples.len() / audio.channels) as f64;
    for (index, frame) in samples.chunks_exact_mut(audio.channels).enumerate() {
        let gain = 0.5 + 0.5 * (PI * (index + 1) as f64 / count).cos();
        frame.iter_mut().for_each(|sample| *sample = (f64::from(*sample) * gain) as f32);
    }
    audio.replace_end(&samples)
}

/// Interleaved samples of the last `frames` frames, or of all if there are fewer.
fn last_frames(audio: &TempAudio, frames: u64) -> io::Result<Vec<f32>> {
    let frames = frames.min(audio.frames);
    let mut samples = vec![0.0; frames as usize * audio.channels];
    audio.read((audio.frames - frames) as i64, &mut samples)?;
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::temp_audio::TempAudioWriter;

    /// A sound of two channels that is 1 first and `end` in its last hundred frames.
    fn sound(end: f64) -> TempAudio {
        let mut writer = TempAudioWriter::new(&std::env::temp_dir(), 2).unwrap();
        let samples: Vec<f64> = (0..1000).flat_map(|n| [if n < 900 { 1.0 } else { end }; 2]).collect();
        writer.write(&samples, 1000).unwrap();
        writer.finish().unwrap()
    }

    fn frames(audio: &TempAudio) -> Vec<f32> {
        let mut samples = vec![0.0; 2 * audio.frames as usize];
        audio.read(0, &mut samples).unwrap();
        samples
    }

    #[test]
    fn loud_end_falls_to_zero_without_a_step() {
        let mut audio = sound(1.0);
        fade_out(&mut audio, 100).unwrap();
        let faded = frames(&audio);
        assert!(faded[..1800].iter().all(|&x| x == 1.0));
        // The steepest slope of the cosine is π/(2·100) per frame.
        assert!(faded.windows(3).all(|w| w[2] <= w[0] && w[0] - w[2] < 0.016));
        assert_eq!(&faded[1998..], [0.0, 0.0]);
        assert!((faded[1899] - 0.5).abs() < 1e-6);
    }

    #[test]
    fn end_is_loud_above_minus_60_decibels() {
        assert!(is_loud_at_end(&sound(1.1e-3), 100).unwrap());
        assert!(!is_loud_at_end(&sound(0.9e-3), 100).unwrap());
        assert!(is_loud_at_end(&sound(0.9e-3), 101).unwrap());
    }

    #[test]
    fn fade_may_be_longer_than_the_sound() {
        let mut audio = sound(1.0);
        fade_out(&mut audio, 5000).unwrap();
        assert_eq!(&frames(&audio)[1998..], [0.0, 0.0]);
        assert!(frames(&audio)[0] > 0.99);
    }
}
