//! The uniform update of a plate, run by run, with the widest vectors the machine has.
//!
//! Update      du⁺ = c₁Σ₄ + c₂Σₓ + c₃Σ₂ + d₀du + d₁Σ₄du
//!             Σ₄ the four neighbours' u less the node's own, Σₓ the same on the diagonals, Σ₂ two nodes away: a plate that
//!             drifts far while it rings bends by differences, which stay exact however far it is
//! Vectors are spelt out: the compiler sees that a neighbour's value was loaded one step before, keeps it in a register
//! and gives up on vectors. The last few nodes of a run are stepped one by one, as `Scalar` would all.
//! Allocates   no

use pulp::{Arch, Simd, WithSimd};
use std::ops::Range;

/// Coefficients of the uniform update.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Uniform {
    /// c₁ to c₃.
    pub on_u: [f64; 3],
    /// d₀ and d₁.
    pub on_du: [f64; 2],
    /// State nodes from one row to the next.
    pub stride: usize,
}

/// The update of all runs.
struct Sweep<'a> {
    uniform: Uniform,
    runs: &'a [Range<usize>],
    u: &'a [f64],
    du: &'a [f64],
    du_next: &'a mut [f64],
}

/// What the nodes of a run read, each as long as the run.
struct Views<'a> {
    u: Cross<'a>,
    du: Cross<'a>,
    diagonal: [&'a [f64]; 4],
    far: [&'a [f64]; 4],
}

/// A field at the nodes of a run and at their four neighbours.
struct Cross<'a> {
    centre: &'a [f64],
    arms: [&'a [f64]; 4],
}

impl Uniform {
    /// Sets du⁺ along the runs.
    pub fn apply(&self, runs: &[Range<usize>], u: &[f64], du: &[f64], du_next: &mut [f64]) {
        Arch::new().dispatch(Sweep { uniform: *self, runs, u, du, du_next });
    }

    #[inline(always)]
    fn views<'a>(&self, run: &Range<usize>, u: &'a [f64], du: &'a [f64]) -> Views<'a> {
        let (row, width) = (self.stride, run.len());
        let (here, up, down) = (run.start, run.start + row, run.start - row);
        let at = |x: &'a [f64], start: usize| &x[start..][..width];
        let arms = |x: &'a [f64]| [at(x, here - 1), at(x, here + 1), at(x, down), at(x, up)];
        Views {
            u: Cross { centre: at(u, here), arms: arms(u) },
            du: Cross { centre: at(du, here), arms: arms(du) },
            diagonal: [at(u, down - 1), at(u, down + 1), at(u, up - 1), at(u, up + 1)],
            far: [at(u, here - 2), at(u, here + 2), at(u, down - row), at(u, up + row)],
        }
    }
}

impl WithSimd for Sweep<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for run in self.runs {
            let views = self.uniform.views(run, self.u, self.du);
            let (next, last) = S::as_mut_simd_f64s(&mut self.du_next[run.clone()]);
            wide(simd, &self.uniform, &views, next);
            let done = run.len() - last.len();
            for (i, last) in last.iter_mut().enumerate() {
                *last = narrow(&self.uniform, &views, done + i);
            }
        }
    }
}

/// The sum of four fields, each less the field at the centre.
#[inline(always)]
fn four_less<S: Simd>(simd: S, fields: [&[S::f64s]; 4], centre: S::f64s, i: usize) -> S::f64s {
    let less = |field: &[S::f64s]| simd.sub_f64s(field[i], centre);
    simd.add_f64s(simd.add_f64s(less(fields[0]), less(fields[1])), simd.add_f64s(less(fields[2]), less(fields[3])))
}

/// The sum of four fields, vector by vector.
#[inline(always)]
fn four<S: Simd>(simd: S, fields: [&[S::f64s]; 4], i: usize) -> S::f64s {
    simd.add_f64s(simd.add_f64s(fields[0][i], fields[1][i]), simd.add_f64s(fields[2][i], fields[3][i]))
}

