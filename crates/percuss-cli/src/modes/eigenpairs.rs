//! The lowest eigenvalues of M⁻¹K: block Lanczos on the inverse, (A + sI)⁻¹ with A = M^−½ K M^−½, then subspace iteration.
//!
//! A block of vectors finds multiple eigenvalues, which square plates (pairs) and free plates (three rigid-body modes) have; a
//! Krylov space of a single vector does not. Every new block is orthogonalised against all earlier ones. The Krylov space
//! contains components of all modes, and the rounding of A projected onto it scales with the highest; a few subspace iterations
//! with the vectors found remove this error. The small shift s makes the matrix of a free body invertible and does not affect
//! the result.

use super::envelope_cholesky::{EnvelopeCholesky, MatrixEntry};
use nalgebra::{DMatrix, DMatrixView, SymmetricEigen};
use percuss::Operators;
use std::array::from_fn;

/// Number of nodes up to which a dense matrix is faster.
const DENSE_LIMIT: usize = 250;
/// The shift, and the eigenvalue that counts as zero, relative to the largest eigenvalue without touches. Rounding is 1e-16.
const RELATIVE_SHIFT: f64 = 1e-10;
const RELATIVE_ZERO: f64 = 1e-13;
/// Relative change of converged eigenvalues, and rounding relative to the largest eigenvalue.
const RELATIVE_TOLERANCE: f64 = 1e-11;
const SUBSPACE_ROUNDING: f64 = 1e-15;
/// Rounding in the Krylov space, relative to the largest eigenvalue.
const LANCZOS_ROUNDING: f64 = 1e-13;
/// Largest number of subspace iterations; two or three are usual.
const MAX_ITERATIONS: usize = 50;
/// Vectors that are multiplied at once.
const LANES: usize = 8;
/// Vectors per block: more than the multiplicity of any eigenvalue.
const BLOCK_SIZE: usize = 8;
/// Largest size of the Krylov space: vectors per requested mode, and extra vectors; two per mode are usual.
const MAX_VECTORS_PER_MODE: usize = 5;
const EXTRA_VECTORS: usize = 40 * BLOCK_SIZE;
/// Largest number of QR steps per eigenvalue of a dense matrix; one or two are usual.
const MAX_QR_STEPS: usize = 30;

/// Eigenvalues ω² \[1/s²\] in ascending order, and mode shapes.
pub struct Eigenpairs {
    /// Squares of angular frequencies.
    pub values: Vec<f64>,
    /// Displacement of every node; the largest of a mode is 1.
    pub shapes: Vec<Vec<f64>>,
}

/// The lowest modes of an element, at most `count`.
pub fn lowest(operators: &Operators, count: usize) -> Result<Eigenpairs, String> {
    let size = operators.mass.len();
    let root: Vec<f64> = operators.mass.iter().map(|mass| mass.sqrt()).collect();
    let entry = |&(i, j, value): &MatrixEntry| (i, j, value / (root[i] * root[j]));
    let matrix = SparseMatrix::new(size, operators.stiffness.iter().map(entry).collect());
    let scale = matrix.largest_coupling();
    let (values, vectors) = if size <= DENSE_LIMIT.max(3 * count) {
        dense_eigenpairs(matrix.to_dense())?
    } else {
        sparse_eigenpairs(&matrix, bandwidth_reducing_order(&operators.grid), count, scale)?
    };
    let count = count.min(size);
    let value = |&value: &f64| if value < RELATIVE_ZERO * scale { 0.0 } else { value };
    let shape = |mode: usize| normalised_shape((0..size).map(|i| vectors[(i, mode)] / root[i]).collect());
    Ok(Eigenpairs { values: values.iter().take(count).map(value).collect(), shapes: (0..count).map(shape).collect() })
}

/// The lowest modes of an element that is stepped in its modes: its matrices are diagonal.
pub fn of_diagonal(operators: &Operators, count: usize) -> Eigenpairs {
    let mut values: Vec<(f64, usize)> = operators.mass.iter().map(|_| 0.0).zip(0..).collect();
    for &(row, column, stiffness) in operators.stiffness.iter().filter(|(row, column, _)| row == column) {
        values[row].0 += stiffness / operators.mass[column];
    }
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    values.truncate(count);
    let unit = |mode: usize| (0..operators.mass.len()).map(|other| f64::from(u8::from(other == mode))).collect();
    Eigenpairs {
        values: values.iter().map(|&(value, _)| value.max(0.0)).collect(),
        shapes: values.iter().map(|&(_, mode)| unit(mode)).collect(),
    }
}

