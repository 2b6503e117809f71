//! Table IV for our methods: operations per sample, counted by running the equations on numbers that count.
//!
//! In contact  the mean over the samples of a contact, so that iterations and aims count as often as they are taken
//! In flight   a sample of a mass that leaves the wall behind
//! Agreement   how far the counted equations stray from what percuss itself does, over x_max: nil but for rounding, unless
//!             percuss has learned something since they were written down here

mod classical;
mod counted;
mod schemes;
mod tracked;

use super::cases::{RATE, case_1, case_2, soft};
use super::schemes::{SCHEMES, lone_mass};
use crate::study::impact::integration::integrate::{Integrator, Method, Motion};
use classical::{Moving, Wall};
pub use counted::Operations;
use counted::{Counted, Number, counting};
use percuss::Scheme;
use percuss::impact::Impact;
use schemes::{Contact, Penetration};

/// Samples after which a contact is given up.
const MOST_SAMPLES: usize = 100_000;

/// What a method needs for a sample.
pub struct Count {
    /// The method.
    pub method: &'static str,
    /// Operations per sample in contact, in the cases of [`CASES`].
    pub contact: Vec<f64>,
    /// The operations of the whole contact in the first case, by kind.
    pub kinds: Operations,
    /// Its samples.
    pub samples: usize,
    /// Operations in flight.
    pub flight: u64,
    /// How far the counted equations stray from percuss itself in the first case, over x_max.
    pub stray: f64,
}

/// Names of the impacts in which operations are counted.
pub const CASES: [&str; 3] = ["table_1", "case1", "case2"];

/// Counts all methods.
pub fn measure() -> Vec<Count> {
    let impacts = [soft(), case_1(), case_2()];
    let classical = |method: Method, corrected: bool| {
        let runs =
            impacts.map(|impact| contact(start::<Counted>(&impact, 0.0), |now| step(method, corrected, &impact, now)));
        let (_, flight) = counting(|| step(method, corrected, &soft(), start::<Counted>(&soft(), -1.0)));
        let stray = if corrected { 0.0 } else { classical_stray(method, &soft()) };
        count(if corrected { "corrected" } else { method.name() }, &runs, flight, stray)
    };
    let engine = |(name, scheme): (&'static str, Scheme)| {
        let runs = impacts.map(|impact| {
            let law = Contact::<Counted>::new(&impact, RATE);
            contact(Penetration::start(&impact, RATE), |now| {
                let next = law.step(scheme, now);
                (next, next.eta.value())
            })
        });
        let law = Contact::<Counted>::new(&soft(), RATE);
        let (_, flight) = counting(|| law.step(scheme, Penetration::leaving(&soft(), RATE)));
        count(name, &runs, flight, engine_stray(scheme, &soft()))
    };
    let study = Method::ALL.map(|method| classical(method, false));
    study.into_iter().chain([classical(Method::Verlet, true)]).chain(SCHEMES.map(engine)).collect()
}

fn count(method: &'static str, runs: &[(Operations, usize)], flight: Operations, stray: f64) -> Count {
    let contact = runs.iter().map(|(operations, samples)| operations.total() as f64 / *samples as f64).collect();
    let (kinds, samples) = runs[0];
    Count { method, contact, kinds, samples, flight: flight.total(), stray }
}

/// Operations from first touch until the mass is off, and the number of samples.
fn contact<S: Copy>(start: S, step: impl Fn(S) -> (S, f64)) -> (Operations, usize) {
    let (mut state, mut all) = (start, Operations::default());
    for sample in 1..MOST_SAMPLES {
        let ((next, x), operations) = counting(|| step(state));
        all += operations;
        state = next;
        if x <= 0.0 {
            return (all, sample);
        }
    }
    (all, MOST_SAMPLES)
}

fn start<N: Number>(impact: &Impact, x: f64) -> Moving<N> {
    let v = if x < 0.0 { -impact.speed() } else { impact.speed() };
    Moving { x: N::of(x), v: N::of(v), f: N::of(0.0) }
}

fn step<N: Number>(method: Method, corrected: bool, impact: &Impact, now: Moving<N>) -> (Moving<N>, f64) {
    let wall = Wall::new(impact, RATE);
    let next = wall.advance(method, now);
    let touching = corrected && next.x > N::of(0.0);
    let next = if touching && next.v.value() > impact.exit_velocity() { wall.on_the_curve(next) } else { next };
    (next, next.x.value())
}

/// Largest distance between the counted equations and percuss's integrator in contact, over x_max.
fn classical_stray(method: Method, impact: &Impact) -> f64 {
    let mut integrator = Integrator::of(method, impact, RATE);
    let mut motion = Motion { x: 0.0, v: impact.speed(), f: 0.0 };
    let mut own: Moving<f64> = start(impact, 0.0);
    let mut most = 0.0_f64;
    for _ in 0..MOST_SAMPLES {
        motion = integrator.advance(motion);
        own = step(method, false, impact, own).0;
        most = most.max((motion.x - own.x).abs());
        if motion.x <= 0.0 {
            break;
        }
    }
    most / impact.max_compression()
}

/// Largest distance between the counted equations and the engine in contact, over x_max.
fn engine_stray(scheme: Scheme, impact: &Impact) -> f64 {
    let (mut simulation, mass) = lone_mass(scheme, impact, 0.0, impact.speed());
    let law = Contact::<f64>::new(impact, RATE);
    let mut own = Penetration::start(impact, RATE);
    let mut most = 0.0_f64;
    for _ in 0..MOST_SAMPLES {
        simulation.step();
        own = law.step(scheme, own);
        let there = simulation.displacement(mass, 0);
        most = most.max((there - own.eta).abs());
        if there <= 0.0 {
            break;
        }
    }
    most / impact.max_compression()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Long contacts and those that are followed within the step.
    #[test]
    fn counted_equations_are_those_of_the_engine_in_every_case() {
        for (case, impact) in CASES.into_iter().zip([soft(), case_1(), case_2()]) {
            for (name, scheme) in SCHEMES {
                let stray = engine_stray(scheme, &impact);
                println!("{case} {name}: {stray:.1e}");
                assert!(stray < 1e-9, "{case}: the counted {name} is not ours: {stray:e}");
            }
        }
    }
}
