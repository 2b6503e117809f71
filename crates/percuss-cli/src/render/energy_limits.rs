//! EnergyLimits on the energy ledger of a run, and the messages where one is exceeded.
//!
//! Residual     the largest residual of any step, over the energy (`worst_relative`), under every scheme
//! Open energy  the largest energy stored in open one-sided contacts, over the energy (`worst_open_relative`): none under
//!              tracked; some under plain, which is a warning; not checked under newton, whose potential is a function of η

use super::render_loop::OpenEnergyPeak;
use crate::error::{CliError, Result};
use crate::format::si;
use percuss::{Ledger, Scheme};
use percuss_scene::Scene;
use serde::Serialize;
use std::io::{self, Write};

/// Limit on the residual of a step, over the energy.
pub const MAX_RELATIVE_RESIDUAL: f64 = 1e-9;
/// Limit on the share of the energy that open contacts store.
pub const MAX_OPEN_ENERGY_SHARE: f64 = 1e-9;

/// EnergyLimits as they appear in the report.
#[derive(Serialize)]
pub struct EnergyLimits {
    max_residual_relative: f64,
    worst_open_relative: f64,
}

impl EnergyLimits {
    /// Limits that [`check`] applies.
    pub const DEFAULT: Self =
        Self { max_residual_relative: MAX_RELATIVE_RESIDUAL, worst_open_relative: MAX_OPEN_ENERGY_SHARE };
}

/// A limit that was exceeded.
#[derive(Debug, PartialEq, Eq)]
pub struct LimitViolation {
    /// Value found, value allowed, and element or contact.
    pub message: String,
    /// Remedy.
    pub hint: String,
    /// Whether the command fails; otherwise it warns.
    pub is_error: bool,
}

/// All limits that a run exceeds, with the element or contact that contributes most.
pub fn check(scene: &Scene, ledger: &Ledger, peak: Option<OpenEnergyPeak>) -> Vec<LimitViolation> {
    [residual_violation(scene, ledger), open_energy_violation(scene, ledger, peak)].into_iter().flatten().collect()
}

fn residual_violation(scene: &Scene, ledger: &Ledger) -> Option<LimitViolation> {
    let residual = ledger.total.worst_relative;
    if residual <= MAX_RELATIVE_RESIDUAL {
        return None;
    }
    let elements = ledger.elements.iter().zip(&scene.element_names).enumerate();
    let elements = elements.map(|(index, (account, id))| (account.worst_residual, scene.element_kind(index), id));
    let contacts = ledger.interactions.iter().zip(&scene.interaction_names).zip(scene.model.interactions());
    let contacts = contacts.map(|((account, id), contact)| (account.worst_residual, contact.law.kind(), id));
    let worst = elements.chain(contacts).max_by(|a, b| a.0.total_cmp(&b.0));
    let place = worst.map(|(energy, kind, id)| format!("; worst in the {kind} {id}, {} in a step", si(energy, "J")));
    Some(LimitViolation {
        message: format!(
            "the energy balance is off by {residual:.1e} of the energy in a step, must be within {MAX_RELATIVE_RESIDUAL:.0e}{}",
            place.unwrap_or_default()
        ),
        hint: "check its stiffness and forces for values that are far too large, or render with --oversample".into(),
        is_error: true,
    })
}

fn open_energy_violation(scene: &Scene, ledger: &Ledger, peak: Option<OpenEnergyPeak>) -> Option<LimitViolation> {
    let share = ledger.total.worst_open_relative;
    if share <= MAX_OPEN_ENERGY_SHARE || scene.model.scheme == Scheme::Newton {
        return None;
    }
    let place = peak.and_then(|OpenEnergyPeak { interaction, energy }| {
        let (id, contact) = (scene.interaction_names.get(interaction)?, scene.model.interactions().get(interaction)?);
        Some(format!("; most in the {} {id}, {}", contact.law.kind(), si(energy, "J")))
    });
    let is_error = scene.model.scheme == Scheme::Tracked;
    let hint = if is_error {
        "soften that contact, or render with --oversample"
    } else {
        "under plain, contacts may store energy after they open; --scheme tracked does not"
    };
    Some(LimitViolation {
        message: format!(
            "open contacts store {share:.1e} of the energy, must be within {MAX_OPEN_ENERGY_SHARE:.0e}{}",
            place.unwrap_or_default()
        ),
        hint: hint.into(),
        is_error,
    })
}

