//! Interfaces of block solvers and of the stages of a scheme.

use crate::contact::row::Row;

/// Bq above which a row needs refinement.
const REFINEMENT_THRESHOLD: f64 = 1e3;
/// Number of solves of a block with stiff rows.
pub(crate) const REFINEMENT_PASSES: usize = 3;

#[inline(always)]
pub(crate) fn needs_refinement(q: f64, compliance: f64) -> bool {
    q * compliance > REFINEMENT_THRESHOLD
}

/// Solves for force and d of the rows of a block under their current laws. `half_rate` = 1/2k.
pub(crate) trait BlockSolver {
    fn solve(&mut self, rows: &mut [Row], half_rate: f64);
}

/// Solves a row that is coupled to no other.
pub(crate) struct SingleRowSolver;

impl BlockSolver for SingleRowSolver {
    #[inline(always)]
    fn solve(&mut self, rows: &mut [Row], half_rate: f64) {
        rows[0].solve_uncoupled(half_rate);
    }
}

/// A stage of a scheme, run over the rows of a block with its solver.
pub(crate) trait Stage {
    fn run(self, rows: &mut [Row], solver: &mut impl BlockSolver);
}