/// As many vectors of a field as there are to be set.
#[inline(always)]
fn vectors<S: Simd>(field: &[f64], count: usize) -> &[S::f64s] {
    &S::as_simd_f64s(field).0[..count]
}

#[inline(always)]
fn all_vectors<'a, S: Simd>(fields: &[&'a [f64]; 4], count: usize) -> [&'a [S::f64s]; 4] {
    let [a, b, c, d] = *fields;
    [vectors::<S>(a, count), vectors::<S>(b, count), vectors::<S>(c, count), vectors::<S>(d, count)]
}

#[inline(always)]
fn wide<S: Simd>(simd: S, uniform: &Uniform, views: &Views<'_>, next: &mut [S::f64s]) {
    let count = next.len();
    let ([c1, c2, c3], [d0, d1]) = (uniform.on_u, uniform.on_du);
    let (c1, c2, c3) = (simd.splat_f64s(c1), simd.splat_f64s(c2), simd.splat_f64s(c3));
    let (d0, d1) = (simd.splat_f64s(d0), simd.splat_f64s(d1));
    let (u, du) = (vectors::<S>(views.u.centre, count), vectors::<S>(views.du.centre, count));
    let (near, dragged) = (all_vectors::<S>(&views.u.arms, count), all_vectors::<S>(&views.du.arms, count));
    let (diagonal, far) = (all_vectors::<S>(&views.diagonal, count), all_vectors::<S>(&views.far, count));
    for (i, next) in next.iter_mut().enumerate() {
        let kept = simd.mul_add_f64s(d1, four(simd, dragged, i), simd.mul_f64s(d0, du[i]));
        let arms = simd.mul_f64s(c1, four_less(simd, near, u[i], i));
        let outer = simd.mul_add_f64s(c2, four_less(simd, diagonal, u[i], i), arms);
        *next = simd.add_f64s(kept, simd.mul_add_f64s(c3, four_less(simd, far, u[i], i), outer));
    }
}

/// The same for one node.
#[inline(always)]
fn narrow(uniform: &Uniform, views: &Views<'_>, i: usize) -> f64 {
    let ([c1, c2, c3], [d0, d1]) = (uniform.on_u, uniform.on_du);
    let four =
        |x: &[&[f64]; 4], less: f64| ((x[0][i] - less) + (x[1][i] - less)) + ((x[2][i] - less) + (x[3][i] - less));
    let own = views.u.centre[i];
    let kept = d0 * views.du.centre[i] + d1 * four(&views.du.arms, 0.0);
    kept + (c1 * four(&views.u.arms, own) + c2 * four(&views.diagonal, own) + c3 * four(&views.far, own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The update as it is written, node by node.
    fn plain(uniform: &Uniform, run: &Range<usize>, u: &[f64], du: &[f64]) -> Vec<f64> {
        let views = uniform.views(run, u, du);
        (0..run.len()).map(|i| narrow(uniform, &views, i)).collect()
    }

    proptest! {
        #[test]
        fn vectors_agree_with_the_plain_update(width in 1..70_usize, rows in 1..6_usize, seed in any::<u64>()) {
            let stride = width + 4;
            let mut noise = seed;
            let mut random = |_| {
                noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (noise >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
            };
            let size = stride * (rows + 4);
            let u: Vec<f64> = (0..size).map(&mut random).collect();
            let du: Vec<f64> = (0..size).map(&mut random).collect();
            let uniform = Uniform { on_u: [0; 3].map(&mut random), on_du: [0; 2].map(&mut random), stride };
            let runs: Vec<_> = (2..rows + 2).map(|j| j * stride + 2..j * stride + 2 + width).collect();
            let mut next = vec![f64::NAN; size];
            uniform.apply(&runs, &u, &du, &mut next);
            for run in &runs {
                for (found, expected) in next[run.clone()].iter().zip(plain(&uniform, run, &u, &du)) {
                    // The sum of thirty terms of at most 1: what rounding may differ by.
                    prop_assert!((found - expected).abs() <= 1e-14, "{found} against {expected}");
                }
            }
        }
    }
}
