//! Figures 11 and 12: what varies with the parameters, and with time.

use super::{AxisScale, ChartAxis, ChartPanel, Curve, Figure, LineStyle};
use crate::plot::style::{PALETTE, TEXT_COLOUR};
use crate::study::impact::cases::{RATE, case_2, impact};
use crate::study::impact::integration::corrections::ExitVelocity;
use crate::study::impact::integration::error_measures::{Simulator, contact_errors};
use crate::study::impact::integration::integrators::Method;
use percuss::impact::Impact;
use plotters::prelude::*;

/// Gravity, in flight only \[m/s²\].
const GRAVITY: f64 = 9.81;
/// Rebounds shown.
const SHOWN_REBOUNDS: usize = 100;

/// The larger of the deviations in contact and at the release \[% of ΔH_τ\].
fn deviation(simulator: &Simulator, impact: &Impact) -> f64 {
    let found = contact_errors(impact, &simulator.contact(impact, RATE, 0.0));
    let release = 0.5 * impact.mass() * (found.exit_velocity.powi(2) - impact.exit_velocity().powi(2));
    found.max_energy_deviation.max(100.0 * release.abs() / impact.dissipated_energy())
}

/// Figure 11.
pub fn deviations() -> Figure {
    let values: Vec<f64> = (0..=120).map(|i| 10_f64.powf(-2.7 + 2.4 * f64::from(i) / 120.0)).collect();
    let panel = |title, axis: ChartAxis, at: &dyn Fn(f64) -> Impact| {
        let curve = |name: &str, simulator: Simulator, colour| {
            let points = values.iter().map(|&value| (value, deviation(&simulator, &at(value)))).collect();
            Curve::new(name, LineStyle::Thin, colour, points)
        };
        let corrected = |exit| Simulator::Corrected(Method::Rk4, exit);
        let curves = vec![
            curve("RK4", Simulator::Classical(Method::Rk4), PALETTE[0]),
            curve("corrected, approximate v_out", corrected(ExitVelocity::as_published()), TEXT_COLOUR),
            curve("corrected, exact v_out", corrected(ExitVelocity::Exact), PALETTE[5]),
        ];
        let x = axis.with_scale(AxisScale::Logarithmic).with_range(values[0], 0.5);
        let y = ChartAxis::new("Largest dev(H)", "%").with_scale(AxisScale::Logarithmic).with_range(1e-13, 1e3);
        ChartPanel { title, x, y, curves, legend: SeriesLabelPosition::Coordinate(40, 190) }
    };
    let by_loss = |loss| impact(1e9, 1.5, loss, 0.5);
    let by_speed = |speed| impact(1e9, 1.5, 0.5, speed);
    let panels = vec![
        panel("(a) v_in = 0.5 m/s", ChartAxis::new("Loss µ", "s/m"), &by_loss),
        panel("(b) µ = 0.5 s/m", ChartAxis::new("Speed v_in", "m/s"), &by_speed),
    ];
    Figure { title: "RK4 with and without corrections, k = 1e9 N/m^1.5, α = 1.5".into(), panels }
}

/// Height against time \[s, m\]: contacts are short beside flights, and are points here.
fn bounces(speeds: impl Iterator<Item = f64>) -> Vec<(f64, f64)> {
    let mut path = Vec::new();
    let mut time = 0.0;
    for speed in speeds {
        let flight = 2.0 * speed / GRAVITY;
        for step in 0..24 {
            let t = flight * f64::from(step) / 24.0;
            path.push((time + t, speed * t - 0.5 * GRAVITY * t * t));
        }
        time += flight;
    }
    path.push((time, 0.0));
    path
}

/// The speeds after each rebound.
fn speeds(simulator: Option<Simulator>) -> impl Iterator<Item = f64> {
    let mut impact = case_2();
    (0..SHOWN_REBOUNDS).map(move |_| {
        let exit = simulator.as_ref().map_or_else(
            || impact.exit_velocity(),
            |simulator| contact_errors(&impact, &simulator.contact(&impact, RATE, 0.0)).exit_velocity,
        );
        impact = impact.at_speed(-exit);
        -exit
    })
}

/// Figure 12.
pub fn rebounds() -> Figure {
    let classical = |method| Some(Simulator::Classical(method));
    let corrected = Some(Simulator::Corrected(Method::Verlet, ExitVelocity::as_published()));
    // Half a flight beyond the window, so that lines run to its edges.
    let curves = |(start, end): (f64, f64)| {
        let shown = |speeds: &mut dyn Iterator<Item = f64>| {
            let path = bounces(speeds).into_iter();
            path.filter(|point| (start - 0.1..end + 0.1).contains(&point.0)).collect::<Vec<_>>()
        };
        vec![
            Curve::new("exact", LineStyle::Bold, PALETTE[6], shown(&mut speeds(None))),
            Curve::new("Verlet", LineStyle::Thin, PALETTE[2], shown(&mut speeds(classical(Method::Verlet)))),
            Curve::new("RK4", LineStyle::Thin, PALETTE[0], shown(&mut speeds(classical(Method::Rk4)))),
            Curve::new("corrected", LineStyle::Dashed, TEXT_COLOUR, shown(&mut speeds(corrected.clone()))),
        ]
    };
    let panel = |title, span: (f64, f64), height: f64| ChartPanel {
        title,
        x: ChartAxis::new("Time", "s").with_range(span.0, span.1),
        y: ChartAxis::new("Height", "m").with_range(0.0, height),
        curves: curves(span),
        legend: SeriesLabelPosition::UpperRight,
    };
    let panels = vec![panel("(a) the first rebounds", (0.0, 0.6), 0.033), panel("(b) later", (1.4, 1.5), 6e-4)];
    Figure { title: "rebounds in case 2, with gravity in flight only".into(), panels }
}
