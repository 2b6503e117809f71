//! Interactions of two points: collisions, connections, springs, dampers, felt and rolling balls.

use super::{BodyShape, SceneGenerator};
use crate::harness::document::{TomlTable, TomlValue};

impl SceneGenerator {
    /// Two different bodies, at least one of which can move; the first is below.
    fn body_pair(&mut self) -> Option<[usize; 2]> {
        if self.bodies.len() < 2 {
            return None;
        }
        let first = self.movable()?;
        let others: Vec<usize> = (0..self.bodies.len()).filter(|&body| body != first).collect();
        let second = self.random.pick(&others);
        let by_order = self.bodies[second].shape != BodyShape::Barrier && self.random.chance(0.9);
        let swap = if by_order { second < first } else { self.random.chance(0.5) };
        Some(if swap { [second, first] } else { [first, second] })
    }

    /// Reduced mass of two points \[kg\].
    fn reduced_mass(&self, [below, above]: [usize; 2]) -> f64 {
        1.0 / (1.0 / self.bodies[below].mass + 1.0 / self.bodies[above].mass)
    }

    fn with_points(&mut self, table: TomlTable, [below, above]: [usize; 2]) -> TomlTable {
        let below = TomlValue::Inline(self.point_fields(below));
        let above = TomlValue::Inline(self.point_fields(above));
        table.with("below", below).with("above", above)
    }

    /// A random interaction of two bodies.
    pub(super) fn interaction(&mut self) {
        let Some(body_pair) = self.body_pair() else { return };
        match self.random.below(11) {
            0..=4 => self.collision(body_pair),
            5 | 6 => self.connection(body_pair),
            7 | 8 => self.spring(body_pair),
            9 => self.damper(body_pair),
            _ => self.felt(body_pair),
        }
    }

    /// Angular frequency of a contact or spring \[1/s\].
    fn angular_frequency(&mut self) -> f64 {
        let fastest = if self.extreme { 1e5 } else { 30.0 };
        self.rate * self.random.log(1e-2, fastest)
    }

    /// Stiffness that reverses a mass at the typical speed at a random angular frequency, or any allowed value.
    pub(super) fn stiffness(&mut self, mass: f64, exponent: f64) -> f64 {
        if self.extreme && self.random.chance(0.5) {
            return if self.random.chance(0.1) { self.random.log(1e18, 1e20) } else { self.random.log(1.0, 1e18) };
        }
        let omega = self.angular_frequency();
        let depth = self.typical_speed / omega;
        (mass * omega * omega * depth.powf(1.0 - exponent)).clamp(1e-3, 1e20)
    }

    pub(super) fn exponent(&mut self) -> f64 {
        match self.random.below(4) {
            0 => 1.0,
            1 => 1.5,
            2 => self.random.uniform(1.0, 3.0),
            _ => self.random.log(1.0, 10.0),
        }
    }

    pub(super) fn loss(&mut self) -> f64 {
        if self.random.chance(0.4) {
            return 0.0;
        }
        if self.extreme {
            let max = if self.random.chance(0.05) { 1e4 } else { 1e2 };
            self.random.log(1e-4, max)
        } else {
            (self.random.log(1e-3, 3.0) / self.typical_speed).min(1e4)
        }
    }

    /// Adds a gap: mostly none, sometimes negative.
    fn gap(&mut self, table: TomlTable) -> TomlTable {
        if self.random.chance(0.6) {
            return table;
        }
        let gap = self.random.uniform(-0.5, 1.0) * self.typical_distance;
        table.with("gap", gap.clamp(-1.0, 1.0))
    }

    fn with_collision_law(&mut self, table: TomlTable, mass: f64) -> TomlTable {
        let exponent = self.exponent();
        let table = table.with("stiffness", self.stiffness(mass, exponent)).with("exponent", exponent);
        let loss = self.loss();
        let table = if loss > 0.0 { table.with("loss", loss) } else { table };
        self.gap(table)
    }

