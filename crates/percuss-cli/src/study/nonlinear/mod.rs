//! Plates that are stretched by bending: how much sharper large vibrations are, energy and drift, spectra of strokes, cost.

mod backbone;
mod drift;
mod report;
mod strokes;

pub use report::{as_json, markdown, text};

use crate::bench::nonlinear_times;
use crate::progress::TaskProgress;
use backbone::Backbone;
use drift::DriftResult;
use strokes::StrokeResult;

/// Sample rate of all but the finer grids of the backbone \[Hz\].
const RATE: f64 = 44_100.0;

/// Cost of a plate.
pub struct Cost {
    plate: String,
    nodes: usize,
    /// Time per sample with and without stretching \[ns\].
    ns_per_sample: [f64; 2],
}

/// All results.
pub struct NonlinearResults {
    backbones: Vec<Backbone>,
    drifts: Vec<DriftResult>,
    strokes: Vec<StrokeResult>,
    costs: Vec<Cost>,
}

/// Measures everything.
pub fn measure() -> NonlinearResults {
    let tasks = backbone::GRIDS.len() + drift::STROKES.len() * drift::SCHEMES.len() + strokes::STROKES.len() + 1;
    let progress = TaskProgress::new(tasks);
    let backbones = backbone::GRIDS
        .map(|(intervals, rate)| {
            progress.run_task(format!("backbone, {intervals} intervals"), || Backbone::measure(intervals, rate))
        })
        .into();
    let drifts = drift::STROKES
        .iter()
        .flat_map(|&force| drift::SCHEMES.map(|scheme| (force, scheme)))
        .map(|(force, scheme)| {
            progress.run_task(format!("stroke of {force} N"), || DriftResult::measure(force, scheme))
        })
        .collect();
    let strokes = strokes::STROKES
        .map(|speed| progress.run_task(format!("tam-tam at {speed} m/s"), || StrokeResult::measure(speed)))
        .into();
    let costs = progress.run_task("cost", nonlinear_times);
    let cost = |(plate, nodes, ns_per_sample)| Cost { plate, nodes, ns_per_sample };
    NonlinearResults { backbones, drifts, strokes, costs: costs.into_iter().map(cost).collect() }
}
