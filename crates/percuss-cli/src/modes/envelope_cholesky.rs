//! Cholesky factorisation A = LLᵀ of a sparse matrix within its envelope.
//!
//! Row i of L is stored from the first column in which row i of A has an entry; entries before it are zero. Numbering the
//! nodes of a plate along its shorter side first keeps the envelope narrow: n nodes in rows of m take n·m numbers and n·m²
//! multiplications.

use nalgebra::DMatrix;

/// Number of right-hand sides that are solved at once.
const LANES: usize = 8;

/// An entry of a matrix: row, column, value. Entries with the same indices are summed.
pub type MatrixEntry = (usize, usize, f64);

/// The factor L.
pub struct EnvelopeCholesky {
    /// Node of each row.
    order: Vec<usize>,
    rows: Vec<FactorRow>,
}

/// Entries of L from column `first` up to, but without, the diagonal; and the diagonal.
struct FactorRow {
    first: usize,
    values: Vec<f64>,
    diagonal: f64,
}

impl EnvelopeCholesky {
    /// Factorises a symmetric matrix with its nodes in an order; `None` if it is not positive definite.
    pub fn new(order: Vec<usize>, entries: &[MatrixEntry]) -> Option<Self> {
        let mut rows = assemble(&order, entries);
        for i in 0..rows.len() {
            let (above, rest) = rows.split_at_mut(i);
            let row = &mut rest[0];
            for (j, other) in above.iter().enumerate().skip(row.first) {
                let from = row.first.max(other.first);
                let sum = dot(&row.values[from - row.first..j - row.first], &other.values[from - other.first..]);
                let value = &mut row.values[j - row.first];
                *value = (*value - sum) / other.diagonal;
            }
            let square = row.diagonal - dot(&row.values, &row.values);
            if square <= 0.0 || !square.is_finite() {
                return None;
            }
            row.diagonal = square.sqrt();
        }
        Some(Self { order, rows })
    }

    /// Replaces every column b by A⁻¹b.
    pub fn solve(&self, right_hand_sides: &mut DMatrix<f64>) {
        for first in (0..right_hand_sides.ncols()).step_by(LANES) {
            let count = LANES.min(right_hand_sides.ncols() - first);
            let gather = |&node: &usize| {
                std::array::from_fn(|l| if l < count { right_hand_sides[(node, first + l)] } else { 0.0 })
            };
            let mut block: Vec<[f64; LANES]> = self.order.iter().map(gather).collect();
            self.solve_block(&mut block);
            for (&node, lanes) in self.order.iter().zip(&block) {
                lanes[..count].iter().enumerate().for_each(|(l, &x)| right_hand_sides[(node, first + l)] = x);
            }
        }
    }

    fn solve_block(&self, block: &mut [[f64; LANES]]) {
        for (i, row) in self.rows.iter().enumerate() {
            let (before, rest) = block.split_at_mut(i);
            let mut sum = rest[0];
            for (value, x) in row.values.iter().zip(&before[row.first..]) {
                (0..LANES).for_each(|l| sum[l] -= value * x[l]);
            }
            rest[0] = sum.map(|x| x / row.diagonal);
        }
        for (i, row) in self.rows.iter().enumerate().rev() {
            let (before, rest) = block.split_at_mut(i);
            let solved = rest[0].map(|x| x / row.diagonal);
            for (value, x) in row.values.iter().zip(&mut before[row.first..]) {
                (0..LANES).for_each(|l| x[l] -= value * solved[l]);
            }
            rest[0] = solved;
        }
    }
}

/// Assembles the lower triangle of a matrix.
fn assemble(order: &[usize], entries: &[MatrixEntry]) -> Vec<FactorRow> {
    let mut row_of_node = vec![0; order.len()];
    order.iter().enumerate().for_each(|(row, &node)| row_of_node[node] = row);
    let lower =
        || entries.iter().map(|&(i, j, value)| (row_of_node[i], row_of_node[j], value)).filter(|(i, j, _)| j <= i);
    let mut first: Vec<usize> = (0..order.len()).collect();
    lower().for_each(|(i, j, _)| first[i] = first[i].min(j));
    let row = |(i, &first): (usize, &usize)| FactorRow { first, values: vec![0.0; i - first], diagonal: 0.0 };
    let mut rows: Vec<FactorRow> = first.iter().enumerate().map(row).collect();
    for (i, j, value) in lower() {
        let row = &mut rows[i];
        if i == j { row.diagonal += value } else { row.values[j - row.first] += value }
    }
    rows
}

/// Dot product in eight partial sums, which the compiler vectorises.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (mut a, mut b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let mut sums = [0.0; LANES];
    for (a, b) in a.by_ref().zip(b.by_ref()) {
        (0..LANES).for_each(|l| sums[l] += a[l] * b[l]);
    }
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A positive definite matrix with couplings over 1, 7 and 20 nodes.
    fn matrix(size: usize) -> Vec<MatrixEntry> {
        let mut entries: Vec<MatrixEntry> = (0..size).map(|i| (i, i, 5.0 + (i as f64).sin())).collect();
        for reach in [1, 7, 20] {
            for i in reach..size {
                let value = 0.5 * ((3 * i + reach) as f64).cos();
                entries.extend([(i, i - reach, value), (i - reach, i, value)]);
            }
        }
        entries
    }

    #[test]
    fn solve_inverts_the_matrix_in_any_order() {
        let (size, right_hand_sides) = (60, 11);
        let entries = matrix(size);
        let expected = DMatrix::from_fn(size, right_hand_sides, |i, j| ((i + 1) * (j + 2)) as f64 % 7.0 - 3.0);
        let mut right = DMatrix::zeros(size, right_hand_sides);
        for &(i, j, value) in &entries {
            (0..right_hand_sides).for_each(|side| right[(i, side)] += value * expected[(j, side)]);
        }
        for order in [(0..size).collect::<Vec<_>>(), (0..size).map(|i| (37 * i + 5) % size).collect()] {
            let mut found = right.clone();
            EnvelopeCholesky::new(order, &entries).unwrap().solve(&mut found);
            assert!((found - &expected).amax() < 1e-13);
        }
    }

    #[test]
    fn matrix_that_is_not_positive_definite_is_rejected() {
        for corner in [-1.0, 0.25, f64::NAN] {
            let entries = [(0, 0, 4.0), (1, 1, corner), (1, 0, 1.0), (0, 1, 1.0)];
            assert!(EnvelopeCholesky::new(vec![0, 1], &entries).is_none(), "{corner}");
        }
    }
}
