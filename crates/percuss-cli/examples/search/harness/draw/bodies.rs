//! Masses, modal bodies and barriers, and places on all bodies.

use super::{Body, Draw, Form};
use crate::harness::document::{Fields, Table, Value};

impl Draw {
    fn push_body(&mut self, id: String, form: Form, mass: f64) {
        self.bodies.push(Body { id, form, mass, cell: 0.0, size: [0.0; 2], density: 0.0 });
    }

    /// Keeps an element on a grid.
    pub(super) fn push_grid(&mut self, table: Table, body: Body) {
        self.add(table);
        self.bodies.push(body);
    }

    /// A height near the others, at times with an overlap.
    pub(super) fn nearby(&mut self) -> f64 {
        (self.height + self.random.uniform(-2.0, 2.0) * self.span).clamp(-100.0, 100.0)
    }

    /// A mass, free or on a spring, in a field of gravity or not.
    pub(super) fn mass(&mut self) {
        let (id, table) = self.table("mass");
        let mass = if self.extreme { self.random.log(1e-6, 1e3) } else { self.random.log(1e-4, 1.0) };
        let velocity = self.random.uniform(-1.5, 1.5) * self.speed;
        let mut table = table.with("mass", mass).with("position", self.nearby()).with("velocity", velocity);
        if self.random.chance(0.35) {
            table = table.with("frequency", self.random.log(0.1, 0.31 * self.rate));
        }
        if self.random.chance(0.35) {
            let most = if self.extreme { 1e6 } else { 0.3 * self.rate };
            table = table.with("damping", self.random.log(1e-2, most));
        }
        if self.random.chance(0.3) {
            let gravity = self.random.sign() * self.random.log(1e-2, 1e3);
            table = table.with("gravity", gravity);
        }
        self.add(table);
        self.push_body(id, Form::Mass, mass);
    }

    /// A bank of modes seen through a few points.
    pub(super) fn modal(&mut self) {
        let (id, table) = self.table("modal");
        let count = self.random.whole(1, 4);
        let frequency: Vec<f64> = (0..count).map(|_| self.random.log(1.0, 0.49 * self.rate)).collect();
        let decay: Vec<f64> = (0..count).map(|_| self.random.log(1e-4, 1e5)).collect();
        let (least, most) = if self.extreme { (1e-6, 1e3) } else { (1e-4, 1.0) };
        let masses: Vec<f64> = (0..count).map(|_| self.random.log(least, most)).collect();
        let points = self.random.whole(1, 3);
        let mut softest = f64::INFINITY;
        let mut places = Vec::new();
        for point in 0..points {
            let gains: Vec<f64> = (0..count).map(|_| self.random.uniform(-2.0, 2.0)).collect();
            let compliance: f64 = gains.iter().zip(&masses).map(|(gain, mass)| gain * gain / mass).sum();
            softest = softest.min(1.0 / compliance);
            places.push((format!("p{point}"), Value::numbers(gains)));
        }
        let table = table.with("frequency", Value::numbers(frequency)).with("decay", Value::numbers(decay));
        let table = table.with("mass", Value::numbers(masses)).with("points", Value::Inline(places));
        self.add(table);
        self.push_body(id, Form::Modal(points), softest);
    }

    /// A barrier, still or moving, flat or with a profile.
    pub(super) fn barrier(&mut self) {
        let (id, table) = self.table("barrier");
        let (low, high) = ((self.height - 2.0 * self.span).max(-100.0), (self.height + 2.0 * self.span).min(100.0));
        let mut table = table.with("position", self.control(0.75, low, high));
        if self.random.chance(0.3) {
            let count = self.random.whole(2, 6);
            let profile: Vec<f64> = (0..count).map(|_| self.random.uniform(-0.5, 0.5) * self.span).collect();
            table = table.with("profile", Value::numbers(profile));
        }
        self.add(table);
        self.push_body(id, Form::Barrier, f64::INFINITY);
    }

    /// `of` and `at` of some place on a body.
    pub(super) fn place_fields(&mut self, of: usize) -> Fields {
        let mut fields = vec![("of".to_owned(), Value::Text(self.bodies[of].id.clone()))];
        let at = match self.bodies[of].form {
            Form::Mass | Form::Barrier => return fields,
            Form::Line if self.random.chance(0.05) => self.random.pick(&[0.0, 1.0]).into(),
            Form::Line => self.random.uniform(0.03, 0.97).into(),
            Form::Rectangle if self.random.chance(0.05) => [self.random.pick(&[0.0, 1.0]), 0.5].into(),
            Form::Rectangle => [self.random.uniform(0.03, 0.97), self.random.uniform(0.03, 0.97)].into(),
            Form::Disc => [self.random.uniform(0.2, 0.8), self.random.uniform(0.2, 0.8)].into(),
            Form::Modal(points) => Value::Text(format!("p{}", self.random.below(points))),
        };
        fields.push(("at".to_owned(), at));
        fields
    }

    /// The same for what may move, where there is a way.
    pub(super) fn path_fields(&mut self, of: usize) -> Fields {
        let moves = self.random.chance(0.3);
        let at = match self.bodies[of].form {
            Form::Line if moves => self.control(0.0, 0.0, 1.0),
            Form::Rectangle if moves => Value::List(vec![self.control(0.3, 0.0, 1.0), self.control(0.3, 0.0, 1.0)]),
            Form::Disc if moves => Value::List(vec![self.control(0.3, 0.2, 0.8), self.control(0.0, 0.2, 0.8)]),
            _ => return self.place_fields(of),
        };
        vec![("of".to_owned(), Value::Text(self.bodies[of].id.clone())), ("at".to_owned(), at)]
    }

    /// The index of a body that can be pushed.
    pub(super) fn movable(&mut self) -> Option<usize> {
        let movable: Vec<usize> =
            (0..self.bodies.len()).filter(|&body| self.bodies[body].form != Form::Barrier).collect();
        if movable.is_empty() { None } else { Some(self.random.pick(&movable)) }
    }
}
