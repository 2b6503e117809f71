//! Products with the shapes of modes, in vectors.
//!
//! Project     zⱼ = Σ φⱼ(orbit)·x(orbit)
//! Synthesise  x(orbit) = Σ φⱼ(orbit)·wⱼ
//! Shapes      a row for each mode, of whole blocks of orbits: only the projection sums across a vector, once for a mode
//! Allocates   no

use crate::element::simd::{Divide, Kernel, Shift, mul_add, vectors, vectors_mut};
use pulp::Simd;

/// Modes that are projected, and vectors of orbits that are synthesised, at the same time.
const COLUMNS: usize = 4;

/// Amplitudes of modes from coordinates.
pub(crate) struct Project<'a> {
    pub shapes: &'a [f64],
    pub folded: &'a [f64],
    pub amplitudes: &'a mut [f64],
}

impl Kernel for Project<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, _: H) {
        let Self { shapes, folded, amplitudes } = self;
        let groups = shapes.chunks_exact(COLUMNS * folded.len());
        let single = groups.remainder().chunks_exact(folded.len());
        let mut amplitudes = amplitudes.chunks_exact_mut(COLUMNS);
        for (amplitudes, shapes) in amplitudes.by_ref().zip(groups) {
            project::<S, COLUMNS>(simd, shapes, folded, amplitudes);
        }
        for (amplitude, shape) in amplitudes.into_remainder().iter_mut().zip(single) {
            project::<S, 1>(simd, shape, folded, std::slice::from_mut(amplitude));
        }
    }
}

/// The amplitudes of N modes.
#[inline(always)]
fn project<S: Simd, const N: usize>(simd: S, shapes: &[f64], folded: &[f64], amplitudes: &mut [f64]) {
    let (shapes, folded) = (vectors::<S>(shapes), vectors::<S>(folded));
    let rows: [&[S::f64s]; N] = std::array::from_fn(|mode| &shapes[mode * folded.len()..][..folded.len()]);
    let mut sums = [simd.splat_f64s(0.0); N];
    for (index, &x) in folded.iter().enumerate() {
        for (sum, row) in sums.iter_mut().zip(rows) {
            *sum = mul_add(simd, row[index], x, *sum);
        }
    }
    for (amplitude, sum) in amplitudes.iter_mut().zip(sums) {
        *amplitude = simd.reduce_sum_f64s(sum);
    }
}

/// Coordinates from amplitudes of modes.
pub(crate) struct Synthesise<'a> {
    pub shapes: &'a [f64],
    pub amplitudes: &'a [f64],
    pub folded: &'a mut [f64],
}

impl Synthesise<'_> {
    /// N vectors of orbits from a given one on.
    #[inline(always)]
    fn columns<S: Simd, const N: usize>(&mut self, simd: S, first: usize) {
        let mut sums = [simd.splat_f64s(0.0); N];
        for (shape, &amplitude) in self.shapes.chunks_exact(self.folded.len()).zip(self.amplitudes) {
            let amplitude = simd.splat_f64s(amplitude);
            let shape = &vectors::<S>(shape)[first..first + N];
            for (sum, &shape) in sums.iter_mut().zip(shape) {
                *sum = mul_add(simd, shape, amplitude, *sum);
            }
        }
        vectors_mut::<S>(self.folded)[first..first + N].copy_from_slice(&sums);
    }
}

impl Kernel for Synthesise<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(mut self, simd: S, _: H) {
        let count = self.folded.len() / S::F64_LANES;
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
