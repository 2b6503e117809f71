//! Plates and membranes, and what touches them.

use crate::error::{Check, CompileError};
use crate::model::control::Control;
use crate::model::method::Method;

/// How an edge of a plate is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Edge {
    /// Held in place, free to turn.
    #[default]
    SimplySupported,
    /// Held in place and in direction.
    Clamped,
    /// Not held, second order accurate: nodes on the edge stand for half a cell.
    Free,
    /// Not held, as in the plate paper: nodes on the edge stand for a full cell, so the plate acts one cell wider.
    FreeFullCell,
}

/// How touches take hold of a plate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TouchLaw {
    /// What grows engages where the plate is, and added mass arrives at rest: changing a touch takes energy out, or none. Touches of
    /// constant pressure and place pull towards u = 0.
    #[default]
    Passive,
    /// All touches pull towards u = 0, as in the plate paper: pressing on a displaced plate supplies energy.
    Absolute,
}

/// What a plate looks like from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Outline {
    /// A rectangle.
    #[default]
    Rectangle,
    /// A disc with its diameter as both sides. Its rim is free or clamped all round; a membrane's may be simply supported.
    Disc,
}

/// A plate or membrane: ρH ü = TΔu − DΔΔu − 2ρHσ₀u̇ + 2ρHσ₁Δu̇, D = EH³/(12(1−ν²)).
#[derive(Clone, Debug, PartialEq)]
pub struct Plate {
    /// Length of the sides \[m\]. The grid has square cells, so the second may come out a little different. Places on the
    /// plate are fractions of these; a disc touches all four sides.
    pub size: [f64; 2],
    /// Rectangle or disc.
    pub outline: Outline,
    /// Thickness H \[m\].
    pub thickness: f64,
    /// Density ρ \[kg/m³\].
    pub density: f64,
    /// Young's modulus E \[Pa\]; 0 for a membrane.
    pub youngs_modulus: f64,
    /// Poisson's ratio ν.
    pub poisson: f64,
    /// Young's modulus against being stretched \[Pa\], where it is not that against being bent: a membrane is stretched, but does not
    /// bend. See [`Model::modulate_tension`](crate::Model::modulate_tension).
    pub stretching_modulus: Option<f64>,
    /// Tension T \[N/m\].
    pub tension: f64,
    /// Frequency-independent damping σ₀ \[1/s\].
    pub sigma0: f64,
    /// Frequency-dependent damping σ₁ \[m²/s\].
    pub sigma1: f64,
    /// The edges at x = 0, x = 1, y = 0, y = 1 (fractions of the sides).
    pub edges: [Edge; 4],
    /// Number of grid intervals along each side; `None` takes the finest stable grid.
    pub grid: Option<[usize; 2]>,
    /// How it is stepped.
    pub method: Method,
    /// What is glued to it.
    pub patches: Vec<Patch>,
    /// What touches it.
    pub touches: Vec<Touch>,
    /// How touches take hold of it.
    pub touch_law: TouchLaw,
    /// Samples between updates of the touches; they move in straight lines between.
    pub control_interval: usize,
}

impl Plate {
    /// A steel plate with free edges, of the given sides and thickness \[m\].
    #[must_use]
    pub fn steel(size: [f64; 2], thickness: f64) -> Self {
        Self {
            size,
            outline: Outline::Rectangle,
            thickness,
            density: 8000.0,
            youngs_modulus: 2e11,
            stretching_modulus: None,
            poisson: 0.3,
            tension: 0.0,
            sigma0: 1.0,
            sigma1: 0.001,
            edges: [Edge::Free; 4],
            grid: None,
            method: Method::Modes,
            patches: Vec::new(),
            touches: Vec::new(),
            touch_law: TouchLaw::Passive,
            control_interval: 256,
        }
    }

