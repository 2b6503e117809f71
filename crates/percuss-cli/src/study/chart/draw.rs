//! Draws a figure, on a bitmap or as vectors.

use super::{Axis, Curve, Figure, Kind, Look, Panel};
use crate::plot::style::{self, BOTTOM, Chart, LEFT, MARGIN, RISE, TICK};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

/// Radius of a dot that stands by itself \[pixels\].
const DOT: i32 = 9;

type Point = (f64, f64);

/// Draws a figure.
pub fn draw<B: DrawingBackend>(backend: B, title: &str, figure: &Figure) -> Result<(), String> {
    style::picture_on(backend, title, |area| {
        for (panel, area) in figure.panels.iter().zip(area.split_evenly((1, figure.panels.len()))) {
            draw_panel(&area, panel)?;
        }
        Ok(())
    })
}

/// How values become places on an axis.
struct Scale {
    title: String,
    factor: f64,
    kind: Kind,
    range: Range<f64>,
}

impl Scale {
    fn new(axis: &Axis, values: impl Iterator<Item = f64> + Clone) -> Self {
        let shown = |value: &f64| axis.window.is_none_or(|(low, high)| (low..=high).contains(value));
        let values = values.filter(shown);
        let largest = values.clone().fold(0.0_f64, |most, value| most.max(value.abs()));
        let style::Scaled { factor, title } = match axis.kind {
            Kind::Logarithmic => style::scaled(axis.name, 1.0, axis.unit),
            // A share of something has no prefix.
            _ if axis.unit == "%" => style::Scaled { factor: 1.0, title: format!("{} [%]", axis.name) },
            _ => style::scaled(axis.name, largest, axis.unit),
        };
        let mut scale = Self { title, factor, kind: axis.kind, range: 0.0..1.0 };
        let places: Vec<f64> = match axis.window {
            Some((low, high)) => vec![scale.place(low), scale.place(high)],
            None => values.map(|value| scale.place(value)).collect(),
        };
        let low = places.iter().copied().fold(f64::INFINITY, f64::min);
        let high = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        scale.range = if axis.window.is_some() { low..high } else { style::airy(low, high) };
        scale
    }

    fn place(&self, value: f64) -> f64 {
        match self.kind {
            Kind::Linear => value / self.factor,
            Kind::Inverted => -value / self.factor,
            Kind::Logarithmic => value.log10(),
        }
    }

    fn tick(&self, place: &f64) -> String {
        match self.kind {
            Kind::Linear => style::tick(place),
            Kind::Inverted => style::tick(&-place),
            // Between whole powers a number would only be in the way.
            Kind::Logarithmic if (place - place.round()).abs() > 1e-6 => String::new(),
            Kind::Logarithmic if (-3.0..=3.0).contains(place) => style::tick(&10_f64.powf(place.round())),
            Kind::Logarithmic => style::power_of_ten(place.round() as i32),
        }
    }
}

fn draw_panel<B: DrawingBackend>(area: &DrawingArea<B, Shift>, panel: &Panel) -> Result<(), String> {
    let all = || panel.curves.iter().flat_map(|curve| &curve.points);
    let x = Scale::new(&panel.x, all().map(|point| point.0));
    let y = Scale::new(&panel.y, all().map(|point| point.1));
    let mut builder = ChartBuilder::on(area);
    if !panel.title.is_empty() {
        builder.caption(panel.title, style::text(style::LABEL));
    }
    let mut chart = builder
        .margin(MARGIN)
        .x_label_area_size(BOTTOM)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(x.range.clone(), y.range.clone())
        .map_err(style::words)?;
    style::axes_with(&mut chart, (&x.title, &|place| x.tick(place)), (&y.title, &|place| y.tick(place)))?;
    let mut entered = Vec::new();
    for curve in &panel.curves {
        let places: Vec<Point> = curve.points.iter().map(|point| (x.place(point.0), y.place(point.1))).collect();
        draw_curve(&mut chart, curve, &places, (&x.range, &y.range))?;
        match curve.look {
            Look::Quiet => {}
            Look::Guide => label_guide(&mut chart, &curve.name, &places, (&x.range, &y.range))?,
            // Curves of one name share an entry.
            _ if entered.contains(&&curve.name) => {}
            _ => {
                enter(&mut chart, curve)?;
                entered.push(&curve.name);
            }
        }
    }
    style::legend(&mut chart, panel.legend.clone())
}

