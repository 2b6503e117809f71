//! The stress function of a rectangle by sine transforms: the solve A F = b with the clamped biharmonic operator A.
//!
//! Operator    A = L² + (2/h⁴)·diag(c) on the interior nodes: L the Laplacian with F = 0 on the edges, c the number of edges a node is
//!             next to. The second term is what clamping adds: F has a mirror image beyond the edge
//! Solve       L² is diagonal in products of sines. With E the nodes where c > 0, y = L⁻²b, z = (diag(h⁴/2c) + (L⁻²)_EE)⁻¹y_E:
//!             A⁻¹b = L⁻²(b − Ez) (Woodbury)
//! Edges       only y_E is needed. Its transform and that of Ez are products of one vector along x and one along y each, and so
//!             z is never formed: one constant matrix leads from the former vectors to the latter
//! Symmetry    b is split into parts that are even and odd in x and in y; they do not mix, and need half the operations
//! Cost        2·n_x·n_y·(n_x + n_y)/2 multiply-adds and about as many again per edge node
//! Symbols     F in units of h⁴·b, p, q orders of the sines in x and y
//! Allocates   only in `new`
//! Reference   Buzbee and Dorr (1974), SIAM J. Numer. Anal. 11

use crate::element::plate::von_karman::halves::{HalfSines, fold_line, fold_rows, unfold_rows};
use crate::element::plate::von_karman::product::{Left, multiply};
use crate::element::simd::{Field, Machine, field, mul_add, vectors, vectors_mut, whole_blocks};
use faer::linalg::solvers::DenseSolveCore;
use faer::{Mat, Side};
use pulp::{Simd, WithSimd};
use std::ops::Range;

/// What clamped edges change of one part of the solution.
#[derive(Clone, Debug)]
struct EdgeCorrection {
    /// From the transforms of y along the edges (q first, then p) to those of Ez; rows padded.
    matrix: Field,
    stride: usize,
    /// Their values.
    edge: Field,
    result: Field,
    /// L⁻² of every pair of sines, q by q; rows padded.
    inverse: Field,
    /// Values at the edge of the sines along x, padded.
    edge_x: Field,
    edge_y: Vec<f64>,
}

impl EdgeCorrection {
    fn new(x: &HalfSines, y: &HalfSines) -> Self {
        let square = |q: usize, p: usize| (x.eigenvalues[p] + y.eigenvalues[q]).powi(2);
        let mut inverse = field(y.count * x.stride);
        for (q, p) in (0..y.count).flat_map(|q| (0..x.count).map(move |p| (q, p))) {
            inverse[q * x.stride + p] = 1.0 / square(q, p);
        }
        let matrix = edge_matrix(x, y, |q, p| 1.0 / square(q, p));
        let (size, start) = (whole_blocks(y.count) + x.stride, whole_blocks(y.count));
        let place = |index: usize| if index < y.count { index } else { start + index - y.count };
        let mut padded = field(size * size);
        for (row, column) in (0..matrix.nrows()).flat_map(|row| (0..matrix.ncols()).map(move |column| (row, column))) {
            padded[place(row) * size + place(column)] = matrix[(row, column)];
        }
        let mut edge_x = field(x.stride);
        edge_x[..x.count].copy_from_slice(x.at_edge());
        let edge_y = y.at_edge().to_vec();
        Self { matrix: padded, stride: size, edge: field(size), result: field(size), inverse, edge_x, edge_y }
    }

    /// Solves for a part in its sines, in place; returns bᵀA⁻¹b.
    #[inline(always)]
    fn solve<S: Simd>(&mut self, simd: S, coefficients: &mut [f64], y_count: usize) -> f64 {
        let width = self.edge_x.len();
        let start = self.stride - width;
        let zero = simd.splat_f64s(0.0);
        let (edge_of_y, edge_of_x) = self.edge.split_at_mut(start);
        edge_of_x.fill(0.0);
        let edge_x = vectors::<S>(&self.edge_x);
        let edge_of_x = &mut vectors_mut::<S>(edge_of_x)[..edge_x.len()];
        let blocks = edge_x.len();
        for q in 0..y_count {
            let line = &vectors::<S>(&coefficients[q * width..][..width])[..blocks];
            let inverse = &vectors::<S>(&self.inverse[q * width..][..width])[..blocks];
            let (mut sum, edge_y) = (zero, simd.splat_f64s(self.edge_y[q]));
            for p in 0..blocks {
                let y = simd.mul_f64s(line[p], inverse[p]);
                sum = mul_add(simd, y, edge_x[p], sum);
                edge_of_x[p] = mul_add(simd, y, edge_y, edge_of_x[p]);
            }
            edge_of_y[q] = simd.reduce_sum_f64s(sum);
        }
        self.apply_matrix(simd);
        self.subtract(simd, coefficients, y_count)
    }

    #[inline(always)]
    fn apply_matrix<S: Simd>(&mut self, simd: S) {
        let (width, rows) = (self.stride / S::F64_LANES, self.stride);
        let edge = Left { values: &self.edge, stride: rows, rows: 1, columns: rows };
        // The matrix is symmetric: its rows are its columns.
        multiply(simd, edge, vectors::<S>(&self.matrix), vectors_mut::<S>(&mut self.result), width);
    }

