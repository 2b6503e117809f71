//! Results as text, JSON and Markdown.

use super::backbone::AMPLITUDES;
use super::strokes::TIMES;
use super::{Cost, NonlinearResults};
use crate::format::{si, table};
use crate::markdown::{row, section};
use serde_json::{Value, json};

/// Ratios of an independent computation at `AMPLITUDES`, by the intervals of its grid, at the same rates.
const REFERENCES: [(usize, [f64; 3]); 3] =
    [(10, [1.0167, 1.0622, 1.2017]), (16, [1.0164, 1.0611, 1.1984]), (24, [1.0163, 1.0606, 1.1969])];

/// A title, a remark, and rows of which the first is the header.
type Section = (&'static str, &'static str, Vec<Vec<String>>);

fn sections(study: &NonlinearResults) -> [Section; 4] {
    [
        (
            "Backbone",
            "Frequency of a supported square plate released from the shape of its lowest mode, over that at 0.01 H",
            backbone(study),
        ),
        ("Drift", "A supported plate of 24 × 24 cells, struck; 6000 samples", drift(study)),
        (
            "Strokes",
            "Spectral centroid of the preset tam-tam, by the speed of its beater, after the blow",
            strokes(study),
        ),
        ("Cost", "Time per sample without the ledger", cost(&study.costs)),
    ]
}

/// All tables.
pub fn text(study: &NonlinearResults) -> String {
    let sections = sections(study).map(|(_, remark, rows)| format!("{remark}\n{}", table(&rows)));
    sections.join("\n")
}

/// All tables as Markdown.
pub fn markdown(study: &NonlinearResults) -> String {
    sections(study).map(|(title, _, rows)| section(title, &rows)).join("\n")
}

fn backbone(study: &NonlinearResults) -> Vec<Vec<String>> {
    let head = AMPLITUDES.iter().map(|amplitude| format!("{amplitude} H"));
    let mut rows = vec![row(&["intervals", "rate"], head)];
    for result in &study.backbones {
        let intervals = result.intervals.to_string();
        let reference = REFERENCES.iter().find(|(intervals, _)| *intervals == result.intervals);
        let ratios = result.ratios.iter().enumerate().map(|(index, ratio)| match reference {
            Some((_, reference)) => format!("{ratio:.4} ({:.4})", reference[index]),
            None => format!("{ratio:.4}"),
        });
        rows.push(row(&[&intervals, &format!("{:.1} kHz", 1e-3 * result.rate)], ratios));
    }
    rows
}

fn drift(study: &NonlinearResults) -> Vec<Vec<String>> {
    let mut rows = vec![row(&["force", "amplitude", "scheme", "drift", "residual"], [])];
    rows.extend(study.drifts.iter().map(|result| {
        let drift = format!("{:.2} %", 100.0 * result.drift);
        let [force, amplitude] = [format!("{} N", result.force), format!("{:.1} H", result.amplitude)];
        row(&[&force, &amplitude, result.scheme, &drift], [format!("{:.1e}", result.residual)])
    }));
    rows
}

fn strokes(study: &NonlinearResults) -> Vec<Vec<String>> {
    let mut rows = vec![row(&["speed"], TIMES.iter().map(|time| format!("{time} s")))];
    rows.extend(study.strokes.iter().map(|stroke| {
        row(&[&format!("{} m/s", stroke.speed)], stroke.centroids.iter().map(|centroid| format!("{centroid:.0} Hz")))
    }));
    rows
}

fn cost(costs: &[Cost]) -> Vec<Vec<String>> {
    let mut rows = vec![row(&["plate", "moving nodes", "per sample", "without stretching"], [])];
    rows.extend(costs.iter().map(|cost| {
        let times = cost.ns_per_sample.map(|ns| si(ns * 1e-9, "s"));
        row(&[&cost.plate, &cost.nodes.to_string()], times)
    }));
    rows
}

/// All results.
pub fn as_json(study: &NonlinearResults) -> Value {
    let backbones = study.backbones.iter().map(|result| {
        json!({
            "intervals": result.intervals, "rate_hz": result.rate,
            "amplitudes_thicknesses": AMPLITUDES, "frequency_ratios": result.ratios,
        })
    });
    let drifts = study.drifts.iter().map(|result| {
        json!({
            "force_n": result.force, "scheme": result.scheme, "amplitude_thicknesses": result.amplitude,
            "drift": result.drift, "max_residual_relative": result.residual,
        })
    });
    let strokes = study
        .strokes
        .iter()
        .map(|stroke| json!({ "speed_m_s": stroke.speed, "times_s": TIMES, "centroids_hz": stroke.centroids }));
    let costs = study.costs.iter().map(|cost| {
        let [stretched, linear] = cost.ns_per_sample;
        json!({ "plate": cost.plate, "nodes": cost.nodes, "ns_per_sample": stretched, "ns_per_sample_linear": linear })
    });
    json!({
        "backbone": backbones.collect::<Vec<_>>(), "drift": drifts.collect::<Vec<_>>(),
        "strokes": strokes.collect::<Vec<_>>(), "cost": costs.collect::<Vec<_>>(),
    })
}
