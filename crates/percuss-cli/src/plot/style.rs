//! What all pictures share: size, fonts, colours, axes.

use crate::format;
use plotters::chart::ChartContext;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::register_font;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter};
use std::ops::Range;
use std::path::Path;

/// What drawing on a bitmap needs.
pub type Area<'a> = DrawingArea<BitMapBackend<'a>, Shift>;
/// A chart with straight axes, on a bitmap or whatever else can be drawn on.
pub type Chart<'a, B> = ChartContext<'a, B, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Size of a picture \[pixels\].
pub const SIZE: (u32, u32) = (1600, 900);
/// Width of the y labels' margin \[pixels\].
pub const LEFT: u32 = 110;
/// Height of the x labels' margin \[pixels\].
pub const BOTTOM: u32 = 72;
/// Space round a chart \[pixels\].
pub const MARGIN: u32 = 24;

/// How much higher than asked for the font sits \[pixels\].
pub const RISE: i32 = 4;

/// Text and axes.
pub const INK: RGBColor = RGBColor(38, 38, 44);
/// Grid lines.
pub const GRID: RGBColor = RGBColor(228, 228, 232);
/// Lines of data, told apart also by those who see colours differently (Okabe and Ito, 2008).
pub const PALETTE: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(130, 130, 136),
];

/// Size of titles and labels \[pixels\].
const TITLE: u32 = 36;
/// Size of axis descriptions \[pixels\].
pub const LABEL: u32 = 26;
/// Size of the ticks' numbers and of legends \[pixels\].
pub const TICK: u32 = 23;

/// The font is part of the program: none needs to be installed.
pub fn register_fonts() {
    // The only error is a font that cannot be read, and this one is known.
    let _ = register_font("sans-serif", FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT);
}

/// Text of a size.
pub fn text(size: u32) -> TextStyle<'static> {
    ("sans-serif", size).with_color(INK).into_text_style(&SIZE)
}

/// Opens a white picture with a title; draws, then saves it.
pub fn picture(path: &Path, title: &str, draw: impl FnOnce(&Area) -> Result<(), String>) -> Result<(), String> {
    bitmap(path, |backend| picture_on(backend, title, draw))
}

/// Draws on a bitmap and saves it as PNG.
pub fn bitmap(path: &Path, draw: impl FnOnce(BitMapBackend) -> Result<(), String>) -> Result<(), String> {
    let mut pixels = vec![0; (SIZE.0 * SIZE.1 * 3) as usize];
    draw(BitMapBackend::with_buffer(&mut pixels, SIZE))?;
    save(path, &pixels).map_err(|error| format!("cannot be written: {error}"))
}

/// Writes pixels of three bytes each, row by row.
fn save(path: &Path, pixels: &[u8]) -> io::Result<()> {
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), SIZE.0, SIZE.1);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    Ok(writer.finish()?)
}

/// The same on any backend.
pub fn picture_on<B: DrawingBackend>(
    backend: B,
    title: &str,
    draw: impl FnOnce(&DrawingArea<B, Shift>) -> Result<(), String>,
) -> Result<(), String> {
    let root = backend.into_drawing_area();
    root.fill(&WHITE).map_err(words)?;
    let below = root.margin(MARGIN / 2, 0, 0, 0).titled(title, text(TITLE)).map_err(words)?;
    draw(&below)?;
    root.present().map_err(words)
}

/// An error of the drawing library, in words.
pub fn words(error: impl Display) -> String {
    format!("cannot be drawn: {error}")
}

/// Draws grid, axes and their descriptions.
pub fn axes<B: DrawingBackend>(chart: &mut Chart<B>, x: &str, y: &str) -> Result<(), String> {
    axes_with(chart, (x, &tick), (y, &tick))
}

/// A description, and how the ticks' numbers are written.
type Labels<'a> = (&'a str, &'a dyn Fn(&f64) -> String);

