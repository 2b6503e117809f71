//! Corrections that make an integrator agree with the closed forms.
//!
//! Hybrid      during contact x is replaced by x(v) of eq. 3, so that x and H lie on the analytical curves
//! Exit        when the contact ends, v is set to v_out (exact, or ṽ_out of eq. 7 where its error is below a threshold)
//!             and x to 0
//! Reference   Papetti, Avanzini and Rocchesso (2010), sec. IV-A

use super::approximation::VelocityApproximation;
use super::integrate::{HuntCrossley, Integrator, Motion, until_released};
use percuss::impact::Impact;

/// Where the forced exit velocity comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum ExitVelocity {
    /// The closed form, always applied.
    Exact,
    /// ṽ_out, applied only where its error against the exact value is below the threshold \[%\].
    Approximate {
        /// ṽ_out of some order.
        approximation: VelocityApproximation,
        /// Largest error that is accepted \[%\].
        threshold: f64,
    },
}

impl ExitVelocity {
    /// The study's: order 4, 0.1 %.
    pub fn of_the_study() -> Self {
        Self::Approximate { approximation: VelocityApproximation::new(4), threshold: 0.1 }
    }

    /// The velocity to force, if any.
    pub fn of(&self, impact: &Impact) -> Option<f64> {
        match self {
            Self::Exact => Some(impact.exit_velocity()),
            Self::Approximate { approximation, threshold } => {
                let guess = approximation.exit_velocity(impact.loss(), impact.speed());
                let error = 100.0 * (guess / impact.exit_velocity() - 1.0).abs();
                (error <= *threshold).then_some(guess)
            }
        }
    }
}

/// One contact with both corrections: the samples in contact, then the one after.
pub fn corrected_contact(
    integrator: &mut Integrator<HuntCrossley>,
    impact: &Impact,
    start: Motion,
    exit: &ExitVelocity,
) -> Vec<Motion> {
    let mut samples = until_released(start, |motion| {
        let mut next = integrator.advance(motion);
        if next.x > 0.0 {
            if next.v <= impact.exit_velocity() {
                // The velocity has reached its final value: the contact is over, whatever the integrator's x says.
                next.x = 0.0;
                next.f = 0.0;
            } else {
                let v = next.v.min(impact.speed());
                (next.x, next.f) = (impact.compression(v), impact.force(v));
            }
        }
        next
    });
    if let (Some(last), Some(v)) = (samples.last_mut(), exit.of(impact)) {
        *last = Motion { x: 0.0, v, f: 0.0 };
    }
    samples
}
