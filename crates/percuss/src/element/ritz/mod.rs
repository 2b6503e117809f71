//! What the method of Ritz needs for any body: orthonormal polynomials, quadrature, and eigenvalues of a stiffness matrix.

pub(crate) mod eigen;
pub(crate) mod jacobi;
