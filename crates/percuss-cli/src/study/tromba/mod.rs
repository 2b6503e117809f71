//! The bow of the tromba marina: where Helmholtz motion lives (after Schelleng 1973), how friction is best stepped, and
//! what pulls in the rattle under which scheme.

mod adhesion;
mod bowed_string;
pub mod figures;
mod friction_schemes;
mod mean_period;
mod motion;
mod report;
mod schelleng;
mod stroke;
mod tables;

pub use report::{as_json, friction_csv, motions_csv};
pub use tables::text;

use crate::progress::TaskProgress;
use adhesion::Adhesion;
use friction_schemes::Outcome;
use schelleng::Map;
use std::sync::Mutex;
use std::thread;
use stroke::Start;

/// Sample rate of the study \[Hz\].
const RATE: f64 = 44_100.0;
/// Both kinds of start.
const STARTS: [(Start, &str); 2] = [(Start::Rest, "rest"), (Start::Motion, "motion")];

/// Everything that was measured.
pub struct Study {
    /// One for each kind of start.
    maps: Vec<Map>,
    treatments: Vec<Outcome>,
    adhesion: Vec<Adhesion>,
}

/// Measures everything; with fewer cells in the maps where it has to be quick.
pub fn measure(quick: bool) -> Study {
    let size = schelleng::size(quick);
    let pieces = STARTS.len() * size[0] * size[1] + friction_schemes::PIECES + adhesion::VARIANTS.len();
    let progress = &TaskProgress::new(pieces);
    let treatments = friction_schemes::measure(progress);
    let adhesion = each(&adhesion::VARIANTS, |&variant| progress.run_task("rattle", || Adhesion::measure(variant)));
    let maps = STARTS.map(|(start, _)| Map::measure(start, size, progress)).into();
    Study { maps, treatments, adhesion }
}

/// Does the same with each item, on all cores, the first ones first.
fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let left = Mutex::new(items.iter().enumerate());
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let labour = || {
        loop {
            let next = left.lock().expect("no worker panics while it holds the list").next();
            let Some((index, item)) = next else { break };
            let result = work(item);
            done.lock().expect("no worker panics while it holds the list").push((index, result));
        }
    };
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(2, usize::from).min(items.len());
        (0..workers).for_each(|_| drop(scope.spawn(labour)));
    });
    let mut done = done.into_inner().expect("all workers have ended");
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value.ln(), count + 1.0));
    (sum / count).exp()
}
