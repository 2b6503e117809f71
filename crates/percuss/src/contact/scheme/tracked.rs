//! The default scheme: slopes corrected so that ψ stays on the potential, and contacts that never pull.
//!
//! The balance (H⁺ − H)/k + Q − P = 0 holds for any slope g ≥ 0 and any resistance r ≥ 0, so both can be chosen for
//! accuracy.
//!
//! Predict     solve with g = ψ′(ηⁿ), times 1 + μv where there is loss, giving η̂
//! Correct     g = 2(ψ(x₊) − ψ)/(η̂ − η⁻) with x₊ = ½(η̂ + ηⁿ), which lands ψ on the potential, where 0 ≤ g ≤ 4·max ψ′;
//!             solve. Done twice: the second correction improves steps in which the first started from a poor η̂, and is
//!             skipped where it would change nothing. A contact at rest keeps the plain slope; one of a few samples
//!             is integrated within the step (`short_contact`). Friction curves are solved for the slip
//! Loss        what a Hunt–Crossley contact loses in the step is known in closed form from the velocities before and after
//!             (`hunt_crossley`), and is taken out of ψ: ½(ψ⁺)² = ½(ψ + gd/2)² − loss. So the exit speed of an impact is
//!             exact, however few samples it lasts. Corrections allow for the loss
//! Release     where ½(ψ + gd/2)² would be less than the loss, or the contact is open half-way through the step, return
//!             all that is stored except the loss: of the velocities v₀ before and v₊ after (both with the forces of other
//!             rows), v₊ is the root of the impact's invariant, f = m(v₀ − v₊)/k with m = k²/B, and g the slope that
//!             yields this force; solve. Coupled rows do so again while that changes them, up to four times
//! Adhesion    where a force is still negative, a contact with loss releases at once and any other gets slope 0; solve.
//!             A row is changed at most twice, so this ends after at most 2m solves of m rows
//! Cost        at most 2m + 7 linear solves of a block of m rows: one with the plain slopes, two after corrections, four
//!             after releases, 2m to remove adhesion. Most steps take one to three
//! Rounding    ψ⁺ of a stiff contact follows from the work of its force, ½(ψ⁺)² = ½ψ² + ½f·d, not from ψ + gd/2
//! Result      no force is negative; energy left in an open contact (coupled rows, or rounding) counts as dissipated
//! Allocates   no

use crate::contact::active_set::ActiveSet;
use crate::contact::block::Block;
use crate::contact::row::Row;
use crate::contact::scheme::short_contact::release_slope;
use crate::contact::scheme::slope_correction::{advance, correct_slope, has_converged, set_slope};
use crate::contact::solve::{BlockSolver, SingleRowSolver, Stage};
use crate::contact::stencil::{RowStencil, StencilPool};
use crate::element::state::State;
use crate::interaction::law::RowLaw;
use crate::model::AffineLaw;

/// Slope corrections per step.
pub(crate) const CORRECTIONS: usize = 2;
/// Value of `d_assumed` of a row whose adhesion has been removed.
const ADHESION_REMOVED: f64 = f64::NEG_INFINITY;
/// Most release solves of a block.
const MAX_RELEASES: usize = 4;
/// Relative tolerance of a release, in energy.
const RELEASE_TOLERANCE: f64 = 1e-14;

/// Stage: solve with the plain slopes.
pub(crate) struct SolvePlain {
    /// 1/2k \[1/s\].
    pub half_rate: f64,
}

impl Stage for SolvePlain {
    #[inline(always)]
    fn run(self, rows: &mut [Row], solver: &mut impl BlockSolver) {
        match rows {
            // Its correction starts from the motion without its force, which is known.
            [row] if row.has_friction_curve() => (row.force, row.d) = (0.0, row.d_free),
            _ => solver.solve(rows, self.half_rate),
        }
    }
}

