//! Energy of all parts over time; below, the residual of the ledger.

use super::style::{
    self, FONT_OFFSET, GRID_COLOUR, MARGIN, PALETTE, TEXT_COLOUR, TICK_SIZE, X_LABEL_HEIGHT, Y_LABEL_WIDTH,
};
use crate::render::plot_recorder::{EnergySample, PlotRecorder};
use percuss_scene::Scene;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::path::Path;

/// Largest number of elements and contacts with their own curve; the others are summed.
const MAX_CURVES: usize = 6;
/// Smallest plotted residual: values below are rounding.
const MIN_RESIDUAL: f64 = 1e-18;
/// Width of the legend \[pixels\].
const LEGEND_WIDTH: u32 = 260;
/// Longest label that fits into the legend \[characters\].
const MAX_LABEL_CHARS: usize = 20;
/// Colour of the supplied energy.
const SUPPLIED_COLOUR: RGBColor = RGBColor(150, 30, 40);

/// A curve of the plot.
struct EnergyCurve {
    label: String,
    values: Vec<f64>,
    style: ShapeStyle,
    dashed: bool,
}

impl EnergyCurve {
    fn new(label: impl Into<String>, values: Vec<f64>, style: ShapeStyle) -> Self {
        Self { label: label.into(), values, style, dashed: false }
    }

    fn dashed(self) -> Self {
        Self { dashed: true, ..self }
    }
}

/// Draws the plot.
pub fn draw(path: &Path, scene: &Scene, recorder: &PlotRecorder) -> Result<(), String> {
    let rows = &recorder.energy;
    let time = style::scaled_axis("Time", rows.last().map_or(0.0, |row| row.time), "s");
    let times: Vec<f64> = rows.iter().map(|row| row.time / time.factor).collect();
    let curves = curves(scene, rows);
    style::draw_bitmap_plot(path, &format!("{}: energy", scene.name), |area| {
        let (charts, side) = area.split_horizontally(area.dim_in_pixel().0 - LEGEND_WIDTH);
        let (upper, lower) = charts.split_vertically((68).percent_height());
        draw_energy(&upper, &times, &curves)?;
        draw_residual(&lower, &times, rows, &time.title)?;
        draw_legend(&side, &curves)
    })
}

fn curves(scene: &Scene, rows: &[EnergySample]) -> Vec<EnergyCurve> {
    let mut curves = part_curves(scene, rows);
    curves
        .push(EnergyCurve::new("dissipated", values(rows, |row| row.dissipated), TEXT_COLOUR.stroke_width(2)).dashed());
    let supplied = values(rows, |row| row.supplied);
    if supplied.iter().any(|&x| x != 0.0) {
        curves.push(EnergyCurve::new("supplied", supplied, SUPPLIED_COLOUR.stroke_width(2)).dashed());
    }
    let sum = |row: &EnergySample| row.elements.iter().chain(&row.contacts).sum::<f64>() + row.dissipated;
    curves.push(EnergyCurve::new("stored + dissipated", values(rows, sum), TEXT_COLOUR.stroke_width(1)));
    curves
}

fn draw_energy(area: &style::BitmapArea, times: &[f64], curves: &[EnergyCurve]) -> Result<(), String> {
    let everything = curves.iter().flat_map(|curve| &curve.values);
    let (low, high) = everything.fold((0.0_f64, 0.0_f64), |(low, high), &x| (low.min(x), high.max(x)));
    let energy = style::scaled_axis("Energy", high.max(-low), "J");
    let mut chart = ChartBuilder::on(area)
        .margin(MARGIN)
        .x_label_area_size(X_LABEL_HEIGHT / 2)
        .y_label_area_size(Y_LABEL_WIDTH)
        .build_cartesian_2d(
            style::range_from_zero(end(times)),
            style::padded_range(low / energy.factor, high / energy.factor),
        )
        .map_err(style::draw_error)?;
    style::draw_axes(&mut chart, "", &energy.title)?;
    for curve in curves {
        let points: Vec<_> = times.iter().zip(&curve.values).map(|(&t, &x)| (t, x / energy.factor)).collect();
        if curve.dashed {
            chart.draw_series(DashedLineSeries::new(points, 9, 6, curve.style)).map_err(style::draw_error)?;
        } else {
            style::draw_line(&mut chart, &points, curve.style)?;
        }
    }
    Ok(())
}