/// The same with the ticks' numbers written in other ways.
pub fn axes_with<B: DrawingBackend>(chart: &mut Chart<B>, x: Labels, y: Labels) -> Result<(), String> {
    let (width, height) = chart.plotting_area().dim_in_pixel();
    let room = height as usize / 24;
    chart
        .configure_mesh()
        .x_desc(x.0)
        .y_desc(y.0)
        .axis_style(INK.stroke_width(1))
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .label_style(text(TICK))
        .axis_desc_style(text(LABEL))
        .x_labels((width as usize / 100).clamp(4, 10))
        .y_labels(room.clamp(2, 8))
        .x_label_formatter(x.1)
        .y_label_formatter(y.1)
        .draw()
        .map_err(words)
}

/// A tick's number.
pub fn tick(value: &f64) -> String {
    format::trimmed_decimal(*value).replace('-', "−")
}

/// A legend on the right.
pub fn legend<'a, B: DrawingBackend + 'a>(
    chart: &mut Chart<'a, B>,
    position: SeriesLabelPosition,
) -> Result<(), String> {
    chart
        .configure_series_labels()
        .position(position)
        .background_style(WHITE.mix(0.85))
        .border_style(GRID)
        .label_font(text(TICK))
        .legend_area_size(36)
        .margin(14)
        .draw()
        .map_err(words)
}

/// A quantity on an axis: the factor its values are divided by, and its description with the unit.
pub struct Scaled {
    /// What values are divided by.
    pub factor: f64,
    /// `Energy [mJ]`.
    pub title: String,
}

/// Chooses a prefix for an axis from the largest magnitude shown.
pub fn scaled(name: &str, largest: f64, unit: &str) -> Scaled {
    let plain = unit.is_empty() || unit.starts_with('(');
    let (factor, prefix) = if plain || largest == 0.0 { (1.0, "") } else { format::si_prefix(largest) };
    if factor == 0.0 {
        let exponent = largest.log10().floor() as i32;
        let title = format!("{name} [{} {unit}]", power_of_ten(exponent));
        return Scaled { factor: 10_f64.powi(exponent), title };
    }
    let unit = if plain { unit.to_string() } else { format!("[{prefix}{unit}]") };
    Scaled { factor, title: format!("{name} {unit}").trim_end().into() }
}

/// A power of ten. (The font has no raised minus.)
pub fn power_of_ten(exponent: i32) -> String {
    format!("1e{exponent}").replace('-', "−")
}

/// A range with a little air round the values from `low` to `high`.
pub fn airy(low: f64, high: f64) -> Range<f64> {
    let air = 0.06 * (high - low);
    if air > 0.0 { low - air..high + air } else { low - 0.1..high + 1.0 }
}

/// The range of a time axis; a hair wider, so that rounding does not cost the last tick.
pub fn until(end: f64) -> Range<f64> {
    0.0..if end > 0.0 { end * (1.0 + 1e-9) } else { 1.0 }
}

/// Divides an area into panels of equal charts, one above the other; the last has room for the time axis' title.
pub fn panels<'a>(area: &Area<'a>, count: usize) -> Vec<Area<'a>> {
    let height = area.dim_in_pixel().1 as i32 - (BOTTOM / 2) as i32;
    let cuts: Vec<i32> = (1..count as i32).map(|index| height * index / count as i32).collect();
    area.split_by_breakpoints::<i32, i32, _, _>(&[], &cuts)
}

/// A short piece of line, for a legend.
pub fn key(colour: impl Into<ShapeStyle>) -> impl Fn((i32, i32)) -> PathElement<(i32, i32)> {
    let style = colour.into().stroke_width(3);
    move |(x, y)| PathElement::new(vec![(x, y - RISE), (x + 30, y - RISE)], style)
}

/// A line of data. Drawn piece by piece: where a thick line turns sharply, plotters would draw a long spike.
pub fn line<'a, B: DrawingBackend + 'a>(
    chart: &mut Chart<'a, B>,
    points: &[(f64, f64)],
    style: ShapeStyle,
) -> Result<(), String> {
    let pieces = points.windows(2).map(|piece| PathElement::new(piece.to_vec(), style));
    chart.draw_series(pieces).map(drop).map_err(words)
}
