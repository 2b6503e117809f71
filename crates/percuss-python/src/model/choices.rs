//! Enums, with the names that they have in Rust.

use crate::ids::{ElementId, ExciterId, InteractionId};
use crate::model::descriptions::Undercut;
use crate::model::fields::{Field, numbers};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

/// An enum without values, and its translation.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident),* $(,)? }) => {
        $(#[$doc])*
        #[pyclass(frozen, eq, hash, module = "percuss", from_py_object)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl From<$name> for percuss::$name {
            fn from(value: $name) -> Self {
                match value { $($name::$variant => Self::$variant,)* }
            }
        }

        impl From<percuss::$name> for $name {
            fn from(value: percuss::$name) -> Self {
                match value { $(percuss::$name::$variant => Self::$variant,)* }
            }
        }

        impl Field for percuss::$name {
            fn read(value: &Bound<'_, PyAny>) -> PyResult<Self> {
                Ok(value.extract::<$name>()?.into())
            }

            fn show<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $name::from(*self).into_bound_py_any(py)
            }
        }
    };
}

choice!(
    /// How an end of a string or bar is held.
    End {
        /// Held in place, free to turn.
        SimplySupported,
        /// Held in place and in direction.
        Clamped,
        /// Not held.
        Free,
    }
);
choice!(
    /// How an edge of a plate is held.
    Edge {
        /// Held in place, free to turn.
        SimplySupported,
        /// Held in place and in direction.
        Clamped,
        /// Not held, second order accurate.
        Free,
        /// Not held, as in the plate paper.
        FreeFullCell,
    }
);
choice!(
    /// What a plate looks like from above.
    Outline {
        /// A rectangle.
        Rectangle,
        /// A disc with its diameter as both sides.
        Disc,
    }
);
choice!(
    /// How touches take hold of a plate.
    TouchLaw {
        /// Changing a touch takes energy out, or none.
        Passive,
        /// All touches pull towards u = 0.
        Absolute,
    }
);
choice!(
    /// How a body is stepped.
    Method {
        /// In its modes where that is possible.
        Modes,
        /// On a grid.
        Grid,
    }
);
choice!(
    /// How contacts are solved.
    Scheme {
        /// One linear solve; contacts may pull.
        Plain,
        /// A few linear solves; contacts never pull.
        Tracked,
        /// The iterative reference.
        Newton,
    }
);
choice!(
    /// What a pickup reads.
    Quantity {
        /// Displacement \[m\].
        Displacement,
        /// Velocity \[m/s\].
        Velocity,
        /// Force \[N\].
        Force,
    }
);