/// Draws the legend beside the chart, where no curve crosses it.
fn draw_legend(area: &style::BitmapArea, curves: &[EnergyCurve]) -> Result<(), String> {
    for (index, curve) in curves.iter().enumerate() {
        let y = MARGIN as i32 + 16 + 34 * index as i32;
        let dashes: &[(i32, i32)] = if curve.dashed { &[(0, 8), (11, 19), (22, 30)] } else { &[(0, 30)] };
        for &(from, to) in dashes {
            area.draw(&PathElement::new([(from, y), (to, y)], curve.style)).map_err(style::draw_error)?;
        }
        let text = style::text_style(TICK_SIZE).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(truncated(&curve.label), (40, y + FONT_OFFSET), text)).map_err(style::draw_error)?;
    }
    Ok(())
}

/// A label cut to the width of the legend.
fn truncated(label: &str) -> String {
    if label.chars().count() <= MAX_LABEL_CHARS {
        return label.into();
    }
    label.chars().take(MAX_LABEL_CHARS - 1).chain(['…']).collect()
}

fn values(rows: &[EnergySample], of: impl Fn(&EnergySample) -> f64) -> Vec<f64> {
    rows.iter().map(of).collect()
}

fn end(times: &[f64]) -> f64 {
    times.last().copied().unwrap_or(0.0)
}

/// Curves of the elements and contacts that store most, and of the sum of the others. Those that never store energy are left
/// out.
fn part_curves(scene: &Scene, rows: &[EnergySample]) -> Vec<EnergyCurve> {
    let part = |id: &String, values: Vec<f64>| EnergyCurve::new(id, values, TEXT_COLOUR.stroke_width(2));
    let elements = scene.element_names.iter().enumerate().map(|(i, id)| part(id, values(rows, |row| row.elements[i])));
    let contacts =
        scene.interaction_names.iter().enumerate().map(|(i, id)| part(id, values(rows, |row| row.contacts[i])));
    let holds_any = |curve: &EnergyCurve| curve.values.iter().any(|&x| x != 0.0);
    let mut curves: Vec<EnergyCurve> = elements.chain(contacts).filter(holds_any).collect();
    if curves.len() > MAX_CURVES {
        let most = |curve: &EnergyCurve| curve.values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        curves.sort_by(|a, b| most(b).total_cmp(&most(a)));
        let others = curves.split_off(MAX_CURVES - 1);
        let sum = |row: usize| others.iter().map(|curve| curve.values[row]).sum();
        curves.push(part(&format!("{} others", others.len()), (0..rows.len()).map(sum).collect()));
    }
    for (curve, colour) in curves.iter_mut().zip(PALETTE) {
        curve.style = colour.stroke_width(2);
    }
    curves
}

/// Label of a whole power of ten.
fn decade_label(exponent: &f64) -> String {
    if exponent.fract().abs() < 1e-9 { style::power_of_ten(*exponent as i32) } else { String::new() }
}

fn draw_residual(area: &style::BitmapArea, times: &[f64], rows: &[EnergySample], time: &str) -> Result<(), String> {
    let largest = rows.iter().fold(0.0_f64, |largest, row| largest.max(row.residual));
    let top = (largest.max(1e-16).log10() + 0.7).ceil();
    // The axis is logarithmic: its coordinates are exponents.
    let shown = |row: &EnergySample| row.residual.max(MIN_RESIDUAL).log10();
    let lowest = rows.iter().skip(1).map(shown).fold(top - 2.0, f64::min).floor();
    let mut chart = ChartBuilder::on(area)
        .margin(MARGIN)
        .margin_top(0)
        .x_label_area_size(X_LABEL_HEIGHT)
        .y_label_area_size(Y_LABEL_WIDTH)
        .build_cartesian_2d(style::range_from_zero(end(times)), lowest..top)
        .map_err(style::draw_error)?;
    chart
        .configure_mesh()
        .x_desc(time)
        .y_desc("Residual / energy")
        .axis_style(TEXT_COLOUR)
        .bold_line_style(GRID_COLOUR)
        .light_line_style(TRANSPARENT)
        .label_style(style::text_style(TICK_SIZE))
        .axis_desc_style(style::text_style(style::LABEL_SIZE))
        .x_labels(10)
        .y_labels(5)
        .x_label_formatter(&style::tick_text)
        .y_label_formatter(&decade_label)
        .draw()
        .map_err(style::draw_error)?;
    let points = times.iter().zip(rows).skip(1).map(|(&t, row)| (t, shown(row)));
    chart.draw_series(LineSeries::new(points, PALETTE[0])).map(drop).map_err(style::draw_error)
}
