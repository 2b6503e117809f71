//! Eigenvalues of a stiffness matrix whose largest are irrelevant.
//!
//! K of high polynomials has eigenvalues over thirteen orders of magnitude. Those of (K + s)⁻¹ are found instead: there the lowest
//! modes are the largest, and keep their digits. The factors of K are exact to rounding however its rows are scaled
//! Reference   Demmel (1997), Applied Numerical Linear Algebra, sec. 5.2

use faer::linalg::solvers::DenseSolveCore;
use faer::{Mat, Side};

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
