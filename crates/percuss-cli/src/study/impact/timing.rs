//! Table IV: time per sample of each method on this machine.
//!
//! In contact  the first 1600 samples of the long contact of Table I, repeatedly
//! In flight   the mass moves away from the wall
//! Result      the smallest of seven medians: other processes only make a sample slower

use super::cases::{RATE, case_1, case_2, non_critical};
use super::schemes::{SCHEMES, mass_and_wall};
use crate::bench::timing::{TimingRounds, min_of_medians};
use crate::study::impact::integration::integrators::{ForceLaw, HuntCrossley, Integrator, Method, Motion};
use percuss::Scheme;
use percuss::impact::Impact;
use std::hint::black_box;
use std::time::Duration;

/// Samples per timed batch: fewer than the contact lasts.
const SAMPLES_PER_BATCH: usize = 1600;
/// Number of medians.
const TIMING_ROUNDS: u32 = 7;
/// Methods that are timed.
pub const METHODS: [&str; 8] = ["am1", "verlet", "heun", "rk4", "corrected", "plain", "tracked", "newton"];

/// Time per sample of a method.
pub struct SampleCost {
    /// Method.
    pub method: &'static str,
    /// In contact \[ns\].
    pub contact: f64,
    /// In flight \[ns\].
    pub flight: f64,
}

/// Newton iterations of AM1 per sample in contact.
pub struct NewtonIterations {
    /// `table_1`, `case1`, `case2`.
    pub case: &'static str,
    /// Mean.
    pub mean: f64,
    /// Maximum.
    pub max: u32,
}

/// Times one of the methods.
pub fn measure(method: &'static str, quick: bool) -> SampleCost {
    // 0.2 s per method: seven rounds in contact, seven in flight.
    let round = Duration::from_micros(if quick { 500 } else { 14_000 });
    let scheme = SCHEMES.iter().find(|(name, _)| *name == method);
    let time = |flying: bool| match (scheme, method) {
        (Some(&(_, scheme)), _) => time_engine(scheme, flying, round),
        (None, "corrected") => time_classical(Method::Verlet, true, flying, round),
        (None, name) => time_classical(classical(name), false, flying, round),
    };
    SampleCost { method, contact: time(false), flight: time(true) }
}

fn classical(name: &str) -> Method {
    Method::ALL.into_iter().find(|method| method.name() == name).expect("one of the four")
}

/// Time per sample \[ns\]: the smallest of the rounds' medians.
fn min_of_medians_per_sample(round: Duration, mut batch: impl FnMut()) -> f64 {
    let [ns] = min_of_medians(TimingRounds { count: TIMING_ROUNDS, duration: round }, [&mut batch]);
    ns / SAMPLES_PER_BATCH as f64
}

/// Position and velocity at the start of a batch: at the wall, or away from it and leaving.
fn start(flying: bool) -> (f64, f64) {
    if flying { (-1.0, -non_critical().speed()) } else { (0.0, non_critical().speed()) }
}

fn time_classical(method: Method, hybrid: bool, flying: bool, round: Duration) -> f64 {
    let (impact, (x, v)) = (non_critical(), start(flying));
    let mut integrator = Integrator::for_impact(method, &impact, RATE);
    min_of_medians_per_sample(round, || {
        let mut motion = black_box(Motion { x, v, f: 0.0 });
        for _ in 0..SAMPLES_PER_BATCH {
            motion = black_box(integrator.advance(motion));
            if hybrid && motion.x > 0.0 {
                motion = hybrid_correction(&impact, &integrator.law, motion);
            }
        }
        black_box(motion);
    })
}

/// The hybrid correction: x from v, and the corresponding force.
fn hybrid_correction(impact: &Impact, law: &HuntCrossley, motion: Motion) -> Motion {
    let v = motion.v.clamp(impact.exit_velocity(), impact.speed());
    let x = impact.compression(v);
    black_box(Motion { x, v: motion.v, f: law.force(x, v) })
}

fn time_engine(scheme: Scheme, flying: bool, round: Duration) -> f64 {
    let (position, velocity) = start(flying);
    let (mut simulation, _) = mass_and_wall(scheme, &non_critical(), position, velocity);
    min_of_medians_per_sample(round, || {
        simulation.reset();
        for _ in 0..SAMPLES_PER_BATCH {
            black_box(&mut simulation).step();
        }
    })
}

/// Counts the Newton iterations of AM1 in contact.
pub fn newton_iterations() -> Vec<NewtonIterations> {
    let count = |(case, impact): (&'static str, Impact)| {
        let mut integrator = Integrator::for_impact(Method::Am1, &impact, RATE);
        let (mut motion, mut samples) = (Motion { x: 0.0, v: impact.speed(), f: 0.0 }, 0_u32);
        while samples == 0 || motion.x > 0.0 {
            motion = integrator.advance(motion);
            samples += 1;
        }
        let mean = integrator.newton_iterations as f64 / f64::from(samples);
        NewtonIterations { case, mean, max: integrator.max_newton_iterations }
    };
    [("table_1", non_critical()), ("case1", case_1()), ("case2", case_2())].into_iter().map(count).collect()
}