/// A symmetric sparse matrix; entries of both triangles, in the order of their rows.
struct SparseMatrix {
    size: usize,
    entries: Vec<MatrixEntry>,
}

impl SparseMatrix {
    fn new(size: usize, mut entries: Vec<MatrixEntry>) -> Self {
        entries.sort_unstable_by_key(|&(row, column, _)| (row, column));
        Self { size, entries }
    }

    /// Twice the largest sum of off-diagonal magnitudes of a row: bounds the spectrum without springs at single nodes.
    fn largest_coupling(&self) -> f64 {
        let mut sums = vec![0.0; self.size];
        for (i, _, value) in self.entries.iter().filter(|(i, j, _)| i != j) {
            sums[*i] += 2.0 * value.abs();
        }
        sums.into_iter().fold(0.0, f64::max)
    }

    fn to_dense(&self) -> DMatrix<f64> {
        let mut to_dense = DMatrix::zeros(self.size, self.size);
        self.entries.iter().for_each(|&(i, j, value)| to_dense[(i, j)] += value);
        to_dense
    }

    /// The products with vectors, eight at once.
    fn multiply(&self, vectors: DMatrixView<'_, f64>) -> DMatrix<f64> {
        let mut products = DMatrix::zeros(self.size, vectors.ncols());
        for first in (0..vectors.ncols()).step_by(LANES) {
            let count = LANES.min(vectors.ncols() - first);
            let gather = |node| from_fn(|lane| if lane < count { vectors[(node, first + lane)] } else { 0.0 });
            let block: Vec<[f64; LANES]> = (0..self.size).map(gather).collect();
            for row in self.entries.chunk_by(|a, b| a.0 == b.0) {
                let mut sum = [0.0; LANES];
                for &(_, column, value) in row {
                    sum.iter_mut().zip(&block[column]).for_each(|(sum, x)| *sum += value * x);
                }
                (0..count).for_each(|lane| products[(row[0].0, first + lane)] = sum[lane]);
            }
        }
        products
    }

    /// Cholesky factor of the matrix with a shift of its diagonal.
    fn shifted_factor(&self, order: Vec<usize>, shift: f64) -> Result<EnvelopeCholesky, String> {
        let mut entries = self.entries.clone();
        entries.extend((0..self.size).map(|i| (i, i, shift)));
        EnvelopeCholesky::new(order, &entries)
            .ok_or_else(|| "has a stiffness matrix that is not positive semidefinite".into())
    }
}

/// Nodes of a grid in lines along its shorter side.
fn bandwidth_reducing_order(grid: &[(usize, usize)]) -> Vec<usize> {
    let extent = |along: fn(&(usize, usize)) -> usize| grid.iter().map(along).max().unwrap_or(0);
    let is_tall = extent(|place| place.1) > extent(|place| place.0);
    let mut order: Vec<usize> = (0..grid.len()).collect();
    order.sort_by_key(|&node| if is_tall { (grid[node].1, grid[node].0) } else { grid[node] });
    order
}

/// Normalises the arbitrary amplitude and sign of a mode: the largest displacement is 1, and the first large one is positive.
pub(super) fn normalised_shape(mut shape: Vec<f64>) -> Vec<f64> {
    let largest = shape.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    if let Some(first) = shape.iter().find(|x| x.abs() > 0.5 * largest) {
        let factor = first.signum() / largest;
        shape.iter_mut().for_each(|x| *x *= factor);
    }
    shape
}

/// All eigenvalues and eigenvectors of a dense symmetric matrix, in ascending order.
fn dense_eigenpairs(matrix: DMatrix<f64>) -> Result<(Vec<f64>, DMatrix<f64>), String> {
    let most = MAX_QR_STEPS * matrix.nrows();
    let found = SymmetricEigen::try_new(matrix, f64::EPSILON, most).ok_or_else(no_convergence)?;
    let mut order: Vec<usize> = (0..found.eigenvalues.len()).collect();
    order.sort_unstable_by(|&a, &b| found.eigenvalues[a].total_cmp(&found.eigenvalues[b]));
    Ok((order.iter().map(|&i| found.eigenvalues[i]).collect(), found.eigenvectors.select_columns(&order)))
}