/// Stage: correct the slopes and solve.
pub(crate) struct CorrectSlopes {
    /// Whether it is the first correction of this step.
    pub first: bool,
    pub half_rate: f64,
}

impl Stage for CorrectSlopes {
    #[inline(always)]
    fn run(self, rows: &mut [Row], solver: &mut impl BlockSolver) {
        let mut changed = false;
        for row in &mut *rows {
            changed |= (self.first || !has_converged(row, self.half_rate)) && correct_slope(row, self.half_rate);
        }
        if changed {
            solver.solve(rows, self.half_rate);
        }
    }
}

/// Stage: release, remove adhesion, apply the forces.
pub(crate) struct Release<'a> {
    /// Stencils of the rows.
    pub stencils: &'a [RowStencil],
    pub pool: &'a StencilPool,
    pub state: &'a mut State,
    pub half_rate: f64,
}

impl Stage for Release<'_> {
    #[inline(always)]
    fn run(self, rows: &mut [Row], solver: &mut impl BlockSolver) {
        release_all(rows, solver, self.half_rate);
        for (row, stencil) in rows.iter_mut().zip(self.stencils) {
            if row.is_idle() {
                row.dissipated = 0.0;
                continue;
            }
            stencil.apply_force(row.force, self.pool, self.state);
            advance(row, self.half_rate);
        }
    }
}

/// Releases, then removes adhesion. Afterwards `dissipated` of every row is current.
#[inline(always)]
fn release_all(rows: &mut [Row], solver: &mut impl BlockSolver, half_rate: f64) {
    let mut solved = true;
    for _ in 0..MAX_RELEASES {
        solved = any_changed(rows, |row| release(row, half_rate));
        if !solved {
            break;
        }
        solver.solve(rows, half_rate);
    }
    // The adhesion of a row is removed twice at most.
    for _ in 0..2 * rows.len() {
        if !any_changed(rows, |row| remove_adhesion(row, half_rate)) {
            break;
        }
        solver.solve(rows, half_rate);
        solved = true;
    }
    if solved {
        rows.iter_mut().for_each(|row| update_dissipation(row, half_rate));
    }
}

/// Sets the loss of a row from the last solve.
#[inline(always)]
pub(crate) fn update_dissipation(row: &mut Row, half_rate: f64) {
    if row.law.is_one_sided() {
        row.dissipated = row.law.hysteresis_loss(&row.solved_step(half_rate));
    }
}

/// Solves a large block by its active set; returns false, with nothing changed, if that is not possible.
pub(crate) fn solve_active_set(active_set: &mut ActiveSet, block: &Block, rows: &mut [Row], finish: Release) -> bool {
    let Release { stencils, pool, state, half_rate } = finish;
    if !active_set.gather(block, rows) {
        return false;
    }
    let (closed, solver) = active_set.rows_and_solver();
    SolvePlain { half_rate }.run(closed, solver);
    for pass in 0..CORRECTIONS {
        CorrectSlopes { first: pass == 0, half_rate }.run(closed, solver);
    }
    release_all(closed, solver, half_rate);
    if !active_set.update_open_rows(block, rows) {
        return false;
    }
    for (index, row) in active_set.closed_rows() {
        stencils[index].apply_force(row.force, pool, state);
        advance(row, half_rate);
        rows[index].clone_from(row);
    }
    true
}

/// Stage: predict, correct and release, for the only block of a model.
pub(crate) struct AllStages<'a> {
    /// Stencils of the rows.
    pub stencils: &'a [RowStencil],
    pub pool: &'a StencilPool,
    pub state: &'a mut State,
    pub half_rate: f64,
}

impl Stage for AllStages<'_> {
    #[inline(always)]
    fn run(self, rows: &mut [Row], solver: &mut impl BlockSolver) {
        let Self { stencils, pool, state, half_rate } = self;
        let mut needs_solve = false;
        for (row, stencil) in rows.iter_mut().zip(stencils) {
            needs_solve |= row.predict(stencil, pool, state);
        }
        if needs_solve {
            run_stages(rows, solver, Release { stencils, pool, state, half_rate });
        }
    }
}

