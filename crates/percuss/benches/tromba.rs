//! What a stepper for the tromba marina alone would save: the notes' fast form (Willemsen 2019, sec. 7.2) beside the
//! general solver, on the same instrument, with its contacts and without (`apart`).
//!
//! `cargo bench -p percuss --bench tromba` prints the time of a sample, by the best of many rounds taken in turn.
//! With the name of a way and a number of samples it takes these alone, so that instructions may be counted: those of
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

use fast::Fast;
use notes::Wire;
use notes::board::Board;
use percuss::*;
use std::time::Instant;
use tromba::{Joint, RATE, Tromba};

const WAYS: [&str; 5] = ["apart", "plain", "tracked", "fast-apart", "fast"];
const ROUNDS: usize = 400;
/// Of a round: short enough to fit between what else a machine does.
const SAMPLES: usize = 500;

/// One way to take a sample.
enum Way {
    General(Box<Simulation>),
    Fast(Box<Fast>),
    FastApart(Box<Fast>),
}

impl Way {
    fn named(name: &str) -> Option<Self> {
        let tromba = Tromba::new(Joint::POTENTIAL);
        let general = |scheme| Box::new(tromba.build(scheme).model.compile(RATE).unwrap());
        let apart = tromba.apart(Scheme::Plain);
        let alone = apart.model.compile(RATE).unwrap();
        let [string, _, board] = apart.bodies;
        let wire = Wire::of(&tromba.string, string, &alone);
        let fast = Box::new(Fast::new(&tromba, &wire, &Board::of(&tromba.board, board, &alone)));
        Some(match name {
            "apart" => Self::General(Box::new(alone)),
            "plain" => Self::General(general(Scheme::Plain)),
            "tracked" => Self::General(general(Scheme::Tracked)),
            "fast-apart" => Self::FastApart(fast),
            "fast" => Self::Fast(fast),
            _ => return None,
        })
    }

    fn take(&mut self, samples: usize) {
        for _ in 0..samples {
            match self {
                Self::General(sim) => sim.step(),
                Self::Fast(fast) => fast.step(),
                Self::FastApart(fast) => fast.step_apart(),
            }
        }
    }
}

/// Nanoseconds of a sample, by each way.
fn best_times() -> [f64; WAYS.len()] {
    let mut ways = WAYS.map(|name| Way::named(name).expect("one of the names"));
    let mut best = [f64::INFINITY; WAYS.len()];
    for _ in 0..ROUNDS {
        for (way, best) in ways.iter_mut().zip(&mut best) {
            let start = Instant::now();
            way.take(SAMPLES);
            *best = best.min(start.elapsed().as_secs_f64() * 1e9 / SAMPLES as f64);
        }
    }
    best
}

fn main() {
    let typed: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if let [name, samples] = &typed[..] {
        let samples = samples.parse().expect("the second word is a number of samples");
        return Way::named(name).unwrap_or_else(|| panic!("the first word is one of {WAYS:?}")).take(samples);
    }
    for (name, time) in WAYS.iter().zip(best_times()) {
        println!("{name:10}  {time:6.0} ns a sample");
    }
}
