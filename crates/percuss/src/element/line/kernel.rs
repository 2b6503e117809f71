//! The uniform update of a string or bar, in vectors.
//!
//! Update      u ← u + du,  c = u₋₁ − 2u + u₊₁,  q = d·du − b·c,  du⁺ = a·du + e·c + q₋₁ − 2q + q₊₁
//! Order       one pass: c and q of a block are made while du⁺ of the one before is, and nothing is read twice. c is
//!             the difference of differences, which stays exact however far the line has drifted
//! Ends        q is 0 beyond the blocks: an end that is simply supported there needs nothing else
//! Symbols     a, b, d, e coefficients of the update, grid spacing included
//! Allocates   no

use crate::element::coefficients::UpdateCoefficients;
use crate::element::simd::{Kernel, LANES, Shift, mul_add, vectors_mut};
use crate::element::state::Increments;
use pulp::Simd;

/// The update of whole blocks of nodes.
pub(crate) struct LineSweep<'a> {
    pub coefficients: UpdateCoefficients,
    /// u, with a block of zeros beside the nodes at either end.
    pub u: &'a mut [f64],
    /// du and du⁺, likewise.
    pub du: Increments<'a>,
}

impl Kernel for LineSweep<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S>>(mut self, simd: S, shift: H) {
        let nodes = LANES..self.u.len() - LANES;
        let u = vectors_mut::<S>(&mut self.u[nodes]);
        let count = u.len();
        let [du, next] = self.du.vectors::<S>();
        let (du, next) = (&du[LANES / S::F64_LANES..][..count], &next[LANES / S::F64_LANES..][..count]);
        let zero = simd.splat_f64s(0.0);
        let mut pipeline = Pipeline::new(simd, shift, self.coefficients);
        // Beyond the blocks u, du and q are zero.
        let mut read = |i: usize| {
            let step = du[i].get();
            u[i] = simd.add_f64s(u[i], step);
            [u[i], step]
        };
        pipeline.next(read(0), false);
        if count > 1 {
            pipeline.next(read(1), true);
        }
        for i in 2..count {
            next[i - 2].set(pipeline.next(read(i), true));
        }
        let next_to_last = pipeline.next([zero; 2], true);
        if count > 1 {
            next[count - 2].set(next_to_last);
        }
        next[count - 1].set(pipeline.next([zero; 2], false));
    }
}

/// Values carried from block to block; du⁺ is available two blocks later.
struct Pipeline<S: Simd, H> {
    simd: S,
    shift: H,
    decay: S::f64s,
    bending: S::f64s,
    damping: S::f64s,
    tension: S::f64s,
    /// u and du of the last block read.
    last: [S::f64s; 2],
    /// Slopes of u in the block before it.
    u_slope: S::f64s,
    /// q of that block, slopes of q in the one before, and a·du + e·c of the former.
    q: S::f64s,
    q_slope: S::f64s,
    partial_du: S::f64s,
}

impl<S: Simd, H: Shift<S>> Pipeline<S, H> {
    #[inline(always)]
    fn new(simd: S, shift: H, UpdateCoefficients { decay, bending, damping, tension }: UpdateCoefficients) -> Self {
        let zero = simd.splat_f64s(0.0);
        Self {
            simd,
            shift,
            decay: simd.splat_f64s(decay),
            bending: simd.splat_f64s(-bending),
            damping: simd.splat_f64s(damping),
            tension: simd.splat_f64s(tension),
            last: [zero; 2],
            u_slope: zero,
            q: zero,
            q_slope: zero,
            partial_du: zero,
        }
    }

    /// Takes u and du of the next block and gives du⁺ of the one two before it. `is_inside`: whether the one between is a
    /// block of the line, not beyond its end.
    #[inline(always)]
    fn next(&mut self, read: [S::f64s; 2], is_inside: bool) -> S::f64s {
        let (simd, shift) = (self.simd, self.shift);
        let [u, du] = self.last;
        let u_slope = simd.sub_f64s(shift.right(u, read[0]), u);
        let curvature =
            if is_inside { simd.sub_f64s(u_slope, shift.left(self.u_slope, u_slope)) } else { simd.splat_f64s(0.0) };
        let q = mul_add(simd, self.bending, curvature, simd.mul_f64s(self.damping, du));
        let q_slope = simd.sub_f64s(shift.right(self.q, q), self.q);
        let q_curvature = simd.sub_f64s(q_slope, shift.left(self.q_slope, q_slope));
        let du_next = simd.add_f64s(self.partial_du, q_curvature);
        self.partial_du = mul_add(simd, self.tension, curvature, simd.mul_f64s(self.decay, du));
        (self.last, self.u_slope, self.q, self.q_slope) = (read, u_slope, q, q_slope);
        du_next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::simd::Machine;
    use crate::element::simd::{ByLane, run, whole_blocks};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn vectors_of_every_width_agree_with_the_equations(
            values in prop::collection::vec((-1.0..1.0, -1.0..1.0), 3..90),
            [decay, bending, damping, tension] in [-1.0..1.0, -1.0..1.0, -1.0..1.0, -1.0..1.0],
        ) {
            let coefficients = UpdateCoefficients { decay, bending, damping, tension };
            let mut start = [vec![0.0; whole_blocks(values.len()) + 2 * LANES], Vec::new()];
            start[1] = start[0].clone();
            for (i, &(u, du)) in values.iter().enumerate() {
                (start[0][LANES + i], start[1][LANES + i]) = (u, du);
            }
            let u: Vec<f64> = start[0].iter().zip(&start[1]).map(|(u, du)| u + du).collect();
            let curvature = |x: &[f64], i: usize| x[i - 1] - 2.0 * x[i] + x[i + 1];
            let mut q = vec![0.0; u.len()];
            // The first and the last node have rows of their own.
            for i in LANES..u.len() - LANES {
                q[i] = damping * start[1][i] - bending * curvature(&u, i);
            }
            let by_kernel = |run: &dyn Fn(LineSweep<'_>)| {
                let [mut u, mut du] = start.clone();
                run(LineSweep { coefficients, u: &mut u, du: Increments { next: &mut du, previous: None } });
                du
            };
            let widest = by_kernel(&|sweep| run(Machine::new(false), sweep));
            let narrowest = by_kernel(&|sweep| sweep.run(pulp::Scalar, ByLane));
            let beside = {
                let ([mut u, mut previous], mut next) = (start.clone(), vec![f64::NAN; start[1].len()]);
                let du = Increments { next: &mut next, previous: Some(&mut previous) };
                run(Machine::new(false), LineSweep { coefficients, u: &mut u, du });
                prop_assert_eq!(&previous, &start[1]);
                next
            };
            prop_assert_eq!(&beside[LANES..u.len() - LANES], &widest[LANES..u.len() - LANES]);
            for i in LANES + 1..LANES + values.len() - 1 {
                let plain = decay * start[1][i] + tension * curvature(&u, i) + curvature(&q, i);
                // Sums of a dozen terms, of which none exceeds 20.
                prop_assert!((plain - widest[i]).abs() <= 1e-13 * 20.0, "{i}: {plain} {}", widest[i]);
                prop_assert!((plain - narrowest[i]).abs() <= 1e-13 * 20.0, "{i}: {plain} {}", narrowest[i]);
            }
        }
    }
}
