//! Figures 1 to 5: the impact itself, from the closed forms.

use super::{AxisScale, ChartAxis, ChartPanel, Curve, Figure, LineStyle};
use crate::plot::style::{PALETTE, TEXT_COLOUR};
use crate::study::impact::cases::{MASS, case_2, impact, parameter_text};
use crate::study::impact::integration::approximation::VelocityApproximation;
use crate::study::impact::integration::forced_contact::reference;
use crate::study::impact::integration::integrators::HuntCrossley;
use percuss::impact::Impact;
use plotters::prelude::SeriesLabelPosition;
use std::f64::consts::PI;

/// Points of a smooth curve.
const CURVE_POINTS: usize = 300;

/// Compression \[m\].
pub const COMPRESSION_AXIS: (&str, &str) = ("Compression x", "m");
/// Velocity of compression \[m/s\].
pub const VELOCITY_AXIS: (&str, &str) = ("Velocity v", "m/s");

/// An axis of a quantity.
pub fn axis((name, unit): (&'static str, &'static str)) -> ChartAxis {
    ChartAxis::new(name, unit)
}

/// Velocities from v_in to v_out, close together at the ends, where the curves are steep.
pub fn velocities(impact: &Impact) -> impl Iterator<Item = f64> {
    let (first, last) = (impact.speed(), impact.exit_velocity());
    (0..=CURVE_POINTS).map(move |i| {
        let share = 0.5 - 0.5 * (PI * i as f64 / CURVE_POINTS as f64).cos();
        // Sharper still: x rises from the ends like a power of 1/(α+1).
        let share = 0.5 - 0.5 * (PI * share).cos();
        first + (last - first) * share
    })
}

/// The phase portrait of the closed form.
pub fn portrait(impact: &Impact) -> Vec<(f64, f64)> {
    velocities(impact).map(|v| (impact.compression(v), v)).collect()
}

/// The energy of the closed form against velocity.
pub fn energies(impact: &Impact) -> Vec<(f64, f64)> {
    velocities(impact).map(|v| (v, impact.energy(v))).collect()
}

/// Lines at the energies before and after.
pub fn energy_guides(impact: &Impact) -> [Curve; 2] {
    let (first, last) = (impact.speed(), impact.exit_velocity());
    let level = |energy: f64| vec![(first, energy), (last, energy)];
    let before = 0.5 * impact.mass() * impact.speed().powi(2);
    [Curve::guide("H₀", level(before)), Curve::guide("H after", level(before - impact.dissipated_energy()))]
}

fn at_speeds() -> impl Iterator<Item = (usize, Impact)> {
    (1..=4).map(|speed| (speed, case_2().at_speed(speed as f64)))
}

/// Figure 1.
pub fn phase_portraits() -> Figure {
    let mut curves = Vec::new();
    let before = -0.25 * case_2().at_speed(4.0).max_compression();
    for (speed, impact) in at_speeds() {
        let colour = PALETTE[speed - 1];
        curves.push(Curve::new(format!("v_in = {speed} m/s"), LineStyle::Thin, colour, portrait(&impact)));
        let exit = impact.exit_velocity();
        for (v, name) in [(impact.speed(), "before"), (exit, "after")] {
            let free = vec![(before, v), (0.0, v)];
            curves.push(Curve::new(
                format!("free motion {name}, v_in = {speed} m/s"),
                LineStyle::UnlabelledGuide,
                colour,
                free,
            ));
        }
    }
    let limit = -1.0 / case_2().loss();
    let far = 1.02 * case_2().at_speed(4.0).max_compression();
    curves.push(Curve::guide("v = −1/µ", vec![(before, limit), (far, limit)]));
    let panel = ChartPanel {
        title: "",
        x: axis(COMPRESSION_AXIS),
        y: axis(VELOCITY_AXIS),
        curves,
        legend: SeriesLabelPosition::LowerRight,
    };
    Figure { title: "phase portraits, k = 1e9 N/m^1.5, µ = 0.5 s/m, α = 1.5".into(), panels: vec![panel] }
}

