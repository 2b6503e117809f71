//! Figures 3 to 6 of the paper, mode shapes, and convergence of modes, as PNG, SVG and CSV.

mod convergence;
mod impulse_responses;
mod shapes;
mod snapshots;
mod spectrogram;
mod timeline;

use super::PlateResults;
use crate::error::Result;
use crate::plot::style;
use crate::progress::TaskProgress;
use crate::study::chart::FigureFiles;

/// Names of the files without extensions.
pub const FIGURE_NAMES: [&str; 8] = [
    "figure-03",
    "figure-04",
    "figure-05",
    "figure-06",
    "figure-05-paper-edges",
    "figure-06-paper-edges",
    "shapes",
    "convergence",
];

/// Writes all figures.
pub fn write(study: &PlateResults, files: &[FigureFiles]) -> Result<()> {
    style::register_fonts();
    let progress = TaskProgress::new(FIGURE_NAMES.len());
    for (name, files) in FIGURE_NAMES.into_iter().zip(files) {
        progress.run_task(name, || match name {
            "figure-03" => snapshots::write(files, study),
            "shapes" => shapes::write(files),
            "figure-04" => files.write("Figure 4: damping over regions of two sizes", &impulse_responses::figure()),
            "figure-05" => {
                let title = "Figure 5: a hand on a struck plate";
                timeline::write(files, &timeline::hand(title, study.sound("hand-damped-plate")))
            }
            "figure-06" => {
                timeline::write(files, &timeline::gong("Figure 6: a gong in water", study.sound("water-gong")))
            }
            "figure-05-paper-edges" => {
                let title = "Figure 5 with the paper's edges: a hand on a struck plate";
                timeline::write(files, &timeline::hand(title, &study.paper.hand_sound))
            }
            "figure-06-paper-edges" => {
                let title = "Figure 6 with the paper's edges: a gong in water";
                timeline::write(files, &timeline::gong(title, &study.paper.gong_sound))
            }
            _ => files.write("Modes converge to the literature", &convergence::figure(study)),
        })?;
    }
    Ok(())
}
