//! Energy of all parts over time; below, the residual of the ledger.

use super::AxisScale;
use super::style::{
    self, FONT_OFFSET, GRID_COLOUR, MARGIN, PALETTE, Picture, PlotPoint, ScaledAxis, TEXT_COLOUR, TICK_SIZE,
    X_LABEL_HEIGHT, Y_LABEL_WIDTH,
};
use crate::render::energy_record::{EnergyBin, EnergyRecord, Span};
use percuss_scene::Scene;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Largest number of elements and contacts with their own curve; the others are summed.
const MAX_CURVES: usize = 6;
/// Smallest plotted residual: values below are rounding.
const MIN_RESIDUAL: f64 = 1e-18;
/// Width of the legend \[pixels\].
const LEGEND_WIDTH: u32 = 260;
/// Longest label that fits into the legend \[characters\].
const MAX_LABEL_CHARS: usize = 20;
/// Decades of a logarithmic axis below the largest energy.
const LOGARITHMIC_DECADES: f64 = 12.0;
/// Colour of the work of touches.
const TOUCH_COLOUR: RGBColor = RGBColor(110, 70, 160);
/// Colour of the supplied energy.
const SUPPLIED_COLOUR: RGBColor = RGBColor(150, 30, 40);

/// A curve of the plot: smallest and largest value of every bin.
struct EnergyCurve {
    label: String,
    values: Vec<Span>,
    style: ShapeStyle,
    dashed: bool,
}

impl EnergyCurve {
    fn new(label: impl Into<String>, values: Vec<Span>, style: ShapeStyle) -> Self {
        Self { label: label.into(), values, style, dashed: false }
    }

    fn dashed(self) -> Self {
        Self { dashed: true, ..self }
    }

    fn is_zero(&self) -> bool {
        self.values.iter().all(|&span| span == (0.0, 0.0))
    }

    /// Largest magnitude.
    fn largest(&self) -> f64 {
        self.values.iter().fold(0.0, |largest, span| largest.max(span.0.abs()).max(span.1.abs()))
    }
}

/// The plot.
pub struct EnergyPlot<'a> {
    scene: &'a Scene,
    record: &'a EnergyRecord,
    scale: AxisScale,
    curves: Vec<EnergyCurve>,
}

impl<'a> EnergyPlot<'a> {
    /// Chooses the curves.
    pub fn new(scene: &'a Scene, record: &'a EnergyRecord, scale: AxisScale) -> Self {
        let curves = curves(scene, &record.bins);
        Self { scene, record, scale, curves }
    }

    /// Points of a curve: two for a bin in which it varies. `value` converts energies to coordinates.
    fn points(&self, values: &[Span], time_factor: f64, value: impl Fn(f64) -> f64) -> Vec<PlotPoint> {
        let mut points = Vec::with_capacity(2 * values.len());
        for (bin, &(low, high)) in values.iter().enumerate() {
            let time = self.record.time(bin) / time_factor;
            points.push((time, value(low)));
            if high > low {
                points.push((time, value(high)));
            }
        }
        points
    }

    fn draw_energy<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, time: &ScaledAxis) -> Result<(), String> {
        let largest = self.curves.iter().map(EnergyCurve::largest).fold(0.0, f64::max);
        let end = self.record.duration() / time.factor;
        let mut builder = ChartBuilder::on(area);
        builder.margin(MARGIN).x_label_area_size(X_LABEL_HEIGHT / 2).y_label_area_size(Y_LABEL_WIDTH);
        match self.scale {
            AxisScale::Linear => {
                let lowest = self.curves.iter().flat_map(|curve| &curve.values).fold(0.0, |low: f64, x| low.min(x.0));
                let axis = style::scaled_axis("Energy", largest, "J");
                let range = style::padded_range(lowest / axis.factor, largest / axis.factor);
                let mut chart =
                    builder.build_cartesian_2d(style::range_from_zero(end), range).map_err(style::draw_error)?;
                style::draw_axes(&mut chart, "", &axis.title)?;
                self.draw_curves(&mut chart, time.factor, |x| x / axis.factor)
            }
            AxisScale::Logarithmic => {
                // The coordinates are exponents. Negative work is drawn by its magnitude.
                let top = if largest > 0.0 { (1.3 * largest).log10() } else { 0.0 };
                let bottom = top - LOGARITHMIC_DECADES;
                let exponent = |x: f64| if x == 0.0 { bottom } else { x.abs().log10().max(bottom) };
                let mut chart =
                    builder.build_cartesian_2d(style::range_from_zero(end), bottom..top).map_err(style::draw_error)?;
                style::draw_axes_with(&mut chart, ("", &style::tick_text), ("Energy [J]", &decade_label))?;
                self.draw_curves(&mut chart, time.factor, exponent)
            }
        }
    }

    fn draw_curves<'b, B: DrawingBackend + 'b>(
        &self,
        chart: &mut style::Chart<'b, B>,
        time_factor: f64,
        value: impl Fn(f64) -> f64,
    ) -> Result<(), String> {
        for curve in &self.curves {
            let points = self.points(&curve.values, time_factor, &value);
            if curve.dashed {
                let dashes = DashedLineSeries::new(points, 9, 6, curve.style);
                chart.draw_series(dashes).map_err(style::draw_error)?;
            } else {
                style::draw_line(chart, &points, curve.style)?;
            }
        }
        Ok(())
    }
}

