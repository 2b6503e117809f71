//! Where the energy is and went, against time; below, how well the books balance.

use super::style::{self, BOTTOM, GRID, INK, LEFT, MARGIN, PALETTE, RISE, TICK};
use crate::render::plot_recorder::{EnergySample, PlotRecorder};
use percuss_scene::Scene;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::path::Path;

/// Most parts with a line of their own; the others are drawn as one.
const LINES: usize = 6;
/// Lowest residual shown: below the rounding of a double there is nothing to see.
const FLOOR: f64 = 1e-18;
/// Width of the legend \[pixels\].
const SIDE: u32 = 260;
/// Longest name that fits into it \[characters\].
const FITTING: usize = 20;
/// Energy from outside.
const SUPPLY: RGBColor = RGBColor(150, 30, 40);

/// A line of the picture.
struct Line {
    label: String,
    values: Vec<f64>,
    style: ShapeStyle,
    dashed: bool,
}

impl Line {
    fn new(label: impl Into<String>, values: Vec<f64>, style: ShapeStyle) -> Self {
        Self { label: label.into(), values, style, dashed: false }
    }

    fn dashed(self) -> Self {
        Self { dashed: true, ..self }
    }
}

/// Draws the picture.
pub fn draw(path: &Path, scene: &Scene, recorder: &PlotRecorder) -> Result<(), String> {
    let rows = &recorder.energy;
    let time = style::scaled("Time", rows.last().map_or(0.0, |row| row.time), "s");
    let times: Vec<f64> = rows.iter().map(|row| row.time / time.factor).collect();
    let lines = lines(scene, rows);
    style::picture(path, &format!("{}: energy", scene.name), |area| {
        let (charts, side) = area.split_horizontally(area.dim_in_pixel().0 - SIDE);
        let (upper, lower) = charts.split_vertically((68).percent_height());
        draw_energy(&upper, &times, &lines)?;
        draw_residual(&lower, &times, rows, &time.title)?;
        draw_legend(&side, &lines)
    })
}

fn lines(scene: &Scene, rows: &[EnergySample]) -> Vec<Line> {
    let mut lines = parts(scene, rows);
    lines.push(Line::new("dissipated", values(rows, |row| row.dissipated), INK.stroke_width(2)).dashed());
    let supplied = values(rows, |row| row.supplied);
    if supplied.iter().any(|&x| x != 0.0) {
        lines.push(Line::new("supplied", supplied, SUPPLY.stroke_width(2)).dashed());
    }
    let sum = |row: &EnergySample| row.elements.iter().chain(&row.contacts).sum::<f64>() + row.dissipated;
    lines.push(Line::new("stored + dissipated", values(rows, sum), INK.stroke_width(1)));
    lines
}

fn draw_energy(area: &style::Area, times: &[f64], lines: &[Line]) -> Result<(), String> {
    let everything = lines.iter().flat_map(|line| &line.values);
    let (low, high) = everything.fold((0.0_f64, 0.0_f64), |(low, high), &x| (low.min(x), high.max(x)));
    let energy = style::scaled("Energy", high.max(-low), "J");
    let mut chart = ChartBuilder::on(area)
        .margin(MARGIN)
        .x_label_area_size(BOTTOM / 2)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(style::until(end(times)), style::airy(low / energy.factor, high / energy.factor))
        .map_err(style::words)?;
    style::axes(&mut chart, "", &energy.title)?;
    for line in lines {
        let points: Vec<_> = times.iter().zip(&line.values).map(|(&t, &x)| (t, x / energy.factor)).collect();
        if line.dashed {
            chart.draw_series(DashedLineSeries::new(points, 9, 6, line.style)).map_err(style::words)?;
        } else {
            style::line(&mut chart, &points, line.style)?;
        }
    }
    Ok(())
}

