//! Displacement plot: a plate in colours, with two pixels per character, or a string as a line.

use percuss_live::{DisplacementView, VIEW_COLUMNS, VIEW_ROWS};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;

/// Finite displacements of the view \[m\].
fn displacements(view: &DisplacementView) -> impl Iterator<Item = f32> {
    let cells = (0..view.rows()).flat_map(move |row| (0..VIEW_COLUMNS).map(move |column| view.at(column, row)));
    cells.filter(|value| value.is_finite())
}

/// Displacement that is drawn as zero \[m\]: 0, or the midpoint of a free body whose displacement as a whole is larger
/// than its deformation.
fn origin(displacements: impl Iterator<Item = f32>) -> f32 {
    let (low, high) = displacements.fold((f32::MAX, f32::MIN), |(low, high), x| (low.min(x), high.max(x)));
    let furthest = high.max(-low);
    if high - low < 0.5 * furthest { 0.5 * (low + high) } else { 0.0 }
}

/// Largest displacement from the origin \[m\].
pub fn max_displacement(view: &DisplacementView) -> f32 {
    let origin = origin(displacements(view));
    displacements(view).map(|value| (value - origin).abs()).fold(0.0, f32::max)
}

/// Draws a view.
pub fn draw(view: &DisplacementView, max_displacement: f32, area: Rect, buffer: &mut Buffer) {
    match view.rows() {
        0 => {}
        1 => draw_line(view, max_displacement, area, buffer),
        _ => draw_plate(view, max_displacement, area, buffer),
    }
}

/// Blue below zero, red above.
fn colour(value: f32, max_displacement: f32) -> Color {
    let share = if max_displacement > 0.0 { (value / max_displacement).clamp(-1.0, 1.0) } else { 0.0 };
    // The square root makes small displacements visible.
    let bright = (255.0 * share.abs().sqrt()) as u8;
    let dim = bright / 4;
    if share >= 0.0 { Color::Rgb(bright, dim, 20) } else { Color::Rgb(20, dim, bright) }
}

/// Place of a pixel among the cells of the view, of which the first and last are at the first and last pixel.
fn scaled(pixel: usize, pixels: usize, cells: usize) -> f32 {
    (pixel * (cells - 1)) as f32 / (pixels - 1).max(1) as f32
}

/// Displacement between the cells of the view \[m\].
fn interpolated(view: &DisplacementView, column: f32, row: f32) -> f32 {
    let (left, below) = (column as usize, row as usize);
    let (across, up) = (column.fract(), row.fract());
    let along =
        |row: usize| (1.0 - across) * view.at(left, row) + across * view.at((left + 1).min(VIEW_COLUMNS - 1), row);
    if up > 0.0 { (1.0 - up) * along(below) + up * along(below + 1) } else { along(below) }
}

fn draw_plate(view: &DisplacementView, max_displacement: f32, area: Rect, buffer: &mut Buffer) {
    let (width, height) = (usize::from(area.width), 2 * usize::from(area.height));
    let origin = origin(displacements(view));
    let at = |x: usize, y: usize| {
        // Pixels are numbered from the top, rows of the plate from y = 0 at the bottom.
        let (column, row) = (scaled(x, width, VIEW_COLUMNS), scaled(height - 1 - y, height, VIEW_ROWS));
        colour(interpolated(view, column, row) - origin, max_displacement)
    };
    for y in 0..area.height {
        for x in 0..area.width {
            let (column, row) = (usize::from(x), 2 * usize::from(y));
            buffer[(area.x + x, area.y + y)].set_char('▀').set_fg(at(column, row)).set_bg(at(column, row + 1));
        }
    }
}

fn draw_line(view: &DisplacementView, max_displacement: f32, area: Rect, buffer: &mut Buffer) {
    let (middle, origin) = (f32::from(area.height - 1) / 2.0, origin(displacements(view)));
    for x in 0..area.width {
        let column = scaled(usize::from(x), usize::from(area.width), VIEW_COLUMNS);
        let value = interpolated(view, column, 0.0) - origin;
        let share = if max_displacement > 0.0 { (value / max_displacement).clamp(-1.0, 1.0) } else { 0.0 };
        let y = (middle - share * middle).round() as u16;
        buffer[(area.x + x, area.y + y)].set_char('●').set_fg(colour(value, max_displacement));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origin_is_zero_for_a_held_body_and_the_midpoint_for_a_flying_one() {
        assert_eq!(origin([-1e-5, 0.0, 3e-5].into_iter()), 0.0);
        assert_eq!(origin([0.0, 1e-5, 2e-5].into_iter()), 0.0);
        assert_eq!(origin([0.5, 1.25].into_iter()), 0.0, "deformation above half of the displacement");
        assert_eq!(origin([-0.875, -1.125].into_iter()), -1.0);
        assert_eq!(origin(std::iter::empty()), 0.0);
    }
}
