//! The default scheme: slopes aimed so that ψ stays on the potential, and contacts that never pull.
//!
//! The balance (H⁺ − H)/k + Q − P = 0 holds for any slope g ≥ 0 and any resistance r ≥ 0, so both can be chosen for
//! accuracy.
//!
//! Predict     solve with g = ψ′(ηⁿ), times 1 + μv where there is loss, giving η̂
//! Aim         g = 2(ψ(x₊) − ψ)/(η̂ − η⁻) with x₊ = ½(η̂ + ηⁿ), which lands ψ on the potential, where 0 ≤ g ≤ 4·max ψ′;
//!             solve. Done twice: the second aim corrects steps in which the first started from a poor η̂, and is
//!             skipped where it would change nothing. A contact at rest keeps the plain slope; one of a few samples
//!             is integrated within the step (`short_contact`). Friction curves are solved for the slip
//! Loss        what a Hunt–Crossley contact loses in the step is known in closed form from the velocities before and after
//!             (`hunt_crossley`), and is taken out of ψ: ½(ψ⁺)² = ½(ψ + gd/2)² − loss. So the exit speed of an impact is
//!             exact, however few samples it lasts. Aims allow for the loss
//! Release     where ½(ψ + gd/2)² would be less than the loss, or the contact is open half-way through the step, hand
//!             back all that is stored but for the loss: of the velocities v₀ before and v₊ after (both with the forces of other
//!             rows), v₊ is the root of the impact's invariant, f = m(v₀ − v₊)/k with m = k²/B, and g the slope that
//!             yields this force; solve. Coupled rows do so again while that changes them, up to four times
//! Let go      where a force is still negative, a contact with loss releases at once and any other gets slope 0; solve.
//!             A row is changed at most twice, so this ends after at most 2m solves of m rows
//! Cost        at most 2m + 7 linear solves of a block of m rows: one with the plain slopes, two after aims, four after
//!             releases, 2m to let go. Most steps take one to three
//! Result      no force is negative; energy left in an open contact (coupled rows, or rounding) is booked as dissipated
//! Allocates   no

use crate::contact::active_set::ActiveSet;
use crate::contact::block::Block;
use crate::contact::row::Row;
use crate::contact::scheme::aim::{advance, aim, is_aimed, set_slope};
use crate::contact::scheme::short_contact::release_slope;
use crate::contact::solve::{SingleRow, Solve, Stage};
use crate::contact::stencil::{RowStencil, StencilPool};
use crate::element::state::State;
use crate::interaction::law::RowLaw;
use crate::model::Affine;

/// Aims per step.
pub(crate) const AIMS: usize = 2;
/// Value of `aimed_at` of a row that has let go.
const LET_GO: f64 = f64::NEG_INFINITY;
/// Most release solves of a block.
const RELEASES: usize = 4;
/// Relative tolerance of a release, in energy.
const RELEASED: f64 = 1e-14;

/// Stage: solve with the plain slopes.
pub(crate) struct SolvePlain {
    /// 1/2k \[1/s\].
    pub half_rate: f64,
}

impl Stage for SolvePlain {
    #[inline(always)]
    fn run(self, rows: &mut [Row], solver: &mut impl Solve) {
        solver.solve(rows, self.half_rate);
    }
}

/// Stage: aim and solve.
pub(crate) struct AimSlopes {
    /// Whether it is the first aim of this step.
    pub first: bool,
    pub half_rate: f64,
}

impl Stage for AimSlopes {
    #[inline(always)]
    fn run(self, rows: &mut [Row], solver: &mut impl Solve) {
        let mut changed = false;
        for row in &mut *rows {
            changed |= (self.first || !is_aimed(row, self.half_rate)) && aim(row, self.half_rate);
        }
        if changed {
            solver.solve(rows, self.half_rate);
        }
    }
}

/// Stage: release, let go, apply the forces.
pub(crate) struct Release<'a> {
    /// Stencils of the rows.
    pub stencils: &'a [RowStencil],
    pub pool: &'a StencilPool,
    pub state: &'a mut State,
    pub half_rate: f64,
}

impl Stage for Release<'_> {
    #[inline(always)]
    fn run(self, rows: &mut [Row], solver: &mut impl Solve) {
        release_all(rows, solver, self.half_rate);
        for (row, stencil) in rows.iter_mut().zip(self.stencils) {
            if row.is_idle() {
                row.lost = 0.0;
                continue;
            }
            stencil.push(row.force, self.pool, self.state);
            advance(row, self.half_rate);
        }
    }
}

/// Releases and lets go. Afterwards `lost` of every row is current.
#[inline(always)]
fn release_all(rows: &mut [Row], solver: &mut impl Solve, half_rate: f64) {
    let mut solved = true;
    for _ in 0..RELEASES {
        solved = change(rows, |row| release(row, half_rate));
        if !solved {
            break;
        }
        solver.solve(rows, half_rate);
    }
    // A row lets go twice at most.
    for _ in 0..2 * rows.len() {
        if !change(rows, |row| let_go(row, half_rate)) {
            break;
        }
        solver.solve(rows, half_rate);
        solved = true;
    }
    if solved {
        rows.iter_mut().for_each(|row| lose(row, half_rate));
    }
}

