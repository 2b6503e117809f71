//! The uniform update of a string or bar, in the widest vectors the machine has.
//!
//! Update      u ← u + du,  c = u₋₁ − 2u + u₊₁,  q = d·du − b·c,  du⁺ = a·du + e·c + q₋₁ − 2q + q₊₁
//! Order       one pass: c and q of a block are made while du⁺ of the one before is, and nothing is read twice. c is
//!             the difference of differences, which stays exact however far the line has drifted
//! Ends        q is 0 beyond the blocks: an end that is simply supported there needs nothing else
//! Symbols     a, b, d, e coefficients of the update, grid spacing included
//! Allocates   no

use super::Rates;
use super::vectors::{Kernel, LANES, Shift, vectors_mut};
use pulp::Simd;

/// The update of whole blocks of nodes.
pub(super) struct Sweep<'a> {
    pub rates: Rates,
    /// u, with a block of zeros beside the nodes at either end.
    pub u: &'a mut [f64],
    /// du, then du⁺, likewise.
    pub du: &'a mut [f64],
}

impl Kernel for Sweep<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S>>(self, simd: S, shift: H) {
        let Rates { stay, bend, drag, stretch } = self.rates;
        let [stay, bend, drag, stretch] = [stay, -bend, drag, stretch].map(|x| simd.splat_f64s(x));
        let nodes = LANES..self.u.len() - LANES;
        let u = vectors_mut::<S>(&mut self.u[nodes.clone()]);
        let count = u.len();
        let du = &mut vectors_mut::<S>(&mut self.du[nodes])[..count];
        // The step from each node to the next; c and the spread of q are differences of these.
        let step = |here: S::f64s, after: S::f64s| simd.sub_f64s(shift.right(here, after), here);
        let curve = |before: S::f64s, here: S::f64s| simd.sub_f64s(here, shift.left(before, here));
        let zero = simd.splat_f64s(0.0);
        // Of the block in work: u, du, and the steps of u before it.
        let (mut place, mut moved, mut rise) = (zero, zero, zero);
        // Of the block before, which lacks only what is pushed into it from this one: q, its steps, what is kept.
        let (mut push, mut slope, mut kept) = (zero, zero, zero);
        for i in 0..count + 2 {
            let (mut ahead, mut next) = (zero, zero);
            if i < count {
                next = du[i];
                ahead = simd.add_f64s(u[i], next);
                u[i] = ahead;
            }
            let steps = step(place, ahead);
            let bent = if i == 0 || i > count { zero } else { curve(rise, steps) };
            let pushed = simd.mul_add_f64s(bend, bent, simd.mul_f64s(drag, moved));
            let slopes = step(push, pushed);
            if i > 1 {
                du[i - 2] = simd.add_f64s(kept, curve(slope, slopes));
            }
            kept = simd.mul_add_f64s(stretch, bent, simd.mul_f64s(stay, moved));
            (place, moved, rise) = (ahead, next, steps);
            (push, slope) = (pushed, slopes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::vectors::{ByLane, run, whole_blocks};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn vectors_of_every_width_agree_with_the_equations(
            values in prop::collection::vec((-1.0..1.0, -1.0..1.0), 3..90),
            [stay, bend, drag, stretch] in [-1.0..1.0, -1.0..1.0, -1.0..1.0, -1.0..1.0],
        ) {
            let rates = Rates { stay, bend, drag, stretch };
            let mut start = [vec![0.0; whole_blocks(values.len()) + 2 * LANES], Vec::new()];
            start[1] = start[0].clone();
            for (i, &(u, du)) in values.iter().enumerate() {
                (start[0][LANES + i], start[1][LANES + i]) = (u, du);
            }
            let u: Vec<f64> = start[0].iter().zip(&start[1]).map(|(u, du)| u + du).collect();
            let curve = |x: &[f64], i: usize| x[i - 1] - 2.0 * x[i] + x[i + 1];
            let mut q = vec![0.0; u.len()];
            // The first and the last node have rows of their own.
            for i in LANES..u.len() - LANES {
                q[i] = drag * start[1][i] - bend * curve(&u, i);
            }
            let swept = |run: &dyn Fn(Sweep<'_>)| {
                let [mut u, mut du] = start.clone();
                run(Sweep { rates, u: &mut u, du: &mut du });
                du
            };
            let widest = swept(&|sweep| run(pulp::Arch::new(), sweep));
            let narrowest = swept(&|sweep| sweep.run(pulp::Scalar, ByLane));
            for i in LANES + 1..LANES + values.len() - 1 {
                let plain = stay * start[1][i] + stretch * curve(&u, i) + curve(&q, i);
                // Sums of a dozen terms, of which none exceeds 20.
                prop_assert!((plain - widest[i]).abs() <= 1e-13 * 20.0, "{i}: {plain} {}", widest[i]);
                prop_assert!((plain - narrowest[i]).abs() <= 1e-13 * 20.0, "{i}: {plain} {}", narrowest[i]);
            }
        }
    }
}
