//! Forces from outside: pulses and drives, still and moving, from breakpoints and from files.

use super::{Draw, Form};
use crate::harness::document::{Table, Value};
use crate::harness::files;

impl Draw {
    /// A pulse or a drive.
    pub(super) fn exciter(&mut self) {
        let Some(of) = self.movable() else { return };
        // What brings the lightest place of a body to the typical speed in a few samples.
        let light = self.bodies[of].mass * self.speed * self.rate;
        let peak = self.random.sign() * (light * self.random.log(1e-2, 10.0)).clamp(1e-9, 1e6);
        if self.random.chance(0.6) { self.pulse(of, peak) } else { self.drive(of, peak) }
    }

    fn pulse(&mut self, of: usize, peak: f64) {
        let mut table = Table::new("pulse");
        let is_wide = self.bodies[of].form == Form::Line && self.random.chance(0.3);
        table.fields.extend(if is_wide { self.place_fields(of) } else { self.path_fields(of) });
        table = table.with("time", 0.5 * self.random.unit() * self.duration());
        let steps = self.random.log(0.5, 0.5 * self.steps as f64);
        table = table.with("duration", (steps / self.rate).max(1e-6)).with("peak", peak);
        if is_wide {
            table = table.with("width", self.random.log(1e-2, 1.0));
        }
        self.add(table);
    }

    fn drive(&mut self, of: usize, peak: f64) {
        let mut table = Table::new("drive");
        table.fields.extend(self.path_fields(of));
        let table = if self.random.chance(0.3) {
            table.with("file", Value::from(files::SOUND)).with("gain", peak)
        } else {
            table.with("force", self.control(0.2, -peak.abs(), peak.abs()))
        };
        self.add(table);
    }
}
