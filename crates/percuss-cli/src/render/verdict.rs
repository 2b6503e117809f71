//! Whether the energy account of a run may be trusted: its two limits, and what is said where one is passed.
//!
//! Balance   the largest residual of any step, over the energy (`worst_relative`), under every scheme
//! Open      the most energy held by one-sided contacts that are open, over the energy (`worst_open_relative`): the tracked
//!           scheme promises none, plain is known to leave some, newton's is a function of the place and goes by itself

use super::engine::OpenPeak;
use crate::failure::{Failure, Result};
use crate::format::si;
use percuss::{Ledger, Scheme};
use percuss_scene::Scene;
use serde::Serialize;
use std::io::{self, Write};

/// Largest residual of a step over the energy.
pub const BALANCE: f64 = 1e-9;
/// Largest share of the energy that open contacts may hold.
pub const OPEN: f64 = 1e-9;

/// The limits of a run, for its report.
#[derive(Serialize)]
pub struct Limits {
    max_residual_relative: f64,
    worst_open_relative: f64,
}

impl Limits {
    /// The limits that [`judge`] applies.
    pub const ALL: Self = Self { max_residual_relative: BALANCE, worst_open_relative: OPEN };
}

/// A limit that was passed.
#[derive(Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was found, what is allowed, and where.
    pub message: String,
    /// What to do about it.
    pub hint: String,
    /// Whether the run has failed by it.
    pub severe: bool,
}

/// Says of every limit that was passed by how much, and by what part of the scene.
pub fn judge(scene: &Scene, ledger: &Ledger, open: Option<OpenPeak>) -> Vec<Finding> {
    [balance(scene, ledger), open_energy(scene, ledger, open)].into_iter().flatten().collect()
}

fn balance(scene: &Scene, ledger: &Ledger) -> Option<Finding> {
    let off = ledger.total.worst_relative;
    if off <= BALANCE {
        return None;
    }
    let elements = ledger.elements.iter().zip(&scene.element_names).zip(scene.model.elements());
    let elements = elements.map(|((account, id), element)| (account.worst_residual, element.kind(), id));
    let contacts = ledger.interactions.iter().zip(&scene.interaction_names).zip(scene.model.interactions());
    let contacts = contacts.map(|((account, id), contact)| (account.worst_residual, contact.law.kind(), id));
    let worst = elements.chain(contacts).max_by(|a, b| a.0.total_cmp(&b.0));
    let place = worst.map(|(joules, kind, id)| format!("; worst in the {kind} {id}, {} in a step", si(joules, "J")));
    Some(Finding {
        message: format!(
            "the energy balance is off by {off:.1e} of the energy in a step, must be within {BALANCE:.0e}{}",
            place.unwrap_or_default()
        ),
        hint: "look there for a stiffness or force that is far too large, or render with --oversample".into(),
        severe: true,
    })
}

fn open_energy(scene: &Scene, ledger: &Ledger, open: Option<OpenPeak>) -> Option<Finding> {
    let share = ledger.total.worst_open_relative;
    if share <= OPEN || scene.model.scheme == Scheme::Newton {
        return None;
    }
    let place = open.and_then(|OpenPeak { interaction, joules }| {
        let (id, contact) = (scene.interaction_names.get(interaction)?, scene.model.interactions().get(interaction)?);
        Some(format!("; most in the {} {id}, {}", contact.law.kind(), si(joules, "J")))
    });
    let severe = scene.model.scheme == Scheme::Tracked;
    let hint = if severe {
        "soften that contact, or render with --oversample"
    } else {
        "contacts of the scheme plain may keep energy after they open; --scheme tracked does not"
    };
    Some(Finding {
        message: format!(
            "open contacts hold {share:.1e} of the energy, must be within {OPEN:.0e}{}",
            place.unwrap_or_default()
        ),
        hint: hint.into(),
        severe,
    })
}

