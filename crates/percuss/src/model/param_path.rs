//! Everything in a model that can be played, and how it is handed over to a player.

use crate::model::control::{Control, Param, ParamId};
use crate::model::description::Model;
use crate::model::element::Element;
use crate::model::excitation::{Drive, Exciter, Pulse};
use crate::model::id::{ElementId, InteractionId};
use crate::model::interaction::Law;
use crate::model::path::{Path, PathPlace};
use crate::model::place::Place;
use crate::model::plate::Region;

/// A value of a model that may change in time, by where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamPath {
    /// Force of a bow \[N\].
    Force(InteractionId),
    /// Velocity of a bow \[m/s\].
    Velocity(InteractionId),
    /// Pressure of a finger, 0 lifted, 1 full.
    Pressure(InteractionId),
    /// Place of a bow or finger: a fraction of the length, or of a plate's side 0 or 1.
    Place(InteractionId, usize),
    /// Force of a drive \[N\], by its position among pulses, drives and strikers.
    Drive(usize),
    /// Place of a pulse, drive or striker.
    ExciterPlace(usize, usize),
    /// Height of a barrier \[m\].
    Height(ElementId),
    /// A part of a touch, by its position on the plate.
    Touch(ElementId, usize, TouchParam),
}

/// A value of a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// What strikes when it is told to. See [`Model::striker`] and [`Simulation::strike`](crate::Simulation::strike).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Striker(pub(crate) usize);

impl Striker {
    /// Position among pulses, drives and strikers.
    pub fn index(self) -> usize {
        self.0
    }
}

impl Model {
    /// Puts a value into a player's hands: until it is first set it goes on as described, then it is what
    /// [`Simulation::set`](crate::Simulation::set) says, within `range`, reached in straight lines of `glide` seconds.
    /// A place that stands still may move from then on. `None` where the model has no such value.
    pub fn expose(&mut self, path: ParamPath, range: [f64; 2], glide: f64) -> Option<ParamId> {
        let id = ParamId(self.params);
        let control = self.control_mut(path)?;
        if let Control::Param(param) = control {
            return Some(param.id());
        }
        let script = std::mem::replace(control, Control::Constant(0.0));
        *control = Control::Param(Box::new(Param::new(id, script, range, glide)));
        self.params += 1;
        Some(id)
    }

    /// Adds what strikes a place when it is told to, at most with the pulse's peak. Its time does not matter.
    pub fn striker(&mut self, place: impl Into<Path>, hardest: Pulse) -> Striker {
        self.exciters.push((place.into(), Exciter::Striker(hardest)));
        Striker(self.exciters.len() - 1)
    }

    /// Handles of the elements, in the order of adding.
    pub fn element_ids(&self) -> impl Iterator<Item = ElementId> + use<> {
        (0..self.elements.len()).map(ElementId)
    }

    /// The interactions as they were named when added, in that order.
    pub fn interaction_ids(&self) -> impl Iterator<Item = InteractionId> + use<> {
        (0..self.interactions.len()).map(InteractionId)
    }

    /// The forces from outside and where they act, in the order of adding.
    pub fn exciters(&self) -> &[(Path, Exciter)] {
        &self.exciters
    }

    fn control_mut(&mut self, path: ParamPath) -> Option<&mut Control> {
        match path {
            ParamPath::Force(contact) | ParamPath::Velocity(contact) | ParamPath::Pressure(contact) => {
                match (&mut self.interactions.get_mut(contact.0)?.law, path) {
                    (Law::Bow(bow), ParamPath::Force(_)) => Some(&mut bow.force),
                    (Law::Bow(bow), ParamPath::Velocity(_)) => Some(&mut bow.velocity),
                    (Law::Finger(finger), ParamPath::Pressure(_)) => Some(&mut finger.pressure),
                    _ => None,
                }
            }
            ParamPath::Place(contact, axis) => {
                let hand = self.interactions.get_mut(contact.0).filter(|hand| hand.above.is_none())?;
                loosened(&mut hand.below, axis)
            }
            ParamPath::Drive(index) => match &mut self.exciters.get_mut(index)?.1 {
                Exciter::Drive(Drive::Control(force)) => Some(force),
                _ => None,
            },
            ParamPath::ExciterPlace(index, axis) => {
                let (path, exciter) = self.exciters.get_mut(index)?;
                let is_wide = matches!(exciter, Exciter::Pulse(pulse) if pulse.width > 0.0);
                if is_wide { None } else { loosened(path, axis) }
            }
            ParamPath::Height(handle) => match self.elements.get_mut(handle.0)? {
                Element::Barrier(barrier) => Some(&mut barrier.position),
                _ => None,
            },
            ParamPath::Touch(handle, touch, path) => match self.elements.get_mut(handle.0)? {
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
