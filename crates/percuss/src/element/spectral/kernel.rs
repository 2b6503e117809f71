//! Products with the shapes of modes, in vectors.
//!
//! Project     zⱼ = Σ φⱼ(orbit)·x(orbit)
//! Correct     z ← zⱼ, y ← y + z, w = (λ̂−λ)y + (d̂−d)z, x(orbit) = Σ φⱼ(orbit)·wⱼ
//! Shapes      a row for each mode, of whole blocks of orbits: only the projection sums across a vector, once for a mode. They are read
//!             twice a step, in single precision, so that they stay in the nearest cache
//! Allocates   no

use crate::element::simd::{Divide, Kernel, Shift, mul_add, vectors, vectors_mut, widened};
use crate::element::spectral::parity_modes::ParityModes;
use pulp::Simd;

/// Modes that are projected at the same time.
const MODES: usize = 4;
/// Most vectors of orbits that are synthesised at the same time.
const MAX_COLUMNS: usize = 8;

/// Amplitudes of modes from coordinates.
pub(super) struct Project<'a> {
    pub shapes: &'a [f32],
    pub folded: &'a [f64],
    pub amplitudes: &'a mut [f64],
}

impl Kernel for Project<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, _: H) {
        match S::F64_LANES {
            8 => self.in_lanes::<S, 8>(simd),
            4 => self.in_lanes::<S, 4>(simd),
            2 => self.in_lanes::<S, 2>(simd),
            _ => self.in_lanes::<S, 1>(simd),
        }
    }
}

impl Project<'_> {
    #[inline(always)]
    fn in_lanes<S: Simd, const L: usize>(self, simd: S) {
        let Self { shapes, folded, amplitudes } = self;
        let (shapes, folded) = (shapes.as_chunks::<L>().0, vectors::<S>(folded));
        let groups = shapes.chunks_exact(MODES * folded.len());
        let single = groups.remainder().chunks_exact(folded.len());
        let mut amplitudes = amplitudes[..shapes.len() / folded.len()].chunks_exact_mut(MODES);
        for (amplitudes, shapes) in amplitudes.by_ref().zip(groups) {
            project::<S, L, MODES>(simd, shapes, folded, amplitudes);
        }
        for (amplitude, shape) in amplitudes.into_remainder().iter_mut().zip(single) {
            project::<S, L, 1>(simd, shape, folded, std::slice::from_mut(amplitude));
        }
    }
}

/// The amplitudes of N modes.
#[inline(always)]
fn project<S: Simd, const L: usize, const N: usize>(
    simd: S,
    shapes: &[[f32; L]],
    folded: &[S::f64s],
    amplitudes: &mut [f64],
) {
    let mut rows = [shapes; N];
    for (mode, row) in rows.iter_mut().enumerate() {
        *row = &shapes[mode * folded.len()..][..folded.len()];
    }
    let mut sums = [simd.splat_f64s(0.0); N];
    for (index, &x) in folded.iter().enumerate() {
        for (sum, row) in sums.iter_mut().zip(rows) {
            *sum = mul_add(simd, widened::<S, L>(&row[index]), x, *sum);
        }
    }
    for (amplitude, sum) in amplitudes.iter_mut().zip(sums) {
        *amplitude = simd.reduce_sum_f64s(sum);
    }
}

/// Moves the modes of a parity on to the present step; turns coordinates into those of the correction.
pub(super) struct Correct<'a> {
    pub modes: &'a mut ParityModes,
    pub folded: &'a mut [f64],
    /// Scratch space: a number for each mode, in whole blocks.
    pub force: &'a mut [f64],
    /// Whether z is known already.
    pub is_known: bool,
}

impl Kernel for Correct<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, own: H) {
        let Self { modes, folded, force, is_known } = self;
        if !is_known {
            let ParityModes { shapes, next_z, .. } = &mut *modes;
            Project { shapes, folded, amplitudes: next_z }.run(simd, own);
        }
        advance(simd, modes, force);
        let shapes = &modes.shapes;
        match S::F64_LANES {
            8 => synthesise::<S, 8>(simd, shapes, force, folded),
            4 => synthesise::<S, 4>(simd, shapes, force, folded),
            2 => synthesise::<S, 2>(simd, shapes, force, folded),
            _ => synthesise::<S, 1>(simd, shapes, force, folded),
        }
    }
}

/// Moves y and z on to the present step; finds the force.
#[inline(always)]
fn advance<S: Simd>(simd: S, modes: &mut ParityModes, force: &mut [f64]) {
    let ParityModes { stiffness, damping, y, z, next_z, .. } = modes;
    let (stiffness, damping) = (vectors::<S>(stiffness), vectors::<S>(damping));
    let (y, z, next_z) = (vectors_mut::<S>(y), vectors_mut::<S>(z), vectors::<S>(next_z));
    for (index, force) in vectors_mut::<S>(force).iter_mut().enumerate() {
        z[index] = next_z[index];
        y[index] = simd.add_f64s(y[index], z[index]);
        *force = mul_add(simd, stiffness[index], y[index], simd.mul_f64s(damping[index], z[index]));
    }
}

/// Coordinates from amplitudes of modes, in passes of about as many columns.
#[inline(always)]
fn synthesise<S: Simd, const L: usize>(simd: S, shapes: &[f32], amplitudes: &[f64], folded: &mut [f64]) {
    let (shapes, folded) = (shapes.as_chunks::<L>().0, vectors_mut::<S>(folded));
    let mut first = 0;
    for passes in (1..=folded.len().div_ceil(MAX_COLUMNS)).rev() {
        let count = (folded.len() - first).div_ceil(passes);
        match count {
            1 => columns::<S, L, 1>(simd, shapes, amplitudes, folded, first),
            2 => columns::<S, L, 2>(simd, shapes, amplitudes, folded, first),
            3 => columns::<S, L, 3>(simd, shapes, amplitudes, folded, first),
            4 => columns::<S, L, 4>(simd, shapes, amplitudes, folded, first),
            5 => columns::<S, L, 5>(simd, shapes, amplitudes, folded, first),
            6 => columns::<S, L, 6>(simd, shapes, amplitudes, folded, first),
            7 => columns::<S, L, 7>(simd, shapes, amplitudes, folded, first),
            _ => columns::<S, L, MAX_COLUMNS>(simd, shapes, amplitudes, folded, first),
        }
        first += count;
    }
}

/// N vectors of orbits from a given one on.
#[inline(always)]
fn columns<S: Simd, const L: usize, const N: usize>(
    simd: S,
    shapes: &[[f32; L]],
    amplitudes: &[f64],
    folded: &mut [S::f64s],
    first: usize,
) {
    let mut sums = [simd.splat_f64s(0.0); N];
    for (shape, &amplitude) in shapes.chunks_exact(folded.len()).zip(amplitudes) {
        let amplitude = simd.splat_f64s(amplitude);
        for (sum, values) in sums.iter_mut().zip(&shape[first..first + N]) {
            *sum = mul_add(simd, widened::<S, L>(values), amplitude, *sum);
        }
    }
    for (folded, sum) in folded[first..first + N].iter_mut().zip(sums) {
        *folded = sum;
    }
}
