//! Fast path of `tracked` for a single collision whose motion is smooth: soft contacts for most of their duration, and bodies at
//! rest.
//!
//! Predict     d̂ = 4d₋₁ − 6d₋₂ + 4d₋₃ − d₋₄, by the cubic through the last four, and x̂ = ½(η + η⁻ + d̂)
//! Solve       as in `tracked`, once, with the slope at x̂. The square roots depend on d₋₁ only, so that d₀ of this step enters
//!             late. A contact at rest keeps the plain slope
//! Fallback    where |d − d̂| exceeds the tolerance of an aim, or `tracked` would do more, the row is left unchanged and solved by
//!             the full path; the fast path is not tried again for some steps
//! Energy      that of `tracked`: the balance holds for any slope, so a poor prediction costs accuracy, not energy
//! Allocates   no

use crate::contact::row::Row;
use crate::contact::scheme::aim::{advance, is_close, is_on_potential, is_slow, lossy_slope};
use crate::interaction::collision::CollisionLaw;
use crate::interaction::law::RowLaw;
use crate::model::Affine;

/// Earlier steps that the extrapolation needs, beside the last.
const MEMORY: u8 = 3;
/// Steps solved by the full path after a failed extrapolation; doubled with each failure, reset by a success.
const BACKOFF: u8 = 8;

/// The last motions of a row.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// The d before the last one, and those before it \[m\]. After a gap the extrapolation is wrong and is rejected.
    steps: [f64; MEMORY as usize],
    /// Steps until the next attempt, and the pause if that fails.
    cooldown: u8,
    backoff: u8,
}

impl Default for History {
    fn default() -> Self {
        Self { steps: [0.0; MEMORY as usize], cooldown: BACKOFF, backoff: BACKOFF }
    }
}

impl History {
    /// Whether the next step will be extrapolated.
    #[cfg(test)]
    pub fn is_extrapolating(&self) -> bool {
        self.cooldown == 0
    }
}

/// The extrapolated motion of a step.
struct Extrapolation {
    d: f64,
    x: f64,
}

/// Solves a row that is coupled to no other where its extrapolation holds; returns whether it does. `before` is η − η⁻ one
/// step ago.
#[inline(always)]
pub(crate) fn solve(row: &mut Row, history: &mut History, before: f64, half_rate: f64) -> bool {
    if history.cooldown > MEMORY {
        history.cooldown -= 1;
        return false;
    }
    let [first, second, third] = history.steps;
    history.steps = [row.d, first, second];
    if history.cooldown > 0 {
        history.cooldown -= 1;
        return false;
    }
    // x̂ with η = η⁻ + d₋₁ − before, so that it is known one product and one sum after d₋₁.
    let known = (4.0 * second - third) - 6.0 * first;
    let guess = Extrapolation { d: known + 4.0 * row.d, x: (row.eta_prev + 0.5 * (known - before)) + 2.5 * row.d };
    let is_extrapolated = solve_at(guess, row, half_rate);
    if is_extrapolated {
        history.backoff = BACKOFF;
    } else {
        (history.cooldown, history.backoff) = (history.backoff, history.backoff.saturating_mul(2));
    }
    is_extrapolated
}

#[inline(always)]
fn solve_at(guess: Extrapolation, row: &mut Row, half_rate: f64) -> bool {
    let RowLaw::Collision(law) = &row.law else { return false };
    let Row { eta, psi, d_free, compliance, .. } = *row;
    let rests = is_slow(guess.d, eta);
    let (g, steepest) =
        if rests { (plain(law, row, half_rate), f64::INFINITY) } else { aim(law, row, &guess, half_rate) };
    // Bq and 1 + Bq.
    let bent = g * g * (0.25 * compliance);
    let share = 1.0 / (1.0 + bent);
    let d = (d_free - compliance * (g * psi)) * share;
    let force = (g * psi + 0.25 * g * g * d_free) * share;
    let ahead = psi + 0.5 * g * d;
    let lost = law.lost_by(force, d, compliance, half_rate);
    let left = ahead * ahead - 2.0 * lost;
    let is_as_guessed = if rests { is_slow(d, eta) && is_on_potential(row) } else { is_close(guess.d, d, bent) };
    // In contact and pushing, and not steeper than the law allows: `tracked` would leave it at that.
    let is_extrapolated = is_as_guessed
        & (eta > 0.0)
        & (guess.x > 0.0)
        & (row.eta_prev + d > 0.0)
        & (psi > 0.0)
        & (ahead >= 0.0)
        & (left > 0.0)
        & (force >= 0.0)
        & (g >= 0.0)
        & (g <= steepest);
    if is_extrapolated {
        row.affine = Affine { g, ..Affine::default() };
        (row.d, row.force) = (d, force);
        row.lost = lost;
        advance(row, half_rate);
    }
    is_extrapolated
}

/// The slope of a contact at rest.
#[inline(always)]
fn plain(law: &CollisionLaw, row: &Row, half_rate: f64) -> f64 {
    law.potential.slope(row.eta) * law.force_ratio(2.0 * half_rate * row.eta_step)
}

/// The slope at the extrapolated place, and the largest that is accepted.
#[inline(always)]
fn aim(law: &CollisionLaw, row: &Row, guess: &Extrapolation, half_rate: f64) -> (f64, f64) {
    let (there, gain) = (law.potential.at(guess.x), law.force_ratio(guess.d * half_rate));
    let g = (there.psi - row.psi) * (2.0 / guess.d);
    (lossy_slope(g, gain, row.psi, there.psi), 4.0 * there.slope * gain)
}
