//! A panel with one curve over time, among others below each other.

use super::style::{self, MARGIN, PlotPoint, X_LABEL_HEIGHT, Y_LABEL_WIDTH};
use plotters::coord::Shift;
use plotters::prelude::*;

/// What is written in a panel.
pub struct PanelTitles<'a> {
    /// Below the time axis; empty but in the last panel.
    pub x: &'a str,
    /// What the curve shows, and its unit.
    pub quantity: &'a str,
    pub unit: &'a str,
    /// Beside the curve.
    pub label: String,
}

/// Smallest and largest value of a curve, and 0.
pub fn range(line: &[PlotPoint]) -> (f64, f64) {
    line.iter().fold((0.0, 0.0), |(low, high), &(_, value)| (value.min(low), value.max(high)))
}

/// Draws a curve up to a time \[s\], which is divided by a factor.
pub fn draw_panel<B: DrawingBackend>(
    panel: &DrawingArea<B, Shift>,
    titles: PanelTitles<'_>,
    line: &[PlotPoint],
    (end, time_factor): (f64, f64),
    colour: RGBColor,
) -> Result<(), String> {
    let (low, high) = range(line);
    let axis = style::scaled_axis(titles.quantity, high.max(-low), titles.unit);
    let range = style::padded_range(low / axis.factor, high / axis.factor);
    let mut chart = ChartBuilder::on(panel)
        .margin(MARGIN)
        .margin_top(4)
        .x_label_area_size(if titles.x.is_empty() { X_LABEL_HEIGHT / 2 } else { X_LABEL_HEIGHT })
        .y_label_area_size(Y_LABEL_WIDTH)
        .build_cartesian_2d(style::range_from_zero(end / time_factor), range)
        .map_err(style::draw_error)?;
    style::draw_axes(&mut chart, titles.x, &axis.title)?;
    let points: Vec<PlotPoint> = line.iter().map(|&(t, value)| (t / time_factor, value / axis.factor)).collect();
    style::draw_line(&mut chart, &points, colour.stroke_width(2))?;
    // plotters takes legend entries from series: an empty one carries the label.
    let none: [PathElement<PlotPoint>; 0] = [];
    chart.draw_series(none).map_err(style::draw_error)?.label(titles.label).legend(style::legend_line(colour));
    style::draw_legend(&mut chart, SeriesLabelPosition::UpperRight)
}
