//! Waveform of the sound, one panel per channel.

use super::style::{self, MARGIN, PALETTE, Picture, PlotPoint, X_LABEL_HEIGHT, Y_LABEL_WIDTH};
use crate::render::plot_recorder::MAX_COLUMNS;
use crate::render::settings::RenderSettings;
use crate::render::summary::output_unit;
use crate::render::temp_audio::TempAudio;
use percuss_scene::Scene;
use plotters::coord::Shift;
use plotters::prelude::*;
use std::io;

/// Largest number of channels.
const MAX_PANELS: usize = 8;

/// The plot.
pub struct Waveform<'a> {
    scene: &'a Scene,
    seconds: f64,
    channels: usize,
    peak: f64,
    /// One per channel that is plotted.
    lines: Vec<Vec<PlotPoint>>,
}

impl<'a> Waveform<'a> {
    /// Reads the sound.
    pub fn new(scene: &'a Scene, settings: &RenderSettings, audio: &TempAudio) -> io::Result<Self> {
        let lines = min_max_lines(settings, audio)?;
        Ok(Self { scene, seconds: audio.seconds(settings.rate), channels: audio.channels, peak: audio.peak, lines })
    }
}

impl Picture for Waveform<'_> {
    fn title(&self) -> String {
        match self.channels {
            channels if channels > MAX_PANELS => {
                format!("{}: first {MAX_PANELS} of {channels} channels", self.scene.name)
            }
            _ => format!("{}: waveform", self.scene.name),
        }
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), String> {
        let amplitude = style::scaled_axis("Amplitude", self.peak, output_unit(self.scene));
        let largest = if self.peak > 0.0 { self.peak / amplitude.factor } else { 1.0 };
        let time = style::scaled_axis("Time", self.seconds, "s");
        let panels = style::split_panels(area, self.lines.len());
        for (channel, (panel, line)) in panels.iter().zip(&self.lines).enumerate() {
            let last = channel + 1 == self.lines.len();
            let mut chart = ChartBuilder::on(panel)
                .margin(MARGIN)
                .x_label_area_size(if last { X_LABEL_HEIGHT } else { X_LABEL_HEIGHT / 2 })
                .y_label_area_size(Y_LABEL_WIDTH)
                .build_cartesian_2d(0.0..self.seconds / time.factor, style::padded_range(-largest, largest))
                .map_err(style::draw_error)?;
            style::draw_axes(&mut chart, if last { &time.title } else { "" }, &amplitude.title)?;
            let scaled = line.iter().map(|&(t, x)| (t / time.factor, x / amplitude.factor));
            let colour = PALETTE[channel % PALETTE.len()];
            let series = chart.draw_series(LineSeries::new(scaled, colour)).map_err(style::draw_error)?;
            if self.lines.len() > 1 {
                series.label(channel_name(channel, self.lines.len())).legend(style::legend_line(colour));
                style::draw_legend(&mut chart, SeriesLabelPosition::UpperRight)?;
            }
        }
        Ok(())
    }
}

fn channel_name(channel: usize, channels: usize) -> String {
    match (channel, channels) {
        (0, 2) => "left".into(),
        (1, 2) => "right".into(),
        _ => format!("channel {}", channel + 1),
    }
}

/// For each channel the minimum and maximum of every column.
fn min_max_lines(settings: &RenderSettings, audio: &TempAudio) -> io::Result<Vec<Vec<PlotPoint>>> {
    let width = audio.frames.div_ceil(MAX_COLUMNS).max(1);
    let panels = audio.channels.min(MAX_PANELS);
    let mut lines = vec![Vec::new(); panels];
    let mut extremes = vec![(f32::MAX, f32::MIN); panels];
    let mut frame_number = 0;
    audio.for_each(|frame| {
        frame_number += 1;
        let ends = frame_number % width == 0 || frame_number == audio.frames;
        let time = (frame_number as f64 - 0.5 * (width - 1) as f64) / settings.rate;
        for ((extremes, line), &sample) in extremes.iter_mut().zip(&mut lines).zip(frame) {
            *extremes = (extremes.0.min(sample), extremes.1.max(sample));
            if ends {
                line.push((time, f64::from(extremes.0)));
                if extremes.1 > extremes.0 {
                    line.push((time, f64::from(extremes.1)));
                }
                *extremes = (f32::MAX, f32::MIN);
            }
        }
        Ok(())
    })?;
    Ok(lines)
}
