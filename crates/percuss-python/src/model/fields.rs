//! Fields of descriptions, from Python and back.

use crate::errors::value_error;
use numpy::{AllowTypeChange, IntoPyArray, PyArrayLike1};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

/// A type of a field.
pub trait Field: Sized {
    /// From a value of Python.
    fn read(value: &Bound<'_, PyAny>) -> PyResult<Self>;
    /// As a value of Python.
    fn show<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
}

macro_rules! plain_field {
    ($($kind:ty),*) => {$(
        impl Field for $kind {
            fn read(value: &Bound<'_, PyAny>) -> PyResult<Self> {
                value.extract()
            }

            fn show<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                self.clone().into_bound_py_any(py)
            }
        }
    )*};
}
plain_field!(f64, usize, Option<f64>, Option<usize>, Option<[usize; 2]>);

impl Field for Vec<f64> {
    fn read(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        numbers(value)
    }

    fn show<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.clone().into_pyarray(py).into_any())
    }
}

impl Field for Vec<Vec<f64>> {
    fn read(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        value.try_iter()?.map(|row| numbers(&row?)).collect()
    }

    fn show<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows: Vec<_> = self.iter().map(|row| row.clone().into_pyarray(py)).collect();
        rows.into_bound_py_any(py)
    }
}

/// A sequence or array of numbers with one dimension, in any order of memory.
pub fn numbers(value: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    match value.extract::<PyArrayLike1<'_, f64, AllowTypeChange>>() {
        Ok(array) => Ok(array.as_array().to_vec()),
        Err(_) => Err(value_error(
            format_args!("found {}, must be numbers in one dimension", value.get_type()),
            "use a list, or an array of float64 with one dimension",
        )),
    }
}

impl<T: Field, const N: usize> Field for [T; N] {
    fn read(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let items: Vec<T> = value.try_iter()?.map(|item| T::read(&item?)).collect::<PyResult<_>>()?;
        let count = items.len();
        items
            .try_into()
            .map_err(|_| value_error(format_args!("found {count} values, must be {N}"), "use a list of them"))
    }

    fn show<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let items: Vec<_> = self.iter().map(|item| item.show(py)).collect::<PyResult<_>>()?;
        items.into_bound_py_any(py)
    }
}

/// A list of descriptions.
macro_rules! list_field {
    ($($name:ident),*) => {$(
        impl $crate::model::fields::Field for Vec<percuss::$name> {
            fn read(value: &Bound<'_, PyAny>) -> PyResult<Self> {
                let items: Vec<$name> = value.extract()?;
                Ok(items.into_iter().map(|item| item.0).collect())
            }

            fn show<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                let items: Vec<$name> = self.iter().cloned().map($name).collect();
                pyo3::IntoPyObjectExt::into_bound_py_any(items, py)
            }
        }
    )*};
}
pub(crate) use list_field;
