//! Tables that describe elements: string, bar, mass, modal, barrier (plates are in `surfaces`).

use crate::build::Builder;
use crate::fields::Fields;
use crate::limits::{Limits, within};
use crate::surfaces::{membrane, plate};
use percuss::{Bar, Barrier, Element, End, Mass, Modal, Mode, Shape, StiffString};

pub(crate) const LENGTH: Limits = within(1e-3, 100.0, "m");
const THIN: Limits = within(1e-6, 0.05, "m");
pub(crate) const DENSITY: Limits = within(10.0, 3e4, "kg/m³");
pub(crate) const MODULUS: Limits = within(1e4, 2e12, "Pa");
const TENSION: Limits = within(0.0, 1e5, "N");
pub(crate) const SIGMA0: Limits = within(0.0, 1e4, "1/s");
pub(crate) const SIGMA1: Limits = within(0.0, 10.0, "m²/s");
pub(crate) const MASS: Limits = within(1e-9, 1e6, "kg");
pub(crate) const POSITION: Limits = within(-100.0, 100.0, "m");
const VELOCITY: Limits = within(-1000.0, 1000.0, "m/s");
const FREQUENCY: Limits = within(0.0, 4e5, "Hz");
const DAMPING: Limits = within(0.0, 1e6, "1/s");
const GRAVITY: Limits = within(-1000.0, 1000.0, "m/s²");
const DECAY: Limits = within(1e-4, 1e5, "s");
const GAIN: Limits = within(-1e6, 1e6, "");
const FRACTION: Limits = within(0.0, 1.0, "");

const ENDS: [(&str, End); 3] =
    [("simply-supported", End::SimplySupported), ("clamped", End::Clamped), ("free", End::Free)];

/// Kinds of table that describe an element, and how each is read.
pub(crate) const READERS: [(&str, Reader); 7] = [
    ("string", string),
    ("bar", bar),
    ("plate", plate),
    ("membrane", membrane),
    ("mass", mass),
    ("modal", modal),
    ("barrier", barrier),
];

type Reader = fn(&Fields<'_>, &mut Builder<'_>) -> Element;

fn string(fields: &Fields<'_>, _: &mut Builder<'_>) -> Element {
    let steel = StiffString::default();
    // A perfectly flexible string is a fair idealisation; a nearly flexible modulus is a lost prefix.
    let flexible = fields.number("youngs_modulus", within(0.0, 2e12, "Pa")) == Some(0.0);
    let youngs_modulus = if flexible { 0.0 } else { fields.number_or("youngs_modulus", MODULUS, steel.youngs_modulus) };
    StiffString {
        length: fields.required("length", LENGTH, "1.0"),
        radius: fields.required("radius", THIN, "0.5e-3"),
        density: fields.number_or("density", DENSITY, steel.density),
        youngs_modulus,
        tension: fields.required("tension", TENSION, "100"),
        sigma0: fields.number_or("sigma0", SIGMA0, steel.sigma0),
        sigma1: fields.number_or("sigma1", SIGMA1, steel.sigma1),
        ends: ends(fields, steel.ends),
        grid: grid(fields),
        displacement: shape(fields, "displacement", POSITION),
        velocity: shape(fields, "velocity", VELOCITY),
    }
    .into()
}

fn bar(fields: &Fields<'_>, _: &mut Builder<'_>) -> Element {
    let aluminium = Bar::default();
    Bar {
        length: fields.required("length", LENGTH, "0.3"),
        width: fields.required("width", within(1e-4, 10.0, "m"), "0.03"),
        thickness: fields.required("thickness", within(1e-5, 0.5, "m"), "5e-3"),
        density: fields.number_or("density", DENSITY, aluminium.density),
        youngs_modulus: fields.number_or("youngs_modulus", MODULUS, aluminium.youngs_modulus),
        sigma0: fields.number_or("sigma0", SIGMA0, aluminium.sigma0),
        sigma1: fields.number_or("sigma1", SIGMA1, aluminium.sigma1),
        ends: ends(fields, aluminium.ends),
        grid: grid(fields),
        displacement: shape(fields, "displacement", POSITION),
        velocity: shape(fields, "velocity", VELOCITY),
    }
    .into()
}

