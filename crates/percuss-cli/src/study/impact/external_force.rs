//! Impacts with an external force, which have no closed form: v_out without and with the energy correction.

use super::cases::{RATE, impact};
use crate::study::impact::integration::forced_contact::{energy_corrected_contact, plain_contact, reference};
use crate::study::impact::integration::integrators::{Integrator, Method};
use percuss::impact::Impact;

/// Errors of one impact with an external force.
pub struct ExternalForceResult {
    /// Name of the case.
    pub case: &'static str,
    /// External force towards the wall \[N\].
    pub push: f64,
    /// Contact time \[samples\].
    pub samples: f64,
    /// One per method.
    pub rows: Vec<ExternalForceErrors>,
}

/// Errors of one method.
pub struct ExternalForceErrors {
    /// Method.
    pub method: &'static str,
    /// Error of v_out without the correction \[%\].
    pub plain: f64,
    /// Error of v_out with the correction \[%\].
    pub corrected: f64,
}

/// Measures all cases.
pub fn measure() -> Vec<ExternalForceResult> {
    let fig_5 = impact(1e5, 1.5, 0.5, 0.05);
    let cases = [
        ("figure 5", fig_5, 0.03),
        ("figure 5, ten times the force", fig_5, 0.3),
        ("case 1, gravity", super::cases::case_1(), 0.0981),
        ("case 2, gravity", super::cases::case_2(), 0.0981),
        ("case 2 at 0.05 m/s, gravity", super::cases::case_2().at_speed(0.05), 0.0981),
    ];
    cases.into_iter().map(|(case, impact, push)| measure_case(case, &impact, push)).collect()
}

fn measure_case(case: &'static str, impact: &Impact, push: f64) -> ExternalForceResult {
    let reference = reference(impact, -push).expect("the mass leaves the wall");
    let error = |v: f64| 100.0 * (v / reference.exit_velocity - 1.0);
    let row = |method: Method| {
        let mut integrator = Integrator::for_impact(method, impact, RATE);
        integrator.external = -push;
        let plain = plain_contact(&mut integrator.clone(), impact).exit_velocity;
        let corrected = energy_corrected_contact(&mut integrator, impact).exit_velocity;
        ExternalForceErrors { method: method.name(), plain: error(plain), corrected: error(corrected) }
    };
    ExternalForceResult {
        case,
        push,
        samples: reference.contact_time * RATE,
        rows: Method::ALL.into_iter().map(row).collect(),
    }
}
