//! The search for scenes that break a law: a generator over the whole scene format, the checks, and a minimiser.
//!
//! [`search`] draws and runs scenes on all cores and sums up what it found; [`Summary::report`] says it in words, with a
//! minimised scene for every kind of failure.

pub mod check;
mod class;
pub mod document;
pub mod draw;
pub mod files;
mod impact;
mod minimise;
mod random;
mod summary;

pub use summary::Summary;

use rayon::prelude::*;
use std::ops::Range;
use std::path::Path;

/// Draws and runs all scenes of a range of indices; `folder` holds the files they name. `progress` is told of every scene.
pub fn search(seed: u64, indices: Range<u64>, folder: &Path, progress: impl Fn() + Sync) -> Summary {
    let one = |index: u64| {
        let outcome = check::run(&draw::draw(seed, index), folder);
        progress();
        Summary::of(seed, index, outcome)
    };
    indices.into_par_iter().map(one).reduce(|| Summary::new(seed), Summary::merge)
}
