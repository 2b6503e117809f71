//! One system: its motion beside the reference, the force of a few contacts, and how far ψ strays.

use super::{COLOURS, Outcome};
use crate::plot::style::PALETTE;
use crate::study::chart::{Axis, Curve, Figure, Look, Panel};
use crate::study::collisions::RATE;
use crate::study::collisions::run::Track;
use plotters::prelude::SeriesLabelPosition;

/// Most points of a curve.
const POINTS: usize = 2000;

/// Describes the figure.
pub fn describe(outcome: &Outcome) -> Figure {
    Figure { title: outcome.system.name.into(), panels: vec![motion(outcome), force(outcome), strayed(outcome)] }
}

/// Every point, or so many of them.
fn thinned(points: impl ExactSizeIterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let stride = points.len().div_ceil(POINTS);
    points.step_by(stride).collect()
}

/// One curve for the reference and one for each scheme.
fn curves(outcome: &Outcome, points: impl Fn(&Track) -> Vec<(f64, f64)>, look: Look) -> Vec<Curve> {
    let reference = Curve::new("reference", Look::Bold, PALETTE[6], points(&outcome.reference));
    let schemes = outcome.runs.iter().zip(COLOURS);
    let schemes = schemes.map(|(run, colour)| Curve::new(run.scheme, look, colour, points(&run.track)));
    std::iter::once(reference).chain(schemes).collect()
}

/// The last part of what is compared, where differences have had time to grow.
fn motion(outcome: &Outcome) -> Panel {
    let end = outcome.system.compared;
    let points = |track: &Track| {
        let samples = (end * RATE).round() as usize;
        let at = |(n, &u): (usize, &f64)| ((n + 1) as f64 / RATE, u);
        thinned(track.motion[..samples].iter().enumerate().map(at))
    };
    Panel {
        title: "motion",
        x: Axis::new("Time", "s").within(0.0, end),
        y: Axis::new(outcome.system.ear.1, "m"),
        curves: curves(outcome, points, Look::Line),
        legend: SeriesLabelPosition::LowerLeft,
    }
}

/// A few contacts.
fn force(outcome: &Outcome) -> Panel {
    let [from, to] = outcome.system.detail;
    let points = |track: &Track| {
        let rate = RATE * track.oversampling as f64;
        let [first, last] = [from, to].map(|time| (time * rate).round() as usize);
        // A step from n to n + 1 has the force of time n.
        let last = last.min(track.force.len());
        track.force[first..last].iter().enumerate().map(|(n, &force)| ((first + n) as f64 / rate, force)).collect()
    };
    let look = if (to - from) * RATE > 100.0 { Look::Line } else { Look::Marked };
    Panel {
        title: "force of contact, detail",
        x: Axis::new("Time", "s").within(from, to),
        y: Axis::new("Force", "N"),
        curves: curves(outcome, points, look),
        legend: SeriesLabelPosition::UpperRight,
    }
}

/// ψ of the schemes that have one, over the whole run.
fn strayed(outcome: &Outcome) -> Panel {
    let schemes = outcome.runs.iter().zip(COLOURS).filter(|(run, _)| run.drift.is_some());
    let curves = schemes.map(|(run, colour)| {
        let at = |(n, &strayed): (usize, &f64)| ((n as f64 + 0.5) / RATE, 100.0 * strayed);
        Curve::new(run.scheme, Look::Line, colour, thinned(run.strayed.iter().enumerate().map(at)))
    });
    Panel {
        title: "drift of ψ",
        x: Axis::new("Time", "s").within(0.0, outcome.system.seconds),
        y: Axis::new("ψ − ψ(η)", "%"),
        curves: curves.collect(),
        legend: SeriesLabelPosition::UpperRight,
    }
}