    fn collision(&mut self, body_pair: [usize; 2]) {
        let (_, table) = self.table("collision");
        let table = self.with_points(table, body_pair);
        let mass = self.reduced_mass(body_pair);
        let table = self.with_collision_law(table, mass);
        self.add(table);
    }

    fn connection(&mut self, body_pair: [usize; 2]) {
        let (_, table) = self.table("connection");
        let table = self.with_points(table, body_pair);
        let exponent = self.exponent();
        let stiffness = self.stiffness(self.reduced_mass(body_pair), exponent);
        let mut table = table.with("stiffness", stiffness).with("exponent", exponent);
        if self.random.chance(0.5) {
            table = table.with("play", self.random.log(1e-9, 1.0).min(self.typical_distance).min(1.0));
        }
        let table = self.gap(table);
        self.add(table);
    }

    fn spring(&mut self, body_pair: [usize; 2]) {
        let (_, mut table) = self.table("spring");
        table = self.with_points(table, body_pair);
        let mass = self.reduced_mass(body_pair);
        let kinds = self.random.whole(1, 7);
        if kinds & 1 != 0 {
            table = table.with("stiffness", (mass * self.angular_frequency().powi(2)).min(1e15));
        }
        if kinds & 2 != 0 {
            let cubic = mass * (self.angular_frequency() / self.typical_distance).powi(2);
            table = table.with("cubic", cubic.min(1e20));
        }
        if kinds & 4 != 0 {
            table = table.with("damping", (mass * self.angular_frequency()).min(1e9));
        }
        let table = self.gap(table);
        self.add(table);
    }

    fn damper(&mut self, body_pair: [usize; 2]) {
        let (_, table) = self.table("damper");
        let table = self.with_points(table, body_pair);
        let resistance = (self.reduced_mass(body_pair) * self.angular_frequency()).min(1e9);
        self.add(table.with("resistance", resistance));
    }

    fn felt(&mut self, body_pair: [usize; 2]) {
        let (_, table) = self.table("felt");
        let table = self.with_points(table, body_pair);
        let exponent = self.exponent();
        let stiffness = self.stiffness(self.reduced_mass(body_pair), exponent);
        let table = table.with("stiffness", stiffness).with("exponent", exponent);
        let table = table.with("restitution", self.random.log(0.1, 1.0));
        let table = self.gap(table);
        self.add(table);
    }

    /// A collision along a string or bar: with a barrier, with two barriers, or with another string.
    pub(super) fn distributed_collision(&mut self) {
        let lines: Vec<usize> =
            (0..self.bodies.len()).filter(|&body| self.bodies[body].shape == BodyShape::Line).collect();
        match lines[..] {
            [] => {}
            [first, second, ..] if self.random.chance(0.4) => self.collide_along(first, second),
            _ => {
                let line = self.random.pick(&lines);
                let twice = self.random.chance(0.4);
                self.barrier();
                self.collide_along(line, self.bodies.len() - 1);
                if twice {
                    self.barrier();
                    self.collide_along(self.bodies.len() - 1, line);
                }
            }
        }
    }

    /// A string or bar that lies along a line on a plate or membrane.
    pub(super) fn line_on_surface(&mut self) {
        let find = |is_wanted: fn(&BodyShape) -> bool| self.bodies.iter().position(|body| is_wanted(&body.shape));
        let line = find(|shape| *shape == BodyShape::Line);
        let surface = find(|shape| matches!(shape, BodyShape::Rectangle | BodyShape::Disc));
        let (Some(line), Some(surface)) = (line, surface) else { return };
        let [low, high] = if self.bodies[surface].shape == BodyShape::Disc { [0.2, 0.8] } else { [0.03, 0.97] };
        let mut end = || [self.random.uniform(low, high), self.random.uniform(low, high)];
        let [from, to] = [end(), end()];
        let id = |body: usize| TomlValue::Text(self.bodies[body].id.clone());
        let on_surface = TomlValue::inline([("of", id(surface)), ("from", from.into()), ("to", to.into())]);
        let sides = [on_surface, TomlValue::inline([("of", id(line))])];
        let [below, above] = if self.random.chance(0.7) { sides } else { [sides[1].clone(), sides[0].clone()] };
        let (_, table) = self.table("collision");
        let table = table.with("below", below).with("above", above).with("distributed", TomlValue::Flag(true));
        let mass = self.reduced_mass([line, surface]) / self.bodies[line].spacing;
        let table = self.with_collision_law(table, mass);
        self.add(table);
    }

