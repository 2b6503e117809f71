//! The energy of a string or bar, summed in vectors.
//!
//! Energy      H = ½ρAh Σ m(du/k)² + ½T/h Σ s(Δ₁u)(Δ₁u⁻) + ½EI/h³ Σ w c c⁻ − ½ρAσ₁/(hk) Σ s(Δ₁du)²   (c second differences)
//!             at u⁻, which the state has between steps, and u = u⁻ + du
//! Loss        k·Q = ½(ρA/k)[σ₀h Σ m(du⁺ + du)² + σ₁/h Σ s(Δ₁(du⁺ + du))²], split into terms of du⁺ alone, of du alone, and
//!             twice the mixed term
//! Ends        a free one has m = ½ and w = 0; one that does not move adds the interval next to it, and 2u₁u₁⁻ where it is
//!             clamped
//! Allocates   only in `LineWeights::new`

use crate::element::balance::ElementEnergy;
use crate::element::line::grid::LineMaterial;
use crate::element::simd::{Divide, Field, Kernel, LANES, Shift, field, mul_add, run, vectors, whole_blocks};
use crate::element::state::State;
use crate::model::End;
use pulp::Simd;
use std::ops::Range;

/// Weights of the terms of each node, and factors of the sums.
#[derive(Clone, Debug)]
pub(crate) struct LineWeights {
    /// Factors of kinetic, tension, bending and damping terms of H.
    energy_factors: [f64; 4],
    /// Factors of the two terms of the loss.
    loss_factors: [f64; 2],
    /// m.
    mass: Field,
    /// s of the interval to the right.
    side: Field,
    /// w.
    curvature: Field,
}

impl LineWeights {
    pub fn new(count: usize, m: &LineMaterial, h: f64, k: f64) -> Self {
        let (density, ends) = (m.line_density, m.ends);
        let [mut mass, mut side, mut curvature] = [(); 3].map(|()| field(whole_blocks(count)));
        for weights in [&mut mass, &mut side, &mut curvature] {
            weights[..count].fill(1.0);
        }
        for (node, end) in [0, count - 1].into_iter().zip(ends) {
            if end == End::Free {
                (mass[node], curvature[node]) = (0.5, 0.0);
            }
        }
        if ends[1] == End::Free {
            side[count - 1] = 0.0;
        }
        let energy_factors = [
            0.5 * density * h / (k * k),
            0.5 * m.tension / h,
            0.5 * m.bending / h.powi(3),
            -0.5 * density * m.sigma1 / (h * k),
        ];
        let loss_factors = [m.sigma0 * h, m.sigma1 / h].map(|loss| 0.5 * density / k * loss);
        Self { energy_factors, loss_factors, mass, side, curvature }
    }
}

/// Sums over a line.
#[derive(Clone, Copy, Debug, Default)]
struct LineSums {
    /// Σ m du², Σ m du·du⁻.
    motion: [f64; 2],
    /// Σ s(Δ₁du)², Σ s Δ₁du·Δ₁du⁻.
    slope: [f64; 2],
    stretch: f64,
    bend: f64,
}

/// The summation kernel.
struct LineSumKernel<'a> {
    weights: &'a LineWeights,
    /// u, du and the du before, with a block of zeros beside the nodes at either end.
    fields: [&'a [f64]; 3],
    sums: &'a mut LineSums,
}

/// The same as [`LineSums`], as many of each as a vector has lanes, and the slopes that the next vector needs.
struct LineSumLanes<T> {
    motion: [T; 2],
    slope: [T; 2],
    stretch: T,
    bend: T,
    /// Differences of u and du to the right neighbours.
    slopes_left: [T; 2],
}

/// A field on the nodes, and on those to the right of them.
struct LineNeighbours<'a, T> {
    here: &'a [T],
    right: &'a [T],
}

/// The vectors of all fields and weights.
struct LineVectors<'a, T> {
    u: LineNeighbours<'a, T>,
    du: LineNeighbours<'a, T>,
    old: LineNeighbours<'a, T>,
    mass: &'a [T],
    side: &'a [T],
    curvature: &'a [T],
}

impl Kernel for LineSumKernel<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, shift: H) {
        let views = self.views::<S>();
        let last = views.mass.len() - 1;
        let zero = simd.splat_f64s(0.0);
        let mut lanes = LineSumLanes {
            motion: [zero; 2],
            slope: [zero; 2],
            stretch: zero,
            bend: zero,
            // From an end at rest to the first node.
            slopes_left: [simd.splat_f64s(self.fields[0][LANES]), simd.splat_f64s(self.fields[1][LANES])],
        };
        views.add::<S, H, true>(simd, shift, 0..1, &mut lanes);
        views.add::<S, H, false>(simd, shift, 1..last, &mut lanes);
        views.add::<S, H, true>(simd, shift, last.max(1)..last + 1, &mut lanes);
        *self.sums = LineSums {
            motion: [simd.reduce_sum_f64s(lanes.motion[0]), simd.reduce_sum_f64s(lanes.motion[1])],
            slope: [simd.reduce_sum_f64s(lanes.slope[0]), simd.reduce_sum_f64s(lanes.slope[1])],
            stretch: simd.reduce_sum_f64s(lanes.stretch),
            bend: simd.reduce_sum_f64s(lanes.bend),
        };
    }
}

