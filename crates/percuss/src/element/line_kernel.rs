//! The uniform update of a string or bar, in the widest vectors the machine has.
//!
//! Update      u ← u + du,  du⁺ = a₀u + a₁(u₋₁ + u₊₁) + a₂(u₋₂ + u₊₂) + d₀du + d₁(du₋₁ + du₊₁)
//! Symbols     a, d coefficients of the update, grid spacing included
//! Allocates   no

use super::vectors::{LANES, flushed, vectors, vectors_mut};
use pulp::{Simd, WithSimd};

/// The update of whole blocks of nodes.
pub(super) struct Sweep<'a> {
    /// a₀ to a₂.
    pub on_u: [f64; 3],
    /// d₀ and d₁.
    pub on_du: [f64; 2],
    /// u and du, with a block beside the nodes at either end.
    pub u: &'a mut [f64],
    pub du: &'a [f64],
    /// The nodes alone.
    pub du_next: &'a mut [f64],
}

impl WithSimd for Sweep<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (u, du) in vectors_mut::<S>(self.u).iter_mut().zip(vectors::<S>(self.du)) {
            *u = simd.add_f64s(*u, *du);
        }
        let next = vectors_mut::<S>(self.du_next);
        let count = next.len();
        let u = [-2_isize, -1, 0, 1, 2].map(|by| &vectors::<S>(&self.u[LANES.wrapping_add_signed(by)..])[..count]);
        let du = [-1_isize, 0, 1].map(|by| &vectors::<S>(&self.du[LANES.wrapping_add_signed(by)..])[..count]);
        let ([a0, a1, a2], [d0, d1]) =
            (self.on_u.map(|a| simd.splat_f64s(a)), self.on_du.map(|d| simd.splat_f64s(d)));
        for (i, next) in next.iter_mut().enumerate() {
            let outer = simd.mul_f64s(a2, simd.add_f64s(u[0][i], u[4][i]));
            let bent = simd.mul_add_f64s(a1, simd.add_f64s(u[1][i], u[3][i]), simd.mul_add_f64s(a0, u[2][i], outer));
            let kept = simd.mul_add_f64s(d1, simd.add_f64s(du[0][i], du[2][i]), simd.mul_f64s(d0, du[1][i]));
            *next = flushed(simd, simd.add_f64s(bent, kept));
        }
    }
}
