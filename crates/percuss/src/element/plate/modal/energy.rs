//! Sums over the modes of a plate, in vectors.
//!
//! Account     those of `energy/sums`, in which every term has its own mode: Σ dû², Σ λdû², Σ λû·û⁻, Σ λ²û·û⁻ and so on, U = λû
//! Place       u = Σ X(m)Y(n)·U/λ
//! Order       row by row; every row is summed by itself, so that large plates are summed as exactly as small ones
//! Allocates   no

use crate::element::plate::energy::sums::PlateSums;
use crate::element::simd::vectors;
use pulp::{Simd, WithSimd};

/// Where a port is, as the modes have it: Σ X(m)Y(n)·U/λ.
pub(crate) struct PortSum<'a> {
    pub lambda: [&'a [f64]; 2],
    pub shape: [&'a [f64]; 2],
    pub u: &'a [f64],
}

impl WithSimd for PortSum<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<V: Simd>(self, simd: V) -> f64 {
        let [columns, along] = [self.lambda[0], self.shape[0]].map(|x| vectors::<V>(x));
        let mut place = 0.0;
        let rows = vectors::<V>(self.u).chunks_exact(columns.len());
        for (u, (&lambda, across)) in rows.zip(self.lambda[1].iter().zip(self.shape[1])) {
            let (lambda, mut sum) = (simd.splat_f64s(lambda), simd.splat_f64s(0.0));
            for ((&u, &column), &along) in u.iter().zip(columns).zip(along) {
                let part = simd.div_f64s(u, simd.add_f64s(lambda, column));
                sum = simd.mul_add_e_f64s(along, part, sum);
            }
            place += across * simd.reduce_sum_f64s(sum);
        }
        place
    }
}

/// The sums an account of the modes is made of: those of `energy/sums`, where each term has its own mode.
pub(crate) struct ModalSumKernel<'a> {
    pub lambda: [&'a [f64]; 2],
    /// U⁻, du and the du before.
    pub fields: [&'a [f64]; 3],
    pub tense: bool,
}

impl WithSimd for ModalSumKernel<'_> {
    type Output = PlateSums;

    #[inline(always)]
    fn with_simd<V: Simd>(self, simd: V) -> PlateSums {
        let [columns, rows] = self.lambda;
        let columns = vectors::<V>(columns);
        let [back, du, old] = self.fields;
        let (back, du, old) = (vectors::<V>(back), vectors::<V>(du), vectors::<V>(old));
        let mut total = PlateSums::default();
        for (row, &lambda) in rows.iter().enumerate() {
            let (from, width) = (row * columns.len(), columns.len());
            let (back, du, old) = (&back[from..][..width], &du[from..][..width], &old[from..][..width]);
            let lambda = simd.splat_f64s(lambda);
            let mut sums = [simd.splat_f64s(0.0); 6];
            for i in 0..width {
                let lambda = simd.add_f64s(lambda, columns[i]);
                let (steep, rate) = (simd.mul_f64s(lambda, du[i]), du[i]);
                let shape = simd.mul_f64s(back[i], simd.add_f64s(back[i], steep));
                sums[0] = simd.mul_add_e_f64s(rate, rate, sums[0]);
                sums[1] = simd.mul_add_e_f64s(rate, old[i], sums[1]);
                sums[2] = simd.mul_add_e_f64s(steep, rate, sums[2]);
                sums[3] = simd.mul_add_e_f64s(steep, old[i], sums[3]);
                sums[4] = simd.add_f64s(shape, sums[4]);
                if self.tense {
                    sums[5] = simd.add_f64s(simd.div_f64s(shape, lambda), sums[5]);
                }
            }
            total.motion[0] += simd.reduce_sum_f64s(sums[0]);
            total.motion[1] += simd.reduce_sum_f64s(sums[1]);
            total.slope[0] += simd.reduce_sum_f64s(sums[2]);
            total.slope[1] += simd.reduce_sum_f64s(sums[3]);
            total.bend += simd.reduce_sum_f64s(sums[4]);
            total.stretch += simd.reduce_sum_f64s(sums[5]);
        }
        total
    }
}
