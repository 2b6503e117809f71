//! A row whose weights are the gradient of the potential of an element, or of two that share it, new in every step.
//!
//! Allocates   only in `new`

use crate::contact::stencil::{RowStencil, StencilPool};
use crate::element::stretch::StretchForm;
use std::ops::Range;

/// A row and the forms that give its weights, one for each element.
#[derive(Clone, Debug)]
pub(crate) struct StretchRow {
    pub row: usize,
    sides: Vec<StretchSide>,
}

#[derive(Clone, Debug)]
struct StretchSide {
    form: StretchForm,
    weights: Vec<f64>,
}

impl StretchRow {
    /// Of forms with the same stiffness; `None` without any.
    pub fn new(row: usize, forms: Vec<StretchForm>) -> Option<Self> {
        let side = |form: StretchForm| StretchSide { weights: vec![0.0; form.nodes().len()], form };
        (!forms.is_empty()).then(|| Self { row, sides: forms.into_iter().map(side).collect() })
    }

    /// Nodes of all elements that it stretches.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + Clone {
        self.sides.iter().flat_map(|side| side.form.nodes())
    }

    /// Force per elongation \[N/m\].
    pub fn stiffness(&self) -> f64 {
        self.sides.first().map_or(0.0, |side| side.form.stiffness)
    }

    /// Largest compliance of the row where the stretch holds an energy \[J\]: cᵀM⁻¹c ≤ λ·uᵀKu = 2eλ, λ the largest eigenvalue of M⁻¹K.
    pub fn largest_compliance(&self, energy: f64, inverse_mass: &[f64]) -> f64 {
        let elongation = (2.0 * energy / self.stiffness()).sqrt();
        let eigenvalues = self.sides.iter().map(|side| side.form.largest_eigenvalue(inverse_mass));
        2.0 * elongation * eigenvalues.fold(0.0, f64::max)
    }

    /// Sets the weights for displacements that a function writes.
    pub fn update(
        &mut self,
        displacements: impl Fn(Range<usize>, &mut [f64]),
        stencil: &mut RowStencil,
        pool: &mut StencilPool,
    ) {
        for (place, StretchSide { form, weights }) in self.sides.iter_mut().enumerate() {
            form.gradient(&displacements, weights);
            stencil.set_side(place, form.nodes().start, weights, pool);
        }
        stencil.finish_move(pool);
    }
}
