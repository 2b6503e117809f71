//! Known answers: lossy impacts that last a few samples or a fraction of one still rebound at the exact speed.

mod models;

use models::*;
use percuss::*;

const RATE: f64 = 44_100.0;
const PHASES: usize = 100;
const LENGTHS: [f64; 5] = [0.25, 0.5, 1.0, 2.0, 4.0];
const LOSSES: [f64; 3] = [0.1, 0.5, 2.0];

/// An impact at 1 m/s that lasts so many samples.
fn lasting(samples: f64, loss: f64) -> ImpactCase {
    let exponent = 1.5;
    let unit = impact::Impact::new(MASS, 1.0, exponent, loss, 1.0).unwrap().contact_time();
    // The contact time goes with K^{−1/(α+1)}.
    let stiffness = (unit * RATE / samples).powf(exponent + 1.0);
    ImpactCase { stiffness, loss, exponent, speed: 1.0 }
}

/// Heading and header of a table of docs/architecture.md.
fn print_header(title: &str) {
    println!("\n### {title}\n\n| contact | μv = 0.1 | μv = 0.5 | μv = 2 |\n|---|---|---|---|");
}

#[test]
fn rebound_speed_of_short_lossy_contacts_is_exact() {
    print_header("Short contacts with a wall");
    for samples in LENGTHS {
        print!("| {samples} samples |");
        for loss in LOSSES {
            let impact = lasting(samples, loss);
            let error = impact.rms_error_percent(RATE, Scheme::Tracked, PHASES);
            print!(" {error:.0e} % |");
            assert!(error <= 1e-9, "{samples} samples, µv = {loss}: {error} %");
        }
        println!();
    }
}

/// Speed of a mass after it has struck the free end of a bar of four modes, which it meets `phase` samples after one.
fn rebound_from_bar(impact: &ImpactCase, oversampling: f64, phase: f64) -> f64 {
    let mut model = Model::new();
    let ratios = [1.0, 2.756, 5.404, 8.933];
    let modes = ratios.map(|ratio| Mode { frequency: 440.0 * ratio, decay: 1.0, mass: 0.1 });
    let bar = model.add(Modal { modes: modes.to_vec(), points: vec![vec![1.0, -0.7, 1.0, -0.7]] });
    let position = -(1.0 + phase) * impact.speed / RATE;
    let mass = model.add(Mass { mass: MASS, position, velocity: impact.speed, ..Mass::default() });
    let ImpactCase { stiffness, exponent, loss, .. } = *impact;
    model.collide(mass.point(), bar.point_at(0), percuss::Collision { stiffness, exponent, loss, gap: 0.0 });
    let speed = model.pickup(mass.point(), Quantity::Velocity);
    let mut sim = model.compile(oversampling * RATE).unwrap();
    (0..(40.0 * oversampling) as usize).for_each(|_| sim.step());
    sim.read(speed)
}

#[test]
fn rebound_from_a_bar_is_that_of_64_times_the_rate() {
    print_header("Short contacts with a bar");
    for samples in LENGTHS {
        print!("| {samples} samples |");
        for loss in LOSSES {
            let impact = lasting(samples, loss);
            let reference = rebound_from_bar(&impact, 64.0, 0.3);
            let square =
                |i: usize| (rebound_from_bar(&impact, 1.0, i as f64 / PHASES as f64) / reference - 1.0).powi(2);
            let error = 100.0 * ((0..PHASES).map(square).sum::<f64>() / PHASES as f64).sqrt();
            print!(" {error:.1} % |");
            let bound = if samples < 4.0 { 5.0 } else { 1.0 };
            assert!(error <= bound, "{samples} samples, µv = {loss}: {error} % > {bound} %");
        }
        println!();
    }
}
