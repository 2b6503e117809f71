//! Elasticity and losses of strings, bars, plates and membranes as numbers or by name, and dimensions or the pitch that they give.

use super::SceneGenerator;
use crate::harness::document::TomlTable;
use percuss_scene::materials;

/// Constants of a material; Poisson's ratio only of one with a name.
pub(super) struct Elasticity {
    /// \[kg/m³\].
    pub density: f64,
    /// Young's modulus \[Pa\].
    pub modulus: f64,
    pub poisson: Option<f64>,
}

impl SceneGenerator {
    /// Density and Young's modulus, which is 0 with the given probability, or a material.
    pub(super) fn with_elasticity(&mut self, table: TomlTable, flexible: f64) -> (TomlTable, Elasticity) {
        if self.random.chance(0.2) {
            let material = materials::all()[self.random.below(materials::all().len())];
            let elasticity = Elasticity {
                density: material.density,
                modulus: material.youngs_modulus,
                poisson: Some(material.poisson),
            };
            return (table.with("material", material.name), elasticity);
        }
        let density = if self.extreme { self.random.log(10.0, 3e4) } else { self.random.log(1e3, 9e3) };
        let modulus = self.random.log_or_zero(flexible, if self.extreme { 1e4 } else { 1e9 }, 2e12);
        let table = table.with("density", density).with("youngs_modulus", modulus);
        (table, Elasticity { density, modulus, poisson: None })
    }

    /// σ₀ and σ₁, or a decay time; returns σ₁.
    pub(super) fn with_damping(&mut self, table: TomlTable) -> (TomlTable, f64) {
        if self.random.chance(0.2) {
            let shortest = if self.extreme { 1e-3 } else { 0.05 };
            return (table.with("t60", self.random.log(shortest, 100.0)), 0.0);
        }
        let (most0, most1) = if self.extreme { (1e4, 10.0) } else { (100.0, 0.05) };
        let (sigma0, sigma1) = (self.random.log_or_zero(0.3, 1e-2, most0), self.random.log_or_zero(0.3, 1e-5, most1));
        (table.with("sigma0", sigma0).with("sigma1", sigma1), sigma1)
    }

    /// Sometimes replaces a dimension by the pitch that it gives, roughly; a grid follows from the dimension.
    pub(super) fn with_pitch(&mut self, table: TomlTable, dimensions: &[&str], frequency: f64) -> TomlTable {
        let dimension = dimensions.iter().find(|&&field| table.get(field).is_some());
        match dimension {
            Some(&dimension) if self.random.chance(0.15) && (1.0..0.4 * self.rate.min(5e4)).contains(&frequency) => {
                table.without(&[dimension, "grid"]).with("pitch", frequency)
            }
            _ => table,
        }
    }
}
