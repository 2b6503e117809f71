//! Warnings about contacts that are too short for the sample rate, for `render` and `check`.

use crate::error::Result;
use crate::format::four_digits;
use percuss::{ContactAccount, Law};
use percuss_scene::Scene;
use std::io::{self, Write};

/// Contact time below which a warning is printed \[samples\].
pub const MIN_SAMPLES: f64 = 2.0;
/// Contact time that counts as resolved \[samples\].
pub const RESOLVED_SAMPLES: f64 = 4.0;
/// Largest value of `render --oversample`.
pub const MAX_OVERSAMPLING: u32 = 64;

/// Shortest contact time \[samples\]; `None` before the first contact has ended.
pub fn shortest_contact(account: &ContactAccount) -> Option<f64> {
    let samples = account.shortest_contact;
    (samples > 0.0).then_some(samples)
}

/// Mean contact time \[samples\].
pub fn mean_contact(account: &ContactAccount) -> f64 {
    account.mean_contact()
}

/// Warns about every contact that is too short at the physics rate `rate` \[Hz\], which is `oversample` times the sample
/// rate.
pub fn warn_about_short_contacts(scene: &Scene, accounts: &[ContactAccount], rate: f64, oversample: u32) -> Result<()> {
    for warning in short_contact_warnings(scene, accounts, rate, oversample) {
        writeln!(io::stderr(), "{warning}")?;
    }
    Ok(())
}

fn short_contact_warnings<'a>(
    scene: &'a Scene,
    accounts: &'a [ContactAccount],
    rate: f64,
    oversample: u32,
) -> impl Iterator<Item = String> + 'a {
    short_contacts(scene, accounts).map(move |(id, samples)| {
        let shown = four_digits(samples);
        let hint = oversampling_hint(samples, oversample);
        format!(
            "warning: {id}: its shortest contact lasts {shown} samples at {rate} Hz, should be {MIN_SAMPLES} or more\n  hint: {hint}"
        )
    })
}

/// Contacts that are too short, with their shortest contact time \[samples\].
fn short_contacts<'a>(scene: &'a Scene, accounts: &'a [ContactAccount]) -> impl Iterator<Item = (&'a str, f64)> + 'a {
    let named = scene.interaction_names.iter().zip(scene.model.interactions()).zip(accounts);
    // Springs, dampers, bows and fingers have no contact time.
    let collisions = named.filter(|((_, it), _)| matches!(it.law, Law::Collision(_) | Law::Connection(_)));
    collisions.filter_map(|((id, _), account)| {
        let samples = shortest_contact(account).filter(|&samples| samples < MIN_SAMPLES)?;
        Some((id.as_str(), samples))
    })
}

/// Oversampling that resolves all contacts that are too short; `None` if there are none.
pub fn sufficient_oversampling(scene: &Scene, accounts: &[ContactAccount], oversample: u32) -> Option<f64> {
    let shortest = short_contacts(scene, accounts).map(|(_, samples)| samples).reduce(f64::min)?;
    Some(resolving_oversampling(shortest, oversample))
}

/// The smallest power of two that makes a contact of `samples` samples long enough.
fn resolving_oversampling(samples: f64, oversample: u32) -> f64 {
    let wanted = f64::from(oversample) * RESOLVED_SAMPLES / samples;
    2_f64.powf(wanted.log2().ceil())
}

/// Hint with the oversampling that resolves a contact of `samples` samples.
fn oversampling_hint(samples: f64, oversample: u32) -> String {
    let factor = resolving_oversampling(samples, oversample);
    let max = f64::from(MAX_OVERSAMPLING);
    let length = |factor: f64| four_digits(samples * factor / f64::from(oversample));
    if factor <= max {
        format!("render with --oversample {factor}, which makes it {} samples, or soften the contact", length(factor))
    } else {
        format!("soften the contact: --oversample {max} would make it {} samples only", length(max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hint_names_the_smallest_power_of_two_that_gives_four_samples() {
        for (samples, oversample, expected) in [
            (1.0, 1, "--oversample 4, which makes it 4.000 samples"),
            (0.9, 1, "--oversample 8, which makes it 7.200 samples"),
            (1.9, 2, "--oversample 8, which makes it 7.600 samples"),
            (0.0625, 1, "--oversample 64, which makes it 4.000 samples"),
            (0.05, 1, "--oversample 64 would make it 3.200 samples only"),
        ] {
            let hint = oversampling_hint(samples, oversample);
            assert!(hint.contains(expected), "{samples} at {oversample}: {hint}");
        }
    }
}
