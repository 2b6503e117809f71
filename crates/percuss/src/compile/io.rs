//! Model → inputs and outputs: forces of exciters, readings of pickups.

use crate::compile::compiler::Compiler;
use crate::control::moving_point::{ForceStencil, MovingPoint};
use crate::control::signal::Signal;
use crate::element::body::{NodeReader, WeightedNodes};
use crate::element::weighted_span::WeightedRead;
use crate::error::{Check, CompileError, Subject};
use crate::model::{Exciter, Path, PathPlace, PickupTarget, Point};

/// An exciter: a force signal spread over nodes.
#[derive(Clone, Debug)]
pub(crate) struct ExciterForce {
    pub element: usize,
    pub stencil: ForceStencil,
    pub signal: Signal,
    /// Force in the current step \[N\].
    pub value: f64,
    /// Whether what it acts on is not there.
    pub is_suspended: bool,
}

/// How a pickup is read.
#[derive(Clone, Debug)]
pub(crate) enum PickupReader {
    Displacement(WeightedRead),
    /// Weights on du, divided by k.
    Velocity(WeightedRead),
    /// Weights on du⁺ − du, multiplied by M/k².
    Inertia(WeightedNodes),
    /// The prescribed height of an element, by its index.
    Height(usize),
    /// The force of an interaction, by its index.
    Interaction(usize),
}

impl PickupReader {
    /// Whether it reads both du and du⁺.
    pub fn needs_previous(&self) -> bool {
        matches!(self, Self::Inertia(_))
    }
}

impl Compiler<'_> {
    pub(crate) fn forces(&self) -> Result<Vec<ExciterForce>, CompileError> {
        let exciters = self.model.exciters.iter().enumerate();
        exciters.map(|(index, (path, exciter))| self.force(index, path, exciter)).collect()
    }

    fn force(&self, index: usize, path: &Path, exciter: &Exciter) -> Result<ExciterForce, CompileError> {
        let subject = Subject::Exciter(index);
        let signal = Signal::new(exciter, Check(subject))?;
        let width = match exciter {
            Exciter::Pulse(pulse) | Exciter::Striker(pulse) => pulse.width,
            Exciter::Pluck(_) | Exciter::Plucker(_) | Exciter::Drive(_) => 0.0,
        };
        let stencil = match path.place {
            PathPlace::Still(place) => {
                ForceStencil::Fixed(self.spread(Point { element: path.element, place }, width, subject)?)
            }
            PathPlace::Along(_) | PathPlace::On(_) => {
                Check(subject).require(width == 0.0, "width", width, "0 where the place moves")?;
                ForceStencil::Moving(Box::new(self.moving_point(path, subject)?))
            }
        };
        Ok(ExciterForce { element: path.element.index(), stencil, signal, value: 0.0, is_suspended: false })
    }

    /// Nodes and weights of a force at a fixed place; `width` is a fraction of the length.
    fn spread(&self, point: Point, width: f64, subject: Subject) -> Result<WeightedNodes, CompileError> {
        let (body, user) = self.body(point.element, subject);
        let nodes = body.spread(point.place, width, user)?;
        if nodes.is_empty() {
            return Err(CompileError::Immovable { subject, reason: "the driven point is held fast" });
        }
        Ok(nodes)
    }

    /// The moving point of a path over an element.
    pub(crate) fn moving_point(&self, path: &Path, subject: Subject) -> Result<MovingPoint, CompileError> {
        let (body, user) = self.body(path.element, subject);
        let moving_point = body.moving_point(&path.place, user)?;
        if !moving_point.reaches_place_that_moves(&self.state.inverse_mass) {
            return Err(CompileError::Immovable { subject, reason: "the whole path is held fast" });
        }
        Ok(moving_point)
    }

    pub(crate) fn readers(&self) -> Result<Vec<PickupReader>, CompileError> {
        self.model.pickups.iter().enumerate().map(|(index, target)| self.reader(index, target)).collect()
    }

    fn reader(&self, index: usize, target: &PickupTarget) -> Result<PickupReader, CompileError> {
        match *target {
            PickupTarget::Force(contact) => Ok(PickupReader::Interaction(contact.index())),
            PickupTarget::Point(Point { element, place }, quantity) => {
                let (body, user) = self.body(element, Subject::Pickup(index));
                let read = |nodes| WeightedRead::new(nodes, &self.state);
                Ok(match body.reader(place, quantity, self.k, user)? {
                    NodeReader::Displacement(nodes) => PickupReader::Displacement(read(nodes)),
                    NodeReader::Velocity(nodes) => PickupReader::Velocity(read(nodes)),
                    NodeReader::Inertia(nodes) => PickupReader::Inertia(nodes),
                    NodeReader::Height => PickupReader::Height(element.index()),
                })
            }
        }
    }
}
