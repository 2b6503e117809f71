//! Spectrogram of the sound: levels in decibels relative to the largest, on a logarithmic or linear frequency axis.

use super::heat_map;
use super::power_spectrogram::PowerSpectrogram;
use super::style::{self, FONT_OFFSET, MARGIN, Picture, TEXT_COLOUR, TICK_SIZE, X_LABEL_HEIGHT, Y_LABEL_WIDTH};
use crate::args::{AxisScale, PlotArgs};
use crate::format::{plural, si, trimmed_decimal};
use crate::render::settings::RenderSettings;
use crate::render::temp_audio::TempAudio;
use percuss_scene::Scene;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::io;

/// Width of the colour bar with its labels \[pixels\].
const COLOUR_BAR_WIDTH: u32 = 150;
/// Height of the line that states how the picture was made \[pixels\].
const CAPTION_HEIGHT: u32 = 40;
/// Size of a cell \[pixels\]: smaller ones would make vector files of many megabytes.
const CELL: u32 = 2;
/// Lowest frequency of a logarithmic axis \[Hz\], or that of the second bin if it is higher.
const LOWEST_FREQUENCY: f64 = 20.0;
/// The automatic range ends at the level that this share of the picture exceeds, and lies within limits \[dB\].
const SHARE_ABOVE: f64 = 0.9;
const AUTOMATIC_RANGE_LIMITS: (f64, f64) = (50.0, 120.0);
/// Places along each side at which the levels are read for the automatic range.
const RANGE_PLACES: usize = 100;

/// The plot.
pub struct Spectrogram<'a> {
    scene: &'a Scene,
    powers: PowerSpectrogram,
    axis: FrequencyAxis,
    /// Range of levels \[dB\].
    range: f64,
    seconds: f64,
    rate: f64,
    channels: usize,
}

impl<'a> Spectrogram<'a> {
    /// Transforms the sound.
    pub fn new(scene: &'a Scene, settings: &RenderSettings, args: &PlotArgs, audio: &TempAudio) -> io::Result<Self> {
        let powers = PowerSpectrogram::new(settings.rate, audio)?;
        let axis = FrequencyAxis::new(args.spectrogram_axis, settings.rate, powers.window);
        let range = args.spectrogram_range.unwrap_or_else(|| automatic_range(&powers, &axis));
        let (seconds, rate, channels) = (audio.seconds(settings.rate), settings.rate, audio.channels);
        Ok(Self { scene, powers, axis, range, seconds, rate, channels })
    }

    /// How the picture was made.
    fn caption(&self) -> String {
        let window = si(self.powers.window as f64 / self.rate, "s");
        let channels = match self.channels {
            1 => "1 channel".to_owned(),
            count => format!("power of {} added", plural(count as u64, "channel")),
        };
        format!("Hann window of {} samples ({window}); {channels}; 0 dB is the largest value", self.powers.window)
    }
}

impl Picture for Spectrogram<'_> {
    fn title(&self) -> String {
        format!("{}: spectrogram", self.scene.name)
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), String> {
        let (width, height) = area.dim_in_pixel();
        let (chart, caption) = area.split_vertically(height - CAPTION_HEIGHT);
        let (left, right) = chart.split_horizontally(width - COLOUR_BAR_WIDTH);
        let time = style::scaled_axis("Time", self.seconds, "s");
        let mut chart = ChartBuilder::on(&left)
            .margin(MARGIN)
            .x_label_area_size(X_LABEL_HEIGHT)
            .y_label_area_size(Y_LABEL_WIDTH)
            .build_cartesian_2d(0.0..self.seconds / time.factor, self.axis.low..self.axis.high)
            .map_err(style::draw_error)?;
        let label = |place: &f64| self.axis.label(*place);
        style::draw_axes_with(&mut chart, (&time.title, &style::tick_text), ("Frequency [kHz]", &label))?;
        let inside = chart.plotting_area().strip_coord_spec();
        let cells = [inside.dim_in_pixel().0 / CELL, inside.dim_in_pixel().1 / CELL].map(|count| count as usize);
        heat_map::fill_cells(&inside, cells, |column, row| {
            let middle = |index: usize, count: usize| (index as f64 + 0.5) / count as f64;
            let level = self.powers.level(middle(column, cells[0]), self.axis.fraction(middle(row, cells[1])));
            heat_map::sequential_colour(1.0 + level / self.range)
        })?;
        draw_colour_bar(&right, self.range)?;
        let text = style::text_style(TICK_SIZE).pos(Pos::new(HPos::Left, VPos::Center));
        let place = ((MARGIN + Y_LABEL_WIDTH) as i32, CAPTION_HEIGHT as i32 / 2 - FONT_OFFSET);
        caption.draw(&Text::new(self.caption(), place, text)).map_err(style::draw_error)
    }
}