fn sparse_eigenpairs(
    matrix: &SparseMatrix,
    order: Vec<usize>,
    count: usize,
    scale: f64,
) -> Result<(Vec<f64>, DMatrix<f64>), String> {
    let factor = matrix.shifted_factor(order, RELATIVE_SHIFT * scale)?;
    let mut vectors = block_lanczos(matrix, &factor, count, scale)?;
    let mut previous = vec![f64::INFINITY; count];
    for _ in 0..MAX_ITERATIONS {
        factor.solve(&mut vectors);
        let basis = orthonormal(vectors);
        let (values, rotation) = project(matrix, basis.as_view())?;
        vectors = basis * rotation;
        if have_converged(&values, &previous, count, SUBSPACE_ROUNDING * scale) {
            return Ok((values, vectors));
        }
        previous = values;
    }
    Err(no_convergence())
}

/// Whether the lowest eigenvalues have converged.
fn have_converged(current: &[f64], previous: &[f64], count: usize, rounding: f64) -> bool {
    current
        .iter()
        .zip(previous)
        .take(count)
        .all(|(current, previous)| (current - previous).abs() <= RELATIVE_TOLERANCE * current.abs() + rounding)
}

/// Ritz values of a matrix in a subspace with a basis, and the Ritz vectors in that basis.
fn project(matrix: &SparseMatrix, space: DMatrixView<'_, f64>) -> Result<(Vec<f64>, DMatrix<f64>), String> {
    dense_eigenpairs(space.transpose() * matrix.multiply(space))
}

/// The lowest modes and a few more, up to rounding, by block Lanczos iteration with the inverse.
fn block_lanczos(
    matrix: &SparseMatrix,
    factor: &EnvelopeCholesky,
    count: usize,
    scale: f64,
) -> Result<DMatrix<f64>, String> {
    let most = matrix.size.min(MAX_VECTORS_PER_MODE * count + EXTRA_VECTORS);
    let mut basis = DMatrix::zeros(matrix.size, most);
    // The matrix in the coordinates of the basis; grows with it.
    let mut projected = DMatrix::zeros(most, most);
    // The random vectors are not part of the basis: single nodes may be held by very stiff springs.
    let mut block = random_block(matrix.size, BLOCK_SIZE);
    let mut previous = vec![f64::INFINITY; count];
    let (mut found, mut next_check) = (0, count + count / 2 + 4 * BLOCK_SIZE);
    while found + BLOCK_SIZE <= most {
        factor.solve(&mut block);
        block = orthonormal_to(basis.columns(0, found).as_view(), block);
        basis.columns_mut(found, BLOCK_SIZE).copy_from(&block);
        let columns = basis.columns(0, found + BLOCK_SIZE).tr_mul(&matrix.multiply(block.as_view()));
        projected.view_mut((0, found), columns.shape()).copy_from(&columns);
        projected.view_mut((found, 0), (BLOCK_SIZE, found + BLOCK_SIZE)).copy_from(&columns.transpose());
        found += BLOCK_SIZE;
        if found >= next_check {
            let (values, rotation) = dense_eigenpairs(projected.view((0, 0), (found, found)).into_owned())?;
            if have_converged(&values, &previous, count, LANCZOS_ROUNDING * scale) {
                return Ok(basis.columns(0, found) * rotation.columns(0, count + BLOCK_SIZE));
            }
            previous = values;
            next_check = found + (count / 4).max(2 * BLOCK_SIZE);
        }
    }
    Err(no_convergence())
}

/// Orthonormalises a block of vectors against a subspace.
fn orthonormal_to(space: DMatrixView<'_, f64>, mut block: DMatrix<f64>) -> DMatrix<f64> {
    // Twice is enough (Parlett, 1980).
    for _ in 0..2 {
        block -= space * space.tr_mul(&block);
        block = block.qr().q();
    }
    block
}

