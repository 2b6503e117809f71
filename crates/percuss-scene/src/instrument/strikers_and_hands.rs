//! Strikers, a bow and damping hands, added to scenes that lack them so that they can be played.

use percuss::{Bow, Control, Element, ElementId, Exciter, Finger, Law, Model, Path, Place, Plate, Pulse, Region};
use percuss::{ExciterId, Touch};

/// Place of a strike on elements without a pulse of their own: not at a node of a low mode.
const STRIKE_ALONG: f64 = 0.29;
const STRIKE_ON_PLATE: [f64; 2] = [0.37, 0.43];
/// Velocity that the hardest strike gives to a mass \[m/s\].
const STRIKE_VELOCITY: f64 = 2.0;
/// Damping of a hand on a plate \[1/s\].
const HAND_DAMPING: f64 = 250.0;

/// Strikers and hands that were added to a model.
#[derive(Default)]
pub(super) struct StrikersAndHands {
    /// Elements and their strikers.
    pub strikers: Vec<(ElementId, ExciterId)>,
    /// Plates and the index of the touch that is the damping hand.
    pub hand_touches: Vec<(ElementId, usize)>,
}

/// Adds a striker to every element that can move and a damping hand to every plate that has touches. In a scene without
/// a bow, adds a bow to the first string, bar or plate, and a damping hand or finger to each of them.
pub(super) fn add_to(model: &mut Model, elements: &[String], interactions: &mut Vec<String>) -> StrikersAndHands {
    let mut added = StrikersAndHands { strikers: Vec::new(), hand_touches: Vec::new() };
    let is_bowed = model.interactions().iter().any(|interaction| matches!(interaction.law, Law::Bow(_)));
    let mut needs_bow = !is_bowed;
    for (element, id) in model.element_ids().zip(elements) {
        if let Some((place, pulse)) = hardest_strike(model, element) {
            added.strikers.push((element, model.striker(place, pulse)));
        }
        let touch = match &model.elements()[element.index()] {
            Element::Plate(plate) if !is_bowed || !plate.touches.is_empty() => Some(hand_touch(plate)),
            _ => None,
        };
        if let Some(Ok(index)) = touch.map(|touch| model.touch(element, touch)) {
            added.hand_touches.push((element, index));
        }
        let (is_line, is_plate) =
            (is_line(model, element), matches!(model.elements()[element.index()], Element::Plate(_)));
        if is_line && !is_bowed {
            model.finger(element.at(0.5), Finger { pressure: 0.0.into(), stiffness: 0.0, ..Finger::default() });
            interactions.push(format!("{id}.hand"));
        }
        if needs_bow && (is_line || is_plate) {
            let place: Path = if is_line { element.at(0.12).into() } else { element.on([0.5, 0.98]).into() };
            model.bow(place, Bow { force: 0.0.into(), velocity: 0.15.into(), ..Bow::default() });
            interactions.push("bow".to_owned());
            needs_bow = false;
        }
    }
    added
}

fn is_line(model: &Model, element: ElementId) -> bool {
    matches!(model.elements()[element.index()], Element::String(_) | Element::Bar(_))
}

/// A hand over the centre of a plate, without pressure.
fn hand_touch(plate: &Plate) -> Touch {
    let radius = Control::Constant(0.2 * plate.size[0].min(plate.size[1]));
    let region = Region::Circle { centre: [0.5.into(), 0.5.into()], radius };
    Touch { region, pressure: 0.0.into(), mass: 0.0, stiffness: 0.0, damping: HAND_DAMPING }
}

/// Place and pulse of the hardest strike: those of the scene's own pulse on the element, if it has one.
fn hardest_strike(model: &Model, element: ElementId) -> Option<(Path, Pulse)> {
    let scene_pulse = model.exciters().iter().find_map(|(path, exciter)| match exciter {
        Exciter::Pulse(pulse) if path.element == element => Some((path.clone(), *pulse)),
        _ => None,
    });
    if let Some((path, pulse)) = scene_pulse {
        return Some((path, Pulse { time: 0.0, width: 0.0, ..pulse }));
    }
    let defaults = Pulse::default();
    let pulse_with_peak = |peak: f64| Pulse { peak, ..defaults };
    match &model.elements()[element.index()] {
        // The impulse of a raised cosine is half its peak times its duration.
        Element::Mass(mass) => {
            Some((element.point().into(), pulse_with_peak(2.0 * mass.mass * STRIKE_VELOCITY / defaults.duration)))
        }
        Element::String(_) => Some((element.at(STRIKE_ALONG).into(), pulse_with_peak(2.0))),
        Element::Bar(_) => Some((element.at(STRIKE_ALONG).into(), pulse_with_peak(10.0))),
        Element::Plate(_) => Some((element.on(STRIKE_ON_PLATE).into(), pulse_with_peak(20.0))),
        Element::Modal(modal) if !modal.points.is_empty() => {
            Some((percuss::Point { element, place: Place::Listed(0) }.into(), pulse_with_peak(1.0)))
        }
        Element::Modal(_) | Element::Mallet(_) | Element::Barrier(_) => None,
    }
}
