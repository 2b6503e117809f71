//! What a person describes: elements, interactions, exciters and pickups, in SI units.
//!
//! A [`Model`] is plain data. [`Model::compile`] checks it and turns it into a
//! [`Simulation`](crate::Simulation) for one sample rate.

mod control;
mod dial;
mod element;
mod excitation;
mod hand;
mod interaction;
mod knob;
mod path;
mod plate;

pub use control::Control;
pub(crate) use control::Piece;
pub use dial::{Dial, DialId};
pub use element::{Bar, Barrier, Element, End, Mass, Modal, Mode, Shape, StiffString};
pub use excitation::{Drive, Exciter, Pulse};
pub use hand::{Bow, Finger, Friction};
pub use interaction::{Collision, Connection, Interaction, Law, Link, Spring};
pub use knob::{Knob, Striker, TouchKnob};
pub use path::{Path, PathPlace};
pub use plate::{Edge, Outline, Plate, Region, Touch};

use crate::error::CompileError;
use crate::solver::Simulation;

/// An element of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle(pub(crate) usize);

impl Handle {
    /// The element itself, where it has only one place: a mass or a barrier.
    pub fn point(self) -> Point {
        Point { element: self, place: Place::Whole }
    }
    /// A place on a string or bar, as a fraction of its length.
    pub fn at(self, fraction: f64) -> Point {
        Point { element: self, place: Place::Along(fraction) }
    }
    /// A place on a plate, as fractions of its sides.
    pub fn on(self, fractions: [f64; 2]) -> Point {
        Point { element: self, place: Place::On(fractions) }
    }
    /// The i-th point of a modal resonator.
    pub fn point_at(self, index: usize) -> Point {
        Point { element: self, place: Place::Listed(index) }
    }
    /// Position in the order of adding.
    pub fn index(self) -> usize {
        self.0
    }
}

/// Where on an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// All of it: masses and barriers.
    Whole,
    /// A fraction of the length: strings and bars.
    Along(f64),
    /// Fractions of the sides: plates.
    On([f64; 2]),
    /// One of the listed points of a modal resonator.
    Listed(usize),
}

/// A place on an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The element.
    pub element: Handle,
    /// The place on it.
    pub place: Place,
}

/// What a pickup reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Displacement \[m\].
    Displacement,
    /// Velocity \[m/s\].
    Velocity,
    /// Force \[N\]. On a string or bar the transverse force passed along, Tu′ − EIu‴; on a mass the net force Mü;
    /// on an interaction its force.
    Force,
}

/// What a pickup listens to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// A point on an element.
    Point(Point, Quantity),
    /// The force of an interaction \[N\].
    Force(Contact),
}

/// An interaction of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact(pub(crate) usize);

impl Contact {
    /// Position in the order of adding.
    pub fn index(self) -> usize {
        self.0
    }
}

/// A pickup of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pickup(pub(crate) usize);

/// How the slope g of a quadratised potential is chosen, or that the potential is solved by iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Scheme {
    /// g = ψ′(η): one linear solve, exact energy, but ψ drifts and contacts may pull.
    Plain,
    /// g aimed so that ψ stays on the potential: a fixed few linear solves, exact energy, contacts never pull.
    #[default]
    Tracked,
    /// The iterative reference: discrete gradient of the potential by damped Newton steps.
    Newton,
}

/// A scene: elements, what happens between them, what drives them and what is heard.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// How contacts are solved.
    pub scheme: Scheme,
    pub(crate) elements: Vec<Element>,
    pub(crate) interactions: Vec<Interaction>,
    pub(crate) exciters: Vec<(Path, Exciter)>,
    pub(crate) pickups: Vec<Target>,
    /// How many values are played.
    pub(crate) dials: usize,
}

impl Model {
    /// An empty model.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a mass, barrier, string, bar or modal resonator.
    pub fn add(&mut self, element: impl Into<Element>) -> Handle {
        self.elements.push(element.into());
        Handle(self.elements.len() - 1)
    }

