//! A plate from above: red is up, blue is down, hatched is where something lies on it.
//!
//! Colours go with the root of the displacement: a plate rings long after the blow, at a tenth of it.

use super::cast::Surface;
use super::touch::Print;
use crate::plot::heat;
use crate::plot::style::{self, Area, INK, MARGIN, RISE, TICK};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Width of the colour bar, and of all to the right of the plate \[pixels\].
const BAR: i32 = 22;
const SIDE: i32 = 128;
/// Space from one hatching line to the next at full pressure, and at most \[pixels\].
const HATCH: f64 = 9.0;
const WIDEST_HATCH: f64 = 60.0;
/// Shades of colour to either side of zero.
const SHADES: i32 = 64;

/// Draws a plate; `peak` is the displacement of the strongest colour \[m\].
pub fn draw(area: &Area, surface: &Surface, values: &[f32], peak: f64, time: f64) -> Result<(), String> {
    let (width, height) = area.dim_in_pixel();
    let margin = MARGIN as i32;
    let room = [width as i32 - 2 * margin - SIDE, height as i32 - 2 * margin].map(f64::from);
    let pixels_per_metre = (room[0] / surface.size[0]).min(room[1] / surface.size[1]);
    let size = surface.size.map(|side| ((side * pixels_per_metre) as i32).max(1));
    let corner = (margin + (room[0] as i32 - size[0]) / 2, (height as i32 - size[1]) / 2);
    let plate = area.clone().shrink(corner, (size[0], size[1]));
    let shades: Vec<RGBColor> = (-SHADES..=SHADES).map(|shade| heat::diverging(level(shade))).collect();
    fill(&plate, surface, |at| shades[shade(surface.at(values, at) / peak)])?;
    for print in surface.touches.iter().filter_map(|touch| Print::new(touch, time, surface.size)) {
        hatch(&plate, surface, &print)?;
    }
    draw_outline(&plate, surface)?;
    let bar = (corner.0 + size[0] + margin, corner.1 + size[1] / 2);
    draw_bar(area, bar, room[1].min(360.0) as i32, peak)
}

/// From a shade to its level of colour, from −1 to 1.
fn level(shade: i32) -> f64 {
    f64::from(shade) / f64::from(SHADES)
}

/// From a displacement, as a share of the largest, to the number of its shade.
fn shade(share: f64) -> usize {
    let root = share.clamp(-1.0, 1.0).abs().sqrt().copysign(share);
    ((root + 1.0) * f64::from(SHADES)).round() as usize
}

/// The place of a pixel, as fractions of the sides.
fn place(area: &Area, x: u32, y: u32) -> [f64; 2] {
    let (width, height) = area.dim_in_pixel();
    [(f64::from(x) + 0.5) / f64::from(width), 1.0 - (f64::from(y) + 0.5) / f64::from(height)]
}

fn is_on(surface: &Surface, [x, y]: [f64; 2]) -> bool {
    !surface.is_disc || (x - 0.5).hypot(y - 0.5) <= 0.5
}

fn fill(area: &Area, surface: &Surface, colour: impl Fn([f64; 2]) -> RGBColor) -> Result<(), String> {
    let (width, height) = area.dim_in_pixel();
    for y in 0..height {
        for x in 0..width {
            let at = place(area, x, y);
            if is_on(surface, at) {
                area.draw_pixel((x as i32, y as i32), &colour(at)).map_err(style::words)?;
            }
        }
    }
    Ok(())
}

/// Hatches what a touch covers, the denser the harder it presses, and draws its edge.
fn hatch(area: &Area, surface: &Surface, print: &Print) -> Result<(), String> {
    let (width, height) = area.dim_in_pixel();
    let spacing = (HATCH / print.pressure).min(WIDEST_HATCH) as u32;
    let pixels = (0..width * height).map(|pixel| print.covers(place(area, pixel % width, pixel / width)));
    let pixels: Vec<bool> = pixels.collect();
    let covered = |x: u32, y: u32| pixels[(y.min(height - 1) * width + x.min(width - 1)) as usize];
    for y in 0..height {
        for x in 0..width {
            let inside = covered(x, y);
            let is_edge = covered(x + 2, y) != inside || covered(x, y + 2) != inside;
            let is_line = inside && (x + y) % spacing == 0;
            if (is_edge || is_line) && is_on(surface, place(area, x, y)) {
                area.draw_pixel((x as i32, y as i32), &INK).map_err(style::words)?;
            }
        }
    }
    Ok(())
}

fn draw_outline(area: &Area, surface: &Surface) -> Result<(), String> {
    let (width, height) = area.dim_in_pixel();
    let (width, height) = (width as i32, height as i32);
    if surface.is_disc {
        area.draw(&Circle::new((width / 2, height / 2), width / 2, INK.stroke_width(1))).map_err(style::words)
    } else {
        area.draw(&Rectangle::new([(0, 0), (width - 1, height - 1)], INK.stroke_width(1))).map_err(style::words)
    }
}

/// What the colours mean; `left` and `middle` are where the bar begins and its zero lies.
fn draw_bar(area: &Area, (left, middle): (i32, i32), height: i32, peak: f64) -> Result<(), String> {
    let scale = style::scaled("", peak, "m");
    let (top, bottom) = (middle - height / 2 + TICK as i32, middle + height / 2 - TICK as i32);
    let bar = area.clone().shrink((left, top), (BAR, bottom - top));
    heat::cells(&bar, [1, 2 * SHADES as usize + 1], |_, row| heat::diverging(level(row as i32 - SHADES)))?;
    let anchored = |v| style::text(TICK).pos(Pos::new(HPos::Left, v));
    for step in 0..=4 {
        let y = top + (bottom - top) * step / 4;
        let root = 1.0 - 0.5 * f64::from(step);
        let words = tick(peak / scale.factor * root * root.abs());
        let tick = PathElement::new([(left + BAR, y), (left + BAR + 5, y)], INK);
        area.draw(&tick).map_err(style::words)?;
        let label = Text::new(words, (left + BAR + 9, y + RISE), anchored(VPos::Center));
        area.draw(&label).map_err(style::words)?;
    }
    let unit = scale.title.trim().trim_matches(['[', ']']).to_string();
    area.draw(&Text::new(unit, (left, top - 12), anchored(VPos::Bottom))).map_err(style::words)
}

/// A number with its sign and about three digits.
fn tick(value: f64) -> String {
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
    fn rest_is_white_and_the_largest_displacements_are_the_strongest_colours() {
        assert_eq!([-2.0, -1.0, 0.0, 0.25, 1.0].map(shade), [0, 0, 64, 96, 128]);
        assert_eq!(heat::diverging(level(0)), heat::diverging(0.0));
    }

    #[test]
    fn ticks_have_a_sign_and_three_digits() {
        assert_eq!([0.0, 1.0, -15.55, 355.1].map(tick), ["0", "+1.00", "−15.6", "+355"]);
    }
}
