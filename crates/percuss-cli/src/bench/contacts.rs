//! Contacts: a mass on more and more modes, and more and more contacts.

use super::clock::{Rounds, best_medians, steps_per_call};
use percuss::{Barrier, Collision, InteractionId, Mass, Modal, Mode, Model, Shape, Simulation, StiffString};

/// Numbers of modes a mass strikes.
pub const MODES: [usize; 3] = [3, 30, 300];
/// Numbers of contacts.
pub const CONTACTS: [usize; 4] = [1, 10, 100, 1000];
const RATE: f64 = 44_100.0;
/// Samples of one impact that are timed: fewer than it has.
const IMPACT: usize = 1000;

/// A mass strikes a bank of modes.
pub struct ModalFigure {
    /// Number of modes.
    pub modes: usize,
    /// In contact \[ns\].
    pub ns_per_sample: f64,
    /// In contact, with an exponent for which there is no short cut.
    pub ns_any_exponent: f64,
    /// In flight \[ns\].
    pub ns_in_flight: f64,
}

/// Many contacts at once.
pub struct ContactsFigure {
    /// Number of contacts.
    pub contacts: usize,
    /// So many masses, each on a floor of its own \[ns\].
    pub ns_apart: f64,
    /// A string lying on a floor with so many of its nodes \[ns\].
    pub ns_along: f64,
}

/// Measures a bank of modes.
pub fn modal(modes: usize, rounds: Rounds) -> ModalFigure {
    let [mut contact, mut any, mut flight] = [(1.5, 0.0), (1.3, 0.0), (1.5, -10.0)].map(|(exponent, position)| {
        let (mut simulation, _) = impact(modes, exponent, position);
        move || {
            simulation.reset();
            (0..IMPACT).for_each(|_| simulation.step());
        }
    });
    let found = best_medians(rounds, [&mut contact, &mut any, &mut flight]);
    let [ns_per_sample, ns_any_exponent, ns_in_flight] = found.map(|ns| ns / IMPACT as f64);
    ModalFigure { modes, ns_per_sample, ns_any_exponent, ns_in_flight }
}

/// Ten grams with felt on them strike a metal bar given by its modes: the contact is soft, so that it lasts.
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

/// Measures so many contacts.
pub fn contacts(count: usize, rounds: Rounds) -> ContactsFigure {
    let time = |mut simulation: Simulation| {
        let steps = steps_per_call(|| simulation.step());
        let [ns] = best_medians(rounds, [&mut || (0..steps).for_each(|_| simulation.step())]);
        ns / steps as f64
    };
    ContactsFigure { contacts: count, ns_apart: time(apart(count)), ns_along: time(along(count)) }
}

/// Balls that lie on the floor and tremble.
fn apart(count: usize) -> Simulation {
    let mut model = Model::new();
    let floor = model.add(Barrier::at(0.0));
    for i in 0..count {
        let ball = Mass { position: -1e-5 * (1.0 + i as f64 / count as f64), gravity: 9.81, ..Mass::default() };
        let ball = model.add(ball);
        model.collide(floor.point(), ball.point(), Collision { stiffness: 1e6, ..Collision::default() });
    }
    model.compile(RATE).expect("balls on a floor")
}

/// A string of so many moving nodes, a centimetre apart, pressed against a floor along its length.
fn along(count: usize) -> Simulation {
    // A grid has at least four intervals, so at least three nodes: of a single contact the others stay clear.
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
    fn mass_stays_in_contact_or_in_flight_for_as_long_as_is_timed() {
        for modes in MODES {
            for (exponent, position) in [(1.5, 0.0), (1.3, 0.0), (1.5, -10.0)] {
                let (mut simulation, contact) = impact(modes, exponent, position);
                simulation.step();
                for step in 1..IMPACT {
                    simulation.step();
                    let touches = simulation.force(contact) > 0.0;
                    assert_eq!(touches, position == 0.0, "{modes} modes, exponent {exponent}, sample {step}");
                }
            }
        }
    }

    #[test]
    fn there_are_as_many_contacts_as_are_counted() {
        for count in CONTACTS {
            assert!(apart(count).contact_blocks().eq(vec![1; count]), "{count} apart");
            assert!(along(count).contact_blocks().eq(vec![1; count]), "{count} along");
        }
    }
}
