//! Descriptions of elements, laws and exciters: classes with the fields and defaults that they have in Rust.

use crate::errors::value_error;
use crate::model::fields::{Field, list_field};
use percuss::laws;
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A class around a description. Its fields are given by name, and are attributes; those that are not given have the default.
macro_rules! description {
    (
        $(#[$doc:meta])* $name:ident($kind:ty) = $default:expr;
        required [$($required:ident),*];
        fields [$($field:ident),*];
        $($functions:tt)*
    ) => {
        $(#[$doc])*
        #[pyclass(eq, module = "percuss", from_py_object)]
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name(pub $kind);

        impl $name {
            const FIELDS: &[&str] = &[$(stringify!($field)),*];
            const REQUIRED: &[&str] = &[$(stringify!($required)),*];

            /// A description with other values of some fields.
            fn with(mut self, fields: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
                for (field, value) in fields.into_iter().flatten() {
                    self.__setattr__(&field.extract::<String>()?, &value)?;
                }
                Ok(self)
            }
        }

        #[pymethods]
        impl $name {
            #[new]
            #[pyo3(signature = (**fields))]
            fn new(fields: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
                let is_missing = |field: &&&str| !fields.is_some_and(|fields| fields.contains(**field).unwrap_or(false));
                match Self::REQUIRED.iter().find(is_missing) {
                    Some(field) => Err(missing_field(stringify!($name), field)),
                    None => Self($default).with(fields),
                }
            }

            fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
                match name {
                    $(stringify!($field) => Field::show(&self.0.$field, py),)*
                    _ => Err(unknown_field(stringify!($name), name, Self::FIELDS)),
                }
            }

            fn __setattr__(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
                match name {
                    $(stringify!($field) => {
                        let read = Field::read(value).map_err(|error| wrong_value(value, stringify!($name), name, error));
                        self.0.$field = read?;
                    })*
                    _ => return Err(unknown_field(stringify!($name), name, Self::FIELDS)),
                }
                Ok(())
            }

            fn __dir__(&self) -> Vec<&'static str> {
                Self::FIELDS.to_vec()
            }

            fn __repr__(&self) -> String {
                format!("{:?}", self.0)
            }

            $($functions)*
        }
    };
}

fn missing_field(class: &str, field: &str) -> PyErr {
    PyTypeError::new_err(format!("{class} has no {field}\n  hint: name it, as in {class}({field}=...)"))
}

fn unknown_field(class: &str, name: &str, fields: &[&str]) -> PyErr {
    let nearest = percuss_scene::closest_match(name, fields.iter().copied());
    let hint =
        nearest.map_or_else(|| format!("it has {}", fields.join(", ")), |field| format!("did you mean {field}?"));
    PyAttributeError::new_err(format!("{class} has no field {name}\n  hint: {hint}"))
}

/// The same exception, with the name of the field.
fn wrong_value(value: &Bound<'_, PyAny>, class: &str, field: &str, error: PyErr) -> PyErr {
    if error.is_instance_of::<PyTypeError>(value.py()) {
        let found = value.get_type();
        return PyTypeError::new_err(format!(
            "{class}.{field} cannot be {found}\n  hint: docs/python.md lists the types of fields"
        ));
    }
    value_error(format_args!("{class}.{field}: {}", error.value(value.py())), "see docs/python.md")
}

