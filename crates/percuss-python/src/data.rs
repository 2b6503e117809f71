//! Recipes and data sets.

use crate::errors::{PercussError, scene_error};
use crate::scene::sound;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray2};
use percuss_data::{DataError, DataSet, Value, column_name};
use pyo3::IntoPyObjectExt;
use pyo3::create_exception;
use pyo3::exceptions::{PyIndexError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::path::{Path, PathBuf};

create_exception!(percuss, DataSetError, PercussError, "A data set that cannot be made; the text has a hint.");

fn data_error(py: Python<'_>, error: &DataError) -> PyErr {
    match error {
        DataError::Recipe(diagnostics) => scene_error(py, diagnostics),
        DataError::File { path, error: io } => {
            let path = path.display().to_string();
            io.raw_os_error().map_or_else(
                || PyOSError::new_err(error.to_string()),
                |code| PyOSError::new_err((code, io.to_string(), path.clone())),
            )
        }
        DataError::InvalidClip { .. } | DataError::Refused { .. } => DataSetError::new_err(error.to_string()),
    }
}

/// A recipe for a set of labelled clips.
#[pyclass(frozen, module = "percuss")]
pub struct Recipe(percuss_data::Recipe);

#[pymethods]
impl Recipe {
    /// Reads a recipe file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        percuss_data::Recipe::load(&path).map(Self).map_err(|error| data_error(py, &error))
    }

    /// Reads a recipe from text; its scene is looked for in the folder of `file`.
    #[staticmethod]
    #[pyo3(signature = (text, file="recipe.toml"))]
    fn parse(py: Python<'_>, text: &str, file: &str) -> PyResult<Self> {
        percuss_data::Recipe::parse(text, file).map(Self).map_err(|error| data_error(py, &error))
    }

    /// Name of the set.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Text of the recipe.
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    /// Name of its file; its scene is looked for in the folder of that.
    #[getter]
    fn file(&self) -> &str {
        &self.0.file
    }

    /// Number of clips.
    #[getter]
    fn clips(&self) -> u64 {
        self.0.clips
    }

    /// Number of shards.
    #[getter]
    fn shards(&self) -> u64 {
        self.0.shards()
    }

    /// Length of a clip \[s\].
    #[getter]
    fn duration(&self) -> f64 {
        self.0.duration
    }

    /// Sample rate \[Hz\].
    #[getter]
    fn sample_rate(&self) -> u32 {
        self.0.rate
    }

    /// Numbers of the clips of a shard: the first, and the one after the last.
    fn clips_of(&self, shard: u64) -> (u64, u64) {
        let clips = self.0.clips_of(shard);
        (clips.start, clips.end)
    }

    /// The scene of a clip, as text; `None` if it is left out.
    fn scene(&self, py: Python<'_>, clip: u64) -> PyResult<Option<String>> {
        self.check(clip)?;
        let drawn = self.0.draw(clip).map_err(|error| data_error(py, &error))?;
        Ok(drawn.map(|drawn| self.0.scene_with(&drawn.values)))
    }

    /// Renders a clip; `None` if it is left out.
    fn render(&self, py: Python<'_>, clip: u64) -> PyResult<Option<Clip>> {
        self.check(clip)?;
        let clip = py.detach(|| percuss_data::render(&self.0, clip)).map_err(|error| data_error(py, &error))?;
        clip.map(|clip| self.labelled(py, clip)).transpose()
    }

    /// Shards of the set in a folder that are not complete; starts the set where there is none.
    fn missing_shards(&self, py: Python<'_>, folder: PathBuf) -> PyResult<Vec<u64>> {
        Ok(self.set(py, &folder)?.missing_shards())
    }

    /// The record of a shard of the set in a folder; `None` unless it is complete.
    fn record(&self, py: Python<'_>, folder: PathBuf, shard: u64) -> PyResult<Option<ShardRecord>> {
        Ok(self.set(py, &folder)?.record(shard).map(ShardRecord::from))
    }

    /// Makes a shard of the set in a folder, over all cores.
    fn write_shard(&self, py: Python<'_>, folder: PathBuf, shard: u64) -> PyResult<ShardRecord> {
        let set = self.set(py, &folder)?;
        let record = py.detach(|| set.write_shard(shard, &|| ())).map_err(|error| data_error(py, &error))?;
        Ok(ShardRecord::from(record))
    }

    /// Writes the card and the checksums of a set whose shards are complete.
    fn finish(&self, py: Python<'_>, folder: PathBuf) -> PyResult<Vec<ShardRecord>> {
        let records = self.set(py, &folder)?.finish().map_err(|error| data_error(py, &error))?;
        Ok(records.into_iter().map(ShardRecord::from).collect())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let parse = py.get_type::<Self>().getattr("parse")?;
        Ok((parse, (self.0.text.clone(), self.0.file.clone())))
    }

    fn __repr__(&self) -> String {
        let percuss_data::Recipe { name, clips, duration, rate, .. } = &self.0;
        format!("<Recipe {name:?}: {clips} clips of {duration} s at {rate} Hz in {} shards>", self.0.shards())
    }
}

