//! What the method of Ritz needs for any body: orthonormal polynomials, quadrature, functions on parts of an axis, and eigenvalues of a stiffness matrix.

pub(crate) mod eigen;
pub(crate) mod jacobi;
pub(crate) mod segment;
pub(crate) mod symmetric;