/// Figure 2.
pub fn hysteresis() -> Figure {
    let mut curves: Vec<Curve> = at_speeds()
        .map(|(speed, impact)| {
            let loop_ = velocities(&impact).map(|v| (impact.compression(v), impact.force(v))).collect();
            Curve::new(format!("v_in = {speed} m/s"), LineStyle::Thin, PALETTE[speed - 1], loop_)
        })
        .collect();
    let (law, most) = (HuntCrossley::from_impact(&case_2()), case_2().at_speed(4.0).max_compression());
    let elastic = |i: usize| {
        let x = most * i as f64 / CURVE_POINTS as f64;
        (x, law.stiffness * x.powf(law.exponent))
    };
    curves.push(Curve::new(
        "k x^α, no loss",
        LineStyle::Dashed,
        TEXT_COLOUR,
        (0..=CURVE_POINTS).map(elastic).collect(),
    ));
    let y = ChartAxis::new("Force f", "N");
    let panel = ChartPanel { title: "", x: axis(COMPRESSION_AXIS), y, curves, legend: SeriesLabelPosition::UpperLeft };
    Figure { title: "compression and force, k = 1e9 N/m^1.5, µ = 0.5 s/m, α = 1.5".into(), panels: vec![panel] }
}

/// Error of ṽ_out against µ v_in \[%\].
fn approximate_exit_error(product: f64) -> f64 {
    let guess = VelocityApproximation::new(4).exit_velocity(1.0, product);
    100.0 * (guess / impact(1.0, 1.5, 1.0, product).exit_velocity() - 1.0).abs()
}

/// Figure 3.
pub fn approximation_error() -> Figure {
    let products: Vec<f64> = (0..=2000).map(|i| 10_f64.powf(-2.0 + 3.3 * f64::from(i) / 2000.0)).collect();
    let contact_errors: Vec<(f64, f64)> =
        products.iter().map(|&product| (product, approximate_exit_error(product))).collect();
    let mut curves = vec![Curve::new("error", LineStyle::Thin, TEXT_COLOUR, contact_errors.clone())];
    for (level, name, colour) in [(1.0, "error below 1 %", PALETTE[1]), (0.1, "error below 0.1 %", PALETTE[0])] {
        for range in contact_errors.chunk_by(|a, b| (a.1 < level) == (b.1 < level)).filter(|range| range[0].1 < level) {
            let ends = [range[0], range[range.len() - 1]].map(|point| (point.0, level));
            curves.push(Curve::new(name, LineStyle::Bold, colour, ends.to_vec()));
        }
    }
    let x = ChartAxis::new("µ v_in", "").with_scale(AxisScale::Logarithmic).with_range(0.01, 20.0);
    let y = ChartAxis::new("Error of approximate v_out", "%").with_scale(AxisScale::Logarithmic).with_range(1e-7, 10.0);
    let panel = ChartPanel { title: "", x, y, curves, legend: SeriesLabelPosition::LowerRight };
    Figure { title: "error of the approximate v_out of order 4".into(), panels: vec![panel] }
}

/// Figure 4.
pub fn energy() -> Figure {
    let impact = case_2();
    let mut curves = vec![Curve::new("H(v)", LineStyle::Thin, PALETTE[0], energies(&impact))];
    curves.extend(energy_guides(&impact));
    let x = axis(VELOCITY_AXIS).with_scale(AxisScale::Inverted);
    let panel = ChartPanel {
        title: "",
        x,
        y: ChartAxis::new("Energy H", "J"),
        curves,
        legend: SeriesLabelPosition::UpperRight,
    };
    Figure { title: format!("energy against velocity, {}", parameter_text(&impact)), panels: vec![panel] }
}

/// Figure 5.
pub fn external_force() -> Figure {
    let impact = impact(1e5, 1.5, 0.5, 0.05);
    let curve = |factor: u32| {
        let push = MASS * f64::from(factor);
        let path = reference(&impact, -push).map(|contact| contact.path).unwrap_or_default();
        // The reference takes far more steps than a picture has pixels.
        let stride = (path.len() / CURVE_POINTS).max(1);
        let mut points: Vec<(f64, f64)> = path.iter().step_by(stride).map(|motion| (motion.x, motion.v)).collect();
        points.extend(path.last().map(|motion| (motion.x, motion.v)));
        let (look, colour) =
            if factor == 0 { (LineStyle::Bold, TEXT_COLOUR) } else { (LineStyle::Thin, PALETTE[factor as usize - 1]) };
        Curve::new(format!("push of {push} N"), look, colour, points)
    };
    let curves = (0..=3).map(curve).collect();
    let panel = ChartPanel {
        title: "",
        x: axis(COMPRESSION_AXIS),
        y: axis(VELOCITY_AXIS),
        curves,
        legend: SeriesLabelPosition::UpperRight,
    };
    Figure {
        title: "phase portraits with an external force, k = 1e5 N/m^1.5, v_in = 0.05 m/s".into(),
        panels: vec![panel],
    }
}
