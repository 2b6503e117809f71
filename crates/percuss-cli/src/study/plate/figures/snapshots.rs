//! Figure 3: driven plates clamped at a corner and outside a circle.

use super::shapes::outline;
use crate::error::Result;
use crate::plot::mode_shapes::{self, PlottedShape, ShapePanel, SurfaceShape};
use crate::plot::style::{self, PLOT_SIZE};
use crate::study::chart::FigureFiles;
use crate::study::plate::PlateResults;
use crate::study::plate::driven::Snapshot;
use plotters::prelude::SVGBackend;
use std::io::Write;

/// Draws the figure and writes its data.
pub fn write(files: &FigureFiles, study: &PlateResults) -> Result<()> {
    let title = "Figure 3: plates clamped at a corner and outside a circle, driven";
    let panels: Vec<ShapePanel> = study.driven.iter().map(panel).collect();
    let across = panels.len() / 2;
    files.png.write_by_path(|path| {
        style::write_bitmap(path, |backend| mode_shapes::draw(backend, title, across, &panels))
    })?;
    files.svg.write_by_path(|path| mode_shapes::draw(SVGBackend::new(path, PLOT_SIZE), title, across, &panels))?;
    files.csv.write(|file| {
        writeln!(file, "preset,frequency_hz,time_s,column,row,displacement_m")?;
        for Snapshot { preset, frequency, time, max_displacement, intervals, nodes, .. } in &study.driven {
            let columns = intervals[0] + 1;
            for (node, x) in nodes.iter().enumerate() {
                let (column, row) = (node % columns, node / columns);
                writeln!(file, "{preset},{frequency:.3},{time:.5},{column},{row},{:e}", max_displacement * x)?;
            }
        }
        Ok(())
    })
}

fn panel(snapshot: &Snapshot) -> ShapePanel {
    let Snapshot { frequency, time, intervals, size, nodes, clamped_region, .. } = snapshot;
    let surface = SurfaceShape {
        intervals: *intervals,
        nodes: nodes.clone(),
        outline: outline(clamped_region, *size),
        rim: None,
    };
    ShapePanel {
        title: format!("{frequency:.1} Hz, after {:.1} ms", 1e3 * time),
        shape: PlottedShape::Surface(surface),
    }
}
