//! Which mode of continuous space an eigenvector of the grid stands for.
//!
//! Modes are compared within their parity, in rising order. Where two come close, they may change places on the grid, so that an
//! eigenvector takes the mode next in line whose shape it resembles most.

use crate::element::oscillator::mode_group::ModeConstants;
use crate::element::ritz::eigen::Eigenpairs;
use crate::element::spectral::fold::Fold;
use crate::element::spectral::operator::{GridOperator, TrueModes};

/// Modes next in line that are compared.
const CANDIDATES: usize = 6;
/// Below this part of the lowest frequency a mode of the grid is a rigid motion.
const RIGID: f64 = 0.05;

/// An eigenvector of the grid and the mode that it stands for.
pub(crate) struct MatchedMode {
    pub parity: usize,
    /// In the coordinates of its parity, of length 1.
    pub shape: Vec<f64>,
    /// ω² on the grid \[1/s²\].
    pub eigenvalue: f64,
    pub constants: ModeConstants,
}

/// A mode of continuous space in the coordinates of its parity.
struct Candidate {
    constants: ModeConstants,
    coordinates: Vec<f64>,
}

fn norm(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum::<f64>().sqrt()
}

/// All of them in rising order of frequency; `None` where the eigenvectors are not found.
pub(crate) fn match_modes(fold: &Fold, grid: &GridOperator<'_>, modes: &TrueModes) -> Option<Vec<MatchedMode>> {
    let mut candidates: Vec<Vec<Candidate>> = (0..fold.parities()).map(|_| Vec::new()).collect();
    for (mode, &constants) in modes.modes.iter().enumerate().filter(|(_, constants)| constants.omega > 0.0) {
        let parts = (0..fold.parities()).map(|parity| fold.coordinates(parity, |node| modes.shapes[node][mode]));
        let (parity, coordinates) = parts.enumerate().max_by(|(_, a), (_, b)| norm(a).total_cmp(&norm(b)))?;
        candidates[parity].push(Candidate { constants, coordinates });
    }
    let lowest = modes.modes.iter().map(|mode| mode.omega).filter(|&omega| omega > 0.0).fold(f64::INFINITY, f64::min);
    let mut matched = Vec::new();
    for (parity, matrix) in fold.matrices(grid.stiffness).into_iter().enumerate() {
        // Orbits without a coordinate have a row of zeros: their eigenvectors pass for rigid motions.
        let eigen = Eigenpairs::of(matrix, lowest * lowest)?;
        let rigid = (RIGID * lowest).powi(2);
        let oscillating = (0..eigen.values.len()).filter(|&index| eigen.values[index] > rigid);
        for index in oscillating {
            let shape = eigen.vector(index);
            let waiting = &mut candidates[parity];
            let overlap = |candidate: &Candidate| {
                let product: f64 = candidate.coordinates.iter().zip(&shape).map(|(a, b)| a * b).sum();
                product.abs() / norm(&candidate.coordinates)
            };
            let next = waiting.iter().take(CANDIDATES).map(overlap).enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((nearest, _)) = next else { break };
            let Candidate { constants, .. } = waiting.remove(nearest);
            matched.push(MatchedMode { parity, shape, eigenvalue: eigen.values[index], constants });
        }
    }
    matched.sort_by(|a, b| a.constants.omega.total_cmp(&b.constants.omega));
    Some(matched)
}
