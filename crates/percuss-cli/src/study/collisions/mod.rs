//! The systems of Willemsen's notes on collisions (2019), one by one, under every scheme of the engine and against a
//! reference at sixteen times the rate; and what the rattle of the tromba marina does to its sound.

mod bowed_spectrum;
pub mod figures;
mod psi_drift;
mod report;
mod run;
mod systems;
mod tables;
mod tromba;

pub use report::{as_json, csv};
pub use tables::text;
pub use tromba::{Joint, Tromba};

use crate::progress::TaskProgress;
use bowed_spectrum::{Sound, VERSIONS};
use percuss::Scheme;
use run::{Run, SCHEMES, Track};
use std::thread;
use systems::System;

/// Sample rate of the study \[Hz\].
const RATE: f64 = 44_100.0;
/// How much finer the reference steps. Its grids are those of 44.1 kHz: a finer grid would be another string.
const OVERSAMPLING: usize = 16;

/// Everything that was measured.
pub struct Study {
    outcomes: Vec<Outcome>,
    sounds: Vec<Sound>,
}

/// What became of one system.
struct Outcome {
    system: System,
    /// One per scheme.
    runs: Vec<Run>,
    /// Tracked, at the high rate.
    reference: Track,
    /// How far newton is from it there: how much the reference is to be trusted.
    doubt: f64,
}

impl Outcome {
    fn measure(system: System, progress: &TaskProgress) -> Self {
        let task_name = |what: &str| format!("{}: {what}", system.name);
        let reference =
            progress.run_task(task_name("reference"), || Track::new(&system, Scheme::Tracked, OVERSAMPLING));
        let second =
            progress.run_task(task_name("second reference"), || Track::new(&system, Scheme::Newton, OVERSAMPLING));
        let runs = SCHEMES.map(|scheme| progress.run_task(task_name(scheme.1), || Run::new(&system, scheme))).into();
        Self { runs, doubt: second.error(&reference), reference, system }
    }

    /// By how much the impulse of the contact shown is off, as a share.
    fn impulse_error(&self, run: &Run) -> f64 {
        let impulse = |track: &Track| track.impulse(self.system.compared);
        impulse(&run.track) / impulse(&self.reference) - 1.0
    }
}

/// Measures everything.
pub fn measure() -> Study {
    let systems: Vec<System> = systems::all().into_iter().chain(tromba::all()).collect();
    let progress = &TaskProgress::new(systems.len() * (2 + SCHEMES.len()) + VERSIONS.len());
    thread::scope(|scope| {
        // The last ones take longest.
        let started: Vec<_> =
            systems.into_iter().map(|system| scope.spawn(move || Outcome::measure(system, progress))).collect();
        let bowed_spectrum = |version| progress.run_task("bowed", || Sound::new(version));
        let sounds = VERSIONS.map(bowed_spectrum).into();
        Study { outcomes: started.into_iter().map(|run| run.join().expect("a system runs")).collect(), sounds }
    })
}
