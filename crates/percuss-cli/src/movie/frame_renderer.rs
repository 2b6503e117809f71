//! Draws one frame of a movie: a panel per subject with its name, a title and the time.

use super::frame_data::RecordedFrames;
use super::subjects::{MovieSubject, SubjectKind};
use super::{line_panel, modes_panel, surface_panel};
use crate::plot::style::{self, BitmapArea, LABEL_SIZE, MARGIN, TICK_SIZE};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Largest number of panels in a frame.
const MAX_PANELS: usize = 9;
/// Size of a panel, where any subject is a surface and where none is \[pixels\].
const SURFACE_PANEL_SIZE: (u32, u32) = (600, 500);
const LINE_PANEL_SIZE: (u32, u32) = (860, 380);
/// Largest number of line panels that are stacked in one column.
const MAX_STACKED_PANELS: usize = 3;
/// Height of the header with title and time, and of a panel's caption \[pixels\].
const HEADER_HEIGHT: i32 = 56;
const CAPTION_HEIGHT: i32 = 36;

/// Layout of the frames of a movie.
pub struct FrameRenderer<'a> {
    title: String,
    frames: &'a RecordedFrames,
    /// Columns and rows of panels.
    grid: (usize, usize),
    /// Width and height of a panel \[pixels\].
    panel_size: (u32, u32),
    time_label: TimeLabel,
}

impl<'a> FrameRenderer<'a> {
    /// Chooses the layout for the subjects.
    pub fn new(title: &str, frames: &'a RecordedFrames) -> Self {
        style::register_fonts();
        let shown = frames.subjects.len().min(MAX_PANELS);
        let lines_only = !frames.subjects.iter().any(|subject| matches!(subject.kind, SubjectKind::Surface(_)));
        let columns = match shown {
            1 => 1,
            2..=MAX_STACKED_PANELS if lines_only => 1,
            2..=4 => 2,
            _ => 3,
        };
        let title = match frames.subjects.len() {
            all if all > MAX_PANELS => format!("{title}: first {MAX_PANELS} of {all}"),
            _ => title.to_string(),
        };
        let panel_size = if lines_only { LINE_PANEL_SIZE } else { SURFACE_PANEL_SIZE };
        Self { title, frames, grid: (columns, shown.div_ceil(columns)), panel_size, time_label: TimeLabel::new(frames) }
    }

    /// Width and height of a frame \[pixels\].
    pub fn size(&self) -> (u32, u32) {
        let (width, height) = self.panel_size;
        (self.grid.0 as u32 * width, self.grid.1 as u32 * height + HEADER_HEIGHT as u32)
    }

    /// Draws a frame into RGB pixels, row by row.
    pub fn draw(&self, frame: u64, values: &[Vec<f32>], pixels: &mut [u8]) -> Result<(), String> {
        let time = self.frames.schedule.time(frame);
        let root = BitMapBackend::with_buffer(pixels, self.size()).into_drawing_area();
        root.fill(&WHITE).map_err(style::draw_error)?;
        self.draw_header(&root, time)?;
        let below = root.margin(HEADER_HEIGHT, 0, 0, 0);
        let panels = below.split_evenly((self.grid.1, self.grid.0));
        for (index, panel) in panels.iter().enumerate().take(self.frames.subjects.len()) {
            self.draw_panel(panel, index, &values[index], time)?;
        }
        root.present().map_err(style::draw_error)
    }

    fn draw_header(&self, area: &BitmapArea, time: f64) -> Result<(), String> {
        let (width, _) = area.dim_in_pixel();
        let time_label = self.time_label.text(time);
        // 14 and 13 pixels are about the width of a letter; the title is truncated to leave room for the time.
        let letters = (width as usize).saturating_sub(time_label.chars().count() * 14 + 3 * MARGIN as usize) / 13;
        let title = truncated(&self.title, letters);
        let anchored = |h| style::text_style(LABEL_SIZE).pos(Pos::new(h, VPos::Center));
        let middle = HEADER_HEIGHT / 2 + 4;
        let left = Text::new(title, (MARGIN as i32, middle), anchored(HPos::Left));
        area.draw(&left).map_err(style::draw_error)?;
        let right = Text::new(time_label, (width as i32 - MARGIN as i32, middle), anchored(HPos::Right));
        area.draw(&right).map_err(style::draw_error)
    }

    fn draw_panel(&self, panel: &BitmapArea, index: usize, values: &[f32], time: f64) -> Result<(), String> {
        let MovieSubject { id, kind, .. } = &self.frames.subjects[index];
        let peak = match f64::from(self.frames.peaks[index]) {
            peak if peak > 0.0 => peak,
            _ => 1.0,
        };
        let alone = self.frames.subjects.len() == 1;
        let inside = panel.margin(if alone { 0 } else { CAPTION_HEIGHT }, 0, 0, 0);
        if !alone {
            let (width, _) = panel.dim_in_pixel();
            let centred = style::text_style(TICK_SIZE).pos(Pos::new(HPos::Center, VPos::Center));
            let name = truncated(id, width as usize / 12);
            panel
                .draw(&Text::new(name, (width as i32 / 2, CAPTION_HEIGHT / 2 + 2), centred))
                .map_err(style::draw_error)?;
        }
        match kind {
            SubjectKind::Line(line) => line_panel::draw(&inside, line, values, peak, time),
            SubjectKind::Modes(modes) => modes_panel::draw(&inside, modes, values, peak),
            SubjectKind::Surface(surface) => surface_panel::draw(&inside, surface, values, peak, time),
        }
    }
}

/// Text cut to `max_chars` characters, with an ellipsis.
fn truncated(text: &str, max_chars: usize) -> String {
    if text.chars().count() <= max_chars {
        return text.to_string();
    }
    text.chars().take(max_chars.saturating_sub(1)).chain(['…']).collect()
}

/// Format of the time: one unit for all frames, and enough decimals to distinguish neighbouring frames.
struct TimeLabel {
    factor: f64,
    unit: String,
    decimals: usize,
}

impl TimeLabel {
    fn new(frames: &RecordedFrames) -> Self {
        let schedule = &frames.schedule;
        let (factor, prefix) = match schedule.time(schedule.count - 1) {
            last if last >= 1e-6 => crate::format::si_prefix(last),
            _ => (1e-3, "m"),
        };
        let decimals = (-(schedule.interval() / factor).log10()).ceil().clamp(0.0, 9.0) as usize;
        Self { factor, unit: format!("{prefix}s"), decimals }
    }

    fn text(&self, time: f64) -> String {
        format!("{:.*} {}", self.decimals, time / self.factor, self.unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_label_keeps_unit_and_decimals() {
        let time_label = TimeLabel { factor: 1e-3, unit: "ms".into(), decimals: 1 };
        assert_eq!((time_label.text(0.0), time_label.text(0.0123)), ("0.0 ms".into(), "12.3 ms".into()));
    }

    #[test]
    fn long_text_is_truncated_with_an_ellipsis() {
        assert_eq!(truncated("Gong", 4), "Gong");
        assert_eq!(truncated("Water gong", 6), "Water…");
    }
}
