//! Figure of one system: displacement and force compared with the reference, and drift of ψ.

use super::{SCHEME_COLOURS, SystemResult};
use crate::plot::style::PALETTE;
use crate::study::chart::{ChartAxis, ChartPanel, Curve, Figure, LineStyle};
use crate::study::collisions::RATE;
use crate::study::collisions::run::Trajectory;
use plotters::prelude::SeriesLabelPosition;

/// Largest number of points in a curve of ψ.
const MAX_POINTS: usize = 2000;

/// Describes the figure.
pub fn figure(result: &SystemResult) -> Figure {
    Figure {
        title: result.system.name.into(),
        panels: vec![displacement_panel(result), force_panel(result), psi_drift_panel(result)],
    }
}

/// Curves of the reference and of each scheme between two times. The first value of a signal is that of time `start`
/// \[s\]; `signal` also returns the number of values per step of 44.1 kHz.
fn curves(
    result: &SystemResult,
    [from, to]: [f64; 2],
    start: f64,
    signal: impl Fn(&Trajectory) -> (&[f64], usize),
) -> Vec<Curve> {
    let points = |trajectory: &Trajectory| {
        let (values, each) = signal(trajectory);
        let rate = RATE * each as f64;
        let times = values.iter().enumerate().map(|(n, &value)| (start + n as f64 / rate, value));
        times.filter(|point| (from..=to).contains(&point.0)).collect()
    };
    let reference = Curve::new("reference", LineStyle::Bold, PALETTE[6], points(&result.reference));
    let looks = [LineStyle::Thin, LineStyle::Thin, LineStyle::Dashed].into_iter().zip(SCHEME_COLOURS);
    let schemes = result.runs.iter().zip(looks);
    let schemes = schemes.map(|(run, (look, colour))| Curve::new(run.scheme, look, colour, points(&run.trajectory)));
    std::iter::once(reference).chain(schemes).collect()
}

/// An axis with room for a legend below or above the curves, in fractions of their height.
fn with_legend_room(axis: ChartAxis, curves: &[Curve], [below, above]: [f64; 2]) -> ChartAxis {
    let values = || curves.iter().flat_map(|curve| &curve.points).map(|point| point.1);
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let height = high - low;
    axis.with_range(low - below * height, high + above * height)
}

fn displacement_panel(result: &SystemResult) -> ChartPanel {
    let shown = result.system.plotted_spans[0];
    let curves = curves(result, shown, 1.0 / RATE, |trajectory| (&trajectory.displacement, 1));
    ChartPanel {
        title: "displacement",
        x: ChartAxis::new("Time", "s").with_range(shown[0], shown[1]),
        y: with_legend_room(ChartAxis::new(result.system.output.1, "m"), &curves, [0.32, 0.05]),
        curves,
        legend: SeriesLabelPosition::LowerLeft,
    }
}

fn force_panel(result: &SystemResult) -> ChartPanel {
    let shown = result.system.plotted_spans[1];
    // A step from n to n + 1 has the force of time n.
    let curves = curves(result, shown, 0.0, |trajectory| (&trajectory.force, trajectory.oversampling));
    ChartPanel {
        title: "contact force, detail",
        x: ChartAxis::new("Time", "s").with_range(shown[0], shown[1]),
        y: with_legend_room(ChartAxis::new("Force", "N"), &curves, [0.05, 0.32]),
        curves,
        legend: SeriesLabelPosition::UpperRight,
    }
}

/// Drift of ψ of the schemes that have one, over the whole run; the largest value of each chunk.
fn psi_drift_panel(result: &SystemResult) -> ChartPanel {
    let schemes = result.runs.iter().zip(SCHEME_COLOURS).filter(|(run, _)| run.drift.is_some());
    let curves = schemes.map(|(run, colour)| {
        let chunk = run.psi_error.len().div_ceil(MAX_POINTS);
        let largest =
            |values: &[f64]| values.iter().fold(0.0_f64, |most, x| if x.abs() > most.abs() { *x } else { most });
        let blocks = run.psi_error.chunks(chunk).enumerate();
        let points =
            blocks.map(|(block, values)| ((block as f64 + 0.5) * chunk as f64 / RATE, 100.0 * largest(values)));
        Curve::new(run.scheme, LineStyle::Thin, colour, points.collect())
    });
    let curves: Vec<Curve> = curves.collect();
    ChartPanel {
        title: "drift of ψ",
        x: ChartAxis::new("Time", "s").with_range(0.0, result.system.seconds),
        y: with_legend_room(ChartAxis::new("ψ − ψ(η)", "%"), &curves, [0.05, 0.2]),
        curves,
        legend: SeriesLabelPosition::UpperRight,
    }
}
