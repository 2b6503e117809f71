//! Impacts of the study, and the methods that simulate them.

use crate::study::impact::integration::corrections::ExitVelocity;
use crate::study::impact::integration::error_measures::Simulator;
use crate::study::impact::integration::integrators::Method;
use percuss::impact::Impact;

/// Sample rate \[Hz\].
pub const RATE: f64 = 44_100.0;
/// Mass \[kg\].
pub const MASS: f64 = 0.01;
/// Number of rebounds in Table III.
pub const REBOUNDS: usize = 100;
/// Oversampling of the study's reference.
pub const OVERSAMPLING: f64 = 16.0;
/// Number of contact phases in a mean.
pub const PHASES: usize = 32;

/// An impact of the study's mass with k, α, μ and v_in.
pub fn impact(stiffness: f64, exponent: f64, loss: f64, speed: f64) -> Impact {
    Impact::new(MASS, stiffness, exponent, loss, speed).expect("the study's impacts are within range")
}

/// The non-critical impact of Table I.
pub fn non_critical() -> Impact {
    impact(1e3, 1.5, 0.5, 0.5)
}

/// Case 1: small loss.
pub fn case_1() -> Impact {
    impact(1e7, 1.3, 0.01, 0.5)
}

/// Case 2: a hard impact.
pub fn case_2() -> Impact {
    impact(1e9, 1.5, 0.5, 1.0)
}

/// Case 2 at four times the speed, a harder impact than any of the study.
pub fn hard() -> Impact {
    case_2().at_speed(4.0)
}

/// The four integrators of the study, percuss's three schemes, and Verlet with the study's corrections: with ṽ_out, and
/// with the exact v_out.
pub fn simulators() -> Vec<Simulator> {
    let corrected = |exit| Simulator::Corrected(Method::Verlet, exit);
    let ours = [corrected(ExitVelocity::as_published()), corrected(ExitVelocity::Exact)];
    Simulator::UNCORRECTED.into_iter().chain(ours).collect()
}

/// Parameters as text, such as `k = 1e7 N/m^1.3, µ = 0.01 s/m, α = 1.3, v_in = 0.5 m/s`.
pub fn parameter_text(impact: &Impact) -> String {
    let (k, alpha, mu, speed) = (impact.stiffness(), impact.exponent(), impact.loss(), impact.speed());
    format!("k = {k:e} N/m^{alpha}, µ = {mu} s/m, α = {alpha}, v_in = {speed} m/s")
}
