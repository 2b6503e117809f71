//! Plates and membranes, rectangles and discs. The numbers of intervals are chosen first, and the sides follow from the smallest
//! stable spacing.
//!
//! Stability   h² ≥ b + √(b² + 16κ²k²), b = c²k² + 4σ₁k

use super::materials::Elasticity;
use super::{BodyShape, GeneratedBody, SceneGenerator};
use crate::harness::document::{TomlTable, TomlValue};

const EDGES: [&str; 4] = ["simply-supported", "clamped", "free", "free-full-cell"];

/// Surface density \[kg/m²\], T/ρH, D/ρH and σ₁.
struct SurfaceConstants {
    density: f64,
    c2: f64,
    kappa2: f64,
    sigma1: f64,
}

impl SceneGenerator {
    /// A plate or a membrane.
    pub(super) fn surface(&mut self) {
        let is_plate = self.random.chance(0.6);
        let is_disc = self.random.chance(0.3);
        let (id, table) = self.table(if is_plate { "plate" } else { "membrane" });
        // Long rows take other code paths; rows of 23, 31, 39 and 47 intervals have revealed errors before.
        let longest = if self.random.chance(0.15) { 49.9 } else { 14.9 };
        let across = self.random.log(if is_disc { 6.0 } else { 4.0 }, longest) as usize;
        let up = if is_disc { across } else { self.random.log(4.0, 12.9) as usize };
        for _ in 0..30 {
            let (drawn, material) = if is_plate { self.plate(table.clone()) } else { self.membrane(table.clone()) };
            let spacing = material.min_spacing(1.0 / self.rate) * (1.002 + self.random.log(1e-9, 0.2));
            let size = [across as f64 * spacing, up as f64 * spacing];
            if size.iter().any(|side| !(1e-3..=100.0).contains(side)) {
                continue;
            }
            let (drawn, is_held) = self.outline(drawn, is_plate, is_disc, size, [across, up]);
            let drawn = if is_plate { drawn } else { self.with_tension_modulation(drawn, is_held) };
            let drawn =
                if self.random.chance(0.2) { self.with_patches(drawn, is_disc, size, material.density) } else { drawn };
            let dimension = if is_plate { "thickness" } else { "tension" };
            let drawn = self.with_pitch(drawn, &[dimension], material.first_partial(size));
            let has_passive_touches = self.random.chance(0.8);
            let drawn = if has_passive_touches { drawn } else { drawn.with("touch_law", "absolute") };
            let shape = if is_disc { BodyShape::Disc } else { BodyShape::Rectangle };
            let mass = 0.25 * material.density * spacing * spacing;
            let density = material.density;
            self.push_grid(drawn, GeneratedBody { id, shape, mass, spacing, size, density, has_passive_touches });
            return;
        }
        self.line();
    }

    fn outline(
        &mut self,
        table: TomlTable,
        is_plate: bool,
        is_disc: bool,
        size: [f64; 2],
        grid: [usize; 2],
    ) -> (TomlTable, bool) {
        let mut is_held = true;
        let mut table = if is_disc { table.with("diameter", size[0]) } else { table.with("size", size) };
        if self.random.chance(0.6) {
            let grid = grid.map(|n| n as f64);
            table = if is_disc { table.with("grid", grid[0]) } else { table.with("grid", grid) };
        }
        if is_disc {
            let rims: &[&str] = if is_plate || self.random.chance(0.5) { &["free", "clamped"] } else { &[] };
            if !rims.is_empty() {
                let rim = self.random.pick(rims);
                is_held = rim != "free";
                table = table.with("edges", rim);
            }
        } else {
            let choices = if !is_plate && self.random.chance(0.5) { &EDGES[..2] } else { &EDGES[..] };
            let count = if self.random.chance(0.6) { 4 } else { 1 };
            let edges: Vec<&str> = (0..count).map(|_| self.random.pick(choices)).collect();
            is_held = edges.iter().all(|edge| EDGES[..2].contains(edge));
            table = table.with(
                "edges",
                match edges[..] {
                    [all] => all.into(),
                    _ => TomlValue::List(edges.into_iter().map(TomlValue::from).collect()),
                },
            );
        }
        if self.random.chance(0.5) {
            table = table.with("control_interval", self.random.log(1.0, 300.0).floor());
        }
        (table, is_held)
    }

