//! Search for scenes that violate a law: a generator over the whole scene format, checks, and a minimiser.
//!
//! [`search`] generates and runs scenes on all cores; [`Summary::report`] prints the results, with a minimised scene for every
//! kind of failure.

pub mod check;
pub mod document;
pub mod files;
pub mod generate;
mod minimise;
mod random;
mod restitution;
mod stiffness_class;
mod summary;

pub use summary::Summary;

use rayon::prelude::*;
use std::ops::Range;
use std::path::Path;

/// Generates and runs all scenes of a range of indices; `folder` contains the files that they name. `progress` is called after
/// every scene.
pub fn search(seed: u64, indices: Range<u64>, folder: &Path, progress: impl Fn() + Sync) -> Summary {
    let one = |index: u64| {
        let outcome = check::run(&generate::generate_scene(seed, index), folder);
        progress();
        Summary::of_scene(seed, index, outcome)
    };
    indices.into_par_iter().map(one).reduce(|| Summary::new(seed), Summary::merge)
}
