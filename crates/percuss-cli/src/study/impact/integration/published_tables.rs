//! Published tables: Papetti, Avanzini and Rocchesso (2010), Tables I to III, reproduced.
//!
//! A measured value reproduces a printed one within 1 %, or half a unit of its last printed digit, or if it is equal after
//! truncation, since Table II(a) truncates instead of rounding (59.5427 is printed as 59.542).

use super::approximation::VelocityApproximation;
use super::error_measures::{Simulator, contact_errors, contact_errors_against, random_phase_error};
use super::integrators::Method;
use crate::study::impact::cases::{PHASES, RATE, case_1, case_2, hard, non_critical};
use crate::study::impact::rebounds;
use percuss::Scheme;
use percuss::impact::Impact;

/// Printed value and half a unit of its last digit.
type Printed = (f64, f64);

fn assert_reproduced(found: f64, (printed, half_unit): Printed, share: f64, what: &str) {
    let cut = (found / (2.0 * half_unit)).trunc() * 2.0 * half_unit;
    let close = (found - printed).abs() <= (share * printed.abs()).max(half_unit) || (cut - printed).abs() < 1e-9;
    println!("{what}: {found:.4} (printed {printed})");
    assert!(close, "{what}: {found}, printed {printed}");
}

#[test]
fn table_1_is_reproduced() {
    let printed: [(Printed, Printed); 4] = [
        ((0.255, 5e-4), (3e-4, 5e-5)),
        ((0.018, 5e-4), (0.052, 5e-4)),
        ((0.319, 5e-4), (4e-4, 5e-5)),
        ((0.005, 5e-4), (1e-5, 5e-6)),
    ];
    for (method, (max_compression_deviation, max_energy_deviation)) in Method::ALL.into_iter().zip(printed) {
        let impact = non_critical();
        let found = contact_errors(&impact, &Simulator::Classical(method).contact(&impact, RATE, 0.0));
        // AM1 passes v_out while still in contact, where eq. 3 is complex: the printed value is the modulus of the
        // difference (0.2546); the measured one is relative to the end of the curve.
        let share = if method == Method::Am1 { 0.3 } else { 0.01 };
        assert_reproduced(
            found.max_compression_deviation,
            max_compression_deviation,
            share,
            &format!("Table I dev(x) {}", method.name()),
        );
        if max_energy_deviation.0 > 0.01 {
            assert_reproduced(
                found.max_energy_deviation,
                max_energy_deviation,
                0.01,
                &format!("Table I dev(H) {}", method.name()),
            );
        }
    }
}

#[test]
fn table_2_is_reproduced() {
    // dev(x), err(v_out), dev(H); the last digit of all is 0.001. v_out and ΔH_τ are relative to ṽ_out.
    let printed = [
        (case_1(), [[1.011, 0.039, 61.302], [1.083, 0.073, 59.542], [1.136, 0.067, 63.042], [0.052, 0.006, 1.427]]),
        (case_2(), [[4.381, 2.551, 7.885], [4.418, 0.839, 9.475], [19.506, -4.692, 23.387], [0.412, -0.105, 0.410]]),
    ];
    for (impact, rows) in printed {
        let study_exit = VelocityApproximation::new(4).exit_velocity(impact.loss(), impact.speed());
        for (method, [max_compression_deviation, exit, max_energy_deviation]) in Method::ALL.into_iter().zip(rows) {
            let samples = Simulator::Classical(method).contact(&impact, RATE, 0.0);
            let found = contact_errors_against(&impact, &samples, study_exit);
            let name = method.name();
            assert_reproduced(
                found.max_compression_deviation,
                (max_compression_deviation, 5e-4),
                0.01,
                &format!("Table II dev(x) {name}"),
            );
            assert_reproduced(found.exit_error, (exit, 5e-4), 0.01, &format!("err(v_out) {name}"));
            assert_reproduced(
                found.max_energy_deviation,
                (max_energy_deviation, 5e-4),
                0.01,
                &format!("dev(H) {name}"),
            );
        }
    }
    // ṽ_out itself: −1e-5 and −0.013 % are printed; the second has the other sign here, as |ṽ| > |v|.
    let tilde = |impact: &Impact| {
        let found = VelocityApproximation::new(4).exit_velocity(impact.loss(), impact.speed());
        100.0 * (found / impact.exit_velocity() - 1.0)
    };
    assert!(tilde(&case_1()).abs() < 1e-5);
    assert_reproduced(tilde(&case_2()).abs(), (0.013, 5e-4), 0.01, "Table II(b) ṽ_out");
}

#[test]
fn table_3_is_reproduced() {
    // Accumulated error on H after 100 rebounds and largest deviation; the study prints magnitudes.
    let printed = [
        (case_1(), [(12.022, 72.962), (10.059, 72.107), (147.036, 63.043), (0.907, 14.466)]),
        (case_2(), [(24.285, 69.156), (15.780, 43.966), (946.600, 27.418), (2.153, 6.255)]),
    ];
    for (impact, rows) in printed {
        for (found, (accumulated, max_dev)) in rebounds::measure(impact).rows.iter().zip(rows) {
            assert_reproduced(
                found.accumulated.abs(),
                (accumulated, 5e-4),
                0.01,
                &format!("Table III {}", found.method),
            );
            assert_reproduced(
                found.largest_energy_deviation(),
                (max_dev, 5e-4),
                0.01,
                &format!("Table III max dev {}", found.method),
            );
        }
    }
}

#[test]
fn corrected_rebounds_are_reproduced_and_the_exact_exit_velocity_has_no_error() {
    for (impact, printed) in [(case_1(), (0.0, 1e-7)), (case_2(), (0.001, 5e-4))] {
        let rows = rebounds::measure(impact).rows;
        let found = |method: &str| rows.iter().find(|row| row.method == method).expect("one of the methods");
        assert_reproduced(found("corrected").accumulated.abs(), printed, 0.01, "corrected");
        let exact = found("hybrid_exact");
        assert!(exact.accumulated.abs() <= 1e-9 && exact.largest_energy_deviation() <= 1e-9, "{}", exact.accumulated);
    }
}

#[test]
fn tracked_is_more_accurate_than_classical_integrators_at_random_phases() {
    for (name, impact) in [("case 1", case_1()), ("case 2", case_2()), ("hard", hard())] {
        let error = |simulator: Simulator| random_phase_error(&simulator, &impact, RATE, PHASES);
        let tracked = error(Simulator::Engine(Scheme::Tracked));
        println!("{name}: tracked {tracked:.2e} %");
        for method in Method::ALL {
            let classical = error(Simulator::Classical(method));
            println!("{name}: {} {classical:.2e} %", method.name());
            if method != Method::Rk4 || name != "hard" {
                assert!(tracked < classical, "{name}: tracked {tracked} %, {} {classical} %", method.name());
            }
        }
    }
    // In the hard case the error of tracked is within 10 % of that of RK4: 0.476 and 0.451 %.
    let rk4 = random_phase_error(&Simulator::Classical(Method::Rk4), &hard(), RATE, PHASES);
    assert!(random_phase_error(&Simulator::Engine(Scheme::Tracked), &hard(), RATE, PHASES) < 1.1 * rk4);
}
