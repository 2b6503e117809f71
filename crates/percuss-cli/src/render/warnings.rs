//! Contacts too short for the rate, in words: said by `render` and by `check`.

use crate::failure::Result;
use crate::format::digits;
use percuss::{ContactAccount, Law};
use percuss_scene::Scene;
use std::io::{self, Write};

/// A contact shorter than this deserves a warning \[samples\].
pub const SHORT: f64 = 2.0;
/// A contact of this length is resolved \[samples\].
pub const RESOLVED: f64 = 4.0;
/// The most `render --oversample` takes.
const MOST_OVERSAMPLING: u32 = 64;

/// The shortest contact \[samples\]; `None` while there is none to measure.
pub fn shortest_contact(account: &ContactAccount) -> Option<f64> {
    let samples = account.shortest_contact;
    (samples > 0.0).then_some(samples)
}

/// The mean length of a contact \[samples\].
pub fn mean_contact(account: &ContactAccount) -> f64 {
    account.mean_contact()
}

/// Warns of every contact that is too short at `rate` \[Hz\], which is `oversample` times that of the sound.
pub fn warn_of_short_contacts(scene: &Scene, accounts: &[ContactAccount], rate: f64, oversample: u32) -> Result<()> {
    for warning in short_contacts(scene, accounts, rate, oversample) {
        writeln!(io::stderr(), "{warning}")?;
    }
    Ok(())
}

fn short_contacts<'a>(
    scene: &'a Scene,
    accounts: &'a [ContactAccount],
    rate: f64,
    oversample: u32,
) -> impl Iterator<Item = String> + 'a {
    let named = scene.interaction_names.iter().zip(scene.model.interactions()).zip(accounts);
    // Springs and dampers are always at work, hands hold on: there is no contact to resolve.
    let come_and_go = named.filter(|((_, it), _)| matches!(it.law, Law::Collision(_) | Law::Connection(_)));
    come_and_go.filter_map(move |((id, _), account)| {
        let samples = shortest_contact(account).filter(|&samples| samples < SHORT)?;
        let shown = digits(samples);
        let hint = remedy(samples, oversample);
        Some(format!(
            "warning: {id}: its shortest contact lasts {shown} samples at {rate} Hz, should be {SHORT} or more\n  hint: {hint}"
        ))
    })
}

/// What would resolve a contact of so many samples.
fn remedy(samples: f64, oversample: u32) -> String {
    let wanted = f64::from(oversample) * RESOLVED / samples;
    // A power of two: the least that will do.
    let factor = 2_f64.powf(wanted.log2().ceil());
    let most = f64::from(MOST_OVERSAMPLING);
    let length = |factor: f64| digits(samples * factor / f64::from(oversample));
    if factor <= most {
        format!("render with --oversample {factor}, which makes it {} samples, or soften the contact", length(factor))
    } else {
        format!("soften the contact: --oversample {most} would make it {} samples only", length(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_is_the_least_power_of_two_that_makes_four_samples() {
        for (samples, oversample, words) in [
            (1.0, 1, "--oversample 4, which makes it 4.000 samples"),
            (0.9, 1, "--oversample 8, which makes it 7.200 samples"),
            (1.9, 2, "--oversample 8, which makes it 7.600 samples"),
            (0.0625, 1, "--oversample 64, which makes it 4.000 samples"),
            (0.05, 1, "--oversample 64 would make it 3.200 samples only"),
        ] {
            let said = remedy(samples, oversample);
            assert!(said.contains(words), "{samples} at {oversample}: {said}");
        }
    }
}