/// The frequency axis. Its coordinates are kilohertz, or their logarithms to base 10.
struct FrequencyAxis {
    scale: AxisScale,
    low: f64,
    high: f64,
}

impl FrequencyAxis {
    fn new(scale: AxisScale, rate: f64, window: usize) -> Self {
        let nyquist = rate / 2000.0;
        match scale {
            AxisScale::Linear => Self { scale, low: 0.0, high: nyquist },
            AxisScale::Logarithmic => {
                let lowest = (LOWEST_FREQUENCY / 1000.0).max(rate / 1000.0 / window as f64);
                Self { scale, low: lowest.log10(), high: nyquist.log10() }
            }
        }
    }

    /// Fraction of the Nyquist frequency at a fraction of the axis.
    fn fraction(&self, place: f64) -> f64 {
        match self.scale {
            AxisScale::Linear => place,
            AxisScale::Logarithmic => 10_f64.powf((place - 1.0) * (self.high - self.low)),
        }
    }

    fn label(&self, place: f64) -> String {
        match self.scale {
            AxisScale::Linear => style::tick_text(&place),
            AxisScale::Logarithmic => {
                let kilohertz = 10_f64.powf(place);
                let digits = (1.0 - kilohertz.log10().floor()).max(0.0) as i32;
                let unit = 10_f64.powi(digits);
                trimmed_decimal((kilohertz * unit).round() / unit)
            }
        }
    }
}

/// The range down to the level that most of the picture exceeds, in steps of 10 dB.
fn automatic_range(powers: &PowerSpectrogram, axis: &FrequencyAxis) -> f64 {
    let places = || (0..RANGE_PLACES).map(|index| (index as f64 + 0.5) / RANGE_PLACES as f64);
    let mut levels: Vec<f64> =
        places().flat_map(|time| places().map(move |y| powers.level(time, axis.fraction(y)))).collect();
    levels.sort_by(|a, b| b.total_cmp(a));
    let depth = -levels[(SHARE_ABOVE * levels.len() as f64) as usize];
    (10.0 * (depth / 10.0).ceil()).clamp(AUTOMATIC_RANGE_LIMITS.0, AUTOMATIC_RANGE_LIMITS.1)
}

fn draw_colour_bar<B: DrawingBackend>(area: &DrawingArea<B, Shift>, range: f64) -> Result<(), String> {
    const STEPS: i32 = 5;
    let (_, height) = area.dim_in_pixel();
    let (top, bottom) = (MARGIN as i32, (height - X_LABEL_HEIGHT - MARGIN) as i32);
    let bar = area.clone().shrink((0, top), (28, bottom - top));
    let levels = (bottom - top) as usize / CELL as usize;
    heat_map::fill_cells(&bar, [1, levels], |_, row| heat_map::sequential_colour((row as f64 + 0.5) / levels as f64))?;
    let anchored = |h, v| style::text_style(TICK_SIZE).pos(Pos::new(h, v));
    for step in 0..=STEPS {
        let y = top + (bottom - top) * step / STEPS;
        let level = style::tick_text(&(-range * f64::from(step) / f64::from(STEPS)));
        area.draw(&PathElement::new([(28, y), (34, y)], TEXT_COLOUR)).map_err(style::draw_error)?;
        area.draw(&Text::new(level, (40, y + FONT_OFFSET), anchored(HPos::Left, VPos::Center)))
            .map_err(style::draw_error)?;
    }
    let title = Text::new("Level [dB]", (0, bottom + 18), anchored(HPos::Left, VPos::Top));
    area.draw(&title).map_err(style::draw_error)
}
