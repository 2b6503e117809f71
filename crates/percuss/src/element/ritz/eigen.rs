//! Eigenvalues of a stiffness matrix whose largest are irrelevant.
//!
//! Problem     Kx = λMx, with M = 1 where functions are orthonormal
//! Shifted     K + sM = LLᵀ; L⁻¹ML⁻ᵀy = y/(λ + s), x = L⁻ᵀy
//!
//! K of high polynomials has eigenvalues over thirteen orders of magnitude. Those of (K + s)⁻¹ are found instead: there the lowest
//! modes are the largest, and keep their digits. The factors of K are exact to rounding however its rows are scaled.
//!
//! Faer orders sums by the vectors of the machine. Within [`portably`] they have one order everywhere (`symmetric`), which takes longer
//! for large matrices
//! Reference   Demmel (1997), Applied Numerical Linear Algebra, sec. 5.2

use crate::element::ritz::symmetric::{self, Columns};
use faer::linalg::solvers::DenseSolveCore;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Mat, Par, Side};
use std::cell::Cell;

thread_local! {
    /// Whether this thread is within [`portably`]. Modes are found at the bottom of many calls, which need not know.
    static IS_PORTABLE: Cell<bool> = const { Cell::new(false) };
}

/// Runs `find`, with sums in an order that does not depend on the machine if `is_portable`.
pub(crate) fn portably<T>(is_portable: bool, find: impl FnOnce() -> T) -> T {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            IS_PORTABLE.set(self.0);
        }
    }
    let _restore = Restore(IS_PORTABLE.replace(is_portable));
    find()
}

/// Eigenvalues in rising order, and the eigenvectors in the columns of a matrix.
pub(crate) struct Eigenpairs {
    pub values: Vec<f64>,
    /// In the order of falling eigenvalues.
    vectors: Columns,
}

impl Eigenpairs {
    /// Of a symmetric matrix K ≥ 0; s should be about its lowest eigenvalue above 0. `None` where they are not found.
    pub fn of(mut stiffness: Mat<f64>, s: f64) -> Option<Self> {
        (0..stiffness.nrows()).for_each(|i| stiffness[(i, i)] += s);
        let (inverse_values, vectors) = if IS_PORTABLE.get() {
            symmetric::eigenpairs(symmetric::inverse(&symmetric::cholesky(columns(&stiffness))?))?
        } else {
            self_adjoint_eigen(&stiffness.llt(Side::Lower).ok()?.inverse())?
        };
        let values = inverse_values.iter().rev().map(|value| (value.recip() - s).max(0.0)).collect();
        Some(Self { values, vectors })
    }

    /// Of Kx = λMx with M > 0, xᵀMx = 1.
    pub fn of_pencil(stiffness: &Mat<f64>, mass: &Mat<f64>, s: f64) -> Option<Self> {
        let count = stiffness.nrows();
        let shifted = |i: usize, j: usize| stiffness[(i, j)] + s * mass[(i, j)];
        let (inverse_values, mut vectors) = if IS_PORTABLE.get() {
            portable_pencil(Columns::from_fn(count, shifted), columns(mass))?
        } else {
            pencil(&Mat::from_fn(count, count, shifted), mass)?
        };
        // Functions that differ by rounding only give eigenvalues of rounding, of either sign: infinitely high modes.
        let inverse = |mode: usize| inverse_values[mode].max(f64::MIN_POSITIVE);
        vectors.scale_columns(|column| inverse(column).sqrt().recip());
        let values = (0..count).rev().map(|mode| (inverse(mode).recip() - s).max(0.0)).collect();
        Some(Self { values, vectors })
    }

    /// The eigenvector of a mode.
    pub fn vector(&self, mode: usize) -> Vec<f64> {
        self.vectors.column(self.vectors.count() - 1 - mode).to_vec()
    }
}

fn columns(matrix: &Mat<f64>) -> Columns {
    Columns::from_fn(matrix.nrows(), |i, j| matrix[(i, j)])
}

fn self_adjoint_eigen(matrix: &Mat<f64>) -> Option<(Vec<f64>, Columns)> {
    let eigen = matrix.self_adjoint_eigen(Side::Lower).ok()?;
    let values = (0..matrix.nrows()).map(|index| eigen.S()[index]).collect();
    let vectors = eigen.U();
    Some((values, Columns::from_fn(matrix.nrows(), |i, j| vectors[(i, j)])))
}

