//! Bows with every friction law, fingers, and scores.

use super::{BodyShape, SceneGenerator};
use crate::harness::document::{TomlTable, TomlValue};

impl SceneGenerator {
    /// A bow or a finger.
    pub(super) fn bow_or_finger(&mut self) {
        let Some(of) = self.movable() else { return };
        if self.random.chance(0.55) { self.bow(of) } else { self.finger(of) }
    }

    fn bow(&mut self, of: usize) {
        let (_, mut table) = self.table("bow");
        table.fields.extend(self.moving_point_fields(of));
        let max = if self.extreme { self.random.log(1e-3, 1e3) } else { self.random.log(1e-3, 10.0) };
        table = table.with("force", self.control(0.6, 0.0, max));
        let speed = self.random.sign() * self.random.log(1e-3, if self.extreme { 100.0 } else { 2.0 });
        table = table.with("velocity", self.control(0.6, 0.0, speed));
        let friction = self.friction();
        self.add(table.with("friction", friction));
    }

    fn friction(&mut self) -> TomlValue {
        let kind = self.random.pick(&["exponential", "stribeck", "bristle"]);
        let mut fields = vec![("kind", kind.into())];
        if kind == "exponential" {
            let (min, max) = if self.extreme { (1e-3, 1e8) } else { (1.0, 1e4) };
            fields.push(("sharpness", self.random.log(min, max).into()));
            return TomlValue::inline(fields);
        }
        let sliding = self.random.log(1e-3, 2.0);
        fields.push(("sliding", sliding.into()));
        fields.push(("sticking", (sliding * self.random.log(1.0, 5.0)).min(10.0).into()));
        fields.push(("stribeck_velocity", self.random.log(1e-4, 10.0).into()));
        if kind == "stribeck" {
            let min = if self.extreme { 1e-9 } else { 1e-4 };
            fields.push(("creep", self.random.log(min, 1.0).into()));
        } else {
            let max = if self.extreme { 1e12 } else { 1e6 };
            fields.push(("stiffness", self.random.log(1.0, max).into()));
            let max = if self.extreme { 1e6 } else { 10.0 };
            fields.push(("damping", self.random.log_or_zero(0.2, 1e-4, max).into()));
            fields.push(("viscous", self.random.log_or_zero(0.5, 1e-4, max).into()));
        }
        TomlValue::inline(fields)
    }

    fn finger(&mut self, of: usize) {
        let (_, mut table) = self.table("finger");
        table.fields.extend(self.moving_point_fields(of));
        table = table.with("pressure", self.control(0.5, 0.0, 1.0));
        let (stiffness, damping) = self.finger_law(of);
        self.add(table.with("stiffness", stiffness).with("damping", damping));
    }

    /// Stiffness \[N/m\] and damping \[N·s/m\] of a finger.
    fn finger_law(&mut self, of: usize) -> (f64, f64) {
        let mass = self.bodies[of].mass;
        let stiffness = if self.extreme {
            self.random.log_or_zero(0.1, 1.0, 1e12)
        } else {
            (mass * (self.rate * self.random.log(1e-2, 10.0)).powi(2)).min(1e12)
        };
        let max = if self.extreme { 1e6 } else { (10.0 * mass * self.rate).min(1e6) };
        (stiffness, self.random.log(1e-6 * max, max))
    }

    /// A score for a bow and a finger on a string with fixed ends.
    pub(super) fn score(&mut self) {
        let has_fixed_ends = |table: &TomlTable| {
            let is_free = matches!(table.get("ends"), Some(TomlValue::List(ends)) if ends.contains(&"free".into()));
            table.kind == "string" && table.number("tension") > 0.0 && !is_free
        };
        let is_playable = |id: &str| self.document.find(id).is_some_and(has_fixed_ends);
        let lines: Vec<usize> = (0..self.bodies.len())
            .filter(|&body| self.bodies[body].shape == BodyShape::Line && is_playable(&self.bodies[body].id))
            .collect();
        let Some(&of) = lines.first() else { return };
        let id = self.bodies[of].id.clone();
        let (bow, table) = self.table("bow");
        let friction = self.friction();
        let bowed = table.with("of", id.as_str()).with("at", self.random.uniform(0.1, 0.4)).with("friction", friction);
        let (finger, table) = self.table("finger");
        let (stiffness, damping) = self.finger_law(of);
        let fingered = table.with("of", id.as_str()).with("stiffness", stiffness).with("damping", damping);
        let mut score = TomlTable::new("score").with("bow", bow.as_str()).with("finger", finger.as_str());
        score = score.with("technique", self.random.pick(&["harmonic", "stopped"]));
        score = score.with("bow_follows", TomlValue::Flag(self.random.chance(0.5)));
        score = score.with("attack", 0.1 * self.duration()).with("release", 0.1 * self.duration());
        self.add(score);
        let length = 0.45 * self.duration();
        for note in 0..2 {
            let start = f64::from(note) * 0.5 * self.duration();
            let table = TomlTable::new("note").with("start", start).with("duration", length.max(1e-3));
            let at = self.random.uniform(0.45, 0.9);
            self.add(table.with("finger_at", at));
        }
        self.add(bowed);
        self.add(fingered);
    }
}
