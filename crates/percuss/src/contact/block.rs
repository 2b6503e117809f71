//! A connected component of the contact network and its one linear solve.
//!
//! Law         f = p + q·d for every row, d = d₀ − B f
//! Solve       (I + S B S) z = S⁻¹p + S d₀,  f = S z,  S = diag(√q),  S⁻¹p := 0 where q = 0
//!             Identity plus a positive semidefinite matrix: one solution for any stiffness and any number of rows
//! Stiff rows  Bq far above 1: opposing forces cancel and the solve loses digits. It is refined by solving again for the
//!             residual p + q·d − f
//! Symbols     d = η⁺ − η⁻ \[m\], d₀ the same without contact forces, B compliance \[m/N\], f force \[N\]
//! Allocates   only in `new`

use crate::contact::row::Row;
use crate::contact::skyline::Skyline;
use crate::contact::small_dense::SmallDenseSolver;
use crate::contact::solve::{BlockSolver, REFINEMENT_PASSES, SingleRowSolver, Stage, needs_refinement};
use std::ops::Range;

/// Blocks with more rows than this are solved by the active set where few rows are closed; also its largest size.
pub(crate) const MAX_ACTIVE_ROWS: usize = 12;

/// The compliance matrix of a block.
#[derive(Clone, Debug)]
enum Compliance {
    /// A single row, which holds its entry itself.
    SingleRow,
    TwoRows(SmallDenseSolver<2>),
    ThreeRows(SmallDenseSolver<3>),
    ManyRows(Box<SkylineSolver>),
}

/// Solver of four or more coupled rows: their compliance matrix and its factor within the envelope, with scratch.
#[derive(Clone, Debug)]
struct SkylineSolver {
    matrix: Skyline,
    factor: Skyline,
    scale: Vec<f64>,
    z: Vec<f64>,
    reaction: Vec<f64>,
}

impl BlockSolver for SkylineSolver {
    fn solve(&mut self, rows: &mut [Row], half_rate: f64) {
        let Self { matrix, factor, scale, z, .. } = self;
        let mut stiff = false;
        for ((row, scale), z) in rows.iter().zip(&mut *scale).zip(&mut *z) {
            let (p, q) = row.constant_and_slope(half_rate);
            (*scale, *z) = (0.0, 0.0);
            if q > 0.0 {
                *scale = q.sqrt();
                *z = p / *scale + *scale * row.d_free;
                stiff |= needs_refinement(q, row.compliance);
            }
        }
        matrix.factor_and_solve(scale, factor, z);
        for ((row, scale), z) in rows.iter_mut().zip(&*scale).zip(&*z) {
            row.force = scale * z;
        }
        self.update_motion(rows);
        if stiff {
            self.refine(rows, half_rate);
        }
    }
}

impl SkylineSolver {
    /// Iterative refinement.
    #[cold]
    fn refine(&mut self, rows: &mut [Row], half_rate: f64) {
        for _ in 1..REFINEMENT_PASSES {
            let Self { matrix, factor, scale, z, .. } = self;
            for ((row, scale), z) in rows.iter().zip(&*scale).zip(&mut *z) {
                *z = if *scale > 0.0 { row.law_residual(half_rate) / *scale } else { 0.0 };
            }
            matrix.solve_with_factor(factor, z);
            for ((row, scale), z) in rows.iter_mut().zip(&*scale).zip(&*z) {
                row.force += scale * z;
            }
            self.update_motion(rows);
        }
    }

    fn update_motion(&mut self, rows: &mut [Row]) {
        let Self { matrix, z, reaction, .. } = self;
        for (row, z) in rows.iter().zip(&mut *z) {
            *z = row.force;
        }
        matrix.multiply(z, reaction);
        for (row, reaction) in rows.iter_mut().zip(&*reaction) {
            row.d = row.d_free - reaction;
        }
    }
}

/// Contribution of one node to B: weight·(inverse mass of the node) at (row, column).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ComplianceTerm {
    pub row: usize,
    pub column: usize,
    pub node: usize,
    pub weight: f64,
}

/// An entry of B, column ≤ row.
#[derive(Clone, Debug)]
struct Entry {
    row: usize,
    column: usize,
    /// Its terms; none where one of the rows moves over its element.
    terms: Range<usize>,
    moves: bool,
    value: f64,
}

/// A connected component of the network.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Its rows in the network.
    pub rows: Range<usize>,
    /// Terms of all entries, entry by entry.
    terms: Vec<ComplianceTerm>,
    entries: Vec<Entry>,
    compliance: Compliance,
}