fn mass(fields: &Fields<'_>, _: &mut Builder<'_>) -> Element {
    Mass {
        mass: fields.required("mass", MASS, "0.01"),
        position: fields.number_or("position", POSITION, 0.0),
        velocity: fields.number_or("velocity", VELOCITY, 0.0),
        frequency: fields.number_or("frequency", FREQUENCY, 0.0),
        damping: fields.number_or("damping", DAMPING, 0.0),
        gravity: fields.number_or("gravity", GRAVITY, 0.0),
    }
    .into()
}

fn barrier(fields: &Fields<'_>, _: &mut Builder<'_>) -> Element {
    Barrier {
        position: fields.control("position", POSITION).unwrap_or(percuss::Control::Constant(0.0)),
        profile: fields.numbers("profile", POSITION).unwrap_or_default(),
    }
    .into()
}

fn modal(fields: &Fields<'_>, builder: &mut Builder<'_>) -> Element {
    let frequencies = fields.numbers("frequency", within(0.1, 4e5, "Hz")).unwrap_or_default();
    let count = frequencies.len();
    if count == 0 {
        let hint = Some("add frequency = [440.0, 1213.0], one for each mode".to_owned());
        fields.complain("frequency", "modal has no frequency".to_owned(), hint);
    }
    let decays = fields.number_each("decay", DECAY, count, 1.0);
    let masses = fields.number_each("mass", MASS, count, 0.1);
    let points = fields.named_lists("points", GAIN);
    if points.is_empty() {
        let hint = Some("add points = { strike = [1.0, 0.5] }, one gain for each mode".to_owned());
        fields.complain("points", "modal has no points".to_owned(), hint);
    }
    for (name, gains) in points.iter().filter(|(_, gains)| gains.len() != count) {
        let message = format!("modal.points.{name} has {} gains, must have {count}", gains.len());
        fields.complain("points", message, Some("one for each frequency".to_owned()));
    }
    let modes = frequencies.iter().zip(decays).zip(masses);
    builder.point_names.push(points.iter().map(|(name, _)| name.clone()).collect());
    Modal {
        modes: modes.map(|((&frequency, decay), mass)| Mode { frequency, decay, mass }).collect(),
        points: points.into_iter().map(|(_, gains)| gains).collect(),
    }
    .into()
}

fn grid(fields: &Fields<'_>) -> Option<usize> {
    let intervals = fields.number("grid", within(4.0, 1e6, ""))?;
    if intervals.fract() != 0.0 {
        let message = format!("{}.grid is {intervals}, must be a whole number", fields.kind);
        fields.complain("grid", message, Some("it counts the intervals between grid points".to_owned()));
    }
    Some(intervals as usize)
}

fn ends(fields: &Fields<'_>, default: [End; 2]) -> [End; 2] {
    let Some(words) = fields.words("ends") else { return default };
    let read: Vec<End> = words.iter().filter_map(|word| fields.choose("ends", word, &ENDS)).collect();
    match (words.len(), &read[..]) {
        (2, &[left, right]) => [left, right],
        (1, &[both]) => [both; 2],
        (1 | 2, _) => default,
        (count, _) => {
            let message = format!("{}.ends has {count} entries, must have 2", fields.kind);
            fields.complain("ends", message, Some("one for each end, as in [\"clamped\", \"free\"]".to_owned()));
            default
        }
    }
}

fn shape(fields: &Fields<'_>, field: &'static str, height: Limits) -> Shape {
    let Some(inner) = fields.inner(field, field) else { return Shape::Flat };
    #[derive(Clone, Copy)]
    enum Kind {
        Triangle,
        RaisedCosine,
    }
    let kind =
        inner.choice("shape", &[("triangle", Kind::Triangle), ("raised-cosine", Kind::RaisedCosine)], Kind::Triangle);
    let at = inner.required("at", FRACTION, "0.3");
    let height = inner.required("height", height, "1e-3");
    let shape = match kind {
        Kind::Triangle => {
            if at <= 0.0 || at >= 1.0 {
                let message = format!("{field}.at is {at}, must be between 0 and 1, ends excluded");
                inner.complain("at", message, Some("a fraction of the length".to_owned()));
            }
            Shape::Triangle { at, height }
        }
        Kind::RaisedCosine => {
            Shape::RaisedCosine { at, width: inner.number_or("width", within(1e-3, 2.0, ""), 0.2), height }
        }
    };
    inner.finish();
    shape
}
