//! Force of every contact over time, one panel each, up to the last contact.

use super::panel::{PanelTitles, draw_panel, range};
use super::style::{self, PALETTE, Picture};
use crate::format::si;
use crate::render::plot_recorder::{MinMaxEnvelope, PlotRecorder};
use percuss_scene::Scene;
use plotters::coord::Shift;
use plotters::prelude::*;

/// Largest number of contacts; those with the largest forces are plotted.
const MAX_PANELS: usize = 5;

/// The plot.
pub struct ContactForces<'a> {
    scene: &'a Scene,
    recorder: &'a PlotRecorder,
    /// Contacts that are shown.
    shown: Vec<usize>,
    /// End of the run, and of what is shown \[s\].
    run_end: f64,
    end: f64,
}

impl<'a> ContactForces<'a> {
    /// Chooses the contacts and the range in time.
    pub fn new(scene: &'a Scene, recorder: &'a PlotRecorder) -> Self {
        let mut shown: Vec<usize> = (0..recorder.forces.len()).collect();
        shown.sort_by(|&a, &b| peak(&recorder.forces[b]).total_cmp(&peak(&recorder.forces[a])));
        shown.truncate(MAX_PANELS);
        shown.sort_unstable();
        let force_end = |contact: &usize| {
            let envelope = &recorder.forces[*contact];
            recorder.bin_time(envelope, envelope.bins.len())
        };
        let last = shown.iter().map(force_end).fold(0.0, f64::max);
        let run_end = recorder.energy.duration();
        let end = if last > 0.0 { run_end.min(1.05 * last) } else { run_end };
        Self { scene, recorder, shown, run_end, end }
    }
}

impl Picture for ContactForces<'_> {
    /// States which contacts and what part of the run are shown.
    fn title(&self) -> String {
        let count = match self.recorder.forces.len() {
            all if all > MAX_PANELS => format!("the {MAX_PANELS} largest of {all} contact forces"),
            _ => "contact forces".into(),
        };
        let range = if self.end < self.run_end {
            format!("0 to {} of {}, up to the last contact", si(self.end, "s"), si(self.run_end, "s"))
        } else {
            format!("0 to {}", si(self.end, "s"))
        };
        format!("{}: {count}, {range}", self.scene.name)
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), String> {
        let time = style::scaled_axis("Time", self.end, "s");
        let panels = style::split_panels(area, self.shown.len());
        for (index, (panel, &contact)) in panels.iter().zip(&self.shown).enumerate() {
            let x_title = if index + 1 == self.shown.len() { time.title.as_str() } else { "" };
            let line = self.recorder.curve(&self.recorder.forces[contact]);
            let (low, high) = range(&line);
            let id = &self.scene.interaction_names[contact];
            let label =
                if high > low { format!("{id}: {}", range_text(low, high)) } else { format!("{id}: no contact") };
            let titles = PanelTitles { x: x_title, quantity: "Force", unit: "N", label };
            draw_panel(panel, titles, &line, (self.end, time.factor), PALETTE[index])?;
        }
        Ok(())
    }
}

/// The range of a force, without a limit at 0.
fn range_text(low: f64, high: f64) -> String {
    match (low < 0.0, high > 0.0) {
        (true, true) => format!("{} to {}", si(low, "N"), si(high, "N")),
        (true, false) => format!("down to {}", si(low, "N")),
        _ => format!("up to {}", si(high, "N")),
    }
}

fn peak(envelope: &MinMaxEnvelope) -> f64 {
    envelope.bins.iter().fold(0.0, |peak, bin| bin.0.abs().max(bin.1.abs()).max(peak))
}