impl Block {
    /// `terms` make up the entries of B within the block that rows that stand still have, column ≤ row; `moving` are its other
    /// entries. Their values are set by `refresh`.
    pub fn new(rows: Range<usize>, mut terms: Vec<ComplianceTerm>, moving: Vec<(usize, usize)>) -> Self {
        let size = rows.len();
        terms.sort_by_key(|term| (term.row, term.column));
        let mut entries = Vec::new();
        for same in terms.chunk_by(|one, other| (one.row, one.column) == (other.row, other.column)) {
            let start = entries.last().map_or(0, |entry: &Entry| entry.terms.end);
            let (row, column) = (same[0].row, same[0].column);
            entries.push(Entry { row, column, terms: start..start + same.len(), moves: false, value: 0.0 });
        }
        entries.extend(moving.into_iter().map(|(row, column)| Entry {
            row,
            column,
            terms: 0..0,
            moves: true,
            value: 0.0,
        }));
        let compliance = match size {
            1 => Compliance::SingleRow,
            2 => Compliance::TwoRows(SmallDenseSolver::new()),
            3 => Compliance::ThreeRows(SmallDenseSolver::new()),
            _ => {
                let places: Vec<_> = entries.iter().map(|entry| (entry.row, entry.column)).collect();
                let matrix = Skyline::new(size, &places);
                let zeros = vec![0.0; size];
                let (factor, scale, z) = (matrix.clone(), zeros.clone(), zeros.clone());
                Compliance::ManyRows(Box::new(SkylineSolver { matrix, factor, scale, z, reaction: zeros }))
            }
        };
        Self { rows, terms, entries, compliance }
    }

    /// Sets B for the masses as they are, or, if `only_moved`, where rows have moved since. `mutual_compliance` gives the entries of
    /// rows that move; `None` for those that are up to date.
    pub fn refresh(
        &mut self,
        rows: &mut [Row],
        inverse_mass: &[f64],
        only_moved: bool,
        mutual_compliance: impl Fn(usize, usize) -> Option<f64>,
    ) {
        let Self { terms, entries, compliance, .. } = self;
        for row in rows.iter_mut() {
            row.compliance = 0.0;
        }
        match compliance {
            Compliance::SingleRow => {}
            Compliance::TwoRows(small) => small.clear(),
            Compliance::ThreeRows(small) => small.clear(),
            Compliance::ManyRows(solver) => solver.matrix.clear(),
        }
        for Entry { row, column, terms: own, moves, value } in entries {
            if *moves {
                *value = mutual_compliance(*row, *column).unwrap_or(*value);
            } else if !only_moved {
                *value = terms[own.clone()].iter().map(|term| term.weight * inverse_mass[term.node]).sum();
            }
            if row == column {
                rows[*row].compliance += *value;
            }
            match compliance {
                Compliance::SingleRow => {}
                Compliance::TwoRows(small) => small.add(*row, *column, *value),
                Compliance::ThreeRows(small) => small.add(*row, *column, *value),
                Compliance::ManyRows(solver) => solver.matrix.add(*row, *column, *value),
            }
        }
        for row in rows.iter_mut() {
            row.set_limits();
        }
    }

    /// Solves for the forces and displacements of all rows under their present laws. `half_rate` = 1/2k.
    pub fn solve(&mut self, rows: &mut [Row], half_rate: f64) {
        match &mut self.compliance {
            Compliance::SingleRow => SingleRowSolver.solve(rows, half_rate),
            Compliance::TwoRows(small) => small.solve(rows, half_rate),
            Compliance::ThreeRows(small) => small.solve(rows, half_rate),
            Compliance::ManyRows(solver) => solver.solve(rows, half_rate),
        }
    }

    /// Runs a stage over its rows; for up to three rows their number is known at compile time.
    #[inline(always)]
    pub fn run_stage(&mut self, rows: &mut [Row], stage: impl Stage) {
        let first = self.rows.start;
        match &mut self.compliance {
            Compliance::SingleRow => stage.run(&mut rows[first..first + 1], &mut SingleRowSolver),
            Compliance::TwoRows(small) => stage.run(&mut rows[first..first + 2], small),
            Compliance::ThreeRows(small) => stage.run(&mut rows[first..first + 3], small),
            Compliance::ManyRows(solver) => stage.run(&mut rows[self.rows.clone()], &mut **solver),
        }
    }

    /// Whether the active set may be used.
    pub fn is_large(&self) -> bool {
        matches!(self.compliance, Compliance::ManyRows(_)) && self.rows.len() > MAX_ACTIVE_ROWS
    }

    /// An entry of B of a large block.
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        match &self.compliance {
            Compliance::ManyRows(solver) => solver.matrix.entry(row.max(column), row.min(column)),
            Compliance::SingleRow | Compliance::TwoRows(_) | Compliance::ThreeRows(_) => 0.0,
        }
    }

    /// d = d₀ − Bf for the current forces.
    pub fn update_motion(&mut self, rows: &mut [Row]) {
        match &mut self.compliance {
            Compliance::SingleRow => rows[0].d = rows[0].d_free - rows[0].compliance * rows[0].force,
            Compliance::TwoRows(small) => small.update_motion(rows),
            Compliance::ThreeRows(small) => small.update_motion(rows),
            Compliance::ManyRows(solver) => solver.update_motion(rows),
        }
    }
}
