//! Modes as text and as JSON.

use super::pitch::nearest_note;
use super::{ElementModes, Mode, ModeSound};
use crate::format::{plural, si, table};
use serde_json::{Value, json};

/// Table of the modes of one element, with a heading.
pub fn text(element: &ElementModes) -> String {
    let first = element.first_partial();
    let head = ["mode", "frequency", "sounds at", "ratio", "nearest note", "T60"].map(String::from).to_vec();
    let modes = element.modes.iter().zip(&element.partials).enumerate();
    let rows = modes.map(|(index, (mode, partial))| row(index + 1, mode, partial, first));
    let unit = if element.operators.mode_shapes.is_empty() { "node" } else { "mode" };
    let nodes = plural(element.operators.mass.len() as u64, unit);
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    format!("{} ({}, {nodes})\n\n{}", element.id, element.kind, table(&rows))
}

fn row(number: usize, mode: &Mode, partial: &ModeSound, first: Option<f64>) -> Vec<String> {
    let unknown = || "–".to_owned();
    let note = mode.sounding.and_then(nearest_note).map(|note| note.to_string());
    vec![
        format!("{number:>4}"),
        hertz(Some(mode.frequency)),
        hertz(mode.sounding),
        format!("{:>6}", ratio(mode, partial, first).map_or_else(unknown, |ratio| format!("{ratio:.3}"))),
        if partial.is_rigid { "rigid motion".to_owned() } else { note.unwrap_or_else(unknown) },
        partial.decay_time.map_or_else(unknown, seconds),
    ]
}

/// Frequency over that of the first partial.
fn ratio(mode: &Mode, partial: &ModeSound, first: Option<f64>) -> Option<f64> {
    first.filter(|_| !partial.is_rigid).map(|first| mode.frequency / first)
}

fn seconds(time: f64) -> String {
    if time.is_finite() { si(time, "s") } else { "no losses".into() }
}

fn hertz(frequency: Option<f64>) -> String {
    let shown = match frequency {
        Some(0.0) => "0 Hz".into(),
        Some(frequency) => format!("{frequency:.2} Hz"),
        None => "–".into(),
    };
    format!("{shown:>11}")
}

/// All modes as JSON.
pub fn as_json(elements: &[ElementModes]) -> Value {
    let element = |element: &ElementModes| {
        let first = element.first_partial();
        let mode = |(index, (mode, partial)): (usize, (&Mode, &ModeSound))| {
            let note = mode.sounding.and_then(nearest_note);
            json!({
                "number": index + 1,
                "frequency_hz": mode.frequency,
                "sounding_hz": mode.sounding,
                "rigid": partial.is_rigid,
                "ratio": ratio(mode, partial, first),
                "nearest_note": note.as_ref().map(|note| &note.name),
                "cents": note.as_ref().map(|note| note.cents),
                "t60_s": partial.decay_time.filter(|time| time.is_finite()),
            })
        };
        let modes: Vec<Value> = element.modes.iter().zip(&element.partials).enumerate().map(mode).collect();
        json!({ "id": element.id, "kind": element.kind, "modes": modes })
    };
    json!({ "elements": elements.iter().map(element).collect::<Vec<_>>() })
}
