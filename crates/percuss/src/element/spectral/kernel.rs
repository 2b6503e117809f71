//! Products with the shapes of modes, in vectors.
//!
//! Project     zⱼ = Σ φⱼ(orbit)·x(orbit)
//! Synthesise  x(orbit) = Σ φⱼ(orbit)·wⱼ
//! Allocates   no

use crate::element::simd::{Divide, Kernel, Shift, vectors, vectors_mut};
use pulp::Simd;

/// Orbits that are summed at the same time; fields of orbits have a multiple of it.
pub(crate) const ROWS: usize = 4;
/// Vectors of amplitudes that are summed at the same time.
const COLUMNS: usize = 4;

/// Amplitudes of modes from coordinates.
pub(crate) struct Project<'a> {
    pub shapes: &'a [f64],
    /// Length of a row of shapes.
    pub width: usize,
    pub folded: &'a [f64],
    pub amplitudes: &'a mut [f64],
}

impl Project<'_> {
    /// N vectors of amplitudes from a given one on.
    #[inline(always)]
    fn columns<S: Simd, const N: usize>(&mut self, simd: S, first: usize) {
        let mut sums = [simd.splat_f64s(0.0); N];
        for (row, &x) in self.shapes.chunks_exact(self.width).zip(self.folded) {
            let x = simd.splat_f64s(x);
            let row = &vectors::<S>(row)[first..first + N];
            for (sum, &shape) in sums.iter_mut().zip(row) {
                *sum = simd.mul_add_f64s(shape, x, *sum);
            }
        }
        vectors_mut::<S>(self.amplitudes)[first..first + N].copy_from_slice(&sums);
    }
}

impl Kernel for Project<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(mut self, simd: S, _: H) {
        let count = self.width / S::F64_LANES;
        let mut first = 0;
        while first + COLUMNS <= count {
            self.columns::<S, COLUMNS>(simd, first);
            first += COLUMNS;
        }
        while first < count {
            self.columns::<S, 1>(simd, first);
            first += 1;
        }
    }
}

/// Coordinates from amplitudes of modes.
pub(crate) struct Synthesise<'a> {
    pub shapes: &'a [f64],
    /// Length of a row of shapes.
    pub width: usize,
    pub amplitudes: &'a [f64],
    pub folded: &'a mut [f64],
}

impl Kernel for Synthesise<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, _: H) {
        let amplitudes = vectors::<S>(self.amplitudes);
        let count = amplitudes.len();
        let rows = self.shapes.chunks_exact(ROWS * self.width);
        for (values, shapes) in self.folded.chunks_exact_mut(ROWS).zip(rows) {
            let shapes = vectors::<S>(shapes);
            let (top, bottom) = shapes.split_at(2 * count);
            let ((a, b), (c, d)) = (top.split_at(count), bottom.split_at(count));
            let mut sums = [simd.splat_f64s(0.0); ROWS];
            for ((((&amplitude, &a), &b), &c), &d) in amplitudes.iter().zip(a).zip(b).zip(c).zip(d) {
                sums[0] = simd.mul_add_f64s(a, amplitude, sums[0]);
                sums[1] = simd.mul_add_f64s(b, amplitude, sums[1]);
                sums[2] = simd.mul_add_f64s(c, amplitude, sums[2]);
                sums[3] = simd.mul_add_f64s(d, amplitude, sums[3]);
            }
            for (value, sum) in values.iter_mut().zip(sums) {
                *value = simd.reduce_sum_f64s(sum);
            }
        }
    }
}
