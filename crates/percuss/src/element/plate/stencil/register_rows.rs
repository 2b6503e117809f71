//! Plates of which a row fits into registers: it is read once and written once in a step.
//!
//! Loads and stores cost more than arithmetic here: values that the row above needs stay in registers.
//! Allocates   no

use crate::element::simd::{LANES, Shift};
use pulp::Simd;
use std::cell::Cell;

/// Whether rows of so many nodes are short enough.
pub(crate) fn are_short(stride: usize) -> bool {
    stride == 3 * LANES || stride == 4 * LANES
}

/// A kernel that goes row by row.
pub(crate) trait RowKernel {
    /// Runs in rows of `C` vectors.
    fn run<S: Simd, H: Shift<S>, const C: usize>(self, simd: S, shift: H);
}

/// Runs a kernel in short rows of `stride` nodes, three or four blocks, with the number of vectors as a constant.
#[inline(always)]
pub(crate) fn run_by_row<S: Simd, H: Shift<S>>(simd: S, shift: H, stride: usize, kernel: impl RowKernel) {
    match (S::F64_LANES, stride / LANES) {
        (8, 3) => kernel.run::<S, H, 3>(simd, shift),
        (8, _) => kernel.run::<S, H, 4>(simd, shift),
        (4, 3) => kernel.run::<S, H, 6>(simd, shift),
        (4, _) => kernel.run::<S, H, 8>(simd, shift),
        (2, 3) => kernel.run::<S, H, 12>(simd, shift),
        (2, _) => kernel.run::<S, H, 16>(simd, shift),
        (_, 3) => kernel.run::<S, H, 24>(simd, shift),
        (_, _) => kernel.run::<S, H, 32>(simd, shift),
    }
}

/// u and du of a row of nodes.
pub(crate) struct RowFields<V, const C: usize> {
    pub u: [V; C],
    pub du: [V; C],
}

/// Brings u up to date in a row, and reads du.
#[inline(always)]
pub(crate) fn update_u<S: Simd, const C: usize>(
    simd: S,
    u: &[Cell<S::f64s>; C],
    du: &[Cell<S::f64s>; C],
) -> RowFields<S::f64s, C> {
    let zero = simd.splat_f64s(0.0);
    let mut nodes = RowFields { u: [zero; C], du: [zero; C] };
    for i in 0..C {
        nodes.du[i] = du[i].get();
        nodes.u[i] = simd.add_f64s(u[i].get(), nodes.du[i]);
        u[i].set(nodes.u[i]);
    }
    nodes
}

/// Differences of a field to the right neighbours at vector i of a row; 0 follows its end.
#[inline(always)]
pub(crate) fn forward_difference<S: Simd, H: Shift<S>, const C: usize>(
    simd: S,
    shift: H,
    row: &[S::f64s; C],
    i: usize,
) -> S::f64s {
    let after = if i + 1 < C { row[i + 1] } else { simd.splat_f64s(0.0) };
    simd.sub_f64s(shift.right(row[i], after), row[i])
}
