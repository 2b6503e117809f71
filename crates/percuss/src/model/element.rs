//! What vibrates: plain descriptions in SI units. Numerical schemes are in `crate::element`.

use crate::error::{Check, CompileError};
use crate::model::barrier::Barrier;
use crate::model::method::Method;
use crate::model::plate::Plate;
use crate::model::profile::Profile;

/// A point mass, optionally on a spring, damped, under gravity: M ü = −Mω₀²u − MR u̇ − M·gravity.
#[derive(Clone, Debug, PartialEq)]
pub struct Mass {
    /// Mass M \[kg\].
    pub mass: f64,
    /// Displacement at the start \[m\], positive upwards.
    pub position: f64,
    /// Velocity at the start \[m/s\].
    pub velocity: f64,
    /// Frequency of the mass on its spring ω₀/2π \[Hz\]; 0 for a free mass. The spring is slack at displacement 0.
    pub frequency: f64,
    /// Damping R \[1/s\].
    pub damping: f64,
    /// Downward acceleration \[m/s²\].
    pub gravity: f64,
    /// Time at which it enters, at `position` with `velocity` \[s\]. Before, it is not there: nothing acts on it, and it acts on nothing.
    pub start: f64,
}

impl Default for Mass {
    /// A free gram at rest.
    fn default() -> Self {
        Self { mass: 1e-3, position: 0.0, velocity: 0.0, frequency: 0.0, damping: 0.0, gravity: 0.0, start: 0.0 }
    }
}

/// One blow of a [`Mallet`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blow {
    /// When it arrives at what it strikes \[s\]. Infinity: not by itself, but whenever [`blow`](crate::Simulation::blow) says so.
    pub time: f64,
    /// Its speed then \[m/s\].
    pub speed: f64,
}

/// A free mass that comes, strikes and leaves. It is on one side of one contact that pushes only: below, it strikes upwards, above,
/// downwards. Each blow starts at the surface that it strikes, wherever that is. Between blows it is not there.
#[derive(Clone, Debug, PartialEq)]
pub struct Mallet {
    /// Mass \[kg\].
    pub mass: f64,
    /// The blows, in the order of time. One that comes before the last has left replaces it.
    pub blows: Vec<Blow>,
    /// It leaves when it is further than this from what it struck, and still moving away \[m\].
    pub retreat: f64,
}

impl Default for Mallet {
    /// Ten grams, one blow at once, at 1 m/s.
    fn default() -> Self {
        Self { mass: 0.01, blows: vec![Blow { time: 0.0, speed: 1.0 }], retreat: 0.01 }
    }
}

/// How an end of a string or bar is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum End {
    /// Held in place, free to turn.
    #[default]
    SimplySupported,
    /// Held in place and in direction.
    Clamped,
    /// Not held.
    Free,
}

/// A shape along a string or bar, for its displacement or velocity at the start.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Shape {
    /// Zero everywhere.
    #[default]
    Flat,
    /// Straight from both ends to the peak: a string pulled aside by a plectrum.
    Triangle {
        /// Place of the peak, as a fraction of the length.
        at: f64,
        /// Height of the peak \[m or m/s\].
        height: f64,
    },
    /// A raised-cosine bump.
    RaisedCosine {
        /// Place of the peak, as a fraction of the length.
        at: f64,
        /// Full width, as a fraction of the length.
        width: f64,
        /// Height of the peak \[m or m/s\].
        height: f64,
    },
}

/// A stiff damped string of round section: ρA ü = Tu″ − EIu⁗ − 2ρAσ₀u̇ + 2ρAσ₁u̇″.
#[derive(Clone, Debug, PartialEq)]
pub struct StiffString {
    /// Length \[m\].
    pub length: f64,
    /// Radius of the section \[m\].
    pub radius: f64,
    /// Density ρ \[kg/m³\].
    pub density: f64,
    /// Young's modulus E \[Pa\]; 0 for an ideally flexible string.
    pub youngs_modulus: f64,
    /// Tension T \[N\].
    pub tension: f64,
    /// Frequency-independent damping σ₀ \[1/s\].
    pub sigma0: f64,
    /// Frequency-dependent damping σ₁ \[m²/s\].
    pub sigma1: f64,
    /// The two ends.
    pub ends: [End; 2],
    /// How it is stepped.
    pub method: Method,
    /// Number of grid intervals; `None` takes the finest stable grid.
    pub grid: Option<usize>,
    /// Displacement at the start.
    pub displacement: Shape,
    /// Velocity at the start.
    pub velocity: Shape,
}

impl StiffString {
    /// A metre of steel wire of the given radius \[m\] under 100 N, lightly damped.
    #[must_use]
    pub fn steel(radius: f64) -> Self {
        Self {
            length: 1.0,
            radius,
            density: 7850.0,
            youngs_modulus: 2e11,
            tension: 100.0,
            sigma0: 1.0,
            sigma1: 0.005,
            ends: [End::default(); 2],
            method: Method::Modes,
            grid: None,
            displacement: Shape::Flat,
            velocity: Shape::Flat,
        }
    }
}

impl Default for StiffString {
    fn default() -> Self {
        Self::steel(0.5e-3)
    }
}