impl Recipe {
    fn set(&self, py: Python<'_>, folder: &Path) -> PyResult<DataSet<'_>> {
        DataSet::open(&self.0, folder).map_err(|error| data_error(py, &error))
    }

    fn check(&self, clip: u64) -> PyResult<()> {
        if clip < self.0.clips {
            return Ok(());
        }
        Err(PyIndexError::new_err(format!("there is no clip {clip}, the recipe has {}", self.0.clips)))
    }

    /// A clip with its labels under the names that the columns of shards have.
    fn labelled(&self, py: Python<'_>, clip: percuss_data::Clip) -> PyResult<Clip> {
        let keep = &self.0.keep;
        let parameters = PyDict::new(py);
        for (variation, value) in self.0.variations.iter().zip(&clip.values) {
            let value = match value {
                Value::Number(number) => number.into_bound_py_any(py)?,
                Value::Integer(number) => number.into_bound_py_any(py)?,
                Value::Text(text) => text.into_bound_py_any(py)?,
            };
            parameters.set_item(column_name(&variation.path), value)?;
        }
        let labels = PyDict::new(py);
        let set = |name: &str, label: &str, value: Bound<'_, PyAny>| {
            labels.set_item(column_name(&format!("{name}.{label}")), value)
        };
        for (name, hits) in keep.hits.iter().zip(clip.hits) {
            set(name, "hits", hits.into_pyarray(py).into_any())?;
        }
        for (name, partials) in keep.partials.iter().zip(clip.partials) {
            set(name, "partials", partials.into_pyarray(py).into_any())?;
        }
        for (name, force) in keep.forces.iter().zip(clip.forces) {
            set(name, "force_start", force.start.into_bound_py_any(py)?)?;
            set(name, "force", force.values.into_pyarray(py).into_any())?;
        }
        if let Some(energy) = clip.energy {
            let values =
                [("initial", energy.initial), ("supplied", energy.supplied), ("dissipated", energy.dissipated)];
            values.into_iter().try_for_each(|(label, value)| set("energy", label, value.into_bound_py_any(py)?))?;
            set("energy", "stored", energy.stored.into_pyarray(py).into_any())?;
        }
        let frames = clip.samples.len() / clip.channels.max(1);
        let samples = Array2::from_shape_fn((clip.channels, frames), |(channel, frame)| {
            clip.samples[frame * clip.channels + channel]
        });
        Ok(Clip {
            index: clip.index,
            rejected: clip.rejected,
            sample_rate: self.0.rate,
            samples: samples.into_pyarray(py).unbind(),
            parameters: parameters.unbind(),
            labels: labels.unbind(),
        })
    }
}

/// A clip with its labels.
#[pyclass(frozen, get_all, module = "percuss")]
pub struct Clip {
    /// Number of the clip.
    index: u64,
    /// Draws before this one that could not be simulated.
    rejected: u32,
    /// Sample rate \[Hz\].
    sample_rate: u32,
    /// A row for every channel, in the units of the pickups.
    samples: Py<PyArray2<f64>>,
    /// The drawn values.
    parameters: Py<PyDict>,
    /// What the recipe keeps besides.
    labels: Py<PyDict>,
}

#[pymethods]
impl Clip {
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let sound = sound(py, self.samples.bind(py).clone(), f64::from(self.sample_rate))?;
        sound.call_method0("_repr_html_")?.extract()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let labels: Vec<String> = PyList::new(py, self.labels.bind(py).keys())?.extract()?;
        Ok(format!("<Clip {}: {}, labels {}>", self.index, self.parameters.bind(py).repr()?, labels.join(", ")))
    }
}

/// What is known of a complete shard.
#[pyclass(frozen, get_all, eq, module = "percuss")]
#[derive(PartialEq, Debug)]
pub struct ShardRecord {
    /// Name of the file.
    file: String,
    /// Its length \[bytes\].
    bytes: u64,
    /// Its SHA-256, in hexadecimal digits.
    sha256: String,
    /// Clips in it.
    clips: u64,
    /// Draws that could not be simulated and were replaced.
    replaced: u64,
    /// Clips that were left out.
    skipped: u64,
}

impl From<percuss_data::ShardRecord> for ShardRecord {
    fn from(record: percuss_data::ShardRecord) -> Self {
        let percuss_data::ShardRecord { file, bytes, sha256, clips, replaced, skipped } = record;
        Self { file, bytes, sha256, clips, replaced, skipped }
    }
}

#[pymethods]
impl ShardRecord {
    fn __repr__(&self) -> String {
        format!("{self:?}")
    }
}
