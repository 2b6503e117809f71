//! The systems of Willemsen's notes on collisions (2019) under every scheme of the engine, compared with a reference at
//! sixteen times the rate; and the effect of the rattling bridge on the sound of the tromba marina.

mod bowed_spectrum;
pub mod figures;
mod markdown;
mod psi_drift;
mod report;
mod run;
mod systems;
mod tables;
mod tromba;

pub use markdown::markdown;
pub use report::{as_json, csv};
pub use tables::text;
pub use tromba::{Joint, TrombaMarina};

use crate::progress::TaskProgress;
use bowed_spectrum::{BowedSound, VARIANTS};
use percuss::Scheme;
use run::{SCHEMES, SchemeRun, Trajectory};
use std::thread;
use systems::System;

/// Sample rate of the study \[Hz\].
const RATE: f64 = 44_100.0;
/// Oversampling of the reference. Its grids are those of 44.1 kHz: a finer grid would change the dispersion of a string.
const OVERSAMPLING: usize = 16;

/// All results.
pub struct CollisionResults {
    results: Vec<SystemResult>,
    sounds: Vec<BowedSound>,
}

/// Results of one system.
struct SystemResult {
    system: System,
    /// One per scheme.
    runs: Vec<SchemeRun>,
    /// Trajectory under tracked at the high rate.
    reference: Trajectory,
    /// Relative difference of newton at the high rate: an estimate of the error of the reference.
    reference_difference: f64,
}

impl SystemResult {
    fn measure(system: System, progress: &TaskProgress) -> Self {
        let task_name = |what: &str| format!("{}: {what}", system.name);
        let reference =
            progress.run_task(task_name("reference"), || Trajectory::new(&system, Scheme::Tracked, OVERSAMPLING));
        let second =
            progress.run_task(task_name("second reference"), || Trajectory::new(&system, Scheme::Newton, OVERSAMPLING));
        let runs =
            SCHEMES.map(|scheme| progress.run_task(task_name(scheme.1), || SchemeRun::new(&system, scheme))).into();
        Self { runs, reference_difference: second.relative_error(&reference), reference, system }
    }

    /// Relative error of the impulse of the first contact.
    fn impulse_error(&self, run: &SchemeRun) -> f64 {
        let impulse = |trajectory: &Trajectory| trajectory.impulse(self.system.compared_seconds);
        impulse(&run.trajectory) / impulse(&self.reference) - 1.0
    }
}

/// Measures everything.
pub fn measure() -> CollisionResults {
    let systems: Vec<System> = systems::all().into_iter().chain(tromba::all()).collect();
    let progress = &TaskProgress::new(systems.len() * (2 + SCHEMES.len()) + VARIANTS.len());
    thread::scope(|scope| {
        // Each system in its own thread.
        let started: Vec<_> =
            systems.into_iter().map(|system| scope.spawn(move || SystemResult::measure(system, progress))).collect();
        let sound = |variant| progress.run_task("bowed", || BowedSound::new(variant));
        let sounds = VARIANTS.map(sound).into();
        CollisionResults {
            results: started.into_iter().map(|run| run.join().expect("a system runs")).collect(),
            sounds,
        }
    })
}
