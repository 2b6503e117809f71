//! Panel of a modal body: the displacement of every mode at its frequency.

use super::subjects::ModesSubject;
use crate::format::four_digits;
use crate::plot::style::{self, BitmapArea, GRID_COLOUR, MARGIN, PALETTE, X_LABEL_HEIGHT, Y_LABEL_WIDTH};
use plotters::prelude::*;

/// Width of the bar of a mode \[pixels\].
const BAR_WIDTH: u32 = 5;
/// Room beside the lowest and highest mode, as a power of ten.
const ROOM: f64 = 0.1;

/// Draws the modes; `peak` is their largest displacement in the movie \[m\].
pub fn draw(area: &BitmapArea, modes: &ModesSubject, values: &[f32], peak: f64) -> Result<(), String> {
    let height = style::scaled_axis("Displacement", peak, "m");
    let max = 1.15 * peak / height.factor;
    // The coordinates are exponents.
    let exponents: Vec<f64> = modes.frequencies.iter().map(|frequency| frequency.log10()).collect();
    let (low, high) = exponents.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (x.min(low), x.max(high)));
    let mut chart = ChartBuilder::on(area)
        .margin(MARGIN)
        .margin_top(6)
        .x_label_area_size(X_LABEL_HEIGHT)
        .y_label_area_size(Y_LABEL_WIDTH)
        .build_cartesian_2d(low - ROOM..high + ROOM, -max..max)
        .map_err(style::draw_error)?;
    let frequency = |exponent: &f64| four_digits(10_f64.powf(*exponent));
    style::draw_axes_with(&mut chart, ("Frequency of the mode [Hz]", &frequency), (&height.title, &style::tick_text))?;
    style::draw_line(&mut chart, &[(low - ROOM, 0.0), (high + ROOM, 0.0)], GRID_COLOUR.stroke_width(3))?;
    let bars = exponents.iter().zip(values).map(|(&x, &u)| {
        PathElement::new(vec![(x, 0.0), (x, f64::from(u) / height.factor)], PALETTE[0].stroke_width(BAR_WIDTH))
    });
    chart.draw_series(bars).map(drop).map_err(style::draw_error)
}