/// Warns of what is not severe, or of everything if `lenient`; fails with the rest.
pub fn enforce(findings: Vec<Finding>, lenient: bool) -> Result<()> {
    let (severe, mild): (Vec<_>, Vec<_>) = findings.into_iter().partition(|finding| finding.severe && !lenient);
    for Finding { message, hint, .. } in mild {
        writeln!(io::stderr(), "warning: {message}\n  hint: {hint}")?;
    }
    let mut severe = severe.into_iter();
    let Some(Finding { mut message, mut hint, .. }) = severe.next() else { return Ok(()) };
    for further in severe {
        message = format!("{message}\n  hint: {hint}\nerror: {}", further.message);
        hint = further.hint;
    }
    Err(Failure::hinted(message, format!("{hint}; --lenient makes this a warning")))
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
        Ledger {
            elements: vec![Account::default(); scene.element_names.len()],
            interactions: vec![ContactAccount::default(); scene.interaction_names.len()],
            ..Ledger::default()
        }
    }

    #[test]
    fn within_the_limits_nothing_is_said() {
        let scene = scene(Scheme::Tracked);
        let mut ledger = ledger(&scene);
        (ledger.total.worst_relative, ledger.total.worst_open_relative) = (BALANCE, OPEN);
        assert_eq!(judge(&scene, &ledger, None), []);
    }

    #[test]
    fn a_balance_that_fails_names_figure_limit_and_part() {
        let scene = scene(Scheme::Tracked);
        let mut ledger = ledger(&scene);
        ledger.total.worst_relative = 5.5e-2;
        ledger.elements[1].worst_residual = 1e-6;
        ledger.interactions[0].worst_residual = 2e-3;
        let findings = judge(&scene, &ledger, None);
        let [Finding { message, hint, severe: true }] = findings.as_slice() else { panic!("{findings:?}") };
        for words in ["5.5e-2", "1e-9", &scene.interaction_names[0], "collision", "2.000 mJ"] {
            assert!(message.contains(words), "{words} in {message}");
        }
        assert!(hint.contains("--oversample"), "{hint}");
        assert!(enforce(judge(&scene, &ledger, None), true).is_ok());
        let failure = enforce(findings, false).unwrap_err();
        assert_eq!(failure.exit_code(), 1);
        assert!(failure.to_string().ends_with("--lenient makes this a warning"), "{failure}");
    }

    #[test]
    fn a_balance_that_is_not_a_number_fails() {
        let scene = scene(Scheme::Newton);
        let mut ledger = ledger(&scene);
        ledger.total.worst_relative = f64::INFINITY;
        assert!(judge(&scene, &ledger, None)[0].severe);
    }

    #[test]
    fn energy_in_open_contacts_fails_tracked_only() {
        let open = Some(OpenPeak { interaction: 0, joules: 1.64 });
        for (scheme, expected) in [(Scheme::Tracked, Some(true)), (Scheme::Plain, Some(false)), (Scheme::Newton, None)]
        {
            let scene = scene(scheme);
            let mut ledger = ledger(&scene);
            ledger.total.worst_open_relative = 0.58;
            let findings = judge(&scene, &ledger, open);
            assert_eq!(findings.first().map(|finding| finding.severe), expected);
            for Finding { message, .. } in findings {
                assert!(message.contains("5.8e-1") && message.contains("1.640 J"), "{message}");
                assert!(message.contains(&scene.interaction_names[0]), "{message}");
            }
        }
    }

    #[test]
    fn both_limits_are_named_where_both_are_passed() {
        let scene = scene(Scheme::Tracked);
        let mut ledger = ledger(&scene);
        (ledger.total.worst_relative, ledger.total.worst_open_relative) = (1.0, 1.0);
        let said = enforce(judge(&scene, &ledger, None), false).unwrap_err().to_string();
        assert_eq!((said.matches("error: ").count(), said.matches("hint: ").count()), (2, 2), "{said}");
    }
}
