//! Panel of a plate or membrane from above: red is up, blue is down, touches are hatched.
//!
//! Colours scale with the square root of the displacement, so that the decaying motion after a strike stays visible.

use super::subjects::SurfaceSubject;
use super::touch_footprint::TouchFootprint;
use crate::plot::heat_map;
use crate::plot::style::{self, BitmapArea, FONT_OFFSET, MARGIN, TEXT_COLOUR, TICK_SIZE};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Width of the colour bar, and of the space to the right of the plate \[pixels\].
const COLOUR_BAR_WIDTH: i32 = 22;
const RIGHT_MARGIN: i32 = 128;
/// Distance between hatching lines at full pressure, and its maximum \[pixels\].
const HATCH_SPACING: f64 = 9.0;
const MAX_HATCH_SPACING: f64 = 60.0;
/// Colours on either side of zero.
const DIVERGING_STEPS: i32 = 64;

/// Draws a surface; `peak` is the displacement that has the most saturated colour \[m\].
pub fn draw(area: &BitmapArea, surface: &SurfaceSubject, values: &[f32], peak: f64, time: f64) -> Result<(), String> {
    let (width, height) = area.dim_in_pixel();
    let margin = MARGIN as i32;
    let available = [width as i32 - 2 * margin - RIGHT_MARGIN, height as i32 - 2 * margin].map(f64::from);
    let pixels_per_metre = (available[0] / surface.size[0]).min(available[1] / surface.size[1]);
    let size = surface.size.map(|side| ((side * pixels_per_metre) as i32).max(1));
    let corner = (margin + (available[0] as i32 - size[0]) / 2, (height as i32 - size[1]) / 2);
    let plate = area.clone().shrink(corner, (size[0], size[1]));
    let shades: Vec<RGBColor> =
        (-DIVERGING_STEPS..=DIVERGING_STEPS).map(|shade| heat_map::diverging_colour(level(shade))).collect();
    fill(&plate, surface, |at| shades[colour_index(surface.displacement_at(values, at) / peak)])?;
    for footprint in surface.touches.iter().filter_map(|touch| TouchFootprint::new(touch, time, surface.size)) {
        hatch(&plate, surface, &footprint)?;
    }
    draw_outline(&plate, surface)?;
    let bar = (corner.0 + size[0] + margin, corner.1 + size[1] / 2);
    draw_colour_bar(area, bar, available[1].min(360.0) as i32, peak)
}

/// Level of a colour step, from −1 to 1.
fn level(shade: i32) -> f64 {
    f64::from(shade) / f64::from(DIVERGING_STEPS)
}

/// Index of the colour of a displacement, given as a fraction of the peak.
fn colour_index(share: f64) -> usize {
    let root = share.clamp(-1.0, 1.0).abs().sqrt().copysign(share);
    ((root + 1.0) * f64::from(DIVERGING_STEPS)).round() as usize
}

/// Position of a pixel, as fractions of the sides.
fn position(area: &BitmapArea, x: u32, y: u32) -> [f64; 2] {
    let (width, height) = area.dim_in_pixel();
    [(f64::from(x) + 0.5) / f64::from(width), 1.0 - (f64::from(y) + 0.5) / f64::from(height)]
}

fn contains(surface: &SurfaceSubject, [x, y]: [f64; 2]) -> bool {
    !surface.is_disc || (x - 0.5).hypot(y - 0.5) <= 0.5
}

fn fill(area: &BitmapArea, surface: &SurfaceSubject, colour: impl Fn([f64; 2]) -> RGBColor) -> Result<(), String> {
    let (width, height) = area.dim_in_pixel();
    for y in 0..height {
        for x in 0..width {
            let at = position(area, x, y);
            if contains(surface, at) {
                area.draw_pixel((x as i32, y as i32), &colour(at)).map_err(style::draw_error)?;
            }
        }
    }
    Ok(())
}

