//! Reads `[[strike]]` and `[[pluck]]`: gestures at one or several times.

use crate::elements::MASS_LIMITS;
use crate::exciters::{FORCE_LIMITS, TIME_LIMITS};
use crate::interactions::{CONTACT_STIFFNESS_LIMITS, EXPONENT_LIMITS, HUNT_CROSSLEY_LOSS_LIMITS, RESTITUTION_LIMITS};
use crate::limits::ValueLimits;
use crate::pickups::is_on_support;
use crate::scene_builder::SceneBuilder;
use crate::table_reader::TableReader;
use percuss::impact::Impact;
use percuss::laws::Felt;
use percuss::{Blow, Collision, Element, ExciterId, InteractionId, Law, Mallet, Path, Pluck, Point, Pulse};
use std::f64::consts::PI;

const SPEED_LIMITS: ValueLimits = ValueLimits::new(1e-3, 100.0, "m/s");
const CONTACT_TIME_LIMITS: ValueLimits = ValueLimits::new(1e-6, 1.0, "s");
const RETREAT_LIMITS: ValueLimits = ValueLimits::new(0.0, 10.0, "m");
const DURATION_LIMITS: ValueLimits = ValueLimits::new(1e-6, 1e4, "s");
const DISPLACEMENT_LIMITS: ValueLimits = ValueLimits::new(-0.1, 0.1, "m");
/// Fields of a strike by a mallet only.
const MALLET_FIELDS: [&str; 9] =
    ["mass", "speed", "from", "stiffness", "contact_time", "exponent", "loss", "restitution", "retreat"];
/// Most times of a table.
const MAX_TIMES: usize = 10_000;

