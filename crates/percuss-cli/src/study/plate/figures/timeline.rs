//! Figures 5 and 6: controls of a plate over time, and below them the spectrogram of its sound.

use super::spectrogram::DecibelSpectrogram;
use crate::error::Result;
use crate::plot::heat_map;
use crate::plot::style::{
    self, FONT_OFFSET, MARGIN, PALETTE, PLOT_SIZE, TEXT_COLOUR, TICK_SIZE, X_LABEL_HEIGHT, Y_LABEL_WIDTH,
};
use crate::study::chart::FigureFiles;
use crate::study::plate::{partials, presets};
use percuss::{Control, Element, Region, Touch};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::io::{self, Write};

/// Height of a control's panel, and width of the colour bar with its labels \[pixels\].
const CONTROL_HEIGHT: u32 = 150;
const COLOUR_BAR_WIDTH: u32 = 150;
/// Cells of the spectrogram in SVG and CSV.
const COARSE_CELLS: [usize; 2] = [220, 160];

/// Controls and spectrogram of a figure.
pub struct Timeline {
    title: &'static str,
    controls: Vec<ControlCurve>,
    spectrogram: DecibelSpectrogram,
    /// Range of levels \[dB\].
    range: f64,
}

/// A control over time.
struct ControlCurve {
    name: &'static str,
    max: f64,
    points: Vec<(f64, f64)>,
}

/// Figure 5: a hand touches the plate.
pub fn hand(title: &'static str, sound: &[f64]) -> Timeline {
    let sound = partials::second_difference(sound);
    let pressure = |touch: &Touch| breakpoints(&touch.pressure, 1.0, 3.0);
    Timeline {
        title,
        controls: touches("hand-damped-plate")[..1]
            .iter()
            .map(|touch| ControlCurve { name: "Pressure", max: 1.0, points: pressure(touch) })
            .collect(),
        spectrogram: DecibelSpectrogram::new(&sound, 4096, 3000.0),
        range: 120.0,
    }
}

/// Figure 6: a gong is lifted out of the water and lowered again.
pub fn gong(title: &'static str, sound: &[f64]) -> Timeline {
    let water = touches("water-gong").into_iter().find_map(|touch| match touch.region {
        Region::HalfPlane { level, .. } => Some(breakpoints(&level, 100.0, 5.0)),
        _ => None,
    });
    // A raised cosine of 1 ms is a line on an axis of 5 s.
    let strike = vec![(0.0, 0.0), (0.5e-3, 20.0), (1e-3, 0.0), (5.0, 0.0)];
    Timeline {
        title,
        controls: vec![
            ControlCurve { name: "Water [%]", max: 40.0, points: water.unwrap_or_default() },
            ControlCurve { name: "Force [N]", max: 25.0, points: strike },
        ],
        spectrogram: DecibelSpectrogram::new(sound, 8192, 1000.0),
        range: 100.0,
    }
}

/// Touches of a preset's plate.
fn touches(preset: &str) -> Vec<Touch> {
    let scene = presets::modified_preset(preset, &[]);
    let plates = scene.model.elements().iter().filter_map(|element| match element {
        Element::Plate(plate) => Some(plate.touches.clone()),
        _ => None,
    });
    plates.flatten().collect()
}

/// Breakpoints of a control, times a factor, found on a grid of 20 ms.
fn breakpoints(control: &Control, factor: f64, length: f64) -> Vec<(f64, f64)> {
    let steps = (50.0 * length) as usize;
    let at = |step: usize| (step as f64 / 50.0, factor * control.at(step as f64 / 50.0));
    let is_breakpoint = |step: usize| (at(step - 1).1 - 2.0 * at(step).1 + at(step + 1).1).abs() > 1e-9;
    let kept = (0..=steps).filter(|&step| step == 0 || step == steps || is_breakpoint(step));
    kept.map(at).collect()
}

/// Draws the figure and writes its data.
pub fn write(files: &FigureFiles, timeline: &Timeline) -> Result<()> {
    files.png.write_by_path(|path| style::write_bitmap(path, |backend| draw(backend, timeline, None)))?;
    files.svg.write_by_path(|path| draw(SVGBackend::new(path, PLOT_SIZE), timeline, Some(COARSE_CELLS)))?;
    files.csv.write(|file| csv(file, &timeline.spectrogram))
}

