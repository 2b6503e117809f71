//! Panels of mode shapes: surfaces as heat maps that are white at zero, strings and bars as curves.

use super::heat_map;
use super::style::{self, GRID_COLOUR, LABEL_SIZE, MARGIN, PALETTE, PlotPoint, TEXT_COLOUR, TICK_SIZE};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::path::Path;

/// Cells along the longer side of a surface.
const CELLS_PER_SIDE: f64 = 72.0;
/// Width of the rim of a round plate \[pixels\]: covers the corners of the cells along it.
const RIM_STROKE: u32 = 4;
/// Points along the rim of a round plate.
const RIM_POINTS: usize = 180;
/// Height of a panel's title \[pixels\].
const CAPTION_HEIGHT: i32 = 46;

/// A panel with one shape.
pub struct ShapePanel {
    /// Title.
    pub title: String,
    /// Shape.
    pub shape: PlottedShape,
}

/// A shape with displacements from −1 to 1.
pub enum PlottedShape {
    /// String or bar: position as a fraction of the length, and displacement.
    Line(Vec<PlotPoint>),
    /// Plate or membrane.
    Surface(SurfaceShape),
}

/// Displacements of a plate or membrane.
pub struct SurfaceShape {
    /// Grid intervals along the sides.
    pub intervals: [usize; 2],
    /// Displacements of all nodes, row by row from y = 0; 0 for fixed nodes.
    pub nodes: Vec<f64>,
    /// A line that is drawn over it, such as the outline of a touch.
    pub outline: Vec<PlotPoint>,
    /// Radius of a round plate around the middle, as a fraction of the side.
    pub rim: Option<f64>,
}

impl SurfaceShape {
    /// Shape from the displacements of the moving nodes.
    pub fn new(intervals: [usize; 2], moving: &[(usize, usize)], shape: &[f64]) -> Self {
        let mut nodes = vec![0.0; (intervals[0] + 1) * (intervals[1] + 1)];
        for (&(i, j), &x) in moving.iter().zip(shape) {
            nodes[j * (intervals[0] + 1) + i] = x;
        }
        Self { intervals, nodes, outline: Vec::new(), rim: None }
    }

    /// Whether a position is on the plate.
    fn contains(&self, [x, y]: [f64; 2]) -> bool {
        self.rim.is_none_or(|radius| (x - 0.5).hypot(y - 0.5) <= radius)
    }

    /// The rim of a round plate, or the frame of a rectangular one.
    fn boundary(&self) -> Vec<PlotPoint> {
        let Some(radius) = self.rim else { return vec![(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)] };
        let point = |step: usize| {
            let (sine, cosine) = (std::f64::consts::TAU * step as f64 / RIM_POINTS as f64).sin_cos();
            (0.5 + radius * cosine, 0.5 + radius * sine)
        };
        (0..=RIM_POINTS).map(point).collect()
    }

    /// Displacement at a position, by bilinear interpolation.
    fn displacement_at(&self, position: [f64; 2]) -> f64 {
        let [(i, x), (j, y)] = [0, 1].map(|axis| {
            let along = position[axis] * self.intervals[axis] as f64;
            let cell = (along as usize).min(self.intervals[axis] - 1);
            (cell, along - cell as f64)
        });
        let node = |i: usize, j: usize| self.nodes[j * (self.intervals[0] + 1) + i];
        let row = |j: usize| (1.0 - x) * node(i, j) + x * node(i + 1, j);
        (1.0 - y) * row(j) + y * row(j + 1)
    }
}

/// Draws panels in rows of `across`.
pub fn draw<B: DrawingBackend>(backend: B, title: &str, across: usize, panels: &[ShapePanel]) -> Result<(), String> {
    style::draw_titled_plot(backend, title, |area| {
        let rows = panels.len().div_ceil(across);
        let places = area.margin(0, MARGIN / 2, MARGIN, MARGIN).split_evenly((rows, across));
        places.iter().zip(panels).try_for_each(|(position, panel)| draw_panel(position, panel))
    })
}

/// Writes the same as SVG if the path ends in .svg, else as PNG.
pub fn write(path: &Path, title: &str, across: usize, panels: &[ShapePanel]) -> Result<(), String> {
    if path.extension().is_some_and(|extension| extension == "svg") {
        return draw(SVGBackend::new(path, style::PLOT_SIZE), title, across, panels);
    }
    style::write_bitmap(path, |backend| draw(backend, title, across, panels))
}

fn draw_panel<B: DrawingBackend>(area: &DrawingArea<B, Shift>, panel: &ShapePanel) -> Result<(), String> {
    let (width, height) = area.dim_in_pixel();
    let centred =
        style::text_style(if height < 200 { TICK_SIZE } else { LABEL_SIZE }).pos(Pos::new(HPos::Center, VPos::Top));
    area.draw(&Text::new(panel.title.clone(), (width as i32 / 2, 12), centred)).map_err(style::draw_error)?;
    let available = (width as i32 - MARGIN as i32, height as i32 - CAPTION_HEIGHT - MARGIN as i32 / 2);
    match &panel.shape {
        PlottedShape::Line(points) => {
            draw_line(&area.clone().shrink((MARGIN as i32 / 2, CAPTION_HEIGHT), available), points)
        }
        PlottedShape::Surface(surface) => {
            // Cells are drawn square.
            let [across, up] = surface.intervals.map(|count| count as f64);
            let pixels = (f64::from(available.0) / across).min(f64::from(available.1) / up);
            let size = ((across * pixels) as i32, (up * pixels) as i32);
            let corner = ((width as i32 - size.0) / 2, CAPTION_HEIGHT);
            draw_surface(&area.clone().shrink(corner, size), surface)
        }
    }
}

fn draw_line<B: DrawingBackend>(area: &DrawingArea<B, Shift>, points: &[PlotPoint]) -> Result<(), String> {
    let mut chart = ChartBuilder::on(area).build_cartesian_2d(0.0..1.0, -1.15..1.15).map_err(style::draw_error)?;
    style::draw_line(&mut chart, &[(0.0, 0.0), (1.0, 0.0)], GRID_COLOUR.stroke_width(2))?;
    style::draw_line(&mut chart, points, PALETTE[0].stroke_width(3))
}

fn draw_surface<B: DrawingBackend>(area: &DrawingArea<B, Shift>, surface: &SurfaceShape) -> Result<(), String> {
    let longest = surface.intervals[0].max(surface.intervals[1]) as f64;
    let cells = surface.intervals.map(|count| (count as f64 * (CELLS_PER_SIDE / longest)).round().max(1.0) as usize);
    let middle = |index: usize, axis: usize| (index as f64 + 0.5) / cells[axis] as f64;
    heat_map::fill_cells(area, cells, |i, j| {
        let at = [middle(i, 0), middle(j, 1)];
        if surface.contains(at) { heat_map::diverging_colour(surface.displacement_at(at)) } else { WHITE }
    })?;
    let (width, height) = area.dim_in_pixel();
    let pixel = |&(x, y): &PlotPoint| ((x * f64::from(width)) as i32, ((1.0 - y) * f64::from(height)) as i32);
    let path = |points: &[PlotPoint]| points.iter().map(pixel).collect::<Vec<(i32, i32)>>();
    area.draw(&PathElement::new(path(&surface.outline), TEXT_COLOUR.stroke_width(2))).map_err(style::draw_error)?;
    let stroke = if surface.rim.is_some() { RIM_STROKE } else { 1 };
    area.draw(&PathElement::new(path(&surface.boundary()), TEXT_COLOUR.stroke_width(stroke))).map_err(style::draw_error)
}
