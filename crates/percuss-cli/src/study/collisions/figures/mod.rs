//! The study's figures: one per system, one of the tromba marina's energy, one of its spectra.

mod energy;
mod spectra;
mod system;

use super::{CollisionResults, SystemResult};
use crate::error::Result;
use crate::plot::style::{self, PALETTE};
use crate::progress::TaskProgress;
use crate::study::chart::FigureFiles;
use plotters::prelude::RGBColor;

/// Names of the figures; those of the systems come first.
pub const FIGURE_NAMES: [&str; 10] = [
    "mass-barrier",
    "mass-spring-barrier",
    "colliding-masses",
    "string-string",
    "string-mass",
    "string-mass-barrier",
    "tromba-spring",
    "tromba-connection",
    "energy",
    "spectra",
];

/// Colours of the schemes plain, tracked and newton.
const SCHEME_COLOURS: [RGBColor; 3] = [PALETTE[1], PALETTE[0], PALETTE[2]];

/// Writes all figures.
pub fn write(study: &CollisionResults, files: &[FigureFiles]) -> Result<()> {
    style::register_fonts();
    let progress = TaskProgress::new(FIGURE_NAMES.len());
    for (name, files) in FIGURE_NAMES.into_iter().zip(files) {
        let result = study.results.iter().find(|result| result.system.name == name);
        progress.run_task(name, || match (name, result) {
            (_, Some(result)) => {
                let title = format!("{} ({} of the notes)", result.system.title, result.system.section);
                files.write(&title, &system::figure(result))
            }
            ("energy", _) => files.write("Energy of the bowed tromba marina", &energy::figure(study)),
            _ => files.write("The tromba marina, bowed", &spectra::figure(study)),
        })?;
    }
    Ok(())
}
