//! Common style of all plots: sizes, fonts, colours, axes.

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

/// Drawing area of a bitmap.
pub type BitmapArea<'a> = DrawingArea<BitMapBackend<'a>, Shift>;
/// A chart with Cartesian axes on any backend.
pub type Chart<'a, B> = ChartContext<'a, B, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
/// x and y of a point, in the coordinates of its panel.
pub type PlotPoint = (f64, f64);

/// Size of a plot \[pixels\].
pub const PLOT_SIZE: (u32, u32) = (1600, 900);
/// Width of the labels of the y axis \[pixels\].
pub const Y_LABEL_WIDTH: u32 = 110;
/// Height of the labels of the x axis \[pixels\].
pub const X_LABEL_HEIGHT: u32 = 72;
/// Margin around a chart \[pixels\].
pub const MARGIN: u32 = 24;

/// Vertical offset of the font \[pixels\].
pub const FONT_OFFSET: i32 = 4;

/// Colour of text and axes.
pub const TEXT_COLOUR: RGBColor = RGBColor(38, 38, 44);
/// Colour of grid lines.
pub const GRID_COLOUR: RGBColor = RGBColor(228, 228, 232);
/// Colours of curves, distinguishable with colour vision deficiency (Okabe and Ito, 2008).
pub const PALETTE: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(130, 130, 136),
];

/// Font size of titles \[pixels\].
const TITLE_SIZE: u32 = 36;
/// Font size of axis titles \[pixels\].
pub const LABEL_SIZE: u32 = 26;
/// Font size of tick labels and legends \[pixels\].
pub const TICK_SIZE: u32 = 23;

/// Registers the font that is part of the program.
pub fn register_fonts() {
    // The only error is an invalid font.
    let _ = register_font("sans-serif", FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT);
}

/// Text style of a font size.
pub fn text_style(size: u32) -> TextStyle<'static> {
    ("sans-serif", size).with_color(TEXT_COLOUR).into_text_style(&PLOT_SIZE)
}

/// What can be drawn on any backend.
pub trait Picture {
    /// Title.
    fn title(&self) -> String;
    /// Draws everything below the title.
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), String>;
}

/// Writes a picture as SVG if the path ends in .svg, else as PNG.
pub fn write_picture(path: &Path, picture: &impl Picture) -> Result<(), String> {
    if path.extension().is_some_and(|extension| extension == "svg") {
        return draw_titled_plot(SVGBackend::new(path, PLOT_SIZE), &picture.title(), |area| picture.draw(area));
    }
    write_bitmap(path, |backend| draw_titled_plot(backend, &picture.title(), |area| picture.draw(area)))
}

/// Draws on a bitmap and writes it as PNG.
pub fn write_bitmap(path: &Path, draw: impl FnOnce(BitMapBackend) -> Result<(), String>) -> Result<(), String> {
    let mut pixels = vec![0; (PLOT_SIZE.0 * PLOT_SIZE.1 * 3) as usize];
    draw(BitMapBackend::with_buffer(&mut pixels, PLOT_SIZE))?;
    write_png(path, &pixels).map_err(|error| format!("cannot be written: {error}"))
}

/// Writes RGB pixels, row by row.
fn write_png(path: &Path, pixels: &[u8]) -> io::Result<()> {
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), PLOT_SIZE.0, PLOT_SIZE.1);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    Ok(writer.finish()?)
}

/// Draws a plot with a title on any backend.
pub fn draw_titled_plot<B: DrawingBackend>(
    backend: B,
    title: &str,
    draw: impl FnOnce(&DrawingArea<B, Shift>) -> Result<(), String>,
) -> Result<(), String> {
    let root = backend.into_drawing_area();
    root.fill(&WHITE).map_err(draw_error)?;
    let below = root.margin(MARGIN / 2, 0, 0, 0).titled(title, text_style(TITLE_SIZE)).map_err(draw_error)?;
    draw(&below)?;
    root.present().map_err(draw_error)
}

/// Message for an error of the drawing library.
pub fn draw_error(error: impl Display) -> String {
    format!("cannot be drawn: {error}")
}

/// Draws grid, axes and axis titles.
pub fn draw_axes<B: DrawingBackend>(chart: &mut Chart<B>, x: &str, y: &str) -> Result<(), String> {
    draw_axes_with(chart, (x, &tick_text), (y, &tick_text))
}

/// Axis title, and format of the tick labels.
type Labels<'a> = (&'a str, &'a dyn Fn(&f64) -> String);

