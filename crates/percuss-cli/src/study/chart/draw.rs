//! Draws a figure as bitmap or vector graphics.

use super::{AxisScale, ChartAxis, ChartPanel, Curve, Figure, LineStyle};
use crate::plot::style::{self, Chart, FONT_OFFSET, MARGIN, PlotPoint, TICK_SIZE, X_LABEL_HEIGHT, Y_LABEL_WIDTH};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

/// Radius of a dot without a line \[pixels\].
const DOT_RADIUS: i32 = 9;

/// Draws a figure.
pub fn draw<B: DrawingBackend>(backend: B, title: &str, figure: &Figure) -> Result<(), String> {
    style::draw_titled_plot(backend, title, |area| {
        for (panel, area) in figure.panels.iter().zip(area.split_evenly((1, figure.panels.len()))) {
            draw_panel(&area, panel)?;
        }
        Ok(())
    })
}

/// Mapping of values to coordinates of an axis.
struct AxisMapping {
    title: String,
    factor: f64,
    scale: AxisScale,
    range: Range<f64>,
}

impl AxisMapping {
    fn new(axis: &ChartAxis, values: impl Iterator<Item = f64> + Clone) -> Self {
        let shown = |value: &f64| axis.range.is_none_or(|(low, high)| (low..=high).contains(value));
        let values = values.filter(shown);
        let largest = values.clone().fold(0.0_f64, |most, value| most.max(value.abs()));
        let style::ScaledAxis { factor, title } = match axis.scale {
            AxisScale::Logarithmic => style::scaled_axis(axis.name, 1.0, axis.unit),
            // Per cent have no prefix.
            _ if axis.unit == "%" => style::ScaledAxis { factor: 1.0, title: format!("{} [%]", axis.name) },
            _ => style::scaled_axis(axis.name, largest, axis.unit),
        };
        let mut scale = Self { title, factor, scale: axis.scale, range: 0.0..1.0 };
        let coordinates: Vec<f64> = match axis.range {
            Some((low, high)) => vec![scale.coordinate(low), scale.coordinate(high)],
            None => values.map(|value| scale.coordinate(value)).collect(),
        };
        let low = coordinates.iter().copied().fold(f64::INFINITY, f64::min);
        let high = coordinates.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        scale.range = if axis.range.is_some() { low..high } else { style::padded_range(low, high) };
        scale
    }

    fn coordinate(&self, value: f64) -> f64 {
        match self.scale {
            AxisScale::Linear => value / self.factor,
            AxisScale::Inverted => -value / self.factor,
            AxisScale::Logarithmic => value.log10(),
        }
    }

    fn tick(&self, coordinate: &f64) -> String {
        match self.scale {
            AxisScale::Linear => style::tick_text(coordinate),
            AxisScale::Inverted => style::tick_text(&-coordinate),
            // Only whole powers of ten are labelled.
            AxisScale::Logarithmic if (coordinate - coordinate.round()).abs() > 1e-6 => String::new(),
            AxisScale::Logarithmic if (-3.0..=3.0).contains(coordinate) => {
                style::tick_text(&10_f64.powf(coordinate.round()))
            }
            AxisScale::Logarithmic => style::power_of_ten(coordinate.round() as i32),
        }
    }
}

fn draw_panel<B: DrawingBackend>(area: &DrawingArea<B, Shift>, panel: &ChartPanel) -> Result<(), String> {
    let all = || panel.curves.iter().flat_map(|curve| &curve.points);
    let x = AxisMapping::new(&panel.x, all().map(|point| point.0));
    let y = AxisMapping::new(&panel.y, all().map(|point| point.1));
    let mut builder = ChartBuilder::on(area);
    if !panel.title.is_empty() {
        builder.caption(panel.title, style::text_style(style::LABEL_SIZE));
    }
    let mut chart = builder
        .margin(MARGIN)
        .x_label_area_size(X_LABEL_HEIGHT)
        .y_label_area_size(Y_LABEL_WIDTH)
        .build_cartesian_2d(x.range.clone(), y.range.clone())
        .map_err(style::draw_error)?;
    style::draw_axes_with(
        &mut chart,
        (&x.title, &|coordinate| x.tick(coordinate)),
        (&y.title, &|coordinate| y.tick(coordinate)),
    )?;
    let mut legend_names = Vec::new();
    for curve in &panel.curves {
        let coordinates: Vec<PlotPoint> =
            curve.points.iter().map(|point| (x.coordinate(point.0), y.coordinate(point.1))).collect();
        draw_curve(&mut chart, curve, &coordinates, (&x.range, &y.range))?;
        match curve.style {
            LineStyle::UnlabelledGuide => {}
            LineStyle::Guide => label_guide(&mut chart, &curve.name, &coordinates, (&x.range, &y.range))?,
            // Curves with the same name share an entry.
            _ if legend_names.contains(&&curve.name) => {}
            _ => {
                add_legend_entry(&mut chart, curve)?;
                legend_names.push(&curve.name);
            }
        }
    }
    style::draw_legend(&mut chart, panel.legend.clone())
}

