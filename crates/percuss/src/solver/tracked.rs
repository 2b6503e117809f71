//! The default scheme: slopes aimed so that ψ stays on the potential, and contacts that never pull.
//!
//! The balance (H⁺ − H)/k + Q − P = 0 holds for any slope g ≥ 0 and any resistance r ≥ 0, so both are free to serve
//! accuracy.
//!
//! Predict     solve with g = ψ′(ηⁿ), giving η̂
//! Aim         g = 2(ψ(x₊) − ψ)/(η̂ − η⁻) with x₊ = ½(η̂ + ηⁿ), which lands ψ⁺ on the potential, where 0 ≤ g ≤ 4·max ψ′;
//!             r = μ·(φ′(x₋) + 4φ′(ηⁿ) + φ′(x₊))/6 with x₋ = ½(ηⁿ + η⁻), Simpson's rule for the loss over the step;
//!             solve. Done twice: the second aim mends the few steps in which the first starts from a poor η̂, and is
//!             left out where the first has hardly moved it. A contact at rest keeps the plain slope. Friction takes its
//!             r at the slip of the last solve
//! Release     where ψ⁺ would turn negative, or a parted contact still holds ψ > 0, hand back exactly what is stored:
//!             with d₀ = d + Bf, and B, d₀ over 1 + Br/2k where there is loss,
//!             g = 2ψ/(√(d₀²/4 + Bψ²) − d₀/2), so that ψ⁺ = 0; where nothing is stored and the bodies part, g = 0;
//!             solve
//! Let go      where a force is still negative drop its loss, then its slope; solve. A row is changed at most twice,
//!             so this ends after at most 2m + 1 solves of m rows, and then no force is negative
//! Short way   where a collision goes on as it did, `foretold` takes its place
//! Allocates   no

use super::block::{Row, Single, Solve, Stage};
use super::foretold::{self, Past};
use super::seat::{Seat, Sights};
use crate::element::State;
use crate::interaction::{Affine, Depth, Law};

/// Aims in a step.
pub(super) const AIMS: usize = 2;
/// Largest g²B/4 for which an aim at an open contact is trusted.
const STIFFEST_AIM: f64 = 1e4;
/// Share of d by which another aim may change it and is not taken.
const WELL_AIMED: f64 = 1e-12;
/// Largest g²B/4 with which a contact is emptied: beyond it the linear solve has no digits left.
const STIFFEST_RELEASE: f64 = 1e30;

/// Solves with the plain slopes.
pub(super) struct Begin {
    /// 1/2k \[1/s\].
    pub half_rate: f64,
}

impl Stage for Begin {
    #[inline(always)]
    fn run(self, rows: &mut [Row], solver: &mut impl Solve) {
        solver.solve(rows, self.half_rate);
    }
}

/// Aims and solves again.
pub(super) struct Aim {
    pub half_rate: f64,
}

impl Stage for Aim {
    #[inline(always)]
    fn run(self, rows: &mut [Row], solver: &mut impl Solve) {
        let mut changed = false;
        for row in &mut *rows {
            changed |= !is_aimed(row, self.half_rate) && aim(row);
        }
        if changed {
            solver.solve(rows, self.half_rate);
        }
    }
}

/// Releases, lets go and pushes.
pub(super) struct Finish<'a> {
    /// Those of the rows.
    pub seats: &'a [Seat],
    pub sights: &'a Sights,
    pub state: &'a mut State,
    pub half_rate: f64,
}

impl Stage for Finish<'_> {
    #[inline(always)]
    fn run(self, rows: &mut [Row], solver: &mut impl Solve) {
        if change(rows, |row| release(row, self.half_rate)) {
            solver.solve(rows, self.half_rate);
        }
        while change(rows, |row| pulls(row) && let_go(row)) {
            solver.solve(rows, self.half_rate);
        }
        for (row, seat) in rows.iter_mut().zip(self.seats) {
            row.push(seat, self.sights, self.state);
        }
    }
}

/// Foresees and takes all stages: for a block that has no other to wait for.
pub(super) struct Alone<'a> {
    /// Those of the rows.
    pub seats: &'a [Seat],
    pub sights: &'a Sights,
    pub state: &'a mut State,
    pub half_rate: f64,
}

impl Stage for Alone<'_> {
    #[inline(always)]
    fn run(self, rows: &mut [Row], solver: &mut impl Solve) {
        let Self { seats, sights, state, half_rate } = self;
        let mut busy = false;
        for (row, seat) in rows.iter_mut().zip(seats) {
            busy |= row.foresee(seat, sights, state);
        }
        if busy {
            take_all_stages(rows, solver, Finish { seats, sights, state, half_rate });
        }
    }
}

#[inline(always)]
fn take_all_stages(rows: &mut [Row], solver: &mut impl Solve, finish: Finish) {
    let half_rate = finish.half_rate;
    Begin { half_rate }.run(rows, solver);
    for _ in 0..AIMS {
        Aim { half_rate }.run(rows, solver);
    }
    finish.run(rows, solver);
}

/// Takes a collision that is the only row through a step, by the short way where it can.
#[inline(never)]
pub(super) fn settle_lone(
    row: &mut Row,
    past: &mut Past,
    seat: &Seat,
    sights: &Sights,
    state: &mut State,
    half_rate: f64,
) {
    let before = row.rise;
    row.follow();
    if row.foresee(seat, sights, state) {
        if foretold::solve(row, past, before, half_rate) {
            seat.push(row.force, sights, state);
        } else {
            let seats = std::slice::from_ref(seat);
            take_long_way(row, Finish { seats, sights, state, half_rate });
        }
    }
}

/// Kept apart, so that the short way need not make room for it.
#[inline(never)]
fn take_long_way(row: &mut Row, finish: Finish) {
    prepare(row);
    take_all_stages(std::slice::from_mut(row), &mut Single, finish);
}