/// Eigenvalues of L⁻¹ML⁻ᵀ for A = LLᵀ, and L⁻ᵀ times its eigenvectors.
fn pencil(shifted: &Mat<f64>, mass: &Mat<f64>) -> Option<(Vec<f64>, Columns)> {
    let count = shifted.nrows();
    let factor = shifted.llt(Side::Lower).ok()?;
    let lower = factor.L();
    let mut half = mass.clone();
    solve_lower_triangular_in_place(lower, half.as_mut(), Par::Seq);
    let mut both = half.transpose().to_owned();
    solve_lower_triangular_in_place(lower, both.as_mut(), Par::Seq);
    let symmetric = Mat::from_fn(count, count, |i, j| 0.5 * (both[(i, j)] + both[(j, i)]));
    let eigen = symmetric.self_adjoint_eigen(Side::Lower).ok()?;
    let mut vectors = eigen.U().to_owned();
    solve_upper_triangular_in_place(lower.transpose(), vectors.as_mut(), Par::Seq);
    let values = (0..count).map(|index| eigen.S()[index]).collect();
    Some((values, columns(&vectors)))
}

/// The same portably.
fn portable_pencil(shifted: Columns, mass: Columns) -> Option<(Vec<f64>, Columns)> {
    let lower = symmetric::cholesky(shifted)?;
    let mut half = mass;
    symmetric::solve_lower(&lower, &mut half);
    let mut both = half.transposed();
    symmetric::solve_lower(&lower, &mut both);
    let middle = Columns::from_fn(both.count(), |i, j| 0.5 * (both.at(i, j) + both.at(j, i)));
    let (values, mut vectors) = symmetric::eigenpairs(middle)?;
    symmetric::solve_upper(&lower, &mut vectors);
    Some((values, vectors))
}

/// AᵀA.
pub(crate) fn gram(matrix: &Mat<f64>) -> Mat<f64> {
    if !IS_PORTABLE.get() {
        return matrix.transpose() * matrix;
    }
    let columns: Vec<Vec<f64>> =
        (0..matrix.ncols()).map(|j| (0..matrix.nrows()).map(|i| matrix[(i, j)]).collect()).collect();
    let mut product = Mat::zeros(matrix.ncols(), matrix.ncols());
    for (j, column) in columns.iter().enumerate() {
        for (i, other) in columns[..=j].iter().enumerate() {
            product[(i, j)] = symmetric::dot(other, column);
            product[(j, i)] = product[(i, j)];
        }
    }
    product
}

/// cᵀAc.
pub(crate) fn quadratic_form(matrix: &Mat<f64>, c: &[f64]) -> f64 {
    let column = |j: usize| c.iter().enumerate().map(|(i, c)| c * matrix[(i, j)]).sum::<f64>();
    c.iter().enumerate().map(|(j, c)| c * column(j)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways solve the same problem: stiffness over ten orders of magnitude, mass that is not diagonal.
    #[test]
    fn portable_eigenvalues_are_the_others() {
        let count = 30;
        let height = |i: usize| 10_f64.powf(0.35 * i as f64);
        let stiffness = Mat::from_fn(count, count, |i, j| {
            if i == j { height(i) } else { 0.1 * (height(i) * height(j)).sqrt() / (1.0 + i.abs_diff(j) as f64) }
        });
        let mass = Mat::from_fn(count, count, |i, j| if i == j { 1.5 } else { 0.2 / (1.0 + (i + j) as f64) });
        let find = || {
            [Eigenpairs::of(stiffness.clone(), 1.0).unwrap(), Eigenpairs::of_pencil(&stiffness, &mass, 1.0).unwrap()]
        };
        for (portable, other) in portably(true, find).iter().zip(portably(false, find)) {
            for mode in 0..12 {
                let (found, expected) = (portable.values[mode], other.values[mode]);
                assert!((found / expected - 1.0).abs() < 1e-9, "mode {mode}: {found} against {expected}");
                let (found, expected) = (portable.vector(mode), other.vector(mode));
                let sign = symmetric::dot(&found, &expected).signum();
                let distance = found.iter().zip(&expected).fold(0.0_f64, |d, (a, b)| d.max((a - sign * b).abs()));
                assert!(distance < 1e-8, "mode {mode}: {distance}");
            }
        }
        let tall = Mat::from_fn(50, 7, |i, j| ((3 * i + 7 * j) % 11) as f64);
        let [portable, other] = [true, false].map(|is_portable| portably(is_portable, || gram(&tall)));
        assert!((0..7).all(|i| (0..7).all(|j| (portable[(i, j)] - other[(i, j)]).abs() < 1e-10)));
    }

    #[test]
    fn portability_ends_with_its_scope() {
        assert!(portably(true, || portably(false, || !IS_PORTABLE.get()) && IS_PORTABLE.get()));
        assert!(!IS_PORTABLE.get());
        let _ = std::panic::catch_unwind(|| portably(true, || panic!("within")));
        assert!(!IS_PORTABLE.get());
    }
}
