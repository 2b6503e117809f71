//! The lowest eigenvalues of M⁻¹K: block Lanczos on the inverse, (A + sI)⁻¹ with A = M^−½ K M^−½, then subspace iteration.
//!
//! A block of vectors finds eigenvalues of any multiplicity, which square plates (pairs) and free ones (three motions at
//! rest) have; a Krylov space grown from one vector finds those only by luck. Every new block is made orthogonal to all
//! before it. The space has something of all modes, and rounding in A projected on it goes with the highest: a few rounds of
//! iteration with the vectors found are free of that. The small shift s makes the matrix of a body that nothing holds
//! invertible; it speeds nothing up and changes no result.

use super::envelope::{Entry, Envelope};
use nalgebra::{DMatrix, DMatrixView, SymmetricEigen};
use percuss::Operators;

/// Up to so many nodes a full matrix is quicker.
const FULL: usize = 250;
/// The shift, and below it what counts as zero, as shares of the largest eigenvalue without touches. Rounding is 1e-16 of it.
const SHIFT: f64 = 1e-10;
const ZERO: f64 = 1e-13;
/// Eigenvalues have settled when they change by less than this share, or than rounding.
const SETTLED: f64 = 1e-11;
const ROUNDING: f64 = 1e-15;
/// What rounding does in a space that has something of all modes.
const PROJECTED: f64 = 1e-13;
/// Most rounds of iteration; two or three are usual.
const ROUNDS: usize = 50;
/// Vectors in a block: more than the multiplicity of any eigenvalue.
const BLOCK: usize = 8;
/// The space never grows beyond so many vectors for each mode asked for, and some more; two for each are usual.
const MOST: usize = 5;
const MORE: usize = 40 * BLOCK;
/// Most QR steps for each eigenvalue of a full matrix; one or two are usual.
const QR_STEPS: usize = 30;

/// Eigenvalues ω² \[1/s²\] in ascending order, and the displacement of every node in each mode.
pub struct Spectrum {
    /// Squares of angular frequencies.
    pub values: Vec<f64>,
    /// Shapes, the largest displacement being 1.
    pub shapes: Vec<Vec<f64>>,
}

/// The lowest modes of an element, at most `count`.
pub fn lowest(operators: &Operators, count: usize) -> Result<Spectrum, String> {
    let size = operators.mass.len();
    let root: Vec<f64> = operators.mass.iter().map(|mass| mass.sqrt()).collect();
    let entry = |&(i, j, value): &Entry| (i, j, value / (root[i] * root[j]));
    let matrix = Sparse { size, entries: operators.stiffness.iter().map(entry).collect() };
    let scale = matrix.largest_coupling();
    let (values, vectors) = if size <= FULL.max(3 * count) {
        ritz(matrix.full())?
    } else {
        iterate(&matrix, short_side_first(&operators.grid), count, scale)?
    };
    let count = count.min(size);
    let value = |&value: &f64| if value < ZERO * scale { 0.0 } else { value };
    let shape = |mode: usize| upright((0..size).map(|i| vectors[(i, mode)] / root[i]).collect());
    Ok(Spectrum { values: values.iter().take(count).map(value).collect(), shapes: (0..count).map(shape).collect() })
}

/// A symmetric matrix, both triangles.
struct Sparse {
    size: usize,
    entries: Vec<Entry>,
}

impl Sparse {
    /// Twice the largest sum of couplings to neighbours: the size of the spectrum, whatever springs hold single nodes.
    fn largest_coupling(&self) -> f64 {
        let mut sums = vec![0.0; self.size];
        for (i, _, value) in self.entries.iter().filter(|(i, j, _)| i != j) {
            sums[*i] += 2.0 * value.abs();
        }
        sums.into_iter().fold(0.0, f64::max)
    }

    fn full(&self) -> DMatrix<f64> {
        let mut full = DMatrix::zeros(self.size, self.size);
        self.entries.iter().for_each(|&(i, j, value)| full[(i, j)] += value);
        full
    }

    fn times(&self, vectors: DMatrixView<'_, f64>) -> DMatrix<f64> {
        let mut products = DMatrix::zeros(self.size, vectors.ncols());
        for (vector, mut product) in vectors.column_iter().zip(products.column_iter_mut()) {
            self.entries.iter().for_each(|&(i, j, value)| product[i] += value * vector[j]);
        }
        products
    }

    /// Cholesky factor of the matrix with something added on its diagonal.
    fn shifted_factor(&self, order: Vec<usize>, shift: f64) -> Result<Envelope, String> {
        let mut entries = self.entries.clone();
        entries.extend((0..self.size).map(|i| (i, i, shift)));
        Envelope::new(order, &entries).ok_or_else(|| "is not held by springs that all push back".into())
    }
}

/// Nodes of a grid line by line, along its shorter side.
fn short_side_first(grid: &[(usize, usize)]) -> Vec<usize> {
    let extent = |along: fn(&(usize, usize)) -> usize| grid.iter().map(along).max().unwrap_or(0);
    let is_tall = extent(|place| place.1) > extent(|place| place.0);
    let mut order: Vec<usize> = (0..grid.len()).collect();
    order.sort_by_key(|&node| if is_tall { (grid[node].1, grid[node].0) } else { grid[node] });
    order
}

