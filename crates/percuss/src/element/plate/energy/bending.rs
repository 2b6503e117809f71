//! The bending energy of a row of a plate, vector by vector.
//!
//! Energy      Σ[(1−ν)(w_x xx⁺ + w_y yy⁺ + 2w_c tt⁺) + νw_n(x + y)(x⁺ + y⁺)], x, y second differences of u along the axes,
//!             t its twist in the cell above and to the right, ⁺ the same of u + du; weights as in `energy/sums`
//! Allocates   no

use crate::element::simd::{Shift, mul_add};
use pulp::Simd;

/// The vectors of some rows and those above and below them. There is one more of `here` and `up`, of which the first nodes count.
pub(crate) struct PlateNeighbours<'a, T> {
    pub here: &'a [T],
    pub up: &'a [T],
    pub down: &'a [T],
}

/// Differences of a field to the right and upper neighbours of the nodes of vector i.
#[inline(always)]
pub(crate) fn forward_differences<S: Simd, H: Shift<S>>(
    simd: S,
    shift: H,
    field: &PlateNeighbours<'_, S::f64s>,
    i: usize,
) -> [S::f64s; 2] {
    let (here, next) = (field.here[i], field.here[i + 1]);
    [simd.sub_f64s(shift.right(here, next), here), simd.sub_f64s(field.up[i], here)]
}

/// Second differences of a field along x and y at the nodes of vector i, and the twist in their cells, from its differences
/// to the right and up; `x_left` are those to the right in the vector to the left.
#[inline(always)]
pub(crate) fn second_differences<S: Simd, H: Shift<S>>(
    simd: S,
    shift: H,
    field: &PlateNeighbours<'_, S::f64s>,
    i: usize,
    [right, up]: [S::f64s; 2],
    x_left: S::f64s,
) -> [S::f64s; 3] {
    let x = simd.sub_f64s(right, shift.left(x_left, right));
    let y = simd.add_f64s(simd.sub_f64s(field.down[i], field.here[i]), up);
    let above = field.up[i];
    [x, y, simd.sub_f64s(simd.sub_f64s(shift.right(above, field.up[i + 1]), above), right)]
}

/// Adds the terms of a vector to the sums over lines, cells and nodes: second differences of u times those of u + du.
#[inline(always)]
pub(crate) fn add_bending<S: Simd>(
    simd: S,
    [x, y, twist]: [S::f64s; 3],
    [step_x, step_y, step_twist]: [S::f64s; 3],
    [line_x, line_y, cell, node]: [S::f64s; 4],
    [mut lines, mut cells, mut nodes]: [S::f64s; 3],
) -> [S::f64s; 3] {
    let (next_x, next_y) = (simd.add_f64s(x, step_x), simd.add_f64s(y, step_y));
    lines = mul_add(simd, simd.mul_f64s(line_x, x), next_x, lines);
    lines = mul_add(simd, simd.mul_f64s(line_y, y), next_y, lines);
    cells = mul_add(simd, simd.mul_f64s(cell, twist), simd.add_f64s(twist, step_twist), cells);
    let weighted_sum = simd.mul_f64s(node, simd.add_f64s(x, y));
    nodes = mul_add(simd, weighted_sum, simd.add_f64s(next_x, next_y), nodes);
    [lines, cells, nodes]
}

/// The energy from its sums over lines, cells and nodes, for a Poisson ratio.
#[inline(always)]
pub(crate) fn bending_energy<S: Simd>(simd: S, nu: f64, [lines, cells, nodes]: [S::f64s; 3]) -> S::f64s {
    let line_and_cell = mul_add(simd, simd.splat_f64s(2.0), cells, lines);
    mul_add(simd, simd.splat_f64s(1.0 - nu), line_and_cell, simd.mul_f64s(simd.splat_f64s(nu), nodes))
}
