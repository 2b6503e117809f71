//! What a player needs and a scene need not have: something to strike with, something to damp with, a bow.

use percuss::{Bow, Control, Element, ElementId, Exciter, Finger, Law, Model, Path, Place, Plate, Pulse, Region};
use percuss::{Striker, Touch};

/// Where things are struck that the scene does not strike itself: off every simple node.
const ALONG: f64 = 0.29;
const ON: [f64; 2] = [0.37, 0.43];
/// Velocity that the hardest blow gives to a mass \[m/s\].
const THROW: f64 = 2.0;
/// Damping of a hand on a plate \[1/s\].
const DAMPING: f64 = 250.0;

/// What was added to a model.
pub(super) struct Extras {
    /// Elements and what strikes them.
    pub strikers: Vec<(ElementId, Striker)>,
    /// Plates and which of their touches is the player's hand.
    pub hands: Vec<(ElementId, usize)>,
}

/// Adds a striker to all that can move; a hand to plates that are touched anyway; and where nothing is bowed, a bow to
/// the first thing that can be and a hand or a finger to all that can be damped.
pub(super) fn add(model: &mut Model, elements: &[String], contacts: &mut Vec<String>) -> Extras {
    let mut extras = Extras { strikers: Vec::new(), hands: Vec::new() };
    let is_bowed = model.interactions().iter().any(|interaction| matches!(interaction.law, Law::Bow(_)));
    let mut needs_bow = !is_bowed;
    for (handle, id) in model.element_ids().zip(elements) {
        if let Some((place, hardest)) = blow(model, handle) {
            extras.strikers.push((handle, model.striker(place, hardest)));
        }
        let hand = match &model.elements()[handle.index()] {
            Element::Plate(plate) if !is_bowed || !plate.touches.is_empty() => Some((plate.touches.len(), hand(plate))),
            _ => None,
        };
        if let Some((index, hand)) = hand {
            model.touch(handle, hand);
            extras.hands.push((handle, index));
        }
        let (is_line, is_plate) =
            (is_line(model, handle), matches!(model.elements()[handle.index()], Element::Plate(_)));
        if is_line && !is_bowed {
            model.finger(handle.at(0.5), Finger { pressure: 0.0.into(), stiffness: 0.0, ..Finger::default() });
            contacts.push(format!("{id}.hand"));
        }
        if needs_bow && (is_line || is_plate) {
            let place: Path = if is_line { handle.at(0.12).into() } else { handle.on([0.5, 0.98]).into() };
            model.bow(place, Bow { force: 0.0.into(), velocity: 0.15.into(), ..Bow::default() });
            contacts.push("bow".to_owned());
            needs_bow = false;
        }
    }
    extras
}

fn is_line(model: &Model, handle: ElementId) -> bool {
    matches!(model.elements()[handle.index()], Element::String(_) | Element::Bar(_))
}

/// A hand held over the middle of a plate.
fn hand(plate: &Plate) -> Touch {
    let radius = Control::Constant(0.2 * plate.size[0].min(plate.size[1]));
    let region = Region::Circle { centre: [0.5.into(), 0.5.into()], radius };
    Touch { region, pressure: 0.0.into(), mass: 0.0, stiffness: 0.0, damping: DAMPING }
}

/// Where and how hard an element is struck: as the scene does it, where it does.
fn blow(model: &Model, handle: ElementId) -> Option<(Path, Pulse)> {
    let own = model.exciters().iter().find_map(|(path, exciter)| match exciter {
        Exciter::Pulse(pulse) if path.element == handle => Some((path.clone(), *pulse)),
        _ => None,
    });
    if let Some((path, pulse)) = own {
        return Some((path, Pulse { time: 0.0, width: 0.0, ..pulse }));
    }
    let usual = Pulse::default();
    let newtons = |peak: f64| Pulse { peak, ..usual };
    match &model.elements()[handle.index()] {
        // The impulse of a raised cosine is half its peak times its duration.
        Element::Mass(mass) => Some((handle.point().into(), newtons(2.0 * mass.mass * THROW / usual.duration))),
        Element::String(_) => Some((handle.at(ALONG).into(), newtons(2.0))),
        Element::Bar(_) => Some((handle.at(ALONG).into(), newtons(10.0))),
        Element::Plate(_) => Some((handle.on(ON).into(), newtons(20.0))),
        Element::Modal(modal) if !modal.points.is_empty() => {
            Some((percuss::Point { element: handle, place: Place::Listed(0) }.into(), newtons(1.0)))
        }
        Element::Modal(_) | Element::Barrier(_) => None,
    }
}
