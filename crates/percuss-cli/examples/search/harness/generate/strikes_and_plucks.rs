//! Strikes by mallets and by forces, and plucks, at one or several times.

use super::{BodyShape, SceneGenerator};
use crate::harness::document::{TomlTable, TomlValue};

impl SceneGenerator {
    /// Times within the scene that rise.
    fn times(&mut self) -> Vec<f64> {
        let count = self.random.pick(&[1, 1, 2, 3, 5]);
        let mut times: Vec<f64> = (0..count).map(|_| 0.8 * self.random.unit() * self.duration()).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }

    /// A value for each time, or one for all.
    fn for_each(&mut self, times: &[f64], value: fn(&mut Self) -> f64) -> TomlValue {
        if self.random.chance(0.4) {
            return value(self).into();
        }
        TomlValue::numbers(times.iter().map(|_| value(self)).collect::<Vec<_>>())
    }

    /// A strike of a random body.
    pub(super) fn strike(&mut self) {
        let Some(of) = self.movable() else { return };
        let times = self.times();
        if self.random.chance(0.25) { self.strike_by_force(of, &times) } else { self.strike_by_mallet(of, &times) }
    }

    fn strike_by_force(&mut self, of: usize, times: &[f64]) {
        let mut table = TomlTable::new("strike");
        table.fields.extend(self.moving_point_fields(of));
        let scale = self.bodies[of].mass * self.typical_speed * self.rate;
        let peak = self.random.sign() * (scale * self.random.log(1e-2, 10.0)).clamp(1e-9, 1e6);
        table = table.with("time", TomlValue::numbers(times.to_vec())).with("force", peak);
        let steps = self.random.log(0.5, 0.5 * self.steps as f64);
        self.add(table.with("duration", (steps / self.rate).max(1e-6)));
    }

    fn strike_by_mallet(&mut self, of: usize, times: &[f64]) {
        let (_, mut table) = self.table("strike");
        table.fields.extend(self.point_fields(of));
        table = table.with("time", TomlValue::numbers(times.to_vec()));
        let speed =
            |generator: &mut Self| (generator.typical_speed * generator.random.log(0.1, 10.0)).clamp(1e-3, 100.0);
        table = table.with("speed", self.for_each(times, speed));
        let mass = if self.extreme { self.random.log(1e-9, 1e6) } else { self.random.log(1e-4, 1.0) };
        table = table.with("mass", mass);
        if self.random.chance(0.4) {
            table = table.with("from", self.random.pick(&["above", "below"]));
        }
        let exponent = self.exponent();
        table = table.with("exponent", exponent);
        table = if self.random.chance(0.3) {
            let shortest = if self.extreme { 1e-6 } else { 0.1 / self.rate };
            table.with("contact_time", self.random.log(shortest.clamp(1e-6, 0.1), 0.1))
        } else {
            let reduced = 1.0 / (1.0 / self.bodies[of].mass + 1.0 / mass);
            table.with("stiffness", self.stiffness(reduced, exponent))
        };
        let loss = self.loss();
        if self.random.chance(0.3) {
            table = table.with("restitution", self.random.log(0.1, 1.0));
        } else if loss > 0.0 {
            table = table.with("loss", loss);
        }
        if self.random.chance(0.5) {
            table = table.with("retreat", self.random.log_or_zero(0.1, 1e-9, 10.0));
        }
        self.add(table);
    }

    /// A pluck of a random body; by a displacement of strings only.
    pub(super) fn pluck(&mut self) {
        let Some(of) = self.movable() else { return };
        let times = self.times();
        let mut table = TomlTable::new("pluck");
        let is_line = self.bodies[of].shape == BodyShape::Line;
        if is_line && self.random.chance(0.2) {
            table.fields.extend(self.point_fields(of));
            let displacement = (self.random.uniform(-1.0, 1.0) * self.typical_distance).clamp(-0.1, 0.1);
            table = table.with("displacement", displacement);
        } else {
            table.fields.extend(self.moving_point_fields(of));
            let scale = self.bodies[of].mass * self.typical_speed * self.rate;
            let force = self.random.sign() * (scale * self.random.log(1e-2, 10.0)).clamp(1e-9, 1e6);
            table = table.with("force", force);
        }
        table = table.with("time", TomlValue::numbers(times));
        for field in ["duration", "release"] {
            if self.random.chance(0.8) {
                let steps = self.random.log(0.1, 0.5 * self.steps as f64);
                table = table.with(field, (steps / self.rate).max(1e-6));
            }
        }
        self.add(table);
    }
}