fn csv(file: &mut impl Write, spectrogram: &DecibelSpectrogram) -> io::Result<()> {
    writeln!(file, "time_s,frequency_hz,level_db")?;
    let middle = |index: usize, axis: usize| (index as f64 + 0.5) / COARSE_CELLS[axis] as f64;
    for column in 0..COARSE_CELLS[0] {
        for row in 0..COARSE_CELLS[1] {
            let (x, y) = (middle(column, 0), middle(row, 1));
            let (time, frequency) = (x * spectrogram.length, y * spectrogram.highest);
            writeln!(file, "{time:.4},{frequency:.1},{:.1}", spectrogram.level(x, y))?;
        }
    }
    Ok(())
}

/// Draws on any backend; the spectrogram in the given cells, or one per pixel.
fn draw<B: DrawingBackend>(
    backend: B,
    timeline: &Timeline,
    cells: Option<[usize; 2]>,
) -> std::result::Result<(), String> {
    style::draw_titled_plot(backend, timeline.title, |area| {
        let (mut rest, bar) = area.split_horizontally(PLOT_SIZE.0 - COLOUR_BAR_WIDTH);
        for control in &timeline.controls {
            let (above, below) = rest.split_vertically(CONTROL_HEIGHT);
            draw_control(&above, control, timeline.spectrogram.length)?;
            rest = below;
        }
        let top = CONTROL_HEIGHT * timeline.controls.len() as u32;
        draw_spectrogram(&rest, timeline, cells)?;
        draw_colour_bar(&bar, top as i32, timeline.range)
    })
}

fn draw_control<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    control: &ControlCurve,
    length: f64,
) -> std::result::Result<(), String> {
    let mut chart = ChartBuilder::on(area)
        .margin_left(MARGIN)
        .margin_right(MARGIN)
        .margin_top(MARGIN / 2)
        .x_label_area_size(MARGIN)
        .y_label_area_size(Y_LABEL_WIDTH)
        .build_cartesian_2d(style::range_from_zero(length), 0.0..1.1 * control.max)
        .map_err(style::draw_error)?;
    style::draw_axes_with(&mut chart, ("", &|_| String::new()), (control.name, &style::tick_text))?;
    style::draw_line(&mut chart, &control.points, PALETTE[0].stroke_width(3))
}

fn draw_spectrogram<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    Timeline { spectrogram, range, .. }: &Timeline,
    cells: Option<[usize; 2]>,
) -> std::result::Result<(), String> {
    let mut chart = ChartBuilder::on(area)
        .margin_left(MARGIN)
        .margin_right(MARGIN)
        .margin_top(MARGIN / 2)
        .x_label_area_size(X_LABEL_HEIGHT)
        .y_label_area_size(Y_LABEL_WIDTH)
        .build_cartesian_2d(style::range_from_zero(spectrogram.length), style::range_from_zero(spectrogram.highest))
        .map_err(style::draw_error)?;
    style::draw_axes(&mut chart, "Time [s]", "Frequency [Hz]")?;
    let inside = chart.plotting_area().strip_coord_spec();
    let (width, height) = inside.dim_in_pixel();
    let cells = cells.unwrap_or([width as usize, height as usize]);
    let middle = |index: usize, axis: usize| (index as f64 + 0.5) / cells[axis] as f64;
    heat_map::fill_cells(&inside, cells, |x, y| {
        heat_map::sequential_colour(1.0 + spectrogram.level(middle(x, 0), middle(y, 1)) / range)
    })
}

fn draw_colour_bar<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    above: i32,
    range: f64,
) -> std::result::Result<(), String> {
    let height = area.dim_in_pixel().1 as i32;
    let (top, bottom) = (above + MARGIN as i32 / 2, height - X_LABEL_HEIGHT as i32);
    let bar = area.clone().shrink((0, top), (28, bottom - top));
    heat_map::fill_cells(&bar, [1, 65], |_, row| heat_map::sequential_colour(row as f64 / 64.0))?;
    let anchored = |v| style::text_style(TICK_SIZE).pos(Pos::new(HPos::Left, v));
    for step in 0..=4 {
        let y = top + (bottom - top) * step / 4;
        let level = style::tick_text(&(-range * f64::from(step) / 4.0));
        area.draw(&PathElement::new([(28, y), (34, y)], TEXT_COLOUR)).map_err(style::draw_error)?;
        area.draw(&Text::new(level, (40, y + FONT_OFFSET), anchored(VPos::Center))).map_err(style::draw_error)?;
    }
    area.draw(&Text::new("Level [dB]", (0, bottom + 18), anchored(VPos::Top))).map_err(style::draw_error)
}
