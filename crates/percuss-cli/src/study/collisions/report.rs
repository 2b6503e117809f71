//! What was measured, as JSON and as CSV.

use super::bowed_spectrum::Sound;
use super::run::Run;
use super::{OVERSAMPLING, Outcome, RATE, Study};
use serde_json::{Map, Value, json};

/// What is said of a run: the same in both forms.
fn figures(outcome: &Outcome, run: &Run) -> Vec<(&'static str, f64)> {
    let (total, contact, drift) = (&run.total, &run.contacts[0], run.drift.unwrap_or_default());
    vec![
        ("max_residual_relative", total.worst_relative),
        ("adhesive_share", run.adhesive_share()),
        ("psi_drift", drift.rms),
        ("psi_drift_peak", drift.peak),
        ("psi_left_over", drift.left_over),
        ("newton_iterations_mean", run.effort.mean_steps()),
        ("newton_iterations_max", f64::from(run.effort.most_steps)),
        ("newton_iterations_per_sample", run.steps_per_sample()),
        ("newton_unsettled", run.effort.unsettled as f64),
        ("error_against_reference", run.track.error(&outcome.reference)),
        ("impulse_error", outcome.impulse_error(run)),
        ("seconds", outcome.system.seconds),
        ("stored_j", total.stored),
        ("dissipated_j", total.dissipated),
        ("supplied_j", total.supplied),
        ("hits", contact.hits as f64),
        ("impulse_ns", contact.impulse),
        ("peak_force_n", contact.peak_force),
    ]
}

fn runs(study: &Study) -> impl Iterator<Item = (&Outcome, &Run)> {
    study.outcomes.iter().flat_map(|outcome| outcome.runs.iter().map(move |run| (outcome, run)))
}

/// All that was measured.
pub fn as_json(study: &Study) -> Value {
    let system = |(outcome, run): (&Outcome, &Run)| {
        let mut value = json!({ "name": outcome.system.name, "scheme": run.scheme });
        for (name, figure) in figures(outcome, run) {
            value[name] = json!(figure);
        }
        value
    };
    let reference = |outcome: &Outcome| {
        json!({
            "name": outcome.system.name, "section": outcome.system.section, "scheme": "tracked",
            "oversampling": OVERSAMPLING, "seconds": outcome.system.compared, "newton_difference": outcome.doubt,
        })
    };
    let sound = |sound: &Sound| {
        let value = json!({
            "bridge_velocity_rms": sound.bridge.level(), "bridge_bright_db": sound.bridge.brightness(),
            "body_velocity_rms": sound.body.level(), "body_bright_db": sound.body.brightness(),
            "touching_share": sound.touching, "adhesive_share": sound.adhesive_share,
        });
        (sound.version.name.to_string(), value)
    };
    json!({
        "sample_rate_hz": RATE,
        "systems": runs(study).map(system).collect::<Vec<_>>(),
        "references": study.outcomes.iter().map(reference).collect::<Vec<_>>(),
        "bowed": study.sounds.iter().map(sound).collect::<Map<_, _>>(),
    })
}

/// The systems as CSV.
pub fn csv(study: &Study) -> String {
    let mut text = String::new();
    for (outcome, run) in runs(study) {
        let (names, values): (Vec<_>, Vec<_>) = figures(outcome, run).into_iter().unzip();
        if text.is_empty() {
            text = format!("system,scheme,{}\n", names.join(","));
        }
        let values: Vec<String> = values.iter().map(|value| format!("{value:e}")).collect();
        text.push_str(&format!("{},{},{}\n", outcome.system.name, run.scheme, values.join(",")));
    }
    text
}
