//! Figures 6 to 10: simulations beside the closed forms.

use super::analytic::{COMPRESSION_AXIS, VELOCITY_AXIS, axis, energies, energy_guides, portrait};
use super::{AxisScale, ChartAxis, ChartPanel, Curve, Figure, LineStyle};
use crate::plot::style::{PALETTE, TEXT_COLOUR};
use crate::study::impact::cases::{RATE, case_1, case_2, non_critical, parameter_text};
use crate::study::impact::integration::corrections::ExitVelocity;
use crate::study::impact::integration::error_measures::Simulator;
use crate::study::impact::integration::integrators::{Method, Motion};
use percuss::Scheme;
use percuss::impact::Impact;
use plotters::prelude::*;

/// Most samples of a contact that are shown.
const MAX_SHOWN_SAMPLES: usize = 200;

/// The study's four and percuss's default, each in a colour of its own.
fn compared() -> [(Simulator, RGBColor); 5] {
    [
        (Simulator::Classical(Method::Am1), PALETTE[1]),
        (Simulator::Classical(Method::Verlet), PALETTE[2]),
        (Simulator::Classical(Method::Heun), PALETTE[3]),
        (Simulator::Classical(Method::Rk4), PALETTE[0]),
        (Simulator::Engine(Scheme::Tracked), PALETTE[5]),
    ]
}

/// How a method is called in a legend.
pub fn name(simulator: &Simulator) -> &'static str {
    match simulator.name() {
        "am1" => "AM1",
        "verlet" => "Verlet",
        "heun" => "Heun",
        "rk4" => "RK4",
        "tracked" => "percuss, tracked",
        "corrected" => "corrected",
        other => other,
    }
}

/// The samples of a contact from first touch.
fn contact(simulator: &Simulator, impact: &Impact) -> Vec<Motion> {
    let start = Motion { x: 0.0, v: impact.speed(), f: 0.0 };
    let samples = simulator.contact(impact, RATE, 0.0);
    let stride = samples.len().div_ceil(MAX_SHOWN_SAMPLES);
    let last = samples.last().copied();
    let rest = samples.into_iter().step_by(stride);
    let mut shown: Vec<Motion> = std::iter::once(start).chain(rest).collect();
    shown.extend(last.filter(|_| stride > 1));
    // The engine has a sample at the touch itself.
    shown.dedup_by(|b, a| a.x == b.x && a.v == b.v);
    shown
}

fn line_style(impact: &Impact) -> LineStyle {
    if impact.contact_time() * RATE > 50.0 { LineStyle::Thin } else { LineStyle::Marked }
}

/// Phase portraits of methods and of the closed form.
fn portraits(impact: &Impact, methods: &[(Simulator, RGBColor)]) -> Vec<Curve> {
    let mut curves = vec![Curve::new("closed form", LineStyle::Bold, PALETTE[6], portrait(impact))];
    curves.extend(methods.iter().map(|(simulator, colour)| {
        let points = contact(simulator, impact).iter().map(|motion| (motion.x, motion.v)).collect();
        Curve::new(name(simulator), line_style(impact), *colour, points)
    }));
    curves
}

/// Energies of methods and of the closed form.
fn hamiltonians(impact: &Impact, methods: &[(Simulator, RGBColor)]) -> Vec<Curve> {
    let power = impact.exponent() + 1.0;
    let energy = |motion: &Motion| {
        let elastic = impact.stiffness() / power * motion.x.max(0.0).powf(power);
        (motion.v, 0.5 * impact.mass() * motion.v * motion.v + elastic)
    };
    let mut curves = vec![Curve::new("closed form", LineStyle::Bold, PALETTE[6], energies(impact))];
    curves.extend(methods.iter().map(|(simulator, colour)| {
        let points = contact(simulator, impact).iter().map(energy).collect();
        Curve::new(name(simulator), line_style(impact), *colour, points)
    }));
    curves.extend(energy_guides(impact));
    curves
}

fn phase_panel(title: &'static str, curves: Vec<Curve>) -> ChartPanel {
    ChartPanel {
        title,
        x: axis(COMPRESSION_AXIS),
        y: axis(VELOCITY_AXIS),
        curves,
        legend: SeriesLabelPosition::UpperRight,
    }
}

fn energy_panel(title: &'static str, curves: Vec<Curve>) -> ChartPanel {
    let x = axis(VELOCITY_AXIS).with_scale(AxisScale::Inverted);
    ChartPanel { title, x, y: ChartAxis::new("Energy H", "J"), curves, legend: SeriesLabelPosition::UpperRight }
}

/// Figure 6.
pub fn non_critical_figure() -> Figure {
    let impact = non_critical();
    let mut left = portraits(&impact, &compared());
    let (deepest, exit) = (impact.max_compression(), impact.exit_velocity());
    left.push(Curve::guide("x_max", vec![(deepest, impact.speed()), (deepest, exit)]));
    left.push(Curve::guide("v_out", vec![(deepest, exit), (0.0, exit)]));
    let panels = vec![
        ChartPanel { legend: SeriesLabelPosition::MiddleLeft, ..phase_panel("(a) phase portraits", left) },
        energy_panel("(b) energy", hamiltonians(&impact, &compared())),
    ];
    Figure { title: format!("non-critical, {}", parameter_text(&impact)), panels }
}

/// Figure 7.
pub fn little_loss() -> Figure {
    let impact = case_1();
    let panel = energy_panel("", hamiltonians(&impact, &compared()));
    let panel = ChartPanel { legend: SeriesLabelPosition::LowerLeft, ..panel };
    Figure { title: format!("energy in case 1, {}", parameter_text(&impact)), panels: vec![panel] }
}

/// Figure 8.
pub fn hard() -> Figure {
    let impact = case_2();
    let deepest = impact.max_compression();
    let left = ChartPanel {
        x: axis(COMPRESSION_AXIS).with_range(0.55 * deepest, 1.25 * deepest),
        y: axis(VELOCITY_AXIS).with_range(-0.75, 0.75),
        ..phase_panel("(a) phase portraits, detail", portraits(&impact, &compared()))
    };
    let right = energy_panel("(b) energy", hamiltonians(&impact, &compared()));
    Figure { title: format!("case 2, {}", parameter_text(&impact)), panels: vec![left, right] }
}

fn heun() -> [(Simulator, RGBColor); 2] {
    [
        (Simulator::Classical(Method::Heun), PALETTE[3]),
        (Simulator::Corrected(Method::Heun, ExitVelocity::as_published()), TEXT_COLOUR),
    ]
}

/// Figure 9.
pub fn heun_little_loss() -> Figure {
    let impact = case_1();
    let panel = energy_panel("", hamiltonians(&impact, &heun()));
    let panel = ChartPanel { legend: SeriesLabelPosition::LowerLeft, ..panel };
    Figure { title: format!("Heun in case 1, {}", parameter_text(&impact)), panels: vec![panel] }
}

/// Figure 10.
pub fn heun_hard() -> Figure {
    let impact = case_2();
    let panels = vec![
        phase_panel("(a) phase portraits", portraits(&impact, &heun())),
        energy_panel("(b) energy", hamiltonians(&impact, &heun())),
    ];
    Figure { title: format!("Heun in case 2, {}", parameter_text(&impact)), panels }
}
