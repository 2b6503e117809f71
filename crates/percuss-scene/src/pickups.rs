//! Reads `[[pickup]]` and `[[probe]]`.

use crate::limits::ValueLimits;
use crate::scene_builder::SceneBuilder;
use crate::table_reader::TableReader;
use crate::{Output, Probe, Routing};
use percuss::{Control, Edge, Element, End, Outline, PickupId, Place, Quantity};

const QUANTITIES: [(&str, Quantity); 3] =
    [("displacement", Quantity::Displacement), ("velocity", Quantity::Velocity), ("force", Quantity::Force)];

pub(crate) fn read_pickup(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Option<()> {
    let gain = table.number_or("gain", ValueLimits::new(-1e9, 1e9, ""), 1.0);
    let pan = table.number_or("pan", ValueLimits::new(-1.0, 1.0, ""), 0.0);
    let channel = table.number("channel", ValueLimits::new(1.0, 64.0, ""));
    if table.has("pan") && channel.is_some() {
        let hint = Some("keep one of them".to_owned());
        table.report("channel", "pickup has both pan and channel".to_owned(), hint);
    }
    let routing = channel.map_or(Routing::Pan(pan), |channel| Routing::Channel(channel as usize - 1));
    let (pickup, label) = pickup_and_label(table, builder)?;
    builder.outputs.push(Output { pickup, label, gain, routing });
    Some(())
}

pub(crate) fn read_probe(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Option<()> {
    let (pickup, label) = pickup_and_label(table, builder)?;
    builder.probes.push(Probe { pickup, label });
    Some(())
}

/// The pickup and its label.
fn pickup_and_label(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Option<(PickupId, String)> {
    let name = table.string("id");
    let of = table.required_string("of", "\"id of an element or interaction\"")?;
    if let Some(interaction) = builder.interaction_by_id(of) {
        table.has("at");
        table.choice("quantity", &[("force", Quantity::Force)], Quantity::Force);
        let unit = builder.model.interactions()[interaction.index()].law.force_unit();
        let quantity = if unit == "N" { "force" } else { "pressure" };
        let label = name.map_or_else(|| format!("{of} {quantity} [{unit}]"), |name| format!("{name} [{unit}]"));
        return Some((builder.model.force_pickup(interaction), label));
    }
    let quantity = table.choice("quantity", &QUANTITIES, Quantity::Velocity);
    let (quantity_name, unit) = match quantity {
        Quantity::Displacement => ("displacement", "m"),
        Quantity::Velocity => ("velocity", "m/s"),
        Quantity::Force => ("force", "N"),
    };
    let point = builder.point(table)?;
    if quantity != Quantity::Force && is_on_support(&builder.model.elements()[point.element.index()], point.place) {
        let message = format!("{}.at is on a support, which does not move: it reads nothing", table.kind);
        builder.warn(table, "at", &message, "move it away from the support, or read quantity = \"force\"");
    }
    let place = match point.place {
        Place::Whole => String::new(),
        Place::Along(at) => format!("@{at}"),
        Place::On([x, y]) => format!("@{x};{y}"),
        Place::Listed(_) => table.string("at").map_or_else(String::new, |name| format!("@{name}")),
    };
    let label = name.map_or_else(|| format!("{of}{place} {quantity_name} [{unit}]"), |name| format!("{name} [{unit}]"));
    Some((builder.model.pickup(point, quantity), label))
}

/// Whether a place is held still.
pub(crate) fn is_on_support(element: &Element, place: Place) -> bool {
    let holds = |end: End| end != End::Free;
    match (element, place) {
        (Element::String(string), Place::Along(at)) => is_at_held_end(at, string.ends.map(holds)),
        (Element::Bar(bar), Place::Along(at)) => is_at_held_end(at, bar.ends.map(holds)),
        (Element::Barrier(barrier), _) => matches!(barrier.position, Control::Constant(_)),
        (Element::Plate(plate), Place::On([x, y])) => {
            let held = plate.edges.map(|edge| matches!(edge, Edge::SimplySupported | Edge::Clamped));
            match plate.outline {
                Outline::Rectangle => is_at_held_end(x, [held[0], held[1]]) || is_at_held_end(y, [held[2], held[3]]),
                Outline::Disc => held[0] && (x - 0.5).hypot(y - 0.5) >= 0.5,
            }
        }
        _ => false,
    }
}

fn is_at_held_end(at: f64, [first, second]: [bool; 2]) -> bool {
    (at == 0.0 && first) || (at == 1.0 && second)
}
