//! Tables that describe what happens between elements: collision, connection, spring, damper, roll (bows and fingers are
//! in `hands`).

use crate::build::Builder;
use crate::fields::Fields;
use crate::hands::{bow, finger};
use crate::limits::{Limits, within};
use crate::rolling::roll;
use percuss::{Collision, Connection, Damper, InteractionId, Point, Spring};

const STIFFNESS: Limits = within(1e-3, 1e20, "N/m^α");
const EXPONENT: Limits = within(1.0, 10.0, "");
const LOSS: Limits = within(0.0, 1e4, "s/m");
const GAP: Limits = within(-1.0, 1.0, "m");
const PLAY: Limits = within(0.0, 1.0, "m");

type Reader = fn(&Fields<'_>, &mut Builder<'_>) -> Option<InteractionId>;

/// Kinds of table that describe an interaction, and how each is read.
pub(crate) const READERS: [(&str, Reader); 7] = [
    ("collision", collision),
    ("connection", connection),
    ("spring", spring),
    ("damper", damper),
    ("roll", roll),
    ("bow", bow),
    ("finger", finger),
];

/// Both points, once both could be read.
fn points(fields: &Fields<'_>, builder: &Builder<'_>) -> Option<[Point; 2]> {
    let [below, above] = ["below", "above"].map(|side| {
        if !fields.has(side) {
            fields.missing(side, "{ of = \"id\", at = 0.5 }");
        }
        let inner = fields.inner(side, side)?;
        let point = builder.point(&inner);
        inner.finish();
        point
    });
    Some([below?, above?])
}

/// The law of a collision.
pub(crate) fn contact_law(fields: &Fields<'_>) -> Collision {
    Collision {
        stiffness: fields.required("stiffness", STIFFNESS, "1e8"),
        exponent: fields.number_or("exponent", EXPONENT, Collision::default().exponent),
        loss: fields.number_or("loss", LOSS, 0.0),
        gap: fields.number_or("gap", GAP, 0.0),
    }
}

fn collision(fields: &Fields<'_>, builder: &mut Builder<'_>) -> Option<InteractionId> {
    let distributed = fields.flag("distributed");
    let law = contact_law(fields);
    if distributed {
        let [below, above] = ["below", "above"].map(|side| {
            if !fields.has(side) {
                fields.missing(side, "{ of = \"id\" }");
            }
            let inner = fields.inner(side, side)?;
            let element = builder.element(&inner);
            if inner.has("at") {
                let message = format!("{side}.at has no meaning in a distributed collision");
                inner.complain("at", message, Some("drop at, or drop distributed = true".to_owned()));
            }
            inner.finish();
            element
        });
        return Some(builder.model.collide_along(below?, above?, law));
    }
    let [below, above] = points(fields, builder)?;
    Some(builder.model.collide(below, above, law))
}

fn connection(fields: &Fields<'_>, builder: &mut Builder<'_>) -> Option<InteractionId> {
    let law = Connection {
        stiffness: fields.required("stiffness", STIFFNESS, "1e5"),
        exponent: fields.number_or("exponent", EXPONENT, Connection::default().exponent),
        play: fields.number_or("play", PLAY, 0.0),
        gap: fields.number_or("gap", GAP, 0.0),
    };
    let [below, above] = points(fields, builder)?;
    Some(builder.model.connect(below, above, law))
}

fn spring(fields: &Fields<'_>, builder: &mut Builder<'_>) -> Option<InteractionId> {
    let law = Spring {
        stiffness: fields.number_or("stiffness", within(0.0, 1e15, "N/m"), 0.0),
        cubic: fields.number_or("cubic", within(0.0, 1e20, "N/m³"), 0.0),
        damping: fields.number_or("damping", within(0.0, 1e9, "kg/s"), 0.0),
        gap: fields.number_or("gap", GAP, 0.0),
    };
    if law.stiffness + law.cubic + law.damping == 0.0 {
        let hint = Some("add stiffness = 1e4, cubic = 1e10 or damping = 0.1".to_owned());
        fields.complain("stiffness", "spring has neither stiffness, cubic nor damping".to_owned(), hint);
    }
    let [below, above] = points(fields, builder)?;
    Some(builder.model.spring(below, above, law))
}

fn damper(fields: &Fields<'_>, builder: &mut Builder<'_>) -> Option<InteractionId> {
    let law = Damper { resistance: fields.required("resistance", within(0.0, 1e9, "N·s/m"), "0.5") };
    let [below, above] = points(fields, builder)?;
    Some(builder.model.damper(below, above, law))
}