impl LineSumKernel<'_> {
    /// Written out: closures might not be inlined here.
    #[inline(always)]
    fn views<S: Simd>(&self) -> LineVectors<'_, S::f64s> {
        let [u, du, old] = self.fields;
        let LineWeights { mass, side, curvature, .. } = self.weights;
        LineVectors {
            u: self.neighbours::<S>(u),
            du: self.neighbours::<S>(du),
            old: self.neighbours::<S>(old),
            mass: self.node_vectors::<S>(mass),
            side: self.node_vectors::<S>(side),
            curvature: self.node_vectors::<S>(curvature),
        }
    }

    #[inline(always)]
    fn neighbours<'s, S: Simd>(&self, field: &'s [f64]) -> LineNeighbours<'s, S::f64s> {
        LineNeighbours {
            here: self.node_vectors::<S>(&field[LANES..]),
            right: self.node_vectors::<S>(&field[LANES + 1..]),
        }
    }

    /// As many values as there are nodes.
    #[inline(always)]
    fn node_vectors<'s, S: Simd>(&self, values: &'s [f64]) -> &'s [S::f64s] {
        let nodes = self.weights.mass.len();
        &vectors::<S>(&values[..nodes])[..nodes / S::F64_LANES]
    }
}

impl<T: Copy> LineVectors<'_, T> {
    /// Adds some vectors; between the first and the last all weights are 1.
    #[inline(always)]
    fn add<S: Simd<f64s = T>, H: Shift<S>, const ENDS: bool>(
        &self,
        simd: S,
        shift: H,
        vectors_added: Range<usize>,
        lanes: &mut LineSumLanes<T>,
    ) {
        let difference = |a: T, b: T| simd.sub_f64s(a, b);
        for i in vectors_added.start..vectors_added.end.min(self.mass.len()) {
            let weighted = |weights: &[T], x: T| if ENDS { simd.mul_f64s(weights[i], x) } else { x };
            let (u, du, old) = (self.u.here[i], self.du.here[i], self.old.here[i]);
            let (slope, du_slope) = (difference(self.u.right[i], u), difference(self.du.right[i], du));
            let old_slope = difference(self.old.right[i], old);
            let (weighted_du, weighted_du_slope) = (weighted(self.mass, du), weighted(self.side, du_slope));
            lanes.motion[0] = mul_add(simd, weighted_du, du, lanes.motion[0]);
            lanes.motion[1] = mul_add(simd, weighted_du, old, lanes.motion[1]);
            lanes.slope[0] = mul_add(simd, weighted_du_slope, du_slope, lanes.slope[0]);
            lanes.slope[1] = mul_add(simd, weighted_du_slope, old_slope, lanes.slope[1]);
            lanes.stretch = mul_add(simd, weighted(self.side, slope), simd.add_f64s(slope, du_slope), lanes.stretch);
            let u_curvature = difference(slope, shift.left(lanes.slopes_left[0], slope));
            let du_curvature = difference(du_slope, shift.left(lanes.slopes_left[1], du_slope));
            lanes.bend = mul_add(
                simd,
                weighted(self.curvature, u_curvature),
                simd.add_f64s(u_curvature, du_curvature),
                lanes.bend,
            );
            lanes.slopes_left = [slope, du_slope];
        }
    }
}

fn sums(weights: &LineWeights, [left, right]: [End; 2], start: usize, count: usize, state: &State) -> LineSums {
    let around = start - LANES..start + whole_blocks(count) + LANES;
    let fields = [&state.u, &state.du, &state.du_prev].map(|x| &x[around.clone()]);
    let mut sums = LineSums::default();
    run(state.machine, LineSumKernel { weights, fields, sums: &mut sums });
    let [u, du, old] = fields.map(|x| x[LANES]);
    if left != End::Free {
        sums.stretch += u * (u + du);
        sums.slope[0] += du * du;
        sums.slope[1] += du * old;
    }
    for (end, node) in [(left, LANES), (right, LANES + count - 1)] {
        if end == End::Clamped {
            sums.bend += 2.0 * fields[0][node] * (fields[0][node] + fields[1][node]);
        }
    }
    sums
}

/// The energy after a step, of `count` nodes from `start` on.
pub(crate) fn balance(
    weights: &LineWeights,
    ends: [End; 2],
    start: usize,
    count: usize,
    state: &State,
) -> ElementEnergy {
    let LineSums { motion, slope, stretch, bend } = sums(weights, ends, start, count, state);
    let LineWeights { energy_factors, loss_factors, .. } = weights;
    let parts = [
        energy_factors[0] * motion[0],
        energy_factors[1] * stretch,
        energy_factors[2] * bend,
        energy_factors[3] * slope[0],
    ];
    let [self_loss, shared] = [0, 1].map(|of| loss_factors[0] * motion[of] + loss_factors[1] * slope[of]);
    ElementEnergy {
        stored: parts.iter().sum(),
        magnitude: parts.iter().map(|part| part.abs()).sum(),
        self_loss,
        dissipated: 2.0 * shared,
        ..ElementEnergy::default()
    }
}