impl Picture for EnergyPlot<'_> {
    fn title(&self) -> String {
        format!("{}: energy", self.scene.name)
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), String> {
        let time = style::scaled_axis("Time", self.record.duration(), "s");
        let (charts, side) = area.split_horizontally(area.dim_in_pixel().0 - LEGEND_WIDTH);
        let (upper, lower) = charts.split_vertically((68).percent_height());
        self.draw_energy(&upper, &time)?;
        draw_residual(&lower, self.record, &time)?;
        draw_legend(&side, &self.curves)
    }
}

/// The parts, what is dissipated, supplied and done by touches, and the sum that these three and the start must equal.
fn curves(scene: &Scene, bins: &[EnergyBin]) -> Vec<EnergyCurve> {
    let values = |of: fn(&EnergyBin) -> Span| bins.iter().map(of).collect::<Vec<Span>>();
    let mut curves = part_curves(scene, bins);
    let dissipated = EnergyCurve::new("dissipated", values(|bin| bin.dissipated), TEXT_COLOUR.stroke_width(2));
    curves.push(dissipated.dashed());
    let work = [
        EnergyCurve::new("supplied", values(|bin| bin.supplied), SUPPLIED_COLOUR.stroke_width(2)),
        EnergyCurve::new("work of touches", values(|bin| bin.touch_work), TOUCH_COLOUR.stroke_width(2)),
    ];
    curves.extend(work.into_iter().filter(|curve| !curve.is_zero()).map(EnergyCurve::dashed));
    let sum = values(|bin| bin.stored_and_dissipated);
    curves.push(EnergyCurve::new("stored + dissipated", sum, TEXT_COLOUR.stroke_width(1)));
    curves
}

/// Draws the legend beside the chart, where no curve crosses it.
fn draw_legend<B: DrawingBackend>(area: &DrawingArea<B, Shift>, curves: &[EnergyCurve]) -> Result<(), String> {
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

/// Curves of the elements and contacts that store most, and of the sum of the others. Those that never store energy are left
/// out.
fn part_curves(scene: &Scene, bins: &[EnergyBin]) -> Vec<EnergyCurve> {
    let part = |id: &String, values: Vec<Span>| EnergyCurve::new(id, values, TEXT_COLOUR.stroke_width(2));
    let element = |index: usize| bins.iter().map(|bin| bin.elements[index]).collect();
    let contact = |index: usize| bins.iter().map(|bin| bin.contacts[index]).collect();
    let elements = scene.element_names.iter().enumerate().map(|(index, id)| part(id, element(index)));
    let contacts = scene.interaction_names.iter().enumerate().map(|(index, id)| part(id, contact(index)));
    let mut curves: Vec<EnergyCurve> = elements.chain(contacts).filter(|curve| !curve.is_zero()).collect();
    if curves.len() > MAX_CURVES {
        curves.sort_by(|a, b| b.largest().total_cmp(&a.largest()));
        let others = curves.split_off(MAX_CURVES - 1);
        // Extremes of different parts are at different steps: the sum lies within these bounds.
        let add =
            |sum: Span, curve: &EnergyCurve, bin: usize| (sum.0 + curve.values[bin].0, sum.1 + curve.values[bin].1);
        let sum = |bin: usize| others.iter().fold((0.0, 0.0), |sum, curve| add(sum, curve, bin));
        curves.push(part(&format!("{} others", others.len()), (0..bins.len()).map(sum).collect()));
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

fn draw_residual<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    record: &EnergyRecord,
    time: &ScaledAxis,
) -> Result<(), String> {
    let largest = record.bins.iter().fold(0.0_f64, |largest, bin| largest.max(bin.residual));
    let top = (largest.max(1e-16).log10() + 0.7).ceil();
    // The axis is logarithmic: its coordinates are exponents.
    let shown = |bin: &EnergyBin| bin.residual.max(MIN_RESIDUAL).log10();
    let lowest = record.bins.iter().skip(1).map(shown).fold(top - 2.0, f64::min).floor();
    let mut chart = ChartBuilder::on(area)
        .margin(MARGIN)
        .margin_top(0)
        .x_label_area_size(X_LABEL_HEIGHT)
        .y_label_area_size(Y_LABEL_WIDTH)
        .build_cartesian_2d(style::range_from_zero(record.duration() / time.factor), lowest..top)
        .map_err(style::draw_error)?;
    chart
        .configure_mesh()
        .x_desc(&time.title)
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
    let points = record.bins.iter().enumerate().skip(1).map(|(bin, row)| (record.time(bin) / time.factor, shown(row)));
    chart.draw_series(LineSeries::new(points, PALETTE[0])).map(drop).map_err(style::draw_error)
}
