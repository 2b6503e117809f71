//! The sums of a plate whose edges are all held, two rows at a time.
//!
//! Held edges  let ν be 1 and the weights of intervals and masses drop out: Σ s Δ₁a Δ₁b = −Σ a Δb, with Δ the four
//!             neighbours less the node's own, each. Only where a held edge curves w_n is not 1
//! Sums        Σ du²,  Σ du·du⁻,  −Σ du Δdu,  −Σ du⁻Δdu,  Σ Δ₁u Δ₁u⁺,  Σ w_n Δu (Δu + Δdu)
//! Run         u and du to the right of a vector are read once, and stay in registers until they are to the left of one
//! Symbols     as in `energy/sums`
//! Allocates   no

use crate::element::plate::stencil::strip::StripRows;
use crate::element::simd::{Shift, mul_add};
use pulp::Simd;

/// The same as [`PlateSums`], as many of each as a vector has lanes.
pub(crate) type SumLanes<T> = [T; 6];

/// Rows to be summed up.
pub(crate) struct FixedEdgeSums<'a, S: Simd, const R: usize> {
    pub u: StripRows<'a, S::f64s, R>,
    pub du: StripRows<'a, S::f64s, R>,
    /// The du before.
    pub old: StripRows<'a, S::f64s, R>,
    /// w_n.
    pub node: [&'a [S::f64s]; R],
}

/// u and du of the rows at a vector.
#[derive(Clone, Copy)]
struct RowValues<V, const R: usize> {
    u: [V; R],
    du: [V; R],
}

/// Values carried in registers from vector to vector.
struct FixedEdgeCarry<V, const R: usize> {
    here: RowValues<V, R>,
    /// du in the vector to the left.
    du_left: [V; R],
    /// Differences of u to the right in the vector to the left.
    slope_left: [V; R],
    sums: SumLanes<V>,
}

impl<S: Simd, const R: usize> FixedEdgeSums<'_, S, R> {
    /// Sums up rows of `count` vectors. `BENDS` and `TENSE` where the plate resists bending and is under tension.
    #[inline(always)]
    pub fn sum<H: Shift<S>, const BENDS: bool, const TENSE: bool>(
        &self,
        simd: S,
        shift: H,
        count: usize,
    ) -> SumLanes<S::f64s> {
        let zero = simd.splat_f64s(0.0);
        let outside = RowValues { u: [zero; R], du: [zero; R] };
        let mut carry = FixedEdgeCarry { here: self.at(0), du_left: [zero; R], slope_left: [zero; R], sums: [zero; 6] };
        let (now, next) = (self.window(0, count - 1), self.window(1, count - 1));
        for i in 0..count - 1 {
            now.add::<H, BENDS, TENSE>(simd, shift, i, next.at(i), &mut carry);
        }
        self.add::<H, BENDS, TENSE>(simd, shift, count - 1, outside, &mut carry);
        let [motion, motion_mixed, slope, slope_mixed, stretch, bend] = carry.sums;
        [motion, motion_mixed, simd.neg_f64s(slope), simd.neg_f64s(slope_mixed), stretch, bend]
    }

    /// So many vectors of each row, from one on.
    #[inline(always)]
    fn window(&self, first: usize, length: usize) -> Self {
        let mut node = self.node;
        for row in &mut node {
            *row = &row[first..][..length];
        }
        Self {
            u: self.u.window(first, length),
            du: self.du.window(first, length),
            old: self.old.window(first, length),
            node,
        }
    }

    #[inline(always)]
    fn at(&self, i: usize) -> RowValues<S::f64s, R> {
        let mut place = RowValues { u: [self.u.own[0][i]; R], du: [self.du.own[0][i]; R] };
        for row in 1..R {
            (place.u[row], place.du[row]) = (self.u.own[row][i], self.du.own[row][i]);
        }
        place
    }

    /// Adds vector i; `next` is what comes after it.
    #[inline(always)]
    fn add<H: Shift<S>, const BENDS: bool, const TENSE: bool>(
        &self,
        simd: S,
        shift: H,
        i: usize,
        next: RowValues<S::f64s, R>,
        carry: &mut FixedEdgeCarry<S::f64s, R>,
    ) {
        let neg_four = simd.splat_f64s(-4.0);
        let [mut motion, mut motion_mixed, mut slope, mut slope_mixed, mut stretch, mut bend] = carry.sums;
        let RowValues { u, du } = carry.here;
        let mut below = simd.sub_f64s(u[0], self.u.down[i]);
        let mut step_down = self.du.down[i];
        for row in 0..R {
            let (here, step, before) = (u[row], du[row], self.old.own[row][i]);
            let [u_up, step_up] = if row + 1 < R { [u[row + 1], du[row + 1]] } else { [self.u.up[i], self.du.up[i]] };
            let step_right = shift.right(step, next.du[row]);
            let across = simd.add_f64s(shift.left(carry.du_left[row], step), step_right);
            let neighbours = simd.add_f64s(across, simd.add_f64s(step_down, step_up));
            let du_laplacian = mul_add(simd, neg_four, step, neighbours);
            motion = mul_add(simd, step, step, motion);
            motion_mixed = mul_add(simd, step, before, motion_mixed);
            slope = mul_add(simd, step, du_laplacian, slope);
            slope_mixed = mul_add(simd, before, du_laplacian, slope_mixed);
            let right = simd.sub_f64s(shift.right(here, next.u[row]), here);
            let above = simd.sub_f64s(u_up, here);
            if BENDS {
                let across = simd.sub_f64s(right, shift.left(carry.slope_left[row], right));
                let u_laplacian = simd.add_f64s(across, simd.sub_f64s(above, below));
                let next_laplacian = simd.add_f64s(u_laplacian, du_laplacian);
                bend = mul_add(simd, simd.mul_f64s(self.node[row][i], u_laplacian), next_laplacian, bend);
            }
            if TENSE {
                let (step_x, step_y) = (simd.sub_f64s(step_right, step), simd.sub_f64s(step_up, step));
                stretch = mul_add(simd, right, simd.add_f64s(right, step_x), stretch);
                stretch = mul_add(simd, above, simd.add_f64s(above, step_y), stretch);
            }
            (carry.slope_left[row], below, step_down) = (right, above, step);
        }
        carry.sums = [motion, motion_mixed, slope, slope_mixed, stretch, bend];
        (carry.du_left, carry.here) = (du, next);
    }
}