    /// A membrane held at its edges, of the given sides \[m\], surface density \[kg/m²\] and tension \[N/m\].
    #[must_use]
    pub fn membrane(size: [f64; 2], surface_density: f64, tension: f64) -> Self {
        let thickness = 0.2e-3;
        Self {
            density: surface_density / thickness,
            youngs_modulus: 0.0,
            tension,
            sigma0: 2.0,
            edges: [Edge::SimplySupported; 4],
            ..Self::steel(size, thickness)
        }
    }
}

/// A round patch of mass on a plate, without stiffness of its own: the loaded centre of a tabla. It lies on the plate with all of its rim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    /// Centre, as fractions of the sides.
    pub centre: [f64; 2],
    /// Radius \[m\].
    pub radius: f64,
    /// Surface density that it adds \[kg/m²\].
    pub surface_density: f64,
}

impl Patch {
    /// How far it reaches beyond the edges of a plate \[m\]; 0 or less where it lies on it.
    pub(crate) fn overhang(&self, plate: &Plate) -> f64 {
        let away = [0, 1].map(|axis| (self.centre[axis] - 0.5) * plate.size[axis]);
        match plate.outline {
            Outline::Disc => away[0].hypot(away[1]) + self.radius - 0.5 * plate.size[0],
            Outline::Rectangle => {
                let beyond = |axis: usize| away[axis].abs() + self.radius - 0.5 * plate.size[axis];
                beyond(0).max(beyond(1))
            }
        }
    }

    /// Whether it is around the middle of a plate.
    pub(crate) fn is_concentric(&self) -> bool {
        self.centre == [0.5; 2]
    }

    /// Checks the parameters.
    pub(crate) fn check(&self, plate: &Plate, check: Check) -> Result<(), CompileError> {
        let size = plate.size[0].min(plate.size[1]);
        self.centre.iter().try_for_each(|&at| check.fraction("centre", at))?;
        check.require(self.radius >= 0.01 * size, "radius", self.radius, "at least a hundredth of the side")?;
        check.not_negative("surface_density", self.surface_density)?;
        let overhang = self.overhang(plate);
        check.require(overhang <= 1e-9 * size, "patch", overhang.max(0.0), "0 m beyond the edge")
    }
}

/// Something that lies on a plate with a pressure p̄ between 0 and 1: it adds surface density a_λp̄, stiffness a_kp̄ and
/// damping a_σp̄ where it lies. Several touches add up.
#[derive(Clone, Debug, PartialEq)]
pub struct Touch {
    /// Where it lies.
    pub region: Region,
    /// Pressure p̄, from 0 to 1.
    pub pressure: Control,
    /// Surface density at full pressure a_λ \[kg/m²\].
    pub mass: f64,
    /// Stiffness at full pressure a_k \[N/m³\].
    pub stiffness: f64,
    /// Damping at full pressure a_σ \[1/s\].
    pub damping: f64,
}

/// A part of a plate. Places are fractions of the sides, lengths are in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum Region {
    /// All of it.
    Everywhere,
    /// A disc.
    Circle {
        /// Centre, as fractions of the sides.
        centre: [Control; 2],
        /// Radius \[m\].
        radius: Control,
    },
    /// All of it but a disc.
    OutsideCircle {
        /// Centre, as fractions of the sides.
        centre: [Control; 2],
        /// Radius \[m\].
        radius: Control,
    },
    /// A rectangle along the sides.
    Rectangle {
        /// Centre, as fractions of the sides.
        centre: [Control; 2],
        /// Length of its sides \[m\].
        size: [Control; 2],
    },
    /// Everything below a line, such as water up to a level.
    HalfPlane {
        /// Direction in which the level rises; its length does not matter.
        direction: [f64; 2],
        /// How far the line has risen, from 0 (nothing is covered) to 1 (everything is).
        level: Control,
    },
    /// A picture of pressures, row by row from y = 0, stretched over the plate; every pixel presses on the nodes around it.
    Image {
        /// Number of columns.
        width: usize,
        /// Pressures from 0 to 1.
        values: Vec<f64>,
    },
}
