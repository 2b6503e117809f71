//! The uniform update of a plate with short rows (`register_rows`).
//!
//! Update      as in `uniform`; rows and columns that are held are taken as there
//! Order       row by row: u ← u + du in the row above, q = d·du − b·Δu, du⁺ = a·du + Δq + e·Δu in the row below
//! Allocates   no

use crate::element::coefficients::UpdateCoefficients;
use crate::element::plate::stencil::operands::{EdgeMaskSlices, Uniform};
use crate::element::plate::stencil::register_rows::{RowFields, RowKernel, forward_difference, update_u};
use crate::element::simd::{LANES, Shift, mul_add, vectors, vectors_mut};
use crate::element::state::Increments;
use pulp::Simd;
use std::cell::Cell;

/// The sweep over a plate. `TENSE` where there is tension.
pub(crate) struct ShortRows<'a, const TENSE: bool> {
    pub uniform: Uniform,
    pub columns: EdgeMaskSlices<'a>,
    pub u: &'a mut [f64],
    pub du: Increments<'a>,
}

/// A row of nodes, and the values that it needs of the rows below.
struct ShortRow<V, const C: usize> {
    nodes: RowFields<V, C>,
    /// Difference of u from the row below.
    slope_y: [V; C],
    /// q of the three rows below, the nearest first.
    q: [[V; C]; 3],
    /// e·Δu of the row below.
    tension_term: [V; C],
}

/// Coefficients, a vector each, and the edge mask, which acts on the first block of a row and on the last.
struct ShortRowFactors<'a, V> {
    decay: V,
    neg_bending: V,
    damping: V,
    tension: V,
    neg_four: V,
    moves: &'a [V],
    q_scale: &'a [V],
}

impl<'a, V: Copy> ShortRowFactors<'a, V> {
    #[inline(always)]
    fn new<S: Simd<f64s = V>>(simd: S, coefficients: UpdateCoefficients, columns: EdgeMaskSlices<'a>) -> Self {
        Self {
            decay: simd.splat_f64s(coefficients.decay),
            neg_bending: simd.splat_f64s(-coefficients.bending),
            damping: simd.splat_f64s(coefficients.damping),
            tension: simd.splat_f64s(coefficients.tension),
            neg_four: simd.splat_f64s(-4.0),
            moves: vectors::<S>(columns.moves),
            q_scale: vectors::<S>(columns.q_scale),
        }
    }
}

impl<const TENSE: bool> RowKernel for ShortRows<'_, TENSE> {
    /// Rows are counted from the one before the first that moves: that one is held, as is the one after the last.
    #[inline(always)]
    fn run<S: Simd, H: Shift<S>, const C: usize>(mut self, simd: S, shift: H) {
        let Uniform { coefficients, rows, edges, .. } = self.uniform;
        let start = self.uniform.start();
        let (first, factors) = (start / S::F64_LANES, ShortRowFactors::new::<S>(simd, coefficients, self.columns));
        let u = Cell::from_mut(vectors_mut::<S>(self.u)).as_slice_of_cells();
        let [du, next] = self.du.vectors::<S>();
        let [u, du, next] = [&u[first..], &du[first..], &next[first..]];
        let ((u, _), (du, _), (next, _)) = (u.as_chunks::<C>(), du.as_chunks::<C>(), next.as_chunks::<C>());
        let zero = [simd.splat_f64s(0.0); C];
        let nodes = update_u(simd, &u[0], &du[0]);
        let mut row = ShortRow { slope_y: nodes.u, nodes, q: [zero; 3], tension_term: zero };
        row.compute_q::<S, H, TENSE>(simd, shift, &factors, update_u(simd, &u[1], &du[1]));
        row.scale_q(simd, edges[0]);
        row.compute_q::<S, H, TENSE>(simd, shift, &factors, update_u(simd, &u[2], &du[2]));
        for (((u, du), du_below), next) in u[3..].iter().zip(&du[3..]).zip(&du[1..]).zip(&next[1..]).take(rows - 1) {
            let tension_term = row.tension_term;
            row.compute_q::<S, H, TENSE>(simd, shift, &factors, update_u(simd, u, du));
            row.compute_increment::<S, H, TENSE>(simd, shift, &factors, tension_term, du_below, next);
        }
        let tension_term = row.tension_term;
        row.compute_q::<S, H, TENSE>(simd, shift, &factors, update_u(simd, &u[rows + 2], &du[rows + 2]));
        row.scale_q(simd, edges[1]);
        row.compute_increment::<S, H, TENSE>(simd, shift, &factors, tension_term, &du[rows], &next[rows]);
    }
}

