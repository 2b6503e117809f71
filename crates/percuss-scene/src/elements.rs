//! Reads `[[string]]`, `[[bar]]`, `[[mass]]`, `[[modal]]` and `[[barrier]]`; plates and membranes are in `plates`.

use crate::barriers::read_barrier;
use crate::exciters::TIME_LIMITS;
use crate::limits::{FRACTION_LIMITS, ValueLimits};
use crate::losses::{Losses, Sigmas};
use crate::materials;
use crate::plates::{read_membrane, read_plate};
use crate::profiles::read_profile;
use crate::scene_builder::SceneBuilder;
use crate::table_reader::TableReader;
use crate::tuning::{self, Dimension, Pitch};
use percuss::{Bar, Element, End, Mass, Method, Modal, Mode, Shape, StiffString};

pub(crate) const LENGTH_LIMITS: ValueLimits = ValueLimits::new(1e-3, 100.0, "m");
const RADIUS_LIMITS: ValueLimits = ValueLimits::new(1e-6, 0.05, "m");
pub(crate) const DENSITY_LIMITS: ValueLimits = ValueLimits::new(10.0, 3e4, "kg/m³");
pub(crate) const MODULUS_LIMITS: ValueLimits = ValueLimits::new(1e4, 2e12, "Pa");
const STRING_TENSION_LIMITS: ValueLimits = ValueLimits::new(0.0, 1e5, "N");
pub(crate) const MASS_LIMITS: ValueLimits = ValueLimits::new(1e-9, 1e6, "kg");
pub(crate) const POSITION_LIMITS: ValueLimits = ValueLimits::new(-100.0, 100.0, "m");
const VELOCITY_LIMITS: ValueLimits = ValueLimits::new(-1000.0, 1000.0, "m/s");
const FREQUENCY_LIMITS: ValueLimits = ValueLimits::new(0.0, 4e5, "Hz");
const MASS_DAMPING_LIMITS: ValueLimits = ValueLimits::new(0.0, 1e6, "1/s");
const GRAVITY_LIMITS: ValueLimits = ValueLimits::new(-1000.0, 1000.0, "m/s²");
const DECAY_TIME_LIMITS: ValueLimits = ValueLimits::new(1e-4, 1e5, "s");
const MODE_GAIN_LIMITS: ValueLimits = ValueLimits::new(-1e6, 1e6, "");

const ENDS: [(&str, End); 3] =
    [("simply-supported", End::SimplySupported), ("clamped", End::Clamped), ("free", End::Free)];

/// Tables that describe elements, and the functions that read them.
pub(crate) const ELEMENT_TABLES: [(&str, ReadElement); 7] = [
    ("string", read_string),
    ("bar", read_bar),
    ("plate", read_plate),
    ("membrane", read_membrane),
    ("mass", read_mass),
    ("modal", read_modal),
    ("barrier", read_barrier),
];

type ReadElement = fn(&TableReader<'_>, &mut SceneBuilder<'_>) -> Element;

