//! Convergence: the observed order of the rebound speed, from rate doubling.

mod models;

use models::*;
use percuss::Scheme;

const PHASES: usize = 32;

/// Mean order over three doublings from 44.1 kHz, from rms errors over contact phases.
fn observed_order(impact: Impact, scheme: Scheme) -> f64 {
    let error = |doublings: i32| impact.rms_error_percent(44_100.0 * 2_f64.powi(doublings), scheme, PHASES);
    (error(0) / error(3)).log2() / 3.0
}

#[test]
fn tracked_and_newton_are_of_second_order() {
    for impact in [CASE_1, CASE_2, HARD] {
        for scheme in [Scheme::Tracked, Scheme::Newton] {
            let order = observed_order(impact, scheme);
            println!("{scheme:?} {impact:?}: order {order:.2}");
            assert!(order >= 1.8, "{scheme:?} {impact:?}: order {order}");
        }
        println!("plain {impact:?}: order {:.2} (reported, not required)", observed_order(impact, Scheme::Plain));
    }
}
