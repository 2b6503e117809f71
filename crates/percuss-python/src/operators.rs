//! The matrices of an element as arrays.

use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use percuss::Place;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Mass and stiffness of an element as it is stepped, touches at their present pressure included.
#[pyclass(frozen, get_all, module = "percuss")]
pub struct Operators {
    /// Mass of every moving node, or of every mode of a body that is stepped in modes \[kg\].
    mass: Py<PyArray1<f64>>,
    /// Rows of the entries of the stiffness.
    rows: Py<PyArray1<usize>>,
    /// Their columns.
    columns: Py<PyArray1<usize>>,
    /// Their values \[N/m\].
    stiffness: Py<PyArray1<f64>>,
    /// Places of the nodes: fractions of the length, or, in two columns, of a plate's sides.
    places: Py<PyArray2<f64>>,
    /// Of a body that is stepped in its modes: a row for the displacement of every mode at the places. Empty for all others.
    mode_shapes: Py<PyArray2<f64>>,
}

impl Operators {
    /// As arrays.
    pub fn new(py: Python<'_>, operators: percuss::Operators) -> PyResult<Self> {
        let percuss::Operators { mass, stiffness, places, mode_shapes, .. } = operators;
        let coordinates: Vec<Vec<f64>> = places.into_iter().map(coordinates).collect();
        Ok(Self {
            mass: mass.into_pyarray(py).unbind(),
            rows: stiffness.iter().map(|entry| entry.0).collect::<Vec<_>>().into_pyarray(py).unbind(),
            columns: stiffness.iter().map(|entry| entry.1).collect::<Vec<_>>().into_pyarray(py).unbind(),
            stiffness: stiffness.iter().map(|entry| entry.2).collect::<Vec<_>>().into_pyarray(py).unbind(),
            places: matrix(py, coordinates)?,
            mode_shapes: matrix(py, mode_shapes)?,
        })
    }
}

fn coordinates(place: Place) -> Vec<f64> {
    match place {
        Place::Along(at) => vec![at],
        Place::On(at) => at.to_vec(),
        Place::Whole | Place::Listed(_) => Vec::new(),
    }
}

/// Rows of equal length as an array.
fn matrix(py: Python<'_>, rows: Vec<Vec<f64>>) -> PyResult<Py<PyArray2<f64>>> {
    let (count, length) = (rows.len(), rows.first().map_or(0, Vec::len));
    let array = Array2::from_shape_vec((count, length), rows.concat());
    Ok(array.map_err(|error| PyValueError::new_err(error.to_string()))?.into_pyarray(py).unbind())
}
