//! A grid and the modes of continuous space that it stands for.

use crate::element::oscillator::mode_group::ModeConstants;

/// For each axis, the moving node that each becomes when the grid is mirrored; `None` where the grid is not symmetric.
pub(crate) type Mirrors = [Option<Vec<usize>>; 2];

/// A grid as it is without correction.
pub(crate) struct GridOperator<'a> {
    /// State indices of the moving nodes.
    pub nodes: &'a [usize],
    /// Their masses \[kg\].
    pub mass: &'a [f64],
    /// Entries of K: (row, column, value \[N/m\]), counted in moving nodes.
    pub stiffness: &'a [(usize, usize, f64)],
    /// The moving node that each becomes when the grid is mirrored along an axis, where that changes nothing.
    pub mirrors: Mirrors,
    /// σ₀ \[1/s\].
    pub sigma0: f64,
    /// Largest eigenvalue d_max of the damping of the grid.
    pub max_damping: f64,
    /// Time step \[s\].
    pub k: f64,
}

/// The modes in continuous space.
pub(crate) struct TrueModes {
    pub modes: Vec<ModeConstants>,
    /// Their shapes: for every moving node, the displacement of every mode.
    pub shapes: Vec<Vec<f64>>,
}
