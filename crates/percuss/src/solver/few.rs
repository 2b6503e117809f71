//! Two or three coupled rows, solved on the stack.
//!
//! Solve       (I + S B S) z = S⁻¹p + S d₀ by L·D·Lᵀ, f = S z, d = d₀ − B f: see `block`
//! Allocates   no

use super::block::Row;

/// The compliance matrix of N rows, both halves.
#[derive(Clone, Debug)]
pub(super) struct Few<const N: usize>([[f64; N]; N]);

impl<const N: usize> Few<N> {
    pub fn new() -> Self {
        Self([[0.0; N]; N])
    }

    pub fn clear(&mut self) {
        self.0 = [[0.0; N]; N];
    }

    /// Adds to an entry of the lower half.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.0[row][column] += value;
        if row != column {
            self.0[column][row] += value;
        }
    }

    /// Forces and displacements of all rows under their present laws. `half_rate` = 1/2k.
    pub fn solve(&self, rows: &mut [Row], half_rate: f64) {
        let (mut scale, mut z) = ([0.0; N], [0.0; N]);
        for ((row, scale), z) in rows.iter().zip(&mut scale).zip(&mut z) {
            let (p, q) = row.law_at(half_rate);
            if q > 0.0 {
                *scale = q.sqrt();
                *z = p / *scale + *scale * row.free;
            }
        }
        self.solve_scaled(&scale, &mut z);
        for ((row, scale), z) in rows.iter_mut().zip(&scale).zip(&z) {
            row.force = scale * z;
        }
        self.react(rows);
    }

    /// d = d₀ − B f for the forces as they stand.
    pub fn react(&self, rows: &mut [Row]) {
        let mut forces = [0.0; N];
        rows.iter().zip(&mut forces).for_each(|(row, force)| *force = row.force);
        for (row, compliance) in rows.iter_mut().zip(&self.0) {
            row.d = row.free - (0..N).map(|j| compliance[j] * forces[j]).sum::<f64>();
        }
    }

    /// Solves (I + S B S) z = z in place.
    fn solve_scaled(&self, scale: &[f64; N], z: &mut [f64; N]) {
        let (mut factor, mut pivot) = ([[0.0; N]; N], [1.0; N]);
        for i in 0..N {
            for j in 0..i {
                let mut sum = scale[i] * scale[j] * self.0[i][j];
                for m in 0..j {
                    sum -= factor[i][m] * factor[j][m] * pivot[m];
                }
                factor[i][j] = sum / pivot[j];
                z[i] -= factor[i][j] * z[j];
            }
            pivot[i] += scale[i] * scale[i] * self.0[i][i];
            for m in 0..i {
                pivot[i] -= factor[i][m] * factor[i][m] * pivot[m];
            }
        }
        for i in (0..N).rev() {
            z[i] /= pivot[i];
            for j in i + 1..N {
                z[i] -= factor[j][i] * z[j];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::skyline::Skyline;
    use super::*;

    fn as_many_do<const N: usize>() {
        let entries = [(0, 0, 2.0), (1, 0, -1.0), (1, 1, 2.0), (2, 1, 0.7), (2, 2, 3.0)];
        let entries: Vec<_> = entries.into_iter().filter(|&(row, ..)| row < N).collect();
        let places: Vec<_> = entries.iter().map(|&(row, column, _)| (row, column)).collect();
        let (mut few, mut many) = (Few::<N>::new(), Skyline::new(N, &places));
        for &(row, column, value) in &entries {
            few.add(row, column, value);
            many.add(row, column, value);
        }
        for scale in [[1.0, 1e3, 0.2], [0.0, 7.0, 1e5], [30.0, 0.0, 1.0]] {
            let scale: [f64; N] = std::array::from_fn(|i| scale[i]);
            let right: [f64; N] = std::array::from_fn(|i| [1.0, -2.0, 0.5][i]);
            let (mut a, mut b) = (right, right);
            few.solve_scaled(&scale, &mut a);
            many.solve_scaled(&scale, &mut many.clone(), &mut b);
            for (a, b) in a.iter().zip(&b) {
                assert!((a - b).abs() <= 1e-13 * b.abs().max(1e-3), "{a} {b}");
            }
        }
    }

    #[test]
    fn few_rows_are_solved_as_many_are() {
        as_many_do::<2>();
        as_many_do::<3>();
    }
}
