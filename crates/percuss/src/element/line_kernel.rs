//! The uniform update of a string or bar, in the widest vectors the machine has.
//!
//! Update      u ← u + du,  c = u₋₁ − 2u + u₊₁,  q = d·du − b·c,  du⁺ = a·du + e·c + q₋₁ − 2q + q₊₁
//! Order       one pass: c and q of a block are made while du⁺ of the one before is, and nothing is read twice. c is
//!             taken by differences, which stay exact however far the line has drifted
//! Symbols     a, b, d, e coefficients of the update, grid spacing included
//! Allocates   no

use super::vectors::{Kernel, LANES, Shift, vectors_mut};
use super::{Increments, Rates};
use pulp::Simd;

/// The update of whole blocks of nodes.
pub(super) struct Sweep<'a> {
    pub rates: Rates,
    /// u, with a block of zeros beside the nodes at either end.
    pub u: &'a mut [f64],
    /// du and du⁺, likewise.
    pub du: Increments<'a>,
}

impl Kernel for Sweep<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S>>(mut self, simd: S, shift: H) {
        let Rates { stay, bend, drag, stretch } = self.rates;
        let [stay, bend, drag, stretch] = [stay, -bend, drag, stretch].map(|x| simd.splat_f64s(x));
        let nodes = LANES..self.u.len() - LANES;
        let u = vectors_mut::<S>(&mut self.u[nodes]);
        let count = u.len();
        let [du, next] = self.du.vectors::<S>().map(|du| &du[LANES / S::F64_LANES..][..count]);
        let curve = |before: S::f64s, here: S::f64s, after: S::f64s| {
            let less = |other: S::f64s| simd.sub_f64s(other, here);
            simd.add_f64s(less(shift.left(before, here)), less(shift.right(here, after)))
        };
        let flux = |curve: S::f64s, du: S::f64s| simd.mul_add_f64s(bend, curve, simd.mul_f64s(drag, du));
        let zero = simd.splat_f64s(0.0);
        // Of the block in work and of the next: u, du, c, q.
        u[0] = simd.add_f64s(u[0], du[0].get());
        let (mut here, mut moved) = ([zero, u[0]], [zero, du[0].get()]);
        let (mut bent, mut pushed) = ([zero; 2], [zero; 2]);
        for i in 0..=count {
            let (mut beyond, mut step) = (zero, zero);
            if i + 1 < count {
                step = du[i + 1].get();
                beyond = simd.add_f64s(u[i + 1], step);
                u[i + 1] = beyond;
            }
            let ahead = curve(here[0], here[1], beyond);
            let push = flux(ahead, moved[1]);
            if i > 0 {
                let spread = curve(pushed[0], pushed[1], push);
                let kept = simd.mul_add_f64s(stretch, bent[1], simd.mul_f64s(stay, moved[0]));
                next[i - 1].set(simd.add_f64s(kept, spread));
            }
            (here, moved) = ([here[1], beyond], [moved[1], step]);
            (bent, pushed) = ([bent[1], ahead], [pushed[1], push]);
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
                run(Sweep { rates, u: &mut u, du: Increments { next: &mut du, kept: None } });
                du
            };
            let widest = swept(&|sweep| run(pulp::Arch::new(), sweep));
            let narrowest = swept(&|sweep| sweep.run(pulp::Scalar, ByLane));
            let beside = {
                let ([mut u, mut kept], mut next) = (start.clone(), vec![f64::NAN; start[1].len()]);
                let du = Increments { next: &mut next, kept: Some(&mut kept) };
                run(pulp::Arch::new(), Sweep { rates, u: &mut u, du });
                prop_assert_eq!(&kept, &start[1]);
                next
            };
            prop_assert_eq!(&beside[LANES..u.len() - LANES], &widest[LANES..u.len() - LANES]);
            for i in LANES + 1..LANES + values.len() - 1 {
                let plain = stay * start[1][i] + stretch * curve(&u, i) + curve(&q, i);
                // Sums of a dozen terms, of which none exceeds 20.
                prop_assert!((plain - widest[i]).abs() <= 1e-13 * 20.0, "{i}: {plain} {}", widest[i]);
                prop_assert!((plain - narrowest[i]).abs() <= 1e-13 * 20.0, "{i}: {plain} {}", narrowest[i]);
            }
        }
    }
}
