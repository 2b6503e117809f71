//! The default scheme: slopes aimed so that ψ stays on the potential, and contacts that never pull.
//!
//! The balance (H⁺ − H)/k + Q − P = 0 holds for any slope g ≥ 0 and any resistance r ≥ 0, so both are free to serve
//! accuracy.
//!
//! Predict     solve with g = ψ′(ηⁿ), giving η̂
//! Aim         g = 2(ψ(x₊) − ψ)/(η̂ − η⁻) with x₊ = ½(η̂ + ηⁿ), which lands ψ⁺ on the potential, where 0 ≤ g ≤ 4·max ψ′;
//!             r = μ·(φ′(x₋) + 4φ′(ηⁿ) + φ′(x₊))/6 with x₋ = ½(ηⁿ + η⁻), Simpson's rule for the loss over the step;
//!             solve. Done twice: the second aim mends the few steps in which the first starts from a poor η̂. A
//!             contact at rest keeps the plain slope. Friction takes its r at the slip of the last solve
//! Release     where ψ⁺ would turn negative, or a parted contact still holds ψ > 0, hand back exactly what is stored:
//!             with d₀ = d + Bf, and B, d₀ over 1 + Br/2k where there is loss,
//!             g = 2ψ/(√(d₀²/4 + Bψ²) − d₀/2), so that ψ⁺ = 0; where nothing is stored and the bodies part, g = 0;
//!             solve
//! Let go      where a force is still negative drop its loss, then its slope; solve. A row is changed at most twice,
//!             so this ends after at most 2m + 1 solves of m rows, and then no force is negative
//! Allocates   no

use super::block::{Block, Row};
use crate::interaction::Law;

/// Largest g²B/4 for which an aim at an open contact is trusted.
const STIFFEST_AIM: f64 = 1e4;
/// Largest g²B/4 with which a contact is emptied: beyond it the linear solve has no digits left.
const STIFFEST_RELEASE: f64 = 1e30;

pub(crate) fn solve(block: &mut Block, rows: &mut [Row], half_rate: f64) {
    if let [row] = rows
        && stays_open(row)
    {
        (row.force, row.d) = (0.0, row.free);
        return;
    }
    block.solve(rows, half_rate);
    solve_after(block, rows, half_rate, aim);
    solve_after(block, rows, half_rate, aim);
    solve_after(block, rows, half_rate, |row| release(row, half_rate));
    while solve_after(block, rows, half_rate, let_go) {}
}

/// A collision alone in its block that holds nothing and meets nothing this step: most contacts, most of the time.
fn stays_open(row: &Row) -> bool {
    row.law.is_one_sided() && row.psi == 0.0 && row.eta <= 0.0 && row.back <= 0.0 && row.back + row.free <= 0.0
}

/// Lets every row change its law, and solves again if one did.
fn solve_after(block: &mut Block, rows: &mut [Row], half_rate: f64, change: impl Fn(&mut Row) -> bool) -> bool {
    let mut changed = false;
    for row in rows.iter_mut() {
        changed |= change(row);
    }
    if changed {
        block.solve(rows, half_rate);
    }
    changed
}

fn aim(row: &mut Row) -> bool {
    if let Law::Bow(bow) = &mut row.law {
        let before = std::mem::replace(&mut row.affine, bow.aim(row.d));
        return row.affine != before;
    }
    if !row.law.has_potential() || row.d == 0.0 {
        return false;
    }
    let before = row.affine;
    let ahead = row.back + row.d;
    let (behind, target) = (0.5 * (row.eta + row.back), 0.5 * (ahead + row.eta));
    if rests(row, behind) {
        return false;
    }
    row.affine.r = row.law.mean_resistance([behind, row.eta, target]);
    let g = 2.0 * (row.law.psi(target) - row.psi) / row.d;
    row.affine.g = if g >= 0.0 && is_trusted(row, g, ahead) { g } else { row.slope };
    row.affine != before
}

/// Whether a slope is within four times the steepest the law has between η⁻ and η⁺.
fn is_trusted(row: &Row, g: f64, ahead: f64) -> bool {
    if row.slope > 0.0 && g <= 4.0 * row.slope {
        return true;
    }
    let steepest = row.law.steepest([ahead, row.eta, row.back]);
    if steepest > 0.0 { g <= 4.0 * steepest } else { 0.25 * g * g * row.compliance <= STIFFEST_AIM }
}

/// A contact that hardly moves and lies on its potential keeps ψ′(η): the quotient of two tiny differences would be
/// rounding noise, and shake a body that lies still.
fn rests(row: &Row, behind: f64) -> bool {
    row.d.abs() < 1e-4 * row.eta.abs() && (row.law.psi(behind) - row.psi).abs() < 1e-9 * row.psi.abs()
}

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

fn let_go(row: &mut Row) -> bool {
    let pulls = row.law.is_one_sided() && row.force < 0.0;
    if pulls {
        if row.affine.r > 0.0 {
            row.affine.r = 0.0;
        } else {
            row.affine.g = 0.0;
            row.emptied = false;
        }
    }
    pulls
}
