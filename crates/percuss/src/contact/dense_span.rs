//! A long run of neighbouring nodes of one row, such as the modes of a resonator, processed in vectors.
//!
//! Read        w·u, w·du, w·(du⁺ + du)
//! Push        du −= f·(inverse mass)·w
//! Compliance  Σ w₁·(inverse mass)·w₂ of two spans over the same nodes
//! Symbols     w weights of the nodes
//! Allocates   only in `new`

use crate::element::simd::{Field, Machine, field, mul_add, vectors, vectors_mut};
use crate::element::state::State;
use crate::element::weighted_span::{MIN_NODES, WeightedSpan, WeightedSum};
use pulp::{Simd, WithSimd};

/// Neighbouring nodes and their weights.
#[derive(Clone, Debug)]
pub(crate) struct DenseSpan {
    span: WeightedSpan,
    /// Displacement of each node per newton \[m/N\].
    node_compliance: Field,
}

impl DenseSpan {
    /// Whether the nodes are many and contiguous.
    pub fn is_dense(nodes: &[(usize, f64)]) -> bool {
        nodes.len() >= MIN_NODES && nodes.windows(2).all(|pair| pair[0].0 + 1 == pair[1].0)
    }

    pub fn new(nodes: &[(usize, f64)]) -> Self {
        let span = WeightedSpan::new(nodes);
        Self { node_compliance: field(span.weights.len()), span }
    }

    /// Updates the compliances after masses have changed.
    pub fn refresh(&mut self, inverse_mass: &[f64]) {
        let nodes = self.node_compliance.len();
        let (weights, masses) = (&self.span.weights[..nodes], &inverse_mass[self.span.nodes.clone()][..nodes]);
        for i in 0..nodes {
            self.node_compliance[i] = weights[i] * masses[i];
        }
    }

    /// Sets the weights of its nodes. Its compliances are out of date until the next `refresh`.
    pub fn set_weights(&mut self, nodes: &[(usize, f64)]) {
        self.span.set_weights(nodes);
    }

    /// The weights of its nodes, to be changed. Its compliances are out of date until the next `refresh`.
    pub fn weights_mut(&mut self) -> &mut [f64] {
        &mut self.span.weights
    }

    /// The same of all its nodes, from the first on.
    pub fn set_run(&mut self, first_node: usize, weights: &[f64]) {
        let start = first_node - self.span.nodes.start;
        self.span.weights[start..start + weights.len()].copy_from_slice(weights);
    }

    /// Motion of this span per force on another; 0 if they are on different bodies.
    pub fn mutual_compliance(&self, other: &Self, machine: Machine) -> f64 {
        if self.span.nodes != other.span.nodes {
            return 0.0;
        }
        machine.dispatch(WeightedSum { weights: &self.span.weights, values: &other.node_compliance })
    }

    /// Motion of its nodes in a group of neighbours, with weights, per force on the span.
    pub fn compliance_of_lane<const N: usize>(&self, index: usize, weights: &[f64; N]) -> f64 {
        let nodes =
            (N * index).checked_sub(self.span.nodes.start).and_then(|start| self.node_compliance.get(start..start + N));
        nodes.map_or(0.0, |nodes| nodes.iter().zip(weights).map(|(compliance, weight)| compliance * weight).sum())
    }

    /// Weighted sum of a field of the state.
    pub fn sum(&self, field: &[f64], state: &State) -> f64 {
        self.span.sum(field, state)
    }

    /// η⁺ − η⁻ of the span alone: its weighted sum of du and the du before.
    pub fn travel(&self, state: &State) -> f64 {
        self.span.sum_of_both([&state.du, &state.du_prev], state)
    }

    pub fn apply_force(&self, force: f64, state: &mut State) {
        let du = &mut state.du[self.span.nodes.clone()];
        state.machine.dispatch(ApplyForce { node_compliance: &self.node_compliance, force, du });
    }
}

/// Applies a force to du.
struct ApplyForce<'a> {
    node_compliance: &'a [f64],
    force: f64,
    du: &'a mut [f64],
}

impl WithSimd for ApplyForce<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let force = simd.splat_f64s(-self.force);
        for (du, &compliance) in vectors_mut::<S>(self.du).iter_mut().zip(vectors::<S>(self.node_compliance)) {
            *du = mul_add(simd, force, compliance, *du);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::simd::whole_blocks;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_span_reads_and_pushes_like_its_nodes_one_by_one(
            first in 0_usize..20,
            values in prop::collection::vec((-1.0..1.0, -1.0..1.0, -1.0..1.0, 0.1..1.0), MIN_NODES..70),
            force in -10.0..10.0,
        ) {
            let mut state = State::new(Machine::new(false));
            state.resize(whole_blocks(first + values.len()));
            let mut nodes = Vec::new();
            for (i, &(weight, u, du, inverse)) in values.iter().enumerate() {
                let node = first + i;
                (state.u[node], state.du[node], state.inverse_mass[node]) = (u, du, inverse);
                state.du_prev[node] = u - du;
                nodes.push((node, weight));
            }
            prop_assert!(DenseSpan::is_dense(&nodes));
            let mut span = DenseSpan::new(&nodes);
            span.refresh(&state.inverse_mass);
            let sum = |field: &[f64]| nodes.iter().map(|&(node, weight)| weight * field[node]).sum::<f64>();
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-13 * values.len() as f64;
            prop_assert!(close(span.sum(&state.u, &state), sum(&state.u)));
            prop_assert!(close(span.sum(&state.du, &state), sum(&state.du)));
            prop_assert!(close(span.travel(&state), sum(&state.du) + sum(&state.du_prev)));
            let before = state.du.to_vec();
            span.apply_force(force, &mut state);
            for &(node, weight) in &nodes {
                prop_assert!(close(state.du[node], before[node] - force * weight * state.inverse_mass[node]));
            }
        }
    }

    #[test]
    fn few_or_scattered_nodes_are_no_span() {
        let scattered: Vec<_> = (0..MIN_NODES).map(|i| (2 * i, 1.0)).collect();
        assert!(!DenseSpan::is_dense(&scattered));
        assert!(!DenseSpan::is_dense(&[(3, 1.0), (4, 1.0)]));
    }
}
