//! Models that are built in Python.

pub mod choices;
pub mod control;
pub mod descriptions;
pub mod fields;

use crate::errors::{compile_error, value_error};
use crate::ids::{ElementId, ExciterId, InteractionId, ParamId, PickupId, Point};
use crate::simulation::{Parts, Simulation};
use choices::{Drive, ParamPath, Quantity, Scheme};
use control::path;
use descriptions::{
    Bar, Barrier, Bow, Cavity, Collision, Connection, Damper, Felt, Finger, Mallet, Mass, Modal, Plate, Pluck, Pulse,
    Spring, StiffString, Touch,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// A model: elements, interactions, exciters and pickups, in SI units.
#[pyclass(module = "percuss")]
#[derive(Default)]
pub struct Model {
    model: percuss::Model,
    pickups: Vec<percuss::PickupId>,
}

/// The first of the types that a value has.
macro_rules! one_of {
    ($value:expr, $what:literal, [$($kind:ident),*], $use:expr) => {{
        let value: &Bound<'_, PyAny> = $value;
        $(if let Ok(described) = value.extract::<$kind>() {
            return Ok($use(described.0.into()));
        })*
        let names = [$(stringify!($kind)),*].join(", ");
        let found = value.get_type();
        Err(PyTypeError::new_err(format!("found {found}, must be {}\n  hint: use one of {names}", $what)))
    }};
}

#[pymethods]
impl Model {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// How contacts are solved.
    #[getter]
    fn scheme(&self) -> Scheme {
        self.model.scheme.into()
    }

    #[setter]
    fn set_scheme(&mut self, scheme: Scheme) {
        self.model.scheme = scheme.into();
    }

    /// Whether sums have one order on all processors.
    #[getter]
    fn portable(&self) -> bool {
        self.model.portable
    }

    #[setter]
    fn set_portable(&mut self, portable: bool) {
        self.model.portable = portable;
    }

    /// Adds a mass, mallet, barrier, string, bar, plate or modal resonator.
    fn add(&mut self, element: &Bound<'_, PyAny>) -> PyResult<ElementId> {
        let mut add = |element: percuss::Element| ElementId(self.model.add(element));
        one_of!(element, "an element", [Mass, Mallet, Barrier, StiffString, Bar, Modal, Plate], add)
    }

    /// Adds a touch to a plate and returns its position among the plate's touches.
    fn touch(&mut self, py: Python<'_>, plate: ElementId, touch: Touch) -> PyResult<usize> {
        self.model.touch(plate.0, touch.0).map_err(|error| compile_error(py, &error))
    }

    /// Lets a law act between two points.
    fn interact(&mut self, below: Point, above: Point, law: &Bound<'_, PyAny>) -> PyResult<InteractionId> {
        let mut add = |law: percuss::Law| InteractionId(self.model.interact(below.0, above.0, law));
        one_of!(law, "a law", [Collision, Connection, Spring, Damper, Felt], add)
    }

    /// Lets two points collide.
    fn collide(&mut self, below: Point, above: Point, law: Collision) -> InteractionId {
        InteractionId(self.model.collide(below.0, above.0, law.0))
    }

    /// Lets two strings or bars, or one and a barrier, collide along their whole length.
    fn collide_along(&mut self, below: ElementId, above: ElementId, law: Collision) -> InteractionId {
        InteractionId(self.model.collide_along(below.0, above.0, law.0))
    }

    /// Lets a string or bar and a plate collide along a line on the plate, whose ends are fractions of its sides.
    fn collide_on_line(
        &mut self,
        below: ElementId,
        above: ElementId,
        ends: [[f64; 2]; 2],
        law: Collision,
    ) -> InteractionId {
        InteractionId(self.model.collide_on_line(below.0, above.0, ends, law.0))
    }

    /// Lets two points collide over a surface, which is the height of a barrier.
    fn collide_over(&mut self, surface: ElementId, below: Point, above: Point, law: Collision) -> InteractionId {
        InteractionId(self.model.collide_over(surface.0, below.0, above.0, law.0))
    }

    /// Connects two points, to both sides.
    fn connect(&mut self, below: Point, above: Point, law: Connection) -> InteractionId {
        InteractionId(self.model.connect(below.0, above.0, law.0))
    }

    /// Puts a spring between two points.
    fn spring(&mut self, below: Point, above: Point, law: Spring) -> InteractionId {
        InteractionId(self.model.spring(below.0, above.0, law.0))
    }

    /// Joins two points by a force proportional to their relative velocity.
    fn damper(&mut self, below: Point, above: Point, law: Damper) -> InteractionId {
        InteractionId(self.model.damper(below.0, above.0, law.0))
    }

    /// Encloses air between two plates or membranes, or one and a barrier.
    fn enclose(&mut self, below: ElementId, above: ElementId, cavity: Cavity) -> InteractionId {
        InteractionId(self.model.enclose(below.0, above.0, cavity.0))
    }

    /// Lets the tension of a string or bar rise with its length, or that of a membrane with its area.
    fn modulate_tension(&mut self, element: ElementId) -> InteractionId {
        InteractionId(self.model.modulate_tension(element.0))
    }

    /// Lets the tension of two strings rise with the sum of their elongations: they are the polarisations of one.
    fn share_tension(&mut self, upright: ElementId, sideways: ElementId) -> InteractionId {
        InteractionId(self.model.share_tension(upright.0, sideways.0))
    }

    /// Adds a bow at a place, which may move.
    fn bow(&mut self, place: &Bound<'_, PyAny>, bow: Bow) -> PyResult<InteractionId> {
        Ok(InteractionId(self.model.bow(path(place)?, bow.0)))
    }

    /// Adds a finger at a place, which may move.
    fn finger(&mut self, place: &Bound<'_, PyAny>, finger: Finger) -> PyResult<InteractionId> {
        Ok(InteractionId(self.model.finger(path(place)?, finger.0)))
    }

    /// Strikes a place with a force pulse.
    fn pulse(&mut self, place: &Bound<'_, PyAny>, pulse: Pulse) -> PyResult<ExciterId> {
        Ok(ExciterId(self.model.pulse(path(place)?, pulse.0)))
    }

    /// Plucks a place: pulls it aside and lets go.
    fn pluck(&mut self, place: &Bound<'_, PyAny>, pluck: Pluck) -> PyResult<ExciterId> {
        Ok(ExciterId(self.model.pluck(path(place)?, pluck.0)))
    }

    /// Drives a place with a force.
    fn drive(&mut self, place: &Bound<'_, PyAny>, drive: Drive) -> PyResult<ExciterId> {
        Ok(ExciterId(self.model.drive(path(place)?, drive.0)))
    }

    /// Adds a striker, which `Simulation.strike` triggers with up to the peak of a pulse.
    fn striker(&mut self, place: &Bound<'_, PyAny>, strongest: Pulse) -> PyResult<ExciterId> {
        Ok(ExciterId(self.model.striker(path(place)?, strongest.0)))
    }

    /// Adds a pickup at a point.
    fn pickup(&mut self, point: Point, quantity: Quantity) -> PickupId {
        let pickup = self.model.pickup(point.0, quantity.into());
        self.pickups.push(pickup);
        PickupId(pickup)
    }

    /// Adds a pickup of the force of an interaction.
    fn force_pickup(&mut self, interaction: InteractionId) -> PickupId {
        let pickup = self.model.force_pickup(interaction.0);
        self.pickups.push(pickup);
        PickupId(pickup)
    }

    /// Makes a value settable by `Simulation.set`, within a range and gliding in so many seconds.
    #[pyo3(signature = (path, range, glide=0.0))]
    fn expose(&mut self, path: ParamPath, range: [f64; 2], glide: f64) -> PyResult<ParamId> {
        let shown = format!("{:?}", path.0);
        self.model.expose(path.0, range, glide).map(ParamId).ok_or_else(|| {
            value_error(
                format_args!("the model has no value {shown}"),
                "use ids of this model, and a value that the part has",
            )
        })
    }

    /// Elements, in the order of adding.
    #[getter]
    fn elements(&self) -> Vec<ElementId> {
        self.model.element_ids().map(ElementId).collect()
    }

    /// Interactions, in the order of adding.
    #[getter]
    fn interactions(&self) -> Vec<InteractionId> {
        self.model.interaction_ids().map(InteractionId).collect()
    }

    /// Pickups, in the order of adding: the rows of `Simulation.process`.
    #[getter]
    fn pickups(&self) -> Vec<PickupId> {
        self.pickups.iter().copied().map(PickupId).collect()
    }

    /// Checks the model and makes it ready to run at a sample rate \[Hz\].
    fn compile(&self, py: Python<'_>, rate: f64) -> PyResult<Simulation> {
        let simulation = py.detach(|| self.compiled(rate)).map_err(|error| compile_error(py, &error))?;
        Ok(Simulation::new(simulation, self.pickups.clone(), Parts::new(&self.model, self.pickups.clone())))
    }

    fn __copy__(&self) -> Self {
        Self { model: self.model.clone(), pickups: self.pickups.clone() }
    }

    fn __repr__(&self) -> String {
        let (elements, interactions) = (self.model.elements().len(), self.model.interactions().len());
        format!("<Model: {elements} elements, {interactions} interactions, {} pickups>", self.pickups.len())
    }
}

impl Model {
    /// The model at a rate, as the engine has it.
    pub fn compiled(&self, rate: f64) -> Result<percuss::Simulation, percuss::CompileError> {
        self.model.compile(rate)
    }

    /// The pickups, in the order of adding.
    pub fn heard(&self) -> &[percuss::PickupId] {
        &self.pickups
    }
}
