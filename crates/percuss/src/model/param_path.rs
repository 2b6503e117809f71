//! Everything in a model that can be played, and how it is handed over to a player.

use crate::model::control::{Control, Param};
use crate::model::description::Model;
use crate::model::element::Element;
use crate::model::excitation::{Drive, Exciter};
use crate::model::id::{ElementId, ExciterId, InteractionId, ParamId};
use crate::model::interaction::Law;
use crate::model::path::{Path, PathPlace};
use crate::model::place::Place;
use crate::model::plate::Region;

/// A value of a model that may change in time, by where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParamPath {
    /// Force of a bow \[N\].
    Force(InteractionId),
    /// Velocity of a bow \[m/s\].
    Velocity(InteractionId),
    /// Pressure of a finger, 0 lifted, 1 full.
    Pressure(InteractionId),
    /// Place of a bow or finger: a fraction of the length, or of a plate's side 0 or 1.
    Place(InteractionId, usize),
    /// Force of a drive \[N\].
    Drive(ExciterId),
    /// Place of a pulse, drive or striker.
    ExciterPlace(ExciterId, usize),
    /// Height of a barrier \[m\].
    Height(ElementId),
    /// A part of a touch, by its position on the plate.
    Touch(ElementId, usize, TouchParam),
}

/// A value of a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TouchParam {
    /// Pressure, from 0 to 1.
    Pressure,
    /// Its centre, as a fraction of the plate's side 0 or 1.
    Centre(usize),
    /// Radius of a circle \[m\].
    Radius,
    /// Side 0 or 1 of a rectangle \[m\].
    Side(usize),
    /// Level of a half-plane, from 0 to 1.
    Level,
}

impl Model {
    /// Puts a value into a player's hands: until it is first set it goes on as described, then it is what
    /// [`Simulation::set`](crate::Simulation::set) says, within `range`, reached in straight lines of `glide` seconds.
    /// A place that stands still may move from then on. `None` where the model has no such value.
    pub fn expose(&mut self, path: ParamPath, range: [f64; 2], glide: f64) -> Option<ParamId> {
        if let Control::Param(param) = self.control_mut(path)? {
            let id = param.id();
            // A parameter copied from another model is the script of a new one.
            if self.ids.params.position(id).is_some() {
                return Some(id);
            }
        }
        let id = self.ids.params.add();
        let control = self.control_mut(path)?;
        let script = std::mem::replace(control, Control::Constant(0.0));
        *control = Control::Param(Box::new(Param::new(id, script, range, glide)));
        Some(id)
    }

    fn control_mut(&mut self, path: ParamPath) -> Option<&mut Control> {
        let Self { elements, interactions, exciters, ids, .. } = self;
        match path {
            ParamPath::Force(contact) | ParamPath::Velocity(contact) | ParamPath::Pressure(contact) => {
                match (&mut interactions[ids.interactions.position(contact)?].law, path) {
                    (Law::Bow(bow), ParamPath::Force(_)) => Some(&mut bow.force),
                    (Law::Bow(bow), ParamPath::Velocity(_)) => Some(&mut bow.velocity),
                    (Law::Finger(finger), ParamPath::Pressure(_)) => Some(&mut finger.pressure),
                    _ => None,
                }
            }
            ParamPath::Place(contact, axis) => {
                let hand = &mut interactions[ids.interactions.position(contact)?];
                if hand.above.is_none() { loosened(&mut hand.below, axis) } else { None }
            }
            ParamPath::Drive(exciter) => match &mut exciters[ids.exciters.position(exciter)?].1 {
                Exciter::Drive(Drive::Control(force)) => Some(force),
                _ => None,
            },
            ParamPath::ExciterPlace(exciter, axis) => {
                let (path, exciter) = &mut exciters[ids.exciters.position(exciter)?];
                let is_wide = matches!(exciter, Exciter::Pulse(pulse) if pulse.width > 0.0);
                if is_wide { None } else { loosened(path, axis) }
            }
            ParamPath::Height(element) => match &mut elements[ids.elements.position(element)?] {
                Element::Barrier(barrier) => Some(&mut barrier.position),
                _ => None,
            },
            ParamPath::Touch(element, touch, path) => match &mut elements[ids.elements.position(element)?] {
                Element::Plate(plate) => {
                    let touch = plate.touches.get_mut(touch)?;
                    if path == TouchParam::Pressure { Some(&mut touch.pressure) } else { part(&mut touch.region, path) }
                }
                _ => None,
            },
        }
    }
}

/// The control of a place, which may move from now on.
fn loosened(path: &mut Path, axis: usize) -> Option<&mut Control> {
    match path.place {
        PathPlace::Still(Place::Along(at)) => path.place = PathPlace::Along(at.into()),
        PathPlace::Still(Place::On(at)) => path.place = PathPlace::On(at.map(Control::from)),
        _ => {}
    }
    match &mut path.place {
        PathPlace::Along(at) if axis == 0 => Some(at),
        PathPlace::On(at) => at.get_mut(axis),
        _ => None,
    }
}

fn part(region: &mut Region, path: TouchParam) -> Option<&mut Control> {
    match (region, path) {
        (
            Region::Circle { centre, .. } | Region::OutsideCircle { centre, .. } | Region::Rectangle { centre, .. },
            TouchParam::Centre(axis),
        ) => centre.get_mut(axis),
        (Region::Circle { radius, .. } | Region::OutsideCircle { radius, .. }, TouchParam::Radius) => Some(radius),
        (Region::Rectangle { size, .. }, TouchParam::Side(axis)) => size.get_mut(axis),
        (Region::HalfPlane { level, .. }, TouchParam::Level) => Some(level),
        _ => None,
    }
}
