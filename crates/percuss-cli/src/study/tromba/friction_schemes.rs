//! Friction schemes at 44.1 kHz: lagged friction and the engine's schemes, compared with a reference at 16 times the rate.
//!
//! The string is that of the preset between nut and bridge, without stiffness and with fixed ends: only friction is
//! nonlinear. It starts in Helmholtz motion. Its damping σ₁ is the published one: with that of the preset, a tenth of it,
//! ripples of the start decay so slowly that periods differ. The reference has the finest grid of its rate.

use super::bowed_string::{BowedString, FrictionUpdate, LAGGED_FRICTION};
use super::mean_period::MeanPeriod;
use super::motion::BowedMotion;
use super::stroke::{self, BOW_VELOCITY};
use super::{RATE, parallel_map};
use crate::modes::pitch::cents;
use crate::progress::TaskProgress;
use percuss::*;

/// Oversampling of the reference.
pub const OVERSAMPLING: usize = 16;
/// Bow forces \[N\].
pub const FORCES: [f64; 4] = [0.1, 0.2, 0.3, 0.5];
/// Published damping σ₁ \[m²/s\].
const SIGMA1: f64 = 0.05;
/// Position of the bow as a fraction of the string: that of the preset, rounded to a node.
const BOW_POSITION: f64 = 0.242;
/// Duration of the bowing, and of the analysed part at its end \[s\].
const SECONDS: f64 = 0.8;
const ANALYSED_SECONDS: f64 = 0.3;

/// Simulation method.
#[derive(Clone, Copy)]
enum FrictionMethod {
    /// A string outside the engine.
    OutsideEngine(FrictionUpdate),
    /// A scheme of the engine, at a multiple of the rate.
    Engine(Scheme, usize),
}

/// Methods that are compared; the reference comes first.
const METHODS: [(&str, FrictionMethod); 5] = [
    ("reference", FrictionMethod::Engine(Scheme::Tracked, OVERSAMPLING)),
    ("lagged", FrictionMethod::OutsideEngine(LAGGED_FRICTION)),
    ("plain", FrictionMethod::Engine(Scheme::Plain, 1)),
    ("tracked", FrictionMethod::Engine(Scheme::Tracked, 1)),
    ("newton", FrictionMethod::Engine(Scheme::Newton, 1)),
];
/// Number of simulations.
pub const TASK_COUNT: usize = METHODS.len() * FORCES.len();

/// Result of one method at one force.
pub struct FrictionResult {
    /// Bow force \[N\].
    pub force: f64,
    /// Method, such as `lagged`.
    pub method: &'static str,
    /// Motion of the string.
    pub motion: BowedMotion,
    /// Mean period of the velocity under the bow.
    pub mean_period: MeanPeriod,
    /// Pitch error relative to the reference \[cents\].
    pub cents: f64,
    /// Rms difference of the mean period from that of the reference, over the rms of the reference.
    pub error: f64,
}

/// Results of all forces and methods; the reference of each force comes first.
pub fn measure(progress: &TaskProgress) -> Vec<FrictionResult> {
    // The references take longest: they are started first, so that no core waits for one at the end.
    let tasks: Vec<_> = METHODS.iter().flat_map(|&method| FORCES.map(|force| (method, force))).collect();
    let velocities = parallel_map(&tasks, |&((name, method), force)| {
        progress.run_task(format!("bow with {force} N, {name}"), || velocity(method, force))
    });
    let mut results = Vec::new();
    for (column, force) in FORCES.into_iter().enumerate() {
        let velocity_of = |row: usize| &velocities[row * FORCES.len() + column];
        let reference = MeanPeriod::new(velocity_of(0), BOW_VELOCITY, stroke::max_friction_slip());
        for (row, (method, _)) in METHODS.into_iter().enumerate() {
            let mean_period = MeanPeriod::new(velocity_of(row), BOW_VELOCITY, stroke::max_friction_slip());
            let motion = BowedMotion::new(
                velocity_of(row),
                BOW_VELOCITY,
                stroke::max_friction_slip(),
                1.0 / stroke::first_partial(),
            );
            let (cents, error) = (cents(mean_period.period, reference.period), mean_period.error(&reference));
            results.push(FrictionResult { force, method, motion, mean_period, cents, error });
        }
    }
    results
}

/// The string in Helmholtz motion with its corner at the nut: it rotates about its far end.
fn string() -> StiffString {
    let velocity = Shape::Triangle { at: 0.008, height: -BOW_VELOCITY / BOW_POSITION };
    StiffString { youngs_modulus: 0.0, sigma1: SIGMA1, velocity, ..stroke::string() }
}

/// Simulation of the string without bow at 44.1 kHz, at its start.
fn compile_string(string: &StiffString) -> (Simulation, ElementId) {
    let mut model = Model::new();
    let element = model.add(string.clone());
    (model.compile(RATE).expect("the preset's string compiles"), element)
}

/// Velocity δt·u under the bow \[m/s\] at 44.1 kHz, in the analysed part.
fn velocity(method: FrictionMethod, force: f64) -> Vec<f64> {
    let string = string();
    let (simulation, element) = compile_string(&string);
    let intervals = simulation.grid(element).expect("a string has a grid").intervals;
    let node = (BOW_POSITION * intervals as f64).round() as usize;
    let steps = (SECONDS * RATE) as usize;
    let displacements = match method {
        FrictionMethod::OutsideEngine(update) => {
            let bow = [force, BOW_VELOCITY];
            let mut string = BowedString::new((&string, element), &simulation, node, bow, update);
            (0..steps).map(|_| string.step()).collect()
        }
        FrictionMethod::Engine(scheme, oversampling) => {
            engine(&string, node as f64 / intervals as f64, force, scheme, oversampling)
        }
    };
    let analysed: &[f64] = &displacements[steps - (ANALYSED_SECONDS * RATE) as usize..];
    analysed.windows(3).map(|three| 0.5 * (three[2] - three[0]) * RATE).collect()
}

/// Displacement under the bow at 44.1 kHz.
fn engine(string: &StiffString, at: f64, force: f64, scheme: Scheme, oversampling: usize) -> Vec<f64> {
    let mut model = Model::new();
    model.scheme = scheme;
    let place = model.add(string.clone()).at(at);
    model.bow(place, Bow { force: force.into(), velocity: BOW_VELOCITY.into(), friction: Friction::default() });
    let pickup = model.pickup(place, Quantity::Displacement);
    let mut simulation = model.compile(RATE * oversampling as f64).expect("the preset's string compiles");
    let mut sample = || {
        (0..oversampling).for_each(|_| simulation.step());
        simulation.read(pickup)
    };
    (0..(SECONDS * RATE) as usize).map(|_| sample()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::bowed_string::FrictionIteration;
    use super::*;

    #[test]
    fn string_outside_the_engine_agrees_with_the_engine() {
        let methods = [
            (Scheme::Plain, FrictionIteration::Fixed(0)),
            (Scheme::Tracked, FrictionIteration::Solved),
            (Scheme::Newton, FrictionIteration::Fixed(60)),
        ];
        for (scheme, iteration) in methods {
            let outside =
                velocity(FrictionMethod::OutsideEngine(FrictionUpdate { extrapolates: true, iteration }), 0.2);
            let engine = velocity(FrictionMethod::Engine(scheme, 1), 0.2);
            let difference = outside.iter().zip(&engine).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            println!("{scheme:?}: {difference:.1e} m/s apart");
            assert!(difference < 1e-10, "{scheme:?}: {difference}");
        }
    }
}