    /// Air between two plates or membranes, or between one and a barrier.
    pub(super) fn cavity(&mut self) {
        let is_surface = |body: &usize| matches!(self.bodies[*body].shape, BodyShape::Rectangle | BodyShape::Disc);
        let surfaces: Vec<usize> = (0..self.bodies.len()).filter(is_surface).collect();
        let Some(&first) = surfaces.first() else { return };
        let second = match surfaces.get(1) {
            Some(&second) if self.random.chance(0.7) => second,
            _ => {
                self.barrier();
                self.bodies.len() - 1
            }
        };
        let [below, above] = if self.random.chance(0.5) { [first, second] } else { [second, first] };
        let (_, table) = self.table("cavity");
        let id = |body: usize| TomlValue::Text(self.bodies[body].id.clone());
        let mut table = table.with("below", id(below)).with("above", id(above));
        table = if self.random.chance(0.5) {
            table.with("depth", if self.extreme { self.random.log(1e-4, 10.0) } else { self.random.log(0.02, 1.0) })
        } else {
            let area = self.bodies[first].size[0] * self.bodies[first].size[1];
            let volume = if self.extreme { self.random.log(1e-9, 1e3) } else { area * self.random.log(0.02, 1.0) };
            table.with("volume", volume.clamp(1e-9, 1e3))
        };
        if self.extreme && self.random.chance(0.5) {
            table = table.with("density", self.random.log(0.01, 1e4));
            table = table.with("speed_of_sound", self.random.log(1.0, 1e4));
        }
        self.add(table);
    }

    fn collide_along(&mut self, below: usize, above: usize) {
        let (_, table) = self.table("collision");
        let (of, over) = (self.bodies[below].id.clone(), self.bodies[above].id.clone());
        let table = table.with("below", TomlValue::inline([("of", TomlValue::Text(of))]));
        let table = table.with("above", TomlValue::inline([("of", TomlValue::Text(over))]));
        let table = table.with("distributed", TomlValue::Flag(true));
        let spacing = self.bodies[below].spacing.max(self.bodies[above].spacing);
        let mass = self.reduced_mass([below, above]) / spacing;
        let table = self.with_collision_law(table, mass);
        self.add(table);
    }

    /// A ball that rolls on a body.
    pub(super) fn roll(&mut self) {
        let Some(on) = self.movable() else { return };
        self.mass();
        let ball = self.bodies.len() - 1;
        let (_, table) = self.table("roll");
        let place = TomlValue::Inline(self.point_fields(on));
        let mut table = table.with("ball", self.bodies[ball].id.clone().as_str()).with("on", place);
        table = table.with("radius", self.random.log(1e-3, 1.0));
        // The surface has 32 points per correlation length, which is proportional to the distance.
        let speed = self.random.log(1e-2, 10.0);
        table = table.with("speed", self.control(0.7, 0.0, speed));
        let length = (speed * self.duration() * self.random.log(0.01, 1.0)).clamp(1e-6, 100.0);
        table = table.with("roughness", self.random.log(1e-8, 1e-3).min(length)).with("correlation_length", length);
        if self.random.chance(0.4) {
            table = table.with("asymmetry", self.random.unit());
        }
        table = table.with("seed", self.random.below(1000) as f64);
        let mass = self.reduced_mass([ball, on]);
        let table = self.with_collision_law(table, mass);
        self.add(table);
    }
}