    /// A tension that rises with the area. Membranes that are not held are rejected, so that few have it.
    fn with_tension_modulation(&mut self, table: TomlTable, is_held: bool) -> TomlTable {
        if !self.random.chance(if is_held { 0.5 } else { 0.02 }) {
            return table;
        }
        let has_modulus = table.get("youngs_modulus").is_some();
        let table = table.with("nonlinear", "tension");
        if has_modulus && self.random.chance(0.7) {
            return table;
        }
        let (low, high) = if self.extreme { (1e4, 2e12) } else { (1e6, 1e11) };
        table.with("stretching_modulus", self.random.log(low, high))
    }

    /// One to three patches, on discs mostly around the centre.
    fn with_patches(&mut self, table: TomlTable, is_disc: bool, size: [f64; 2], density: f64) -> TomlTable {
        let is_concentric = is_disc && self.random.chance(0.7);
        let count = self.random.whole(1, 3);
        let patch = |_| {
            let centre = if is_concentric { [0.5; 2] } else { [(); 2].map(|()| self.random.uniform(0.2, 0.8)) };
            let away = [0, 1].map(|axis| ((centre[axis] - 0.5) * size[axis]).abs());
            let largest = if is_disc {
                0.5 * size[0] - away[0].hypot(away[1])
            } else {
                (0.5 * size[0] - away[0]).min(0.5 * size[1] - away[1])
            };
            let load = if self.extreme { self.random.log(1e-6, 1e3) } else { self.random.log(0.1, 20.0) };
            TomlValue::inline([
                ("centre", centre.into()),
                ("radius", (largest * self.random.uniform(0.1, 1.0)).into()),
                ("surface_density", (load * density).min(1e4).into()),
            ])
        };
        table.with("patch", TomlValue::List((0..count).map(patch).collect()))
    }

    fn plate(&mut self, table: TomlTable) -> (TomlTable, SurfaceConstants) {
        let thickness = if self.extreme { self.random.log(1e-6, 0.05) } else { self.random.log(3e-4, 1e-2) };
        let (table, Elasticity { density, modulus, poisson }) = self.with_elasticity(table, 0.0);
        let drawn = self.random.uniform(0.0, 0.499);
        let table = if poisson.is_none() { table.with("poisson", drawn) } else { table };
        let poisson = poisson.unwrap_or(drawn);
        let tension = self.random.log_or_zero(0.6, 1.0, if self.extreme { 1e6 } else { 1e4 });
        let (table, sigma1) = self.with_damping(table);
        let table = table.with("thickness", thickness).with("tension", tension);
        let kappa2 = modulus * thickness * thickness / (12.0 * density * (1.0 - poisson * poisson));
        let density = density * thickness;
        (table, SurfaceConstants { density, c2: tension / density, kappa2, sigma1 })
    }

    fn membrane(&mut self, table: TomlTable) -> (TomlTable, SurfaceConstants) {
        let density = if self.extreme { self.random.log(1e-3, 1e3) } else { self.random.log(0.05, 5.0) };
        let tension = if self.extreme { self.random.log(1e-2, 1e6) } else { self.random.log(10.0, 1e4) };
        let (table, sigma1) = self.with_damping(table);
        let mut table = table.with("surface_density", density).with("tension", tension);
        let mut kappa2 = 0.0;
        if self.random.chance(0.4) {
            let thickness = self.random.log(1e-5, 1e-2);
            let modulus = self.random.log(if self.extreme { 1e4 } else { 1e8 }, 2e12);
            table = table.with("thickness", thickness).with("youngs_modulus", modulus);
            // Poisson's ratio of a membrane is 0.3.
            kappa2 = modulus * thickness.powi(3) / (12.0 * density * 0.91);
        }
        (table, SurfaceConstants { density, c2: tension / density, kappa2, sigma1 })
    }
}

impl SurfaceConstants {
    /// Frequency of the first partial between supported edges \[Hz\].
    fn first_partial(&self, size: [f64; 2]) -> f64 {
        let square: f64 = size.iter().map(|side| (std::f64::consts::PI / side).powi(2)).sum();
        (square * (self.c2 + self.kappa2 * square)).sqrt() / std::f64::consts::TAU
    }

    fn min_spacing(&self, k: f64) -> f64 {
        let b = self.c2 * k * k + 4.0 * self.sigma1 * k;
        (b + (b * b + 16.0 * self.kappa2 * k * k).sqrt()).sqrt()
    }
}
