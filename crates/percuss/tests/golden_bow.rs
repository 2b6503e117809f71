//! Known answers: a bowed string loses as much to friction, and sounds as high, as at 32 times the rate.
//!
//! The string of the tromba marina between nut and bridge, flexible, held at both ends, starts in Helmholtz motion under a
//! steady bow. The reference has the finest grid its rate allows.

use percuss::*;

const RATE: f64 = 44_100.0;
const REFERENCE: usize = 32;
const BOW_VELOCITY: f64 = 0.1;
/// Slip at which the default friction is largest \[m/s\].
const MAX_FRICTION_SLIP: f64 = 0.070_710_678_118_654_75;
/// For how long it is bowed, and how much of the end is judged \[s\].
const SECONDS: f64 = 1.6;
const ANALYSED_SECONDS: f64 = 0.6;

/// What a bow does to a string.
struct Bowed {
    /// Power lost to friction \[W\].
    loss: f64,
    /// Pitch \[Hz\].
    pitch: f64,
}

fn bowed(force: f64, oversampling: usize) -> Bowed {
    let mut model = Model::new();
    let velocity = Shape::Triangle { at: 0.008, height: -BOW_VELOCITY / 0.242 };
    let string = model.add(StiffString {
        length: 1.65,
        tension: 287.15,
        youngs_modulus: 0.0,
        sigma0: 0.1,
        sigma1: 0.05,
        velocity,
        ..StiffString::steel(5e-4)
    });
    // On a node of the coarse grid.
    let place = string.at(75.0 / 309.0);
    let bow = Bow { force: force.into(), velocity: BOW_VELOCITY.into(), friction: Friction::default() };
    let contact = model.bow(place, bow);
    let ear = model.pickup(place, Quantity::Velocity);
    let rate = RATE * oversampling as f64;
    let mut sim = model.compile(rate).unwrap();
    let (steps, judged) = ((SECONDS * rate) as usize, (ANALYSED_SECONDS * rate) as usize);
    (0..steps - judged).for_each(|_| sim.step());
    let (mut loss, mut slips, mut before) = (0.0, Vec::with_capacity(judged), sim.read(ear));
    for _ in 0..judged {
        sim.step();
        let velocity = sim.read(ear);
        let slip = 0.5 * (velocity + before) - BOW_VELOCITY;
        loss += sim.force(contact) * slip;
        slips.push(slip);
        before = velocity;
    }
    Bowed { loss: loss / judged as f64, pitch: pitch(&slips) * rate }
}

/// From where the string lets go of the bow in each period, in periods per sample.
fn pitch(slips: &[f64]) -> f64 {
    let (mut holds, mut onsets) = (false, Vec::new());
    for (i, pair) in slips.windows(2).enumerate() {
        holds |= pair[1] > -0.3 * MAX_FRICTION_SLIP;
        if holds && pair[0] >= -MAX_FRICTION_SLIP && pair[1] < -MAX_FRICTION_SLIP {
            onsets.push(i as f64 + (pair[0] + MAX_FRICTION_SLIP) / (pair[0] - pair[1]));
            holds = false;
        }
    }
    (onsets.len() - 1) as f64 / (onsets[onsets.len() - 1] - onsets[0])
}

#[test]
fn friction_loses_what_it_does_at_32_times_the_rate() {
    for force in [0.1, 0.3, 0.6, 1.2] {
        let (own, reference) = (bowed(force, 1), bowed(force, REFERENCE));
        let loss = own.loss / reference.loss - 1.0;
        let cents = 1200.0 * (own.pitch / reference.pitch).log2();
        println!("{force} N: loss {:+.1} % of {:.3e} W, pitch {cents:+.2} cents", 100.0 * loss, reference.loss);
        assert!(loss.abs() <= 0.1, "{force} N: loss {loss}");
        assert!(cents.abs() <= 1.0, "{force} N: {cents} cents");
    }
}