/// Orthonormalises vectors block by block.
fn orthonormal(mut vectors: DMatrix<f64>) -> DMatrix<f64> {
    for first in (0..vectors.ncols()).step_by(BLOCK_SIZE) {
        let count = BLOCK_SIZE.min(vectors.ncols() - first);
        let block = vectors.columns(first, count).into_owned();
        let block = orthonormal_to(vectors.columns(0, first).as_view(), block);
        vectors.columns_mut(first, count).copy_from(&block);
    }
    vectors
}

fn no_convergence() -> String {
    "has modes that do not converge".into()
}

/// Pseudo-random vectors, the same in every run.
fn random_block(size: usize, block: usize) -> DMatrix<f64> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    DMatrix::from_fn(size, block, |_, _| {
        // Marsaglia's xorshift (2003).
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use percuss::Place;

    /// Operators of unit masses with a stiffness matrix.
    fn unit_mass_operators(size: usize, stiffness: Vec<(usize, usize, f64)>) -> Operators {
        Operators {
            mass: vec![1.0; size],
            stiffness,
            places: vec![Place::Whole; size],
            grid: vec![(0, 0); size],
            damping_correction: Vec::new(),
            is_exact: false,
            mode_shapes: Vec::new(),
        }
    }

    /// A chain of unit masses and springs, fixed at both ends, or free.
    fn chain(size: usize, is_free: bool) -> Operators {
        let mut stiffness = Vec::new();
        for i in 0..size {
            let ends = [i == 0, i + 1 == size].into_iter().filter(|end| *end && is_free).count();
            stiffness.push((i, i, 2.0 - ends as f64));
            if i + 1 < size {
                stiffness.extend([(i, i + 1, -1.0), (i + 1, i, -1.0)]);
            }
        }
        unit_mass_operators(size, stiffness)
    }

    #[test]
    fn fixed_chains_have_the_eigenvalues_of_the_closed_form() {
        for size in [3, 40, 2000] {
            let found = lowest(&chain(size, false), 10).unwrap();
            assert_eq!(found.values.len(), size.min(10));
            for (index, value) in found.values.iter().enumerate() {
                let angle = std::f64::consts::PI * (index + 1) as f64 / (2 * (size + 1)) as f64;
                let expected = 4.0 * angle.sin().powi(2);
                assert!((value / expected - 1.0).abs() < 1e-8, "{size}, mode {index}: {value}, not {expected}");
            }
        }
    }

    /// A free square grid of unit masses, each joined to its neighbours: all eigenvalues are sums of those of two chains.
    fn square(side: usize) -> Operators {
        let line = chain(side, true);
        let mut stiffness = Vec::new();
        for &(i, j, value) in &line.stiffness {
            for other in 0..side {
                stiffness.push((i * side + other, j * side + other, value));
                stiffness.push((other * side + i, other * side + j, value));
            }
        }
        unit_mass_operators(side * side, stiffness)
    }

    #[test]
    fn all_double_eigenvalues_of_squares_are_found_for_any_count() {
        let side = 36;
        let chain = |n: usize| 4.0 * (std::f64::consts::FRAC_PI_2 * n as f64 / side as f64).sin().powi(2);
        let mut expected: Vec<f64> = (0..side * side).map(|n| chain(n / side) + chain(n % side)).collect();
        expected.sort_unstable_by(f64::total_cmp);
        for count in [1, 10, 60, 70, 130, 200] {
            let found = lowest(&square(side), count).unwrap();
            assert_eq!((found.values.len(), found.shapes.len()), (count, count));
            for (mode, (value, expected)) in found.values.iter().zip(&expected).enumerate() {
                assert!(
                    (value - expected).abs() < 1e-10 * expected + 1e-14,
                    "{count}, {mode}: {value}, not {expected}"
                );
            }
        }
    }

    #[test]
    fn free_chain_has_one_rigid_body_mode() {
        for size in [40, 2000] {
            let found = lowest(&chain(size, true), 3).unwrap();
            assert_eq!(found.values[0], 0.0);
            assert!(found.values[1] > 0.0);
            assert!(found.shapes[0].iter().all(|x| (x - 1.0).abs() < 1e-4));
        }
    }
}
