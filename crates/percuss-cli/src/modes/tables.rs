//! Modes as text and as JSON.

use super::pitch::nearest_note;
use super::{ElementModes, Mode};
use crate::format::{plural, table};
use serde_json::{Value, json};

/// Table of the modes of one element, with a heading.
pub fn text(element: &ElementModes) -> String {
    let first = element.fundamental();
    let head = ["mode", "frequency", "sounds at", "ratio", "nearest note"].map(String::from).to_vec();
    let rows = element.modes.iter().enumerate().map(|(index, mode)| row(index + 1, mode, first));
    let unit = if element.operators.mode_shapes.is_empty() { "node" } else { "mode" };
    let nodes = plural(element.operators.mass.len() as u64, unit);
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    format!("{} ({}, {nodes})\n\n{}", element.id, element.kind, table(&rows))
}

fn row(number: usize, mode: &Mode, first: Option<f64>) -> Vec<String> {
    let sounding = mode.sounding;
    let ratio = first.filter(|_| mode.frequency > 0.0).map(|first| format!("{:.3}", mode.frequency / first));
    vec![
        format!("{number:>4}"),
        hertz(Some(mode.frequency)),
        hertz(sounding),
        format!("{:>6}", ratio.unwrap_or_else(|| "–".into())),
        sounding.and_then(nearest_note).unwrap_or_else(|| "–".into()),
    ]
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
    let mode = |(index, mode): (usize, &Mode)| {
        json!({
            "number": index + 1,
            "frequency_hz": mode.frequency,
            "sounding_hz": mode.sounding,
        })
    };
    let element = |element: &ElementModes| {
        let modes: Vec<Value> = element.modes.iter().enumerate().map(mode).collect();
        json!({ "id": element.id, "kind": element.kind, "modes": modes })
    };
    json!({ "elements": elements.iter().map(element).collect::<Vec<_>>() })
}
