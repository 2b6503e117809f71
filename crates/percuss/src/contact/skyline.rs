//! Cholesky factorisation within the envelope of a symmetric positive definite matrix.
//!
//! Row i keeps its entries from the first non-zero column to the diagonal; the factor fills nothing outside. A dense
//! block is a full triangle, contacts along a string are a narrow band: one routine serves both.

/// Lower triangle of a symmetric matrix, row by row, each from its first non-zero column.
#[derive(Clone, Debug)]
pub(crate) struct Skyline {
    /// First column of each row.
    first_column: Vec<usize>,
    /// Where each row starts in `values`.
    row_start: Vec<usize>,
    values: Vec<f64>,
}

impl Skyline {
    /// A zero matrix with storage for the entries (row, column), column ≤ row.
    pub fn new(size: usize, entries: &[(usize, usize)]) -> Self {
        let mut first_column: Vec<usize> = (0..size).collect();
        for &(row, column) in entries {
            first_column[row] = first_column[row].min(column);
        }
        let mut row_start = Vec::with_capacity(size);
        let mut length = 0;
        for (row, first) in first_column.iter().enumerate() {
            row_start.push(length);
            length += row - first + 1;
        }
        Self { first_column, row_start, values: vec![0.0; length] }
    }

    /// Sets all entries to zero.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds to an entry that `new` made storage for.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        let index = self.index(row, column);
        self.values[index] += value;
    }

    /// An entry, column ≤ row.
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        if column < self.first_column[row] { 0.0 } else { self.values[self.index(row, column)] }
    }

    fn index(&self, row: usize, column: usize) -> usize {
        self.row_start[row] + column - self.first_column[row]
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.values[self.row_start[row]..=self.row_start[row] + row - self.first_column[row]]
    }

    /// y = self·x.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        for i in 0..x.len() {
            let row = self.row(i);
            let (diagonal, left) = (row[row.len() - 1], &row[..row.len() - 1]);
            let mut sum = diagonal * x[i];
            for (j, value) in left.iter().enumerate().map(|(j, value)| (j + self.first_column[i], value)) {
                sum += value * x[j];
                y[j] += value * x[i];
            }
            y[i] += sum;
        }
    }

    /// Solves (I + S·self·S) z = z in place, S = diag(scale), with the factor built in `factor`. No pivot is below 1 but by
    /// rounding.
    pub fn factor_and_solve(&self, scale: &[f64], factor: &mut Skyline, z: &mut [f64]) {
        for i in 0..z.len() {
            if scale[i] == 0.0 {
                // The row of an identity: most contacts are open.
                let (start, end) = (self.index(i, self.first_column[i]), self.index(i, i));
                factor.values[start..end].fill(0.0);
                factor.values[end] = 1.0;
                continue;
            }
            for j in self.first_column[i]..=i {
                let mut sum = scale[i] * scale[j] * self.values[self.index(i, j)];
                if i == j {
                    sum += 1.0;
                }
                let from = self.first_column[i].max(self.first_column[j]);
                for m in from..j {
                    sum -= factor.values[self.index(i, m)] * factor.values[self.index(j, m)];
                }
                factor.values[self.index(i, j)] =
                    if i == j { sum.max(1.0).sqrt() } else { sum / factor.values[self.index(j, j)] };
            }
        }
        self.solve_with_factor(factor, z);
    }

    /// The same with the factor of the last solve.
    pub fn solve_with_factor(&self, factor: &Skyline, z: &mut [f64]) {
        for i in 0..z.len() {
            for j in self.first_column[i]..i {
                z[i] -= factor.values[self.index(i, j)] * z[j];
            }
            z[i] /= factor.values[self.index(i, i)];
        }
        for i in (0..z.len()).rev() {
            z[i] /= factor.values[self.index(i, i)];
            for j in self.first_column[i]..i {
                z[j] -= factor.values[self.index(i, j)] * z[i];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solution_satisfies_the_system() {
        // B = C·Cᵀ with chain-like C: rank-deficient, as contact networks are.
        let entries = [(0, 0, 2.0), (1, 0, -1.0), (1, 1, 2.0), (2, 2, 3.0), (3, 1, -0.5), (3, 2, -1.0), (3, 3, 4.0)];
        let mut matrix = Skyline::new(4, &entries.map(|(row, column, _)| (row, column)));
        entries.iter().for_each(|&(row, column, value)| matrix.add(row, column, value));
        let scale = [1.0, 1e3, 0.0, 0.1];
        let right = [1.0, -2.0, 0.5, 3.0];
        let mut z = right;
        matrix.factor_and_solve(&scale, &mut matrix.clone(), &mut z);
        let scaled: Vec<f64> = z.iter().zip(&scale).map(|(z, s)| z * s).collect();
        let mut product = vec![0.0; 4];
        matrix.multiply(&scaled, &mut product);
        for i in 0..4 {
            let left = z[i] + scale[i] * product[i];
            assert!((left - right[i]).abs() < 1e-10 * right[i].abs().max(1.0), "row {i}: {left} {}", right[i]);
        }
    }
}
