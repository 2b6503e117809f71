//! Figures of the study: the regime map, and a period of the bowed string.

mod period;
mod schelleng;

use super::TrombaResults;
use crate::error::Result;
use crate::plot::style;
use crate::progress::TaskProgress;
use crate::study::chart::FigureFiles;

/// Names of the figures.
pub const FIGURE_NAMES: [&str; 2] = ["schelleng", "period"];

/// Writes all figures.
pub fn write(study: &TrombaResults, files: &[FigureFiles]) -> Result<()> {
    style::register_fonts();
    let progress = TaskProgress::new(FIGURE_NAMES.len());
    let titles = ["Motions of the bowed tromba marina", "A period of the string under the bow"];
    let figures = [schelleng::figure(study), period::figure(study)];
    for (((name, title), figure), files) in FIGURE_NAMES.into_iter().zip(titles).zip(figures).zip(files) {
        progress.run_task(name, || files.write(title, &figure))?;
    }
    Ok(())
}
