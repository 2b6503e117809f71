//! How much a body is longer, or larger, than at rest, as a quadratic form.
//!
//! Equation    e = ½∫(u′)²dx or ½∫|∇u|²dA = ½uᵀKu, K diagonal in modes with orthogonal slopes, of neighbours on a grid
//! Gradient    c = Ku
//! Stability   a tension T′ added to that at rest adds ¼T′(kβ)²/ρA to sin²(ωk/2) of a mode of wave number β, which has to stay below 1,
//!             here up to T′ = 4T + 100·EI(π/L)², for membranes up to 4T. A mode that only bears T̂ = 4ρA cos²(ωk/2)/(kβ)² counts in K
//!             by the part T̂/T′ where that is below 1. On a line's grid at its limit r·sin²x is added to sin²x where T′ = rT; smoothing
//!             by ¼(1, 2, 1) before and after makes it r·sin²x·cos⁴x ≤ ¼r·cos²x. For areas see `area`
//! Allocates   in all but `gradient`

mod area;

pub(crate) use crate::element::stretch::area::AreaForm;

use crate::element::line::grid::LineMaterial;
use crate::element::plate::grid::PlateMaterial;
use std::f64::consts::PI;
use std::ops::Range;

/// Largest added tension for which a step is stable: as parts of the tension, and of the compression under which a bar of this stiffness
/// buckles.
const MAX_RISE: [f64; 2] = [4.0, 100.0];

/// The quadratic form of a body.
#[derive(Clone, Debug)]
pub(crate) struct StretchForm {
    /// State nodes.
    nodes: Range<usize>,
    /// Tension per stretch: EA/L of a line \[N/m\], EH/((1−ν²)·area) of a membrane \[N/m³\].
    pub stiffness: f64,
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    Modes {
        diagonal: Vec<f64>,
    },
    Grid {
        /// −K between neighbours, without smoothing.
        beside: f64,
        /// Values at the nodes and beside them.
        values: Vec<f64>,
    },
    Area(AreaForm),
}

/// A mode with slopes orthogonal to those of all others.
pub(crate) struct StretchMode {
    /// \[1/s\].
    pub omega: f64,
    /// \[kg\].
    pub mass: f64,
    /// ∫φ′²dx \[1/m\] or ∫|∇φ|²dA.
    pub slope: f64,
}

/// Largest tension added to a line for which a step is stable \[N\].
pub(crate) fn max_added_to_line(material: &LineMaterial) -> f64 {
    MAX_RISE[0] * material.tension + MAX_RISE[1] * material.bending * (PI / material.length).powi(2)
}

/// Largest tension added to a membrane for which a step is stable \[N/m\].
pub(crate) fn max_added_to_membrane(material: &PlateMaterial) -> f64 {
    MAX_RISE[0] * material.tension
}

impl StretchForm {
    /// In modes; stable up to an added tension.
    pub fn in_modes(
        nodes: Range<usize>,
        modes: impl Iterator<Item = StretchMode>,
        stiffness: f64,
        max_added: f64,
        k: f64,
    ) -> Self {
        let diagonal = modes.map(|StretchMode { omega, mass, slope }| {
            let bears = 4.0 * mass * (0.5 * omega * k).cos().powi(2) / (k * k * slope);
            slope * (bears / max_added).min(1.0)
        });
        Self { nodes, stiffness, form: Form::Modes { diagonal: diagonal.collect() } }
    }

    /// Of a membrane on a grid.
    pub fn over_area(nodes: Range<usize>, stiffness: f64, form: AreaForm) -> Self {
        Self { nodes, stiffness, form: Form::Area(form) }
    }

    /// On a grid with held ends.
    pub fn on_grid(nodes: Range<usize>, spacing: f64, material: &LineMaterial) -> Self {
        let values = vec![0.0; nodes.len() + 2];
        Self { nodes, stiffness: axial_stiffness(material), form: Form::Grid { beside: 1.0 / spacing, values } }
    }

    /// State nodes.
    pub fn nodes(&self) -> Range<usize> {
        self.nodes.clone()
    }

    /// An upper bound of the eigenvalues of M⁻¹K.
    pub fn largest_eigenvalue(&self, inverse_mass: &[f64]) -> f64 {
        let inverse_mass = &inverse_mass[self.nodes.clone()];
        match &self.form {
            Form::Modes { diagonal } => {
                diagonal.iter().zip(inverse_mass).map(|(stretch, inverse)| stretch * inverse).fold(0.0, f64::max)
            }
            // 4 sin²x·cos⁴x is 16/27 at most.
            Form::Grid { beside, .. } => 16.0 / 27.0 * beside * inverse_mass.iter().copied().fold(0.0, f64::max),
            Form::Area(form) => form.largest_eigenvalue(inverse_mass),
        }
    }

    /// Writes Ku of the nodes, whose displacements are written by a function.
    pub fn gradient(&mut self, displacements: impl Fn(Range<usize>, &mut [f64]), gradient: &mut [f64]) {
        let nodes = self.nodes.clone();
        match &mut self.form {
            Form::Modes { diagonal } => {
                displacements(nodes, gradient);
                gradient.iter_mut().zip(diagonal).for_each(|(value, diagonal)| *value *= *diagonal);
            }
            Form::Grid { beside, values } => {
                let beside = *beside;
                let moving = 1..values.len() - 1;
                displacements(nodes, &mut values[moving.clone()]);
                for weights in [[0.25, 0.5], [-beside, 2.0 * beside], [0.25, 0.5]] {
                    apply_symmetric(values, weights);
                }
                gradient.copy_from_slice(&values[moving]);
            }
            Form::Area(form) => {
                displacements(nodes, form.displacements());
                form.gradient(gradient);
            }
        }
    }
}

/// EA/L \[N/m\].
pub(crate) fn axial_stiffness(material: &LineMaterial) -> f64 {
    material.stretching / material.length
}

/// Replaces every value but the first and last by `centre` of it and `side` of its neighbours.
fn apply_symmetric(values: &mut [f64], [side, centre]: [f64; 2]) {
    let mut before = values[0];
    for index in 1..values.len() - 1 {
        let here = values[index];
        values[index] = centre * here + side * (before + values[index + 1]);
        before = here;
    }
}
