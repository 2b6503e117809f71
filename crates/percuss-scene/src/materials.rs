//! Materials by name: `material = "bronze"` gives an element the density, the elastic constants and the losses of bronze.
//!
//! Values are rounded and at room temperature. Alloys and woods differ by a tenth from piece to piece, loss factors by a factor of two
//! or more. Wood is that along the grain at 12 % moisture: its density is 1.12 times the specific gravity of the tables. A plate of wood
//! is taken to be as stiff across the grain as along it.

use crate::diagnostic::closest_match;
use crate::table_reader::TableReader;

/// A material.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Material {
    /// Name in a scene.
    pub name: &'static str,
    /// What it is, precisely.
    pub description: &'static str,
    /// Density ρ \[kg/m³\].
    pub density: f64,
    /// Young's modulus E \[Pa\].
    pub youngs_modulus: f64,
    /// Poisson's ratio ν.
    pub poisson: f64,
    /// Loss factor η of bending: 1/Q, the share of the energy lost per radian.
    pub loss_factor: f64,
    /// Where the values are from.
    pub source: &'static str,
}

macro_rules! materials {
    ($($name:literal, $description:literal: $density:literal, $modulus:literal, $poisson:literal, $loss:literal, $source:expr;)*) => {
        &[$(Material {
            name: $name,
            description: $description,
            density: $density,
            youngs_modulus: $modulus,
            poisson: $poisson,
            loss_factor: $loss,
            source: $source,
        }),*]
    };
}

const METAL: &str = "Kaye and Laby (1995), elasticities; η: Cremer, Heckl and Petersson (2005)";
const WOOD: &str = "Wood Handbook (USDA, 2010), tables 5-2 and 5-3; η: Wegst (2006)";
const POLYMER: &str = "Ashby (2011), appendix A";

/// All materials, in the order in which they are listed.
pub fn all() -> &'static [Material] {
    // name, description: ρ, E, ν, η, source
    materials! {
        "steel", "carbon steel, music wire": 7850.0, 2.1e11, 0.29, 2e-4, METAL;
        "brass", "70 % copper, 30 % zinc": 8500.0, 1.0e11, 0.35, 5e-4, METAL;
        "bronze", "bell metal, 80 % copper, 20 % tin": 8640.0, 1.1e11, 0.34, 5e-4,
            "Copper Development Association, alloy C91300; ν and η estimated from copper alloys";
        "copper", "pure": 8930.0, 1.3e11, 0.34, 2e-3, METAL;
        "aluminium", "pure, and within a few per cent its alloys": 2700.0, 7.0e10, 0.34, 1e-4, METAL;
        "glass", "crown or window glass": 2500.0, 7.1e10, 0.22, 1e-3, METAL;
        "spruce", "Sitka spruce": 450.0, 1.08e10, 0.37, 8e-3, WOOD;
        "cedar", "Western redcedar": 360.0, 7.7e9, 0.38, 8e-3, WOOD;
        "maple", "sugar maple": 710.0, 1.26e10, 0.42, 1e-2, WOOD;
        "rosewood", "Brazilian rosewood": 900.0, 1.3e10, 0.37, 6e-3,
            "Wood Handbook (USDA, 2010), table 5-5; η: Wegst (2006); ν estimated";
        "nylon", "polyamide, as in strings": 1130.0, 3.0e9, 0.4, 2e-2,
            "Ashby (2011), appendix A; η of bent strings: Woodhouse (2004); ν estimated";
        "gut", "twisted gut, as in strings": 1300.0, 5.5e9, 0.4, 2e-2,
            "Lynch-Aird and Woodhouse (2018); ν and η estimated, η as for nylon";
        "mylar", "polyester film, as in drum heads": 1390.0, 4.9e9, 0.38, 1e-2,
            "DuPont Teijin Films, data sheet of Mylar A; η estimated";
        "skin", "dried hide, as in drum heads": 1000.0, 5.0e8, 0.4, 5e-2,
            "Ashby (2011), appendix A, leather, upper values; ν and η estimated";
        "acrylic", "PMMA": 1190.0, 3.0e9, 0.4, 3e-2,
            "Ashby (2011), appendix A; η: Cremer, Heckl and Petersson (2005), Plexiglas";
        "rubber", "natural rubber": 930.0, 2.0e6, 0.499, 1e-1, POLYMER;
    }
}

/// The field `material` of a table.
pub(crate) fn read(table: &TableReader<'_>) -> Option<&'static Material> {
    let name = table.string("material")?;
    let found = all().iter().find(|material| material.name == name);
    if found.is_none() {
        let names = || all().iter().map(|material| material.name);
        let hint = closest_match(name, names()).map_or_else(
            || format!("known materials: {}", names().collect::<Vec<_>>().join(", ")),
            |name| format!("did you mean \"{name}\"? `percuss materials` lists all"),
        );
        table.report("material", format!("{}.material is \"{name}\", which is not known", table.kind), Some(hint));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::{DENSITY_LIMITS, MODULUS_LIMITS};
    use crate::plates::POISSON_LIMITS;

    #[test]
    fn materials_are_within_the_limits_of_their_fields() {
        for (index, material) in all().iter().enumerate() {
            let Material { name, density, youngs_modulus, poisson, loss_factor, .. } = *material;
            assert!(DENSITY_LIMITS.contains(density), "{name}");
            assert!(MODULUS_LIMITS.contains(youngs_modulus), "{name}");
            assert!(POISSON_LIMITS.contains(poisson), "{name}");
            assert!((1e-5..=1.0).contains(&loss_factor), "{name}");
            assert!(!material.source.is_empty() && !material.description.is_empty());
            assert!(all()[..index].iter().all(|other| other.name != name), "{name} occurs twice");
        }
    }

    /// Sound is fastest in what is stiff and light: about 5 km/s in steel, aluminium, glass and along the grain of spruce.
    #[test]
    fn longitudinal_waves_have_the_known_speeds() {
        for (name, speed) in [
            ("steel", 5170.0),
            ("aluminium", 5090.0),
            ("brass", 3430.0),
            ("glass", 5330.0),
            ("spruce", 4900.0),
            ("maple", 4210.0),
            ("rubber", 46.0),
        ] {
            let material = all().iter().find(|material| material.name == name).unwrap();
            let found = (material.youngs_modulus / material.density).sqrt();
            assert!((found / speed - 1.0_f64).abs() < 0.02, "{name}: {found} m/s");
        }
    }
}
