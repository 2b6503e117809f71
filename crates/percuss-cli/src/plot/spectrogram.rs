//! The sound's spectrum against time: short Hann windows, decibels below the loudest, in colour.

use super::style::{self, BOTTOM, INK, LEFT, MARGIN, RISE, TICK};
use crate::render::settings::RenderSettings;
use crate::render::temp_audio::TempAudio;
use percuss_scene::Scene;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use realfft::RealFftPlanner;
use std::io;
use std::path::Path;

/// Length of a window \[s\]: a compromise between hearing when and hearing what.
const WINDOW: f64 = 0.043;
/// Most windows.
const COLUMNS: u64 = 1200;
/// Range of levels shown \[dB\].
const RANGE: f64 = 100.0;
/// Width of the colour bar with its labels \[pixels\].
const BAR: u32 = 150;

/// Powers, one column of bins per window, and what they stand for.
struct Spectra {
    columns: Vec<Vec<f32>>,
    hop: u64,
    loudest: f32,
}

impl Spectra {
    fn new(settings: &RenderSettings, audio: &TempAudio) -> io::Result<Self> {
        // A short sound gets shorter windows, else there would be nothing but one column.
        let wanted = (WINDOW * settings.rate).min(audio.frames as f64 / 4.0).max(32.0);
        let size = 1_usize << (wanted.log2().round() as u32);
        let hop = (size as u64 / 16).max(audio.frames.div_ceil(COLUMNS));
        let fft = RealFftPlanner::<f32>::new().plan_fft_forward(size);
        let phase = |n: usize| std::f32::consts::TAU * (n as f32 + 0.5) / size as f32;
        let hann: Vec<f32> = (0..size).map(|n| 0.5 - 0.5 * phase(n).cos()).collect();
        let mut frames = vec![0.0; size * audio.channels];
        let (mut input, mut output) = (fft.make_input_vec(), fft.make_output_vec());
        let mut columns = Vec::new();
        for centre in (0..=audio.frames).step_by(hop as usize) {
            audio.read(centre as i64 - size as i64 / 2, &mut frames)?;
            let mut column = vec![0.0; output.len()];
            // Powers are added: channels out of phase do not cancel.
            for channel in 0..audio.channels {
                for (n, x) in input.iter_mut().enumerate() {
                    *x = hann[n] * scaled(frames[n * audio.channels + channel], audio.peak);
                }
                fft.process(&mut input, &mut output).map_err(io::Error::other)?;
                column.iter_mut().zip(&output).for_each(|(power, bin)| *power += bin.norm_sqr());
            }
            columns.push(column);
        }
        let loudest = columns.iter().flatten().fold(0.0_f32, |most, &power| most.max(power));
        Ok(Self { columns, hop, loudest })
    }

    /// Level from 0 (silent) to 1 (loudest) at a frame and a fraction of the Nyquist frequency.
    fn level(&self, frame: f64, fraction: f64) -> f64 {
        let column = ((frame / self.hop as f64).round() as usize).min(self.columns.len() - 1);
        let bins = &self.columns[column];
        let power = bins[((fraction * (bins.len() - 1) as f64).round() as usize).min(bins.len() - 1)];
        if power <= 0.0 {
            return 0.0;
        }
        (1.0 + 10.0 * f64::from(power / self.loudest).log10() / RANGE).clamp(0.0, 1.0)
    }
}

/// Brings the samples near 1, so that the square of a very quiet one is still a number.
fn scaled(sample: f32, peak: f64) -> f32 {
    if peak > 0.0 { (f64::from(sample) / peak) as f32 } else { 0.0 }
}

/// Draws the picture.
pub fn draw(path: &Path, scene: &Scene, settings: &RenderSettings, audio: &TempAudio) -> Result<(), String> {
    let spectra = Spectra::new(settings, audio).map_err(style::words)?;
    let time = style::scaled("Time", settings.seconds(), "s");
    style::picture(path, &format!("{}: spectrogram", scene.name), |area| {
        let (width, _) = area.dim_in_pixel();
        let (left, right) = area.split_horizontally(width - BAR);
        let mut chart = ChartBuilder::on(&left)
            .margin(MARGIN)
            .x_label_area_size(BOTTOM)
            .y_label_area_size(LEFT)
            .build_cartesian_2d(0.0..settings.seconds() / time.factor, 0.0..settings.rate / 2000.0)
            .map_err(style::words)?;
        style::axes(&mut chart, &time.title, "Frequency [kHz]")?;
        let inside = chart.plotting_area().strip_coord_spec();
        fill(&inside, |x, y| spectra.level(x * audio.frames as f64, y))?;
        draw_bar(&right)
    })
}

/// Colours an area, pixel by pixel, by a level at fractions of its width (from the left) and height (from below).
fn fill(area: &DrawingArea<BitMapBackend, Shift>, level: impl Fn(f64, f64) -> f64) -> Result<(), String> {
    let (width, height) = area.dim_in_pixel();
    for x in 0..width {
        for y in 0..height {
            let colour = colorous::MAGMA.eval_continuous(level(
                (f64::from(x) + 0.5) / f64::from(width),
                1.0 - (f64::from(y) + 0.5) / f64::from(height),
            ));
            let colour = RGBColor(colour.r, colour.g, colour.b);
            area.draw_pixel((x as i32, y as i32), &colour).map_err(style::words)?;
        }
    }
    Ok(())
}

fn draw_bar(area: &style::Area) -> Result<(), String> {
    let (_, height) = area.dim_in_pixel();
    let (top, bottom) = (MARGIN as i32, (height - BOTTOM - MARGIN) as i32);
    let bar = area.clone().shrink((0, top), (28, bottom - top));
    fill(&bar, |_, y| y)?;
    let anchored = |h, v| style::text(TICK).pos(Pos::new(h, v));
    for step in 0..=5 {
        let y = top + (bottom - top) * step / 5;
        let level = format!("{}", -RANGE * f64::from(step) / 5.0).replace("-0", "0").replace('-', "−");
        area.draw(&PathElement::new([(28, y), (34, y)], INK)).map_err(style::words)?;
        area.draw(&Text::new(level, (40, y + RISE), anchored(HPos::Left, VPos::Center))).map_err(style::words)?;
    }
    let title = Text::new("Level [dB]", (0, bottom + 18), anchored(HPos::Left, VPos::Top));
    area.draw(&title).map_err(style::words)
}
