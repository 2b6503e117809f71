//! One system: its motion beside the reference, the force of a few contacts, and how far ψ strays.

use super::{COLOURS, Outcome};
use crate::plot::style::PALETTE;
use crate::study::chart::{Axis, Curve, Figure, Look, Panel};
use crate::study::collisions::RATE;
use crate::study::collisions::run::Track;
use plotters::prelude::SeriesLabelPosition;

/// Most points in a curve of ψ.
const POINTS: usize = 2000;

/// Describes the figure.
pub fn describe(outcome: &Outcome) -> Figure {
    Figure { title: outcome.system.name.into(), panels: vec![motion(outcome), force(outcome), strayed(outcome)] }
}

/// One curve for the reference and one for each scheme: the signal from one time to another. Its first value is that
/// of time `start` \[s\]; a reference may have so many values in a step of 44.1 kHz.
fn curves(
    outcome: &Outcome,
    [from, to]: [f64; 2],
    start: f64,
    signal: impl Fn(&Track) -> (&[f64], usize),
) -> Vec<Curve> {
    let points = |track: &Track| {
        let (values, each) = signal(track);
        let rate = RATE * each as f64;
        let times = values.iter().enumerate().map(|(n, &value)| (start + n as f64 / rate, value));
        times.filter(|point| (from..=to).contains(&point.0)).collect()
    };
    let reference = Curve::new("reference", Look::Bold, PALETTE[6], points(&outcome.reference));
    let looks = [Look::Line, Look::Line, Look::Dashed].into_iter().zip(COLOURS);
    let schemes = outcome.runs.iter().zip(looks);
    let schemes = schemes.map(|(run, (look, colour))| Curve::new(run.scheme, look, colour, points(&run.track)));
    std::iter::once(reference).chain(schemes).collect()
}

/// An axis with room for a legend below or above the curves, in shares of their height.
fn roomy(axis: Axis, curves: &[Curve], [below, above]: [f64; 2]) -> Axis {
    let values = || curves.iter().flat_map(|curve| &curve.points).map(|point| point.1);
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let height = high - low;
    axis.within(low - below * height, high + above * height)
}

fn motion(outcome: &Outcome) -> Panel {
    let shown = outcome.system.shown[0];
    let curves = curves(outcome, shown, 1.0 / RATE, |track| (&track.motion, 1));
    Panel {
        title: "motion",
        x: Axis::new("Time", "s").within(shown[0], shown[1]),
        y: roomy(Axis::new(outcome.system.ear.1, "m"), &curves, [0.32, 0.05]),
        curves,
        legend: SeriesLabelPosition::LowerLeft,
    }
}

fn force(outcome: &Outcome) -> Panel {
    let shown = outcome.system.shown[1];
    // A step from n to n + 1 has the force of time n.
    let curves = curves(outcome, shown, 0.0, |track| (&track.force, track.oversampling));
    Panel {
        title: "force of contact, detail",
        x: Axis::new("Time", "s").within(shown[0], shown[1]),
        y: roomy(Axis::new("Force", "N"), &curves, [0.05, 0.32]),
        curves,
        legend: SeriesLabelPosition::UpperRight,
    }
}

/// ψ of the schemes that have one, over the whole run; where points are too many, the largest of each few.
fn strayed(outcome: &Outcome) -> Panel {
    let schemes = outcome.runs.iter().zip(COLOURS).filter(|(run, _)| run.drift.is_some());
    let curves = schemes.map(|(run, colour)| {
        let few = run.strayed.len().div_ceil(POINTS);
        let largest = |few: &[f64]| few.iter().fold(0.0_f64, |most, x| if x.abs() > most.abs() { *x } else { most });
        let blocks = run.strayed.chunks(few).enumerate();
        let points = blocks.map(|(block, values)| ((block as f64 + 0.5) * few as f64 / RATE, 100.0 * largest(values)));
        Curve::new(run.scheme, Look::Line, colour, points.collect())
    });
    let curves: Vec<Curve> = curves.collect();
    Panel {
        title: "drift of ψ",
        x: Axis::new("Time", "s").within(0.0, outcome.system.seconds),
        y: roomy(Axis::new("ψ − ψ(η)", "%"), &curves, [0.05, 0.2]),
        curves,
        legend: SeriesLabelPosition::UpperRight,
    }
}
