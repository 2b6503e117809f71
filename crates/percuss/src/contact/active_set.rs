//! Active-set solve of a large block: only closed rows are solved, the open ones follow.
//!
//! Solve       (I + S B S) z = S⁻¹p + S d₀ over the closed rows, dense; d = d₀ − B f for the open ones
//! Fallback    if an open row would close, the block is left unchanged and solved as a whole
//! Purpose     a finger that moves along a string may share nodes with any contact on it, which makes them one block
//! Allocates   only in `new`

use crate::contact::block::{Block, MAX_ACTIVE_ROWS};
use crate::contact::row::Row;
use crate::contact::solve::{BlockSolver, REFINEMENT_PASSES, needs_refinement};
use crate::interaction::finger::FingerLaw;
use crate::interaction::law::RowLaw;

/// The closed rows of a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct ActiveSet {
    /// Their indices in the block, and how many there are.
    indices: [usize; MAX_ACTIVE_ROWS],
    count: usize,
    /// Always of full length, so that clones of a simulation need not allocate.
    rows: Vec<Row>,
    solver: DenseSolver,
}

/// Solver of the closed rows: dense B and its Cholesky factor, row by row.
#[derive(Clone, Debug, Default)]
pub(crate) struct DenseSolver {
    compliance: Vec<f64>,
    factor: Vec<f64>,
    scale: [f64; MAX_ACTIVE_ROWS],
    z: [f64; MAX_ACTIVE_ROWS],
}

impl ActiveSet {
    pub fn new() -> Self {
        let zeros = || vec![0.0; MAX_ACTIVE_ROWS * MAX_ACTIVE_ROWS];
        let solver = DenseSolver { compliance: zeros(), factor: zeros(), ..DenseSolver::default() };
        Self {
            rows: vec![Row::new(RowLaw::Finger(FingerLaw::default()), 0); MAX_ACTIVE_ROWS],
            solver,
            ..Self::default()
        }
    }

    /// Copies the closed rows of a block; returns false if there are too many.
    pub fn gather(&mut self, block: &Block, rows: &[Row]) -> bool {
        self.count = 0;
        for (index, row) in rows.iter().enumerate().filter(|(_, row)| !row.stays_separated_freely()) {
            // Cloning must not allocate.
            if self.count == MAX_ACTIVE_ROWS || row.law.is_on_heap() {
                return false;
            }
            self.indices[self.count] = index;
            self.rows[self.count].clone_from(row);
            self.count += 1;
        }
        for (i, row) in self.indices.into_iter().enumerate().take(self.count) {
            for (j, &column) in self.indices[..self.count].iter().enumerate() {
                self.solver.compliance[i * MAX_ACTIVE_ROWS + j] = block.entry(row, column);
            }
        }
        true
    }

    /// The closed rows and their solver.
    pub fn rows_and_solver(&mut self) -> (&mut [Row], &mut DenseSolver) {
        (&mut self.rows[..self.count], &mut self.solver)
    }

    /// Updates d of the open rows; returns whether all stay open.
    pub fn update_open_rows(&self, block: &Block, rows: &mut [Row]) -> bool {
        let indices = &self.indices[..self.count];
        let mut closed = indices.iter().peekable();
        for (index, row) in rows.iter_mut().enumerate() {
            if closed.next_if(|&&next| next == index).is_some() {
                continue;
            }
            let pushed = indices.iter().zip(&self.rows).map(|(&by, active)| block.entry(index, by) * active.force);
            (row.force, row.d) = (0.0, row.d_free - pushed.sum::<f64>());
            if !row.stays_separated() {
                return false;
            }
        }
        true
    }

    /// The closed rows and their indices in the block.
    pub fn closed_rows(&mut self) -> impl Iterator<Item = (usize, &mut Row)> {
        self.indices.into_iter().take(self.count).zip(&mut self.rows)
    }
}

impl BlockSolver for DenseSolver {
    fn solve(&mut self, rows: &mut [Row], half_rate: f64) {
        let mut stiff = false;
        for (i, row) in rows.iter_mut().enumerate() {
            let (_, q) = row.constant_and_slope(half_rate);
            self.scale[i] = q.sqrt();
            stiff |= needs_refinement(q, row.compliance);
            (row.force, row.d) = (0.0, row.d_free);
        }
        self.factorise(rows.len());
        for _ in 0..if stiff { REFINEMENT_PASSES } else { 1 } {
            for (i, row) in rows.iter().enumerate() {
                let scale = self.scale[i];
                self.z[i] = if scale > 0.0 { row.law_residual(half_rate) / scale } else { 0.0 };
            }
            self.substitute(rows.len());
            for (i, row) in rows.iter_mut().enumerate() {
                row.force += self.scale[i] * self.z[i];
            }
            self.update_motion(rows);
        }
    }
}

impl DenseSolver {
    fn factorise(&mut self, size: usize) {
        let Self { compliance, factor, scale, .. } = self;
        for i in 0..size {
            for j in 0..=i {
                let known: f64 =
                    (0..j).map(|m| factor[i * MAX_ACTIVE_ROWS + m] * factor[j * MAX_ACTIVE_ROWS + m]).sum();
                let entry = scale[i] * scale[j] * compliance[i * MAX_ACTIVE_ROWS + j] - known;
                // No pivot is below 1 but by rounding.
                factor[i * MAX_ACTIVE_ROWS + j] =
                    if i == j { (1.0 + entry).max(1.0).sqrt() } else { entry / factor[j * MAX_ACTIVE_ROWS + j] };
            }
        }
    }

    fn substitute(&mut self, size: usize) {
        let Self { factor, z, .. } = self;
        for i in 0..size {
            let known: f64 = (0..i).map(|j| factor[i * MAX_ACTIVE_ROWS + j] * z[j]).sum();
            z[i] = (z[i] - known) / factor[i * MAX_ACTIVE_ROWS + i];
        }
        for i in (0..size).rev() {
            let known: f64 = (i + 1..size).map(|j| factor[j * MAX_ACTIVE_ROWS + i] * z[j]).sum();
            z[i] = (z[i] - known) / factor[i * MAX_ACTIVE_ROWS + i];
        }
    }

    fn update_motion(&self, rows: &mut [Row]) {
        for i in 0..rows.len() {
            let pushed: f64 =
                rows.iter().enumerate().map(|(j, row)| self.compliance[i * MAX_ACTIVE_ROWS + j] * row.force).sum();
            rows[i].d = rows[i].d_free - pushed;
        }
    }
}