fn draw_curve<'a, B: DrawingBackend + 'a>(
    chart: &mut Chart<'a, B>,
    curve: &Curve,
    coordinates: &[PlotPoint],
    window: (&Range<f64>, &Range<f64>),
) -> Result<(), String> {
    let ink = curve.colour.stroke_width(match curve.style {
        LineStyle::Guide | LineStyle::UnlabelledGuide => 1,
        LineStyle::Bold => 5,
        _ => 2,
    });
    let dashes = matches!(curve.style, LineStyle::Dashed | LineStyle::Guide | LineStyle::UnlabelledGuide);
    let runs = if curve.style == LineStyle::Dots { Vec::new() } else { clip_polyline(coordinates, window) };
    for run in runs {
        if dashes {
            let dashed = DashedLineSeries::new(run, 10, 7, ink);
            chart.draw_series(dashed).map_err(style::draw_error)?;
        } else {
            style::draw_line(chart, &run, ink)?;
        }
    }
    if let LineStyle::Marked | LineStyle::Dots = curve.style {
        let radius = if curve.style == LineStyle::Dots { DOT_RADIUS } else { 5 };
        let inside = coordinates.iter().filter(|point| window.0.contains(&point.0) && window.1.contains(&point.1));
        let dots = inside.map(|&point| Circle::new(point, radius, curve.colour.filled()));
        chart.draw_series(dots).map_err(style::draw_error)?;
    }
    Ok(())
}

/// Adds an entry to the legend.
fn add_legend_entry<'a, B: DrawingBackend + 'a>(chart: &mut Chart<'a, B>, curve: &Curve) -> Result<(), String> {
    // plotters takes legend entries from series: an empty one carries the label.
    let none: [PathElement<PlotPoint>; 0] = [];
    let series = chart.draw_series(none).map_err(style::draw_error)?.label(curve.name.clone());
    let colour = curve.colour;
    if curve.style == LineStyle::Dots {
        series.legend(move |(x, y)| Circle::new((x + 15, y - FONT_OFFSET), DOT_RADIUS, colour.filled()));
        return Ok(());
    }
    if curve.style != LineStyle::Dashed {
        series.legend(style::legend_line(colour));
        return Ok(());
    }
    let ink = colour.stroke_width(3);
    series.legend(move |(x, y)| {
        let dash =
            |start: i32| PathElement::new(vec![(x + start, y - FONT_OFFSET), (x + start + 7, y - FONT_OFFSET)], ink);
        EmptyElement::at((0, 0)) + dash(0) + dash(11) + dash(22)
    });
    Ok(())
}

/// Labels a guide at its end.
fn label_guide<'a, B: DrawingBackend + 'a>(
    chart: &mut Chart<'a, B>,
    name: &str,
    coordinates: &[PlotPoint],
    (across, up): (&Range<f64>, &Range<f64>),
) -> Result<(), String> {
    let (Some(first), Some(last)) = (coordinates.first(), coordinates.last()) else { return Ok(()) };
    // A horizontal guide is labelled at 30 % of its length, a vertical one beside its end.
    let level = first.1 == last.1;
    let x = if level { first.0 + 0.3 * (last.0 - first.0) } else { last.0 };
    let coordinate = (x.clamp(across.start, across.end), last.1.clamp(up.start, up.end));
    let (anchor, shift) = if level {
        (Pos::new(HPos::Center, VPos::Bottom), (0, -2))
    } else {
        (Pos::new(HPos::Right, VPos::Bottom), (-6, -4))
    };
    let label =
        EmptyElement::at(coordinate) + Text::new(name.to_string(), shift, style::text_style(TICK_SIZE).pos(anchor));
    chart.draw_series(std::iter::once(label)).map(drop).map_err(style::draw_error)
}

/// The parts of a polyline inside the chart; plotters would draw the others beyond its edges.
fn clip_polyline(points: &[PlotPoint], window: (&Range<f64>, &Range<f64>)) -> Vec<Vec<PlotPoint>> {
    let mut runs: Vec<Vec<PlotPoint>> = Vec::new();
    for piece in points.windows(2) {
        let Some((start, end)) = clip_segment(piece[0], piece[1], window) else { continue };
        match runs.last_mut().filter(|run| run.last() == Some(&start)) {
            Some(run) => run.push(end),
            None => runs.push(vec![start, end]),
        }
    }
    runs
}

/// The part of a segment inside a rectangle, after Liang and Barsky (1984).
fn clip_segment(
    start: PlotPoint,
    end: PlotPoint,
    (x, y): (&Range<f64>, &Range<f64>),
) -> Option<(PlotPoint, PlotPoint)> {
    let (dx, dy) = (end.0 - start.0, end.1 - start.1);
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for (p, q) in [(-dx, start.0 - x.start), (dx, x.end - start.0), (-dy, start.1 - y.start), (dy, y.end - start.1)] {
        if p == 0.0 && q < 0.0 {
            return None;
        }
        if p < 0.0 {
            from = from.max(q / p);
        } else if p > 0.0 {
            to = to.min(q / p);
        }
    }
    let at = |share: f64| match share {
        0.0 => start,
        1.0 => end,
        _ => (start.0 + share * dx, start.1 + share * dy),
    };
    (from <= to && from.is_finite() && to.is_finite()).then(|| (at(from), at(to)))
}
