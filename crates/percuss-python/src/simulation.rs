//! A compiled model.

use crate::errors::{no_memory, value_error};
use crate::ids::{ElementId, ExciterId, InteractionId, ParamId, PickupId};
use crate::ledger::Ledger;
use crate::operators::Operators;
use crate::samples;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadwriteArray2, PyUntypedArrayMethods};
use percuss::Model;
use pyo3::prelude::*;

/// The ids of a model: an id that is not among them is refused.
pub struct Parts {
    elements: Vec<percuss::ElementId>,
    interactions: Vec<percuss::InteractionId>,
    pickups: Vec<percuss::PickupId>,
}

impl Parts {
    /// Of a model with these pickups.
    pub fn new(model: &Model, pickups: Vec<percuss::PickupId>) -> Self {
        Self { elements: model.element_ids().collect(), interactions: model.interaction_ids().collect(), pickups }
    }
}

fn foreign(what: &str) -> PyErr {
    value_error(
        format_args!("the {what} belongs to another model"),
        "use the ids of the model or scene that this was compiled from",
    )
}

/// A model that runs at a sample rate.
#[pyclass(module = "percuss")]
pub struct Simulation {
    simulation: percuss::Simulation,
    /// The pickups that are read where none are named.
    heard: Vec<percuss::PickupId>,
    parts: Parts,
}

impl Simulation {
    /// A simulation that reads `heard` by default.
    pub fn new(simulation: percuss::Simulation, heard: Vec<percuss::PickupId>, parts: Parts) -> Self {
        Self { simulation, heard, parts }
    }

    fn element(&self, id: ElementId) -> PyResult<percuss::ElementId> {
        self.parts.elements.get(id.0.index()).filter(|own| **own == id.0).copied().ok_or_else(|| foreign("element"))
    }

    fn interaction(&self, id: InteractionId) -> PyResult<percuss::InteractionId> {
        let own = self.parts.interactions.get(id.0.index()).filter(|own| **own == id.0);
        own.copied().ok_or_else(|| foreign("interaction"))
    }

    fn pickup(&self, id: PickupId) -> PyResult<percuss::PickupId> {
        if self.parts.pickups.contains(&id.0) { Ok(id.0) } else { Err(foreign("pickup")) }
    }

    /// The named pickups, or those that are heard.
    fn pickups(&self, named: Option<Vec<PickupId>>) -> PyResult<Option<Vec<percuss::PickupId>>> {
        named.map(|named| named.into_iter().map(|pickup| self.pickup(pickup)).collect()).transpose()
    }
}

