//! Values of a model that can be set while it runs.

use crate::model::bow_finger::Bow;
use crate::model::control::{Control, Param};
use crate::model::description::Model;
use crate::model::element::Element;
use crate::model::excitation::{Drive, Exciter};
use crate::model::id::{ElementId, ExciterId, InteractionId, ParamId};
use crate::model::interaction::{Interaction, Law};
use crate::model::path::{Path, PathPlace};
use crate::model::place::Place;
use crate::model::plate::{Region, Touch};

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
    /// Makes a value settable by [`Simulation::set`](crate::Simulation::set): until it is first set it follows its description, then
    /// it goes to each value set, within `range`, linearly in `glide` seconds. A fixed place becomes one that may move. `None` where the model has no such value.
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
            ParamPath::Force(contact) => {
                bow(interactions, ids.interactions.position(contact)?).map(|bow| &mut bow.force)
            }
            ParamPath::Velocity(contact) => {
                bow(interactions, ids.interactions.position(contact)?).map(|bow| &mut bow.velocity)
            }
            ParamPath::Pressure(contact) => {
                let Law::Finger(finger) = &mut interactions[ids.interactions.position(contact)?].law else {
                    return None;
                };
                Some(&mut finger.pressure)
            }
            ParamPath::Place(contact, axis) => {
                let hand = &mut interactions[ids.interactions.position(contact)?];
                if hand.above.is_none() { movable_control(&mut hand.below, axis) } else { None }
            }
            ParamPath::Drive(exciter) => match &mut exciters[ids.exciters.position(exciter)?].1 {
                Exciter::Drive(Drive::Control(force)) => Some(force),
                Exciter::Drive(Drive::Samples { .. })
                | Exciter::Pulse(_)
                | Exciter::Pluck(_)
                | Exciter::Striker(_)
                | Exciter::Plucker(_) => None,
            },
            ParamPath::ExciterPlace(exciter, axis) => {
                let (path, exciter) = &mut exciters[ids.exciters.position(exciter)?];
                let is_wide = matches!(exciter, Exciter::Pulse(pulse) if pulse.width > 0.0);
                if is_wide { None } else { movable_control(path, axis) }
            }
            ParamPath::Height(element) => {
                let Element::Barrier(barrier) = &mut elements[ids.elements.position(element)?] else { return None };
                Some(&mut barrier.position)
            }
            ParamPath::Touch(element, touch, param) => {
                let Element::Plate(plate) = &mut elements[ids.elements.position(element)?] else { return None };
                touch_control(plate.touches.get_mut(touch)?, param)
            }
        }
    }
}

fn bow(interactions: &mut [Interaction], index: usize) -> Option<&mut Bow> {
    if let Law::Bow(bow) = &mut interactions[index].law { Some(bow) } else { None }
}

/// The control of a place, which may move from now on.
fn movable_control(path: &mut Path, axis: usize) -> Option<&mut Control> {
    match path.place {
        PathPlace::Still(Place::Along(at)) => path.place = PathPlace::Along(at.into()),
        PathPlace::Still(Place::On(at)) => path.place = PathPlace::On(at.map(Control::from)),
        PathPlace::Still(Place::Whole | Place::Listed(_)) | PathPlace::Along(_) | PathPlace::On(_) => {}
    }
    match &mut path.place {
        PathPlace::Along(at) => (axis == 0).then_some(at),
        PathPlace::On(at) => at.get_mut(axis),
        PathPlace::Still(_) => None,
    }
}

fn touch_control(Touch { region, pressure, .. }: &mut Touch, param: TouchParam) -> Option<&mut Control> {
    match param {
        TouchParam::Pressure => Some(pressure),
        TouchParam::Centre(axis) => match region {
            Region::Circle { centre, .. } | Region::OutsideCircle { centre, .. } | Region::Rectangle { centre, .. } => {
                centre.get_mut(axis)
            }
            Region::Everywhere | Region::HalfPlane { .. } | Region::Image { .. } => None,
        },
        TouchParam::Radius => match region {
            Region::Circle { radius, .. } | Region::OutsideCircle { radius, .. } => Some(radius),
            Region::Everywhere | Region::Rectangle { .. } | Region::HalfPlane { .. } | Region::Image { .. } => None,
        },
        TouchParam::Side(axis) => {
            let Region::Rectangle { size, .. } = region else { return None };
            size.get_mut(axis)
        }
        TouchParam::Level => {
            let Region::HalfPlane { level, .. } = region else { return None };
            Some(level)
        }
    }
}
