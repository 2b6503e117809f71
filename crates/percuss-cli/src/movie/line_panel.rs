//! Panel of a string or bar: its displacement over its length, the masses in contact with it, and the barriers that it meets.

use super::met_barrier::MetBarrier;
use super::subjects::LineSubject;
use crate::plot::style::{self, BitmapArea, GRID_COLOUR, MARGIN, PALETTE, TEXT_COLOUR, X_LABEL_HEIGHT, Y_LABEL_WIDTH};
use plotters::prelude::*;

/// Radius of a mass, and half the thickness of the line \[pixels\].
const MASS_RADIUS: i32 = 9;
const HALF_THICKNESS: f64 = 1.6;
/// Width of a nail or fret \[pixels\].
const BAR_WIDTH: u32 = 5;
const BARRIER_COLOUR: RGBColor = RGBColor(190, 186, 178);

/// Draws a string or bar at a time \[s\]; `peak` is its largest displacement in the movie \[m\].
pub fn draw(area: &BitmapArea, line: &LineSubject, values: &[f32], peak: f64, time: f64) -> Result<(), String> {
    let (position, height) =
        (style::scaled_axis("Position", line.length, "m"), style::scaled_axis("Displacement", peak, "m"));
    let max = peak / height.factor;
    let mut chart = ChartBuilder::on(area)
        .margin(MARGIN)
        .margin_top(6)
        .x_label_area_size(X_LABEL_HEIGHT)
        .y_label_area_size(Y_LABEL_WIDTH)
        .build_cartesian_2d(style::range_from_zero(line.length / position.factor), -1.15 * max..1.15 * max)
        .map_err(style::draw_error)?;
    style::draw_axes(&mut chart, &position.title, &height.title)?;
    let scaled = |(x, u): (f64, f64)| (x / position.factor, u / height.factor);
    style::draw_line(&mut chart, &[(0.0, 0.0), scaled((line.length, 0.0))], GRID_COLOUR.stroke_width(3))?;
    for barrier in &line.barriers {
        let points: Vec<(f64, f64)> = barrier.points(time).map(|(at, u)| scaled((at * line.length, u))).collect();
        draw_barrier(&mut chart, barrier, &points, 1.15 * max)?;
    }
    let plot_area = chart.plotting_area().strip_coord_spec();
    let points: Vec<(f64, f64)> =
        line.points(values).map(|(x, u)| (x / line.length, 0.5 - 0.5 * u / (1.15 * peak))).collect();
    draw_curve(&plot_area, &points)?;
    let is_shown = |&(_, u): &(f64, f64)| u.abs() <= 1.15 * max;
    let masses: Vec<(f64, f64)> = line.mass_points(values).map(scaled).filter(is_shown).collect();
    let discs = masses.iter().map(|&at| Circle::new(at, MASS_RADIUS, PALETTE[1].filled()));
    chart.draw_series(discs).map_err(style::draw_error)?;
    let rims = masses.iter().map(|&at| Circle::new(at, MASS_RADIUS, TEXT_COLOUR.stroke_width(1)));
    chart.draw_series(rims).map(drop).map_err(style::draw_error)
}

/// Draws a barrier from the heights at which the line meets it down, or up, to the edge of the panel at `edge`.
fn draw_barrier<'a, B: DrawingBackend + 'a>(
    chart: &mut style::Chart<'a, B>,
    barrier: &MetBarrier,
    points: &[(f64, f64)],
    edge: f64,
) -> Result<(), String> {
    let end = if barrier.is_below { -edge } else { edge };
    let points = points.iter().map(|&(x, u)| (x, u.clamp(-edge, edge)));
    if barrier.is_narrow {
        let bars = points.map(|at| PathElement::new(vec![at, (at.0, end)], BARRIER_COLOUR.stroke_width(BAR_WIDTH)));
        return chart.draw_series(bars).map(drop).map_err(style::draw_error);
    }
    let outline: Vec<(f64, f64)> = points.collect();
    let ([first, ..], [.., last]) = (outline.as_slice(), outline.as_slice()) else { return Ok(()) };
    let (left, right) = ((first.0, end), (last.0, end));
    let body = [left].into_iter().chain(outline.iter().copied()).chain([right]).collect::<Vec<_>>();
    chart.draw_series([Polygon::new(body, BARRIER_COLOUR.filled())]).map(drop).map_err(style::draw_error)
}

/// Draws an antialiased curve, column by column, through evenly spaced points: fractions of the width and, from the top,
/// of the height. (Lines of plotters are not antialiased and would jitter from frame to frame.)
fn draw_curve(area: &BitmapArea, points: &[(f64, f64)]) -> Result<(), String> {
    let (width, height) = area.dim_in_pixel();
    for column in 0..width {
        let along = f64::from(column) / f64::from(width) * (points.len() - 1) as f64;
        let index = (along as usize).min(points.len() - 2);
        let [left, right] = [points[index].1, points[index + 1].1].map(|y| y * f64::from(height));
        let y = left + (along - index as f64) * (right - left);
        let slope = (right - left) * (points.len() - 1) as f64 / f64::from(width);
        let stretch = 1.0f64.hypot(slope);
        let half_height = (HALF_THICKNESS + 1.0) * stretch;
        let (top, bottom) = ((y - half_height).max(0.0) as i32, (y + half_height).min(f64::from(height) - 1.0) as i32);
        for row in top..=bottom {
            // Share of the pixel within the line.
            let coverage = HALF_THICKNESS + 0.5 - (f64::from(row) - y).abs() / stretch;
            if coverage > 0.0 {
                area.draw_pixel((column as i32, row), &PALETTE[0].mix(coverage.min(1.0))).map_err(style::draw_error)?;
            }
        }
    }
    Ok(())
}