fn read_string(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Element {
    let steel = StiffString::default();
    let material = materials::read(table);
    // 0 is a perfectly flexible string; a small positive modulus is a missing prefix and is refused.
    let is_flexible = table.number("youngs_modulus", ValueLimits::new(0.0, 2e12, "Pa")) == Some(0.0);
    let [density, default_modulus] =
        material.map_or([steel.density, steel.youngs_modulus], |material| [material.density, material.youngs_modulus]);
    let youngs_modulus =
        if is_flexible { 0.0 } else { table.number_or("youngs_modulus", MODULUS_LIMITS, default_modulus) };
    let losses = Losses::read(table, material, Sigmas { sigma0: steel.sigma0, sigma1: steel.sigma1 });
    let tension = (Dimension::Tension, STRING_TENSION_LIMITS);
    let pitch = Pitch::read(table, builder.sample_rate, &[tension]);
    let string = StiffString {
        length: table.required_number("length", LENGTH_LIMITS, "1.0"),
        radius: table.required_number("radius", RADIUS_LIMITS, "0.5e-3"),
        density: table.number_or("density", DENSITY_LIMITS, density),
        youngs_modulus,
        tension: Pitch::read_dimension(pitch.as_ref(), table, tension, "100"),
        ends: read_ends(table, steel.ends),
        method: read_method(table),
        grid: read_grid(table),
        displacement: read_initial_shape(table, "displacement", POSITION_LIMITS),
        velocity: read_initial_shape(table, "velocity", VELOCITY_LIMITS),
        ..steel
    };
    tuning::finish(table, builder, pitch.as_ref(), &losses, string)
}

fn read_bar(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Element {
    let aluminium = Bar::default();
    let material = materials::read(table);
    let losses = Losses::read(table, material, Sigmas { sigma0: aluminium.sigma0, sigma1: aluminium.sigma1 });
    let [density, modulus] = material
        .map_or([aluminium.density, aluminium.youngs_modulus], |material| [material.density, material.youngs_modulus]);
    let length = (Dimension::Length, LENGTH_LIMITS);
    let thickness = (Dimension::Thickness, ValueLimits::new(1e-5, 0.5, "m"));
    let pitch = Pitch::read(table, builder.sample_rate, &[length, thickness]);
    let bar = Bar {
        length: Pitch::read_dimension(pitch.as_ref(), table, length, "0.3"),
        width: table.required_number("width", ValueLimits::new(1e-4, 10.0, "m"), "0.03"),
        thickness: Pitch::read_dimension(pitch.as_ref(), table, thickness, "5e-3"),
        profile: read_profile(table),
        density: table.number_or("density", DENSITY_LIMITS, density),
        youngs_modulus: table.number_or("youngs_modulus", MODULUS_LIMITS, modulus),
        ends: read_ends(table, aluminium.ends),
        method: read_method(table),
        grid: read_grid(table),
        displacement: read_initial_shape(table, "displacement", POSITION_LIMITS),
        velocity: read_initial_shape(table, "velocity", VELOCITY_LIMITS),
        ..aluminium
    };
    tuning::finish(table, builder, pitch.as_ref(), &losses, bar)
}

fn read_mass(table: &TableReader<'_>, _: &mut SceneBuilder<'_>) -> Element {
    Mass {
        mass: table.required_number("mass", MASS_LIMITS, "0.01"),
        position: table.number_or("position", POSITION_LIMITS, 0.0),
        velocity: table.number_or("velocity", VELOCITY_LIMITS, 0.0),
        frequency: table.number_or("frequency", FREQUENCY_LIMITS, 0.0),
        damping: table.number_or("damping", MASS_DAMPING_LIMITS, 0.0),
        gravity: table.number_or("gravity", GRAVITY_LIMITS, 0.0),
        start: table.number_or("start", TIME_LIMITS, 0.0),
    }
    .into()
}

fn read_modal(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Element {
    let frequencies = table.numbers("frequency", ValueLimits::new(0.1, 4e5, "Hz")).unwrap_or_default();
    let count = frequencies.len();
    if count == 0 {
        let hint = Some("add frequency = [440.0, 1213.0], one for each mode".to_owned());
        table.report("frequency", "modal has no frequency".to_owned(), hint);
    }
    let decays = table.broadcast_numbers("decay", DECAY_TIME_LIMITS, count, 1.0);
    let masses = table.broadcast_numbers("mass", MASS_LIMITS, count, 0.1);
    let points = table.named_number_lists("points", MODE_GAIN_LIMITS);
    if points.is_empty() {
        let hint = Some("add points = { strike = [1.0, 0.5] }, one gain for each mode".to_owned());
        table.report("points", "modal has no points".to_owned(), hint);
    }
    for (name, gains) in points.iter().filter(|(_, gains)| gains.len() != count) {
        let message = format!("modal.points.{name} has {} gains, must have {count}", gains.len());
        table.report("points", message, Some("give one for each frequency".to_owned()));
    }
    let modes = frequencies.iter().zip(decays).zip(masses);
    builder.modal_point_names.push(points.iter().map(|(name, _)| name.clone()).collect());
    Modal {
        modes: modes.map(|((&frequency, decay), mass)| Mode { frequency, decay, mass }).collect(),
        points: points.into_iter().map(|(_, gains)| gains).collect(),
    }
    .into()
}

/// Reads `nonlinear`; whether the tension of a string or bar rises with its length, or that of a membrane with its area.
pub(crate) fn read_modulates_tension(table: &TableReader<'_>) -> bool {
    table.choice("nonlinear", &[("none", false), ("tension", true)], false)
}

/// Reads `polarisations`; the sideways motion of a string that has two. It starts at rest.
pub(crate) fn read_sideways(table: &TableReader<'_>, element: &Element) -> Option<Element> {
    let Element::String(upright) = element else { return None };
    let count = table.number_or("polarisations", ValueLimits::new(1.0, 2.0, ""), 1.0);
    if count.fract() != 0.0 {
        let hint = Some("2 for a string that also moves sideways".to_owned());
        table.report("polarisations", format!("string.polarisations is {count}, must be 1 or 2"), hint);
    }
    let at_rest = StiffString { displacement: Shape::Flat, velocity: Shape::Flat, ..upright.clone() };
    (count == 2.0).then(|| at_rest.into())
}

pub(crate) fn read_method(table: &TableReader<'_>) -> Method {
    table.choice("method", &[("grid", Method::Grid), ("modes", Method::Modes)], Method::Modes)
}

fn read_grid(table: &TableReader<'_>) -> Option<usize> {
    let intervals = table.number("grid", ValueLimits::new(4.0, 1e6, ""))?;
    if intervals.fract() != 0.0 {
        let message = format!("{}.grid is {intervals}, must be a whole number", table.kind);
        table.report("grid", message, Some("grid is the number of intervals between grid points".to_owned()));
    }
    Some(intervals as usize)
}

fn read_ends(table: &TableReader<'_>, default: [End; 2]) -> [End; 2] {
    let Some(names) = table.strings("ends") else { return default };
    let ends: Vec<End> = names.iter().filter_map(|name| table.parse_choice("ends", name, &ENDS)).collect();
    match (names.len(), &ends[..]) {
        (2, &[left, right]) => [left, right],
        (1, &[both]) => [both; 2],
        (1 | 2, _) => default,
        (count, _) => {
            let message = format!("{}.ends has {count} entries, must have 2", table.kind);
            table.report("ends", message, Some("give one for each end, as in [\"clamped\", \"free\"]".to_owned()));
            default
        }
    }
}

/// Displacement or velocity of a string or bar at the start.
fn read_initial_shape(table: &TableReader<'_>, field: &'static str, height: ValueLimits) -> Shape {
    let Some(inner) = table.subtable(field, field) else { return Shape::Flat };
    #[derive(Clone, Copy)]
    enum ShapeKind {
        Triangle,
        RaisedCosine,
    }
    let kind = inner.choice(
        "shape",
        &[("triangle", ShapeKind::Triangle), ("raised-cosine", ShapeKind::RaisedCosine)],
        ShapeKind::Triangle,
    );
    let at = inner.required_number("at", FRACTION_LIMITS, "0.3");
    let height = inner.required_number("height", height, "1e-3");
    let shape = match kind {
        ShapeKind::Triangle => {
            if at <= 0.0 || at >= 1.0 {
                let message = format!("{field}.at is {at}, must be between 0 and 1, ends excluded");
                inner.report("at", message, Some("a fraction of the length".to_owned()));
            }
            Shape::Triangle { at, height }
        }
        ShapeKind::RaisedCosine => {
            Shape::RaisedCosine { at, width: inner.number_or("width", ValueLimits::new(1e-3, 2.0, ""), 0.2), height }
        }
    };
    inner.finish();
    shape
}
