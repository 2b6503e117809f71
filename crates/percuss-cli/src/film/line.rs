//! A string or bar from the side, with the masses that touch it.

use super::cast::Line;
use crate::plot::style::{self, Area, BOTTOM, GRID, INK, LEFT, MARGIN, PALETTE};
use plotters::prelude::*;

/// Size of a mass \[pixels\].
const MASS: i32 = 9;

/// Draws a string; `peak` is the largest displacement of the film \[m\].
pub fn draw(area: &Area, line: &Line, values: &[f32], peak: f64) -> Result<(), String> {
    let (place, height) = (style::scaled("Place", line.length, "m"), style::scaled("Displacement", peak, "m"));
    let most = peak / height.factor;
    let mut chart = ChartBuilder::on(area)
        .margin(MARGIN)
        .margin_top(6)
        .x_label_area_size(BOTTOM)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(style::until(line.length / place.factor), -1.15 * most..1.15 * most)
        .map_err(style::words)?;
    style::axes(&mut chart, &place.title, &height.title)?;
    let scaled = |(x, u): (f64, f64)| (x / place.factor, u / height.factor);
    style::line(&mut chart, &[(0.0, 0.0), scaled((line.length, 0.0))], GRID.stroke_width(3))?;
    let points: Vec<(f64, f64)> = line.points(values).map(scaled).collect();
    style::line(&mut chart, &points, PALETTE[0].stroke_width(3))?;
    let is_shown = |&(_, u): &(f64, f64)| u.abs() <= 1.15 * most;
    let masses: Vec<(f64, f64)> = line.rider_points(values).map(scaled).filter(is_shown).collect();
    let discs = masses.iter().map(|&at| Circle::new(at, MASS, PALETTE[1].filled()));
    chart.draw_series(discs).map_err(style::words)?;
    let rims = masses.iter().map(|&at| Circle::new(at, MASS, INK.stroke_width(1)));
    chart.draw_series(rims).map(drop).map_err(style::words)
}