/// Reads a strike by a mallet, which is an element and a contact, or by a force.
pub(crate) fn read_strike(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Option<InteractionId> {
    let times = read_times(table);
    let is_force = table.has("force");
    if let Some(field) = MALLET_FIELDS.into_iter().find(|field| is_force && table.has(field)) {
        table.request_all();
        let hint = "keep force and duration, or mass, speed and stiffness".to_owned();
        table.report(field, format!("strike has both force and {field}"), Some(hint));
        return None;
    }
    if is_force {
        read_force_strike(table, builder, &times?);
        return None;
    }
    let mallet = read_mallet(table, times.as_deref());
    let law = read_mallet_law(table, mallet.as_ref());
    let from_below = table.choice("from", &[("above", false), ("below", true)], false);
    let point = builder.point(table)?;
    if is_on_support(&builder.model.elements()[point.element.index()], point.place) {
        let message = "strike.at is on a support, which does not move: it excites nothing";
        builder.warn(table, "at", message, "move it away from the support");
    }
    let (mallet, law) = (mallet?, law?);
    if !table.is_valid() {
        return None;
    }
    let mallet = builder.add_generated_element(table, "mallet", mallet.into()).point();
    let [below, above] = if from_below { [mallet, point] } else { [point, mallet] };
    Some(builder.model.interact(below, above, law))
}

fn read_force_strike(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>, times: &[f64]) -> Option<()> {
    let forces = read_for_each(table, "force", FORCE_LIMITS, times.len().max(1));
    let duration = table.number_or("duration", DURATION_LIMITS, Pulse::default().duration);
    let (place, forces) = (builder.path(table)?, forces?);
    if times.is_empty() {
        let striker = builder.model.striker(place, Pulse { time: 0.0, duration, peak: forces[0], width: 0.0 });
        builder.locations.exciters.push(table.location());
        return add_gesture(table, builder, striker);
    }
    for (&time, peak) in times.iter().zip(forces) {
        builder.model.pulse(place.clone(), Pulse { time, duration, peak, width: 0.0 });
        builder.locations.exciters.push(table.location());
    }
    Some(())
}

fn read_mallet(table: &TableReader<'_>, times: Option<&[f64]>) -> Option<Mallet> {
    let mass = table.required_number("mass", MASS_LIMITS, "0.01");
    let retreat = table.number_or("retreat", RETREAT_LIMITS, Mallet::default().retreat);
    if !table.has("speed") {
        table.mark_missing("speed", "1.0");
    }
    let times = times?;
    let speeds = read_for_each(table, "speed", SPEED_LIMITS, times.len().max(1))?;
    let live_only = [f64::INFINITY];
    let times = if times.is_empty() { &live_only } else { times };
    let blows = times.iter().zip(speeds).map(|(&time, speed)| Blow { time, speed }).collect();
    Some(Mallet { mass, blows, retreat })
}

/// The contact of a mallet: felt where it has a restitution. Instead of a stiffness the contact time of the first blow may be given.
fn read_mallet_law(table: &TableReader<'_>, mallet: Option<&Mallet>) -> Option<Law> {
    let restitution = table.number("restitution", RESTITUTION_LIMITS);
    let default_exponent = if restitution.is_some() { Felt::default().exponent } else { Collision::default().exponent };
    let exponent = table.number_or("exponent", EXPONENT_LIMITS, default_exponent);
    let loss = table.number("loss", HUNT_CROSSLEY_LOSS_LIMITS);
    let contact_time = table.number("contact_time", CONTACT_TIME_LIMITS);
    let stiffness = match (table.has("stiffness"), contact_time) {
        (false, Some(contact_time)) => stiffness_of(contact_time, exponent, mallet?),
        (true, Some(_)) => {
            let hint = Some("keep one of them".to_owned());
            table.report("contact_time", "strike has both stiffness and contact_time".to_owned(), hint);
            return None;
        }
        (true, None) => table.number("stiffness", CONTACT_STIFFNESS_LIMITS)?,
        (false, None) => {
            if !table.has("contact_time") {
                table.mark_missing("stiffness", "1e8, or contact_time = 1e-3");
            }
            return None;
        }
    };
    match (restitution, loss) {
        (Some(_), Some(_)) => {
            let hint = Some("restitution is for felt, loss for other mallets: keep one of them".to_owned());
            table.report("loss", "strike has both restitution and loss".to_owned(), hint);
            None
        }
        (Some(restitution), None) => Some(Felt { stiffness, exponent, restitution, gap: 0.0 }.into()),
        (None, loss) => Some(Collision { stiffness, exponent, loss: loss.unwrap_or(0.0), gap: 0.0 }.into()),
    }
}

/// The stiffness with which the first blow would stay on a rigid wall for a time, without loss: the time is ∝ K^{−1/(α+1)}.
fn stiffness_of(contact_time: f64, exponent: f64, mallet: &Mallet) -> f64 {
    let speed = mallet.blows.first().map_or(1.0, |blow| blow.speed);
    // Of a stiffness at which no number is very large or small.
    let reference = mallet.mass;
    let time = Impact::new(mallet.mass, reference, exponent, 0.0, speed).map_or(contact_time, |hit| hit.contact_time());
    let stiffness = reference * (time / contact_time).powf(exponent + 1.0);
    stiffness.clamp(CONTACT_STIFFNESS_LIMITS.min, CONTACT_STIFFNESS_LIMITS.max)
}

/// Keeps a strike or pluck that is done live only, by its id.
fn add_gesture(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>, gesture: ExciterId) -> Option<()> {
    let id = table.required_string("id", "\"thumb\", the name of its target")?;
    builder.gestures.push((id.to_owned(), gesture));
    Some(())
}

pub(crate) fn read_pluck(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Option<()> {
    let defaults = Pluck::default();
    let times = read_times(table);
    let duration = table.number_or("duration", DURATION_LIMITS, defaults.duration);
    let release = table.number_or("release", DURATION_LIMITS, defaults.release);
    let place = builder.path(table);
    let count = times.as_ref().map_or(1, |times| times.len().max(1));
    let forces = match (table.has("force"), table.has("displacement")) {
        (true, true) => {
            let hint = Some("keep one of them".to_owned());
            table.report("displacement", "pluck has both force and displacement".to_owned(), hint);
            return None;
        }
        (true, false) => read_for_each(table, "force", FORCE_LIMITS, count),
        (false, true) => {
            let displacements = read_for_each(table, "displacement", DISPLACEMENT_LIMITS, count);
            let compliance = read_compliance(table, builder, place.as_ref()?)?;
            displacements.map(|list| list.into_iter().map(|displacement| displacement / compliance).collect())
        }
        (false, false) => {
            table.mark_missing("force", "1.0");
            None
        }
    };
    let (times, forces, place) = (times?, forces?, place?);
    if times.is_empty() {
        let plucker = builder.model.plucker(place, Pluck { time: 0.0, duration, release, force: forces[0] });
        return add_gesture(table, builder, plucker);
    }
    for (index, (&time, force)) in times.iter().zip(forces).enumerate() {
        builder.model.pluck(place.clone(), Pluck { time, duration, release, force });
        // The caller adds the location of one.
        if index > 0 {
            builder.locations.exciters.push(table.location());
        }
    }
    Some(())
}

/// Displacement per force at rest of the place of a pluck \[m/N\].
fn read_compliance(table: &TableReader<'_>, builder: &SceneBuilder<'_>, place: &Path) -> Option<f64> {
    let compliance = place.point().and_then(|point| string_compliance(builder, point));
    if compliance.is_none() {
        let message = "pluck.displacement needs a fixed place on a string that is held at both ends".to_owned();
        table.report("displacement", message, Some("give a force instead, as in force = 1.0".to_owned()));
    }
    compliance
}

/// x(L − x)/TL, less what bending stiffness adds: sinh βx·sinh β(L − x)/(Tβ·sinh βL) with β² = T/EI (simply supported ends).
fn string_compliance(builder: &SceneBuilder<'_>, point: Point) -> Option<f64> {
    let Element::String(string) = &builder.model.elements()[point.element.index()] else { return None };
    let percuss::Place::Along(at) = point.place else { return None };
    let is_held = string.ends.iter().all(|end| *end != percuss::End::Free);
    if !is_held || string.tension <= 0.0 || at <= 0.0 || at >= 1.0 {
        return None;
    }
    let (left, right) = (at * string.length, (1.0 - at) * string.length);
    let flexible = left * right / (string.length * string.tension);
    let bending = string.youngs_modulus * PI * string.radius.powi(4) / 4.0;
    if bending == 0.0 {
        return Some(flexible);
    }
    let beta = (string.tension / bending).sqrt();
    // sinh a·sinh b/sinh(a + b), without overflow.
    let ratio = 0.5 * (-(-2.0 * beta * left).exp_m1()) * (-(-2.0 * beta * right).exp_m1())
        / -(-2.0 * beta * string.length).exp_m1();
    Some(flexible - ratio / (beta * string.tension))
}

/// The times of a table: one, several in rising order, or none, for what is done live only.
fn read_times(table: &TableReader<'_>) -> Option<Vec<f64>> {
    if !table.has("time") {
        return Some(vec![0.0]);
    }
    let times = table.number_or_list("time", TIME_LIMITS)?;
    let report = |message: String, hint: &str| {
        table.report("time", format!("{}.time {message}", table.kind), Some(hint.to_owned()));
        None
    };
    if times.len() > MAX_TIMES {
        return report(
            format!("has {} entries, must have at most {MAX_TIMES}", times.len()),
            "as in time = [0.0, 0.5]",
        );
    }
    if let Some(pair) = times.windows(2).find(|pair| pair[0] >= pair[1]) {
        return report(format!("has {} s after {} s, must rise", pair[1], pair[0]), "sort the times");
    }
    Some(times)
}

/// A number for all events, or one for each.
fn read_for_each(table: &TableReader<'_>, field: &'static str, limits: ValueLimits, count: usize) -> Option<Vec<f64>> {
    let numbers = table.number_or_list(field, limits)?;
    match numbers[..] {
        [one] => Some(vec![one; count]),
        _ if numbers.len() == count => Some(numbers),
        _ => {
            let message = format!("{}.{field} has {} entries, but there are {count} times", table.kind, numbers.len());
            table.report(field, message, Some("one for each time, or a single number for all".to_owned()));
            None
        }
    }
}
