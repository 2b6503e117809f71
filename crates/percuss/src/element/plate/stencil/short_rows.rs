//! The uniform update of a plate with short rows (`register_rows`).
//!
//! Update      as in `uniform`; rows and columns that are held are taken as there
//! Order       row by row: u ← u + du in the row above, q = d·du − b·Δu, du⁺ = a·du + Δq + e·Δu in the row below
//! Allocates   no

use crate::element::coefficients::UpdateCoefficients;
use crate::element::plate::stencil::operands::{Columns, Uniform};
use crate::element::plate::stencil::register_rows::{ByRow, Nodes, enter, rise};
use crate::element::simd::{LANES, Shift, vectors, vectors_mut};
use crate::element::state::Increments;
use pulp::Simd;
use std::cell::Cell;

/// The sweep over a plate. `TENSE` where there is tension.
pub(crate) struct ShortRows<'a, const TENSE: bool> {
    pub uniform: Uniform,
    pub columns: Columns<'a>,
    pub u: &'a mut [f64],
    pub du: Increments<'a>,
}

/// A row of nodes, and what the rows below leave to it.
struct ShortRow<V, const C: usize> {
    nodes: Nodes<V, C>,
    /// How much u rises from the row below.
    climb: [V; C],
    /// q of the three rows below, the nearest first.
    q: [[V; C]; 3],
    /// e·Δu of the row below.
    stretched: [V; C],
}

/// Coefficients, a vector each, and what is multiplied in the first block of a row and in the last.
struct ShortRowFactors<'a, V> {
    decay: V,
    minus_bend: V,
    damping: V,
    tension: V,
    minus_four: V,
    moves: &'a [V],
    curved: &'a [V],
}

impl<'a, V: Copy> ShortRowFactors<'a, V> {
    #[inline(always)]
    fn new<S: Simd<f64s = V>>(simd: S, coefficients: UpdateCoefficients, columns: Columns<'a>) -> Self {
        Self {
            decay: simd.splat_f64s(coefficients.decay),
            minus_bend: simd.splat_f64s(-coefficients.bending),
            damping: simd.splat_f64s(coefficients.damping),
            tension: simd.splat_f64s(coefficients.tension),
            minus_four: simd.splat_f64s(-4.0),
            moves: vectors::<S>(columns.moves),
            curved: vectors::<S>(columns.curved),
        }
    }
}

impl<const TENSE: bool> ByRow for ShortRows<'_, TENSE> {
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
        let nodes = enter(simd, &u[0], &du[0]);
        let mut row = ShortRow { climb: nodes.u, nodes, q: [zero; 3], stretched: zero };
        row.curve::<S, H, TENSE>(simd, shift, &factors, enter(simd, &u[1], &du[1]));
        row.scale(simd, edges[0]);
        row.curve::<S, H, TENSE>(simd, shift, &factors, enter(simd, &u[2], &du[2]));
        for (((u, du), du_below), next) in u[3..].iter().zip(&du[3..]).zip(&du[1..]).zip(&next[1..]).take(rows - 1) {
            let stretched = row.stretched;
            row.curve::<S, H, TENSE>(simd, shift, &factors, enter(simd, u, du));
            row.push::<S, H, TENSE>(simd, shift, &factors, stretched, du_below, next);
        }
        let stretched = row.stretched;
        row.curve::<S, H, TENSE>(simd, shift, &factors, enter(simd, &u[rows + 2], &du[rows + 2]));
        row.scale(simd, edges[1]);
        row.push::<S, H, TENSE>(simd, shift, &factors, stretched, &du[rows], &next[rows]);
    }
}

impl<V: Copy, const C: usize> ShortRow<V, C> {
    /// Sets q of the row, and goes on to the one above it.
    #[inline(always)]
    fn curve<S: Simd<f64s = V>, H: Shift<S>, const TENSE: bool>(
        &mut self,
        simd: S,
        shift: H,
        factors: &ShortRowFactors<'_, V>,
        above: Nodes<V, C>,
    ) {
        let (block, mut before) = (LANES / S::F64_LANES, simd.splat_f64s(0.0));
        let [near, far, _] = self.q;
        self.q = [near, near, far];
        for i in 0..C {
            let slope = rise(simd, shift, &self.nodes.u, i);
            let across = simd.sub_f64s(slope, shift.left(before, slope));
            let climb = simd.sub_f64s(above.u[i], self.nodes.u[i]);
            let curve = simd.add_f64s(across, simd.sub_f64s(climb, self.climb[i]));
            let rubbed = simd.mul_f64s(factors.damping, self.nodes.du[i]);
            let mut q = simd.mul_add_f64s(factors.minus_bend, curve, rubbed);
            if i < block || i + block >= C {
                q = simd.mul_f64s(factors.curved[i], q);
            }
            if TENSE {
                self.stretched[i] = simd.mul_f64s(factors.tension, curve);
            }
            (self.q[0][i], self.climb[i], before) = (q, climb, slope);
        }
        self.nodes = above;
    }

    /// Bends the row below, which is held, by so much more.
    #[inline(always)]
    fn scale<S: Simd<f64s = V>>(&mut self, simd: S, curved: f64) {
        for q in &mut self.q[0] {
            *q = simd.mul_f64s(simd.splat_f64s(curved), *q);
        }
    }

    /// Sets du⁺ two rows below.
    #[inline(always)]
    fn push<S: Simd<f64s = V>, H: Shift<S>, const TENSE: bool>(
        &self,
        simd: S,
        shift: H,
        factors: &ShortRowFactors<'_, V>,
        stretched: [V; C],
        du: &[Cell<V>; C],
        next: &[Cell<V>; C],
    ) {
        let (block, zero) = (LANES / S::F64_LANES, simd.splat_f64s(0.0));
        let [up, here, down] = &self.q;
        for i in 0..C {
            let left = shift.left(if i > 0 { here[i - 1] } else { zero }, here[i]);
            let right = shift.right(here[i], if i + 1 < C { here[i + 1] } else { zero });
            let around = simd.add_f64s(simd.add_f64s(left, right), simd.add_f64s(down[i], up[i]));
            let spread = simd.mul_add_f64s(factors.minus_four, here[i], around);
            let mut pushed = simd.mul_add_f64s(factors.decay, du[i].get(), spread);
            if TENSE {
                pushed = simd.add_f64s(pushed, stretched[i]);
            }
            if i < block || i + block >= C {
                pushed = simd.mul_f64s(factors.moves[i], pushed);
            }
            next[i].set(pushed);
        }
    }
}
