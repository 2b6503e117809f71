//! Contacts that last a few samples or a fraction of one: their motion is integrated within the step.
//!
//! Equation    within a step the bodies move like free masses, m = k²/B:  ẍ = −(φ′(x)/m)(1 + μẋ), from ẋ = v₀ to v₊, the
//!             velocities half a step before and after the sample with half of what all other forces do in the step
//! Update      x from ψ where the contact is closed, else from ½(η + η⁻); drift, kick, drift in steps of a sixth of the
//!             contact time, shorter with loss; the kick by φ′(1 − φ″h²/12m), which makes them fourth-order but for the loss
//!             (Takahashi and Imada 1984); an impact that ends within the step leaves at the root of its invariant, exactly
//! Force       f = m(v₀ − v₊)/k, by the slope g = 2f/(ψ + ψ₊) with ψ₊² = ψ² + f·d: every f ≥ 0 with ψ² + f·d ≥ 0 is the
//!             force of a slope, so that the energy balance is that of `tracked`
//! Short       where the energy E of the contact, its potential and ½mv₀², would be held before x = 1.8·k√(2E/m): those that last
//!             up to about five samples
//! Symbols     x compression \[m\], B compliance \[m/N\], μ loss \[s/m\]
//! Allocates   no

use crate::contact::row::Row;
use crate::interaction::collision::CollisionLaw;
use crate::interaction::hunt_crossley;
use crate::interaction::law::RowLaw;

/// Share of the compression at rest that a substep may cross where nothing is lost, and the most substeps.
const SUBSTEP_RATIO: f64 = 0.5;
const MAX_SUBSTEPS: usize = 32;
/// 1/n.
const RECIPROCALS: [f64; MAX_SUBSTEPS + 2] = {
    let mut reciprocals = [0.0; MAX_SUBSTEPS + 2];
    let mut n = 1;
    while n < reciprocals.len() {
        reciprocals[n] = 1.0 / n as f64;
        n += 1;
    }
    reciprocals
};
/// g²B/4 of an impact that returns its energy within the step.
const REBOUND_STIFFNESS: f64 = 1e3;

/// Motion of a contact at the start of a step, without its own force.
pub(crate) struct ContactApproach {
    /// v₀·k \[m\].
    approach_motion: f64,
    /// Square of the motion in a step at which the contact would have all of its energy: (2E/m)k² \[m²\].
    max_motion_squared: f64,
}

impl ContactApproach {
    /// From the last solve of a row, its own force taken out.
    #[inline(always)]
    pub fn from_row(row: &Row) -> Self {
        let approach_motion = 0.5 * (row.d + row.compliance * row.force);
        Self {
            approach_motion,
            max_motion_squared: approach_motion * approach_motion + row.compliance * row.psi * row.psi,
        }
    }

    /// Whether it starts from where one did that started from d + Bf = `last`.
    #[inline(always)]
    pub fn starts_near(&self, last: f64) -> bool {
        (self.start_motion() - last).abs() <= 1e-4 * self.start_motion().abs()
    }

    /// d + Bf \[m\].
    #[inline(always)]
    pub fn start_motion(&self) -> f64 {
        2.0 * self.approach_motion
    }

    #[inline(always)]
    pub fn is_short(&self, law: &CollisionLaw) -> bool {
        self.max_motion_squared > law.short_threshold
    }

    /// Whether the loss settles the velocity near −1/μ within the step: 1 + μv falls like e^{−z}, z = μkφ′/m above 1. Then
    /// the last solve has led to a velocity at which little of 1 + μv is left.
    #[inline(always)]
    pub fn is_overdamped(row: &Row, law: &CollisionLaw, half_rate: f64) -> bool {
        let after = law.loss * half_rate * (row.d - row.compliance * row.force);
        after < -0.5 && velocity_relaxes(row, law, half_rate)
    }

    /// The slope that takes the contact through the step.
    pub fn slope(&self, row: &Row, law: &CollisionLaw, half_rate: f64) -> f64 {
        match self.integrate(row, law, half_rate) {
            Some(end) => slope_of_exit(row.psi, row.compliance, self.approach_motion, end),
            None if row.psi == 0.0 && law.loss == 0.0 => self.rebound_slope(row),
            None => match release_slope(row, law.loss, half_rate) {
                steep if row.psi == 0.0 && steep > row.slope_limit() => self.rebound_slope(row),
                slope => slope,
            },
        }
    }

