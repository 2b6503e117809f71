//! The picture: a plate in colours, two dots to a character, or a string as a line.

use percuss_live::{COLUMNS, ROWS, View};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;

/// Displacements that can be shown \[m\].
fn cells(view: &View) -> impl Iterator<Item = f32> {
    let cells = (0..view.rows()).flat_map(move |row| (0..COLUMNS).map(move |column| view.at(column, row)));
    cells.filter(|value| value.is_finite())
}

/// Where the picture is drawn from \[m\]: rest, or the middle of a body that nothing holds, once it has flown further
/// than it bends.
fn origin(cells: impl Iterator<Item = f32>) -> f32 {
    let (low, high) = cells.fold((f32::MAX, f32::MIN), |(low, high), x| (low.min(x), high.max(x)));
    let furthest = high.max(-low);
    if high - low < 0.5 * furthest { 0.5 * (low + high) } else { 0.0 }
}

/// Largest displacement in the picture \[m\].
pub fn reach(view: &View) -> f32 {
    let origin = origin(cells(view));
    cells(view).map(|value| (value - origin).abs()).fold(0.0, f32::max)
}

/// Draws what the view shows.
pub fn draw(view: &View, reach: f32, area: Rect, buffer: &mut Buffer) {
    match view.rows() {
        0 => {}
        1 => line(view, reach, area, buffer),
        _ => plate(view, reach, area, buffer),
    }
}

/// Blue below rest, red above it.
fn colour(value: f32, reach: f32) -> Color {
    let share = if reach > 0.0 { (value / reach).clamp(-1.0, 1.0) } else { 0.0 };
    // The root brings out what is small.
    let bright = (255.0 * share.abs().sqrt()) as u8;
    let dim = bright / 4;
    if share >= 0.0 { Color::Rgb(bright, dim, 20) } else { Color::Rgb(20, dim, bright) }
}

fn plate(view: &View, reach: f32, area: Rect, buffer: &mut Buffer) {
    let (width, height) = (usize::from(area.width), 2 * usize::from(area.height));
    let origin = origin(cells(view));
    let at = |x: usize, y: usize| {
        // Dots are counted from the top, rows of the plate from y = 0 at the bottom.
        let row = (height - 1 - y) * (ROWS - 1) / (height - 1).max(1);
        colour(view.at(x * (COLUMNS - 1) / (width - 1).max(1), row) - origin, reach)
    };
    for y in 0..area.height {
        for x in 0..area.width {
            let (dot, up) = (usize::from(x), 2 * usize::from(y));
            buffer[(area.x + x, area.y + y)].set_char('▀').set_fg(at(dot, up)).set_bg(at(dot, up + 1));
        }
    }
}

fn line(view: &View, reach: f32, area: Rect, buffer: &mut Buffer) {
    let (middle, origin) = (f32::from(area.height - 1) / 2.0, origin(cells(view)));
    for x in 0..area.width {
        let value = view.at(usize::from(x) * (COLUMNS - 1) / usize::from(area.width - 1).max(1), 0) - origin;
        let share = if reach > 0.0 { (value / reach).clamp(-1.0, 1.0) } else { 0.0 };
        let y = (middle - share * middle).round() as u16;
        buffer[(area.x + x, area.y + y)].set_char('●').set_fg(colour(value, reach));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_is_drawn_from_rest_and_what_flies_from_its_middle() {
        assert_eq!(origin([-1e-5, 0.0, 3e-5].into_iter()), 0.0);
        assert_eq!(origin([0.0, 1e-5, 2e-5].into_iter()), 0.0);
        assert_eq!(origin([0.5, 1.25].into_iter()), 0.0, "it bends by more than half of where it is");
        assert_eq!(origin([-0.875, -1.125].into_iter()), -1.0);
        assert_eq!(origin(std::iter::empty()), 0.0);
    }
}
