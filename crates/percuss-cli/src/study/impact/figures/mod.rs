//! The study's Figures 1 to 12, described.

mod analytic;
mod methods;
mod trends;

use crate::error::Result;
use crate::plot::style;
use crate::progress::TaskProgress;
use crate::study::chart::{AxisScale, ChartAxis, ChartPanel, Curve, Figure, FigureFiles, LineStyle};

/// How many figures there are.
pub const FIGURE_COUNT: usize = 12;

/// Writes all figures.
pub fn write(files: &[FigureFiles]) -> Result<()> {
    style::register_fonts();
    let progress = TaskProgress::new(FIGURE_COUNT);
    for (index, files) in files.iter().enumerate() {
        let number = index + 1;
        progress.run_task(format!("figure {number}"), || {
            let figure = figure(number);
            let title = format!("Figure {number}: {}", figure.title);
            files.write(&title, &figure)
        })?;
    }
    Ok(())
}

fn figure(number: usize) -> Figure {
    match number {
        1 => analytic::phase_portraits(),
        2 => analytic::hysteresis(),
        3 => analytic::approximation_error(),
        4 => analytic::energy(),
        5 => analytic::external_force(),
        6 => methods::non_critical_figure(),
        7 => methods::little_loss(),
        8 => methods::hard(),
        9 => methods::heun_little_loss(),
        10 => methods::heun_hard(),
        11 => trends::deviations(),
        _ => trends::rebounds(),
    }
}
