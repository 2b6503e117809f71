//! Energy and ledger residual of the bowed tromba marina.

use super::{CollisionResults, SCHEME_COLOURS};
use crate::plot::style::PALETTE;
use crate::study::chart::{AxisScale, ChartAxis, ChartPanel, Curve, Figure, LineStyle};
use crate::study::collisions::RATE;
use plotters::prelude::SeriesLabelPosition;

/// Samples per plotted point; of residuals the maximum is plotted.
const SAMPLES_PER_POINT: usize = 22;

/// Describes the figure.
pub fn figure(study: &CollisionResults) -> Figure {
    let result = study.results.last().expect("there are systems");
    let end = result.system.seconds;
    let time = |block: usize| ((block * SAMPLES_PER_POINT) as f64 + 0.5 * SAMPLES_PER_POINT as f64) / RATE;
    let tracked = result.runs.iter().find(|run| run.scheme == "tracked").expect("tracked is run");
    let kinds = [("supplied by the bow", 2, LineStyle::Bold, PALETTE[6]), ("stored", 0, LineStyle::Thin, PALETTE[0])];
    let kinds = kinds.into_iter().chain([("dissipated", 1, LineStyle::Thin, PALETTE[1])]);
    let energies = kinds.map(|(name, kind, look, colour)| {
        let points =
            tracked.energy.chunks(SAMPLES_PER_POINT).enumerate().map(|(block, energy)| (time(block), energy[0][kind]));
        Curve::new(name, look, colour, points.collect())
    });
    let residuals = result.runs.iter().zip(SCHEME_COLOURS).map(|(run, colour)| {
        let largest = |block: &[f64]| block.iter().copied().fold(1e-20, f64::max);
        let blocks = run.residual.chunks(SAMPLES_PER_POINT).enumerate();
        let points = blocks.map(|(block, residual)| (time(block), largest(residual)));
        Curve::new(run.scheme, LineStyle::Thin, colour, points.filter(|point| point.1 > 1e-20).collect())
    });
    let panel = |title, y, curves, legend| ChartPanel {
        title,
        x: ChartAxis::new("Time", "s").with_range(0.0, end),
        y,
        curves,
        legend,
    };
    Figure {
        title: "energy".into(),
        panels: vec![
            panel("tracked", ChartAxis::new("Energy", "J"), energies.collect(), SeriesLabelPosition::UpperLeft),
            panel(
                "residual of a step over the energy",
                ChartAxis::new("Residual", "").with_scale(AxisScale::Logarithmic).with_range(1e-17, 1e-12),
                residuals.collect(),
                SeriesLabelPosition::UpperRight,
            ),
        ],
    }
}