    /// L⁻²(b − Ez) in place, and its product with b.
    #[inline(always)]
    fn subtract<S: Simd>(&self, simd: S, coefficients: &mut [f64], y_count: usize) -> f64 {
        let width = self.edge_x.len();
        let (of_y, of_x) = self.result.split_at(self.stride - width);
        let edge_x = vectors::<S>(&self.edge_x);
        let blocks = edge_x.len();
        let of_x = &vectors::<S>(of_x)[..blocks];
        let mut product = simd.splat_f64s(0.0);
        for q in 0..y_count {
            let line = &mut vectors_mut::<S>(&mut coefficients[q * width..][..width])[..blocks];
            let inverse = &vectors::<S>(&self.inverse[q * width..][..width])[..blocks];
            let (edge_y, of_y) = (simd.splat_f64s(-self.edge_y[q]), simd.splat_f64s(-of_y[q]));
            for p in 0..blocks {
                let b = line[p];
                let without = mul_add(simd, edge_y, of_x[p], mul_add(simd, of_y, edge_x[p], b));
                line[p] = simd.mul_f64s(without, inverse[p]);
                product = mul_add(simd, b, line[p], product);
            }
        }
        simd.reduce_sum_f64s(product)
    }
}

/// TᵀCT: T from the transforms of y along the edges to its values there, C = (diag(1/2c) + (L⁻²)_EE)⁻¹.
fn edge_matrix(x: &HalfSines, y: &HalfSines, inverse: impl Fn(usize, usize) -> f64) -> Mat<f64> {
    // Nodes next to the lower edge, then those next to the left one but the corner: (q, p) → value of each pair of sines.
    let nodes: Vec<(usize, usize)> = (0..x.count).map(|i| (i, 0)).chain((1..y.count).map(|j| (0, j))).collect();
    let sine = |axis: &HalfSines, node: usize, order: usize| axis.orthonormal[node * axis.count + order];
    let mutual = |(i, j): (usize, usize), (k, l): (usize, usize)| -> f64 {
        let line = |q: usize| (0..x.count).map(|p| inverse(q, p) * sine(x, i, p) * sine(x, k, p)).sum::<f64>();
        (0..y.count).map(|q| sine(y, j, q) * sine(y, l, q) * line(q)).sum()
    };
    let count = nodes.len();
    let own = |index: usize| if nodes[index] == (0, 0) { 0.25 } else { 0.5 };
    let system = Mat::from_fn(count, count, |row, column| {
        let same = if row == column { own(row) } else { 0.0 };
        same + mutual(nodes[row], nodes[column])
    });
    let factor = system.llt(Side::Lower).expect("a positive definite matrix and a positive diagonal");
    let transform = Mat::from_fn(count, y.count + x.count, |row, column| match (nodes[row], column) {
        ((i, 0), column) if column >= y.count => sine(x, i, column - y.count),
        ((0, j), column) if j > 0 && column < y.count => sine(y, j, column),
        _ => 0.0,
    });
    transform.transpose() * factor.inverse() * &transform
}

/// Solver for the stress function of a rectangle.
#[derive(Clone, Debug)]
pub(crate) struct SineSolver {
    /// Interior nodes along both axes.
    interior: [usize; 2],
    /// Values from one row of the plate to the next.
    stride: usize,
    /// Even and odd sines along x and y.
    x: [HalfSines; 2],
    y: [HalfSines; 2],
    /// Parts even and odd in x, each even and odd in y.
    corrections: [[EdgeCorrection; 2]; 2],
    /// Sums and differences of opposite rows, split likewise in x; rows even in y first.
    folded: Field,
    /// Transformed along y.
    half: Field,
    /// Transformed along both axes, for the parts even and odd in x.
    full: [Field; 2],
    part: [Field; 2],
}

impl SineSolver {
    /// For a grid of so many intervals, in rows of `stride` nodes.
    pub fn new(intervals: [usize; 2], stride: usize) -> Self {
        let interior = intervals.map(|n| n - 1);
        let [x, y] = interior.map(|n| [false, true].map(|is_odd| HalfSines::new(n, is_odd)));
        let corrections = [0, 1].map(|of_x| [0, 1].map(|of_y| EdgeCorrection::new(&x[of_x], &y[of_y])));
        let width = x[0].stride + x[1].stride;
        let [full, part] = [(); 2].map(|()| [0, 1].map(|of_x: usize| field(interior[1] * x[of_x].stride)));
        let [folded, half] = [(); 2].map(|()| field(interior[1] * width));
        Self { interior, stride, x, y, corrections, folded, half, full, part }
    }

    /// Solves for b at the nodes of the plate, with h = 1; writes F at the interior nodes, and returns bᵀF.
    pub fn solve(&mut self, machine: Machine, b: &[f64], stress: &mut [f64]) -> f64 {
        machine.dispatch(Solve { solver: self, b, stress })
    }

    /// Rows of the parts even and odd in y.
    fn rows(&self, of_y: usize) -> Range<usize> {
        let even = self.y[0].count;
        if of_y == 0 { 0..even } else { even..self.interior[1] }
    }

