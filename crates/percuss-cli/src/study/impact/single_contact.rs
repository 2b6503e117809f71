//! Tables I and II: deviations of one contact from the closed forms.

use super::cases::{RATE, simulators};
use crate::study::impact::integration::approximation::VelocityApproximation;
use crate::study::impact::integration::error_measures::{Simulator, contact_errors, contact_errors_against};
use crate::study::impact::integration::integrators::Motion;
use percuss::impact::Impact;

/// Errors of one method.
pub struct MethodErrors {
    /// Method.
    pub method: &'static str,
    /// Largest deviation of the compression \[% of x_max\].
    pub max_compression_deviation: f64,
    /// The same, where velocities beyond the ends of the curve are compared with its ends \[% of x_max\].
    pub clamped_compression_deviation: f64,
    /// Error of the velocity after the contact \[%\].
    pub exit_error: f64,
    /// Largest deviation of the energy \[% of ΔH_τ\].
    pub max_energy_deviation: f64,
}

/// Errors of all methods.
pub struct ContactTable {
    /// Impact.
    pub impact: Impact,
    /// Contact time \[samples\].
    pub samples: f64,
    /// Error of ṽ_out \[%\].
    pub approximate_exit_error: f64,
    /// One per method.
    pub rows: Vec<MethodErrors>,
}

/// Reference of v_out and ΔH_τ.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ExitReference {
    /// The exact v_out.
    Exact,
    /// ṽ_out for the classical methods, as in Table II(b); the exact v_out for the others.
    Approximate,
}

/// Simulates one contact with every method; first touch is at a sample.
pub fn measure(impact: Impact, reference: ExitReference) -> ContactTable {
    let tilde = VelocityApproximation::new(4).exit_velocity(impact.loss(), impact.speed());
    let row = |simulator: Simulator| {
        let samples = simulator.contact(&impact, RATE, 0.0);
        let classical = matches!(simulator, Simulator::Classical(_));
        let found = match reference {
            ExitReference::Approximate if classical => contact_errors_against(&impact, &samples, tilde),
            _ => contact_errors(&impact, &samples),
        };
        let max_compression_deviation = if classical {
            unclamped_compression_deviation(&impact, &samples)
        } else {
            found.max_compression_deviation
        };
        let (method, clamped_compression_deviation) = (simulator.name(), found.max_compression_deviation);
        MethodErrors {
            method,
            max_compression_deviation,
            clamped_compression_deviation,
            exit_error: found.exit_error,
            max_energy_deviation: found.max_energy_deviation,
        }
    };
    ContactTable {
        impact,
        samples: impact.contact_time() * RATE,
        approximate_exit_error: 100.0 * (tilde / impact.exit_velocity() - 1.0),
        rows: simulators().into_iter().map(row).collect(),
    }
}

/// dev(x) of eq. 28 as the study computed it \[%\].
///
/// A method that overshoots v_out while in contact leaves the domain of eq. 3: the base is negative and its power
/// complex, with the argument π/(α+1). The study's 0.255 for AM1 in Table I is the modulus of such a difference.
fn unclamped_compression_deviation(impact: &Impact, samples: &[Motion]) -> f64 {
    let power = impact.exponent() + 1.0;
    let scale = impact.mass() * power / impact.stiffness();
    // P(v) = (µv − ln(1+µv))/µ², which x(v) and v_in share.
    let potential = |v: f64| (impact.loss() * v - (impact.loss() * v).ln_1p()) / impact.loss().powi(2);
    let deviations = samples.iter().filter(|motion| motion.x > 0.0).map(|motion| {
        if (impact.exit_velocity()..=impact.speed()).contains(&motion.v) {
            return (motion.x - impact.compression(motion.v)).abs();
        }
        let beyond = (scale * (potential(motion.v) - potential(impact.speed())).abs()).powf(1.0 / power);
        let (sin, cos) = (std::f64::consts::PI / power).sin_cos();
        (motion.x - beyond * cos).hypot(beyond * sin)
    });
    100.0 * deviations.fold(0.0, f64::max) / impact.max_compression()
}
