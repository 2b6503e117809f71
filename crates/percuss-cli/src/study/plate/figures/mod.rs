//! Figures 3 to 6 of the paper, and how modes converge: as PNG, SVG and CSV.

mod convergence;
mod impulses;
mod shapes;
mod spectra;
mod timeline;

use super::Study;
use crate::failure::Result;
use crate::plot::style;
use crate::study::chart::Targets;
use crate::study::progress::Progress;

/// Names of the files, without their ends.
pub const NAMES: [&str; 5] = ["figure-03", "figure-04", "figure-05", "figure-06", "convergence"];

/// Writes all figures.
pub fn write(study: &Study, targets: &[Targets]) -> Result<()> {
    style::register_fonts();
    let progress = Progress::new(NAMES.len());
    for (name, targets) in NAMES.into_iter().zip(targets) {
        progress.during(name, || match name {
            "figure-03" => shapes::write(targets),
            "figure-04" => targets.write("Figure 4: damping over regions of two sizes", &impulses::describe()),
            "figure-05" => timeline::write(targets, &timeline::hand(study)),
            "figure-06" => timeline::write(targets, &timeline::gong(study)),
            _ => targets.write("Modes converge to the literature", &convergence::describe(study)),
        })?;
    }
    Ok(())
}
