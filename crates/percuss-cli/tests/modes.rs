//! `percuss modes`: closed forms, files and messages.

mod program;

use program::percuss;
use serde_json::Value;
use std::f64::consts::PI;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A string and a barrier under it, a free square plate, a mass on a spring.
const SCENE: &str = r#"
[scene]
name = "Modes"
sample_rate = 44100
duration = 0.1

[[string]]
id = "string"
length = 0.7
radius = 0.4e-3
density = 7850
youngs_modulus = 2e11
tension = 120
grid = 60

[[barrier]]
id = "table"
position = -1e-3

[[plate]]
id = "plate"
size = [0.4, 0.4]
thickness = 0.8e-3
density = 8000
youngs_modulus = 2e11
poisson = 0.3
edges = "free"
grid = [36, 36]

[[mass]]
id = "bob"
mass = 1e-3
frequency = 50

[[pickup]]
of = "string"
at = 0.9
quantity = "velocity"
"#;

fn test_folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("scene.toml"), SCENE).unwrap();
    folder
}

/// Frequencies of the modes of one element: (continuous, sounding).
fn frequencies(folder: &Path, line: &str) -> Vec<(f64, f64)> {
    let output = percuss(folder, line);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["elements"].as_array().unwrap().len(), 1);
    let modes = found["elements"][0]["modes"].as_array().unwrap().iter().enumerate();
    let mode = |(index, mode): (usize, &Value)| {
        assert_eq!(mode["number"], index + 1);
        (mode["frequency_hz"].as_f64().unwrap(), mode["sounding_hz"].as_f64().unwrap())
    };
    modes.map(mode).collect()
}

#[test]
fn stiff_string_has_the_modes_of_its_closed_form() {
    let folder = test_folder();
    let found = frequencies(folder.path(), "modes scene.toml --element string --json --count 8");
    assert_eq!(found.len(), 8);
    let (length, radius, density, modulus, tension) = (0.7, 0.4e-3_f64, 7850.0, 2e11, 120.0);
    let area = PI * radius * radius;
    let (c, kappa) = ((tension / (density * area)).sqrt(), (modulus * radius * radius / 4.0 / density).sqrt());
    let h = length / 60.0;
    for (index, (continuous, sounding)) in found.into_iter().enumerate() {
        // The wave number squared of the second difference over h.
        let wave = (index + 1) as f64 * PI / length;
        let square = (2.0 / h * (0.5 * wave * h).sin()).powi(2);
        let expected = (c * c * square + (kappa * square).powi(2)).sqrt() / (2.0 * PI);
        assert!((continuous / expected - 1.0).abs() < 1e-9, "mode {}: {continuous}, not {expected} Hz", index + 1);
        let exact = (c * c * wave * wave + kappa * kappa * wave.powi(4)).sqrt() / (2.0 * PI);
        assert!((continuous / exact - 1.0).abs() < 0.01, "mode {}: {continuous}, not {exact} Hz", index + 1);
        let expected_sounding = 44_100.0 / PI * (PI * continuous / 44_100.0).asin();
        assert!((sounding / expected_sounding - 1.0).abs() < 1e-12 && sounding > continuous);
    }
}

#[test]
fn free_square_plate_has_three_rigid_body_modes_and_those_of_the_literature() {
    let folder = test_folder();
    let found = frequencies(folder.path(), "modes scene.toml --element plate --json --count 9");
    assert!(found[..3].iter().all(|mode| *mode == (0.0, 0.0)), "{found:?}");
    let kappa = (2e11 * 0.64e-6 / (12.0 * 0.91 * 8000.0_f64)).sqrt();
    for ((continuous, _), expected) in found[3..].iter().zip([13.468, 19.596, 24.270, 34.801, 34.801, 61.093]) {
        let value = 2.0 * PI * continuous * 0.16 / kappa;
        assert!((value / expected - 1.0).abs() < 0.01, "{value}, not {expected}");
    }
}

#[test]
fn largest_number_of_modes_is_found_on_a_free_square_plate() {
    let folder = test_folder();
    let scene = SCENE.replace("thickness = 0.8e-3", "thickness = 1e-3").replace("grid = [36, 36]", "");
    fs::write(folder.path().join("square.toml"), scene).unwrap();
    let found = |count: usize| {
        let found = frequencies(folder.path(), &format!("modes square.toml --element plate --json --count {count}"));
        assert_eq!(found.len(), count);
        found
    };
    let all = found(200);
    assert!(all.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    for count in [1, 60, 70, 71, 100, 150] {
        for (some, all) in found(count).iter().zip(&all) {
            assert!((some.0 - all.0).abs() <= 1e-9 * all.0, "{count}: {some:?}, not {all:?}");
        }
    }
}

#[test]
fn modes_include_touches_with_their_pressure_at_the_given_time() {
    let folder = TempDir::new().unwrap();
    let circle = frequencies(folder.path(), "modes clamped-circle --json --count 3");
    // A plate held outside a circle has no rigid-body mode, and its modes with one nodal diameter are a pair.
    assert!(circle[0].0 > 100.0);
    assert!((circle[1].0 / circle[2].0 - 1.0).abs() < 1e-9, "{circle:?}");
    let wet = frequencies(folder.path(), "modes water-gong --json --count 8");
    let dry = frequencies(folder.path(), "modes water-gong --json --count 8 --time 2.6");
    for (wet, dry) in wet.iter().zip(&dry) {
        assert!(dry.0 > wet.0, "{dry:?} above water, {wet:?} in it");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "JSON alone writes no files");
}

#[test]
fn moving_elements_are_listed_and_lines_and_plates_are_plotted() {
    let folder = test_folder();
    let output = percuss(folder.path(), "modes scene.toml --count 5");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    for words in ["string (string", "plate (plate, 1369 nodes)", "bob (mass, 1 node)", "50.00 Hz", "G1 +35 ct", "0 Hz"]
    {
        assert!(text.contains(words), "{words} missing in\n{text}");
    }
    assert!(!text.contains("table"), "{text}");
    let plots = folder.path().join("percuss-out/scene-modes");
    for name in ["string.png", "plate.png"] {
        assert!(fs::read(plots.join(name)).unwrap().starts_with(b"\x89PNG"));
    }
    assert_eq!(fs::read_dir(plots).unwrap().count(), 2);
    let output = percuss(folder.path(), "modes scene.toml --element bob -o none");
    assert_eq!(output.status.code(), Some(0));
    assert!(!folder.path().join("none").exists(), "a mass has no shape");
}

#[test]
fn wrong_arguments_are_rejected_with_a_hint() {
    let folder = test_folder();
    fs::write(folder.path().join("taken"), "").unwrap();
    for (line, words) in [
        ("modes scene.toml --element plat", "there is no element called `plat`"),
        ("modes scene.toml --element plat", "did you mean `plate`?"),
        ("modes scene.toml --element xyz", "elements with modes: string, plate, bob"),
        ("modes scene.toml --element table", "is a barrier, which has no modes"),
        ("modes scene.toml -o taken", "is a file, must be a folder"),
    ] {
        let output = percuss(folder.path(), line);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{line}: {message}");
        assert!(message.contains(words) && message.contains("hint: "), "{line}: {message}");
        assert!(output.stdout.is_empty());
    }
    for line in ["modes", "modes scene.toml --count 0", "modes scene.toml --time -1", "modes scene.toml --count 201"] {
        assert_eq!(percuss(folder.path(), line).status.code(), Some(2), "{line}");
    }
}
