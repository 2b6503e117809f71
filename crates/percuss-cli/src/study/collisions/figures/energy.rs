//! Where the energy of the bowed tromba marina is, and what its account is off by.

use super::{COLOURS, Study};
use crate::plot::style::PALETTE;
use crate::study::chart::{Axis, Curve, Figure, Kind, Look, Panel};
use crate::study::collisions::RATE;
use plotters::prelude::SeriesLabelPosition;

/// Samples that share a point; of residuals the largest is shown.
const BLOCK: usize = 22;

/// Describes the figure.
pub fn describe(study: &Study) -> Figure {
    let outcome = study.outcomes.last().expect("there are systems");
    let end = outcome.system.seconds;
    let time = |block: usize| ((block * BLOCK) as f64 + 0.5 * BLOCK as f64) / RATE;
    let tracked = outcome.runs.iter().find(|run| run.scheme == "tracked").expect("tracked is run");
    let kinds = [("supplied by the bow", 2, Look::Bold, PALETTE[6]), ("stored", 0, Look::Line, PALETTE[0])];
    let kinds = kinds.into_iter().chain([("dissipated", 1, Look::Line, PALETTE[1])]);
    let stock = kinds.map(|(name, kind, look, colour)| {
        let points = tracked.energy.chunks(BLOCK).enumerate().map(|(block, energy)| (time(block), energy[0][kind]));
        Curve::new(name, look, colour, points.collect())
    });
    let residuals = outcome.runs.iter().zip(COLOURS).map(|(run, colour)| {
        let largest = |block: &[f64]| block.iter().copied().fold(1e-20, f64::max);
        let blocks = run.residual.chunks(BLOCK).enumerate();
        let points = blocks.map(|(block, residual)| (time(block), largest(residual)));
        Curve::new(run.scheme, Look::Line, colour, points.filter(|point| point.1 > 1e-20).collect())
    });
    let panel =
        |title, y, curves, legend| Panel { title, x: Axis::new("Time", "s").within(0.0, end), y, curves, legend };
    Figure {
        title: "energy".into(),
        panels: vec![
            panel("tracked", Axis::new("Energy", "J"), stock.collect(), SeriesLabelPosition::UpperLeft),
            panel(
                "residual of a step over the energy",
                Axis::new("Residual", "").of_kind(Kind::Logarithmic).within(1e-17, 1e-12),
                residuals.collect(),
                SeriesLabelPosition::UpperRight,
            ),
        ],
    }
}
