//! Table IV: what a sample costs, in nanoseconds of this machine.
//!
//! In contact  the soft impact of Table I, whose contact is long: its first 1600 samples, again and again
//! In flight   the mass leaves the wall behind
//! Figure      the best of seven medians: other programs only ever make a sample slower

use super::cases::{RATE, case_1, case_2, soft};
use super::schemes::{SCHEMES, lone_mass};
use crate::bench::timing::{Rounds, min_of_medians};
use crate::study::impact::integration::integrate::{ForceLaw, HuntCrossley, Integrator, Method, Motion};
use percuss::Scheme;
use percuss::impact::Impact;
use std::hint::black_box;
use std::time::Duration;

/// Samples timed together: fewer than the contact has.
const BATCH: usize = 1600;
/// Medians taken.
const ROUNDS: u32 = 7;
/// What is timed.
pub const METHODS: [&str; 8] = ["am1", "verlet", "heun", "rk4", "corrected", "plain", "tracked", "newton"];

/// What a sample costs.
pub struct Cost {
    /// The method.
    pub method: &'static str,
    /// In contact \[ns\].
    pub contact: f64,
    /// In flight \[ns\].
    pub flight: f64,
}

/// Newton steps of AM1 per sample in contact.
pub struct Effort {
    /// `table_1`, `case1`, `case2`.
    pub case: &'static str,
    /// Mean.
    pub mean: f64,
    /// Most.
    pub most: u32,
}

/// Times one of the methods.
pub fn measure(method: &'static str, quick: bool) -> Cost {
    // 0.2 s for a method: seven rounds in contact, seven in flight.
    let round = Duration::from_micros(if quick { 500 } else { 14_000 });
    let scheme = SCHEMES.iter().find(|(name, _)| *name == method);
    let time = |flying: bool| match (scheme, method) {
        (Some(&(_, scheme)), _) => time_engine(scheme, flying, round),
        (None, "corrected") => time_classical(Method::Verlet, true, flying, round),
        (None, name) => time_classical(classical(name), false, flying, round),
    };
    Cost { method, contact: time(false), flight: time(true) }
}

fn classical(name: &str) -> Method {
    Method::ALL.into_iter().find(|method| method.name() == name).expect("one of the four")
}

/// Nanoseconds per sample of a batch: the best of the rounds' medians.
fn best_median(round: Duration, mut batch: impl FnMut()) -> f64 {
    let [ns] = min_of_medians(Rounds { count: ROUNDS, duration: round }, [&mut batch]);
    ns / BATCH as f64
}

/// Where a batch starts: at the wall, or beyond it and leaving.
fn start(flying: bool) -> (f64, f64) {
    if flying { (-1.0, -soft().speed()) } else { (0.0, soft().speed()) }
}

fn time_classical(method: Method, hybrid: bool, flying: bool, round: Duration) -> f64 {
    let (impact, (x, v)) = (soft(), start(flying));
    let mut integrator = Integrator::of(method, &impact, RATE);
    best_median(round, || {
        let mut motion = black_box(Motion { x, v, f: 0.0 });
        for _ in 0..BATCH {
            motion = black_box(integrator.advance(motion));
            if hybrid && motion.x > 0.0 {
                motion = on_the_curve(&impact, &integrator.law, motion);
            }
        }
        black_box(motion);
    })
}

/// The hybrid correction: x from v, and the force that belongs to it.
fn on_the_curve(impact: &Impact, law: &HuntCrossley, motion: Motion) -> Motion {
    let v = motion.v.clamp(impact.exit_velocity(), impact.speed());
    let x = impact.compression(v);
    black_box(Motion { x, v: motion.v, f: law.force(x, v) })
}

fn time_engine(scheme: Scheme, flying: bool, round: Duration) -> f64 {
    let (position, velocity) = start(flying);
    let (mut simulation, _) = lone_mass(scheme, &soft(), position, velocity);
    best_median(round, || {
        simulation.reset();
        for _ in 0..BATCH {
            black_box(&mut simulation).step();
        }
    })
}

/// Counts AM1's Newton steps in contact.
pub fn newton_effort() -> Vec<Effort> {
    let count = |(case, impact): (&'static str, Impact)| {
        let mut integrator = Integrator::of(Method::Am1, &impact, RATE);
        let (mut motion, mut samples) = (Motion { x: 0.0, v: impact.speed(), f: 0.0 }, 0_u32);
        while samples == 0 || motion.x > 0.0 {
            motion = integrator.advance(motion);
            samples += 1;
        }
        let mean = integrator.newton_steps as f64 / f64::from(samples);
        Effort { case, mean, most: integrator.most_newton_steps }
    };
    [("table_1", soft()), ("case1", case_1()), ("case2", case_2())].into_iter().map(count).collect()
}