#[inline(always)]
fn run_stages(rows: &mut [Row], solver: &mut impl BlockSolver, finish: Release) {
    let half_rate = finish.half_rate;
    SolvePlain { half_rate }.run(rows, solver);
    for pass in 0..CORRECTIONS {
        CorrectSlopes { first: pass == 0, half_rate }.run(rows, solver);
    }
    finish.run(rows, solver);
}

/// Solves a model whose only row is a collision: its law is set only where it is in contact.
#[inline(never)]
pub(crate) fn solve_single_row(
    row: &mut Row,
    stencil: &RowStencil,
    pool: &StencilPool,
    state: &mut State,
    half_rate: f64,
) {
    row.begin_step();
    if row.predict(stencil, pool, state) {
        let stencils = std::slice::from_ref(stencil);
        solve_closed_row(row, Release { stencils, pool, state, half_rate });
    }
}

/// Not inlined: keeps the stack frame of open contacts small.
#[inline(never)]
fn solve_closed_row(row: &mut Row, finish: Release) {
    prepare_law(row, finish.half_rate);
    run_stages(std::slice::from_mut(row), &mut SingleRowSolver, finish);
}

/// Sets the law for this step.
#[inline(always)]
pub(crate) fn prepare_law(row: &mut Row, half_rate: f64) {
    row.d_assumed = f64::INFINITY;
    row.affine = if row.is_separated() {
        AffineLaw::default()
    } else if let RowLaw::Collision(law) = &row.law {
        let g = law.potential.slope(row.eta) * law.force_ratio(2.0 * half_rate * row.eta_step);
        AffineLaw { g, ..AffineLaw::default() }
    } else {
        row.law.affine(row.eta, row.eta_prev)
    };
    row.affine.g = row.affine.g.min(row.slope_limit());
}

/// Applies a change to every row; returns whether any row changed.
#[inline(always)]
fn any_changed(rows: &mut [Row], change: impl Fn(&mut Row) -> bool) -> bool {
    let mut changed = false;
    for row in rows {
        changed |= change(row);
    }
    changed
}

/// Sets the slope that returns the stored energy, where the contact ends in this step.
#[inline(always)]
fn release(row: &mut Row, half_rate: f64) -> bool {
    if !row.law.is_one_sided() {
        return false;
    }
    let (ahead, before) = (row.psi_next(), row.psi * row.psi);
    if ahead == 0.0 && before == 0.0 {
        row.dissipated = 0.0;
        return false;
    }
    row.dissipated = row.law.hysteresis_loss(&row.solved_step(half_rate));
    let left = ahead * ahead - 2.0 * row.dissipated;
    let open = row.is_open();
    let is_done = ahead >= 0.0 && left >= -RELEASE_TOLERANCE * before && !(open && left > RELEASE_TOLERANCE * before);
    if is_done {
        return false;
    }
    let g = if open && row.psi == 0.0 { 0.0 } else { release_slope(row, row.law.hunt_crossley_loss(), half_rate) };
    set_slope(row, g)
}

/// Removes the force of a row that pulls. A row with loss first tries to release: it would not push again before it opens, and the
/// energy that it then returns would act like a second impact.
fn remove_adhesion(row: &mut Row, half_rate: f64) -> bool {
    let pulls = row.law.is_one_sided() && row.force < 0.0;
    if !pulls {
        return false;
    }
    let releases = row.law.has_hysteresis_loss() && row.psi > 0.0 && row.d_assumed != ADHESION_REMOVED;
    let g =
        if releases { release_slope(row, row.law.hunt_crossley_loss(), half_rate).min(row.slope_limit()) } else { 0.0 };
    (row.affine, row.d_assumed) = (AffineLaw { g, ..AffineLaw::default() }, ADHESION_REMOVED);
    true
}
