//! A row whose weights are the gradient of an element's own potential, new in every step.
//!
//! Allocates   only in `new`

use crate::contact::stencil::{RowStencil, StencilPool};
use crate::element::stretch::StretchForm;

/// A row and the form that gives its weights.
#[derive(Clone, Debug)]
pub(crate) struct StretchRow {
    pub row: usize,
    form: StretchForm,
    weights: Vec<(usize, f64)>,
}

impl StretchRow {
    pub fn new(row: usize, form: StretchForm) -> Self {
        let weights = form.nodes().map(|node| (node, 0.0)).collect();
        Self { row, form, weights }
    }

    /// Force per elongation \[N/m\].
    pub fn stiffness(&self) -> f64 {
        self.form.stiffness
    }

    /// Largest compliance of the row where the stretch holds an energy \[J\]: cᵀM⁻¹c ≤ λ·uᵀKu = 2eλ, λ the largest eigenvalue of M⁻¹K.
    pub fn largest_compliance(&self, energy: f64, inverse_mass: &[f64]) -> f64 {
        let elongation = (2.0 * energy / self.form.stiffness).sqrt();
        2.0 * elongation * self.form.largest_eigenvalue(inverse_mass)
    }

    /// Sets the weights for displacements by node.
    pub fn update(&mut self, displacement: impl Fn(usize) -> f64, stencil: &mut RowStencil, pool: &mut StencilPool) {
        self.form.gradient(displacement, &mut self.weights);
        stencil.move_to(&self.weights, pool);
    }
}
