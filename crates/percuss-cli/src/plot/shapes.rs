//! Mode shapes side by side: surfaces in colours that are white at rest, lines as lines.

use super::heat;
use super::style::{self, GRID, INK, LABEL, MARGIN, PALETTE, TICK};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Cells along the longer side of a surface: enough to look smooth, few enough for a vector file.
const CELLS: f64 = 72.0;
/// Height of a panel's title \[pixels\].
const CAPTION: i32 = 46;
/// Places are fractions of the sides.
type Point = (f64, f64);

/// One picture.
pub struct Panel {
    /// Above it.
    pub title: String,
    /// What is shown.
    pub form: Form,
}

/// A shape, its displacements from −1 to 1.
pub enum Form {
    /// Along a string or bar: place as a fraction of the length, and displacement.
    Line(Vec<Point>),
    /// Over a plate.
    Surface(Surface),
}

/// Displacements of a plate.
pub struct Surface {
    /// Grid intervals along the sides.
    pub intervals: [usize; 2],
    /// Displacements node by node, row by row from y = 0; where nothing moves, 0.
    pub nodes: Vec<f64>,
    /// A line drawn over it, such as the edge of a touch.
    pub outline: Vec<Point>,
}

impl Surface {
    /// From the nodes that move.
    pub fn new(intervals: [usize; 2], moving: &[(usize, usize)], shape: &[f64]) -> Self {
        let mut nodes = vec![0.0; (intervals[0] + 1) * (intervals[1] + 1)];
        for (&(i, j), &x) in moving.iter().zip(shape) {
            nodes[j * (intervals[0] + 1) + i] = x;
        }
        Self { intervals, nodes, outline: Vec::new() }
    }

    /// The displacement at a place, between nodes by straight lines.
    fn at(&self, place: [f64; 2]) -> f64 {
        let [(i, x), (j, y)] = [0, 1].map(|axis| {
            let along = place[axis] * self.intervals[axis] as f64;
            let cell = (along as usize).min(self.intervals[axis] - 1);
            (cell, along - cell as f64)
        });
        let node = |i: usize, j: usize| self.nodes[j * (self.intervals[0] + 1) + i];
        let row = |j: usize| (1.0 - x) * node(i, j) + x * node(i + 1, j);
        (1.0 - y) * row(j) + y * row(j + 1)
    }
}

/// Draws panels in rows of so many.
pub fn draw<B: DrawingBackend>(backend: B, title: &str, across: usize, panels: &[Panel]) -> Result<(), String> {
    style::picture_on(backend, title, |area| {
        let rows = panels.len().div_ceil(across);
        let places = area.margin(0, MARGIN / 2, MARGIN, MARGIN).split_evenly((rows, across));
        places.iter().zip(panels).try_for_each(|(place, panel)| draw_panel(place, panel))
    })
}

fn draw_panel<B: DrawingBackend>(area: &DrawingArea<B, Shift>, panel: &Panel) -> Result<(), String> {
    let (width, height) = area.dim_in_pixel();
    let centred = style::text(if height < 200 { TICK } else { LABEL }).pos(Pos::new(HPos::Center, VPos::Top));
    area.draw(&Text::new(panel.title.clone(), (width as i32 / 2, 12), centred)).map_err(style::words)?;
    let room = (width as i32 - MARGIN as i32, height as i32 - CAPTION - MARGIN as i32 / 2);
    match &panel.form {
        Form::Line(points) => draw_line(&area.clone().shrink((MARGIN as i32 / 2, CAPTION), room), points),
        Form::Surface(surface) => {
            // Cells are square: so is the picture of them.
            let [across, up] = surface.intervals.map(|count| count as f64);
            let pixels = (f64::from(room.0) / across).min(f64::from(room.1) / up);
            let size = ((across * pixels) as i32, (up * pixels) as i32);
            let corner = ((width as i32 - size.0) / 2, CAPTION);
            draw_surface(&area.clone().shrink(corner, size), surface)
        }
    }
}

fn draw_line<B: DrawingBackend>(area: &DrawingArea<B, Shift>, points: &[Point]) -> Result<(), String> {
    let mut chart = ChartBuilder::on(area).build_cartesian_2d(0.0..1.0, -1.15..1.15).map_err(style::words)?;
    style::line(&mut chart, &[(0.0, 0.0), (1.0, 0.0)], GRID.stroke_width(2))?;
    style::line(&mut chart, points, PALETTE[0].stroke_width(3))
}

fn draw_surface<B: DrawingBackend>(area: &DrawingArea<B, Shift>, surface: &Surface) -> Result<(), String> {
    let longest = surface.intervals[0].max(surface.intervals[1]) as f64;
    let cells = surface.intervals.map(|count| (count as f64 * (CELLS / longest)).round().max(1.0) as usize);
    let middle = |index: usize, axis: usize| (index as f64 + 0.5) / cells[axis] as f64;
    heat::cells(area, cells, |i, j| heat::diverging(surface.at([middle(i, 0), middle(j, 1)])))?;
    let (width, height) = area.dim_in_pixel();
    let pixel = |&(x, y): &Point| ((x * f64::from(width)) as i32, ((1.0 - y) * f64::from(height)) as i32);
    let outline: Vec<(i32, i32)> = surface.outline.iter().map(pixel).collect();
    area.draw(&PathElement::new(outline, INK.stroke_width(2))).map_err(style::words)?;
    let frame = [(0, 0), (width as i32, height as i32)];
    area.draw(&Rectangle::new(frame, INK.stroke_width(1))).map_err(style::words)
}
