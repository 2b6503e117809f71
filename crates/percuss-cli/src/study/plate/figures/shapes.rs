//! Mode shapes of a plate clamped at a corner, and of one clamped outside a circle.

use crate::error::Result;
use crate::modes;
use crate::plot::mode_shapes::{self, PlottedShape, ShapePanel, SurfaceShape};
use crate::plot::style::{self, PLOT_SIZE};
use crate::study::chart::FigureFiles;
use crate::study::plate::partials::RATE;
use crate::study::plate::presets;
use percuss::{Element, Region};
use plotters::prelude::SVGBackend;
use std::f64::consts::TAU;
use std::io::Write;

/// Number of modes per plate.
const MODES_PER_PLATE: usize = 3;

/// Draws the figure and writes its data.
pub fn write(files: &FigureFiles) -> Result<()> {
    let title = "Modes of plates clamped at a corner and outside a circle";
    let panels: Vec<ShapePanel> = ["clamped-corner", "clamped-circle"].into_iter().flat_map(panels).collect();
    files.png.write_by_path(|path| {
        style::write_bitmap(path, |backend| mode_shapes::draw(backend, title, MODES_PER_PLATE, &panels))
    })?;
    files
        .svg
        .write_by_path(|path| mode_shapes::draw(SVGBackend::new(path, PLOT_SIZE), title, MODES_PER_PLATE, &panels))?;
    files.csv.write(|file| {
        writeln!(file, "panel,column,row,displacement")?;
        for (index, panel) in panels.iter().enumerate() {
            let PlottedShape::Surface(surface) = &panel.shape else { continue };
            let letter = char::from(b'a' + index as u8);
            for (node, x) in surface.nodes.iter().enumerate() {
                let columns = surface.intervals[0] + 1;
                writeln!(file, "{letter},{},{},{x:e}", node % columns, node / columns)?;
            }
        }
        Ok(())
    })
}

/// Panels of the first modes of a preset's plate, with the outline of its clamp.
fn panels(preset: &str) -> Vec<ShapePanel> {
    let scene = presets::modified_preset(preset, &[]);
    let simulation = scene.compile(RATE).expect("a preset is stable");
    let plate = scene.model.element_ids().next().expect("the plate");
    let grid = simulation.plate_grid(plate).expect("a plate");
    let (found, operators) =
        modes::lowest_modes(&simulation, plate, MODES_PER_PLATE).expect("it moves").expect("its modes settle");
    let outline = match &scene.model.elements()[0] {
        Element::Plate(plate) => plate.touches.first().map(|touch| outline(&touch.region, grid.size)),
        _ => None,
    };
    let panel = |mode: &modes::Mode| {
        let outline = outline.clone().unwrap_or_default();
        let surface = SurfaceShape { outline, ..SurfaceShape::new(grid.intervals, &operators.grid, &mode.shape) };
        ShapePanel { title: format!("{preset}, {:.1} Hz", mode.frequency), shape: PlottedShape::Surface(surface) }
    };
    found.iter().map(panel).collect()
}

/// The part of a circle on the plate, in fractions of its sides.
pub fn outline(region: &Region, size: [f64; 2]) -> Vec<(f64, f64)> {
    let (Region::Circle { centre, radius } | Region::OutsideCircle { centre, radius }) = region else {
        return Vec::new();
    };
    let ([x, y], radius) = ([&centre[0], &centre[1]].map(|control| control.at(0.0)), radius.at(0.0));
    let at = |step: i32| {
        let (sine, cosine) = (TAU * f64::from(step) / 180.0).sin_cos();
        (x + radius * cosine / size[0], y + radius * sine / size[1])
    };
    let on_plate = |&(x, y): &(f64, f64)| (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y);
    (0..=180).map(at).filter(on_plate).collect()
}