impl<V: Copy, const C: usize> ShortRow<V, C> {
    /// Computes q of the row, and moves on to the row above it.
    #[inline(always)]
    fn compute_q<S: Simd<f64s = V>, H: Shift<S>, const TENSE: bool>(
        &mut self,
        simd: S,
        shift: H,
        factors: &ShortRowFactors<'_, V>,
        above: RowFields<V, C>,
    ) {
        let (block, mut slope_x_left) = (LANES / S::F64_LANES, simd.splat_f64s(0.0));
        let [first, second, _] = self.q;
        self.q = [first, first, second];
        for i in 0..C {
            let slope_x = forward_difference(simd, shift, &self.nodes.u, i);
            let across = simd.sub_f64s(slope_x, shift.left(slope_x_left, slope_x));
            let slope_y = simd.sub_f64s(above.u[i], self.nodes.u[i]);
            let laplacian = simd.add_f64s(across, simd.sub_f64s(slope_y, self.slope_y[i]));
            let damping_term = simd.mul_f64s(factors.damping, self.nodes.du[i]);
            let mut q = mul_add(simd, factors.neg_bending, laplacian, damping_term);
            if i < block || i + block >= C {
                q = simd.mul_f64s(factors.q_scale[i], q);
            }
            if TENSE {
                self.tension_term[i] = simd.mul_f64s(factors.tension, laplacian);
            }
            (self.q[0][i], self.slope_y[i], slope_x_left) = (q, slope_y, slope_x);
        }
        self.nodes = above;
    }

    /// Scales q of the row below, which is fixed.
    #[inline(always)]
    fn scale_q<S: Simd<f64s = V>>(&mut self, simd: S, q_scale: f64) {
        for q in &mut self.q[0] {
            *q = simd.mul_f64s(simd.splat_f64s(q_scale), *q);
        }
    }

    /// Computes du⁺ two rows below.
    #[inline(always)]
    fn compute_increment<S: Simd<f64s = V>, H: Shift<S>, const TENSE: bool>(
        &self,
        simd: S,
        shift: H,
        factors: &ShortRowFactors<'_, V>,
        tension_term: [V; C],
        du: &[Cell<V>; C],
        next: &[Cell<V>; C],
    ) {
        let (block, zero) = (LANES / S::F64_LANES, simd.splat_f64s(0.0));
        let [up, here, down] = &self.q;
        for i in 0..C {
            let left = shift.left(if i > 0 { here[i - 1] } else { zero }, here[i]);
            let right = shift.right(here[i], if i + 1 < C { here[i + 1] } else { zero });
            let neighbours = simd.add_f64s(simd.add_f64s(left, right), simd.add_f64s(down[i], up[i]));
            let q_laplacian = mul_add(simd, factors.neg_four, here[i], neighbours);
            let mut du_next = mul_add(simd, factors.decay, du[i].get(), q_laplacian);
            if TENSE {
                du_next = simd.add_f64s(du_next, tension_term[i]);
            }
            if i < block || i + block >= C {
                du_next = simd.mul_f64s(factors.moves[i], du_next);
            }
            next[i].set(du_next);
        }
    }
}
