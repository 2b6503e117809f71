//! Many models at once, over all cores.

use crate::errors::{compile_error, no_memory, scene_error, value_error};
use crate::model::Model;
use crate::samples::zeros;
use crate::scene::Scene;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray2};
use percuss::{PickupId, Simulation, batch as engine};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use rayon::prelude::*;

/// Samples between two looks for signals such as Ctrl-C.
const SIGNAL_INTERVAL: usize = 16_384;

/// A model or a scene.
#[derive(FromPyObject)]
pub enum Source<'py> {
    /// A model that was built in Python.
    Model(PyRef<'py, Model>),
    /// A scene from a file.
    Scene(PyRef<'py, Scene>),
}

/// What has to be compiled, without the interpreter.
enum Description<'a> {
    Model(&'a Model, f64),
    Scene(&'a percuss_scene::Scene, f64),
}

/// Why that failed.
enum Failure {
    Model(percuss::CompileError),
    Scene(Box<percuss_scene::Diagnostic>),
}

impl Description<'_> {
    fn compile(&self) -> Result<Simulation, Failure> {
        match self {
            Self::Model(model, rate) => model.compiled(*rate).map_err(Failure::Model),
            Self::Scene(scene, rate) => scene.compile(*rate).map_err(Failure::Scene),
        }
    }

    fn heard(&self) -> Vec<PickupId> {
        match self {
            Self::Model(model, _) => model.heard().to_vec(),
            Self::Scene(scene, _) => scene.outputs.iter().map(|output| output.pickup).collect(),
        }
    }
}

/// Runs models and scenes for so many samples, spread over all cores, and returns an array for each: a row for every pickup.
///
/// Scenes run at their own rate \[Hz\] unless one is given.
#[pyfunction]
#[pyo3(signature = (models, samples, rate=None))]
pub fn batch<'py>(
    py: Python<'py>,
    models: Vec<Bound<'py, PyAny>>,
    samples: usize,
    rate: Option<f64>,
) -> PyResult<Vec<Bound<'py, PyArray2<f64>>>> {
    let sources: Vec<Source<'_>> = models.iter().map(source).collect::<PyResult<_>>()?;
    let descriptions: Vec<Description<'_>> =
        sources.iter().map(|source| description(source, rate)).collect::<PyResult<_>>()?;
    let compiled: Vec<_> = py.detach(|| descriptions.par_iter().map(Description::compile).collect());
    let mut simulations = Vec::with_capacity(compiled.len());
    for (index, simulation) in compiled.into_iter().enumerate() {
        simulations.push(simulation.map_err(|failure| raise(py, index, failure))?);
    }
    let pickups: Vec<Vec<PickupId>> = descriptions.iter().map(Description::heard).collect();
    let mut blocks: Vec<Vec<f64>> =
        pickups.iter().map(|pickups| zeros(pickups.len(), samples)).collect::<PyResult<_>>()?;
    for start in (0..samples).step_by(SIGNAL_INTERVAL) {
        let count = SIGNAL_INTERVAL.min(samples - start);
        let made =
            py.detach(|| engine::map(&mut simulations, |index, simulation| run(simulation, &pickups[index], count)));
        for (block, part) in blocks.iter_mut().zip(made) {
            for (row, values) in block.chunks_exact_mut(samples).zip(part.chunks_exact(count)) {
                row[start..start + count].copy_from_slice(values);
            }
        }
        py.check_signals()?;
    }
    let array = |(block, pickups): (Vec<f64>, &Vec<PickupId>)| {
        let array =
            Array2::from_shape_vec((pickups.len(), samples), block).map_err(|_| no_memory(pickups.len(), samples))?;
        Ok(array.into_pyarray(py))
    };
    blocks.into_iter().zip(&pickups).map(array).collect()
}

fn source<'py>(value: &Bound<'py, PyAny>) -> PyResult<Source<'py>> {
    value.extract().map_err(|_| {
        let found = value.get_type();
        PyTypeError::new_err(format!("found {found}, must be a Model or a Scene\n  hint: batch compiles them itself"))
    })
}

fn description<'a>(source: &'a Source<'_>, rate: Option<f64>) -> PyResult<Description<'a>> {
    match (source, rate) {
        (Source::Scene(scene), rate) => {
            Ok(Description::Scene(scene.inner(), rate.unwrap_or(scene.inner().sample_rate)))
        }
        (Source::Model(model), Some(rate)) => Ok(Description::Model(model, rate)),
        (Source::Model(_), None) => Err(value_error("a model has no sample rate of its own", "name one: rate=44100")),
    }
}

fn raise(py: Python<'_>, index: usize, failure: Failure) -> PyErr {
    let error = match failure {
        Failure::Model(error) => compile_error(py, &error),
        Failure::Scene(diagnostic) => scene_error(py, &[*diagnostic]),
    };
    // Notes are shown below the message; Python 3.10 has none.
    let _ = error.value(py).call_method1("add_note", (format!("in models[{index}]"),));
    error
}

fn run(simulation: &mut Simulation, pickups: &[PickupId], count: usize) -> Vec<f64> {
    let mut block = vec![0.0; pickups.len() * count];
    let mut channels: Vec<&mut [f64]> = block.chunks_exact_mut(count).collect();
    match channels.as_mut_slice() {
        [] => (0..count).for_each(|_| simulation.step()),
        channels => drop(simulation.process(pickups, channels)),
    }
    block
}
