//! `material` in strings, bars, plates and membranes.

use percuss::{Bar, Element, Plate, StiffString};
use percuss_scene::materials::{self, Material};
use percuss_scene::parse;
use std::f64::consts::TAU;

/// A table of a kind with fields, as the first element of a scene.
fn element(kind: &str, fields: &str) -> Element {
    let scene = parse(&format!("[[{kind}]]\nid = \"it\"\n{fields}\n"), "test.toml");
    scene.unwrap_or_else(|errors| panic!("{}", errors[0])).model.elements()[0].clone()
}

fn string(fields: &str) -> StiffString {
    match element("string", &format!("length = 0.7\nradius = 0.4e-3\ntension = 80\n{fields}")) {
        Element::String(string) => string,
        other => panic!("{other:?}"),
    }
}

fn bar(fields: &str) -> Bar {
    match element("bar", &format!("length = 0.3\nwidth = 0.03\nthickness = 5e-3\n{fields}")) {
        Element::Bar(bar) => bar,
        other => panic!("{other:?}"),
    }
}

fn plate(kind: &str, fields: &str) -> Plate {
    match element(kind, &format!("size = [0.3, 0.2]\n{fields}")) {
        Element::Plate(plate) => plate,
        other => panic!("{other:?}"),
    }
}

fn material(name: &str) -> &'static Material {
    materials::all().iter().find(|material| material.name == name).unwrap()
}

#[test]
fn material_fills_what_the_table_leaves_out() {
    for material in materials::all() {
        let named = format!("material = \"{}\"", material.name);
        let (string, bar) = (string(&named), bar(&named));
        let expected = (material.density, material.youngs_modulus);
        assert_eq!((string.density, string.youngs_modulus), expected);
        assert_eq!((bar.density, bar.youngs_modulus), expected);
        let plate = plate("plate", &format!("thickness = 1e-3\n{named}"));
        assert_eq!((plate.density, plate.youngs_modulus), expected);
        assert_eq!(plate.poisson, material.poisson);
        assert_eq!((string.sigma0, bar.sigma0, plate.sigma0), (1.0, 1.0, 1.0));
    }
}

#[test]
fn fields_of_the_table_win() {
    let bronze = "material = \"bronze\"\ndensity = 9000\nyoungs_modulus = 9e10\nsigma0 = 3\nsigma1 = 0.25";
    let (string, bar) = (string(bronze), bar(bronze));
    assert_eq!((string.density, string.youngs_modulus, string.sigma0, string.sigma1), (9000.0, 9e10, 3.0, 0.25));
    assert_eq!((bar.density, bar.youngs_modulus, bar.sigma0, bar.sigma1), (9000.0, 9e10, 3.0, 0.25));
    let plate = plate("plate", &format!("thickness = 1e-3\npoisson = 0.1\n{bronze}"));
    assert_eq!((plate.density, plate.poisson, plate.sigma1), (9000.0, 0.1, 0.25));
    assert_eq!(string_without_stiffness().youngs_modulus, 0.0);
}

fn string_without_stiffness() -> StiffString {
    string("material = \"nylon\"\nyoungs_modulus = 0")
}

/// A bar or plate without tension has κβ² = ω, so σ₁β² = ½ηω at every frequency.
#[test]
fn bars_and_plates_have_the_loss_factor_of_their_material_at_all_frequencies() {
    let spruce = material("spruce");
    let bar = bar("material = \"spruce\"");
    let plate = plate("plate", "thickness = 3e-3\nmaterial = \"spruce\"");
    let kappa = |thickness: f64, poisson: f64| {
        thickness * (spruce.youngs_modulus / (12.0 * spruce.density * (1.0 - poisson * poisson))).sqrt()
    };
    for (sigma1, kappa) in [(bar.sigma1, kappa(5e-3, 0.0)), (plate.sigma1, kappa(3e-3, spruce.poisson))] {
        for frequency in [100.0, 1000.0, 8000.0] {
            let omega = TAU * frequency;
            let loss_factor = 2.0 * sigma1 * (omega / kappa) / omega;
            assert!((loss_factor / spruce.loss_factor - 1.0).abs() < 1e-12, "{loss_factor} at {frequency} Hz");
        }
    }
}

/// Tension stores energy without loss: a string of the same material decays more slowly than a bar.
#[test]
fn strings_lose_by_bending_only() {
    let omega = TAU * 1000.0;
    for name in ["steel", "nylon", "gut"] {
        let string = string(&format!("material = \"{name}\""));
        let loss = material(name).loss_factor;
        let c2 = string.tension / (string.density * std::f64::consts::PI * string.radius.powi(2));
        let loss_of_string = 2.0 * string.sigma1 * (omega * omega / c2) / omega;
        assert!(loss_of_string > 0.0 && loss_of_string < 0.1 * loss, "{name}: {loss_of_string} of {loss}");
    }
}

#[test]
fn membrane_is_a_film_of_its_material_without_bending_stiffness() {
    let mylar = plate("membrane", "tension = 2000\nthickness = 0.25e-3\nmaterial = \"mylar\"");
    assert_eq!((mylar.density, mylar.thickness, mylar.youngs_modulus), (1390.0, 0.25e-3, 0.0));
    let heavy = plate("membrane", "tension = 2000\nsurface_density = 2\nmaterial = \"mylar\"\nyoungs_modulus = 4e9");
    assert_eq!((heavy.density * heavy.thickness, heavy.youngs_modulus), (2.0, 4e9));
    let skin = plate("membrane", "tension = 2000\nthickness = 0.25e-3\nmaterial = \"skin\"");
    assert!(skin.sigma1 > 3.0 * mylar.sigma1, "{} and {}", skin.sigma1, mylar.sigma1);
}

#[test]
fn unknown_material_is_an_error_with_the_nearest_name() {
    let error = |name: &str| {
        let text = format!("[[bar]]\nid = \"it\"\nlength = 1\nwidth = 0.1\nthickness = 1e-2\nmaterial = {name}\n");
        parse(&text, "test.toml").unwrap_err()[0].to_string()
    };
    assert_eq!(
        error("\"Bronce\""),
        "error: test.toml:6:12: bar.material is \"Bronce\", which is not known\n  \
         hint: did you mean \"bronze\"? `percuss materials` lists all"
    );
    assert_eq!(
        error("\"plutonium\""),
        "error: test.toml:6:12: bar.material is \"plutonium\", which is not known\n  hint: known materials: steel, brass, \
         bronze, copper, aluminium, glass, spruce, cedar, maple, rosewood, nylon, gut, mylar, skin, acrylic, rubber"
    );
    assert_eq!(error("7"), "error: test.toml:6:12: bar.material is 7, must be text in quotes");
}
