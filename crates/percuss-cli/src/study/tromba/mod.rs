//! The bowed tromba marina: regime maps (after Schelleng 1973), comparison of friction schemes, and adhesion of the bridge.

mod adhesion;
mod bowed_string;
pub mod figures;
mod friction_schemes;
mod markdown;
mod mean_period;
mod motion;
mod report;
mod schelleng;
mod stroke;
mod tables;

pub use markdown::markdown;
pub use report::{as_json, friction_csv, motions_csv};
pub use tables::text;

use crate::progress::TaskProgress;
use adhesion::Adhesion;
use friction_schemes::FrictionResult;
use schelleng::RegimeMap;
use std::sync::Mutex;
use std::thread;
use stroke::InitialState;

/// Sample rate of the study \[Hz\].
const RATE: f64 = 44_100.0;
/// Initial states and their names.
const INITIAL_STATES: [(InitialState, &str); 2] =
    [(InitialState::Rest, "rest"), (InitialState::Helmholtz, "helmholtz")];

/// All results.
pub struct TrombaResults {
    /// One per initial state.
    maps: Vec<RegimeMap>,
    friction_results: Vec<FrictionResult>,
    adhesion: Vec<Adhesion>,
}

/// Measures everything; `quick` uses fewer cells in the maps.
pub fn measure(quick: bool) -> TrombaResults {
    let size = schelleng::size(quick);
    let tasks = INITIAL_STATES.len() * size[0] * size[1] + friction_schemes::TASK_COUNT + adhesion::VARIANTS.len();
    let progress = &TaskProgress::new(tasks);
    let friction_results = friction_schemes::measure(progress);
    let adhesion =
        parallel_map(&adhesion::VARIANTS, |&variant| progress.run_task("rattle", || Adhesion::measure(variant)));
    let maps = INITIAL_STATES.map(|(start, _)| RegimeMap::measure(start, size, progress)).into();
    TrombaResults { maps, friction_results, adhesion }
}

/// Maps items on all cores, in order of start.
fn parallel_map<T: Sync, R: Send>(items: &[T], task: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let queue = Mutex::new(items.iter().enumerate());
    let results = Mutex::new(Vec::with_capacity(items.len()));
    let worker = || {
        loop {
            let next = queue.lock().expect("no worker panics while it holds the lock").next();
            let Some((index, item)) = next else { break };
            let result = task(item);
            results.lock().expect("no worker panics while it holds the lock").push((index, result));
        }
    };
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(2, usize::from).min(items.len());
        (0..workers).for_each(|_| drop(scope.spawn(worker)));
    });
    let mut results = results.into_inner().expect("all workers have ended");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value.ln(), count + 1.0));
    (sum / count).exp()
}
