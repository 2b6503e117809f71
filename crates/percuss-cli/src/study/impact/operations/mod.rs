//! Extension of Table IV: operations per sample, counted by running the equations on a counting number type.
//!
//! In contact  the mean over the samples of a contact, including all iterations and corrections
//! In flight   a sample of a mass that moves away from the wall
//! Deviation   the largest difference of the counted equations from percuss itself, over x_max: zero to rounding while both
//!             are the same equations

mod classical;
mod counted;
mod schemes;
mod tracked;

use super::cases::{RATE, case_1, case_2, non_critical};
use super::schemes::{SCHEMES, mass_and_wall};
use crate::study::impact::integration::integrators::{Integrator, Method, Motion};
use classical::{ClassicalStepper, MotionState};
pub use counted::Operations;
use counted::{CountedNumber, Number, count_operations};
use percuss::Scheme;
use percuss::impact::Impact;
use schemes::{PenetrationState, SchemeStepper};

/// Largest number of samples of a contact.
const MAX_SAMPLES: usize = 100_000;

/// Operations of a method.
pub struct OperationCount {
    /// Method.
    pub method: &'static str,
    /// Operations per sample in contact, in the cases of [`CASES`].
    pub contact: Vec<f64>,
    /// Operations of the whole contact in the first case, by kind.
    pub kinds: Operations,
    /// Samples of that contact.
    pub samples: usize,
    /// Operations in flight.
    pub flight: u64,
    /// Largest difference of the counted equations from percuss in the first case, over x_max.
    pub deviation: f64,
}

/// Names of the impacts in which operations are counted.
pub const CASES: [&str; 3] = ["table_1", "case1", "case2"];

/// Counts the operations of all methods.
pub fn measure() -> Vec<OperationCount> {
    let impacts = [non_critical(), case_1(), case_2()];
    let classical = |method: Method, corrected: bool| {
        let runs = impacts
            .map(|impact| contact(start::<CountedNumber>(&impact, 0.0), |now| step(method, corrected, &impact, now)));
        let (_, flight) = count_operations(|| {
            step(method, corrected, &non_critical(), start::<CountedNumber>(&non_critical(), -1.0))
        });
        let deviation = if corrected { 0.0 } else { classical_deviation(method, &non_critical()) };
        count(if corrected { "corrected" } else { method.name() }, &runs, flight, deviation)
    };
    let engine = |(name, scheme): (&'static str, Scheme)| {
        let runs = impacts.map(|impact| {
            let law = SchemeStepper::<CountedNumber>::new(&impact, RATE);
            contact(PenetrationState::start(&impact, RATE), |now| {
                let next = law.step(scheme, now);
                (next, next.eta.value())
            })
        });
        let law = SchemeStepper::<CountedNumber>::new(&non_critical(), RATE);
        let (_, flight) = count_operations(|| law.step(scheme, PenetrationState::leaving(&non_critical(), RATE)));
        count(name, &runs, flight, engine_deviation(scheme, &non_critical()))
    };
    let study = Method::ALL.map(|method| classical(method, false));
    study.into_iter().chain([classical(Method::Verlet, true)]).chain(SCHEMES.map(engine)).collect()
}

fn count(method: &'static str, runs: &[(Operations, usize)], flight: Operations, deviation: f64) -> OperationCount {
    let contact = runs.iter().map(|(operations, samples)| operations.total() as f64 / *samples as f64).collect();
    let (kinds, samples) = runs[0];
    OperationCount { method, contact, kinds, samples, flight: flight.total(), deviation }
}

/// Operations from first touch to release, and the number of samples.
fn contact<S: Copy>(start: S, step: impl Fn(S) -> (S, f64)) -> (Operations, usize) {
    let (mut state, mut all) = (start, Operations::default());
    for sample in 1..MAX_SAMPLES {
        let ((next, x), operations) = count_operations(|| step(state));
        all += operations;
        state = next;
        if x <= 0.0 {
            return (all, sample);
        }
    }
    (all, MAX_SAMPLES)
}

fn start<N: Number>(impact: &Impact, x: f64) -> MotionState<N> {
    let v = if x < 0.0 { -impact.speed() } else { impact.speed() };
    MotionState { x: N::of(x), v: N::of(v), f: N::of(0.0) }
}

fn step<N: Number>(method: Method, corrected: bool, impact: &Impact, now: MotionState<N>) -> (MotionState<N>, f64) {
    let wall = ClassicalStepper::new(impact, RATE);
    let next = wall.advance(method, now);
    let touching = corrected && next.x > N::of(0.0);
    let next = if touching && next.v.value() > impact.exit_velocity() { wall.hybrid_correction(next) } else { next };
    (next, next.x.value())
}

/// Largest difference between the counted equations and percuss's integrator in contact, over x_max.
fn classical_deviation(method: Method, impact: &Impact) -> f64 {
    let mut integrator = Integrator::for_impact(method, impact, RATE);
    let mut motion = Motion { x: 0.0, v: impact.speed(), f: 0.0 };
    let mut counted: MotionState<f64> = start(impact, 0.0);
    let mut max_difference = 0.0_f64;
    for _ in 0..MAX_SAMPLES {
        motion = integrator.advance(motion);
        counted = step(method, false, impact, counted).0;
        max_difference = max_difference.max((motion.x - counted.x).abs());
        if motion.x <= 0.0 {
            break;
        }
    }
    max_difference / impact.max_compression()
}

/// Largest difference between the counted equations and the engine in contact, over x_max.
fn engine_deviation(scheme: Scheme, impact: &Impact) -> f64 {
    let (mut simulation, mass) = mass_and_wall(scheme, impact, 0.0, impact.speed());
    let law = SchemeStepper::<f64>::new(impact, RATE);
    let mut counted = PenetrationState::start(impact, RATE);
    let mut max_difference = 0.0_f64;
    for _ in 0..MAX_SAMPLES {
        simulation.step();
        counted = law.step(scheme, counted);
        let displacement = simulation.displacement(mass, 0);
        max_difference = max_difference.max((displacement - counted.eta).abs());
        if displacement <= 0.0 {
            break;
        }
    }
    max_difference / impact.max_compression()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Covers long contacts and those that are integrated within the step.
    #[test]
    fn counted_equations_agree_with_the_engine() {
        for (case, impact) in CASES.into_iter().zip([non_critical(), case_1(), case_2()]) {
            for (name, scheme) in SCHEMES {
                let deviation = engine_deviation(scheme, &impact);
                println!("{case} {name}: {deviation:.1e}");
                assert!(deviation < 1e-9, "{case}: the counted {name} differs from the engine: {deviation:e}");
            }
        }
    }
}
