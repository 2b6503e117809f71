//! Values that change in time, and places that move.

use crate::errors::value_error;
use crate::ids::Point;
use crate::model::choices::Waveform;
use crate::model::fields::{Field, numbers};
use numpy::{IntoPyArray, PyArray1};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

/// A value that changes in time: breakpoints joined by straight lines and held before the first and after the last, or a wave.
#[pyclass(frozen, eq, module = "percuss", from_py_object)]
#[derive(Clone, Debug, PartialEq)]
pub struct Control(pub percuss::Control);

#[pymethods]
impl Control {
    /// Breakpoints: times \[s\], not decreasing, and as many values. Arrays are read in any order of memory.
    #[new]
    fn new(time: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let control = percuss::Control::Breakpoints { time: numbers(time)?, value: numbers(value)? };
        if control.is_well_formed() {
            return Ok(Self(control));
        }
        let (times, values) = (control.times().len(), control.values().len());
        Err(value_error(
            format_args!(
                "a control has {times} times and {values} values, must be as many, finite, with times that do not fall"
            ),
            "check the arrays for NaN, and sort them by time",
        ))
    }

    /// An oscillation around `offset`: from `start` on, for `duration`, rising and falling within `fade` \[s\].
    #[staticmethod]
    #[pyo3(name = "Wave", signature = (waveform, amplitude, offset=0.0, start=0.0, duration=f64::INFINITY, fade=0.0))]
    fn wave(waveform: Waveform, amplitude: f64, offset: f64, start: f64, duration: f64, fade: f64) -> PyResult<Self> {
        let wave = percuss::Wave::new(waveform.0, amplitude, offset).during(start, duration, fade);
        let control = percuss::Control::Wave(Box::new(wave));
        if control.is_well_formed() {
            return Ok(Self(control));
        }
        Err(value_error(
            format_args!("{waveform:?} cannot oscillate so"),
            "all numbers are finite, times 0 or more, frequencies above 0, and a sweep has a duration",
        ))
    }

    /// Value at a time \[s\].
    fn at(&self, time: f64) -> f64 {
        self.0.at(time)
    }

    /// Times of the breakpoints \[s\].
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.times().to_vec().into_pyarray(py)
    }

    /// Values of the breakpoints.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.values().to_vec().into_pyarray(py)
    }

    fn __repr__(&self) -> String {
        match &self.0 {
            percuss::Control::Wave(wave) => format!("<Control: {:?}>", wave.waveform()),
            control => format!("<Control with {} breakpoints>", control.times().len()),
        }
    }
}

/// A number is a control, too.
impl Field for percuss::Control {
    fn read(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        match value.extract::<Control>() {
            Ok(control) => Ok(control.0),
            Err(_) => Ok(value.extract::<f64>()?.into()),
        }
    }

    fn show<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Constant(value) => value.into_bound_py_any(py),
            control => Control(control.clone()).into_bound_py_any(py),
        }
    }
}

/// A place on an element, still or moving.
#[pyclass(frozen, eq, module = "percuss", from_py_object)]
#[derive(Clone, Debug, PartialEq)]
pub struct Path(pub percuss::Path);

/// A place of a bow, finger or exciter: a `Path` or a `Point`.
pub fn path(value: &Bound<'_, PyAny>) -> PyResult<percuss::Path> {
    match value.extract::<Path>() {
        Ok(path) => Ok(path.0),
        Err(_) => Ok(value.extract::<Point>()?.0.into()),
    }
}
