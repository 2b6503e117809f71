//! Scene files and presets.

use crate::errors::{Diagnostic, no_memory, scene_error, value_error};
use crate::ids::{ElementId, InteractionId, PickupId};
use crate::samples;
use crate::simulation::{Parts, Simulation};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray2};
use percuss_scene::{ChannelMixer, Routing, closest_match, presets as library};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

/// Longest part of a scene that a notebook renders when it shows it \[s\].
const MAX_SHOWN: f64 = 10.0;

/// A pickup that is heard.
#[pyclass(frozen, get_all, module = "percuss")]
#[derive(Clone, Debug)]
pub struct Output {
    /// What it reads, as in `string@0.9 velocity [m/s]`.
    label: String,
    /// Factor on the signal.
    gain: f64,
    /// From −1 (left) to 1 (right); `None` where it is heard on one channel.
    pan: Option<f64>,
    /// The channel, from 0, where it is heard on one.
    channel: Option<usize>,
}

#[pymethods]
impl Output {
    fn __repr__(&self) -> String {
        format!("<Output {}>", self.label)
    }
}

/// A pickup that is written to a table.
#[pyclass(frozen, get_all, module = "percuss")]
#[derive(Clone, Debug)]
pub struct Probe {
    /// What it reads, with its unit.
    label: String,
    /// The pickup.
    pickup: PickupId,
}

#[pymethods]
impl Probe {
    fn __repr__(&self) -> String {
        format!("<Probe {}>", self.label)
    }
}

/// A scene: a model, and how it is heard.
#[pyclass(frozen, module = "percuss")]
pub struct Scene(percuss_scene::Scene);

#[pymethods]
impl Scene {
    /// Title.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Sample rate \[Hz\].
    #[getter]
    fn sample_rate(&self) -> f64 {
        self.0.sample_rate
    }

    /// Length \[s\].
    #[getter]
    fn duration(&self) -> f64 {
        self.0.duration
    }

    /// Number of audio channels.
    #[getter]
    fn channels(&self) -> usize {
        self.0.channels()
    }

