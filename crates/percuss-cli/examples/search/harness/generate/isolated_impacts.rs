//! Impacts of isolated masses: only one contact at a time acts on them, so that restitution is defined.

use super::{BodyShape, GeneratedBody, SceneGenerator};
use crate::harness::document::{TomlTable, TomlValue};

impl SceneGenerator {
    /// Groups of a mass and a barrier, a mass between two barriers, or two masses.
    pub(super) fn isolated_impacts(&mut self) {
        let groups = self.random.whole(1, 3);
        for _ in 0..groups {
            match self.random.below(4) {
                0 | 1 => self.mass_on_barrier(),
                2 => self.mass_between_barriers(),
                _ => self.mass_on_mass(),
            }
        }
    }

    /// A free mass with a position and velocity; returns its index.
    fn free_mass(&mut self, position: f64, velocity: f64) -> usize {
        let (id, table) = self.table("mass");
        let mass = self.random.log(1e-6, 1e3);
        let table = table.with("mass", mass).with("position", position.clamp(-100.0, 100.0));
        self.push_grid(table.with("velocity", velocity), GeneratedBody::new(id, BodyShape::Mass, mass, 0.0));
        self.bodies.len() - 1
    }

    fn fixed_barrier(&mut self, position: f64) -> usize {
        let (id, table) = self.table("barrier");
        let table = table.with("position", position.clamp(-100.0, 100.0));
        self.push_grid(table, GeneratedBody::new(id, BodyShape::Barrier, f64::INFINITY, 0.0));
        self.bodies.len() - 1
    }

    /// The collision of two bodies that approach each other.
    fn impact(&mut self, below: usize, above: usize, mass: f64) {
        let (_, table) = self.table("collision");
        let side = |body: &GeneratedBody| TomlValue::inline([("of", TomlValue::Text(body.id.clone()))]);
        let (below, above) = (side(&self.bodies[below]), side(&self.bodies[above]));
        let exponent = self.exponent();
        let table: TomlTable = table.with("below", below).with("above", above);
        let table = table.with("stiffness", self.stiffness(mass, exponent)).with("exponent", exponent);
        let loss = self.loss();
        self.add(if loss > 0.0 { table.with("loss", loss) } else { table });
    }

    fn mass_on_barrier(&mut self) {
        let up = self.random.sign();
        let distance = self.typical_distance * self.random.uniform(-0.1, 1.0);
        let mass = self.free_mass(self.base_height - up * distance, up * self.typical_speed);
        let barrier = self.fixed_barrier(self.base_height);
        let (below, above) = if up > 0.0 { (mass, barrier) } else { (barrier, mass) };
        self.impact(below, above, self.bodies[mass].mass);
    }

    fn mass_between_barriers(&mut self) {
        let velocity = self.typical_speed * self.random.sign();
        let mass = self.free_mass(self.base_height, velocity);
        let distance = self.typical_distance * self.random.uniform(0.1, 1.0);
        let (floor, ceiling) =
            (self.fixed_barrier(self.base_height - distance), self.fixed_barrier(self.base_height + distance));
        let mass_value = self.bodies[mass].mass;
        self.impact(floor, mass, mass_value);
        self.impact(mass, ceiling, mass_value);
    }

    fn mass_on_mass(&mut self) {
        let distance = self.typical_distance * self.random.uniform(-0.1, 1.0);
        let drift = self.typical_speed * self.random.uniform(-3.0, 3.0);
        let share = self.random.unit();
        let below = self.free_mass(self.base_height, drift + share * self.typical_speed);
        let above = self.free_mass(self.base_height + distance, drift - (1.0 - share) * self.typical_speed);
        let mass = 1.0 / (1.0 / self.bodies[below].mass + 1.0 / self.bodies[above].mass);
        self.impact(below, above, mass);
    }
}
