//! Exciters: pulses and drives at fixed and moving points, from breakpoints and from files.

use super::{BodyShape, SceneGenerator};
use crate::harness::document::{TomlTable, TomlValue};
use crate::harness::files;

impl SceneGenerator {
    /// A pulse or a drive.
    pub(super) fn exciter(&mut self) {
        let Some(of) = self.movable() else { return };
        // Force that brings the lightest point of a body to the typical speed in a sample.
        let scale = self.bodies[of].mass * self.typical_speed * self.rate;
        let peak = self.random.sign() * (scale * self.random.log(1e-2, 10.0)).clamp(1e-9, 1e6);
        if self.random.chance(0.6) { self.pulse(of, peak) } else { self.drive(of, peak) }
    }

    fn pulse(&mut self, of: usize, peak: f64) {
        let mut table = TomlTable::new("pulse");
        let is_wide = self.bodies[of].shape == BodyShape::Line && self.random.chance(0.3);
        table.fields.extend(if is_wide { self.point_fields(of) } else { self.moving_point_fields(of) });
        table = table.with("time", 0.5 * self.random.unit() * self.duration());
        let steps = self.random.log(0.5, 0.5 * self.steps as f64);
        table = table.with("duration", (steps / self.rate).max(1e-6)).with("peak", peak);
        if is_wide {
            table = table.with("width", self.random.log(1e-2, 1.0));
        }
        self.add(table);
    }

    fn drive(&mut self, of: usize, peak: f64) {
        let mut table = TomlTable::new("drive");
        table.fields.extend(self.moving_point_fields(of));
        let table = if self.random.chance(0.3) {
            table.with("file", TomlValue::from(files::SOUND_FILE)).with("gain", peak)
        } else {
            table.with("force", self.control(0.2, -peak.abs(), peak.abs()))
        };
        self.add(table);
    }
}
