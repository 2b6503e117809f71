//! Convergence: the observed order of the rebound speed, and of the deepest compression, from rate doubling.

mod models;

use models::*;
use percuss::Scheme;

const PHASES: usize = 32;

/// Mean order over three doublings from 44.1 kHz, from rms errors over contact phases.
fn observed_order(impact: ImpactCase, scheme: Scheme) -> f64 {
    let error = |doublings: i32| impact.rms_error_percent(44_100.0 * 2_f64.powi(doublings), scheme, PHASES);
    (error(0) / error(3)).log2() / 3.0
}

/// The same for the deepest compression during the contact, as far as samples show it: the rms of what is missed of it.
fn order_of_compression(impact: ImpactCase, scheme: Scheme) -> f64 {
    let exact = impact.closed_form().max_compression();
    let error = |doublings: i32| {
        let rate = 44_100.0 * 2_f64.powi(doublings);
        let square = |i: usize| (impact.compression(rate, i as f64 / PHASES as f64, scheme) / exact - 1.0).powi(2);
        (0..PHASES).map(square).sum::<f64>().sqrt()
    };
    (error(2) / error(5)).log2() / 3.0
}

#[test]
fn newton_rebounds_in_second_order() {
    for impact in [CASE_1, CASE_2, HARD] {
        let order = observed_order(impact, Scheme::Newton);
        println!("{impact:?}: order {order:.2}");
        assert!(order >= 1.8, "{impact:?}: order {order}");
        println!("plain {impact:?}: order {:.2} (reported, not required)", observed_order(impact, Scheme::Plain));
    }
}

#[test]
fn tracked_compresses_in_second_order() {
    // Its rebound speed is exact at any rate (`golden_short_contacts`).
    for impact in [CASE_1, CASE_2, HARD] {
        let order = order_of_compression(impact, Scheme::Tracked);
        println!("{impact:?}: order {order:.2}");
        assert!(order >= 1.8, "{impact:?}: order {order}");
    }
}
