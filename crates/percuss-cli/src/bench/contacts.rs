//! Benchmarks of contacts: a mass on a number of modes, and a number of contacts.

use super::timing::{TimingRounds, min_of_medians, steps_per_batch};
use percuss::{Barrier, Collision, InteractionId, Mass, Modal, Mode, Model, Shape, Simulation, StiffString};

/// Numbers of modes that a mass strikes.
pub const MODE_COUNTS: [usize; 3] = [3, 30, 300];
/// Numbers of contacts.
pub const CONTACT_COUNTS: [usize; 4] = [1, 10, 100, 1000];
const RATE: f64 = 44_100.0;
/// Number of samples of one impact that are timed: fewer than the contact lasts.
const TIMED_SAMPLES: usize = 1000;

/// Times of a mass that strikes a modal element.
pub struct ModalImpactTiming {
    /// Number of modes.
    pub modes: usize,
    /// Time per sample in contact \[ns\].
    pub ns_per_sample: f64,
    /// Time per sample in contact, with an exponent that has no special case \[ns\].
    pub ns_general_exponent: f64,
    /// Time per sample in flight \[ns\].
    pub ns_in_flight: f64,
}

/// Times of simultaneous contacts.
pub struct ContactsTiming {
    /// Number of contacts.
    pub contacts: usize,
    /// Time per sample of as many masses on a barrier \[ns\].
    pub ns_independent: f64,
    /// Time per sample of a string that lies on a barrier with as many nodes \[ns\].
    pub ns_along_string: f64,
}

/// Measures impacts on a modal element.
pub fn measure_modal_impact(modes: usize, rounds: TimingRounds) -> ModalImpactTiming {
    let [mut contact, mut any, mut flight] = [(1.5, 0.0), (1.3, 0.0), (1.5, -10.0)].map(|(exponent, position)| {
        let (mut simulation, _) = impact(modes, exponent, position);
        move || {
            simulation.reset();
            (0..TIMED_SAMPLES).for_each(|_| simulation.step());
        }
    });
    let found = min_of_medians(rounds, [&mut contact, &mut any, &mut flight]);
    let [ns_per_sample, ns_general_exponent, ns_in_flight] = found.map(|ns| ns / TIMED_SAMPLES as f64);
    ModalImpactTiming { modes, ns_per_sample, ns_general_exponent, ns_in_flight }
}

/// A mass of 10 g with felt strikes a metal bar given by its modes: a soft and therefore long contact.
fn impact(modes: usize, exponent: f64, position: f64) -> (Simulation, InteractionId) {
    let mut model = Model::new();
    let mode = |i: usize| Mode {
        frequency: 100.0 * (i + 1) as f64 * (18_000.0 / (100.0 * modes as f64)).min(2.1),
        decay: 1.0,
        mass: 0.5,
    };
    let gains = (0..modes).map(|i| if i % 2 == 0 { 1.0 } else { -0.6 }).collect();
    let bar = model.add(Modal { modes: (0..modes).map(mode).collect(), points: vec![gains] });
    let mass = model.add(Mass { mass: 0.01, position, velocity: 1.0, ..Mass::default() });
    let law = Collision { stiffness: 500.0, exponent, loss: 0.01, gap: 0.0 };
    let contact = model.collide(mass.point(), bar.point_at(0), law);
    (model.compile(RATE).expect("below half the rate"), contact)
}

/// Measures `count` contacts.
pub fn measure_contacts(count: usize, rounds: TimingRounds) -> ContactsTiming {
    let time = |mut simulation: Simulation| {
        let steps = steps_per_batch(|| simulation.step());
        let [ns] = min_of_medians(rounds, [&mut || (0..steps).for_each(|_| simulation.step())]);
        ns / steps as f64
    };
    ContactsTiming {
        contacts: count,
        ns_independent: time(independent_contacts(count)),
        ns_along_string: time(contacts_along_string(count)),
    }
}

/// Masses that rest on a barrier and vibrate slightly.
fn independent_contacts(count: usize) -> Simulation {
    let mut model = Model::new();
    let floor = model.add(Barrier::at(0.0));
    for i in 0..count {
        let ball = Mass { position: -1e-5 * (1.0 + i as f64 / count as f64), gravity: 9.81, ..Mass::default() };
        let ball = model.add(ball);
        model.collide(floor.point(), ball.point(), Collision { stiffness: 1e6, ..Collision::default() });
    }
    model.compile(RATE).expect("balls on a floor")
}

/// A string of `count` moving nodes, a centimetre apart, pressed against a barrier along its length.
fn contacts_along_string(count: usize) -> Simulation {
    // A grid has at least four intervals, that is three nodes: for a single contact only one of them collides.
    let intervals = (count + 1).max(4);
    let mut model = Model::new();
    let string = StiffString {
        length: 0.01 * intervals as f64,
        grid: Some(intervals),
        displacement: Shape::RaisedCosine { at: 0.5, width: 1.0, height: -1e-4 },
        ..StiffString::default()
    };
    let string = model.add(string);
    let floor = model.add(Barrier::at(1e-5));
    let law = Collision { stiffness: 1e6, ..Collision::default() };
    if count == 1 {
        model.collide(floor.point(), string.at(0.5), law);
    } else {
        model.collide_along(floor, string, law);
    }
    model.compile(RATE).expect("a coarse grid is stable")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mass_stays_in_contact_or_in_flight_while_it_is_timed() {
        for modes in MODE_COUNTS {
            for (exponent, position) in [(1.5, 0.0), (1.3, 0.0), (1.5, -10.0)] {
                let (mut simulation, contact) = impact(modes, exponent, position);
                simulation.step();
                for step in 1..TIMED_SAMPLES {
                    simulation.step();
                    let touches = simulation.force(contact) > 0.0;
                    assert_eq!(touches, position == 0.0, "{modes} modes, exponent {exponent}, sample {step}");
                }
            }
        }
    }

    #[test]
    fn number_of_contacts_is_as_stated() {
        for count in CONTACT_COUNTS {
            assert!(independent_contacts(count).contact_blocks().eq(vec![1; count]), "{count} independent");
            assert!(contacts_along_string(count).contact_blocks().eq(vec![1; count]), "{count} along a string");
        }
    }
}