fn draw_curve<'a, B: DrawingBackend + 'a>(
    chart: &mut Chart<'a, B>,
    curve: &Curve,
    places: &[Point],
    window: (&Range<f64>, &Range<f64>),
) -> Result<(), String> {
    let ink = curve.colour.stroke_width(match curve.look {
        Look::Guide | Look::Quiet => 1,
        Look::Bold => 5,
        _ => 2,
    });
    let dashes = matches!(curve.look, Look::Dashed | Look::Guide | Look::Quiet);
    let runs = if curve.look == Look::Dots { Vec::new() } else { visible(places, window) };
    for run in runs {
        if dashes {
            let dashed = DashedLineSeries::new(run, 10, 7, ink);
            chart.draw_series(dashed).map_err(style::words)?;
        } else {
            style::line(chart, &run, ink)?;
        }
    }
    if let Look::Marked | Look::Dots = curve.look {
        let radius = if curve.look == Look::Dots { DOT } else { 5 };
        let inside = places.iter().filter(|point| window.0.contains(&point.0) && window.1.contains(&point.1));
        let dots = inside.map(|&point| Circle::new(point, radius, curve.colour.filled()));
        chart.draw_series(dots).map_err(style::words)?;
    }
    Ok(())
}

/// An entry in the legend.
fn enter<'a, B: DrawingBackend + 'a>(chart: &mut Chart<'a, B>, curve: &Curve) -> Result<(), String> {
    // plotters makes its legend from series: an empty one carries the words.
    let none: [PathElement<Point>; 0] = [];
    let series = chart.draw_series(none).map_err(style::words)?.label(curve.name.clone());
    let colour = curve.colour;
    if curve.look == Look::Dots {
        series.legend(move |(x, y)| Circle::new((x + 15, y - RISE), DOT, colour.filled()));
        return Ok(());
    }
    if curve.look != Look::Dashed {
        series.legend(style::key(colour));
        return Ok(());
    }
    let ink = colour.stroke_width(3);
    series.legend(move |(x, y)| {
        let dash = |start: i32| PathElement::new(vec![(x + start, y - RISE), (x + start + 7, y - RISE)], ink);
        EmptyElement::at((0, 0)) + dash(0) + dash(11) + dash(22)
    });
    Ok(())
}

/// A guide carries its name.
fn label_guide<'a, B: DrawingBackend + 'a>(
    chart: &mut Chart<'a, B>,
    name: &str,
    places: &[Point],
    (across, up): (&Range<f64>, &Range<f64>),
) -> Result<(), String> {
    let (Some(first), Some(last)) = (places.first(), places.last()) else { return Ok(()) };
    // A level line has its name where no curve ends or peaks; an upright one beside its end.
    let level = first.1 == last.1;
    let x = if level { first.0 + 0.3 * (last.0 - first.0) } else { last.0 };
    let place = (x.clamp(across.start, across.end), last.1.clamp(up.start, up.end));
    let (anchor, shift) = if level {
        (Pos::new(HPos::Center, VPos::Bottom), (0, -2))
    } else {
        (Pos::new(HPos::Right, VPos::Bottom), (-6, -4))
    };
    let label = EmptyElement::at(place) + Text::new(name.to_string(), shift, style::text(TICK).pos(anchor));
    chart.draw_series(std::iter::once(label)).map(drop).map_err(style::words)
}

/// The parts of a line inside the chart: plotters would draw the others over its edges.
fn visible(points: &[Point], window: (&Range<f64>, &Range<f64>)) -> Vec<Vec<Point>> {
    let mut runs: Vec<Vec<Point>> = Vec::new();
    for piece in points.windows(2) {
        let Some((start, end)) = clip(piece[0], piece[1], window) else { continue };
        match runs.last_mut().filter(|run| run.last() == Some(&start)) {
            Some(run) => run.push(end),
            None => runs.push(vec![start, end]),
        }
    }
    runs
}

/// The part of a straight piece inside a window, after Liang and Barsky (1984).
fn clip(start: Point, end: Point, (x, y): (&Range<f64>, &Range<f64>)) -> Option<(Point, Point)> {
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
