//! The model: elements, interactions, exciters and pickups in the order of adding.

use crate::error::{CompileError, Subject};
use crate::model::bow_finger::{Bow, Finger};
use crate::model::element::Element;
use crate::model::excitation::{Drive, Exciter, Pluck, Pulse};
use crate::model::id::{ElementId, ExciterId, Ids, InteractionId, PickupId};
use crate::model::interaction::{Cavity, Collision, Connection, Damper, Interaction, Law, Spring};
use crate::model::path::Path;
use crate::model::pickup::{PickupTarget, Quantity};
use crate::model::place::Point;
use crate::model::plate::Touch;
use crate::model::scheme::Scheme;

/// A scene: elements, interactions, exciters and pickups.
///
/// Adding a part returns its id. An id of another model is refused: by [`compile`](Self::compile), as
/// [`CompileError::ForeignId`], and by every method of the [`Simulation`](crate::Simulation). A clone has the same parts and knows
/// their ids; what is added to one of the two afterwards is foreign to the other.
///
/// Two models are equal if the same was added to them in the same order.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// How contacts are solved.
    pub scheme: Scheme,
    /// Whether sums have one order on all processors, of four numbers at a time, so that samples have the same bits. Otherwise they differ by
    /// rounding between processors with other vectors. Elementary functions, as the sine, are those of the system in any case.
    pub portable: bool,
    pub(crate) elements: Vec<Element>,
    pub(crate) interactions: Vec<Interaction>,
    pub(crate) exciters: Vec<(Path, Exciter)>,
    pub(crate) pickups: Vec<PickupTarget>,
    pub(crate) ids: Ids,
}

impl Model {
    /// An empty model.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a mass, barrier, string, bar or modal resonator.
    pub fn add(&mut self, element: impl Into<Element>) -> ElementId {
        self.elements.push(element.into());
        self.ids.elements.add()
    }

    /// Adds a touch to a plate and returns its position among the plate's touches, which add up.
    ///
    /// # Errors
    /// The element is not a plate, or belongs to another model.
    pub fn touch(&mut self, plate: ElementId, touch: Touch) -> Result<usize, CompileError> {
        let index = self.ids.elements.position(plate).ok_or(CompileError::ForeignId { subject: Subject::Model })?;
        let element = &mut self.elements[index];
        let Element::Plate(plate) = element else {
            let (subject, element) = (Subject::Element(index), element.kind());
            return Err(CompileError::Place { subject, element, expected: "only plates can be touched" });
        };
        plate.touches.push(touch);
        Ok(plate.touches.len() - 1)
    }

    /// Lets a law act between two points: any of the built-in ones, one of [`laws`](crate::laws) or your own
    /// [`CustomLaw`](crate::CustomLaw).
    pub fn interact(&mut self, below: Point, above: Point, law: impl Into<Law>) -> InteractionId {
        self.add_interaction(below.into(), Some(above), law.into())
    }

    fn add_interaction(&mut self, below: Path, above: Option<Point>, law: Law) -> InteractionId {
        self.interactions.push(Interaction { below, above, law, distributed: false, line: None, surface: None });
        self.ids.interactions.add()
    }

    /// Adds a bow at a place, which may move.
    pub fn bow(&mut self, path: impl Into<Path>, bow: Bow) -> InteractionId {
        self.add_interaction(path.into(), None, Law::Bow(bow))
    }

    /// Adds a finger at a place, which may move.
    pub fn finger(&mut self, path: impl Into<Path>, finger: Finger) -> InteractionId {
        self.add_interaction(path.into(), None, Law::Finger(finger))
    }

    /// Lets the tension of a string or bar rise with its length, and that of a membrane with its area, as they do where both ends or all
    /// edges are held and do not give way: large vibrations are sharper than small ones (Kirchhoff 1876, Carrier 1945, Berger 1955).
    pub fn modulate_tension(&mut self, element: ElementId) -> InteractionId {
        self.add_interaction(element.point().into(), None, Law::TensionModulation)
    }

    /// Lets the tension of two strings or bars rise with the sum of their elongations: they are the two polarisations of one string, which
    /// moves up and down as the first and sideways as the second. Plucked at a slant, it whirls.
    pub fn share_tension(&mut self, upright: ElementId, sideways: ElementId) -> InteractionId {
        self.add_interaction(upright.point().into(), Some(sideways.point()), Law::TensionModulation)
    }

    /// Lets bending stretch a plate, as it does where it bends by more than a part of its thickness: large vibrations are sharper than
    /// small ones, and pass energy on from low partials to high ones (von Kármán 1910). The plate is stepped on its grid.
    pub fn stretch_by_bending(&mut self, plate: ElementId) -> InteractionId {
        self.add_interaction(plate.point().into(), None, Law::VonKarman)
    }

    /// Lets two points collide.
    pub fn collide(&mut self, below: Point, above: Point, law: Collision) -> InteractionId {
        self.interact(below, above, law)
    }

