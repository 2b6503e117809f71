//! The lowest eigenvalues of M⁻¹K: block Lanczos on the inverse, (A + sI)⁻¹ with A = M^−½ K M^−½, then subspace iteration.
//!
//! A block of vectors finds eigenvalues of any multiplicity, which square plates (pairs) and free ones (three motions at
//! rest) have; a Krylov space grown from one vector finds those only by luck. Every new block is made orthogonal to all
//! before it. The space has something of all modes, and rounding in A projected on it goes with the highest: a few rounds of
//! iteration with the vectors found are free of that. The small shift s makes the matrix of a body that nothing holds
//! invertible; it speeds nothing up and changes no result.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{self, ComputeEigenvectors, SelfAdjointEvdParams};
use faer::linalg::solvers::Solve;
use faer::sparse::linalg::solvers::Llt;
use faer::sparse::{SparseColMat, Triplet};
use faer::{Auto, Mat, MatRef, Par, Side, Spec};
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
    let entry = |&(i, j, value): &(usize, usize, f64)| Triplet::new(i, j, value / (root[i] * root[j]));
    let entries: Vec<Triplet<usize, usize, f64>> = operators.stiffness.iter().map(entry).collect();
    let scale = largest_coupling(size, &entries);
    let (values, vectors) =
        if size <= FULL.max(3 * count) { full(size, &entries)? } else { iterate(size, entries, count, scale)? };
    let count = count.min(size);
    let value = |&value: &f64| if value < ZERO * scale { 0.0 } else { value };
    let shape = |mode: usize| upright((0..size).map(|i| vectors[(i, mode)] / root[i]).collect());
    Ok(Spectrum { values: values.iter().take(count).map(value).collect(), shapes: (0..count).map(shape).collect() })
}

/// Twice the largest sum of couplings to neighbours: the size of the spectrum, whatever springs hold single nodes.
fn largest_coupling(size: usize, entries: &[Triplet<usize, usize, f64>]) -> f64 {
    let mut sums = vec![0.0; size];
    for entry in entries.iter().filter(|entry| entry.row != entry.col) {
        sums[entry.row] += 2.0 * entry.val.abs();
    }
    sums.into_iter().fold(0.0, f64::max)
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

fn full(size: usize, entries: &[Triplet<usize, usize, f64>]) -> Result<(Vec<f64>, Mat<f64>), String> {
    let mut matrix = Mat::zeros(size, size);
    for entry in entries {
        matrix[(entry.row, entry.col)] += entry.val;
    }
    ritz(&matrix)
}

/// All eigenvalues and eigenvectors of a full symmetric matrix, in ascending order.
///
/// By QR steps alone: from 128 rows on faer divides and conquers, which leaves errors of 1e-11 where eigenvalues are close.
fn ritz(matrix: &Mat<f64>) -> Result<(Vec<f64>, Mat<f64>), String> {
    let size = matrix.nrows();
    let own = <SelfAdjointEvdParams as Auto<f64>>::auto();
    let params: Spec<_, f64> = SelfAdjointEvdParams { recursion_threshold: usize::MAX, ..own }.into();
    let room = evd::self_adjoint_evd_scratch::<f64>(size, ComputeEigenvectors::Yes, Par::Seq, params);
    let (mut values, mut vectors) = (Diag::zeros(size), Mat::zeros(size, size));
    let mut room = MemBuffer::new(room);
    let stack = MemStack::new(&mut room);
    evd::self_adjoint_evd(matrix.as_ref(), values.as_mut(), Some(vectors.as_mut()), Par::Seq, stack, params)
        .map_err(|_| unsettled())?;
    Ok((values.column_vector().iter().copied().collect(), vectors))
}

fn iterate(
    size: usize,
    mut entries: Vec<Triplet<usize, usize, f64>>,
    count: usize,
    scale: f64,
) -> Result<(Vec<f64>, Mat<f64>), String> {
    let assemble =
        |entries: &[_]| SparseColMat::try_new_from_triplets(size, size, entries).map_err(|e| format!("{e:?}"));
    let matrix = assemble(&entries)?;
    entries.extend((0..size).map(|i| Triplet::new(i, i, SHIFT * scale)));
    let factor =
        assemble(&entries)?.sp_cholesky(Side::Lower).map_err(|_| "is not held by springs that all push back")?;
    let mut vectors = krylov(&matrix, &factor, count, scale)?;
    let mut before = vec![f64::INFINITY; count];
    for _ in 0..ROUNDS {
        factor.solve_in_place(vectors.as_mut());
        let basis = vectors.qr().compute_thin_Q();
        let (values, turn) = project(&matrix, basis.as_ref())?;
        vectors = &basis * &turn;
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
fn project(matrix: &SparseColMat<usize, f64>, space: MatRef<'_, f64>) -> Result<(Vec<f64>, Mat<f64>), String> {
    ritz(&(space.transpose() * (matrix * space)))
}

/// The lowest modes and a few more, but for rounding, from a space that grows by what the inverse makes of it.
fn krylov(
    matrix: &SparseColMat<usize, f64>,
    factor: &Llt<usize, f64>,
    count: usize,
    scale: f64,
) -> Result<Mat<f64>, String> {
    let size = matrix.nrows();
    let most = size.min(MOST * count + MORE);
    let mut basis = Mat::zeros(size, most);
    // Not the scattered vectors themselves: single nodes may be held by springs far stiffer than all else.
    let mut newest = next_block(factor, basis.as_ref().subcols(0, 0), scattered(size, BLOCK));
    let mut before = vec![f64::INFINITY; count];
    let (mut found, mut goal) = (0, count + count / 2 + 4 * BLOCK);
    while found + BLOCK <= most {
        basis.as_mut().subcols_mut(found, BLOCK).copy_from(&newest);
        found += BLOCK;
        let space = basis.as_ref().subcols(0, found);
        if found >= goal {
            let (values, turn) = project(matrix, space)?;
            if have_settled(&values, &before, count, PROJECTED * scale) {
                return Ok(space * turn.subcols(0, count + BLOCK));
            }
            before = values;
            goal = found + (count / 4).max(2 * BLOCK);
        }
        newest = next_block(factor, space, newest);
    }
    Err(unsettled())
}

/// What the inverse makes of the newest block, orthogonal to all before.
fn next_block(factor: &Llt<usize, f64>, space: MatRef<'_, f64>, newest: Mat<f64>) -> Mat<f64> {
    let mut block = newest;
    factor.solve_in_place(block.as_mut());
    // Twice is enough (Parlett, 1980).
    for _ in 0..2 {
        block -= space * (space.transpose() * &block);
        block = block.qr().compute_thin_Q();
    }
    block
}

fn unsettled() -> String {
    "has modes that do not settle".into()
}

/// Vectors that favour no mode, the same in every run.
fn scattered(size: usize, block: usize) -> Mat<f64> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    Mat::from_fn(size, block, |_, _| {
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
