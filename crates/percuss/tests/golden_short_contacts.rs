//! Known answers: lossy impacts that last a few samples or a fraction of one still rebound at the exact speed.

mod models;

use models::*;
use percuss::Scheme;
use percuss::impact;

const RATE: f64 = 44_100.0;
const PHASES: usize = 100;
const LENGTHS: [f64; 5] = [0.25, 0.5, 1.0, 2.0, 4.0];
const LOSSES: [f64; 3] = [0.1, 0.5, 2.0];

/// An impact at 1 m/s that lasts so many samples.
fn lasting(samples: f64, loss: f64) -> Impact {
    let exponent = 1.5;
    let unit = impact::Impact::new(MASS, 1.0, exponent, loss, 1.0).unwrap().contact_time();
    // The contact time goes with K^{−1/(α+1)}.
    let stiffness = (unit * RATE / samples).powf(exponent + 1.0);
    Impact { stiffness, loss, exponent, speed: 1.0 }
}

#[test]
fn rebound_speed_of_short_lossy_contacts_is_exact() {
    for samples in LENGTHS {
        for loss in LOSSES {
            let impact = lasting(samples, loss);
            let error = impact.rms_error_percent(RATE, Scheme::Tracked, PHASES);
            println!("{samples} samples, µv = {loss}: {error:.2e} %");
            assert!(error <= 1e-9, "{samples} samples, µv = {loss}: {error} %");
        }
    }
}
