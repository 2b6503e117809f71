//! The study's figures: one per system, one of the tromba marina's energy, one of its spectra.

mod energy;
mod spectra;
mod system;

use super::{Outcome, Study};
use crate::error::Result;
use crate::plot::style::{self, PALETTE};
use crate::progress::TaskProgress;
use crate::study::chart::FigureFiles;
use plotters::prelude::RGBColor;

/// Their names; the first ones are those of the systems.
pub const NAMES: [&str; 10] = [
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

/// Colours of plain, tracked and newton.
const COLOURS: [RGBColor; 3] = [PALETTE[1], PALETTE[0], PALETTE[2]];

/// Writes all figures.
pub fn write(study: &Study, targets: &[FigureFiles]) -> Result<()> {
    style::register_fonts();
    let progress = TaskProgress::new(NAMES.len());
    for (name, targets) in NAMES.into_iter().zip(targets) {
        let outcome = study.outcomes.iter().find(|outcome| outcome.system.name == name);
        progress.run_task(name, || match (name, outcome) {
            (_, Some(outcome)) => {
                let title = format!("{} ({} of the notes)", outcome.system.title, outcome.system.section);
                targets.write(&title, &system::describe(outcome))
            }
            ("energy", _) => targets.write("Energy of the bowed tromba marina", &energy::describe(study)),
            _ => targets.write("The tromba marina, bowed", &spectra::describe(study)),
        })?;
    }
    Ok(())
}