/// Sets the law, and takes note of what aims start from.
#[inline(always)]
pub(super) fn prepare(row: &mut Row) {
    row.prepare();
    row.aimed = f64::INFINITY;
    let clear = row.is_clear();
    row.rubbed = if clear { 0.0 } else { row.law.resistance(0.5 * (row.eta + row.back)) + 4.0 * row.affine.r };
}

/// Lets every row change its law, and says whether one did.
#[inline(always)]
fn change(rows: &mut [Row], change: impl Fn(&mut Row) -> bool) -> bool {
    let mut changed = false;
    for row in rows {
        changed |= change(row);
    }
    changed
}

#[inline(always)]
fn aim(row: &mut Row) -> bool {
    row.aimed = row.d;
    let target = 0.5 * (row.back + row.eta) + 0.5 * row.d;
    match &mut row.law {
        Law::Bow(bow) => {
            let before = std::mem::replace(&mut row.affine, bow.aim(row.d));
            row.affine != before
        }
        Law::Collision(law) => {
            let there = law.potential.at(target);
            let r = (row.rubbed + law.loss * there.force) * (1.0 / 6.0);
            aim_at(row, there, r)
        }
        Law::Connection(law) => {
            let there = law.at(target);
            aim_at(row, there, 0.0)
        }
        Law::Spring(_) | Law::Viscous(_) | Law::Finger(_) => false,
    }
}

/// Whether another aim would change nothing.
#[inline(always)]
fn is_aimed(row: &Row, half_rate: f64) -> bool {
    let Affine { g, r, .. } = row.affine;
    let yielding = row.compliance * (0.25 * g * g + half_rate * r);
    !row.law.is_friction() && is_close(row.aimed, row.d, yielding)
}

/// Whether one that was aimed at is as good as the d it led to: an aim that starts off by e comes to lie off by about eBq.
#[inline(always)]
pub(super) fn is_close(aimed: f64, d: f64, yielding: f64) -> bool {
    (d - aimed).abs() * yielding <= WELL_AIMED * d.abs()
}

/// Takes the resistance, and the slope that leads to ψ at the target, where it is to be trusted.
#[inline(always)]
fn aim_at(row: &mut Row, there: Depth, r: f64) -> bool {
    if row.d == 0.0 || rests(row) {
        return false;
    }
    let g = (there.psi - row.psi) * (2.0 / row.d);
    let g = if g >= 0.0 && is_trusted(row, there, g) { g } else { row.law.slope(row.eta) };
    let changed = g != row.affine.g || r != row.affine.r;
    (row.affine.g, row.affine.r) = (g, r);
    changed
}

/// Whether a slope is within four times the steepest the law has between η⁻ and η⁺, where the target lies.
#[inline(always)]
fn is_trusted(row: &Row, there: Depth, g: f64) -> bool {
    (there.slope > 0.0 && g <= 4.0 * there.slope) || is_within_reach(row, g)
}

#[cold]
fn is_within_reach(row: &Row, g: f64) -> bool {
    let steepest = row.law.steepest([row.back + row.d, row.eta, row.back]);
    if steepest > 0.0 { g <= 4.0 * steepest } else { 0.25 * g * g * row.compliance <= STIFFEST_AIM }
}

/// A contact that hardly moves and lies on its potential keeps ψ′(η): the quotient of two tiny differences would be
/// rounding noise, and shake a body that lies still.
#[inline(always)]
fn rests(row: &Row) -> bool {
    is_slow(row.d, row.eta) && is_on_potential(row)
}

#[inline(always)]
pub(super) fn is_slow(d: f64, eta: f64) -> bool {
    d.abs() < 1e-4 * eta.abs()
}

#[inline]
pub(super) fn is_on_potential(row: &Row) -> bool {
    let psi = row.law.psi(0.5 * (row.eta + row.back));
    (psi - row.psi).abs() < 1e-9 * row.psi.abs()
}

#[inline(always)]
fn release(row: &mut Row, half_rate: f64) -> bool {
    if !row.law.is_one_sided() {
        return false;
    }
    let mean = row.eta + 0.5 * (row.d - (row.eta - row.back));
    let parted = row.eta <= 0.0 && mean <= 0.0 && row.d < 0.0;
    let g = if row.psi > 0.0 && (parted || row.psi_ahead() < 0.0) {
        let lossy = 1.0 + row.compliance * half_rate * row.affine.r;
        let g = emptying_slope(row.psi, row.compliance / lossy, 0.5 * (row.d + row.compliance * row.force) / lossy);
        row.emptied = g > 0.0;
        g
    } else if row.psi <= 0.0 && parted {
        0.0
    } else {
        return false;
    };
    let change = g != row.affine.g;
    row.affine.g = g;
    change
}

/// g = 2ψ/(√(half² + Bψ²) − half), in whichever form does not cancel; 0 where nothing sensible would empty ψ.
fn emptying_slope(psi: f64, compliance: f64, half: f64) -> f64 {
    let root = (half * half + compliance * psi * psi).sqrt();
    let g = if half > 0.0 { 2.0 * (root + half) / (compliance * psi) } else { 2.0 * psi / (root - half) };
    if 0.25 * g * g * compliance < STIFFEST_RELEASE { g } else { 0.0 }
}

#[inline(always)]
fn pulls(row: &Row) -> bool {
    row.law.is_one_sided() && row.force < 0.0
}

/// Drops the loss of a row that pulls, then its slope.
fn let_go(row: &mut Row) -> bool {
    if row.affine.r > 0.0 {
        row.affine.r = 0.0;
    } else {
        row.affine.g = 0.0;
        row.emptied = false;
    }
    true
}
