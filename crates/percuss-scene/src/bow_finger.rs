//! Reads `[[bow]]` and `[[finger]]`.

use crate::limits::ValueLimits;
use crate::plates::clamp_pressure;
use crate::scene_builder::SceneBuilder;
use crate::score;
use crate::table_reader::TableReader;
use percuss::{Bow, Control, ElementId, Finger, Friction, InteractionId, Path};

pub(crate) const BOW_FORCE_LIMITS: ValueLimits = ValueLimits::new(0.0, 1e3, "N");
pub(crate) const BOW_VELOCITY_LIMITS: ValueLimits = ValueLimits::new(-100.0, 100.0, "m/s");
/// Stiffness and damping of fingers and bristles.
const LINEAR_STIFFNESS_LIMITS: ValueLimits = ValueLimits::new(0.0, 1e12, "N/m");
const VISCOUS_DAMPING_LIMITS: ValueLimits = ValueLimits::new(0.0, 1e6, "N·s/m");
const FRICTION_COEFFICIENT_LIMITS: ValueLimits = ValueLimits::new(1e-3, 10.0, "");
const SLIP_VELOCITY_LIMITS: ValueLimits = ValueLimits::new(1e-9, 100.0, "m/s");

pub(crate) fn read_bow(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Option<InteractionId> {
    let friction = read_friction(table);
    let id = table.string("id");
    let is_scored = builder.score.as_mut().is_some_and(|score| score.plays_bow(id));
    let place = builder.path(table)?;
    if is_scored {
        let gestures = score::bow_gestures(table, builder, &place)?;
        let bow = Bow { force: gestures.force, velocity: gestures.velocity, friction };
        return Some(builder.model.bow(fixed_or_moving(place.element, gestures.bow_at), bow));
    }
    let defaults = Bow::default();
    let force = table.control("force", BOW_FORCE_LIMITS).unwrap_or(defaults.force);
    let velocity = table.control("velocity", BOW_VELOCITY_LIMITS).unwrap_or(defaults.velocity);
    Some(builder.model.bow(place, Bow { force, velocity, friction }))
}

pub(crate) fn read_finger(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Option<InteractionId> {
    let defaults = Finger::default();
    let stiffness = table.number_or("stiffness", LINEAR_STIFFNESS_LIMITS, defaults.stiffness);
    let damping = table.number_or("damping", VISCOUS_DAMPING_LIMITS, defaults.damping);
    if stiffness + damping == 0.0 {
        let hint = Some("add stiffness = 20 or damping = 1".to_owned());
        table.report("stiffness", "finger has neither stiffness nor damping".to_owned(), hint);
    }
    let id = table.string("id");
    if builder.score.as_mut().is_some_and(|score| score.plays_finger(id)) {
        let (string, gestures) = score::finger_gestures(table, builder)?;
        let finger = Finger { pressure: gestures.pressure, stiffness, damping };
        return Some(builder.model.finger(fixed_or_moving(string, gestures.finger_at), finger));
    }
    let pressure = table.control("pressure", ValueLimits::new(-1e6, 1e6, "")).unwrap_or(defaults.pressure);
    let pressure = clamp_pressure(table, builder, pressure);
    let place = builder.path(table)?;
    Some(builder.model.finger(place, Finger { pressure, stiffness, damping }))
}

/// The place of a bow or finger on a string. A fixed place costs less than a moving one.
fn fixed_or_moving(string: ElementId, at: Control) -> Path {
    match at {
        Control::Constant(at) => string.at(at).into(),
        moving => string.along(moving),
    }
}

/// Kinds of `friction`.
#[derive(Clone, Copy)]
enum FrictionKind {
    Exponential,
    Stribeck,
    Bristle,
}

const FRICTION_KINDS: [(&str, FrictionKind); 3] = [
    ("exponential", FrictionKind::Exponential),
    ("stribeck", FrictionKind::Stribeck),
    ("bristle", FrictionKind::Bristle),
];

fn read_friction(table: &TableReader<'_>) -> Friction {
    if table.get("friction").is_some_and(|value| !value.is_table()) {
        let hint = Some("write friction = { kind = \"exponential\", sharpness = 100 }".to_owned());
        table.report("friction", format!("{}.friction must be a table", table.kind), hint);
        return Friction::default();
    }
    let Some(inner) = table.subtable("friction", "friction") else { return Friction::default() };
    let kind = inner
        .required_string("kind", "\"exponential\"")
        .and_then(|name| inner.parse_choice("kind", name, &FRICTION_KINDS));
    let friction = match kind {
        None => Friction::default(),
        Some(FrictionKind::Exponential) => Friction::Exponential {
            sharpness: inner.number_or("sharpness", ValueLimits::new(1e-3, 1e8, "s²/m²"), 100.0),
        },
        Some(FrictionKind::Stribeck) => {
            let (sliding, sticking, velocity) = read_friction_coefficients(&inner);
            Friction::Stribeck {
                sliding,
                sticking,
                velocity,
                creep: inner.number_or("creep", SLIP_VELOCITY_LIMITS, 1e-3),
            }
        }
        Some(FrictionKind::Bristle) => {
            let (sliding, sticking, velocity) = read_friction_coefficients(&inner);
            Friction::Bristle {
                sliding,
                sticking,
                velocity,
                stiffness: inner.number_or("stiffness", ValueLimits::new(1.0, LINEAR_STIFFNESS_LIMITS.max, "N/m"), 1e4),
                damping: inner.number_or("damping", VISCOUS_DAMPING_LIMITS, 0.1),
                viscous: inner.number_or("viscous", VISCOUS_DAMPING_LIMITS, 0.0),
            }
        }
    };
    inner.finish();
    friction
}

/// Coefficients of sliding and sticking friction, and the Stribeck velocity \[m/s\].
fn read_friction_coefficients(inner: &TableReader<'_>) -> (f64, f64, f64) {
    let sliding = inner.number_or("sliding", FRICTION_COEFFICIENT_LIMITS, 0.3);
    let sticking = inner.number_or("sticking", FRICTION_COEFFICIENT_LIMITS, 0.8);
    if sticking < sliding {
        let message = format!("friction.sticking is {sticking}, must be at least the sliding friction, {sliding}");
        inner.report("sticking", message, Some("the coefficient of sticking friction is the larger one".to_owned()));
    }
    (sliding, sticking, inner.number_or("stribeck_velocity", SLIP_VELOCITY_LIMITS, 0.1))
}