    /// Elements by their `id`.
    #[getter]
    fn elements<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, id) in self.0.element_names.iter().zip(self.0.model.element_ids()) {
            dict.set_item(name, ElementId(id))?;
        }
        Ok(dict)
    }

    /// Interactions by their `id`.
    #[getter]
    fn interactions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, id) in self.0.interaction_names.iter().zip(self.0.model.interaction_ids()) {
            dict.set_item(name, InteractionId(id))?;
        }
        Ok(dict)
    }

    /// The pickups that are heard, in the order of the rows of `Simulation.process`.
    #[getter]
    fn outputs(&self) -> Vec<Output> {
        let output = |output: &percuss_scene::Output| Output {
            label: output.label.clone(),
            gain: output.gain,
            pan: if let Routing::Pan(pan) = output.routing { Some(pan) } else { None },
            channel: if let Routing::Channel(channel) = output.routing { Some(channel) } else { None },
        };
        self.0.outputs.iter().map(output).collect()
    }

    /// The pickups that the program writes to a table.
    #[getter]
    fn probes(&self) -> Vec<Probe> {
        let probe = |probe: &percuss_scene::Probe| Probe { label: probe.label.clone(), pickup: PickupId(probe.pickup) };
        self.0.probes.iter().map(probe).collect()
    }

    /// Warnings found while reading.
    #[getter]
    fn warnings(&self) -> Vec<Diagnostic> {
        self.0.warnings.iter().map(Diagnostic::from).collect()
    }

    /// Checks the model and makes it ready to run at a sample rate \[Hz\], by default the scene's.
    #[pyo3(signature = (rate=None))]
    fn compile(&self, py: Python<'_>, rate: Option<f64>) -> PyResult<Simulation> {
        let scene = &self.0;
        let rate = rate.unwrap_or(scene.sample_rate);
        let compiled = py.detach(|| scene.compile(rate));
        let simulation = compiled.map_err(|diagnostic| scene_error(py, &[*diagnostic]))?;
        let heard: Vec<_> = scene.outputs.iter().map(|output| output.pickup).collect();
        let pickups = heard.iter().copied().chain(scene.probes.iter().map(|probe| probe.pickup)).collect();
        Ok(Simulation::new(simulation, heard, Parts::new(&scene.model, pickups)))
    }

    /// The sound of the scene: its pickups mixed to its channels, in their units, by default for its length \[s\] and at its rate \[Hz\].
    #[pyo3(signature = (seconds=None, rate=None))]
    fn render<'py>(&self, py: Python<'py>, seconds: Option<f64>, rate: Option<f64>) -> PyResult<Bound<'py, PyAny>> {
        let Self(scene) = self;
        let (rate, seconds) = (rate.unwrap_or(scene.sample_rate), seconds.unwrap_or(scene.duration));
        if !(seconds > 0.0 && seconds.is_finite()) {
            return Err(value_error(format_args!("seconds is {seconds}, must be above 0"), "lengths are in seconds"));
        }
        let mut simulation = py.detach(|| scene.compile(rate)).map_err(|diagnostic| scene_error(py, &[*diagnostic]))?;
        let mixer = ChannelMixer::new(scene, scene.channels());
        let (channels, count) = (mixer.channels(), (seconds * rate).round() as usize);
        let mut samples = samples::zeros(channels, count)?;
        for start in (0..count).step_by(samples::SIGNAL_INTERVAL) {
            py.detach(|| {
                for sample in start..count.min(start + samples::SIGNAL_INTERVAL) {
                    simulation.step();
                    for (channel, value) in mixer.frame(&simulation).enumerate() {
                        samples[channel * count + sample] = value;
                    }
                }
            });
            py.check_signals()?;
        }
        let samples = Array2::from_shape_vec((channels, count), samples).map_err(|_| no_memory(channels, count))?;
        sound(py, samples.into_pyarray(py), rate)
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        self.render(py, Some(self.0.duration.min(MAX_SHOWN)), None)?.call_method0("_repr_html_")?.extract()
    }

    fn __repr__(&self) -> String {
        let Self(scene) = self;
        let (elements, interactions) = (scene.model.elements().len(), scene.model.interactions().len());
        format!("<Scene {:?}: {elements} elements, {interactions} interactions, {} s>", scene.name, scene.duration)
    }
}

/// A `percuss.Sound`.
pub fn sound<'py>(py: Python<'py>, samples: Bound<'py, PyArray2<f64>>, rate: f64) -> PyResult<Bound<'py, PyAny>> {
    py.import("percuss.display")?.getattr("Sound")?.call1((samples, rate))
}

impl Scene {
    /// The scene.
    pub fn inner(&self) -> &percuss_scene::Scene {
        &self.0
    }
}

/// Reads a scene file, and the WAV and PNG files that it names.
#[pyfunction]
pub fn load(py: Python<'_>, path: PathBuf) -> PyResult<Scene> {
    percuss_scene::load(&path).map(Scene).map_err(|diagnostics| scene_error(py, &diagnostics))
}

/// Reads a scene from text; `file` is its name in messages, and files that it names are relative to its folder.
#[pyfunction]
#[pyo3(signature = (text, file="scene.toml"))]
pub fn parse(py: Python<'_>, text: &str, file: &str) -> PyResult<Scene> {
    percuss_scene::parse(text, file).map(Scene).map_err(|diagnostics| scene_error(py, &diagnostics))
}

/// A preset by its name.
#[pyfunction]
pub fn preset(py: Python<'_>, name: &str) -> PyResult<Scene> {
    let Some(preset) = library::find(name) else {
        let nearest = closest_match(name, library::all().iter().map(|preset| preset.name));
        let see = "percuss.presets() lists all of them";
        let hint = nearest.map_or_else(|| see.to_owned(), |nearest| format!("did you mean {nearest:?}? {see}"));
        return Err(value_error(format_args!("there is no preset called {name:?}"), hint));
    };
    parse(py, preset.text, preset.name)
}

/// Names of the presets, and a line about each.
#[pyfunction]
pub fn presets(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for preset in library::all() {
        dict.set_item(preset.name, preset.summary)?;
    }
    Ok(dict)
}
