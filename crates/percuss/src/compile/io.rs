//! Model → inputs and outputs: forces of exciters, readings of pickups.

use crate::compile::compiler::Compiler;
use crate::control::moving_point::ForceStencil;
use crate::control::signal::Signal;
use crate::error::{Check, CompileError, Subject};
use crate::model::{Element, Exciter, Path, PathPlace, Place, Point, Quantity, Shape, Target};

/// An exciter: a force signal spread over nodes.
#[derive(Clone, Debug)]
pub(crate) struct Force {
    pub element: usize,
    pub stencil: ForceStencil,
    pub signal: Signal,
    /// Force in the current step \[N\].
    pub now: f64,
}

/// How a pickup is read.
#[derive(Clone, Debug)]
pub(crate) enum Reader {
    Displacement(Vec<(usize, f64)>),
    /// Weights on du, divided by k.
    Velocity(Vec<(usize, f64)>),
    /// Weights on du⁺ − du, multiplied by M/k².
    Inertia(Vec<(usize, f64)>),
    Interaction(usize),
    Barrier(usize),
}

impl Compiler<'_> {
    pub(crate) fn forces(&self) -> Result<Vec<Force>, CompileError> {
        let exciters = self.model.exciters.iter().enumerate();
        exciters.map(|(index, (path, exciter))| self.force(index, path, exciter)).collect()
    }

    fn force(&self, index: usize, path: &Path, exciter: &Exciter) -> Result<Force, CompileError> {
        let subject = Subject::Exciter(index);
        let signal = Signal::new(exciter, Check(subject))?;
        let width = match exciter {
            Exciter::Pulse(pulse) | Exciter::Striker(pulse) => pulse.width,
            Exciter::Drive(_) => 0.0,
        };
        let stencil = match path.place {
            PathPlace::Still(place) => {
                ForceStencil::Fixed(self.spread(Point { element: path.element, place }, width, subject)?)
            }
            PathPlace::Along(_) | PathPlace::On(_) => {
                Check(subject).that(width == 0.0, "width", width, "0 where the place moves")?;
                ForceStencil::Moving(Box::new(self.moving_point(path, subject)?))
            }
        };
        Ok(Force { element: path.element.index(), stencil, signal, now: 0.0 })
    }

    /// Nodes and weights of a force at a fixed place; `width` is a fraction of the length.
    fn spread(&self, point: Point, width: f64, subject: Subject) -> Result<Vec<(usize, f64)>, CompileError> {
        let nodes = match (self.line(point.element), point.place) {
            (Some(line), Place::Along(at)) if width * line.grid.intervals as f64 > 2.0 => {
                Check(subject).fraction("at", at)?;
                let bump: Vec<f64> = line.sample(Shape::RaisedCosine { at, width, height: 1.0 }).collect();
                let sum: f64 = bump.iter().sum();
                bump.iter().enumerate().map(|(node, value)| (line.start + node, value / sum)).collect()
            }
            _ => self.nodes_at(point, subject)?,
        };
        if nodes.is_empty() {
            return Err(CompileError::Immovable { subject, reason: "the driven point is held fast" });
        }
        Ok(nodes)
    }

    pub(crate) fn readers(&self) -> Result<Vec<Reader>, CompileError> {
        self.model.pickups.iter().enumerate().map(|(index, target)| self.reader(index, target)).collect()
    }

    fn reader(&self, index: usize, target: &Target) -> Result<Reader, CompileError> {
        let subject = Subject::Pickup(index);
        let (point, quantity) = match *target {
            Target::Force(contact) => return Ok(Reader::Interaction(contact.index())),
            Target::Point(point, quantity) => (point, quantity),
        };
        let nodes = self.nodes_at(point, subject)?;
        let scaled = |scale: f64| nodes.iter().map(|&(node, weight)| (node, weight * scale)).collect();
        let element = &self.model.elements[point.element.index()];
        match (quantity, element) {
            (Quantity::Displacement, Element::Barrier(_)) => {
                Ok(Reader::Barrier(self.barrier_of[point.element.index()].expect("a barrier is an obstacle")))
            }
            (_, Element::Barrier(_)) => Err(CompileError::Place {
                subject,
                element: "a barrier",
                expected: "only its displacement can be read; read the force of the interaction instead",
            }),
            (Quantity::Displacement, _) => Ok(Reader::Displacement(nodes)),
            (Quantity::Velocity, _) => Ok(Reader::Velocity(scaled(1.0 / self.k))),
            (Quantity::Force, Element::Mass(mass)) => Ok(Reader::Inertia(scaled(mass.mass / (self.k * self.k)))),
            (Quantity::Force, Element::String(_) | Element::Bar(_)) => {
                let (Some(line), Place::Along(at)) = (self.line(point.element), point.place) else {
                    return Ok(Reader::Displacement(Vec::new()));
                };
                let weights = line.transverse_force(at).into_iter();
                Ok(Reader::Displacement(weights.map(|(node, weight)| (line.start + node, weight)).collect()))
            }
            (Quantity::Force, Element::Modal(_) | Element::Plate(_)) => Err(CompileError::Place {
                subject,
                element: element.kind(),
                expected: "it passes no force along; read the force of the interaction instead",
            }),
        }
    }
}