description!(
    /// A point mass, optionally on a spring, damped, under gravity.
    Mass(percuss::Mass) = percuss::Mass::default();
    required [];
    fields [mass, position, velocity, frequency, damping, gravity, start];
);
description!(
    /// A rigid obstacle.
    Barrier(percuss::Barrier) = percuss::Barrier::default();
    required [];
    fields [position, profile, shape, span];
);
description!(
    /// One blow of a mallet: when it arrives \[s\], and its speed then \[m/s\].
    Blow(percuss::Blow) = percuss::Blow { time: 0.0, speed: 1.0 };
    required [time, speed];
    fields [time, speed];
);
description!(
    /// A free mass that comes at given times, strikes and leaves.
    Mallet(percuss::Mallet) = percuss::Mallet::default();
    required [];
    fields [mass, blows, retreat];
);
description!(
    /// A stiff damped string of round section; by default a metre of steel wire under 100 N.
    StiffString(percuss::StiffString) = percuss::StiffString::default();
    required [];
    fields [
        length, radius, density, youngs_modulus, tension, sigma0, sigma1, ends, method, grid, displacement, velocity
    ];

    /// A metre of steel wire of a radius \[m\] under 100 N.
    #[staticmethod]
    #[pyo3(signature = (radius, **fields))]
    fn steel(radius: f64, fields: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Self(percuss::StiffString::steel(radius)).with(fields)
    }
);
description!(
    /// A bar of rectangular section; by default of aluminium, free at both ends.
    Bar(percuss::Bar) = percuss::Bar::default();
    required [];
    fields [
        length, width, thickness, profile, density, youngs_modulus, sigma0, sigma1, ends, method, grid, displacement,
        velocity
    ];
);
description!(
    /// One mode of a modal resonator.
    Mode(percuss::Mode) = percuss::Mode { frequency: 0.0, decay: f64::INFINITY, mass: 0.0 };
    required [frequency, mass];
    fields [frequency, decay, mass];
);
description!(
    /// A bank of modes, seen through points.
    Modal(percuss::Modal) = percuss::Modal::default();
    required [modes, points];
    fields [modes, points];
);
description!(
    /// A plate or membrane.
    Plate(percuss::Plate) = percuss::Plate::steel([0.0; 2], 0.0);
    required [size, thickness];
    fields [
        size, outline, thickness, density, youngs_modulus, stretching_modulus, poisson, tension, sigma0, sigma1, edges, grid,
        method, patches, touches, touch_law, control_interval
    ];

    /// A steel plate with free edges, of sides and a thickness \[m\].
    #[staticmethod]
    #[pyo3(signature = (size, thickness, **fields))]
    fn steel(size: [f64; 2], thickness: f64, fields: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Self(percuss::Plate::steel(size, thickness)).with(fields)
    }

    /// A membrane held at its edges, of sides \[m\], surface density \[kg/m²\] and tension \[N/m\].
    #[staticmethod]
    #[pyo3(signature = (size, surface_density, tension, **fields))]
    fn membrane(
        size: [f64; 2],
        surface_density: f64,
        tension: f64,
        fields: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        Self(percuss::Plate::membrane(size, surface_density, tension)).with(fields)
    }
);
description!(
    /// A round patch of mass on a plate.
    Patch(percuss::Patch) = percuss::Patch { centre: [0.5; 2], radius: 0.0, surface_density: 0.0 };
    required [radius, surface_density];
    fields [centre, radius, surface_density];
);
description!(
    /// Something that lies on a plate with a pressure.
    Touch(percuss::Touch) = percuss::Touch {
        region: percuss::Region::Everywhere, pressure: 1.0.into(), mass: 0.0, stiffness: 0.0, damping: 0.0
    };
    required [];
    fields [region, pressure, mass, stiffness, damping];
);
description!(
    /// Material removed from a bar.
    Undercut(percuss::Undercut) = percuss::Undercut { at: 0.5, width: 0.0, depth: 0.0 };
    required [width, depth];
    fields [at, width, depth];
);
description!(
    /// A one-sided collision with Hunt–Crossley loss.
    Collision(percuss::Collision) = percuss::Collision::default();
    required [];
    fields [stiffness, exponent, loss, gap];
);
description!(
    /// A two-sided connection, with or without play.
    Connection(percuss::Connection) = percuss::Connection::default();
    required [];
    fields [stiffness, exponent, play, gap];
);
description!(
    /// A spring with a cubic part and damping.
    Spring(percuss::Spring) = percuss::Spring::default();
    required [];
    fields [stiffness, cubic, damping, gap];
);
description!(
    /// A viscous damper.
    Damper(percuss::Damper) = percuss::Damper { resistance: 0.0 };
    required [resistance];
    fields [resistance];
);
description!(
    /// Air enclosed between two plates or membranes, or under one; by default a cubic metre at 20 °C.
    Cavity(percuss::Cavity) = percuss::Cavity::of_air(1.0);
    required [volume];
    fields [volume, density, speed_of_sound];
);
description!(
    /// Felt, as on piano hammers.
    Felt(laws::Felt) = laws::Felt::default();
    required [];
    fields [stiffness, exponent, restitution, gap];
);
description!(
    /// A bow drawn across.
    Bow(percuss::Bow) = percuss::Bow::default();
    required [];
    fields [force, velocity, friction];
);
description!(
    /// A finger: a spring and a damper that hold the place they touch.
    Finger(percuss::Finger) = percuss::Finger::default();
    required [];
    fields [pressure, stiffness, damping];
);
description!(
    /// A force pulse of raised-cosine shape.
    Pulse(percuss::Pulse) = percuss::Pulse::default();
    required [];
    fields [time, duration, peak, width];
);
description!(
    /// A force that pulls aside and lets go.
    Pluck(percuss::Pluck) = percuss::Pluck::default();
    required [];
    fields [time, duration, release, force];
);
list_field!(Blow, Mode, Patch, Touch);
