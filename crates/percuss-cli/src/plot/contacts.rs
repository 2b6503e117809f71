//! The force of every contact against time, one panel each, up to the last contact.

use super::style::{self, BOTTOM, LEFT, MARGIN, PALETTE};
use crate::render::plot_recorder::{Envelope, PlotRecorder};
use percuss_scene::Scene;
use plotters::prelude::*;
use std::path::Path;

/// Most contacts shown: those with the largest forces.
const PANELS: usize = 5;

/// Draws the picture.
pub fn draw(path: &Path, scene: &Scene, recorder: &PlotRecorder) -> Result<(), String> {
    let mut shown: Vec<usize> = (0..recorder.forces.len()).collect();
    shown.sort_by(|&a, &b| peak(&recorder.forces[b]).total_cmp(&peak(&recorder.forces[a])));
    shown.truncate(PANELS);
    shown.sort_unstable();
    let title = match recorder.forces.len() {
        all if all > PANELS => format!("{}: the {PANELS} strongest of {all} contacts", scene.name),
        _ => format!("{}: contact forces", scene.name),
    };
    let ends =
        shown.iter().map(|&contact| recorder.bin_time(&recorder.forces[contact], recorder.forces[contact].bins.len()));
    let last = ends.fold(0.0_f64, f64::max);
    let whole = recorder.energy.last().map_or(1.0, |row| row.time);
    let end = if last > 0.0 { whole.min(1.05 * last) } else { whole };
    let time = style::scaled("Time", end, "s");
    style::picture(path, &title, |area| {
        let panels = style::panels(area, shown.len());
        for (index, (panel, &contact)) in panels.iter().zip(&shown).enumerate() {
            let x_title = if index + 1 == shown.len() { time.title.as_str() } else { "" };
            let span = (end / time.factor, time.factor);
            draw_force(
                panel,
                &scene.interaction_names[contact],
                line(recorder, contact),
                span,
                x_title,
                PALETTE[index],
            )?;
        }
        Ok(())
    })
}

fn draw_force(
    panel: &style::Area,
    id: &str,
    line: Vec<(f64, f64)>,
    (end, time_factor): (f64, f64),
    x_title: &str,
    colour: RGBColor,
) -> Result<(), String> {
    let (low, high) = line.iter().fold((0.0_f64, 0.0_f64), |(low, high), &(_, f)| (low.min(f), high.max(f)));
    let force = style::scaled("Force", high.max(-low), "N");
    let mut chart = ChartBuilder::on(panel)
        .margin(MARGIN)
        .margin_top(4)
        .x_label_area_size(if x_title.is_empty() { BOTTOM / 2 } else { BOTTOM })
        .y_label_area_size(LEFT)
        .build_cartesian_2d(style::until(end), style::airy(low / force.factor, high / force.factor))
        .map_err(style::words)?;
    style::axes(&mut chart, x_title, &force.title)?;
    let points: Vec<(f64, f64)> = line.into_iter().map(|(t, f)| (t / time_factor, f / force.factor)).collect();
    let label = if high > low { id.to_string() } else { format!("{id}: no contact") };
    style::line(&mut chart, &points, colour.stroke_width(2))?;
    // plotters makes its legend from series: an empty one carries the words.
    let none: [PathElement<(f64, f64)>; 0] = [];
    chart.draw_series(none).map_err(style::words)?.label(label).legend(style::key(colour));
    style::legend(&mut chart, SeriesLabelPosition::UpperRight)
}

fn peak(envelope: &Envelope) -> f64 {
    envelope.bins.iter().fold(0.0, |peak, bin| bin.0.abs().max(bin.1.abs()).max(peak))
}

/// A line through the extremes of every bin, and along zero after the last.
fn line(recorder: &PlotRecorder, contact: usize) -> Vec<(f64, f64)> {
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