/// The same with other formats of the tick labels.
pub fn draw_axes_with<B: DrawingBackend>(chart: &mut Chart<B>, x: Labels, y: Labels) -> Result<(), String> {
    let (width, height) = chart.plotting_area().dim_in_pixel();
    let max_labels = height as usize / 24;
    chart
        .configure_mesh()
        .x_desc(x.0)
        .y_desc(y.0)
        .axis_style(TEXT_COLOUR.stroke_width(1))
        .bold_line_style(GRID_COLOUR)
        .light_line_style(TRANSPARENT)
        .label_style(text_style(TICK_SIZE))
        .axis_desc_style(text_style(LABEL_SIZE))
        .x_labels((width as usize / 100).clamp(4, 10))
        .y_labels(max_labels.clamp(2, 8))
        .x_label_formatter(x.1)
        .y_label_formatter(y.1)
        .draw()
        .map_err(draw_error)
}

/// A tick label.
pub fn tick_text(value: &f64) -> String {
    format::trimmed_decimal(*value).replace('-', "−")
}

/// Draws the legend.
pub fn draw_legend<'a, B: DrawingBackend + 'a>(
    chart: &mut Chart<'a, B>,
    position: SeriesLabelPosition,
) -> Result<(), String> {
    chart
        .configure_series_labels()
        .position(position)
        .background_style(WHITE.mix(0.85))
        .border_style(GRID_COLOUR)
        .label_font(text_style(TICK_SIZE))
        .legend_area_size(36)
        .margin(14)
        .draw()
        .map_err(draw_error)
}

/// Scaling of an axis by an SI prefix.
pub struct ScaledAxis {
    /// Divisor of the values.
    pub factor: f64,
    /// Title with unit, such as `Energy [mJ]`.
    pub title: String,
}

/// Chooses the prefix of an axis from the largest magnitude.
pub fn scaled_axis(name: &str, largest: f64, unit: &str) -> ScaledAxis {
    let without_prefix = unit.is_empty() || unit.starts_with('(');
    let (factor, prefix) = if without_prefix || largest == 0.0 { (1.0, "") } else { format::si_prefix(largest) };
    if factor == 0.0 {
        let exponent = largest.log10().floor() as i32;
        let title = format!("{name} [{} {unit}]", power_of_ten(exponent));
        return ScaledAxis { factor: 10_f64.powi(exponent), title };
    }
    let unit = if without_prefix { unit.to_string() } else { format!("[{prefix}{unit}]") };
    ScaledAxis { factor, title: format!("{name} {unit}").trim_end().into() }
}

/// A power of ten as text; the font has no superscript minus.
pub fn power_of_ten(exponent: i32) -> String {
    format!("1e{exponent}").replace('-', "−")
}

/// The range from `low` to `high` with some padding.
pub fn padded_range(low: f64, high: f64) -> Range<f64> {
    let padding = 0.06 * (high - low);
    if padding > 0.0 { low - padding..high + padding } else { low - 0.1..high + 1.0 }
}

/// The range from 0 to `end`; slightly wider, so that rounding does not drop the last tick.
pub fn range_from_zero(end: f64) -> Range<f64> {
    0.0..if end > 0.0 { end * (1.0 + 1e-9) } else { 1.0 }
}

/// Divides an area into stacked panels with charts of equal height; the last has room for the title of the time axis.
pub fn split_panels<B: DrawingBackend>(area: &DrawingArea<B, Shift>, count: usize) -> Vec<DrawingArea<B, Shift>> {
    let height = area.dim_in_pixel().1 as i32 - (X_LABEL_HEIGHT / 2) as i32;
    let cuts: Vec<i32> = (1..count as i32).map(|index| height * index / count as i32).collect();
    area.split_by_breakpoints::<i32, i32, _, _>(&[], &cuts)
}

/// A line segment for a legend.
pub fn legend_line(colour: impl Into<ShapeStyle>) -> impl Fn((i32, i32)) -> PathElement<(i32, i32)> {
    let style = colour.into().stroke_width(3);
    move |(x, y)| PathElement::new(vec![(x, y - FONT_OFFSET), (x + 30, y - FONT_OFFSET)], style)
}

/// Draws a polyline segment by segment: plotters draws long spikes at sharp corners of thick lines.
pub fn draw_line<'a, B: DrawingBackend + 'a>(
    chart: &mut Chart<'a, B>,
    points: &[(f64, f64)],
    style: ShapeStyle,
) -> Result<(), String> {
    let segments = points.windows(2).map(|segment| PathElement::new(segment.to_vec(), style));
    chart.draw_series(segments).map(drop).map_err(draw_error)
}
