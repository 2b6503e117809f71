//! Energy that piles up near the Nyquist frequency: contacts shorter than the sample interval excite the highest partials of
//! a grid, and what lies above the Nyquist frequency is folded back.
//!
//! Share   Σ|X(f)|² over f ≥ 0.8·f_N, over that over all f: windows of Hann, half overlapping, channels added

use super::short_contacts::{self, MAX_OVERSAMPLING};
use super::temp_audio::TempAudio;
use crate::error::Result;
use percuss::ContactAccount;
use percuss_scene::Scene;
use realfft::RealFftPlanner;
use std::io::{self, Write};

/// Lower end of what counts as near, as a fraction of the Nyquist frequency.
pub const NEAR: f64 = 0.8;
/// Share of the energy above which there is a warning.
pub const MAX_SHARE: f64 = 0.05;
/// Length of a window.
const WINDOW: usize = 2048;

/// Share of the energy of a sound near the Nyquist frequency; 0 for silence.
pub fn share(audio: &TempAudio) -> io::Result<f64> {
    if audio.peak == 0.0 {
        return Ok(0.0);
    }
    let fft = RealFftPlanner::<f64>::new().plan_fft_forward(WINDOW);
    let hann: Vec<f64> =
        (0..WINDOW).map(|n| 0.5 - 0.5 * (std::f64::consts::TAU * n as f64 / WINDOW as f64).cos()).collect();
    let (mut input, mut output) = (fft.make_input_vec(), fft.make_output_vec());
    let first_near = (NEAR * (output.len() - 1) as f64).ceil() as usize;
    let mut frames = vec![0.0; WINDOW * audio.channels];
    let (mut near, mut total) = (0.0, 0.0);
    let half = WINDOW as i64 / 2;
    for start in (-half..audio.frames as i64).step_by(half as usize) {
        audio.read(start, &mut frames)?;
        for channel in 0..audio.channels {
            for (n, x) in input.iter_mut().enumerate() {
                *x = hann[n] * f64::from(frames[n * audio.channels + channel]) / audio.peak;
            }
            fft.process(&mut input, &mut output).map_err(io::Error::other)?;
            let energy =
                |bins: &[realfft::num_complex::Complex<f64>]| bins.iter().map(|bin| bin.norm_sqr()).sum::<f64>();
            near += energy(&output[first_near..]);
            total += energy(&output);
        }
    }
    Ok(if total > 0.0 { near / total } else { 0.0 })
}

/// Warns if the share is large, and names the oversampling to try.
pub fn warn(share: f64, scene: &Scene, accounts: &[ContactAccount], rate: f64, oversample: u32) -> Result<()> {
    if share > MAX_SHARE {
        let frequency = NEAR * rate / 2000.0;
        writeln!(
            io::stderr(),
            "warning: {:.0} % of the energy is above {frequency:.1} kHz, near the Nyquist frequency, should be {:.0} % or less",
            100.0 * share,
            100.0 * MAX_SHARE
        )?;
        let wanted = short_contacts::sufficient_oversampling(scene, accounts, oversample);
        writeln!(io::stderr(), "  hint: {}", hint(wanted, oversample))?;
    }
    Ok(())
}

/// Oversampling that resolves the shortest contact, or else four times the present one.
fn hint(wanted: Option<f64>, oversample: u32) -> String {
    let factor = wanted.unwrap_or_else(|| 4.0 * f64::from(oversample)).min(f64::from(MAX_OVERSAMPLING));
    if factor > f64::from(oversample) {
        format!("render with --oversample {factor}, or write oversample = {factor} in [scene]; or soften the contacts")
    } else {
        "soften the contacts, or give the bodies more damping at high frequencies".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::temp_audio::TempAudioWriter;
    use std::f64::consts::PI;

    /// Share of two sines at fractions of the Nyquist frequency, with amplitudes.
    fn share_of(parts: [(f64, f64); 2]) -> f64 {
        let mut writer = TempAudioWriter::new(&std::env::temp_dir(), 1).unwrap();
        let sine = |n: usize| parts.iter().map(|(fraction, level)| level * (PI * fraction * n as f64).sin()).sum();
        let samples: Vec<f64> = (0..20_000).map(sine).collect();
        writer.write(&samples, 20_000).unwrap();
        share(&writer.finish().unwrap()).unwrap()
    }

    #[test]
    fn share_is_that_of_the_power_of_sines() {
        for (low, high) in [(1.0, 0.0), (1.0, 0.5), (0.1, 1.0), (0.0, 1.0)] {
            let expected = high * high / (high * high + low * low);
            // The ends of the sound are cut sharply: their spectrum is broad.
            let found = share_of([(0.1, low), (0.9, high)]);
            assert!((found - expected).abs() < 1e-3, "{low}, {high}: {found}, not {expected}");
        }
        assert_eq!(share_of([(0.1, 0.0), (0.9, 0.0)]), 0.0);
    }

    #[test]
    fn hint_names_more_oversampling_while_there_is_more() {
        assert!(hint(None, 1).contains("--oversample 4,"));
        assert!(hint(None, 4).contains("--oversample 16,"));
        assert!(hint(Some(8.0), 1).contains("--oversample 8,"));
        assert!(!hint(None, 64).contains("--oversample"));
        assert!(!hint(Some(256.0), 64).contains("--oversample"));
    }
}
