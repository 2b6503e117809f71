//! Force of every contact over time, one panel each, up to the last contact.

use super::style::{self, MARGIN, PALETTE, X_LABEL_HEIGHT, Y_LABEL_WIDTH};
use crate::render::plot_recorder::{MinMaxEnvelope, PlotRecorder};
use percuss_scene::Scene;
use plotters::prelude::*;
use std::path::Path;

/// Largest number of contacts; those with the largest forces are plotted.
const MAX_PANELS: usize = 5;

/// Draws the plot.
pub fn draw(path: &Path, scene: &Scene, recorder: &PlotRecorder) -> Result<(), String> {
    let mut shown: Vec<usize> = (0..recorder.forces.len()).collect();
    shown.sort_by(|&a, &b| peak(&recorder.forces[b]).total_cmp(&peak(&recorder.forces[a])));
    shown.truncate(MAX_PANELS);
    shown.sort_unstable();
    let title = match recorder.forces.len() {
        all if all > MAX_PANELS => format!("{}: the {MAX_PANELS} largest of {all} contact forces", scene.name),
        _ => format!("{}: contact forces", scene.name),
    };
    let ends =
        shown.iter().map(|&contact| recorder.bin_time(&recorder.forces[contact], recorder.forces[contact].bins.len()));
    let last = ends.fold(0.0_f64, f64::max);
    let whole = recorder.energy.last().map_or(1.0, |row| row.time);
    let end = if last > 0.0 { whole.min(1.05 * last) } else { whole };
    let time = style::scaled_axis("Time", end, "s");
    style::draw_bitmap_plot(path, &title, |area| {
        let panels = style::split_panels(area, shown.len());
        for (index, (panel, &contact)) in panels.iter().zip(&shown).enumerate() {
            let x_title = if index + 1 == shown.len() { time.title.as_str() } else { "" };
            let span = (end / time.factor, time.factor);
            draw_force(
                panel,
                &scene.interaction_names[contact],
                force_curve(recorder, contact),
                span,
                x_title,
                PALETTE[index],
            )?;
        }
        Ok(())
    })
}

fn draw_force(
    panel: &style::BitmapArea,
    id: &str,
    line: Vec<(f64, f64)>,
    (end, time_factor): (f64, f64),
    x_title: &str,
    colour: RGBColor,
) -> Result<(), String> {
    let (low, high) = line.iter().fold((0.0_f64, 0.0_f64), |(low, high), &(_, f)| (low.min(f), high.max(f)));
    let force = style::scaled_axis("Force", high.max(-low), "N");
    let mut chart = ChartBuilder::on(panel)
        .margin(MARGIN)
        .margin_top(4)
        .x_label_area_size(if x_title.is_empty() { X_LABEL_HEIGHT / 2 } else { X_LABEL_HEIGHT })
        .y_label_area_size(Y_LABEL_WIDTH)
        .build_cartesian_2d(style::range_from_zero(end), style::padded_range(low / force.factor, high / force.factor))
        .map_err(style::draw_error)?;
    style::draw_axes(&mut chart, x_title, &force.title)?;
    let points: Vec<(f64, f64)> = line.into_iter().map(|(t, f)| (t / time_factor, f / force.factor)).collect();
    let label = if high > low { id.to_string() } else { format!("{id}: no contact") };
    style::draw_line(&mut chart, &points, colour.stroke_width(2))?;
    // plotters takes legend entries from series: an empty one carries the label.
    let none: [PathElement<(f64, f64)>; 0] = [];
    chart.draw_series(none).map_err(style::draw_error)?.label(label).legend(style::legend_line(colour));
    style::draw_legend(&mut chart, SeriesLabelPosition::UpperRight)
}

fn peak(envelope: &MinMaxEnvelope) -> f64 {
    envelope.bins.iter().fold(0.0, |peak, bin| bin.0.abs().max(bin.1.abs()).max(peak))
}

/// Curve through the minimum and maximum of every bin, and zero after the last.
fn force_curve(recorder: &PlotRecorder, contact: usize) -> Vec<(f64, f64)> {
    let envelope = &recorder.forces[contact];
    let mut line = Vec::new();
    for (bin, &(low, high)) in envelope.bins.iter().enumerate() {
        let time = recorder.bin_time(envelope, bin);
        line.push((time, low));
        if high > low {
            line.push((time, high));
        }
    }
    let (last, whole) =
        (recorder.bin_time(envelope, envelope.bins.len()), recorder.energy.last().map_or(0.0, |row| row.time));
    if last < whole {
        line.extend([(last, 0.0), (whole, 0.0)]);
    }
    line
}
