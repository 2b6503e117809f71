//! Values that change in time, and places that move.

use crate::errors::value_error;
use crate::ids::Point;
use crate::model::fields::{Field, numbers};
use numpy::{IntoPyArray, PyArray1};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

/// A value that changes in time: breakpoints joined by straight lines, held before the first and after the last.
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
        format!("<Control with {} breakpoints>", self.0.times().len())
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