/// Sets the loss of a row from the last solve.
#[inline(always)]
pub(crate) fn lose(row: &mut Row, half_rate: f64) {
    if row.law.is_one_sided() {
        row.lost = row.law.lost(&row.solved(half_rate));
    }
}

/// Solves a large block by its active set; returns false, with nothing changed, if that is not possible.
pub(crate) fn solve_active_set(active: &mut ActiveSet, block: &Block, rows: &mut [Row], finish: Release) -> bool {
    let Release { stencils, pool, state, half_rate } = finish;
    if !active.gather(block, rows) {
        return false;
    }
    let (closed, matrix) = active.parts();
    SolvePlain { half_rate }.run(closed, matrix);
    for aim in 0..AIMS {
        AimSlopes { first: aim == 0, half_rate }.run(closed, matrix);
    }
    release_all(closed, matrix, half_rate);
    if !active.move_open(block, rows) {
        return false;
    }
    for (index, row) in active.solved() {
        stencils[index].push(row.force, pool, state);
        advance(row, half_rate);
        rows[index].clone_from(row);
    }
    true
}

/// Runs predict, aim and release for a block that is not coupled to others.
pub(crate) struct AllStages<'a> {
    /// Stencils of the rows.
    pub stencils: &'a [RowStencil],
    pub pool: &'a StencilPool,
    pub state: &'a mut State,
    pub half_rate: f64,
}

impl Stage for AllStages<'_> {
    #[inline(always)]
    fn run(self, rows: &mut [Row], solver: &mut impl Solve) {
        let Self { stencils, pool, state, half_rate } = self;
        let mut active_blocks = false;
        for (row, stencil) in rows.iter_mut().zip(stencils) {
            active_blocks |= row.predict(stencil, pool, state);
        }
        if active_blocks {
            run_stages(rows, solver, Release { stencils, pool, state, half_rate });
        }
    }
}

#[inline(always)]
fn run_stages(rows: &mut [Row], solver: &mut impl Solve, finish: Release) {
    let half_rate = finish.half_rate;
    SolvePlain { half_rate }.run(rows, solver);
    for aim in 0..AIMS {
        AimSlopes { first: aim == 0, half_rate }.run(rows, solver);
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
        solve_full(row, Release { stencils, pool, state, half_rate });
    }
}

/// Not inlined: keeps the stack frame of open contacts small.
#[inline(never)]
fn solve_full(row: &mut Row, finish: Release) {
    prepare(row, finish.half_rate);
    run_stages(std::slice::from_mut(row), &mut SingleRow, finish);
}

/// Sets the law for this step.
#[inline(always)]
pub(crate) fn prepare(row: &mut Row, half_rate: f64) {
    row.aimed_at = f64::INFINITY;
    row.affine = if row.is_clear() {
        Affine::default()
    } else if let RowLaw::Collision(law) = &row.law {
        let g = law.potential.slope(row.eta) * law.force_ratio(2.0 * half_rate * row.eta_step);
        Affine { g, ..Affine::default() }
    } else {
        row.law.affine(row.eta, row.eta_prev)
    };
    row.affine.g = row.affine.g.min(row.slope_limit());
}

/// Applies a change to every row; returns whether any row changed.
#[inline(always)]
fn change(rows: &mut [Row], change: impl Fn(&mut Row) -> bool) -> bool {
    let mut changed = false;
    for row in rows {
        changed |= change(row);
    }
    changed
}

/// Sets the slope that hands back the stored energy, where that is due.
#[inline(always)]
fn release(row: &mut Row, half_rate: f64) -> bool {
    if !row.law.is_one_sided() {
        return false;
    }
    let (ahead, before) = (row.psi_next(), row.psi * row.psi);
    if ahead == 0.0 && before == 0.0 {
        row.lost = 0.0;
        return false;
    }
    row.lost = row.law.lost(&row.solved(half_rate));
    let left = ahead * ahead - 2.0 * row.lost;
    let open = row.is_open();
    let is_done = ahead >= 0.0 && left >= -RELEASED * before && !(open && left > RELEASED * before);
    if is_done {
        return false;
    }
    let g = if open && row.psi == 0.0 { 0.0 } else { release_slope(row, row.law.velocity_loss(), half_rate) };
    set_slope(row, g)
}

/// Lets go of a row that pulls. One with loss first tries to release: it would not push again before it opens, and what it then
/// hands back would look like a second impact.
fn let_go(row: &mut Row, half_rate: f64) -> bool {
    let pulls = row.law.is_one_sided() && row.force < 0.0;
    if !pulls {
        return false;
    }
    let releases = row.law.has_loss() && row.psi > 0.0 && row.aimed_at != LET_GO;
    let g = if releases { release_slope(row, row.law.velocity_loss(), half_rate).min(row.slope_limit()) } else { 0.0 };
    (row.affine, row.aimed_at) = (Affine { g, ..Affine::default() }, LET_GO);
    true
}
