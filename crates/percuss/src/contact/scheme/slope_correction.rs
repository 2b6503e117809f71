//! Choice of the slope of a row from the last solve.
//!
//! Correction  g = 2(ψ(η̂) − ψ)/d with η̂ = ½(η + η⁻ + d), so that ψ⁺ lands on the potential; with a loss, so that it does after
//!             the loss has been taken out
//! Accepted    up to four times the steepest slope that the law has between η⁻ and η⁺
//! Allocates   no

use crate::contact::row::Row;
use crate::contact::scheme::short_contact::ContactApproach;
use crate::element::state::flush;
use crate::interaction::law::RowLaw;
use crate::model::{AffineLaw, PotentialSample};

/// Largest g²B/4 of a corrected slope that is accepted for an open contact.
const MAX_CORRECTION_STIFFNESS: f64 = 1e4;
/// Relative change of d below which another correction is skipped.
const CORRECTION_TOLERANCE: f64 = 1e-12;

/// Sets the slope of a row from the last solve; returns whether it changed.
#[inline(always)]
pub(crate) fn correct_slope(row: &mut Row, half_rate: f64) -> bool {
    if row.stays_separated() {
        return set_slope(row, 0.0);
    }
    if let RowLaw::Collision(law) = &row.law {
        let approach = ContactApproach::from_row(row);
        if approach.is_short(law) || ContactApproach::is_overdamped(row, law, half_rate) {
            if approach.starts_near(row.d_assumed) {
                return false;
            }
            let g = approach.slope(row, law, half_rate);
            row.d_assumed = approach.start_motion();
            return set_slope(row, g);
        }
    }
    let last = std::mem::replace(&mut row.d_assumed, row.d);
    if let RowLaw::Bow(bow) = &mut row.law {
        let d_free = row.d + row.compliance * row.force;
        if bow.has_friction_curve() && (d_free - last).abs() <= CORRECTION_TOLERANCE * d_free.abs() {
            return false;
        }
        row.d_assumed = d_free;
        row.affine = bow.solve_slip(row.d, d_free, row.compliance);
        return true;
    }
    let eta = 0.5 * (row.eta_prev + row.eta) + 0.5 * row.d;
    row.law
        .potential_target(eta, row.d * half_rate, row.psi)
        .is_some_and(|(there, work_ratio)| correct_slope_to(row, there, work_ratio))
}

/// Whether another correction would change nothing.
#[inline(always)]
pub(crate) fn has_converged(row: &Row, half_rate: f64) -> bool {
    let AffineLaw { g, r, .. } = row.affine;
    let yielding = row.compliance * (0.25 * g * g + half_rate * r);
    !row.law.is_friction() && is_close(row.d_assumed, row.d, yielding)
}

/// Whether the d for which the slope was chosen agrees with the d it led to: an error e of the former causes one of about eBq.
#[inline(always)]
pub(crate) fn is_close(d_assumed: f64, d: f64, yielding: f64) -> bool {
    (d - d_assumed).abs() * yielding <= CORRECTION_TOLERANCE * d.abs()
}

/// Sets the slope that leads to ψ at the target, if acceptable, with `work_ratio` = 1 + μv times the work of a lossless contact.
#[inline(always)]
fn correct_slope_to(row: &mut Row, there: PotentialSample, work_ratio: f64) -> bool {
    if row.d == 0.0 || is_resting(row) {
        return false;
    }
    let g = (there.psi - row.psi) * (2.0 / row.d);
    if g >= 0.0 && is_plausible(row, there, g) {
        let ahead = if matches!(row.law, RowLaw::Collision(_)) { Some(row.psi_next()) } else { None };
        set_slope(row, g * slope_ratio(work_ratio, row.psi, ahead, there.psi))
    } else if row.psi == 0.0 && row.d < 0.0 {
        set_slope(row, 0.0)
    } else {
        // Keeps the plain slope, or that of the correction before.
        false
    }
}

/// Sets a slope within its limit; returns whether it changed.
#[inline(always)]
pub(crate) fn set_slope(row: &mut Row, g: f64) -> bool {
    let limited = g.min(row.slope_limit());
    let before = std::mem::replace(&mut row.affine.g, limited);
    row.affine.g != before
}

/// Ratio of the slope that does w = `work_ratio` times the work from ψ to ψ(x₊) to the one that does the work alone: it leads to the
/// root ψ̂ of ψ² + w·(ψ(x₊)² − ψ²), from which the loss leads to ψ(x₊), so that the ratio is w·(ψ(x₊) + ψ)/(ψ̂ + ψ). For a w that does
/// not depend on ψ(x₊), `ahead` is the ψ̂ of the last solve, which is known sooner.
#[inline(always)]
fn slope_ratio(work_ratio: f64, psi: f64, ahead: Option<f64>, there: f64) -> f64 {
    match ahead {
        _ if work_ratio == 1.0 => 1.0,
        Some(ahead) if work_ratio > 0.0 && ahead > 0.0 => {
            let there = (psi * psi + (ahead - psi) * (ahead + psi) / work_ratio).max(0.0).sqrt();
            work_ratio / (ahead + psi) * (there + psi)
        }
        _ if there + psi == 0.0 => 1.0,
        _ => {
            let ahead = (psi * psi + work_ratio * (there - psi) * (there + psi)).max(0.0).sqrt();
            work_ratio * (there + psi) / (ahead + psi)
        }
    }
}

/// Whether a slope is within four times the steepest the law has between η⁻ and η⁺, where the target lies.
#[inline(always)]
fn is_plausible(row: &Row, there: PotentialSample, g: f64) -> bool {
    (there.slope > 0.0 && g <= 4.0 * there.slope) || is_plausible_for_law(row, g)
}

#[cold]
fn is_plausible_for_law(row: &Row, g: f64) -> bool {
    let max_slope = row.law.max_slope([row.eta_prev + row.d, row.eta, row.eta_prev]);
    if max_slope > 0.0 { g <= 4.0 * max_slope } else { 0.25 * g * g * row.compliance <= MAX_CORRECTION_STIFFNESS }
}

/// A contact at rest on its potential keeps the slope ψ′(η): the quotient of two tiny differences would be rounding noise.
#[inline(always)]
fn is_resting(row: &Row) -> bool {
    is_slow(row.d, row.eta) && is_on_potential(row)
}

#[inline(always)]
pub(crate) fn is_slow(d: f64, eta: f64) -> bool {
    d.abs() < 1e-4 * eta.abs()
}

#[inline]
pub(crate) fn is_on_potential(row: &Row) -> bool {
    let psi = row.law.psi(0.5 * (row.eta + row.eta_prev));
    (psi - row.psi).abs() < 1e-9 * row.psi.abs()
}

/// Advances ψ and the memory of the law to the next step, and subtracts the loss. Afterwards `dissipated` is the energy dissipated.
#[inline(always)]
pub(crate) fn advance(row: &mut Row, half_rate: f64) {
    let ahead = row.psi_after_work();
    let (psi, dissipated) = if !row.law.is_one_sided() {
        (ahead, 0.0)
    } else if row.is_open() || ahead <= 0.0 {
        (0.0, 0.5 * ahead * ahead)
    } else if row.law.has_hysteresis_loss() {
        let psi = (ahead * ahead - 2.0 * row.dissipated).max(0.0).sqrt();
        (psi, 0.5 * (ahead - psi) * (ahead + psi))
    } else {
        (ahead, 0.0)
    };
    (row.psi, row.dissipated) = (flush(psi), dissipated);
    let step = row.solved_step(half_rate);
    row.law.advance(&step);
}
