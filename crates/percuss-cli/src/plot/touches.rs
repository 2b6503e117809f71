//! What touches do over time: the power of their changes P_c, the energy H_c stored in their mass and stiffness, and the power Q_c
//! lost in their damping, of all touches together.
//!
//! Reference  van Walstijn, Bhanuprakash and Stapleton (2021), eqs. 46, 48, 50 and 52

use super::panel::{PanelTitles, draw_panel, range};
use super::style::{self, PALETTE, Picture};
use crate::format::si;
use crate::render::plot_recorder::PlotRecorder;
use percuss::Element;
use percuss_scene::Scene;
use plotters::coord::Shift;
use plotters::prelude::*;

/// The plot.
pub struct TouchChart<'a> {
    scene: &'a Scene,
    recorder: &'a PlotRecorder,
}

impl<'a> TouchChart<'a> {
    /// Of a run.
    pub fn new(scene: &'a Scene, recorder: &'a PlotRecorder) -> Self {
        Self { scene, recorder }
    }
}

/// Whether a scene has touches.
pub fn has_touches(scene: &Scene) -> bool {
    scene.model.elements().iter().any(|element| matches!(element, Element::Plate(plate) if !plate.touches.is_empty()))
}

impl Picture for TouchChart<'_> {
    fn title(&self) -> String {
        format!("{}: touches", self.scene.name)
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), String> {
        let end = self.recorder.energy.duration();
        let time = style::scaled_axis("Time", end, "s");
        let touches = &self.recorder.touches;
        let rows = [
            (&touches.work, "P_c", "W", "power of changes"),
            (&touches.stored, "H_c", "J", "stored in mass and stiffness"),
            (&touches.loss, "Q_c", "W", "lost in damping"),
        ];
        let panels = style::split_panels(area, rows.len());
        for (index, (panel, (envelope, quantity, unit, what))) in panels.iter().zip(rows).enumerate() {
            let x = if index + 1 == rows.len() { time.title.as_str() } else { "" };
            let line = self.recorder.curve(envelope);
            let (low, high) = range(&line);
            let label = format!("{what}: {} to {}", si(low, unit), si(high, unit));
            draw_panel(panel, PanelTitles { x, quantity, unit, label }, &line, (end, time.factor), PALETTE[index])?;
        }
        Ok(())
    }
}