/// Prints violations that are no errors, or all if `lenient`, as warnings; returns the others as an error.
pub fn report(violations: Vec<LimitViolation>, lenient: bool) -> Result<()> {
    let (errors, warnings): (Vec<_>, Vec<_>) =
        violations.into_iter().partition(|violation| violation.is_error && !lenient);
    for LimitViolation { message, hint, .. } in warnings {
        writeln!(io::stderr(), "warning: {message}\n  hint: {hint}")?;
    }
    let mut errors = errors.into_iter();
    let Some(LimitViolation { mut message, mut hint, .. }) = errors.next() else { return Ok(()) };
    for further in errors {
        message = format!("{message}\n  hint: {hint}\nerror: {}", further.message);
        hint = further.hint;
    }
    Err(CliError::with_hint(message, format!("{hint}; --lenient makes this a warning")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use percuss::{Account, ContactAccount};

    fn scene(scheme: Scheme) -> Scene {
        let preset = percuss_scene::presets::find("mass-barrier").unwrap();
        let mut scene = percuss_scene::parse(preset.text, preset.name).unwrap();
        scene.model.scheme = scheme;
        scene
    }

    fn ledger(scene: &Scene) -> Ledger {
        let mut ledger = Ledger::default();
        ledger.elements = vec![Account::default(); scene.element_names.len()];
        ledger.interactions = vec![ContactAccount::default(); scene.interaction_names.len()];
        ledger
    }

    #[test]
    fn values_at_the_limits_are_accepted() {
        let scene = scene(Scheme::Tracked);
        let mut ledger = ledger(&scene);
        (ledger.total.worst_relative, ledger.total.worst_open_relative) =
            (MAX_RELATIVE_RESIDUAL, MAX_OPEN_ENERGY_SHARE);
        assert_eq!(check(&scene, &ledger, None), []);
    }

    #[test]
    fn residual_violation_names_value_limit_and_contact() {
        let scene = scene(Scheme::Tracked);
        let mut ledger = ledger(&scene);
        ledger.total.worst_relative = 5.5e-2;
        ledger.elements[1].worst_residual = 1e-6;
        ledger.interactions[0].worst_residual = 2e-3;
        let violations = check(&scene, &ledger, None);
        let [LimitViolation { message, hint, is_error: true }] = violations.as_slice() else {
            panic!("{violations:?}")
        };
        for expected in ["5.5e-2", "1e-9", &scene.interaction_names[0], "collision", "2.000 mJ"] {
            assert!(message.contains(expected), "{expected} in {message}");
        }
        assert!(hint.contains("--oversample"), "{hint}");
        assert!(report(check(&scene, &ledger, None), true).is_ok());
        let error = report(violations, false).unwrap_err();
        assert_eq!(error.exit_code(), 1);
        assert!(error.to_string().ends_with("--lenient makes this a warning"), "{error}");
    }

    #[test]
    fn infinite_residual_is_an_error() {
        let scene = scene(Scheme::Newton);
        let mut ledger = ledger(&scene);
        ledger.total.worst_relative = f64::INFINITY;
        assert!(check(&scene, &ledger, None)[0].is_error);
    }

    #[test]
    fn open_energy_is_an_error_under_tracked_only() {
        let peak = Some(OpenEnergyPeak { interaction: 0, energy: 1.64 });
        for (scheme, expected) in [(Scheme::Tracked, Some(true)), (Scheme::Plain, Some(false)), (Scheme::Newton, None)]
        {
            let scene = scene(scheme);
            let mut ledger = ledger(&scene);
            ledger.total.worst_open_relative = 0.58;
            let violations = check(&scene, &ledger, peak);
            assert_eq!(violations.first().map(|violation| violation.is_error), expected);
            for LimitViolation { message, .. } in violations {
                assert!(message.contains("5.8e-1") && message.contains("1.640 J"), "{message}");
                assert!(message.contains(&scene.interaction_names[0]), "{message}");
            }
        }
    }

    #[test]
    fn both_violations_are_reported() {
        let scene = scene(Scheme::Tracked);
        let mut ledger = ledger(&scene);
        (ledger.total.worst_relative, ledger.total.worst_open_relative) = (1.0, 1.0);
        let text = report(check(&scene, &ledger, None), false).unwrap_err().to_string();
        assert_eq!((text.matches("error: ").count(), text.matches("hint: ").count()), (2, 2), "{text}");
    }
}