/// Beside the chart: lines that cross all of it would run through a legend inside.
fn draw_legend(area: &style::Area, lines: &[Line]) -> Result<(), String> {
    for (index, line) in lines.iter().enumerate() {
        let y = MARGIN as i32 + 16 + 34 * index as i32;
        let dashes: &[(i32, i32)] = if line.dashed { &[(0, 8), (11, 19), (22, 30)] } else { &[(0, 30)] };
        for &(from, to) in dashes {
            area.draw(&PathElement::new([(from, y), (to, y)], line.style)).map_err(style::words)?;
        }
        let text = style::text(TICK).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(shortened(&line.label), (40, y + RISE), text)).map_err(style::words)?;
    }
    Ok(())
}

/// A name that fits beside the chart.
fn shortened(label: &str) -> String {
    if label.chars().count() <= FITTING {
        return label.into();
    }
    label.chars().take(FITTING - 1).chain(['…']).collect()
}

fn values(rows: &[EnergySample], of: impl Fn(&EnergySample) -> f64) -> Vec<f64> {
    rows.iter().map(of).collect()
}

fn end(times: &[f64]) -> f64 {
    times.last().copied().unwrap_or(0.0)
}

/// The parts that hold most, each with a line of its own, and the rest together. Parts that never hold any are left out.
fn parts(scene: &Scene, rows: &[EnergySample]) -> Vec<Line> {
    let part = |id: &String, values: Vec<f64>| Line::new(id, values, INK.stroke_width(2));
    let elements = scene.element_names.iter().enumerate().map(|(i, id)| part(id, values(rows, |row| row.elements[i])));
    let contacts =
        scene.interaction_names.iter().enumerate().map(|(i, id)| part(id, values(rows, |row| row.contacts[i])));
    let holds_any = |line: &Line| line.values.iter().any(|&x| x != 0.0);
    let mut lines: Vec<Line> = elements.chain(contacts).filter(holds_any).collect();
    if lines.len() > LINES {
        let most = |line: &Line| line.values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        lines.sort_by(|a, b| most(b).total_cmp(&most(a)));
        let others = lines.split_off(LINES - 1);
        let sum = |row: usize| others.iter().map(|line| line.values[row]).sum();
        lines.push(part(&format!("{} others", others.len()), (0..rows.len()).map(sum).collect()));
    }
    for (line, colour) in lines.iter_mut().zip(PALETTE) {
        line.style = colour.stroke_width(2);
    }
    lines
}

/// Only whole powers of ten are named.
fn decade(exponent: &f64) -> String {
    if exponent.fract().abs() < 1e-9 { style::power_of_ten(*exponent as i32) } else { String::new() }
}

fn draw_residual(area: &style::Area, times: &[f64], rows: &[EnergySample], time: &str) -> Result<(), String> {
    let largest = rows.iter().fold(0.0_f64, |largest, row| largest.max(row.residual));
    let top = (largest.max(1e-16).log10() + 0.7).ceil();
    // The axis is in powers of ten: its ticks are their exponents.
    let shown = |row: &EnergySample| row.residual.max(FLOOR).log10();
    let lowest = rows.iter().skip(1).map(shown).fold(top - 2.0, f64::min).floor();
    let mut chart = ChartBuilder::on(area)
        .margin(MARGIN)
        .margin_top(0)
        .x_label_area_size(BOTTOM)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(style::until(end(times)), lowest..top)
        .map_err(style::words)?;
    chart
        .configure_mesh()
        .x_desc(time)
        .y_desc("Residual / energy")
        .axis_style(INK)
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .label_style(style::text(TICK))
        .axis_desc_style(style::text(style::LABEL))
        .x_labels(10)
        .y_labels(5)
        .x_label_formatter(&style::tick)
        .y_label_formatter(&decade)
        .draw()
        .map_err(style::words)?;
    let points = times.iter().zip(rows).skip(1).map(|(&t, row)| (t, shown(row)));
    chart.draw_series(LineSeries::new(points, PALETTE[0])).map(drop).map_err(style::words)
}
