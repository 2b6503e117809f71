//! Masses and modal bodies, and points on all bodies.

use super::{BodyShape, GeneratedBody, SceneGenerator};
use crate::harness::document::{Fields, TomlTable, TomlValue};

impl SceneGenerator {
    fn push_body(&mut self, id: String, shape: BodyShape, mass: f64) {
        self.bodies.push(GeneratedBody::new(id, shape, mass, 0.0));
    }

    /// Adds an element and its table.
    pub(super) fn push_grid(&mut self, table: TomlTable, body: GeneratedBody) {
        self.add(table);
        self.bodies.push(body);
    }

    /// A position near the other bodies, which may overlap them.
    pub(super) fn position_nearby(&mut self) -> f64 {
        (self.base_height + self.random.uniform(-2.0, 2.0) * self.typical_distance).clamp(-100.0, 100.0)
    }

    /// A mass, free or on a spring, with or without gravity.
    pub(super) fn mass(&mut self) {
        let (id, table) = self.table("mass");
        let mass = if self.extreme { self.random.log(1e-6, 1e3) } else { self.random.log(1e-4, 1.0) };
        let velocity = self.random.uniform(-1.5, 1.5) * self.typical_speed;
        let mut table = table.with("mass", mass).with("position", self.position_nearby()).with("velocity", velocity);
        if self.random.chance(0.35) {
            table = table.with("frequency", self.random.log(0.1, 0.31 * self.rate));
        }
        if self.random.chance(0.35) {
            let max = if self.extreme { 1e6 } else { 0.3 * self.rate };
            table = table.with("damping", self.random.log(1e-2, max));
        }
        if self.random.chance(0.3) {
            let gravity = self.random.sign() * self.random.log(1e-2, 1e3);
            table = table.with("gravity", gravity);
        }
        if self.random.chance(0.12) {
            table = table.with("start", 0.8 * self.random.unit() * self.duration());
        }
        self.add(table);
        self.push_body(id, BodyShape::Mass, mass);
    }

    /// A modal element with a few points.
    pub(super) fn modal(&mut self) {
        let (id, table) = self.table("modal");
        let count = self.random.whole(1, 4);
        let frequency: Vec<f64> = (0..count).map(|_| self.random.log(1.0, 0.49 * self.rate)).collect();
        let decay: Vec<f64> = (0..count).map(|_| self.random.log(1e-4, 1e5)).collect();
        let (min, max) = if self.extreme { (1e-6, 1e3) } else { (1e-4, 1.0) };
        let masses: Vec<f64> = (0..count).map(|_| self.random.log(min, max)).collect();
        let points = self.random.whole(1, 3);
        let mut lightest = f64::INFINITY;
        let mut places = Vec::new();
        for point in 0..points {
            let gains: Vec<f64> = (0..count).map(|_| self.random.uniform(-2.0, 2.0)).collect();
            let compliance: f64 = gains.iter().zip(&masses).map(|(gain, mass)| gain * gain / mass).sum();
            lightest = lightest.min(1.0 / compliance);
            places.push((format!("p{point}"), TomlValue::numbers(gains)));
        }
        let table = table.with("frequency", TomlValue::numbers(frequency)).with("decay", TomlValue::numbers(decay));
        let table = table.with("mass", TomlValue::numbers(masses)).with("points", TomlValue::Inline(places));
        self.add(table);
        self.push_body(id, BodyShape::Modal(points), lightest);
    }

    /// `of` and `at` of a random point on a body.
    pub(super) fn point_fields(&mut self, of: usize) -> Fields {
        let mut fields = vec![("of".to_owned(), TomlValue::Text(self.bodies[of].id.clone()))];
        let at = match self.bodies[of].shape {
            BodyShape::Mass | BodyShape::Barrier => return fields,
            BodyShape::Line if self.random.chance(0.05) => self.random.pick(&[0.0, 1.0]).into(),
            BodyShape::Line => self.random.uniform(0.03, 0.97).into(),
            BodyShape::Rectangle if self.random.chance(0.05) => [self.random.pick(&[0.0, 1.0]), 0.5].into(),
            BodyShape::Rectangle => [self.random.uniform(0.03, 0.97), self.random.uniform(0.03, 0.97)].into(),
            BodyShape::Disc => [self.random.uniform(0.2, 0.8), self.random.uniform(0.2, 0.8)].into(),
            BodyShape::Modal(points) => TomlValue::Text(format!("p{}", self.random.below(points))),
        };
        fields.push(("at".to_owned(), at));
        fields
    }

    /// `of` and `at` of a point that may move along or over a body.
    pub(super) fn moving_point_fields(&mut self, of: usize) -> Fields {
        let moves = self.random.chance(0.3);
        let at = match self.bodies[of].shape {
            BodyShape::Line if moves => self.control(0.0, 0.0, 1.0),
            BodyShape::Rectangle if moves => {
                TomlValue::List(vec![self.control(0.3, 0.0, 1.0), self.control(0.3, 0.0, 1.0)])
            }
            BodyShape::Disc if moves => TomlValue::List(vec![self.control(0.3, 0.2, 0.8), self.control(0.0, 0.2, 0.8)]),
            _ => return self.point_fields(of),
        };
        vec![("of".to_owned(), TomlValue::Text(self.bodies[of].id.clone())), ("at".to_owned(), at)]
    }

    /// Index of a random body that is not a barrier.
    pub(super) fn movable(&mut self) -> Option<usize> {
        let movable: Vec<usize> =
            (0..self.bodies.len()).filter(|&body| self.bodies[body].shape != BodyShape::Barrier).collect();
        if movable.is_empty() { None } else { Some(self.random.pick(&movable)) }
    }
}
