//! Tables that describe what a hand holds against something: bow, finger.

use crate::build::Builder;
use crate::fields::Fields;
use crate::limits::{Limits, within};
use crate::score;
use crate::surfaces::clamped;
use percuss::{Bow, Control, ElementId, Finger, Friction, InteractionId, Path};

pub(crate) const BOW_FORCE: Limits = within(0.0, 1e3, "N");
pub(crate) const BOW_VELOCITY: Limits = within(-100.0, 100.0, "m/s");
/// Of bows and bristles alike \[N/m\] and \[N·s/m\].
const STIFFNESS: Limits = within(0.0, 1e12, "N/m");
const DAMPING: Limits = within(0.0, 1e6, "N·s/m");
const COEFFICIENT: Limits = within(1e-3, 10.0, "");
const SLIP: Limits = within(1e-9, 100.0, "m/s");

pub(crate) fn bow(fields: &Fields<'_>, builder: &mut Builder<'_>) -> Option<InteractionId> {
    let friction = friction(fields);
    let id = fields.text("id");
    let played = builder.score.as_mut().is_some_and(|score| score.plays_bow(id));
    let place = builder.path(fields)?;
    if played {
        let gestures = score::play(fields, builder, &place)?;
        let bow = Bow { force: gestures.force, velocity: gestures.velocity, friction };
        return Some(builder.model.bow(path(place.element, gestures.bow_at), bow));
    }
    let usual = Bow::default();
    let force = fields.control("force", BOW_FORCE).unwrap_or(usual.force);
    let velocity = fields.control("velocity", BOW_VELOCITY).unwrap_or(usual.velocity);
    Some(builder.model.bow(place, Bow { force, velocity, friction }))
}

pub(crate) fn finger(fields: &Fields<'_>, builder: &mut Builder<'_>) -> Option<InteractionId> {
    let usual = Finger::default();
    let stiffness = fields.number_or("stiffness", STIFFNESS, usual.stiffness);
    let damping = fields.number_or("damping", DAMPING, usual.damping);
    if stiffness + damping == 0.0 {
        let hint = Some("add stiffness = 20 or damping = 1".to_owned());
        fields.complain("stiffness", "finger has neither stiffness nor damping".to_owned(), hint);
    }
    let id = fields.text("id");
    if builder.score.as_mut().is_some_and(|score| score.plays_finger(id)) {
        let (string, gestures) = score::follow(fields, builder)?;
        let finger = Finger { pressure: gestures.pressure, stiffness, damping };
        return Some(builder.model.finger(path(string, gestures.finger_at), finger));
    }
    let pressure = fields.control("pressure", within(-1e6, 1e6, "")).unwrap_or(usual.pressure);
    let pressure = clamped(fields, builder, pressure);
    let place = builder.path(fields)?;
    Some(builder.model.finger(place, Finger { pressure, stiffness, damping }))
}

/// The way of a hand along a string; one that stands still costs less.
fn path(string: ElementId, at: Control) -> Path {
    match at {
        Control::Constant(at) => string.at(at).into(),
        moving => string.along(moving),
    }
}

fn friction(fields: &Fields<'_>) -> Friction {
    #[derive(Clone, Copy)]
    enum Kind {
        Exponential,
        Stribeck,
        Bristle,
    }
    const KINDS: [(&str, Kind); 3] =
        [("exponential", Kind::Exponential), ("stribeck", Kind::Stribeck), ("bristle", Kind::Bristle)];
    if fields.get("friction").is_some_and(|value| !value.is_table()) {
        let hint = Some("write friction = { kind = \"exponential\", sharpness = 100 }".to_owned());
        fields.complain("friction", format!("{}.friction must be a table", fields.kind), hint);
        return Friction::default();
    }
    let Some(inner) = fields.inner("friction", "friction") else { return Friction::default() };
    let kind = inner.required_text("kind", "\"exponential\"").and_then(|word| inner.choose("kind", word, &KINDS));
    let friction = match kind {
        None => Friction::default(),
        Some(Kind::Exponential) => {
            Friction::Exponential { sharpness: inner.number_or("sharpness", within(1e-3, 1e8, "s²/m²"), 100.0) }
        }
        Some(Kind::Stribeck) => {
            let (sliding, sticking, velocity) = grip(&inner);
            Friction::Stribeck { sliding, sticking, velocity, creep: inner.number_or("creep", SLIP, 1e-3) }
        }
        Some(Kind::Bristle) => {
            let (sliding, sticking, velocity) = grip(&inner);
            Friction::Bristle {
                sliding,
                sticking,
                velocity,
                stiffness: inner.number_or("stiffness", within(1.0, STIFFNESS.most, "N/m"), 1e4),
                damping: inner.number_or("damping", DAMPING, 0.1),
                viscous: inner.number_or("viscous", DAMPING, 0.0),
            }
        }
    };
    inner.finish();
    friction
}

/// Sliding and sticking friction, and the slip at which one gives way to the other \[m/s\].
fn grip(inner: &Fields<'_>) -> (f64, f64, f64) {
    let sliding = inner.number_or("sliding", COEFFICIENT, 0.3);
    let sticking = inner.number_or("sticking", COEFFICIENT, 0.8);
    if sticking < sliding {
        let message = format!("friction.sticking is {sticking}, must be at least the sliding friction, {sliding}");
        inner.complain("sticking", message, Some("hair that sticks holds better than hair that slides".to_owned()));
    }
    (sliding, sticking, inner.number_or("stribeck_velocity", SLIP, 0.1))
}
