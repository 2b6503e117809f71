//! Strings and bars. The number of intervals is chosen first, and the length follows from the smallest stable spacing.
//!
//! Stability   h² ≥ ½[b + √(b² + 16κ²k²)], b = c²k² + 4σ₁k

use super::materials::Elasticity;
use super::{BodyShape, GeneratedBody, SceneGenerator};
use crate::harness::document::{TomlTable, TomlValue};

const ENDS: [&str; 3] = ["simply-supported", "clamped", "free"];

/// Linear density ρA \[kg/m\], T/ρA, EI/ρA and σ₁, which determine the spacing.
struct LineConstants {
    linear_density: f64,
    c2: f64,
    kappa2: f64,
    sigma1: f64,
}

impl SceneGenerator {
    /// A string or a bar.
    pub(super) fn line(&mut self) {
        let is_string = self.random.chance(0.7);
        let (id, table) = self.table(if is_string { "string" } else { "bar" });
        let intervals = self.random.log(4.0, 24.9) as usize;
        for _ in 0..30 {
            let (drawn, material) = if is_string { self.string(table.clone()) } else { self.bar(table.clone()) };
            let min = material.min_spacing(1.0 / self.rate);
            let wanted = intervals as f64 * min * (1.0 + self.random.log(1e-9, 0.5));
            if wanted > 100.0 {
                continue;
            }
            let length = if min > 0.0 { wanted.max(1e-3) } else { self.random.log(1e-3, 1.0) };
            let mut drawn = drawn.with("length", length);
            if length != wanted || self.random.chance(0.6) {
                drawn = drawn.with("grid", intervals as f64);
            }
            let drawn = self.with_initial_state(drawn);
            let drawn = if is_string { drawn } else { self.with_profile(drawn) };
            let drawn = self.with_pitch(drawn, &["tension", "length"], material.first_partial(length));
            let spacing = length / intervals as f64;
            let mass = material.linear_density * spacing;
            let has_two = is_string && self.random.chance(0.15);
            let drawn = if has_two { drawn.with("polarisations", 2.0) } else { drawn };
            let sideways = format!("{id}-sideways");
            self.push_grid(drawn, GeneratedBody::new(id, BodyShape::Line, mass, spacing));
            if has_two {
                self.bodies.push(GeneratedBody::new(sideways, BodyShape::Line, mass, spacing));
            }
            return;
        }
        self.mass();
    }

    fn string(&mut self, table: TomlTable) -> (TomlTable, LineConstants) {
        let radius = if self.extreme { self.random.log(1e-6, 0.05) } else { self.random.log(1e-4, 2e-3) };
        let max = if self.extreme { 1e5 } else { 1e3 };
        let tension = self.random.log_or_zero(0.05, 0.1, max);
        let (table, Elasticity { density, modulus, .. }) = self.with_elasticity(table, 0.2);
        let (table, sigma1) = self.with_damping(table);
        let area = std::f64::consts::PI * radius * radius;
        let linear_density = density * area;
        let table = table.with("radius", radius).with("tension", tension);
        let kappa2 = modulus * radius * radius / (4.0 * density);
        (table, LineConstants { linear_density, c2: tension / linear_density, kappa2, sigma1 })
    }

    fn bar(&mut self, table: TomlTable) -> (TomlTable, LineConstants) {
        let width = if self.extreme { self.random.log(1e-4, 10.0) } else { self.random.log(5e-3, 0.1) };
        let thickness = if self.extreme { self.random.log(1e-5, 0.5) } else { self.random.log(1e-3, 2e-2) };
        let (table, Elasticity { density, modulus, .. }) = self.with_elasticity(table, 0.0);
        let (table, sigma1) = self.with_damping(table);
        let table = table.with("width", width).with("thickness", thickness);
        let kappa2 = modulus * thickness * thickness / (12.0 * density);
        (table, LineConstants { linear_density: density * width * thickness, c2: 0.0, kappa2, sigma1 })
    }

