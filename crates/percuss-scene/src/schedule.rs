//! When the last of what a scene schedules is over: breakpoints of controls, pulses, plucks, drives, and
//! masses that come. What begins after the end of the scene.

use percuss::{Control, Drive, Element, Exciter, Interaction, Law, Model, Path, PathPlace, Region, Subject, Touch};

/// Time after which nothing changes from outside any more \[s\].
pub(crate) fn last_event(model: &Model) -> f64 {
    let elements = model.elements().iter().map(element_end);
    let interactions = model.interactions().iter().map(interaction_end);
    let exciters = model.exciters().iter().map(|(path, exciter)| path_end(path).max(exciter_end(exciter)));
    elements.chain(interactions).chain(exciters).fold(0.0, f64::max)
}

/// What begins at or after a time \[s\], each with the field of its table that says so, and when it begins \[s\].
pub(crate) fn late_starts(model: &Model, end: f64) -> Vec<(Subject, &'static str, f64)> {
    let elements = model.elements().iter().enumerate().filter_map(|(index, element)| match element {
        Element::Mass(mass) => Some((Subject::Element(index), "start", mass.start)),
        Element::Mallet(mallet) => mallet.blows.last().map(|blow| (Subject::Element(index), "time", blow.time)),
        Element::Barrier(_) | Element::String(_) | Element::Bar(_) | Element::Modal(_) | Element::Plate(_) => None,
    });
    let exciters = model.exciters().iter().enumerate().filter_map(|(index, (_, exciter))| match exciter {
        Exciter::Pulse(pulse) => Some((Subject::Exciter(index), "time", pulse.time)),
        // It sounds when it lets go.
        Exciter::Pluck(pluck) => Some((Subject::Exciter(index), "time", pluck.time + pluck.duration)),
        Exciter::Drive(_) | Exciter::Striker(_) => None,
    });
    elements.chain(exciters).filter(|&(_, _, start)| start >= end).collect()
}

fn control_end(control: &Control) -> f64 {
    control.times().last().copied().unwrap_or(0.0)
}

fn last<'a>(controls: impl IntoIterator<Item = &'a Control>) -> f64 {
    controls.into_iter().map(control_end).fold(0.0, f64::max)
}

fn element_end(element: &Element) -> f64 {
    match element {
        Element::Mass(mass) => mass.start,
        Element::Mallet(mallet) => mallet.blows.last().map_or(0.0, |blow| blow.time),
        Element::Barrier(barrier) => control_end(&barrier.position),
        Element::Plate(plate) => plate.touches.iter().map(touch_end).fold(0.0, f64::max),
        _ => 0.0,
    }
}

fn touch_end(touch: &Touch) -> f64 {
    let region = match &touch.region {
        Region::Circle { centre, radius } | Region::OutsideCircle { centre, radius } => {
            last(centre.iter().chain([radius]))
        }
        Region::Rectangle { centre, size } => last(centre.iter().chain(size)),
        Region::HalfPlane { level, .. } => control_end(level),
        Region::Everywhere | Region::Image { .. } => 0.0,
    };
    region.max(control_end(&touch.pressure))
}

fn path_end(path: &Path) -> f64 {
    match &path.place {
        PathPlace::Still(_) => 0.0,
        PathPlace::Along(place) => control_end(place),
        PathPlace::On(places) => last(places),
    }
}

fn interaction_end(interaction: &Interaction) -> f64 {
    let law = match &interaction.law {
        Law::Bow(bow) => last([&bow.force, &bow.velocity]),
        Law::Finger(finger) => control_end(&finger.pressure),
        _ => 0.0,
    };
    law.max(path_end(&interaction.below))
}

fn exciter_end(exciter: &Exciter) -> f64 {
    match exciter {
        Exciter::Pulse(pulse) => pulse.time + pulse.duration,
        Exciter::Pluck(pluck) => pluck.end(),
        Exciter::Drive(Drive::Control(force)) => control_end(force),
        Exciter::Drive(Drive::Samples { rate, values }) => values.len() as f64 / rate,
        Exciter::Striker(_) => 0.0,
    }
}