#[pymethods]
impl Simulation {
    /// Advances by so many samples and returns them: an array of float64 with a row for every pickup.
    ///
    /// Without `pickups` these are the outputs of the scene, or all pickups of the model, in the order of adding.
    #[pyo3(signature = (samples, pickups=None))]
    fn process<'py>(
        &mut self,
        py: Python<'py>,
        samples: isize,
        pickups: Option<Vec<PickupId>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let Ok(samples) = usize::try_from(samples) else {
            return Err(value_error(
                format_args!("samples is {samples}, must be 0 or more"),
                "name a number of samples",
            ));
        };
        let named = self.pickups(pickups)?;
        let pickups = named.as_ref().unwrap_or(&self.heard);
        let mut block = samples::zeros(pickups.len(), samples)?;
        samples::fill(py, &mut self.simulation, pickups, &mut block, samples)?;
        let array = Array2::from_shape_vec((pickups.len(), samples), block);
        let array = array.map_err(|_| no_memory(pickups.len(), samples))?;
        Ok(array.into_pyarray(py))
    }

    /// Fills an array of float64 with a row for every pickup, in place, and advances by its columns.
    #[pyo3(signature = (out, pickups=None))]
    fn process_into(&mut self, py: Python<'_>, out: &Bound<'_, PyAny>, pickups: Option<Vec<PickupId>>) -> PyResult<()> {
        let named = self.pickups(pickups)?;
        let pickups = named.as_ref().unwrap_or(&self.heard);
        let mut out = writable(out)?;
        let (rows, columns) = (out.shape()[0], out.shape()[1]);
        if rows != pickups.len() {
            return Err(value_error(
                format_args!("out has {rows} rows, must have one for each of {} pickups", pickups.len()),
                format_args!("make it with numpy.empty(({}, {columns}))", pickups.len()),
            ));
        }
        let block = out.as_slice_mut().map_err(|_| not_contiguous())?;
        samples::fill(py, &mut self.simulation, pickups, block, columns)
    }

    /// Advances by so many samples without reading anything.
    #[pyo3(signature = (samples=1))]
    fn step(&mut self, py: Python<'_>, samples: usize) -> PyResult<()> {
        samples::fill(py, &mut self.simulation, &[], &mut [], samples)
    }

    /// The current value of a pickup.
    fn read(&self, pickup: PickupId) -> PyResult<f64> {
        Ok(self.simulation.read(self.pickup(pickup)?))
    }

    /// Force of an interaction in the last step \[N\].
    fn force(&self, interaction: InteractionId) -> PyResult<f64> {
        Ok(self.simulation.force(self.interaction(interaction)?))
    }

    /// Whether an element is there: false for a mass that has not entered yet and for a mallet between blows.
    fn is_present(&self, element: ElementId) -> PyResult<bool> {
        Ok(self.simulation.is_present(self.element(element)?))
    }

    /// Back to the start.
    fn reset(&mut self) {
        self.simulation.reset();
    }

    /// Sample rate \[Hz\].
    #[getter]
    fn sample_rate(&self) -> f64 {
        1.0 / self.simulation.time_step()
    }

    /// Steps taken since the start.
    #[getter]
    fn steps(&self) -> u64 {
        self.simulation.steps()
    }

    /// Opens the energy ledger, which then records every step.
    fn open_ledger(&mut self) {
        self.simulation.open_ledger();
    }

    /// Closes the energy ledger.
    fn close_ledger(&mut self) {
        self.simulation.close_ledger();
    }

    /// The energy ledger as it is now; `None` unless it is open.
    #[getter]
    fn ledger(&self) -> Option<Ledger> {
        self.simulation.ledger().map(Ledger::from)
    }

    /// Sets a parameter from the next step on, within its range.
    fn set(&mut self, param: ParamId, value: f64) -> PyResult<()> {
        if !value.is_finite() {
            return Err(value_error(format_args!("value is {value}, must be a finite number"), "leave the step out"));
        }
        if self.simulation.set(param.0, value) { Ok(()) } else { Err(foreign("parameter")) }
    }

    /// Strikes from the next step on, with −1 to 1 of the striker's strongest pulse.
    fn strike(&mut self, striker: ExciterId, strength: f64) -> PyResult<()> {
        if self.simulation.strike(striker.0, strength) {
            return Ok(());
        }
        Err(value_error(
            format_args!("cannot strike {} with {strength}", striker.0.index()),
            "name a striker of this model, and a strength from -1 to 1",
        ))
    }

    /// Displacements of an element \[m\]: of its nodes or modes, or of a plate's grid, row by row.
    fn displacements<'py>(&self, py: Python<'py>, element: ElementId) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, element, percuss::Simulation::displacements)
    }

    /// Increments of those in the last step \[m\].
    fn increments<'py>(&self, py: Python<'py>, element: ElementId) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, element, percuss::Simulation::increments)
    }

    /// Frequencies at which an element would sound in continuous time \[Hz\]; `None` where they are not known in closed form.
    fn partials<'py>(&self, py: Python<'py>, element: ElementId) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        Ok(self.simulation.partials(self.element(element)?).map(|partials| partials.into_pyarray(py)))
    }

    /// The matrices of an element; `None` for one that does not move.
    fn operators(&self, py: Python<'_>, element: ElementId) -> PyResult<Option<Operators>> {
        let element = self.element(element)?;
        let operators = py.detach(|| self.simulation.operators(element));
        operators.map(|operators| Operators::new(py, operators)).transpose()
    }

    fn __repr__(&self) -> String {
        let rate = 1.0 / self.simulation.time_step();
        format!("<Simulation at {rate} Hz, {} nodes, step {}>", self.simulation.node_count(), self.simulation.steps())
    }
}

impl Simulation {
    /// A field of an element: two-dimensional for a plate.
    fn field<'py>(
        &self,
        py: Python<'py>,
        element: ElementId,
        read: impl FnOnce(&percuss::Simulation, percuss::ElementId) -> Vec<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let element = self.element(element)?;
        let values = read(&self.simulation, element).into_pyarray(py);
        match self.simulation.plate_grid(element) {
            Some(grid) => Ok(values.reshape([grid.intervals[1] + 1, grid.intervals[0] + 1])?.into_any()),
            None => Ok(values.into_any()),
        }
    }
}

/// The array to write to.
fn writable<'py>(out: &Bound<'py, PyAny>) -> PyResult<PyReadwriteArray2<'py, f64>> {
    let Ok(array) = out.cast::<PyArray2<f64>>() else {
        let found = match out.cast::<numpy::PyUntypedArray>() {
            Ok(array) => format!("an array of {} with {} dimensions", array.dtype(), array.ndim()),
            Err(_) => format!("of type {}", out.get_type()),
        };
        return Err(value_error(
            format_args!("out is {found}, must be an array of float64 with 2 dimensions"),
            "make it with numpy.empty((pickups, samples))",
        ));
    };
    if !array.is_c_contiguous() {
        return Err(not_contiguous());
    }
    array
        .try_readwrite()
        .map_err(|error| value_error(format_args!("out cannot be written: {error}"), "use a new array"))
}

fn not_contiguous() -> PyErr {
    value_error("out is not contiguous, must be in C order", "use numpy.ascontiguousarray, or a new array")
}
