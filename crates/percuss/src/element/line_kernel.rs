//! The uniform update of a string or bar, in the widest vectors the machine has.
//!
//! Update      u ← u + du,  du⁺ = a₀u + a₁(u₋₁ + u₊₁) + a₂(u₋₂ + u₊₂) + d₀du + d₁(du₋₁ + du₊₁)
//! Symbols     a, d coefficients of the update, grid spacing included
//! Allocates   no

use super::vectors::{LANES, flushed, left, right, vectors, vectors_mut};
use pulp::{Simd, WithSimd};

/// The update of whole blocks of nodes.
pub(super) struct Sweep<'a> {
    /// a₀ to a₂.
    pub on_u: [f64; 3],
    /// d₀ and d₁.
    pub on_du: [f64; 2],
    /// u, with a block of zeros beside the nodes at either end.
    pub u: &'a mut [f64],
    /// du, then du⁺, likewise.
    pub du: &'a mut [f64],
}

impl WithSimd for Sweep<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (u, du) in vectors_mut::<S>(self.u).iter_mut().zip(vectors::<S>(self.du)) {
            *u = simd.add_f64s(*u, *du);
        }
        let nodes = LANES..self.u.len() - LANES;
        let count = nodes.len() / S::F64_LANES;
        let shifted = |by: isize| {
            let nodes = nodes.start.wrapping_add_signed(by)..nodes.end.wrapping_add_signed(by);
            &vectors::<S>(&self.u[nodes])[..count]
        };
        let (far, near) = ([shifted(-2), shifted(2)], [shifted(-1), shifted(1)]);
        let here = shifted(0);
        let du = &mut vectors_mut::<S>(&mut self.du[nodes.clone()])[..count];
        let ([a0, a1, a2], [d0, d1]) = (self.on_u.map(|a| simd.splat_f64s(a)), self.on_du.map(|d| simd.splat_f64s(d)));
        let zero = simd.splat_f64s(0.0);
        let (mut before, mut moved) = (zero, du[0]);
        for i in 0..count {
            let after = if i + 1 < count { du[i + 1] } else { zero };
            let outer = simd.mul_f64s(a2, simd.add_f64s(far[0][i], far[1][i]));
            let inner = simd.mul_add_f64s(a1, simd.add_f64s(near[0][i], near[1][i]), simd.mul_f64s(a0, here[i]));
            let beside = simd.add_f64s(left::<S>(before, moved), right::<S>(moved, after));
            let kept = simd.mul_add_f64s(d1, beside, simd.mul_f64s(d0, moved));
            du[i] = flushed(simd, simd.add_f64s(simd.add_f64s(outer, inner), kept));
            (before, moved) = (moved, after);
        }
    }
}
