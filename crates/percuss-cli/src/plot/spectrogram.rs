//! Spectrogram of the sound: Hann windows, levels in decibels relative to the maximum.

use super::style::{self, FONT_OFFSET, MARGIN, TEXT_COLOUR, TICK_SIZE, X_LABEL_HEIGHT, Y_LABEL_WIDTH};
use crate::render::settings::RenderSettings;
use crate::render::temp_audio::TempAudio;
use percuss_scene::Scene;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use realfft::RealFftPlanner;
use std::io;
use std::path::Path;

/// Length of a window \[s\]: a compromise between resolution in time and in frequency.
const WINDOW_SECONDS: f64 = 0.043;
/// Largest number of windows.
const MAX_COLUMNS: u64 = 1200;
/// Range of levels \[dB\].
const LEVEL_RANGE_DB: f64 = 100.0;
/// Width of the colour bar with its labels \[pixels\].
const COLOUR_BAR_WIDTH: u32 = 150;

/// Power of every FFT bin, one column per window.
struct PowerSpectrogram {
    columns: Vec<Vec<f32>>,
    hop: u64,
    max_power: f32,
}

impl PowerSpectrogram {
    fn new(settings: &RenderSettings, audio: &TempAudio) -> io::Result<Self> {
        // A short sound gets shorter windows, so that there are several columns.
        let wanted = (WINDOW_SECONDS * settings.rate).min(audio.frames as f64 / 4.0).max(32.0);
        let size = 1_usize << (wanted.log2().round() as u32);
        let hop = (size as u64 / 16).max(audio.frames.div_ceil(MAX_COLUMNS));
        let fft = RealFftPlanner::<f32>::new().plan_fft_forward(size);
        let phase = |n: usize| std::f32::consts::TAU * (n as f32 + 0.5) / size as f32;
        let hann: Vec<f32> = (0..size).map(|n| 0.5 - 0.5 * phase(n).cos()).collect();
        let mut frames = vec![0.0; size * audio.channels];
        let (mut input, mut output) = (fft.make_input_vec(), fft.make_output_vec());
        let mut columns = Vec::new();
        for centre in (0..=audio.frames).step_by(hop as usize) {
            audio.read(centre as i64 - size as i64 / 2, &mut frames)?;
            let mut column = vec![0.0; output.len()];
            // Powers of channels are added, so that channels in antiphase do not cancel.
            for channel in 0..audio.channels {
                for (n, x) in input.iter_mut().enumerate() {
                    *x = hann[n] * scaled_to_peak(frames[n * audio.channels + channel], audio.peak);
                }
                fft.process(&mut input, &mut output).map_err(io::Error::other)?;
                column.iter_mut().zip(&output).for_each(|(power, bin)| *power += bin.norm_sqr());
            }
            columns.push(column);
        }
        let max_power = columns.iter().flatten().fold(0.0_f32, |most, &power| most.max(power));
        Ok(Self { columns, hop, max_power })
    }

    /// Level from 0 (below the range) to 1 (maximum) at a frame and a fraction of the Nyquist frequency.
    fn level(&self, frame: f64, fraction: f64) -> f64 {
        let column = ((frame / self.hop as f64).round() as usize).min(self.columns.len() - 1);
        let bins = &self.columns[column];
        let power = bins[((fraction * (bins.len() - 1) as f64).round() as usize).min(bins.len() - 1)];
        if power <= 0.0 {
            return 0.0;
        }
        (1.0 + 10.0 * f64::from(power / self.max_power).log10() / LEVEL_RANGE_DB).clamp(0.0, 1.0)
    }
}

/// Scales a sample to the peak, so that the square of a small one does not underflow.
fn scaled_to_peak(sample: f32, peak: f64) -> f32 {
    if peak > 0.0 { (f64::from(sample) / peak) as f32 } else { 0.0 }
}

/// Draws the plot.
pub fn draw(path: &Path, scene: &Scene, settings: &RenderSettings, audio: &TempAudio) -> Result<(), String> {
    let spectrogram = PowerSpectrogram::new(settings, audio).map_err(style::draw_error)?;
    let time = style::scaled_axis("Time", settings.seconds(), "s");
    style::draw_bitmap_plot(path, &format!("{}: spectrogram", scene.name), |area| {
        let (width, _) = area.dim_in_pixel();
        let (left, right) = area.split_horizontally(width - COLOUR_BAR_WIDTH);
        let mut chart = ChartBuilder::on(&left)
            .margin(MARGIN)
            .x_label_area_size(X_LABEL_HEIGHT)
            .y_label_area_size(Y_LABEL_WIDTH)
            .build_cartesian_2d(0.0..settings.seconds() / time.factor, 0.0..settings.rate / 2000.0)
            .map_err(style::draw_error)?;
        style::draw_axes(&mut chart, &time.title, "Frequency [kHz]")?;
        let inside = chart.plotting_area().strip_coord_spec();
        fill_pixels(&inside, |x, y| spectrogram.level(x * audio.frames as f64, y))?;
        draw_colour_bar(&right)
    })
}

/// Fills an area pixel by pixel; `level` takes fractions of its width (from the left) and height (from below).
fn fill_pixels(area: &DrawingArea<BitMapBackend, Shift>, level: impl Fn(f64, f64) -> f64) -> Result<(), String> {
    let (width, height) = area.dim_in_pixel();
    for x in 0..width {
        for y in 0..height {
            let colour = colorous::MAGMA.eval_continuous(level(
                (f64::from(x) + 0.5) / f64::from(width),
                1.0 - (f64::from(y) + 0.5) / f64::from(height),
            ));
            let colour = RGBColor(colour.r, colour.g, colour.b);
            area.draw_pixel((x as i32, y as i32), &colour).map_err(style::draw_error)?;
        }
    }
    Ok(())
}

fn draw_colour_bar(area: &style::BitmapArea) -> Result<(), String> {
    let (_, height) = area.dim_in_pixel();
    let (top, bottom) = (MARGIN as i32, (height - X_LABEL_HEIGHT - MARGIN) as i32);
    let bar = area.clone().shrink((0, top), (28, bottom - top));
    fill_pixels(&bar, |_, y| y)?;
    let anchored = |h, v| style::text_style(TICK_SIZE).pos(Pos::new(h, v));
    for step in 0..=5 {
        let y = top + (bottom - top) * step / 5;
        let level = format!("{}", -LEVEL_RANGE_DB * f64::from(step) / 5.0).replace("-0", "0").replace('-', "−");
        area.draw(&PathElement::new([(28, y), (34, y)], TEXT_COLOUR)).map_err(style::draw_error)?;
        area.draw(&Text::new(level, (40, y + FONT_OFFSET), anchored(HPos::Left, VPos::Center)))
            .map_err(style::draw_error)?;
    }
    let title = Text::new("Level [dB]", (0, bottom + 18), anchored(HPos::Left, VPos::Top));
    area.draw(&title).map_err(style::draw_error)
}