    /// Undercuts or a profile of a quarter of the bars. Those with a grid are rejected, so that few have one.
    fn with_profile(&mut self, table: TomlTable) -> TomlTable {
        if !self.random.chance(0.25) {
            return table;
        }
        let table = if self.random.chance(0.95) { table.without(&["grid", "method"]) } else { table };
        if self.random.chance(0.6) {
            let count = self.random.whole(1, 3);
            let deepest = if self.extreme { 0.99 } else { 0.8 };
            let undercuts = (0..count).map(|_| self.undercut(deepest / count as f64)).collect();
            return table.with("undercut", TomlValue::List(undercuts));
        }
        let count = self.random.whole(2, 6);
        let thinnest = if self.extreme { 0.01 } else { 0.2 };
        let at: Vec<f64> = (0..count).map(|n| n as f64 / (count - 1) as f64).collect();
        let ratio: Vec<f64> =
            at.iter().map(|_| self.random.log(thinnest, if self.extreme { 10.0 } else { 2.0 })).collect();
        // A step at a place between the ends.
        let (mut at, mut ratio) = (at, ratio);
        if count > 2 && self.random.chance(0.5) {
            let place = self.random.whole(1, count - 2);
            at.insert(place, at[place]);
            ratio.insert(place, self.random.log(thinnest, 2.0));
        }
        table.with("profile", TomlValue::inline([("at", TomlValue::numbers(at)), ("ratio", TomlValue::numbers(ratio))]))
    }

    fn undercut(&mut self, deepest: f64) -> TomlValue {
        let depth = ("depth", self.random.uniform(0.0, deepest).into());
        let width = ("width", self.random.log(0.02, 4.0).into());
        if self.random.chance(0.4) {
            return TomlValue::inline([depth, width]);
        }
        TomlValue::inline([("at", self.random.uniform(0.0, 1.0).into()), depth, width])
    }

    /// Ends, method, initial displacement and velocity.
    fn with_initial_state(&mut self, mut table: TomlTable) -> TomlTable {
        if self.random.chance(0.5) {
            table = table.with("method", self.random.pick(&["grid", "modes"]));
        }
        let mut is_held = true;
        if self.random.chance(0.7) {
            let ends = [self.random.pick(&ENDS), self.random.pick(&ENDS)];
            is_held = !ends.contains(&"free");
            table = table.with("ends", TomlValue::List(ends.map(TomlValue::from).to_vec()));
        }
        // Others are rejected, so that few have it.
        if self.random.chance(if is_held { 0.3 } else { 0.01 }) {
            table = table.with("nonlinear", "tension");
        }
        if self.random.chance(0.6) {
            let height = self.random.uniform(-2.0, 2.0) * self.typical_distance;
            table = table.with("displacement", self.shape(height.clamp(-100.0, 100.0)));
        }
        if self.random.chance(0.4) {
            let height = self.random.uniform(-1.5, 1.5) * self.typical_speed;
            table = table.with("velocity", self.shape(height));
        }
        table
    }

    fn shape(&mut self, height: f64) -> TomlValue {
        let at = ("at", self.random.uniform(0.05, 0.95).into());
        if self.random.chance(0.5) {
            return TomlValue::inline([at, ("height", height.into())]);
        }
        let width = self.random.log(0.05, 2.0).into();
        TomlValue::inline([("shape", "raised-cosine".into()), at, ("width", width), ("height", height.into())])
    }
}

impl LineConstants {
    /// Frequency of the first partial between supported ends \[Hz\].
    fn first_partial(&self, length: f64) -> f64 {
        let beta = std::f64::consts::PI / length;
        beta * (self.c2 + self.kappa2 * beta * beta).sqrt() / std::f64::consts::TAU
    }

    fn min_spacing(&self, k: f64) -> f64 {
        let b = self.c2 * k * k + 4.0 * self.sigma1 * k;
        (0.5 * (b + (b * b + 16.0 * self.kappa2 * k * k).sqrt())).sqrt()
    }
}