/// An enum with values: a class with a function for every variant.
macro_rules! variants {
    ($(#[$doc:meta])* $name:ident { $($functions:tt)* }) => {
        $(#[$doc])*
        #[pyclass(frozen, eq, module = "percuss", from_py_object)]
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name(pub percuss::$name);

        #[pymethods]
        #[allow(non_snake_case, reason = "the functions have the names of the variants")]
        impl $name {
            $($functions)*

            fn __repr__(&self) -> String {
                format!("<{}.{:?}>", stringify!($name), self.0)
            }
        }
    };
}

/// The same, for fields of descriptions.
macro_rules! field_variants {
    ($($name:ident),*) => {$(
        impl Field for percuss::$name {
            fn read(value: &Bound<'_, PyAny>) -> PyResult<Self> {
                Ok(value.extract::<$name>()?.0)
            }

            fn show<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $name(self.clone()).into_bound_py_any(py)
            }
        }
    )*};
}
field_variants!(Shape, BarrierShape, Profile, Friction, Region);

variants!(
    /// A shape along a string or bar, for its displacement or velocity at the start.
    Shape {
        /// Zero everywhere.
        #[staticmethod]
        fn Flat() -> Self {
            Self(percuss::Shape::Flat)
        }

        /// Straight from both ends to the peak at a fraction of the length.
        #[staticmethod]
        fn Triangle(at: f64, height: f64) -> Self {
            Self(percuss::Shape::Triangle { at, height })
        }

        /// A raised-cosine bump at a fraction of the length, with its full width as a fraction.
        #[staticmethod]
        fn RaisedCosine(at: f64, width: f64, height: f64) -> Self {
            Self(percuss::Shape::RaisedCosine { at, width, height })
        }
    }
);
variants!(
    /// How the height of a barrier changes along a string. Places are fractions of its length.
    BarrierShape {
        /// It does not.
        #[staticmethod]
        fn Flat() -> Self {
            Self(percuss::BarrierShape::Flat)
        }

        /// A parabola that opens downwards, as the bridge of a sitar.
        #[staticmethod]
        fn Parabola(at: f64, width: f64, depth: f64) -> Self {
            Self(percuss::BarrierShape::Parabola { at, width, depth })
        }

        /// Straight lines between points.
        #[staticmethod]
        fn Polyline(at: &Bound<'_, PyAny>, height: &Bound<'_, PyAny>) -> PyResult<Self> {
            Ok(Self(percuss::BarrierShape::Polyline { at: numbers(at)?, height: numbers(height)? }))
        }

        /// Narrow frets, each of which meets the string at one place.
        #[staticmethod]
        fn Frets(at: &Bound<'_, PyAny>, height: &Bound<'_, PyAny>, width: f64) -> PyResult<Self> {
            Ok(Self(percuss::BarrierShape::Frets { at: numbers(at)?, height: numbers(height)?, width }))
        }
    }
);
variants!(
    /// How a wave oscillates.
    Waveform {
        /// A sine: frequency \[Hz\], phase at the start \[rad\].
        #[staticmethod]
        #[pyo3(signature = (frequency, phase=0.0))]
        fn Sine(frequency: f64, phase: f64) -> Self {
            Self(percuss::Waveform::Sine { frequency, phase })
        }

        /// A sine whose frequency changes from one to another over the duration \[Hz\].
        #[staticmethod]
        #[pyo3(signature = (frequencies, exponential=false))]
        fn Sweep(frequencies: [f64; 2], exponential: bool) -> Self {
            Self(percuss::Waveform::Sweep { frequencies, exponential })
        }

        /// Noise up to a bandwidth \[Hz\]; the same seed gives the same noise.
        #[staticmethod]
        #[pyo3(signature = (bandwidth, seed=0))]
        fn Noise(bandwidth: f64, seed: u64) -> Self {
            Self(percuss::Waveform::Noise { bandwidth, seed })
        }
    }
);
variants!(
    /// The thickness along a bar, over `Bar.thickness`.
    Profile {
        /// The same everywhere.
        #[staticmethod]
        fn Uniform() -> Self {
            Self(percuss::Profile::Uniform)
        }

        /// 1, less the sum of undercuts.
        #[staticmethod]
        fn Undercuts(undercuts: Vec<Undercut>) -> Self {
            Self(percuss::Profile::Undercuts(undercuts.into_iter().map(|undercut| undercut.0).collect()))
        }

        /// Straight between points, at fractions of the length.
        #[staticmethod]
        fn Lines(at: &Bound<'_, PyAny>, ratio: &Bound<'_, PyAny>) -> PyResult<Self> {
            Ok(Self(percuss::Profile::Lines { at: numbers(at)?, ratio: numbers(ratio)? }))
        }
    }
);
variants!(
    /// A law of dry friction.
    Friction {
        /// Always some slip; `sharpness` [s²/m²].
        #[staticmethod]
        fn Exponential(sharpness: f64) -> Self {
            Self(percuss::Friction::Exponential { sharpness })
        }

        /// Sliding and sticking friction, Stribeck velocity and creep [m/s].
        #[staticmethod]
        fn Stribeck(sliding: f64, sticking: f64, velocity: f64, creep: f64) -> Self {
            Self(percuss::Friction::Stribeck { sliding, sticking, velocity, creep })
        }

        /// Bristles that bend before they slip.
        #[staticmethod]
        fn Bristle(sliding: f64, sticking: f64, velocity: f64, stiffness: f64, damping: f64, viscous: f64) -> Self {
            Self(percuss::Friction::Bristle { sliding, sticking, velocity, stiffness, damping, viscous })
        }
    }
);
variants!(
    /// A part of a plate. Places are fractions of the sides, lengths are in metres; all may be controls.
    Region {
        /// All of it.
        #[staticmethod]
        fn Everywhere() -> Self {
            Self(percuss::Region::Everywhere)
        }

        /// A disc.
        #[staticmethod]
        fn Circle(centre: &Bound<'_, PyAny>, radius: &Bound<'_, PyAny>) -> PyResult<Self> {
            Ok(Self(percuss::Region::Circle { centre: Field::read(centre)?, radius: Field::read(radius)? }))
        }

        /// All of it but a disc.
        #[staticmethod]
        fn OutsideCircle(centre: &Bound<'_, PyAny>, radius: &Bound<'_, PyAny>) -> PyResult<Self> {
            Ok(Self(percuss::Region::OutsideCircle { centre: Field::read(centre)?, radius: Field::read(radius)? }))
        }

        /// A rectangle along the sides.
        #[staticmethod]
        fn Rectangle(centre: &Bound<'_, PyAny>, size: &Bound<'_, PyAny>) -> PyResult<Self> {
            Ok(Self(percuss::Region::Rectangle { centre: Field::read(centre)?, size: Field::read(size)? }))
        }

        /// Everything below a line that rises in a direction.
        #[staticmethod]
        fn HalfPlane(direction: [f64; 2], level: &Bound<'_, PyAny>) -> PyResult<Self> {
            Ok(Self(percuss::Region::HalfPlane { direction, level: Field::read(level)? }))
        }

        /// A picture of pressures with so many columns, row by row.
        #[staticmethod]
        fn Image(width: usize, values: &Bound<'_, PyAny>) -> PyResult<Self> {
            Ok(Self(percuss::Region::Image { width, values: numbers(values)? }))
        }
    }
);
variants!(
    /// An arbitrary force at a point.
    Drive {
        /// A force [N], constant or a control.
        #[staticmethod]
        fn Control(force: &Bound<'_, PyAny>) -> PyResult<Self> {
            Ok(Self(percuss::Drive::Control(Field::read(force)?)))
        }

        /// Sampled force [N] at a rate [Hz].
        #[staticmethod]
        fn Samples(rate: f64, values: &Bound<'_, PyAny>) -> PyResult<Self> {
            Ok(Self(percuss::Drive::Samples { rate, values: numbers(values)? }))
        }
    }
);
variants!(
    /// A value of a touch.
    TouchParam {
        /// Pressure, from 0 to 1.
        #[staticmethod]
        fn Pressure() -> Self {
            Self(percuss::TouchParam::Pressure)
        }

        /// Its centre, as a fraction of the plate's side 0 or 1.
        #[staticmethod]
        fn Centre(axis: usize) -> Self {
            Self(percuss::TouchParam::Centre(axis))
        }

        /// Radius of a circle [m].
        #[staticmethod]
        fn Radius() -> Self {
            Self(percuss::TouchParam::Radius)
        }

        /// Side 0 or 1 of a rectangle [m].
        #[staticmethod]
        fn Side(axis: usize) -> Self {
            Self(percuss::TouchParam::Side(axis))
        }

        /// Level of a half-plane, from 0 to 1.
        #[staticmethod]
        fn Level() -> Self {
            Self(percuss::TouchParam::Level)
        }
    }
);
variants!(
    /// A value of a model that may change in time, by where it is.
    ParamPath {
        /// Force of a bow [N].
        #[staticmethod]
        fn Force(bow: InteractionId) -> Self {
            Self(percuss::ParamPath::Force(bow.0))
        }

        /// Velocity of a bow [m/s].
        #[staticmethod]
        fn Velocity(bow: InteractionId) -> Self {
            Self(percuss::ParamPath::Velocity(bow.0))
        }

        /// Pressure of a finger, 0 lifted, 1 full.
        #[staticmethod]
        fn Pressure(finger: InteractionId) -> Self {
            Self(percuss::ParamPath::Pressure(finger.0))
        }

        /// Place of a bow or finger: a fraction of the length, or of a plate's side 0 or 1.
        #[staticmethod]
        fn Place(bow_or_finger: InteractionId, axis: usize) -> Self {
            Self(percuss::ParamPath::Place(bow_or_finger.0, axis))
        }

        /// Force of a drive [N].
        #[staticmethod]
        fn Drive(drive: ExciterId) -> Self {
            Self(percuss::ParamPath::Drive(drive.0))
        }

        /// Place of a pulse, drive or striker.
        #[staticmethod]
        fn ExciterPlace(exciter: ExciterId, axis: usize) -> Self {
            Self(percuss::ParamPath::ExciterPlace(exciter.0, axis))
        }

        /// Height of a barrier [m].
        #[staticmethod]
        fn Height(barrier: ElementId) -> Self {
            Self(percuss::ParamPath::Height(barrier.0))
        }

        /// A part of a touch, by its position on the plate.
        #[staticmethod]
        fn Touch(plate: ElementId, touch: usize, param: TouchParam) -> Self {
            Self(percuss::ParamPath::Touch(plate.0, touch, param.0))
        }
    }
);