    /// Lays something on a plate; several touches add up. Does nothing to other elements.
    pub fn touch(&mut self, plate: Handle, touch: Touch) {
        if let Some(Element::Plate(plate)) = self.elements.get_mut(plate.0) {
            plate.touches.push(touch);
        }
    }

    fn interact(&mut self, below: Point, above: Point, law: Law, distributed: bool) -> Contact {
        self.interactions.push(Interaction {
            below: below.into(),
            above: Some(above),
            law,
            distributed,
            surface: None,
        });
        Contact(self.interactions.len() - 1)
    }

    fn hold(&mut self, below: Path, law: Law) -> Contact {
        self.interactions.push(Interaction { below, above: None, law, distributed: false, surface: None });
        Contact(self.interactions.len() - 1)
    }

    /// Draws a bow across a place, which may move.
    pub fn bow(&mut self, path: impl Into<Path>, bow: Bow) -> Contact {
        self.hold(path.into(), Law::Bow(bow))
    }

    /// Lays a finger on a place, which may move.
    pub fn finger(&mut self, path: impl Into<Path>, finger: Finger) -> Contact {
        self.hold(path.into(), Law::Finger(finger))
    }

    /// Lets two points collide.
    pub fn collide(&mut self, below: Point, above: Point, law: Collision) -> Contact {
        self.interact(below, above, Law::Collision(law), false)
    }

    /// Lets two strings or bars, or one and a barrier, collide along their whole length.
    pub fn collide_along(&mut self, below: Handle, above: Handle, law: Collision) -> Contact {
        self.interact(below.point(), above.point(), Law::Collision(law), true)
    }

    /// Lets two points collide over a surface: η = below + surface − above − gap, where the surface is the height of a
    /// barrier, usually one that changes in time. Moving it does work, which is booked as supplied.
    pub fn collide_over(&mut self, surface: Handle, below: Point, above: Point, law: Collision) -> Contact {
        let contact = self.collide(below, above, law);
        self.interactions[contact.0].surface = Some(surface);
        contact
    }

    /// Connects two points, to both sides, with or without play.
    pub fn connect(&mut self, below: Point, above: Point, law: Connection) -> Contact {
        self.interact(below, above, Law::Connection(law), false)
    }

    /// Puts a spring between two points.
    pub fn spring(&mut self, below: Point, above: Point, law: Spring) -> Contact {
        self.interact(below, above, Law::Spring(law), false)
    }

    /// Links two points by friction proportional to velocity.
    pub fn link(&mut self, below: Point, above: Point, law: Link) -> Contact {
        self.interact(below, above, Law::Link(law), false)
    }

    /// Strikes a point, or along a path, with a force pulse.
    pub fn pulse(&mut self, place: impl Into<Path>, pulse: Pulse) {
        self.exciters.push((place.into(), Exciter::Pulse(pulse)));
    }

    /// Drives a point, or along a path, with a force.
    pub fn drive(&mut self, place: impl Into<Path>, drive: Drive) {
        self.exciters.push((place.into(), Exciter::Drive(drive)));
    }

    /// Listens at a point.
    pub fn pickup(&mut self, point: Point, quantity: Quantity) -> Pickup {
        self.listen(Target::Point(point, quantity))
    }

    /// Listens to the force of an interaction.
    pub fn force_pickup(&mut self, contact: Contact) -> Pickup {
        self.listen(Target::Force(contact))
    }

    fn listen(&mut self, target: Target) -> Pickup {
        self.pickups.push(target);
        Pickup(self.pickups.len() - 1)
    }

    /// The elements, in the order of adding.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// The interactions, in the order of adding.
    pub fn interactions(&self) -> &[Interaction] {
        &self.interactions
    }

    /// Checks everything, chooses grids, sizes all memory: after this nothing can fail.
    ///
    /// # Errors
    /// Any parameter out of range, a grid too fine for the rate, a contact that nothing can answer.
    pub fn compile(&self, sample_rate: f64) -> Result<Simulation, CompileError> {
        crate::solver::compile(self, sample_rate)
    }
}
