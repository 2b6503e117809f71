//! Tables that describe what is heard or written down: pickup, probe.

use crate::build::Builder;
use crate::fields::Fields;
use crate::limits::within;
use crate::{Output, Probe, Routing};
use percuss::{PickupId, Place, Quantity};

const QUANTITIES: [(&str, Quantity); 3] =
    [("displacement", Quantity::Displacement), ("velocity", Quantity::Velocity), ("force", Quantity::Force)];

pub(crate) fn pickup(fields: &Fields<'_>, builder: &mut Builder<'_>) -> Option<()> {
    let gain = fields.number_or("gain", within(-1e9, 1e9, ""), 1.0);
    let pan = fields.number_or("pan", within(-1.0, 1.0, ""), 0.0);
    let channel = fields.number("channel", within(1.0, 64.0, ""));
    if fields.has("pan") && channel.is_some() {
        let hint = Some("keep one of them".to_owned());
        fields.complain("channel", "pickup has both pan and channel".to_owned(), hint);
    }
    let routing = channel.map_or(Routing::Pan(pan), |channel| Routing::Channel(channel as usize - 1));
    let (pickup, label) = listen(fields, builder)?;
    builder.outputs.push(Output { pickup, label, gain, routing });
    Some(())
}

pub(crate) fn probe(fields: &Fields<'_>, builder: &mut Builder<'_>) -> Option<()> {
    let (pickup, label) = listen(fields, builder)?;
    builder.probes.push(Probe { pickup, label });
    Some(())
}

fn listen(fields: &Fields<'_>, builder: &mut Builder<'_>) -> Option<(PickupId, String)> {
    let name = fields.text("id");
    let of = fields.required_text("of", "\"id of an element or interaction\"")?;
    if let Some(contact) = builder.contact(of) {
        fields.has("at");
        fields.choice("quantity", &[("force", Quantity::Force)], Quantity::Force);
        let label = name.map_or_else(|| format!("{of} force [N]"), |name| format!("{name} [N]"));
        return Some((builder.model.force_pickup(contact), label));
    }
    let quantity = fields.choice("quantity", &QUANTITIES, Quantity::Velocity);
    let (word, unit) = match quantity {
        Quantity::Displacement => ("displacement", "m"),
        Quantity::Velocity => ("velocity", "m/s"),
        Quantity::Force => ("force", "N"),
    };
    let point = builder.point(fields)?;
    let place = match point.place {
        Place::Whole => String::new(),
        Place::Along(at) => format!("@{at}"),
        Place::On([x, y]) => format!("@{x};{y}"),
        Place::Listed(_) => fields.text("at").map_or_else(String::new, |name| format!("@{name}")),
    };
    let label = name.map_or_else(|| format!("{of}{place} {word} [{unit}]"), |name| format!("{name} [{unit}]"));
    Some((builder.model.pickup(point, quantity), label))
}
