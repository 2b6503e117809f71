//! A weighted sum over a run of nodes, such as the modes of a resonator, in vectors.
//!
//! Sums       w·x, w·(x + y)
//! Symbols    w weights of the nodes, with zeros up to whole blocks; x, y fields of the state
//! Allocates  only in `new`

use crate::element::body::WeightedNodes;
use crate::element::simd::{Field, LANES, field, mul_add, vectors, whole_blocks};
use crate::element::state::State;
use pulp::{Simd, WithSimd};
use std::ops::Range;

/// Smallest number of nodes of a span.
pub(crate) const MIN_NODES: usize = LANES;

/// Whole blocks of nodes and their weights.
#[derive(Clone, Debug)]
pub(crate) struct WeightedSpan {
    pub nodes: Range<usize>,
    pub weights: Field,
}

impl WeightedSpan {
    /// Whether the nodes are many, in rising order, and so close together that it takes less time to read those between them as well.
    pub fn is_worthwhile(nodes: &[(usize, f64)]) -> bool {
        nodes.len() >= MIN_NODES
            && nodes.windows(2).all(|pair| pair[0].0 < pair[1].0)
            && nodes[nodes.len() - 1].0 - nodes[0].0 < 2 * nodes.len()
    }

    pub fn new(nodes: &[(usize, f64)]) -> Self {
        let start = nodes[0].0 / LANES * LANES;
        let end = whole_blocks(nodes[nodes.len() - 1].0 + 1);
        let mut span = Self { nodes: start..end, weights: field(end - start) };
        span.set_weights(nodes);
        span
    }

    /// Sets the weights of some of its nodes.
    pub fn set_weights(&mut self, nodes: &[(usize, f64)]) {
        for &(node, weight) in nodes {
            self.weights[node - self.nodes.start] = weight;
        }
    }

    /// Weighted sum of a field of the state.
    pub fn sum(&self, field: &[f64], state: &State) -> f64 {
        state.machine.dispatch(WeightedSum { weights: &self.weights, values: &field[self.nodes.clone()] })
    }

    /// Weighted sum of the sums of two fields of the state.
    pub fn sum_of_both(&self, fields: [&[f64]; 2], state: &State) -> f64 {
        let fields = fields.map(|field| &field[self.nodes.clone()]);
        state.machine.dispatch(WeightedSumOfBoth { weights: &self.weights, fields })
    }
}

/// What a pickup reads: few nodes one by one, or a span of many.
#[derive(Clone, Debug)]
pub(crate) enum WeightedRead {
    Nodes(WeightedNodes),
    Span(WeightedSpan),
}

impl WeightedRead {
    pub fn new(nodes: WeightedNodes, state: &State) -> Self {
        if WeightedSpan::is_worthwhile(&nodes) {
            let span = WeightedSpan::new(&nodes);
            if span.nodes.end <= state.u.len() {
                return Self::Span(span);
            }
        }
        Self::Nodes(nodes)
    }

    /// Displacement, between steps, times the weights.
    pub fn displacement(&self, state: &State) -> f64 {
        match self {
            Self::Nodes(nodes) => sum_of_nodes(nodes, |node| state.displacement(node)),
            Self::Span(span) => span.sum_of_both([&state.u, &state.du], state),
        }
    }

    /// Increment of the last step, times the weights.
    pub fn increment(&self, state: &State) -> f64 {
        match self {
            Self::Nodes(nodes) => sum_of_nodes(nodes, |node| state.du[node]),
            Self::Span(span) => span.sum(&state.du, state),
        }
    }
}

/// Weighted sum over nodes, one by one.
#[inline(always)]
pub(crate) fn sum_of_nodes(nodes: &[(usize, f64)], value: impl Fn(usize) -> f64) -> f64 {
    nodes.iter().map(|&(node, weight)| weight * value(node)).sum()
}

/// A weighted sum.
pub(crate) struct WeightedSum<'a> {
    pub weights: &'a [f64],
    pub values: &'a [f64],
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
struct WeightedSumOfBoth<'a> {
    weights: &'a [f64],
    fields: [&'a [f64]; 2],
}

impl WithSimd for WeightedSumOfBoth<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let [one, other] = self.fields.map(|field| vectors::<S>(&field[..self.weights.len()]));
        weighted_sum(simd, vectors::<S>(self.weights), |i| simd.add_f64s(one[i], other[i]))
    }
}

/// Two independent sums, which hides the latency of the additions.
#[inline(always)]
fn weighted_sum<S: Simd>(simd: S, weights: &[S::f64s], value: impl Fn(usize) -> S::f64s) -> f64 {
    let (mut even, mut odd) = (simd.splat_f64s(0.0), simd.splat_f64s(0.0));
    let (pairs, last_weight) = pulp::as_arrays::<2, _>(weights);
    for (i, weight) in pairs.iter().enumerate() {
        even = mul_add(simd, weight[0], value(2 * i), even);
        odd = mul_add(simd, weight[1], value(2 * i + 1), odd);
    }
    for &weight in last_weight {
        even = mul_add(simd, weight, value(weights.len() - 1), even);
    }
    simd.reduce_sum_f64s(simd.add_f64s(even, odd))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::simd::Machine;
    use proptest::prelude::*;

    proptest! {
        /// Every other node may be missing; those between and around have other values, which do not count.
        #[test]
        fn a_span_sums_like_its_nodes_one_by_one(
            first in 0_usize..20,
            values in prop::collection::vec((-1.0..1.0, -1.0..1.0, -1.0..1.0, prop::bool::weighted(0.8)), MIN_NODES..90),
        ) {
            let mut state = State::new(Machine::new(false));
            state.resize(whole_blocks(first + values.len()));
            state.u.fill(1e3);
            state.du.fill(-1e2);
            let mut nodes = Vec::new();
            for (i, &(weight, u, du, is_there)) in values.iter().enumerate() {
                let node = first + i;
                (state.u[node], state.du[node]) = (u, du);
                if is_there {
                    nodes.push((node, weight));
                }
            }
            prop_assume!(WeightedSpan::is_worthwhile(&nodes));
            let span = WeightedSpan::new(&nodes);
            let sum = |value: &dyn Fn(usize) -> f64| nodes.iter().map(|&(node, weight)| weight * value(node)).sum::<f64>();
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-13;
            prop_assert!(close(span.sum(&state.du, &state), sum(&|node| state.du[node])));
            prop_assert!(close(span.sum_of_both([&state.u, &state.du], &state), sum(&|node| state.displacement(node))));
        }
    }

    #[test]
    fn few_or_scattered_nodes_are_no_span() {
        let scattered: Vec<_> = (0..MIN_NODES).map(|i| (3 * i, 1.0)).collect();
        assert!(!WeightedSpan::is_worthwhile(&scattered));
        assert!(!WeightedSpan::is_worthwhile(&[(3, 1.0), (4, 1.0)]));
        assert!(!WeightedSpan::is_worthwhile(&[]));
    }
}
