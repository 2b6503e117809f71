//! The state of a model: displacements and increments of all nodes, in flat arrays.

use crate::element::simd::{Field, Machine, field, vectors_mut};
use pulp::Simd;
use std::cell::Cell;
use std::ops::Range;

/// Displacements and their increments over a step, for all nodes of a model.
///
/// Keeping u and du = uⁿ − uⁿ⁻¹ instead of two displacements keeps the velocity exact to rounding however far a body
/// has travelled: δt·u = (du⁺ + du)/2k without cancellation. Between steps u is one step behind du: the pass that turns
/// du into du⁺ also adds du to u, so that a node is read and written once per step.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// uⁿ⁻¹ between steps, uⁿ from the prediction on \[m\].
    pub u: Field,
    /// uⁿ − uⁿ⁻¹ between steps, uⁿ⁺¹ − uⁿ from the prediction on \[m\].
    pub du: Field,
    /// The du before this one, if [kept](State::begin_step) \[m\].
    pub du_prev: Field,
    /// Whether `du_prev` is kept: predictions then read it and write du, otherwise they update du in place.
    pub keep_previous: bool,
    /// u⁺ = uᴵ + inverse_mass·(nodal force in N); 0 for padding nodes.
    pub inverse_mass: Vec<f64>,
    /// Scratch memory of the elements.
    pub scratch: Field,
    /// What its nodes are computed with.
    pub machine: Machine,
}

/// A field of the state, as it is read from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeField {
    /// Displacement.
    Displacement,
    /// Increment of the last step.
    Increment,
}

/// Increments of some nodes during an update: in place, or with the previous du kept.
pub(crate) struct Increments<'a> {
    /// du⁺; holds du before the update if that is not kept.
    pub next: &'a mut [f64],
    /// du, if it is kept.
    pub previous: Option<&'a mut [f64]>,
}

impl Increments<'_> {
    /// du before the update.
    pub fn du(&self) -> &[f64] {
        self.previous.as_deref().unwrap_or(self.next)
    }

    /// Splits at a node.
    pub fn split_at(self, nodes: usize) -> (Self, Self) {
        let (next, more_next) = self.next.split_at_mut(nodes);
        let (previous, more_kept) = self.previous.map(|previous| previous.split_at_mut(nodes)).unzip();
        (Self { next, previous }, Self { next: more_next, previous: more_kept })
    }

    pub fn reborrow(&mut self) -> Increments<'_> {
        Increments { next: self.next, previous: self.previous.as_deref_mut() }
    }

    /// Vectors of du and du⁺, which may alias.
    #[inline(always)]
    pub fn vectors<S: Simd>(&mut self) -> [&[Cell<S::f64s>]; 2] {
        let next = Cell::from_mut(vectors_mut::<S>(self.next)).as_slice_of_cells();
        let previous =
            self.previous.as_deref_mut().map(|previous| Cell::from_mut(vectors_mut::<S>(previous)).as_slice_of_cells());
        [previous.unwrap_or(next), next]
    }
}

/// Values far below this are flushed to zero \[m\]: far below any physical motion, far above subnormal numbers and their roots.
const FLUSH_THRESHOLD: f64 = 1e-120;

/// Flushes values far below [`FLUSH_THRESHOLD`] to zero and leaves all others unchanged, bit for bit.
#[inline(always)]
pub(crate) fn flush(x: f64) -> f64 {
    (x + FLUSH_THRESHOLD) - FLUSH_THRESHOLD
}

impl State {
    pub fn new(machine: Machine) -> Self {
        Self {
            u: field(0),
            du: field(0),
            du_prev: field(0),
            keep_previous: false,
            inverse_mass: Vec::new(),
            scratch: field(0),
            machine,
        }
    }

    /// Resizes to a number of nodes; new ones are at rest with inverse mass 0.
    pub fn resize(&mut self, nodes: usize) {
        for field in [&mut self.u, &mut self.du, &mut self.du_prev] {
            field.resize(nodes, 0.0);
        }
        self.inverse_mass.resize(nodes, 0.0);
    }

    /// Reserves scratch memory.
    pub fn reserve_scratch(&mut self, nodes: usize) {
        self.scratch.resize(self.scratch.len().max(nodes), 0.0);
    }

    /// Displacement of a node, between steps \[m\].
    pub fn displacement(&self, node: usize) -> f64 {
        self.u[node] + self.du[node]
    }

    /// Those of neighbouring nodes.
    pub fn read_displacements(&self, nodes: Range<usize>, values: &mut [f64]) {
        let fields = self.u[nodes.clone()].iter().zip(&self.du[nodes]);
        values.iter_mut().zip(fields).for_each(|(value, (u, du))| *value = u + du);
    }

    /// Begins a step. If `keep_previous`, du becomes du_prev, and du is undefined until the prediction.
    pub fn begin_step(&mut self, keep_previous: bool) {
        self.keep_previous = keep_previous;
        if keep_previous {
            std::mem::swap(&mut self.du, &mut self.du_prev);
        }
    }

    /// u and increments of some nodes, for an update.
    pub fn fields(&mut self, nodes: Range<usize>) -> (&mut [f64], Increments<'_>) {
        let previous = self.keep_previous.then_some(&mut self.du_prev[nodes.clone()]);
        (&mut self.u[nodes.clone()], Increments { next: &mut self.du[nodes], previous })
    }

    /// Flushes tiny values to zero. Called every few steps it keeps decaying fields from becoming subnormal, since a step lowers
    /// them by a few orders of magnitude only.
    pub fn flush(&mut self) {
        let Self { machine, u, du, .. } = self;
        for field in [u, du] {
            machine.dispatch(|| field.iter_mut().for_each(|x| *x = flush(*x)));
        }
    }

    /// Moves u from the current step to the previous one, as it is kept between steps.
    pub fn move_to_previous_step(&mut self) {
        for (u, du) in self.u.iter_mut().zip(self.du.iter()) {
            *u -= du;
        }
    }

    /// Second-order start, after a prediction: converts du = k·v, the velocity at n = 0, to the increment before it.
    pub fn start_second_order(&mut self) {
        for (du, before) in self.du.iter_mut().zip(self.du_prev.iter()) {
            *du = before - 0.5 * (*du - before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flush_leaves_audible_values_untouched_and_removes_subnormals() {
        for x in [0.0, 1.0, -3.7e-90, 1e-104, -1e-19] {
            assert_eq!(flush(x), x);
        }
        for x in [f64::MIN_POSITIVE / 2.0, -1e-300, 1e-137] {
            assert_eq!(flush(x), 0.0);
        }
    }
}