/// A bar of rectangular section: the stiff string without tension. Where its thickness changes along its length it is stepped in its
/// modes only.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Length \[m\].
    pub length: f64,
    /// Width of the section \[m\].
    pub width: f64,
    /// Thickness of the section, in the direction of motion \[m\].
    pub thickness: f64,
    /// How the thickness changes along the length.
    pub profile: Profile,
    /// Density ρ \[kg/m³\].
    pub density: f64,
    /// Young's modulus E \[Pa\].
    pub youngs_modulus: f64,
    /// Frequency-independent damping σ₀ \[1/s\].
    pub sigma0: f64,
    /// Frequency-dependent damping σ₁ \[m²/s\].
    pub sigma1: f64,
    /// The two ends.
    pub ends: [End; 2],
    /// How it is stepped.
    pub method: Method,
    /// Number of grid intervals; `None` takes the finest stable grid.
    pub grid: Option<usize>,
    /// Displacement at the start.
    pub displacement: Shape,
    /// Velocity at the start.
    pub velocity: Shape,
}

impl Default for Bar {
    /// An aluminium bar, free at both ends.
    fn default() -> Self {
        Self {
            length: 0.3,
            width: 0.03,
            thickness: 5e-3,
            profile: Profile::Uniform,
            density: 2700.0,
            youngs_modulus: 7e10,
            sigma0: 1.0,
            sigma1: 0.005,
            ends: [End::Free; 2],
            method: Method::Modes,
            grid: None,
            displacement: Shape::Flat,
            velocity: Shape::Flat,
        }
    }
}

/// One mode of a [`Modal`] resonator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode {
    /// Frequency of the damped oscillation \[Hz\].
    pub frequency: f64,
    /// Time to decay by 60 dB \[s\]; `f64::INFINITY` for a lossless mode.
    pub decay: f64,
    /// Modal mass, for the gains as given \[kg\].
    pub mass: f64,
}

/// A bank of modes, with exact frequencies and decay times, seen through named points.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Modal {
    /// The modes.
    pub modes: Vec<Mode>,
    /// For each point, the gain (mode shape) of every mode there. Points are used by index: `handle.point_at(i)`.
    pub points: Vec<Vec<f64>>,
}

/// Any element, as the model keeps it.
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    /// See [`Mass`].
    Mass(Mass),
    /// See [`Mallet`].
    Mallet(Mallet),
    /// See [`Barrier`].
    Barrier(Barrier),
    /// See [`StiffString`].
    String(StiffString),
    /// See [`Bar`].
    Bar(Bar),
    /// See [`Modal`].
    Modal(Modal),
    /// See [`Plate`].
    Plate(Plate),
}

impl Element {
    /// What this kind of element is called.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Mass(_) => "mass",
            Self::Mallet(_) => "mallet",
            Self::Barrier(_) => "barrier",
            Self::String(_) => "string",
            Self::Bar(_) => "bar",
            Self::Modal(_) => "modal",
            Self::Plate(_) => "plate",
        }
    }
}

/// Does the same with the description of any kind of element.
macro_rules! dispatch_element {
    ($element:expr, $description:ident => $call:expr) => {
        match $element {
            $crate::model::Element::Mass($description) => $call,
            $crate::model::Element::Mallet($description) => $call,
            $crate::model::Element::Barrier($description) => $call,
            $crate::model::Element::String($description) => $call,
            $crate::model::Element::Bar($description) => $call,
            $crate::model::Element::Modal($description) => $call,
            $crate::model::Element::Plate($description) => $call,
        }
    };
}
pub(crate) use dispatch_element;

macro_rules! element_from {
    ($($kind:ident => $variant:ident),*) => {$(
        impl From<$kind> for Element {
            fn from(description: $kind) -> Self {
                Self::$variant(description)
            }
        }
    )*};
}
element_from!(Mass => Mass, Mallet => Mallet, Barrier => Barrier, StiffString => String, Bar => Bar, Modal => Modal, Plate => Plate);

impl Shape {
    /// Checks the parameters.
    pub(crate) fn check(&self, check: Check) -> Result<(), CompileError> {
        match *self {
            Self::Flat => Ok(()),
            Self::Triangle { at, height } => {
                check.require(at > 0.0 && at < 1.0, "at", at, "between 0 and 1, ends excluded")?;
                check.finite("height", height)
            }
            Self::RaisedCosine { at, width, height } => {
                check.fraction("at", at)?;
                check.require(width > 0.0 && width <= 2.0, "width", width, "above 0 and at most 2")?;
                check.finite("height", height)
            }
        }
    }

    /// Value at a fraction x of the length.
    #[must_use]
    pub fn at(&self, x: f64) -> f64 {
        match *self {
            Self::Flat => 0.0,
            Self::Triangle { at, height } => height * if x < at { x / at } else { (1.0 - x) / (1.0 - at) },
            Self::RaisedCosine { at, width, height } => {
                let phase = (x - at) / width;
                if phase.abs() < 0.5 { 0.5 * height * (1.0 + (std::f64::consts::TAU * phase).cos()) } else { 0.0 }
            }
        }
    }
}
