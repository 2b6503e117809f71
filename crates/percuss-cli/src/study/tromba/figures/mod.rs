//! The study's figures: the map of motions, and a period of the bowed string.

mod period;
mod schelleng;

use super::Study;
use crate::failure::Result;
use crate::plot::style;
use crate::study::chart::Targets;
use crate::study::progress::Progress;

/// Their names.
pub const NAMES: [&str; 2] = ["schelleng", "period"];

/// Writes all figures.
pub fn write(study: &Study, targets: &[Targets]) -> Result<()> {
    style::register_fonts();
    let progress = Progress::new(NAMES.len());
    let titles = ["Motions of the bowed tromba marina", "A period of the string under the bow"];
    let figures = [schelleng::describe(study), period::describe(study)];
    for (((name, title), figure), targets) in NAMES.into_iter().zip(titles).zip(figures).zip(targets) {
        progress.during(name, || targets.write(title, &figure))?;
    }
    Ok(())
}