/// A mode's size and sign are arbitrary: the largest displacement becomes 1, and the first large one points upwards.
fn upright(mut shape: Vec<f64>) -> Vec<f64> {
    let largest = shape.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    if let Some(first) = shape.iter().find(|x| x.abs() > 0.5 * largest) {
        let factor = first.signum() / largest;
        shape.iter_mut().for_each(|x| *x *= factor);
    }
    shape
}

/// All eigenvalues and eigenvectors of a full symmetric matrix, in ascending order.
fn ritz(matrix: DMatrix<f64>) -> Result<(Vec<f64>, DMatrix<f64>), String> {
    let most = QR_STEPS * matrix.nrows();
    let found = SymmetricEigen::try_new(matrix, f64::EPSILON, most).ok_or_else(unsettled)?;
    let mut order: Vec<usize> = (0..found.eigenvalues.len()).collect();
    order.sort_unstable_by(|&a, &b| found.eigenvalues[a].total_cmp(&found.eigenvalues[b]));
    Ok((order.iter().map(|&i| found.eigenvalues[i]).collect(), found.eigenvectors.select_columns(&order)))
}

fn iterate(matrix: &Sparse, order: Vec<usize>, count: usize, scale: f64) -> Result<(Vec<f64>, DMatrix<f64>), String> {
    let factor = matrix.shifted_factor(order, SHIFT * scale)?;
    let mut vectors = krylov(matrix, &factor, count, scale)?;
    let mut before = vec![f64::INFINITY; count];
    for _ in 0..ROUNDS {
        factor.solve(&mut vectors);
        let basis = orthonormal(vectors);
        let (values, turn) = project(matrix, basis.as_view())?;
        vectors = basis * turn;
        if have_settled(&values, &before, count, ROUNDING * scale) {
            return Ok((values, vectors));
        }
        before = values;
    }
    Err(unsettled())
}

/// Whether the lowest eigenvalues have hardly changed.
fn have_settled(now: &[f64], before: &[f64], count: usize, rounding: f64) -> bool {
    now.iter().zip(before).take(count).all(|(now, before)| (now - before).abs() <= SETTLED * now.abs() + rounding)
}

/// Eigenvalues of a matrix projected on a space, and the eigenvectors in it.
fn project(matrix: &Sparse, space: DMatrixView<'_, f64>) -> Result<(Vec<f64>, DMatrix<f64>), String> {
    ritz(space.transpose() * matrix.times(space))
}

/// The lowest modes and a few more, but for rounding, from a space that grows by what the inverse makes of it.
fn krylov(matrix: &Sparse, factor: &Envelope, count: usize, scale: f64) -> Result<DMatrix<f64>, String> {
    let most = matrix.size.min(MOST * count + MORE);
    let mut basis = DMatrix::zeros(matrix.size, most);
    // Not the scattered vectors themselves: single nodes may be held by springs far stiffer than all else.
    let mut newest = scattered(matrix.size, BLOCK);
    let mut before = vec![f64::INFINITY; count];
    let (mut found, mut goal) = (0, count + count / 2 + 4 * BLOCK);
    while found + BLOCK <= most {
        factor.solve(&mut newest);
        newest = orthonormal_to(basis.columns(0, found).as_view(), newest);
        basis.columns_mut(found, BLOCK).copy_from(&newest);
        found += BLOCK;
        if found >= goal {
            let space = basis.columns(0, found);
            let (values, turn) = project(matrix, space.as_view())?;
            if have_settled(&values, &before, count, PROJECTED * scale) {
                return Ok(space * turn.columns(0, count + BLOCK));
            }
            before = values;
            goal = found + (count / 4).max(2 * BLOCK);
        }
    }
    Err(unsettled())
}

/// A few vectors, made orthogonal to a space and to each other, of length 1.
fn orthonormal_to(space: DMatrixView<'_, f64>, mut block: DMatrix<f64>) -> DMatrix<f64> {
    // Twice is enough (Parlett, 1980).
    for _ in 0..2 {
        block -= space * space.tr_mul(&block);
        block = block.qr().q();
    }
    block
}

/// Many vectors, made orthogonal to each other, of length 1.
fn orthonormal(mut vectors: DMatrix<f64>) -> DMatrix<f64> {
    for first in (0..vectors.ncols()).step_by(BLOCK) {
        let count = BLOCK.min(vectors.ncols() - first);
        let block = vectors.columns(first, count).into_owned();
        let block = orthonormal_to(vectors.columns(0, first).as_view(), block);
        vectors.columns_mut(first, count).copy_from(&block);
    }
    vectors
}

fn unsettled() -> String {
    "has modes that do not settle".into()
}

/// Vectors that favour no mode, the same in every run.
fn scattered(size: usize, block: usize) -> DMatrix<f64> {
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
        Operators { mass: vec![1.0; size], stiffness, places: vec![Place::Whole; size], grid: vec![(0, 0); size] }
    }

    #[test]
    fn chains_of_any_length_have_the_frequencies_of_their_closed_form() {
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
        let size = side * side;
        Operators { mass: vec![1.0; size], stiffness, places: vec![Place::Whole; size], grid: vec![(0, 0); size] }
    }

    #[test]
    fn squares_have_all_their_pairs_however_many_are_asked_for() {
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
    fn a_free_chain_has_one_mode_at_rest_in_which_all_move_alike() {
        for size in [40, 2000] {
            let found = lowest(&chain(size, true), 3).unwrap();
            assert_eq!(found.values[0], 0.0);
            assert!(found.values[1] > 0.0);
            assert!(found.shapes[0].iter().all(|x| (x - 1.0).abs() < 1e-4));
        }
    }
}