    /// Sums and differences of opposite rows and columns.
    #[inline(always)]
    fn fold(&mut self, b: &[f64]) {
        let Self { interior: [columns, rows], stride, ref x, ref mut folded, .. } = *self;
        let width = x[0].stride + x[1].stride;
        let even = rows.div_ceil(2);
        for j in 0..even {
            let mirror = rows - 1 - j;
            let line = |j: usize| &b[(j + 1) * stride + 1..][..columns];
            let (sums, differences) = folded.split_at_mut(even * width);
            let sums = &mut sums[j * width..][..width];
            if mirror == j {
                fold_line(line(j), sums, x);
                continue;
            }
            let differences = &mut differences[j * width..][..width];
            fold_rows([line(j), line(mirror)], [sums, differences], x);
        }
    }

    /// F at the nodes from sums and differences.
    #[inline(always)]
    fn unfold(&self, stress: &mut [f64]) {
        let Self { interior: [columns, rows], stride, x, folded, .. } = self;
        let (width, even) = (x[0].stride + x[1].stride, rows.div_ceil(2));
        for j in 0..even {
            let mirror = rows - 1 - j;
            let (lower, upper) = stress.split_at_mut((j + 2) * stride);
            let line = &mut lower[(j + 1) * stride + 1..][..*columns];
            let sums = &folded[j * width..][..width];
            if mirror == j {
                unfold_rows(sums, None, [line, &mut []], x[0].stride);
                continue;
            }
            let differences = &folded[(even + j) * width..][..width];
            let opposite = &mut upper[(mirror - j - 1) * stride + 1..][..*columns];
            unfold_rows(sums, Some(differences), [line, opposite], x[0].stride);
        }
    }

    /// Sums over the nodes along y.
    #[inline(always)]
    fn transform_y<S: Simd>(&mut self, simd: S) {
        let width = self.x[0].stride + self.x[1].stride;
        for of_y in 0..2 {
            let (rows, sines) = (self.rows(of_y), &self.y[of_y]);
            let left = Left { values: &sines.by_sine, stride: sines.stride, rows: sines.count, columns: sines.count };
            let range = rows.start * width..rows.end * width;
            let (from, to) = (vectors::<S>(&self.folded[range.clone()]), vectors_mut::<S>(&mut self.half[range]));
            multiply(simd, left, from, to, width / S::F64_LANES);
        }
    }

    /// Sums over the nodes along x, the solve, and the sums over the sines along x.
    #[inline(always)]
    fn solve_in_sines<S: Simd>(&mut self, simd: S) -> f64 {
        let (rows, width) = (self.interior[1], self.x[0].stride + self.x[1].stride);
        let mut product = 0.0;
        for of_x in 0..2 {
            let sines = &self.x[of_x];
            let own = if of_x == 0 { 0 } else { self.x[0].stride };
            let left = Left { values: &self.half[own..], stride: width, rows, columns: sines.count };
            let (blocks, full) = (sines.stride / S::F64_LANES, &mut self.full[of_x]);
            multiply(simd, left, vectors::<S>(&sines.by_node), vectors_mut::<S>(full), blocks);
            for (of_y, correction) in self.corrections[of_x].iter_mut().enumerate() {
                let first = if of_y == 0 { 0 } else { self.y[0].count };
                product += correction.solve(simd, &mut full[first * sines.stride..], self.y[of_y].count);
            }
            let left = Left { values: full, stride: sines.stride, rows, columns: sines.count };
            let part = vectors_mut::<S>(&mut self.part[of_x]);
            multiply(simd, left, vectors::<S>(&sines.by_sine), part, blocks);
        }
        product
    }

    /// Sums over the sines along y.
    #[inline(always)]
    fn restore_y<S: Simd>(&mut self, simd: S) {
        let strides = [0, 1].map(|of_x: usize| self.x[of_x].stride);
        let width = strides[0] + strides[1];
        for (row, line) in self.half.chunks_exact_mut(width).enumerate() {
            line[..strides[0]].copy_from_slice(&self.part[0][row * strides[0]..][..strides[0]]);
            line[strides[0]..].copy_from_slice(&self.part[1][row * strides[1]..][..strides[1]]);
        }
        for of_y in 0..2 {
            let (rows, sines) = (self.rows(of_y), &self.y[of_y]);
            let left = Left { values: &sines.by_node, stride: sines.stride, rows: sines.count, columns: sines.count };
            let range = rows.start * width..rows.end * width;
            let (from, to) = (vectors::<S>(&self.half[range.clone()]), vectors_mut::<S>(&mut self.folded[range]));
            multiply(simd, left, from, to, width / S::F64_LANES);
        }
    }
}

struct Solve<'a> {
    solver: &'a mut SineSolver,
    b: &'a [f64],
    stress: &'a mut [f64],
}

impl WithSimd for Solve<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let Self { solver, b, stress } = self;
        solver.fold(b);
        solver.transform_y(simd);
        let product = solver.solve_in_sines(simd);
        solver.restore_y(simd);
        solver.unfold(stress);
        product
    }
}
