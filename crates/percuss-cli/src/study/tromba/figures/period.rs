//! One period of the velocity under the bow for each friction method, at the smallest and largest force.

use crate::plot::style::PALETTE;
use crate::study::chart::{ChartAxis, ChartPanel, Curve, Figure, LineStyle};
use crate::study::tromba::TrombaResults;
use crate::study::tromba::friction_schemes::{FORCES, FrictionResult};
use plotters::prelude::SeriesLabelPosition;

/// Describes the figure.
pub fn figure(study: &TrombaResults) -> Figure {
    let panel = |(title, force): (&'static str, f64)| ChartPanel {
        title,
        x: ChartAxis::new("Time", "s").with_range(0.0, 0.0153),
        y: ChartAxis::new("Velocity of the string", "m/s").with_range(-0.45, 0.2),
        curves: study.friction_results.iter().filter(|result| result.force == force).filter_map(curve).collect(),
        legend: SeriesLabelPosition::LowerRight,
    };
    let shown = [("smallest force, 0.1 N", FORCES[0]), ("largest force, 0.5 N", FORCES[FORCES.len() - 1])];
    Figure { title: "period".into(), panels: shown.map(panel).into() }
}

fn curve(result: &FrictionResult) -> Option<Curve> {
    let (look, colour) = match result.method {
        "reference" => (LineStyle::Bold, PALETTE[6]),
        "lagged" => (LineStyle::Thin, PALETTE[1]),
        "tracked" => (LineStyle::Thin, PALETTE[0]),
        "newton" => (LineStyle::Dashed, PALETTE[2]),
        _ => return None,
    };
    let mean_period = &result.mean_period;
    let points = mean_period.points.iter().enumerate();
    let points = points.map(|(i, &v)| (mean_period.period * i as f64 / mean_period.points.len() as f64, v)).collect();
    Some(Curve::new(result.method, look, colour, points))
}
