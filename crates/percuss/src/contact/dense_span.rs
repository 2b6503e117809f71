//! A long run of neighbouring nodes of one row, such as the modes of a resonator, processed in vectors.
//!
//! Read        w·u, w·du, w·(du⁺ + du)
//! Push        du −= f·(inverse mass)·w
//! Compliance  Σ w₁·(inverse mass)·w₂ of two spans over the same nodes
//! Symbols     w weights of the nodes, with zeros up to whole blocks
//! Allocates   only in `new`

use crate::element::simd::{Field, LANES, field, vectors, vectors_mut, whole_blocks};
use crate::element::state::State;
use pulp::{Arch, Simd, WithSimd};
use std::ops::Range;

/// Smallest number of nodes of a span.
const MIN_NODES: usize = LANES;

/// Neighbouring nodes and their weights.
#[derive(Clone, Debug)]
pub(crate) struct DenseSpan {
    nodes: Range<usize>,
    weights: Field,
    /// Displacement of each node per newton \[m/N\].
    node_compliance: Field,
}

impl DenseSpan {
    /// Whether the nodes are many and contiguous.
    pub fn is_dense(nodes: &[(usize, f64)]) -> bool {
        nodes.len() >= MIN_NODES && nodes.windows(2).all(|pair| pair[0].0 + 1 == pair[1].0)
    }

    pub fn new(nodes: &[(usize, f64)]) -> Self {
        let start = nodes[0].0 / LANES * LANES;
        let end = whole_blocks(nodes[nodes.len() - 1].0 + 1);
        let mut weights = field(end - start);
        for &(node, weight) in nodes {
            weights[node - start] = weight;
        }
        Self { nodes: start..end, node_compliance: field(weights.len()), weights }
    }

    /// Updates the compliances after masses have changed.
    pub fn refresh(&mut self, inverse_mass: &[f64]) {
        let masses = self.weights.iter().zip(&inverse_mass[self.nodes.clone()]);
        self.node_compliance
            .iter_mut()
            .zip(masses)
            .for_each(|(compliance, (weight, inverse))| *compliance = weight * inverse);
    }

    /// Sets the weights of its nodes. Its compliances are out of date until the next `refresh`.
    pub fn set_weights(&mut self, nodes: &[(usize, f64)]) {
        for &(node, weight) in nodes {
            self.weights[node - self.nodes.start] = weight;
        }
    }

    /// The same of all its nodes, from the first on.
    pub fn set_run(&mut self, first_node: usize, weights: &[f64]) {
        let start = first_node - self.nodes.start;
        self.weights[start..start + weights.len()].copy_from_slice(weights);
    }

    /// Motion of this span per force on another; 0 if they are on different bodies.
    pub fn mutual_compliance(&self, other: &Self, arch: Arch) -> f64 {
        if self.nodes != other.nodes {
            return 0.0;
        }
        arch.dispatch(WeightedSum { weights: &self.weights, values: &other.node_compliance })
    }

    /// Motion of its nodes in a group of neighbours, with weights, per force on the span.
    pub fn compliance_of_lane<const N: usize>(&self, index: usize, weights: &[f64; N]) -> f64 {
        let nodes =
            (N * index).checked_sub(self.nodes.start).and_then(|start| self.node_compliance.get(start..start + N));
        nodes.map_or(0.0, |nodes| nodes.iter().zip(weights).map(|(compliance, weight)| compliance * weight).sum())
    }

    /// Weighted sum of a field of the state.
    pub fn sum(&self, field: &[f64], state: &State) -> f64 {
        state.arch.dispatch(WeightedSum { weights: &self.weights, values: &field[self.nodes.clone()] })
    }

    /// η⁺ − η⁻ of the span alone: its weighted sum of du and the du before.
    pub fn travel(&self, state: &State) -> f64 {
        let [du, du_prev] = [&state.du, &state.du_prev].map(|x| &x[self.nodes.clone()]);
        state.arch.dispatch(WeightedTravel { weights: &self.weights, du, du_prev })
    }

    pub fn apply_force(&self, force: f64, state: &mut State) {
        let du = &mut state.du[self.nodes.clone()];
        state.arch.dispatch(ApplyForce { node_compliance: &self.node_compliance, force, du });
    }
}

/// A weighted sum.
struct WeightedSum<'a> {
    weights: &'a [f64],
    values: &'a [f64],
}

impl WithSimd for WeightedSum<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let values = vectors::<S>(self.values);
        weighted_sum(simd, vectors::<S>(self.weights), |i| values[i])
    }
}

/// A weighted sum of the sums of two fields.
struct WeightedTravel<'a> {
    weights: &'a [f64],
    du: &'a [f64],
    du_prev: &'a [f64],
}

impl WithSimd for WeightedTravel<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let count = self.weights.len();
        let (du, du_prev) = (vectors::<S>(&self.du[..count]), vectors::<S>(&self.du_prev[..count]));
        weighted_sum(simd, vectors::<S>(self.weights), |i| simd.add_f64s(du[i], du_prev[i]))
    }
}

/// Two independent sums, which hides the latency of the additions.
#[inline(always)]
fn weighted_sum<S: Simd>(simd: S, weights: &[S::f64s], value: impl Fn(usize) -> S::f64s) -> f64 {
    let (mut even, mut odd) = (simd.splat_f64s(0.0), simd.splat_f64s(0.0));
    let (pairs, last_weight) = pulp::as_arrays::<2, _>(weights);
    for (i, weight) in pairs.iter().enumerate() {
        even = simd.mul_add_f64s(weight[0], value(2 * i), even);
        odd = simd.mul_add_f64s(weight[1], value(2 * i + 1), odd);
    }
    for &weight in last_weight {
        even = simd.mul_add_f64s(weight, value(weights.len() - 1), even);
    }
    simd.reduce_sum_f64s(simd.add_f64s(even, odd))
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
            *du = simd.mul_add_f64s(force, compliance, *du);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_span_reads_and_pushes_like_its_nodes_one_by_one(
            first in 0_usize..20,
            values in prop::collection::vec((-1.0..1.0, -1.0..1.0, -1.0..1.0, 0.1..1.0), MIN_NODES..70),
            force in -10.0..10.0,
        ) {
            let mut state = State::new();
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
