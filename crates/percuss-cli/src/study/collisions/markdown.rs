//! Tables of `docs/collisions-study.md`.

use super::bowed_spectrum::BowedSound;
use super::run::SchemeRun;
use super::tables::{percent, share};
use super::{CollisionResults, SystemResult};
use crate::format::{si, trimmed_decimal};
use crate::markdown::{minus, row, section};

/// Energy below which a total is rounding \[J\].
const ROUNDING: f64 = 1e-20;

/// All tables.
pub fn markdown(study: &CollisionResults) -> String {
    let systems = |header: &[&str], cells: &dyn Fn(&SystemResult) -> Vec<String>| {
        let mut rows = vec![row(header, [])];
        rows.extend(study.results.iter().map(|result| row(&[result.system.name], cells(result))));
        rows
    };
    let reference_header = ["system", "simulated", "compared", "*newton* at the high rate differs by"];
    let drift_header = [
        "system",
        "drift rms: plain",
        "tracked",
        "peak: plain",
        "tracked",
        "while open: plain",
        "tracked",
        "adhesive: plain",
        "tracked",
        "newton",
    ];
    let motion_header = ["system", "motion: plain", "tracked", "newton", "impulse: plain", "tracked", "newton"];
    let energy_header = ["system", "stored", "dissipated", "supplied", "residual: plain", "tracked", "newton"];
    let sections = [
        section("Reference", &systems(&reference_header, &reference)),
        section("Drift and adhesion", &systems(&drift_header, &drift)),
        section("Bridge and body", &bridge(study)),
        section("Motion and impulse", &systems(&motion_header, &motion)),
        section("Newton iterations", &systems(&["system", "mean per solve", "largest", "per sample"], &newton)),
        section("Energy", &systems(&energy_header, &energy)),
        section("Bowed sound", &sounds(study)),
    ];
    sections.join("\n")
}

fn reference(result: &SystemResult) -> Vec<String> {
    let milliseconds = |time: f64| trimmed_decimal(1e3 * time) + " ms";
    let [simulated, compared] = [result.system.seconds, result.system.compared_seconds].map(milliseconds);
    vec![simulated, compared, format!("{:.1e}", result.reference_difference)]
}

fn drift(result: &SystemResult) -> Vec<String> {
    let with_psi: Vec<_> = result.runs.iter().filter_map(|run| run.drift).collect();
    let rms = with_psi.iter().map(|drift| share(drift.rms));
    let peak = with_psi.iter().map(|drift| share(drift.peak));
    let open = with_psi.iter().map(|drift| share(drift.open_peak));
    rms.chain(peak).chain(open).chain(result.runs.iter().map(|run| share(run.adhesive_share()))).collect()
}

/// The contact of bridge and body of the tromba marina.
fn bridge(study: &CollisionResults) -> Vec<Vec<String>> {
    let mut rows = vec![row(&["system", "scheme", "hits", "impulse", "largest force"], [])];
    for result in study.results.iter().filter(|result| result.system.name.starts_with("tromba")) {
        for run in &result.runs {
            let name = if run.scheme == "plain" { result.system.name } else { "" };
            let contact = &run.contacts[0];
            let cells = [contact.hits.to_string(), si(contact.impulse, "N·s"), si(contact.peak_force, "N")];
            rows.push(row(&[name, run.scheme], cells));
        }
    }
    rows
}

fn motion(result: &SystemResult) -> Vec<String> {
    let motion = |run: &SchemeRun| share(run.trajectory.relative_error(&result.reference));
    let impulse = |run: &SchemeRun| percent(result.impulse_error(run));
    result.runs.iter().map(motion).chain(result.runs.iter().map(impulse)).collect()
}

fn newton(result: &SystemResult) -> Vec<String> {
    let run = result.runs.iter().find(|run| run.scheme == "newton").expect("newton is one of the schemes");
    let [mean, per_sample] =
        [run.newton_effort.mean_steps(), run.iterations_per_sample()].map(|steps| format!("{steps:.2}"));
    vec![mean, run.newton_effort.max_steps.to_string(), per_sample]
}

/// Energies under tracked, and the residuals under all schemes.
fn energy(result: &SystemResult) -> Vec<String> {
    let run = result.runs.iter().find(|run| run.scheme == "tracked").expect("tracked is one of the schemes");
    // Rounding of released contacts is dissipated: 1e-35 J.
    let shown = |energy: f64| si(if energy.abs() < ROUNDING { 0.0 } else { energy }, "J");
    let energies = [run.total.stored, run.total.dissipated, run.total.supplied].map(shown);
    energies.into_iter().chain(result.runs.iter().map(|run| format!("{:.1e}", run.total.worst_relative))).collect()
}

fn sounds(study: &CollisionResults) -> Vec<Vec<String>> {
    let mut rows = vec![row(&["", "bridge", "high band", "body below it", "high band", "in contact", "adhesive"], [])];
    let level = |level: Option<f64>| level.map_or_else(|| "–".into(), |level| minus(&format!("{level:.1} dB")));
    rows.extend(study.sounds.iter().map(|sound: &BowedSound| {
        let cells = [
            si(sound.bridge.rms(), "m/s"),
            level(sound.bridge.high_band_level()),
            si(sound.body.rms(), "m/s"),
            level(sound.body.high_band_level()),
            format!("{:.1} %", 100.0 * sound.contact_share),
            share(sound.adhesive_share),
        ];
        row(&[sound.variant.name], cells)
    }));
    rows
}
