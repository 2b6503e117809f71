//! Least squares by Levenberg and Marquardt.
//!
//! Step        (JᵀJ + λ·diag JᵀJ)δ = −Jᵀr; λ falls where the sum of squares does, and rises where it does not
//! Derivatives by differences
//! Reference   Marquardt (1963), SIAM J. Appl. Math. 11

use nalgebra::{DMatrix, DVector};

const MAX_STEPS: usize = 40;
/// Step of the differences.
const DIFFERENCE: f64 = 1e-5;
/// λ at first and at most, and the factors by which it changes.
const FIRST_DAMPING: f64 = 1e-2;
const MAX_DAMPING: f64 = 1e8;
const LESS: f64 = 0.2;
const MORE: f64 = 5.0;
/// Sum of squares that is small enough.
const SMALL: f64 = 1e-10;
/// A relative fall of the sum that is too small to go on.
const STALLED: f64 = 1e-8;

/// The unknowns with the least sum of squares near a start, and the residuals there; `None` where there are none at the start.
pub fn minimise(
    mut unknowns: Vec<f64>,
    residuals: impl Fn(&[f64]) -> Option<Vec<f64>>,
) -> Option<(Vec<f64>, Vec<f64>)> {
    let mut at = residuals(&unknowns)?;
    let mut damping = FIRST_DAMPING;
    for _ in 0..MAX_STEPS {
        if sum_of_squares(&at) < SMALL {
            break;
        }
        let Some(jacobian) = derivatives(&unknowns, &at, &residuals) else { break };
        let Some((next, found, used)) = step(&unknowns, &at, &jacobian, damping, &residuals) else { break };
        damping = LESS * used;
        let fall = 1.0 - sum_of_squares(&found) / sum_of_squares(&at);
        (unknowns, at) = (next, found);
        if fall < STALLED {
            break;
        }
    }
    Some((unknowns, at))
}

fn sum_of_squares(residuals: &[f64]) -> f64 {
    residuals.iter().map(|r| r * r).sum()
}

fn derivatives(unknowns: &[f64], at: &[f64], residuals: &impl Fn(&[f64]) -> Option<Vec<f64>>) -> Option<DMatrix<f64>> {
    let mut jacobian = DMatrix::zeros(at.len(), unknowns.len());
    for column in 0..unknowns.len() {
        let mut moved = unknowns.to_vec();
        moved[column] += DIFFERENCE;
        for (row, (moved, at)) in residuals(&moved)?.iter().zip(at).enumerate() {
            jacobian[(row, column)] = (moved - at) / DIFFERENCE;
        }
    }
    Some(jacobian)
}

/// The first step, with λ growing, that lowers the sum of squares: unknowns, residuals and λ.
fn step(
    unknowns: &[f64],
    at: &[f64],
    jacobian: &DMatrix<f64>,
    mut damping: f64,
    residuals: &impl Fn(&[f64]) -> Option<Vec<f64>>,
) -> Option<(Vec<f64>, Vec<f64>, f64)> {
    let gradient = jacobian.tr_mul(&DVector::from_column_slice(at));
    let squares = jacobian.tr_mul(jacobian);
    while damping < MAX_DAMPING {
        let mut damped = squares.clone();
        for i in 0..unknowns.len() {
            damped[(i, i)] += damping * squares[(i, i)] + f64::MIN_POSITIVE;
        }
        if let Some(factor) = damped.cholesky() {
            let delta = factor.solve(&gradient);
            let next: Vec<f64> = unknowns.iter().zip(delta.iter()).map(|(unknown, delta)| unknown - delta).collect();
            let found = residuals(&next);
            if let Some(found) = found.filter(|found| sum_of_squares(found) < sum_of_squares(at)) {
                return Some((next, found, damping));
            }
        }
        damping *= MORE;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rosenbrock's valley, whose only minimum is 0 at (1, 1).
    #[test]
    fn a_curved_valley_is_followed_to_its_lowest_point() {
        let residuals = |x: &[f64]| Some(vec![10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]]);
        let (found, _) = minimise(vec![-1.2, 1.0], residuals).unwrap();
        assert!((found[0] - 1.0).abs() < 1e-4 && (found[1] - 1.0).abs() < 1e-4, "{found:?}");
    }

    /// Three equations for two unknowns: the solution of the normal equations.
    #[test]
    fn more_equations_than_unknowns_are_met_in_the_mean() {
        let residuals = |x: &[f64]| Some(vec![x[0] - 1.0, x[0] + x[1] - 3.0, x[1] - 1.0]);
        let (found, left) = minimise(vec![0.0, 0.0], residuals).unwrap();
        assert!((found[0] - 4.0 / 3.0).abs() < 1e-4 && (found[1] - 4.0 / 3.0).abs() < 1e-4, "{found:?}");
        assert!((sum_of_squares(&left) - 1.0 / 3.0).abs() < 1e-6);
    }
}
