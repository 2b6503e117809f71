//! What a stepper for the tromba marina alone would save: the notes' fast form (Willemsen 2019, sec. 7.2) beside the
//! general solver, on the same instrument, with its contacts and without (`apart`).
//!
//! `cargo bench -p percuss --bench tromba` prints the time of a sample, by the best of many rounds taken in turn.
//! With the name of a stepper and a number of samples it runs these alone, so that instructions may be counted: those of
//! 30000 samples less those of 10000, over 20000, are those of a sample under the bow.

#[path = "../tests/notes/fast.rs"]
#[allow(dead_code)] // a part of what the tests use
mod fast;
#[path = "../tests/notes/mod.rs"]
#[allow(dead_code)]
mod notes;
#[path = "../tests/models/tromba.rs"]
#[allow(dead_code)]
mod tromba;

use fast::PrecomputedStepper;
use notes::NotesString;
use notes::board::NotesPlate;
use percuss::*;
use std::time::Instant;
use tromba::{Joint, RATE, Tromba};

const STEPPERS: [&str; 5] = ["apart", "plain", "tracked", "fast-apart", "fast"];
const ROUNDS: usize = 400;
/// Of a round: short enough to fit between what else a machine does.
const SAMPLES: usize = 500;

/// A stepper of the instrument.
enum Stepper {
    General(Box<Simulation>),
    Precomputed(Box<PrecomputedStepper>),
    PrecomputedUncoupled(Box<PrecomputedStepper>),
}

impl Stepper {
    fn named(name: &str) -> Option<Self> {
        let tromba = Tromba::new(Joint::POTENTIAL);
        let general = |scheme| Box::new(tromba.build(scheme).model.compile(RATE).unwrap());
        let without_contacts = tromba.without_contacts(Scheme::Plain);
        let alone = without_contacts.model.compile(RATE).unwrap();
        let [string, _, board] = without_contacts.bodies;
        let wire = NotesString::of(&tromba.string, string, &alone);
        let fast = Box::new(PrecomputedStepper::new(&tromba, &wire, &NotesPlate::of(&tromba.board, board, &alone)));
        Some(match name {
            "apart" => Self::General(Box::new(alone)),
            "plain" => Self::General(general(Scheme::Plain)),
            "tracked" => Self::General(general(Scheme::Tracked)),
            "fast-apart" => Self::PrecomputedUncoupled(fast),
            "fast" => Self::Precomputed(fast),
            _ => return None,
        })
    }

    fn run_samples(&mut self, samples: usize) {
        for _ in 0..samples {
            match self {
                Self::General(sim) => sim.step(),
                Self::Precomputed(fast) => fast.step(),
                Self::PrecomputedUncoupled(fast) => fast.step_uncoupled(),
            }
        }
    }
}

/// Nanoseconds per sample of each stepper.
fn best_times() -> [f64; STEPPERS.len()] {
    let mut steppers = STEPPERS.map(|name| Stepper::named(name).expect("one of the names"));
    let mut best = [f64::INFINITY; STEPPERS.len()];
    for _ in 0..ROUNDS {
        for (stepper, best) in steppers.iter_mut().zip(&mut best) {
            let start = Instant::now();
            stepper.run_samples(SAMPLES);
            *best = best.min(start.elapsed().as_secs_f64() * 1e9 / SAMPLES as f64);
        }
    }
    best
}

fn main() {
    let typed: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if let [name, samples] = &typed[..] {
        let samples = samples.parse().expect("the second word is a number of samples");
        return Stepper::named(name)
            .unwrap_or_else(|| panic!("the first word is one of {STEPPERS:?}"))
            .run_samples(samples);
    }
    for (name, time) in STEPPERS.iter().zip(best_times()) {
        println!("{name:10}  {time:6.0} ns a sample");
    }
}
