//! Eigenvalues of a stiffness matrix whose largest are irrelevant.
//!
//! Problem     Kx = λMx, with M = 1 where functions are orthonormal
//! Shifted     K + sM = LLᵀ; L⁻¹ML⁻ᵀy = y/(λ + s), x = L⁻ᵀy
//!
//! K of high polynomials has eigenvalues over thirteen orders of magnitude. Those of (K + s)⁻¹ are found instead: there the lowest
//! modes are the largest, and keep their digits. The factors of K are exact to rounding however its rows are scaled
//! Reference   Demmel (1997), Applied Numerical Linear Algebra, sec. 5.2

use faer::linalg::solvers::DenseSolveCore;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Mat, Par, Side};

/// Eigenvalues in rising order, and the eigenvectors in the columns of a matrix.
pub(crate) struct Eigenpairs {
    pub values: Vec<f64>,
    vectors: Mat<f64>,
}

impl Eigenpairs {
    /// Of a symmetric matrix K ≥ 0; s should be about its lowest eigenvalue above 0. `None` where they are not found.
    pub fn of(mut stiffness: Mat<f64>, s: f64) -> Option<Self> {
        (0..stiffness.nrows()).for_each(|i| stiffness[(i, i)] += s);
        let inverse = stiffness.llt(Side::Lower).ok()?.inverse();
        let eigen = inverse.self_adjoint_eigen(Side::Lower).ok()?;
        let count = inverse.nrows();
        let values = (0..count).map(|mode| (eigen.S()[count - 1 - mode].recip() - s).max(0.0)).collect();
        Some(Self { values, vectors: eigen.U().to_owned() })
    }

    /// Of Kx = λMx with M > 0, xᵀMx = 1.
    pub fn of_pencil(stiffness: &Mat<f64>, mass: &Mat<f64>, s: f64) -> Option<Self> {
        let count = stiffness.nrows();
        let shifted = Mat::from_fn(count, count, |i, j| stiffness[(i, j)] + s * mass[(i, j)]);
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
        // Functions that differ by rounding only give eigenvalues of rounding, of either sign: infinitely high modes.
        let inverse = |mode: usize| eigen.S()[count - 1 - mode].max(f64::MIN_POSITIVE);
        for column in 0..count {
            let scale = inverse(count - 1 - column).sqrt().recip();
            (0..count).for_each(|row| vectors[(row, column)] *= scale);
        }
        let values = (0..count).map(|mode| (inverse(mode).recip() - s).max(0.0)).collect();
        Some(Self { values, vectors })
    }

    /// The eigenvector of a mode.
    pub fn vector(&self, mode: usize) -> Vec<f64> {
        let column = self.vectors.ncols() - 1 - mode;
        (0..self.vectors.nrows()).map(|i| self.vectors[(i, column)]).collect()
    }
}

/// cᵀAc.
pub(crate) fn quadratic_form(matrix: &Mat<f64>, c: &[f64]) -> f64 {
    let column = |j: usize| c.iter().enumerate().map(|(i, c)| c * matrix[(i, j)]).sum::<f64>();
    c.iter().enumerate().map(|(j, c)| c * column(j)).sum()
}
