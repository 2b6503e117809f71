//! Reads `[[collision]]`, `[[connection]]`, `[[spring]]`, `[[damper]]` and `[[felt]]`; `[[roll]]` is in `rolling`,
//! `[[bow]]` and `[[finger]]` are in `bow_finger`, `[[strike]]` is in `strikes_and_plucks`.

use crate::bow_finger::{read_bow, read_finger};
use crate::cavities::read_cavity;
use crate::limits::{FRACTION_LIMITS, ValueLimits};
use crate::rolling::read_roll;
use crate::scene_builder::SceneBuilder;
use crate::strikes_and_plucks::read_strike;
use crate::table_reader::TableReader;
use percuss::laws::Felt;
use percuss::{Collision, Connection, Damper, Element, ElementId, InteractionId, Point, Spring};

pub(crate) const CONTACT_STIFFNESS_LIMITS: ValueLimits = ValueLimits::new(1e-3, 1e20, "N/m^α");
pub(crate) const EXPONENT_LIMITS: ValueLimits = ValueLimits::new(1.0, 10.0, "");
pub(crate) const HUNT_CROSSLEY_LOSS_LIMITS: ValueLimits = ValueLimits::new(0.0, 1e4, "s/m");
pub(crate) const RESTITUTION_LIMITS: ValueLimits = ValueLimits::new(0.1, 1.0, "");
const GAP_LIMITS: ValueLimits = ValueLimits::new(-1.0, 1.0, "m");
const PLAY_LIMITS: ValueLimits = ValueLimits::new(0.0, 1.0, "m");

type ReadInteraction = fn(&TableReader<'_>, &mut SceneBuilder<'_>) -> Option<InteractionId>;

/// Tables that describe interactions, and the functions that read them.
pub(crate) const INTERACTION_TABLES: [(&str, ReadInteraction); 10] = [
    ("collision", read_collision),
    ("connection", read_connection),
    ("spring", read_spring),
    ("damper", read_damper),
    ("felt", read_felt),
    ("cavity", read_cavity),
    ("roll", read_roll),
    ("bow", read_bow),
    ("finger", read_finger),
    ("strike", read_strike),
];

/// The points given by `below` and `above`, if both are valid.
fn read_below_and_above(table: &TableReader<'_>, builder: &SceneBuilder<'_>) -> Option<[Point; 2]> {
    let [below, above] = ["below", "above"].map(|side| {
        if !table.has(side) {
            table.mark_missing(side, "{ of = \"id\", at = 0.5 }");
        }
        let inner = table.subtable(side, side)?;
        let point = builder.point(&inner);
        inner.finish();
        point
    });
    Some([below?, above?])
}

/// The law of a collision or a rolling contact.
pub(crate) fn read_collision_law(table: &TableReader<'_>) -> Collision {
    Collision {
        stiffness: table.required_number("stiffness", CONTACT_STIFFNESS_LIMITS, "1e8"),
        exponent: table.number_or("exponent", EXPONENT_LIMITS, Collision::default().exponent),
        loss: table.number_or("loss", HUNT_CROSSLEY_LOSS_LIMITS, 0.0),
        gap: table.number_or("gap", GAP_LIMITS, 0.0),
    }
}

fn read_collision(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Option<InteractionId> {
    let distributed = table.flag("distributed");
    let law = read_collision_law(table);
    if distributed {
        let sides = ["below", "above"].map(|side| read_long_side(table, builder, side));
        let [(below, below_line), (above, above_line)] = [sides[0]?, sides[1]?];
        return match below_line.or(above_line) {
            Some(line) => Some(builder.model.collide_on_line(below, above, line, law)),
            None => Some(builder.model.collide_along(below, above, law)),
        };
    }
    let [below, above] = read_below_and_above(table, builder)?;
    Some(builder.model.collide(below, above, law))
}

/// An element along which another lies, and on a plate the ends of the line.
fn read_long_side(
    table: &TableReader<'_>,
    builder: &SceneBuilder<'_>,
    side: &'static str,
) -> Option<(ElementId, Option<[[f64; 2]; 2]>)> {
    if !table.has(side) {
        table.mark_missing(side, "{ of = \"id\" }");
    }
    let inner = table.subtable(side, side)?;
    let element = builder.element(&inner);
    if inner.has("at") {
        let message = format!("{side}.at has no meaning in a distributed collision");
        inner.report("at", message, Some("remove at, or remove distributed = true".to_owned()));
    }
    let is_plate =
        element.is_some_and(|element| matches!(builder.model.elements()[element.index()], Element::Plate(_)));
    let ends = if is_plate {
        let ends = ["from", "to"].map(|field| {
            if !inner.has(field) {
                inner.mark_missing(field, if field == "from" { "[0.2, 0.5]" } else { "[0.8, 0.5]" });
            }
            inner.number_pair(field, FRACTION_LIMITS)
        });
        ends[0].zip(ends[1]).map(|(from, to)| [from, to])
    } else {
        None
    };
    inner.finish();
    Some((element?, if is_plate { Some(ends?) } else { None }))
}

fn read_connection(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Option<InteractionId> {
    let law = Connection {
        stiffness: table.required_number("stiffness", CONTACT_STIFFNESS_LIMITS, "1e5"),
        exponent: table.number_or("exponent", EXPONENT_LIMITS, Connection::default().exponent),
        play: table.number_or("play", PLAY_LIMITS, 0.0),
        gap: table.number_or("gap", GAP_LIMITS, 0.0),
    };
    let [below, above] = read_below_and_above(table, builder)?;
    Some(builder.model.connect(below, above, law))
}

fn read_spring(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Option<InteractionId> {
    let law = Spring {
        stiffness: table.number_or("stiffness", ValueLimits::new(0.0, 1e15, "N/m"), 0.0),
        cubic: table.number_or("cubic", ValueLimits::new(0.0, 1e20, "N/m³"), 0.0),
        damping: table.number_or("damping", ValueLimits::new(0.0, 1e9, "kg/s"), 0.0),
        gap: table.number_or("gap", GAP_LIMITS, 0.0),
    };
    if law.stiffness + law.cubic + law.damping == 0.0 {
        let hint = Some("add stiffness = 1e4, cubic = 1e10 or damping = 0.1".to_owned());
        table.report("stiffness", "spring has neither stiffness, cubic nor damping".to_owned(), hint);
    }
    let [below, above] = read_below_and_above(table, builder)?;
    Some(builder.model.spring(below, above, law))
}

fn read_damper(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Option<InteractionId> {
    let law = Damper { resistance: table.required_number("resistance", ValueLimits::new(0.0, 1e9, "N·s/m"), "0.5") };
    let [below, above] = read_below_and_above(table, builder)?;
    Some(builder.model.damper(below, above, law))
}

fn read_felt(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Option<InteractionId> {
    let defaults = Felt::default();
    let law = Felt {
        stiffness: table.required_number("stiffness", CONTACT_STIFFNESS_LIMITS, "4e8"),
        exponent: table.number_or("exponent", EXPONENT_LIMITS, defaults.exponent),
        restitution: table.number_or("restitution", RESTITUTION_LIMITS, defaults.restitution),
        gap: table.number_or("gap", GAP_LIMITS, 0.0),
    };
    let [below, above] = read_below_and_above(table, builder)?;
    Some(builder.model.interact(below, above, law))
}