    /// Lets two strings or bars, or one and a barrier, collide along their whole length.
    pub fn collide_along(&mut self, below: ElementId, above: ElementId, law: Collision) -> InteractionId {
        let contact = self.collide(below.point(), above.point(), law);
        self.interactions[contact.index()].distributed = true;
        contact
    }

    /// Lets a string or bar and a plate collide along a line on the plate, from one end of the string to the other. The ends of the line
    /// are fractions of the plate's sides.
    pub fn collide_on_line(
        &mut self,
        below: ElementId,
        above: ElementId,
        ends: [[f64; 2]; 2],
        law: Collision,
    ) -> InteractionId {
        let contact = self.collide_along(below, above, law);
        self.interactions[contact.index()].line = Some(ends);
        contact
    }

    /// Lets two points collide over a surface: η = below + surface − above − gap, where the surface is the height of a
    /// barrier, usually one that changes in time. Moving it does work, which counts as supplied.
    pub fn collide_over(&mut self, surface: ElementId, below: Point, above: Point, law: Collision) -> InteractionId {
        let contact = self.collide(below, above, law);
        self.interactions[contact.index()].surface = Some(surface);
        contact
    }

    /// Encloses air between two plates or membranes, or one and a barrier.
    pub fn enclose(&mut self, below: ElementId, above: ElementId, cavity: Cavity) -> InteractionId {
        self.interact(below.point(), above.point(), cavity)
    }

    /// Connects two points, to both sides, with or without play.
    pub fn connect(&mut self, below: Point, above: Point, law: Connection) -> InteractionId {
        self.interact(below, above, law)
    }

    /// Puts a spring between two points.
    pub fn spring(&mut self, below: Point, above: Point, law: Spring) -> InteractionId {
        self.interact(below, above, law)
    }

    /// Joins two points by a force proportional to their relative velocity.
    pub fn damper(&mut self, below: Point, above: Point, law: Damper) -> InteractionId {
        self.interact(below, above, law)
    }

    /// Strikes a point, or along a path, with a force pulse.
    pub fn pulse(&mut self, place: impl Into<Path>, pulse: Pulse) -> ExciterId {
        self.add_exciter(place.into(), Exciter::Pulse(pulse))
    }

    /// Plucks a point: pulls it aside and lets go.
    pub fn pluck(&mut self, place: impl Into<Path>, pluck: Pluck) -> ExciterId {
        self.add_exciter(place.into(), Exciter::Pluck(pluck))
    }

    /// Drives a point, or along a path, with a force.
    pub fn drive(&mut self, place: impl Into<Path>, drive: Drive) -> ExciterId {
        self.add_exciter(place.into(), Exciter::Drive(drive))
    }

    /// Adds a striker, which is triggered by [`Simulation::strike`](crate::Simulation::strike) with up to the peak of
    /// the pulse. The pulse's time is ignored.
    pub fn striker(&mut self, place: impl Into<Path>, strongest: Pulse) -> ExciterId {
        self.add_exciter(place.into(), Exciter::Striker(strongest))
    }

    /// Adds a striker that plucks: [`Simulation::strike`](crate::Simulation::strike) triggers it with up to the force of the pluck,
    /// whose time is ignored.
    pub fn plucker(&mut self, place: impl Into<Path>, strongest: Pluck) -> ExciterId {
        self.add_exciter(place.into(), Exciter::Plucker(strongest))
    }

    fn add_exciter(&mut self, place: Path, exciter: Exciter) -> ExciterId {
        self.exciters.push((place, exciter));
        self.ids.exciters.add()
    }

    /// Adds a pickup at a point.
    pub fn pickup(&mut self, point: Point, quantity: Quantity) -> PickupId {
        self.add_pickup(PickupTarget::Point(point, quantity))
    }

    /// Adds a pickup of the force of an interaction.
    pub fn force_pickup(&mut self, contact: InteractionId) -> PickupId {
        self.add_pickup(PickupTarget::Force(contact))
    }

    fn add_pickup(&mut self, target: PickupTarget) -> PickupId {
        self.pickups.push(target);
        self.ids.pickups.add()
    }

    /// The elements, in the order of adding.
    #[must_use]
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// The interactions, in the order of adding.
    #[must_use]
    pub fn interactions(&self) -> &[Interaction] {
        &self.interactions
    }

    /// The forces from outside and where they act, in the order of adding.
    #[must_use]
    pub fn exciters(&self) -> &[(Path, Exciter)] {
        &self.exciters
    }

    /// Ids of the elements, in the order of adding.
    pub fn element_ids(&self) -> impl Iterator<Item = ElementId> + use<> {
        self.ids.elements.iter()
    }

    /// Ids of the interactions, in the order of adding.
    pub fn interaction_ids(&self) -> impl Iterator<Item = InteractionId> + use<> {
        self.ids.interactions.iter()
    }

    /// Ids of the exciters, in the order of adding.
    pub fn exciter_ids(&self) -> impl Iterator<Item = ExciterId> + use<> {
        self.ids.exciters.iter()
    }
}
