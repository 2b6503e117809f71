//! Impact with an external force: the reference compared with the closed forms, and the effect of the correction.

use super::forced_contact::{energy_corrected_contact, plain_contact, reference};
use super::integrators::{Integrator, Method, Motion};
use crate::study::impact::cases::RATE;
use percuss::impact::Impact;

/// Fig. 5 of the study and its cases 1 and 2, each with a force towards the wall \[N\].
fn cases() -> Vec<(&'static str, Impact, f64)> {
    let impact = |k, alpha, mu, v| Impact::new(0.01, k, alpha, mu, v).unwrap();
    vec![
        ("fig. 5", impact(1e5, 1.5, 0.5, 0.05), -0.03),
        ("case 1", impact(1e7, 1.3, 0.01, 0.5), -0.0981),
        ("case 2", impact(1e9, 1.5, 0.5, 1.0), -0.0981),
        ("case 2, slow", impact(1e9, 1.5, 0.5, 0.05), -0.0981),
        ("fig. 5, strong", impact(1e5, 1.5, 0.5, 0.05), -0.3),
    ]
}

#[test]
fn reference_without_force_equals_the_closed_form() {
    for (name, impact, _) in cases() {
        let contact = reference(&impact, 0.0).unwrap();
        let exit = contact.exit_velocity / impact.exit_velocity() - 1.0;
        let time = contact.contact_time / impact.contact_time() - 1.0;
        println!("{name}: v_out off by {exit:.1e}, τ by {time:.1e}, {} steps", contact.path.len());
        assert!(exit.abs() < 1e-10 && time.abs() < 1e-9, "{name}: {exit:e} {time:e}");
    }
}

#[test]
fn force_towards_the_wall_increases_compression_and_reduces_exit_speed() {
    for (name, impact, push) in cases() {
        let free = reference(&impact, 0.0).unwrap();
        let pushed = reference(&impact, push).unwrap();
        let deepest = |path: &[Motion]| path.iter().map(|m| m.x).fold(0.0, f64::max);
        assert!(deepest(&pushed.path) > deepest(&free.path), "{name}");
        assert!(pushed.exit_velocity > free.exit_velocity, "{name}: {}", pushed.exit_velocity);
        assert!(pushed.path.iter().any(|motion| motion.v > impact.speed()), "{name}: never faster than v_in");
    }
}

#[test]
fn slow_mass_does_not_leave_the_wall() {
    let impact = Impact::new(0.01, 1e5, 1.5, 50.0, 1e-3).unwrap();
    assert!(reference(&impact, -0.5).is_none());
}

/// Error of the exit velocity \[%\] without and with the correction.
fn exit_errors(impact: &Impact, push: f64, method: Method) -> (f64, f64) {
    let exact = reference(impact, push).unwrap().exit_velocity;
    let mut integrator = Integrator::for_impact(method, impact, RATE);
    integrator.external = push;
    let error = |velocity: f64| 100.0 * (velocity / exact - 1.0).abs();
    let plain = plain_contact(&mut integrator.clone(), impact).exit_velocity;
    (error(plain), error(energy_corrected_contact(&mut integrator, impact).exit_velocity))
}

#[test]
fn energy_correction_reduces_the_error_of_long_contacts() {
    for (name, impact, push) in cases() {
        let samples = reference(&impact, push).unwrap().contact_time * RATE;
        for method in Method::ALL {
            let (plain, corrected) = exit_errors(&impact, push, method);
            println!("{name}, {samples:.0} samples, {}: {plain:.4} % without, {corrected:.4} % with", method.name());
            if samples > 15.0 {
                assert!(corrected < plain && corrected < 0.005, "{name} {}", method.name());
            }
        }
    }
}

#[test]
fn energy_correction_reduces_the_error_of_rk4_in_all_cases() {
    for (name, impact, push) in cases() {
        let (plain, corrected) = exit_errors(&impact, push, Method::Rk4);
        assert!(corrected < 0.3 * plain, "{name}: {plain} {corrected}");
    }
}
