//! One picture of a film: a panel for everything that moves, its name, and the time.

use super::cast::{Actor, Form};
use super::reel::Reel;
use super::{line, surface};
use crate::plot::style::{self, Area, LABEL, MARGIN, TICK};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Most panels of a picture.
const PANELS: usize = 9;
/// Size of a panel with a surface in the picture, and with lines only \[pixels\].
const SQUARE: (u32, u32) = (600, 500);
const WIDE: (u32, u32) = (860, 380);
/// Most panels with lines one above the other.
const STACK: usize = 3;
/// Height of the head with title and time, and of a panel's name \[pixels\].
const HEAD: i32 = 56;
const CAPTION: i32 = 36;

/// How the pictures of a film are drawn.
pub struct Picture<'a> {
    title: String,
    reel: &'a Reel,
    /// Panels side by side, and one above the other.
    grid: (usize, usize),
    panel: (u32, u32),
    clock: Clock,
}

impl<'a> Picture<'a> {
    /// Decides on the layout.
    pub fn new(title: &str, reel: &'a Reel) -> Self {
        style::register_fonts();
        let shown = reel.cast.len().min(PANELS);
        let lines_only = reel.cast.iter().all(|actor| matches!(actor.form, Form::Line(_)));
        let columns = match shown {
            1 => 1,
            2..=STACK if lines_only => 1,
            2..=4 => 2,
            _ => 3,
        };
        let title = match reel.cast.len() {
            all if all > PANELS => format!("{title}: first {PANELS} of {all}"),
            _ => title.to_string(),
        };
        let panel = if lines_only { WIDE } else { SQUARE };
        Self { title, reel, grid: (columns, shown.div_ceil(columns)), panel, clock: Clock::new(reel) }
    }

    /// Width and height \[pixels\].
    pub fn size(&self) -> (u32, u32) {
        (self.grid.0 as u32 * self.panel.0, self.grid.1 as u32 * self.panel.1 + HEAD as u32)
    }

    /// Draws a picture: three bytes per pixel, row by row.
    pub fn draw(&self, shot: u64, values: &[Vec<f32>], pixels: &mut [u8]) -> Result<(), String> {
        let time = self.reel.shots.time(shot);
        let root = BitMapBackend::with_buffer(pixels, self.size()).into_drawing_area();
        root.fill(&WHITE).map_err(style::words)?;
        self.draw_head(&root, time)?;
        let below = root.margin(HEAD, 0, 0, 0);
        let panels = below.split_evenly((self.grid.1, self.grid.0));
        for (index, panel) in panels.iter().enumerate().take(self.reel.cast.len()) {
            self.draw_panel(panel, index, &values[index], time)?;
        }
        root.present().map_err(style::words)
    }

    fn draw_head(&self, area: &Area, time: f64) -> Result<(), String> {
        let (width, _) = area.dim_in_pixel();
        let clock = self.clock.reading(time);
        // About the width of a letter: the title gives way to the time.
        let room = (width as usize).saturating_sub(clock.chars().count() * 14 + 3 * MARGIN as usize) / 13;
        let title = shortened(&self.title, room);
        let anchored = |h| style::text(LABEL).pos(Pos::new(h, VPos::Center));
        let middle = HEAD / 2 + 4;
        let left = Text::new(title, (MARGIN as i32, middle), anchored(HPos::Left));
        area.draw(&left).map_err(style::words)?;
        let right = Text::new(clock, (width as i32 - MARGIN as i32, middle), anchored(HPos::Right));
        area.draw(&right).map_err(style::words)
    }

    fn draw_panel(&self, panel: &Area, index: usize, values: &[f32], time: f64) -> Result<(), String> {
        let Actor { id, form, .. } = &self.reel.cast[index];
        let peak = match f64::from(self.reel.peaks[index]) {
            peak if peak > 0.0 => peak,
            _ => 1.0,
        };
        let alone = self.reel.cast.len() == 1;
        let inside = panel.margin(if alone { 0 } else { CAPTION }, 0, 0, 0);
        if !alone {
            let (width, _) = panel.dim_in_pixel();
            let centred = style::text(TICK).pos(Pos::new(HPos::Center, VPos::Center));
            let name = shortened(id, width as usize / 12);
            panel.draw(&Text::new(name, (width as i32 / 2, CAPTION / 2 + 2), centred)).map_err(style::words)?;
        }
        match form {
            Form::Line(line) => line::draw(&inside, line, values, peak),
            Form::Surface(surface) => surface::draw(&inside, surface, values, peak, time),
        }
    }
}

/// A text of so many letters at most.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// How times are written: always with the same unit and as many digits as tell pictures apart.
struct Clock {
    factor: f64,
    unit: String,
    decimals: usize,
}

impl Clock {
    fn new(reel: &Reel) -> Self {
        let shots = &reel.shots;
        let (factor, prefix) = match shots.time(shots.count - 1) {
            last if last >= 1e-6 => crate::format::prefix(last),
            _ => (1e-3, "m"),
        };
        let decimals = (-(shots.interval() / factor).log10()).ceil().clamp(0.0, 9.0) as usize;
        Self { factor, unit: format!("{prefix}s"), decimals }
    }

    fn reading(&self, time: f64) -> String {
        format!("{:.*} {}", self.decimals, time / self.factor, self.unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_keep_their_unit_and_digits() {
        let clock = Clock { factor: 1e-3, unit: "ms".into(), decimals: 1 };
        assert_eq!((clock.reading(0.0), clock.reading(0.0123)), ("0.0 ms".into(), "12.3 ms".into()));
    }

    #[test]
    fn long_titles_give_way() {
        assert_eq!(shortened("Gong", 4), "Gong");
        assert_eq!(shortened("Water gong", 6), "Water…");
    }
}
