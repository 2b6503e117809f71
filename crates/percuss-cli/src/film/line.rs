//! A string or bar from the side, with the masses that touch it.

use super::cast::Line;
use crate::plot::style::{self, Area, BOTTOM, GRID, INK, LEFT, MARGIN, PALETTE};
use plotters::prelude::*;

/// Size of a mass, and half the thickness of the string \[pixels\].
const MASS: i32 = 9;
const HALF: f64 = 1.6;

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
    let room = chart.plotting_area().strip_coord_spec();
    let points: Vec<(f64, f64)> =
        line.points(values).map(|(x, u)| (x / line.length, 0.5 - 0.5 * u / (1.15 * peak))).collect();
    draw_curve(&room, &points)?;
    let is_shown = |&(_, u): &(f64, f64)| u.abs() <= 1.15 * most;
    let masses: Vec<(f64, f64)> = line.rider_points(values).map(scaled).filter(is_shown).collect();
    let discs = masses.iter().map(|&at| Circle::new(at, MASS, PALETTE[1].filled()));
    chart.draw_series(discs).map_err(style::words)?;
    let rims = masses.iter().map(|&at| Circle::new(at, MASS, INK.stroke_width(1)));
    chart.draw_series(rims).map(drop).map_err(style::words)
}

/// Draws a smooth curve, column by column, through evenly spaced points: fractions of the width and, from the top, of
/// the height. (Lines of plotters run from pixel to pixel and would tremble from one picture to the next.)
fn draw_curve(area: &Area, points: &[(f64, f64)]) -> Result<(), String> {
    let (width, height) = area.dim_in_pixel();
    for column in 0..width {
        let along = f64::from(column) / f64::from(width) * (points.len() - 1) as f64;
        let index = (along as usize).min(points.len() - 2);
        let [left, right] = [points[index].1, points[index + 1].1].map(|y| y * f64::from(height));
        let y = left + (along - index as f64) * (right - left);
        let slope = (right - left) * (points.len() - 1) as f64 / f64::from(width);
        let stretch = 1.0f64.hypot(slope);
        let reach = (HALF + 1.0) * stretch;
        let (top, bottom) = ((y - reach).max(0.0) as i32, (y + reach).min(f64::from(height) - 1.0) as i32);
        for row in top..=bottom {
            // How much of the pixel lies within the line.
            let cover = HALF + 0.5 - (f64::from(row) - y).abs() / stretch;
            if cover > 0.0 {
                area.draw_pixel((column as i32, row), &PALETTE[0].mix(cover.min(1.0))).map_err(style::words)?;
            }
        }
    }
    Ok(())
}