/// Hatches the footprint of a touch, more densely at higher pressure, and draws its edge.
fn hatch(area: &BitmapArea, surface: &SurfaceSubject, footprint: &TouchFootprint) -> Result<(), String> {
    let (width, height) = area.dim_in_pixel();
    let spacing = (HATCH_SPACING / footprint.pressure).min(MAX_HATCH_SPACING) as u32;
    let pixels = (0..width * height).map(|pixel| footprint.covers(position(area, pixel % width, pixel / width)));
    let pixels: Vec<bool> = pixels.collect();
    let covered = |x: u32, y: u32| pixels[(y.min(height - 1) * width + x.min(width - 1)) as usize];
    for y in 0..height {
        for x in 0..width {
            let inside = covered(x, y);
            let is_edge = covered(x + 2, y) != inside || covered(x, y + 2) != inside;
            let is_line = inside && (x + y) % spacing == 0;
            if (is_edge || is_line) && contains(surface, position(area, x, y)) {
                area.draw_pixel((x as i32, y as i32), &TEXT_COLOUR).map_err(style::draw_error)?;
            }
        }
    }
    Ok(())
}

fn draw_outline(area: &BitmapArea, surface: &SurfaceSubject) -> Result<(), String> {
    let (width, height) = area.dim_in_pixel();
    let (width, height) = (width as i32, height as i32);
    if surface.is_disc {
        area.draw(&Circle::new((width / 2, height / 2), width / 2, TEXT_COLOUR.stroke_width(1)))
            .map_err(style::draw_error)
    } else {
        area.draw(&Rectangle::new([(0, 0), (width - 1, height - 1)], TEXT_COLOUR.stroke_width(1)))
            .map_err(style::draw_error)
    }
}

/// Draws the colour bar; `left` is its left edge, `middle` the height of its zero.
fn draw_colour_bar(area: &BitmapArea, (left, middle): (i32, i32), height: i32, peak: f64) -> Result<(), String> {
    let scale = style::scaled_axis("", peak, "m");
    let (top, bottom) = (middle - height / 2 + TICK_SIZE as i32, middle + height / 2 - TICK_SIZE as i32);
    let bar = area.clone().shrink((left, top), (COLOUR_BAR_WIDTH, bottom - top));
    heat_map::fill_cells(&bar, [1, 2 * DIVERGING_STEPS as usize + 1], |_, row| {
        heat_map::diverging_colour(level(row as i32 - DIVERGING_STEPS))
    })?;
    let anchored = |v| style::text_style(TICK_SIZE).pos(Pos::new(HPos::Left, v));
    for step in 0..=4 {
        let y = top + (bottom - top) * step / 4;
        let root = 1.0 - 0.5 * f64::from(step);
        let text = tick_text(peak / scale.factor * root * root.abs());
        let tick = PathElement::new([(left + COLOUR_BAR_WIDTH, y), (left + COLOUR_BAR_WIDTH + 5, y)], TEXT_COLOUR);
        area.draw(&tick).map_err(style::draw_error)?;
        let label = Text::new(text, (left + COLOUR_BAR_WIDTH + 9, y + FONT_OFFSET), anchored(VPos::Center));
        area.draw(&label).map_err(style::draw_error)?;
    }
    let unit = scale.title.trim().trim_matches(['[', ']']).to_string();
    area.draw(&Text::new(unit, (left, top - 12), anchored(VPos::Bottom))).map_err(style::draw_error)
}

/// A number with its sign and about three significant digits.
fn tick_text(value: f64) -> String {
    let decimals = match value.abs() {
        large if large >= 100.0 => 0,
        middling if middling >= 10.0 => 1,
        _ => 2,
    };
    if value == 0.0 { "0".into() } else { format!("{value:+.decimals$}").replace('-', "−") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_white_and_peaks_are_the_most_saturated_colours() {
        assert_eq!([-2.0, -1.0, 0.0, 0.25, 1.0].map(colour_index), [0, 0, 64, 96, 128]);
        assert_eq!(heat_map::diverging_colour(level(0)), heat_map::diverging_colour(0.0));
    }

    #[test]
    fn tick_text_has_a_sign_and_three_digits() {
        assert_eq!([0.0, 1.0, -15.55, 355.1].map(tick_text), ["0", "+1.00", "−15.6", "+355"]);
    }
}
