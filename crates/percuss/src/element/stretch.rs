//! How much a body is longer than at rest, as a quadratic form.
//!
//! Equation    e = ½∫(u′)²dx = ½uᵀKu, K diagonal in modes that are sines, tridiagonal on a grid
//! Gradient    c = Ku
//! Stability   a tension T′ added to that at rest adds ¼T′(kβ)²/ρA to sin²(ωk/2) of a mode of wave number β, which has to stay below 1,
//!             here up to T′ = 4T + 100·EI(π/L)². A mode that only bears T̂ = 4ρA cos²(ωk/2)/(kβ)² counts in K by the part T̂/T′
//!             where that is below 1. On a grid at its limit r·sin²x is added to sin²x where T′ = rT; smoothing by ¼(1, 2, 1)
//!             before and after makes it r·sin²x·cos⁴x ≤ ¼r·cos²x
//! Allocates   in `new`

use crate::element::line::grid::LineMaterial;
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
    /// Force per elongation, EA/L \[N/m\].
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
}

impl StretchForm {
    /// In modes with orthogonal slopes, each with its ω \[1/s\] and ∫φ′²dx.
    pub fn in_modes(
        nodes: Range<usize>,
        modes: impl Iterator<Item = (f64, f64)>,
        material: &LineMaterial,
        k: f64,
    ) -> Self {
        let buckling = material.bending * (PI / material.length).powi(2);
        let max_added = MAX_RISE[0] * material.tension + MAX_RISE[1] * buckling;
        let diagonal = modes.map(|(omega, slope)| {
            // ∫φ′² = ½Lβ² for φ = sin βx.
            let wave_number_squared = 2.0 * slope / material.length;
            let bears = 4.0 * material.line_density * (0.5 * omega * k).cos().powi(2) / (k * k * wave_number_squared);
            slope * (bears / max_added).min(1.0)
        });
        Self { nodes, stiffness: axial_stiffness(material), form: Form::Modes { diagonal: diagonal.collect() } }
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
        }
    }

    /// Writes Ku of the nodes, for displacements by node.
    pub fn gradient(&mut self, displacement: impl Fn(usize) -> f64, gradient: &mut [(usize, f64)]) {
        match &mut self.form {
            Form::Modes { diagonal } => {
                for ((entry, node), diagonal) in gradient.iter_mut().zip(self.nodes.clone()).zip(diagonal) {
                    *entry = (node, *diagonal * displacement(node));
                }
            }
            Form::Grid { beside, values } => {
                for (value, node) in values[1..].iter_mut().zip(self.nodes.clone()) {
                    *value = displacement(node);
                }
                let beside = *beside;
                for weights in [[0.25, 0.5], [-beside, 2.0 * beside], [0.25, 0.5]] {
                    apply_symmetric(values, weights);
                }
                for ((entry, node), value) in gradient.iter_mut().zip(self.nodes.clone()).zip(&values[1..]) {
                    *entry = (node, *value);
                }
            }
        }
    }
}

fn axial_stiffness(material: &LineMaterial) -> f64 {
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
