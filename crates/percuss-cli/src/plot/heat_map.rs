//! Heat maps with as few rectangles as possible, for fast bitmaps and small vector files.

use super::style;
use plotters::coord::Shift;
use plotters::prelude::*;

/// Number of colour levels; neighbours with the same colour become one rectangle.
const LEVELS: f64 = 64.0;

/// Colour of a value from −1 (blue) over 0 (white) to 1 (red).
pub fn diverging_colour(value: f64) -> RGBColor {
    gradient_colour(colorous::RED_BLUE, 0.5 - 0.5 * quantised(value.clamp(-1.0, 1.0)))
}

/// Colour of a level from 0 (dark) to 1 (bright).
pub fn sequential_colour(level: f64) -> RGBColor {
    gradient_colour(colorous::MAGMA, quantised(level.clamp(0.0, 1.0)))
}

fn quantised(value: f64) -> f64 {
    (value * LEVELS).round() / LEVELS
}

fn gradient_colour(map: colorous::Gradient, place: f64) -> RGBColor {
    let colour = map.eval_continuous(place);
    RGBColor(colour.r, colour.g, colour.b)
}

/// Fills an area with coloured cells; the first row is the lowest.
pub fn fill_cells<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    [columns, rows]: [usize; 2],
    colour: impl Fn(usize, usize) -> RGBColor,
) -> Result<(), String> {
    let (width, height) = area.dim_in_pixel();
    let x = |column: usize| (width as usize * column / columns) as i32;
    let y = |row: usize| (height as usize * (rows - row) / rows) as i32;
    for row in 0..rows {
        let mut start = 0;
        while start < columns {
            let own = colour(start, row);
            let end = (start + 1..columns).find(|&column| colour(column, row) != own).unwrap_or(columns);
            let corners = [(x(start), y(row + 1)), (x(end), y(row))];
            area.draw(&Rectangle::new(corners, own.filled())).map_err(style::draw_error)?;
            start = end;
        }
    }
    Ok(())
}
