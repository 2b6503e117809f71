//! One period of the velocity under the bow, by treatment of friction: the weakest force and the strongest.

use crate::plot::style::PALETTE;
use crate::study::chart::{Axis, Curve, Figure, Look, Panel};
use crate::study::tromba::Study;
use crate::study::tromba::friction_schemes::{FORCES, Outcome};
use plotters::prelude::SeriesLabelPosition;

/// Describes the figure.
pub fn describe(study: &Study) -> Figure {
    let panel = |(title, force): (&'static str, f64)| Panel {
        title,
        x: Axis::new("Time", "s").within(0.0, 0.0153),
        y: Axis::new("Velocity of the string", "m/s").within(-0.45, 0.2),
        curves: study.treatments.iter().filter(|outcome| outcome.force == force).filter_map(curve).collect(),
        legend: SeriesLabelPosition::LowerRight,
    };
    let shown = [("lightest bow, 0.1 N", FORCES[0]), ("heaviest bow, 0.5 N", FORCES[FORCES.len() - 1])];
    Figure { title: "period".into(), panels: shown.map(panel).into() }
}

fn curve(outcome: &Outcome) -> Option<Curve> {
    let (look, colour) = match outcome.way {
        "reference" => (Look::Bold, PALETTE[6]),
        "lagged" => (Look::Line, PALETTE[1]),
        "tracked" => (Look::Line, PALETTE[0]),
        "newton" => (Look::Dashed, PALETTE[2]),
        _ => return None,
    };
    let wave = &outcome.wave;
    let points = wave.points.iter().enumerate();
    let points = points.map(|(i, &v)| (wave.period * i as f64 / wave.points.len() as f64, v)).collect();
    Some(Curve::new(outcome.way, look, colour, points))
}
