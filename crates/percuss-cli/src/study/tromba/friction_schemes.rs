//! The bow at 44.1 kHz: friction at the last slip, as percuss takes it, and iterated, against 16 times as many steps.
//!
//! The string is that of the preset between nut and bridge, flexible, held at both ends: nothing but friction is
//! nonlinear. It starts in Helmholtz motion. It has the published loss σ₁: under that of the preset, a tenth, ripples of
//! the start live so long that no period is like the next. The reference has the finest grid its rate allows.

use super::bowed_string::{BowedString, LAGGED, Treatment};
use super::mean_period::Wave;
use super::motion::Motion;
use super::stroke::{self, BOW_VELOCITY};
use super::{RATE, each};
use crate::modes::pitch::cents;
use crate::progress::TaskProgress;
use percuss::*;

/// How much finer the reference steps.
pub const OVERSAMPLING: usize = 16;
/// Bow forces \[N\].
pub const FORCES: [f64; 4] = [0.1, 0.2, 0.3, 0.5];
/// Published loss σ₁ \[m²/s\].
const LOSS: f64 = 0.05;
/// The bow, as a fraction of the string: that of the preset, on the nearest node.
const BOWED_AT: f64 = 0.242;
/// For how long it is bowed, and how much of the end is judged \[s\].
const SECONDS: f64 = 0.8;
const JUDGED: f64 = 0.3;

/// How friction is treated.
#[derive(Clone, Copy)]
enum Way {
    /// By a string outside the engine.
    Outside(Treatment),
    /// By a scheme of the engine, at a multiple of the rate.
    Engine(Scheme, usize),
}

/// What is compared; the reference first.
const WAYS: [(&str, Way); 5] = [
    ("reference", Way::Engine(Scheme::Tracked, OVERSAMPLING)),
    ("lagged", Way::Outside(LAGGED)),
    ("plain", Way::Engine(Scheme::Plain, 1)),
    ("tracked", Way::Engine(Scheme::Tracked, 1)),
    ("newton", Way::Engine(Scheme::Newton, 1)),
];
/// Pieces of work.
pub const PIECES: usize = WAYS.len() * FORCES.len();

/// What came of one way under one force.
pub struct Outcome {
    /// Bow force \[N\].
    pub force: f64,
    /// `lagged` and so on.
    pub way: &'static str,
    /// What the string does.
    pub motion: Motion,
    /// A period of the velocity under the bow, and its length.
    pub wave: Wave,
    /// How much higher than the reference \[cents\].
    pub cents: f64,
    /// Root mean square of its difference from the reference over that of the reference.
    pub error: f64,
}

/// Everything, force by force; in each the reference comes first.
pub fn measure(progress: &TaskProgress) -> Vec<Outcome> {
    // The references take longest: they come first, so that no core waits for one at the end.
    let pieces: Vec<_> = WAYS.iter().flat_map(|&way| FORCES.map(|force| (way, force))).collect();
    let heard = each(&pieces, |&((name, way), force)| {
        progress.run_task(format!("bow with {force} N, {name}"), || velocity(way, force))
    });
    let mut outcomes = Vec::new();
    for (column, force) in FORCES.into_iter().enumerate() {
        let of_way = |row: usize| &heard[row * FORCES.len() + column];
        let reference = Wave::new(of_way(0), BOW_VELOCITY, stroke::grip());
        for (row, (way, _)) in WAYS.into_iter().enumerate() {
            let wave = Wave::new(of_way(row), BOW_VELOCITY, stroke::grip());
            let motion = Motion::new(of_way(row), BOW_VELOCITY, stroke::grip(), 1.0 / stroke::first_partial());
            let (cents, error) = (cents(wave.period, reference.period), wave.error(&reference));
            outcomes.push(Outcome { force, way, motion, wave, cents, error });
        }
    }
    outcomes
}

/// The string in Helmholtz motion, its corner at the nut: it turns about its far end.
fn string() -> StiffString {
    let velocity = Shape::Triangle { at: 0.008, height: -BOW_VELOCITY / BOWED_AT };
    StiffString { youngs_modulus: 0.0, sigma1: LOSS, velocity, ..stroke::string() }
}

/// The string by itself, ready to go at 44.1 kHz.
fn alone(string: &StiffString) -> (Simulation, ElementId) {
    let mut model = Model::new();
    let handle = model.add(string.clone());
    (model.compile(RATE).expect("the preset's string is sound"), handle)
}

/// Velocity δt·u under the bow \[m/s\] at 44.1 kHz: of what is judged.
fn velocity(way: Way, force: f64) -> Vec<f64> {
    let string = string();
    let (simulation, handle) = alone(&string);
    let intervals = simulation.grid(handle).expect("a string has a grid").intervals;
    let node = (BOWED_AT * intervals as f64).round() as usize;
    let steps = (SECONDS * RATE) as usize;
    let places = match way {
        Way::Outside(treatment) => {
            let bow = [force, BOW_VELOCITY];
            let mut string = BowedString::new((&string, handle), &simulation, node, bow, treatment);
            (0..steps).map(|_| string.step()).collect()
        }
        Way::Engine(scheme, oversampling) => {
            engine(&string, node as f64 / intervals as f64, force, scheme, oversampling)
        }
    };
    let judged: &[f64] = &places[steps - (JUDGED * RATE) as usize..];
    judged.windows(3).map(|three| 0.5 * (three[2] - three[0]) * RATE).collect()
}

/// Displacement under the bow at 44.1 kHz.
fn engine(string: &StiffString, at: f64, force: f64, scheme: Scheme, oversampling: usize) -> Vec<f64> {
    let mut model = Model::new();
    model.scheme = scheme;
    let place = model.add(string.clone()).at(at);
    model.bow(place, Bow { force: force.into(), velocity: BOW_VELOCITY.into(), friction: Friction::default() });
    let ear = model.pickup(place, Quantity::Displacement);
    let mut simulation = model.compile(RATE * oversampling as f64).expect("the preset's string is sound");
    let mut sample = || {
        (0..oversampling).for_each(|_| simulation.step());
        simulation.read(ear)
    };
    (0..(SECONDS * RATE) as usize).map(|_| sample()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::bowed_string::Aims;
    use super::*;

    #[test]
    fn the_string_outside_the_engine_is_that_of_the_engine() {
        let ways =
            [(Scheme::Plain, Aims::Again(0)), (Scheme::Tracked, Aims::Solved), (Scheme::Newton, Aims::Again(60))];
        for (scheme, aims) in ways {
            let own = velocity(Way::Outside(Treatment { extrapolates: true, aims }), 0.2);
            let engine = velocity(Way::Engine(scheme, 1), 0.2);
            let most = own.iter().zip(&engine).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            println!("{scheme:?}: {most:.1e} m/s apart");
            assert!(most < 1e-10, "{scheme:?}: {most}");
        }
    }
}
