//! Products of small matrices, in tiles of registers.
//!
//! Product     C = A·B, A read value by value, the rows of B and C in whole vectors
//! Tiles       four rows of three vectors: twelve sums, for which three vectors of B and four values of A are read
//! Allocates   no

use crate::element::simd::mul_add;
use pulp::Simd;

/// Rows of a tile.
const TILE_ROWS: usize = 4;
/// Vectors of a tile.
const TILE_WIDTH: usize = 3;

/// A matrix whose values are read one by one.
#[derive(Clone, Copy)]
pub(super) struct Left<'a> {
    pub values: &'a [f64],
    /// Values from one row to the next.
    pub stride: usize,
    pub rows: usize,
    pub columns: usize,
}

/// C = A·B for B with `width` vectors in a row, of which there are at least as many as A has columns.
#[inline(always)]
pub(super) fn multiply<S: Simd>(simd: S, a: Left<'_>, b: &[S::f64s], c: &mut [S::f64s], width: usize) {
    let whole = a.rows / TILE_ROWS * TILE_ROWS;
    for first in (0..whole).step_by(TILE_ROWS) {
        multiply_rows::<S, TILE_ROWS>(simd, a, first, b, c, width);
    }
    for row in whole..a.rows {
        multiply_rows::<S, 1>(simd, a, row, b, c, width);
    }
}

#[inline(always)]
fn multiply_rows<S: Simd, const R: usize>(
    simd: S,
    a: Left<'_>,
    first: usize,
    b: &[S::f64s],
    c: &mut [S::f64s],
    width: usize,
) {
    let mut rows = [&a.values[..0]; R];
    for (r, row) in rows.iter_mut().enumerate() {
        *row = &a.values[(first + r) * a.stride..][..a.columns];
    }
    let c = &mut c[first * width..][..R * width];
    let mut at = 0;
    while at + TILE_WIDTH <= width {
        tile::<S, R, TILE_WIDTH>(simd, rows, b, c, width, at);
        at += TILE_WIDTH;
    }
    match width - at {
        2 => tile::<S, R, 2>(simd, rows, b, c, width, at),
        1 => tile::<S, R, 1>(simd, rows, b, c, width, at),
        _ => {}
    }
}

#[inline(always)]
fn tile<S: Simd, const R: usize, const V: usize>(
    simd: S,
    rows: [&[f64]; R],
    b: &[S::f64s],
    c: &mut [S::f64s],
    width: usize,
    at: usize,
) {
    // Loops over indices: the closures of iterators are not inlined in functions as large as those that this is inlined in.
    let mut sums = [[simd.splat_f64s(0.0); V]; R];
    let depth = rows[0].len();
    for k in 0..depth {
        let line = &b[k * width + at..][..V];
        for r in 0..R {
            let value = simd.splat_f64s(rows[r][k]);
            for v in 0..V {
                sums[r][v] = mul_add(simd, value, line[v], sums[r][v]);
            }
        }
    }
    for r in 0..R {
        let line = &mut c[r * width + at..][..V];
        line.copy_from_slice(&sums[r]);
    }
}