    /// The slope of an impact that begins and ends within the step and loses next to nothing: d = 0, for which there is no slope,
    /// and all but a thousandth of the energy is returned. Only a contact that is closed half-way can do so; until then the slope is 0.
    fn rebound_slope(&self, row: &Row) -> f64 {
        if self.approach_motion > 0.0 && row.eta + row.eta_prev > 0.0 {
            2.0 * (REBOUND_STIFFNESS / row.compliance).sqrt()
        } else {
            0.0
        }
    }

    /// v₊·k, or `None` where the contact ends within the step.
    fn integrate(&self, row: &Row, law: &CollisionLaw, half_rate: f64) -> Option<f64> {
        let mut x =
            if row.psi > 0.0 { law.potential.penetration(row.psi) } else { (0.5 * (row.eta + row.eta_prev)).min(0.0) };
        let (mut v, mut left) = (self.approach_motion, 1.0);
        if x < 0.0 {
            if x + v <= 0.0 {
                return Some(v);
            }
            (x, left) = (0.0, 1.0 + x / v);
        }
        let loss = 2.0 * half_rate * law.loss;
        let mut count =
            left * law.potential.crossings(self.max_motion_squared, law.crossings_per_metre) / SUBSTEP_RATIO;
        if loss > 0.0 {
            count *= 1.0 + loss * self.max_motion_squared.sqrt();
        }
        let steps = 1 + count.min(MAX_SUBSTEPS as f64) as usize;
        let h = left * RECIPROCALS[steps];
        // B·φ′(x)/x = `stiffness`·x^{α−1}. What does not depend on the power is multiplied first: the substeps wait for each other.
        let stiffness = row.compliance * law.potential.stiffness();
        let correction = h * h * law.potential.exponent() * (1.0 / 12.0) * stiffness;
        for _ in 0..steps.min(MAX_SUBSTEPS) {
            x += 0.5 * h * v;
            let power = law.potential.secant_power(x);
            // At least ½: steep laws may be met far beyond the compression at rest.
            let push = h * stiffness * x * power * (1.0 - correction * power).max(0.5);
            v -= if loss > 0.0 { push * mean_force_ratio(v, push, loss) } else { push };
            x += 0.5 * h * v;
            if x <= 0.0 && v < 0.0 {
                return None;
            }
        }
        (steps <= MAX_SUBSTEPS).then_some(v)
    }
}

/// The mean of 1 + μv while a push acts: it falls like e^{−z}, here 1/(1 + z + z²/2).
#[inline(always)]
fn mean_force_ratio(v: f64, push: f64, loss: f64) -> f64 {
    let z = push * loss;
    (1.0 + loss * v) * (1.0 + 0.5 * z) / (1.0 + z + 0.5 * z * z)
}

#[cold]
fn velocity_relaxes(row: &Row, law: &CollisionLaw, half_rate: f64) -> bool {
    let force = law.potential.force(law.potential.penetration(row.psi));
    2.0 * half_rate * law.loss * row.compliance * force > 1.0
}

/// The slope of the force that takes v₀·k = `start` to v₊·k = `end`.
fn slope_of_exit(psi: f64, compliance: f64, start: f64, end: f64) -> f64 {
    // The reciprocal is known before the end is.
    let force = (start - end) * compliance.recip();
    let ahead = (psi * psi + force * (start + end)).max(0.0).sqrt();
    if force > 0.0 && psi + ahead > 0.0 { 2.0 * force / (psi + ahead) } else { 0.0 }
}

/// The slope that returns all that is stored except a Hunt–Crossley loss μ \[s/m\], the forces of other rows being what they are.
pub(crate) fn release_slope(row: &Row, loss: f64, half_rate: f64) -> f64 {
    let Row { psi, compliance, .. } = *row;
    if compliance <= 0.0 {
        return 0.0;
    }
    let approach_motion = 0.5 * (row.d + compliance * row.force);
    if let RowLaw::Custom(law) = &row.law
        && let Some(end) = law.exit_velocity(approach_motion, psi, compliance)
    {
        return slope_of_exit(psi, compliance, approach_motion, end);
    }
    if loss == 0.0 {
        if psi == 0.0 {
            return 0.0;
        }
        // In whichever form does not cancel.
        let root = (approach_motion * approach_motion + compliance * psi * psi).sqrt();
        return if approach_motion > 0.0 {
            2.0 * (root + approach_motion) / (compliance * psi)
        } else {
            2.0 * psi / (root - approach_motion)
        };
    }
    let scale = 2.0 * half_rate * loss;
    let start = approach_motion * scale;
    if start <= -1.0 {
        return 0.0;
    }
    let energy = hunt_crossley::invariant(start) + 0.5 * scale * scale * compliance * psi * psi;
    slope_of_exit(psi, compliance, approach_motion, -hunt_crossley::exit_root(energy) / scale)
}
