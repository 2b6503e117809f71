//! Results as text.

use super::bowed_spectrum::{BowedSound, HIGH_BAND_START};
use super::run::SchemeRun;
use super::{CollisionResults, OVERSAMPLING, SystemResult};
use crate::format::{si, table};

/// All tables.
pub fn text(study: &CollisionResults) -> String {
    let sections = [
        format!(
            "The systems of Willemsen's notes on collisions (2019) at 44.1 kHz.\n\
             The reference is tracked at {OVERSAMPLING} times the rate on the grid of 44.1 kHz: only the time step \
             differs.\n"
        ),
        "Contacts: drift of ψ over the largest ψ, adhesive share of the impulse, errors relative to the reference; Newton \
         iterations per solve and per sample\n"
            .to_string()
            + &contacts(study),
        "Energy: totals, and hits, impulse and peak force of the first contact\n".to_string() + &energy(study),
        "Reference: compared duration, and relative difference of newton at the same rate\n".to_string()
            + &reference_table(study),
        format!(
            "The bowed tromba marina from 0.5 to 1.5 s: rms velocities, and the level above {HIGH_BAND_START} Hz relative to \
             the whole\n"
        ) + &sounds(study),
    ];
    sections.join("\n")
}

/// A table with one row per system and scheme; each system is named once.
fn rows(study: &CollisionResults, header: &[&str], cells: impl Fn(&SystemResult, &SchemeRun) -> Vec<String>) -> String {
    let mut rows: Vec<Vec<String>> = vec![["system", "scheme"].iter().chain(header).map(ToString::to_string).collect()];
    for result in &study.results {
        for (index, run) in result.runs.iter().enumerate() {
            let name = if index == 0 { result.system.name } else { "" };
            rows.push([name, run.scheme].map(String::from).into_iter().chain(cells(result, run)).collect());
        }
    }
    table(&rows)
}

fn contacts(study: &CollisionResults) -> String {
    let header =
        ["ψ drift rms", "peak", "while open", "adhesive", "Newton mean", "max", "per sample", "error", "impulse error"];
    rows(study, &header, |result, run| {
        let drift = run.drift.map(|drift| [drift.rms, drift.peak, drift.open_peak]);
        let mut cells: Vec<String> = drift.map_or_else(|| vec!["–".into(); 3], |drift| drift.map(share).to_vec());
        cells.push(share(run.adhesive_share()));
        let newton_effort = run.newton_effort;
        cells.extend(if run.scheme == "newton" {
            let [mean, each] =
                [newton_effort.mean_steps(), run.iterations_per_sample()].map(|steps| format!("{steps:.2}"));
            [mean, newton_effort.max_steps.to_string(), each]
        } else {
            ["–"; 3].map(String::from)
        });
        cells.push(share(run.trajectory.relative_error(&result.reference)));
        cells.push(percent(result.impulse_error(run)));
        cells
    })
}

/// A share with four decimals, or one digit and an exponent below 1e-3.
pub(super) fn share(value: f64) -> String {
    match value {
        0.0 => "0".into(),
        _ if value < 1e-3 => format!("{value:.0e}"),
        _ => format!("{value:.4}"),
    }
}

/// A signed share in per cent.
pub(super) fn percent(share: f64) -> String {
    format!("{:+.2} %", 100.0 * share).replace('-', "−")
}

fn energy(study: &CollisionResults) -> String {
    let header = ["time", "stored", "dissipated", "supplied", "residual", "hits", "impulse", "peak force"];
    rows(study, &header, |result, run| {
        let (total, contact) = (&run.total, &run.contacts[0]);
        let [stored, dissipated, supplied] =
            [total.stored, total.dissipated, total.supplied].map(|energy| si(energy, "J"));
        let residual = format!("{:.1e}", total.worst_relative);
        let [impulse, peak] = [(contact.impulse, "N·s"), (contact.peak_force, "N")].map(|(x, unit)| si(x, unit));
        let time = si(result.system.seconds, "s");
        vec![time, stored, dissipated, supplied, residual, contact.hits.to_string(), impulse, peak]
    })
}

fn reference_table(study: &CollisionResults) -> String {
    let header = ["system", "in the notes", "compared", "newton differs by"].map(String::from).to_vec();
    let row = |result: &SystemResult| {
        let system = &result.system;
        let words = [system.name, system.section].map(String::from);
        words
            .into_iter()
            .chain([si(system.compared_seconds, "s"), format!("{:.1e}", result.reference_difference)])
            .collect()
    };
    table(&std::iter::once(header).chain(study.results.iter().map(row)).collect::<Vec<_>>())
}

fn sounds(study: &CollisionResults) -> String {
    let header = ["", "bridge", "high band", "body", "high band", "in contact", "adhesive"].map(String::from).to_vec();
    let row = |sound: &BowedSound| {
        let level_text =
            |level: Option<f64>| level.map_or("–".into(), |level| format!("{level:.1} dB").replace('-', "−"));
        vec![
            sound.variant.name.to_string(),
            si(sound.bridge.rms(), "m/s"),
            level_text(sound.bridge.high_band_level()),
            si(sound.body.rms(), "m/s"),
            level_text(sound.body.high_band_level()),
            format!("{:.1} %", 100.0 * sound.contact_share),
            share(sound.adhesive_share),
        ]
    };
    table(&std::iter::once(header).chain(study.sounds.iter().map(row)).collect::<Vec<_>>())
}
