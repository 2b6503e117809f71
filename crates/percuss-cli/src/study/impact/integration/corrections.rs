//! Corrections that make an integrator agree with the closed forms.
//!
//! Hybrid      during contact x is replaced by x(v) of eq. 3, so that x and H lie on the analytical curves
//! Exit        when the contact ends, v is set to v_out (exact, or ṽ_out of eq. 7 where its error is below a threshold)
//!             and x to 0
//! Reference   Papetti, Avanzini and Rocchesso (2010), sec. IV-A

use super::approximation::VelocityApproximation;
use super::integrators::{HuntCrossley, Integrator, Motion, integrate_until_release};
use percuss::impact::Impact;

/// Source of the prescribed exit velocity.
#[derive(Clone, Debug, PartialEq)]
pub enum ExitVelocity {
    /// The closed form, always applied.
    Exact,
    /// ṽ_out, applied only if its error is below the threshold \[%\].
    Approximate {
        /// Approximation of v_out.
        approximation: VelocityApproximation,
        /// Largest error that is accepted \[%\].
        threshold: f64,
    },
}

impl ExitVelocity {
    /// That of the study: order 4, threshold 0.1 %.
    pub fn as_published() -> Self {
        Self::Approximate { approximation: VelocityApproximation::new(4), threshold: 0.1 }
    }

    /// The exit velocity to prescribe, if any.
    pub fn value(&self, impact: &Impact) -> Option<f64> {
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

/// Simulates one contact with both corrections; returns the samples in contact and the first after it.
pub fn corrected_contact(
    integrator: &mut Integrator<HuntCrossley>,
    impact: &Impact,
    start: Motion,
    exit: &ExitVelocity,
) -> Vec<Motion> {
    let mut samples = integrate_until_release(start, |motion| {
        let mut next = integrator.advance(motion);
        if next.x > 0.0 {
            if next.v <= impact.exit_velocity() {
                // The velocity has reached its final value: the contact has ended, regardless of the integrator's x.
                next.x = 0.0;
                next.f = 0.0;
            } else {
                let v = next.v.min(impact.speed());
                (next.x, next.f) = (impact.compression(v), impact.force(v));
            }
        }
        next
    });
    if let (Some(last), Some(v)) = (samples.last_mut(), exit.value(impact)) {
        *last = Motion { x: 0.0, v, f: 0.0 };
    }
    samples
}
