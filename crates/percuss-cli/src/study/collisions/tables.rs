//! What was measured, as text.

use super::bowed_spectrum::{BRIGHT, Sound};
use super::run::Run;
use super::{OVERSAMPLING, Outcome, Study};
use crate::format::{si, table};

/// All tables.
pub fn text(study: &Study) -> String {
    let sections = [
        format!(
            "The systems of Willemsen's notes on collisions (2019) at 44.1 kHz, one by one.\n\
             The reference is tracked at {OVERSAMPLING} times the rate on the grid of 44.1 kHz: only time steps and contacts \
             differ.\n"
        ),
        "Contacts: shares of the largest ψ, of the impulse, of the reference; Newton steps per solve and per sample\n"
            .to_string()
            + &contacts(study),
        "Energy: of the whole, and what passed through the contact shown\n".to_string() + &energy(study),
        "The reference: time compared, and how far newton at the same rate is from it\n".to_string() + &doubts(study),
        format!("The tromba marina bowed: from 0.5 to 1.5 s; bright is what lies above {BRIGHT} Hz\n") + &sounds(study),
    ];
    sections.join("\n")
}

/// A table of one row per system and scheme; the system is named once.
fn rows(study: &Study, head: &[&str], cells: impl Fn(&Outcome, &Run) -> Vec<String>) -> String {
    let mut rows: Vec<Vec<String>> = vec![["system", "scheme"].iter().chain(head).map(ToString::to_string).collect()];
    for outcome in &study.outcomes {
        for (index, run) in outcome.runs.iter().enumerate() {
            let name = if index == 0 { outcome.system.name } else { "" };
            rows.push([name, run.scheme].map(String::from).into_iter().chain(cells(outcome, run)).collect());
        }
    }
    table(&rows)
}

fn contacts(study: &Study) -> String {
    let head =
        ["ψ drift rms", "peak", "left over", "adhesive", "Newton mean", "max", "per sample", "error", "impulse error"];
    rows(study, &head, |outcome, run| {
        let drift = run.drift.map(|drift| [drift.rms, drift.peak, drift.left_over]);
        let mut cells: Vec<String> = drift.map_or_else(|| vec!["–".into(); 3], |drift| drift.map(share).to_vec());
        cells.push(share(run.adhesive_share()));
        let effort = run.effort;
        cells.extend(if run.scheme == "newton" {
            let [mean, each] = [effort.mean_steps(), run.steps_per_sample()].map(|steps| format!("{steps:.2}"));
            [mean, effort.most_steps.to_string(), each]
        } else {
            ["–"; 3].map(String::from)
        });
        cells.push(share(run.track.error(&outcome.reference)));
        cells.push(format!("{:+.2} %", 100.0 * outcome.impulse_error(run)).replace('-', "−"));
        cells
    })
}

/// Two digits; nothing is nothing.
fn share(value: f64) -> String {
    match value {
        0.0 => "0".into(),
        _ if value < 1e-3 => format!("{value:.0e}"),
        _ => format!("{value:.4}"),
    }
}

fn energy(study: &Study) -> String {
    let head = ["time", "stored", "dissipated", "supplied", "residual", "hits", "impulse", "peak force"];
    rows(study, &head, |outcome, run| {
        let (total, contact) = (&run.total, &run.contacts[0]);
        let [stored, dissipated, supplied] =
            [total.stored, total.dissipated, total.supplied].map(|energy| si(energy, "J"));
        let residual = format!("{:.1e}", total.worst_relative);
        let [impulse, peak] = [(contact.impulse, "N·s"), (contact.peak_force, "N")].map(|(x, unit)| si(x, unit));
        let time = si(outcome.system.seconds, "s");
        vec![time, stored, dissipated, supplied, residual, contact.hits.to_string(), impulse, peak]
    })
}

fn doubts(study: &Study) -> String {
    let head = ["system", "in the notes", "compared", "newton off by"].map(String::from).to_vec();
    let row = |outcome: &Outcome| {
        let system = &outcome.system;
        let words = [system.name, system.section].map(String::from);
        words.into_iter().chain([si(system.compared, "s"), format!("{:.1e}", outcome.doubt)]).collect()
    };
    table(&std::iter::once(head).chain(study.outcomes.iter().map(row)).collect::<Vec<_>>())
}

fn sounds(study: &Study) -> String {
    let head = ["", "bridge", "bright", "body", "bright", "touching", "adhesive"].map(String::from).to_vec();
    let row = |sound: &Sound| {
        let bright =
            |level: Option<f64>| level.map_or("–".into(), |level| format!("{level:.1} dB").replace('-', "−"));
        vec![
            sound.version.name.to_string(),
            si(sound.bridge.level(), "m/s"),
            bright(sound.bridge.brightness()),
            si(sound.body.level(), "m/s"),
            bright(sound.body.brightness()),
            format!("{:.1} %", 100.0 * sound.touching),
            share(sound.adhesive_share),
        ]
    };
    table(&std::iter::once(head).chain(study.sounds.iter().map(row)).collect::<Vec<_>>())
}
