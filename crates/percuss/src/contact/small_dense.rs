//! Two or three coupled rows, solved on the stack.
//!
//! Solve       (I + Q B) f = p + Q d₀, Q = diag(q), d = d₀ − B f: S⁻¹ and S of `block` around its matrix cancel, and no
//!             root is needed; the pivots are the same, 1 or more
//! Stiff rows  as in `block`
//! Allocates   no

use crate::contact::row::Row;
use crate::contact::solve::{BlockSolver, REFINEMENT_PASSES, needs_refinement};

/// The compliance matrix of N rows, both halves.
#[derive(Clone, Debug)]
pub(crate) struct SmallDenseSolver<const N: usize> {
    entries: [[f64; N]; N],
    /// Determinant of two rows.
    determinant: f64,
}

impl<const N: usize> BlockSolver for SmallDenseSolver<N> {
    #[inline(always)]
    fn solve(&mut self, rows: &mut [Row], half_rate: f64) {
        let (mut slopes, mut forces, mut stiff) = ([0.0; N], [0.0; N], false);
        for ((row, slope), force) in rows.iter().zip(&mut slopes).zip(&mut forces) {
            let (p, q) = row.constant_and_slope(half_rate);
            (*slope, *force) = (q, p + q * row.d_free);
            stiff |= needs_refinement(q, row.compliance);
        }
        if stiff {
            self.solve_stiff(rows, half_rate, slopes);
            return;
        }
        let forces = self.solve_forces(slopes, forces);
        for (row, force) in rows.iter_mut().zip(forces) {
            row.force = force;
        }
        self.update_motion(rows);
    }
}

impl<const N: usize> SmallDenseSolver<N> {
    pub fn new() -> Self {
        Self { entries: [[0.0; N]; N], determinant: 0.0 }
    }

    pub fn clear(&mut self) {
        self.entries = [[0.0; N]; N];
    }

    /// Adds to an entry of the lower half.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.entries[row][column] += value;
        if row != column {
            self.entries[column][row] += value;
        }
        if N == 2 {
            let [[a, b], [c, d]] = [0, 1].map(|i| [self.entries[i][0], self.entries[i][1]]);
            self.determinant = (a * d - b * c).max(0.0);
        }
    }

    /// d = d₀ − Bf for the current forces.
    pub fn update_motion(&self, rows: &mut [Row]) {
        let mut forces = [0.0; N];
        rows.iter().zip(&mut forces).for_each(|(row, force)| *force = row.force);
        for (row, compliance) in rows.iter_mut().zip(&self.entries) {
            row.d = row.d_free - (0..N).map(|j| compliance[j] * forces[j]).sum::<f64>();
        }
    }

    /// Iterative refinement for stiff rows.
    #[cold]
    #[inline(never)]
    fn solve_stiff(&self, rows: &mut [Row], half_rate: f64, slopes: [f64; N]) {
        rows.iter_mut().for_each(|row| (row.force, row.d) = (0.0, row.d_free));
        for _ in 0..REFINEMENT_PASSES {
            let mut missing = [0.0; N];
            rows.iter().zip(&mut missing).for_each(|(row, missing)| *missing = row.law_residual(half_rate));
            let forces = self.eliminate(slopes, missing);
            rows.iter_mut().zip(forces).for_each(|(row, force)| row.force += force);
            self.update_motion(rows);
        }
    }

    /// Solves (I + Q B) f = `right`. Two rows take a single division; for two nearly parallel ones the determinant
    /// of B is rounding, which is negligible beside the other terms.
    #[inline(always)]
    fn solve_forces(&self, q: [f64; N], right: [f64; N]) -> [f64; N] {
        if N != 2 {
            return self.eliminate(q, right);
        }
        let left: [[f64; N]; N] = std::array::from_fn(|i| std::array::from_fn(|j| q[i] * self.entries[i][j]));
        let inverse = 1.0 / (1.0 + left[0][0] + left[1][1] + q[0] * q[1] * self.determinant);
        let [a, b] = [right[0], right[1]];
        let mut forces = right;
        forces[0] = (a + left[1][1] * a - left[0][1] * b) * inverse;
        forces[1] = (b + left[0][0] * b - left[1][0] * a) * inverse;
        forces
    }

    /// The same by elimination. No pivot is below 1 but by rounding.
    #[inline(always)]
    fn eliminate(&self, q: [f64; N], mut right: [f64; N]) -> [f64; N] {
        let mut left: [[f64; N]; N] = std::array::from_fn(|i| std::array::from_fn(|j| q[i] * self.entries[i][j]));
        for (i, row) in left.iter_mut().enumerate() {
            row[i] += 1.0;
        }
        for i in 0..N {
            let pivot = left[i];
            left[i][i] = 1.0 / pivot[i].max(1.0);
            for j in i + 1..N {
                let share = left[j][i] * left[i][i];
                left[j].iter_mut().zip(pivot).skip(i + 1).for_each(|(entry, above)| *entry -= share * above);
                right[j] -= share * right[i];
            }
        }
        for i in (0..N).rev() {
            for j in i + 1..N {
                right[i] -= left[i][j] * right[j];
            }
            right[i] *= left[i][i];
        }
        right
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::skyline::Skyline;

    fn check_against_skyline<const N: usize>() {
        let entries = [(0, 0, 2.0), (1, 0, -1.0), (1, 1, 2.0), (2, 1, 0.7), (2, 2, 3.0)];
        let entries: Vec<_> = entries.into_iter().filter(|&(row, ..)| row < N).collect();
        let places: Vec<_> = entries.iter().map(|&(row, column, _)| (row, column)).collect();
        let (mut small, mut many) = (SmallDenseSolver::<N>::new(), Skyline::new(N, &places));
        for &(row, column, value) in &entries {
            small.add(row, column, value);
            many.add(row, column, value);
        }
        for scale in [[1.0, 1e3, 0.2], [0.0, 7.0, 1e5], [30.0, 0.0, 1.0]] {
            let scale: [f64; N] = std::array::from_fn(|i| scale[i]);
            // Right-hand sides of a row without slope are zero, as its force is.
            let right: [f64; N] = std::array::from_fn(|i| [1.0, -2.0, 0.5][i] * scale[i]);
            let mut z: [f64; N] = std::array::from_fn(|i| [1.0, -2.0, 0.5][i]);
            let forces = small.solve_forces(scale.map(|scale| scale * scale), right);
            many.factor_and_solve(&scale, &mut many.clone(), &mut z);
            for (i, force) in forces.into_iter().enumerate() {
                let expected = scale[i] * z[i];
                assert!((force - expected).abs() <= 1e-13 * expected.abs().max(1e-3 * scale[i]), "{force} {expected}");
            }
        }
    }

    #[test]
    fn few_rows_are_solved_as_many_are() {
        check_against_skyline::<2>();
        check_against_skyline::<3>();
    }
}
