//! Ids of the parts of a model, and places on elements.

use crate::model::control::Path;
use crate::model::fields::Field;
use percuss::Place;
use pyo3::prelude::*;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[pyclass(frozen, eq, hash, module = "percuss", from_py_object)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name(pub percuss::$name);

        #[pymethods]
        impl $name {
            /// Position in the order of adding.
            #[getter]
            fn index(&self) -> usize {
                self.0.index()
            }

            fn __repr__(&self) -> String {
                format!("<{} {}>", stringify!($name), self.0.index())
            }
        }
    };
}

id!(
    /// An interaction of a model.
    InteractionId
);
id!(
    /// A pulse, drive or striker of a model.
    ExciterId
);
id!(
    /// A pickup of a model.
    PickupId
);
id!(
    /// A parameter of a model.
    ParamId
);

/// An element of a model.
#[pyclass(frozen, eq, hash, module = "percuss", from_py_object)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ElementId(pub percuss::ElementId);

#[pymethods]
impl ElementId {
    /// Position in the order of adding.
    #[getter]
    fn index(&self) -> usize {
        self.0.index()
    }

    /// The element itself, where it has only one place: a mass or a barrier.
    fn point(&self) -> Point {
        Point(self.0.point())
    }

    /// A place on a string or bar, as a fraction of its length.
    fn at(&self, fraction: f64) -> Point {
        Point(self.0.at(fraction))
    }

    /// A place on a plate, as fractions of its sides.
    fn on(&self, fractions: [f64; 2]) -> Point {
        Point(self.0.on(fractions))
    }

    /// A place that moves along a string or bar: a control, as a fraction of its length.
    fn along(&self, fraction: &Bound<'_, PyAny>) -> PyResult<Path> {
        Ok(Path(self.0.along(Field::read(fraction)?)))
    }

    /// A place that moves over a plate: two controls, as fractions of its sides.
    fn over(&self, fractions: &Bound<'_, PyAny>) -> PyResult<Path> {
        Ok(Path(self.0.over(Field::read(fractions)?)))
    }

    /// The i-th point of a modal resonator.
    fn point_at(&self, index: usize) -> Point {
        Point(self.0.point_at(index))
    }

    fn __repr__(&self) -> String {
        format!("<ElementId {}>", self.0.index())
    }
}

/// A place on an element.
#[pyclass(frozen, eq, module = "percuss", from_py_object)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point(pub percuss::Point);

#[pymethods]
impl Point {
    /// The element.
    #[getter]
    fn element(&self) -> ElementId {
        ElementId(self.0.element)
    }

    fn __repr__(&self) -> String {
        let element = self.0.element.index();
        match self.0.place {
            Place::Whole => format!("<Point of element {element}>"),
            Place::Along(at) => format!("<Point at {at} of element {element}>"),
            Place::On([x, y]) => format!("<Point at ({x}, {y}) of element {element}>"),
            Place::Listed(index) => format!("<Point {index} of element {element}>"),
        }
    }
}
