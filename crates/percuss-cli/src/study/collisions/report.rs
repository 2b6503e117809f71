//! Results as JSON and CSV.

use super::bowed_spectrum::BowedSound;
use super::run::SchemeRun;
use super::{CollisionResults, OVERSAMPLING, RATE, SystemResult};
use serde_json::{Map, Value, json};

/// Quantities of a run, with their names in JSON and CSV.
fn quantities(result: &SystemResult, run: &SchemeRun) -> Vec<(&'static str, f64)> {
    let (total, contact, drift) = (&run.total, &run.contacts[0], run.drift.unwrap_or_default());
    vec![
        ("max_residual_relative", total.worst_relative),
        ("adhesive_share", run.adhesive_share()),
        ("psi_drift", drift.rms),
        ("psi_drift_peak", drift.peak),
        ("psi_open_peak", drift.open_peak),
        ("newton_iterations_mean", run.newton_effort.mean_steps()),
        ("newton_iterations_max", f64::from(run.newton_effort.max_steps)),
        ("newton_iterations_per_sample", run.iterations_per_sample()),
        ("newton_unconverged", run.newton_effort.unconverged as f64),
        ("error_against_reference", run.trajectory.relative_error(&result.reference)),
        ("impulse_error", result.impulse_error(run)),
        ("seconds", result.system.seconds),
        ("stored_j", total.stored),
        ("dissipated_j", total.dissipated),
        ("supplied_j", total.supplied),
        ("hits", contact.hits as f64),
        ("impulse_ns", contact.impulse),
        ("peak_force_n", contact.peak_force),
    ]
}

fn runs(study: &CollisionResults) -> impl Iterator<Item = (&SystemResult, &SchemeRun)> {
    study.results.iter().flat_map(|result| result.runs.iter().map(move |run| (result, run)))
}

/// All results.
pub fn as_json(study: &CollisionResults) -> Value {
    let system = |(result, run): (&SystemResult, &SchemeRun)| {
        let mut value = json!({ "name": result.system.name, "scheme": run.scheme });
        for (name, quantity) in quantities(result, run) {
            value[name] = json!(quantity);
        }
        value
    };
    let reference = |result: &SystemResult| {
        json!({
            "name": result.system.name, "section": result.system.section, "scheme": "tracked",
            "oversampling": OVERSAMPLING, "seconds": result.system.compared_seconds, "newton_difference": result.reference_difference,
        })
    };
    let sound = |sound: &BowedSound| {
        let value = json!({
            "bridge_velocity_rms": sound.bridge.rms(), "bridge_high_band_db": sound.bridge.high_band_level(),
            "body_velocity_rms": sound.body.rms(), "body_high_band_db": sound.body.high_band_level(),
            "contact_share": sound.contact_share, "adhesive_share": sound.adhesive_share,
        });
        (sound.variant.name.to_string(), value)
    };
    json!({
        "sample_rate_hz": RATE,
        "systems": runs(study).map(system).collect::<Vec<_>>(),
        "references": study.results.iter().map(reference).collect::<Vec<_>>(),
        "bowed": study.sounds.iter().map(sound).collect::<Map<_, _>>(),
    })
}

/// The systems as CSV.
pub fn csv(study: &CollisionResults) -> String {
    let mut text = String::new();
    for (result, run) in runs(study) {
        let (names, values): (Vec<_>, Vec<_>) = quantities(result, run).into_iter().unzip();
        if text.is_empty() {
            text = format!("system,scheme,{}\n", names.join(","));
        }
        let values: Vec<String> = values.iter().map(|value| format!("{value:e}")).collect();
        text.push_str(&format!("{},{},{}\n", result.system.name, run.scheme, values.join(",")));
    }
    text
}
