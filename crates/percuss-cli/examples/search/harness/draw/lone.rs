//! Impacts of lone masses: nothing acts on them but one contact at a time, so restitution has a meaning.

use super::{Body, Draw, Form};
use crate::harness::document::{Table, Value};

impl Draw {
    /// A mass against a barrier, between two barriers, or against another mass; a few such groups in one scene.
    pub(super) fn lone_impacts(&mut self) {
        let groups = self.random.whole(1, 3);
        for _ in 0..groups {
            match self.random.below(4) {
                0 | 1 => self.mass_on_barrier(),
                2 => self.mass_between_barriers(),
                _ => self.mass_on_mass(),
            }
        }
    }

    /// A free mass at a height with a velocity; returns its mass and its place in the list.
    fn free_mass(&mut self, position: f64, velocity: f64) -> usize {
        let (id, table) = self.table("mass");
        let mass = self.random.log(1e-6, 1e3);
        let table = table.with("mass", mass).with("position", position.clamp(-100.0, 100.0));
        self.push_grid(
            table.with("velocity", velocity),
            Body { id, form: Form::Mass, mass, cell: 0.0, size: [0.0; 2], density: 0.0 },
        );
        self.bodies.len() - 1
    }

    fn still_barrier(&mut self, position: f64) -> usize {
        let (id, table) = self.table("barrier");
        self.push_grid(
            table.with("position", position.clamp(-100.0, 100.0)),
            Body { id, form: Form::Barrier, mass: f64::INFINITY, cell: 0.0, size: [0.0; 2], density: 0.0 },
        );
        self.bodies.len() - 1
    }

    /// The contact of two bodies that approach each other; overlaps are shallow in terms of the motion.
    fn impact(&mut self, below: usize, above: usize, mass: f64) {
        let (_, table) = self.table("collision");
        let side = |body: &Body| Value::inline([("of", Value::Text(body.id.clone()))]);
        let (below, above) = (side(&self.bodies[below]), side(&self.bodies[above]));
        let exponent = self.exponent();
        let table: Table = table.with("below", below).with("above", above);
        let table = table.with("stiffness", self.stiffness(mass, exponent)).with("exponent", exponent);
        let loss = self.loss();
        self.add(if loss > 0.0 { table.with("loss", loss) } else { table });
    }

    fn mass_on_barrier(&mut self) {
        let up = self.random.sign();
        let distance = self.span * self.random.uniform(-0.1, 1.0);
        let mass = self.free_mass(self.height - up * distance, up * self.speed);
        let barrier = self.still_barrier(self.height);
        let (below, above) = if up > 0.0 { (mass, barrier) } else { (barrier, mass) };
        self.impact(below, above, self.bodies[mass].mass);
    }

    fn mass_between_barriers(&mut self) {
        let velocity = self.speed * self.random.sign();
        let mass = self.free_mass(self.height, velocity);
        let room = self.span * self.random.uniform(0.1, 1.0);
        let (floor, ceiling) = (self.still_barrier(self.height - room), self.still_barrier(self.height + room));
        let own = self.bodies[mass].mass;
        self.impact(floor, mass, own);
        self.impact(mass, ceiling, own);
    }

    fn mass_on_mass(&mut self) {
        let distance = self.span * self.random.uniform(-0.1, 1.0);
        let drift = self.speed * self.random.uniform(-3.0, 3.0);
        let share = self.random.unit();
        let below = self.free_mass(self.height, drift + share * self.speed);
        let above = self.free_mass(self.height + distance, drift - (1.0 - share) * self.speed);
        let mass = 1.0 / (1.0 / self.bodies[below].mass + 1.0 / self.bodies[above].mass);
        self.impact(below, above, mass);
    }
}
