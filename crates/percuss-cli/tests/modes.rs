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

/// The modes of one element, as JSON.
fn modes(folder: &Path, line: &str) -> Vec<Value> {
    let output = percuss(folder, line);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["elements"].as_array().unwrap().len(), 1);
    found["elements"][0]["modes"].as_array().unwrap().clone()
}

/// Frequencies of the modes of one element: (continuous, sounding).
fn frequencies(folder: &Path, line: &str) -> Vec<(f64, f64)> {
    let modes = modes(folder, line);
    let modes = modes.iter().enumerate();
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
    let dry = frequencies(folder.path(), "modes water-gong --json --count 8 --time 1.2");
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
    assert_eq!(percuss(folder.path(), "modes scene.toml --count 3 --svg -o vectors").status.code(), Some(0));
    for name in ["string.svg", "plate.svg"] {
        assert!(fs::read_to_string(folder.path().join("vectors").join(name)).unwrap().contains("<svg"));
    }
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

/// A folder with one scene, `it.toml`, of one element.
fn folder_with(element: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let (kind, _) = element.split_once('\n').unwrap();
    let at = if kind == "[[plate]]" || kind == "[[membrane]]" { "[0.31, 0.27]" } else { "0.3" };
    let pickup = if kind == "[[mass]]" { String::new() } else { format!("at = {at}\n") };
    let scene = format!("{element}id = \"it\"\n[[pickup]]\nof = \"it\"\n{pickup}");
    fs::write(folder.path().join("it.toml"), scene).unwrap();
    folder
}

#[test]
fn modes_have_ratio_note_and_decay_time() {
    let string =
        "[[string]]\nlength = 0.5\nradius = 0.3e-3\nyoungs_modulus = 0\nsigma0 = 2\nsigma1 = 0.01\npitch = \"A3\"\n";
    let folder = folder_with(&format!("{string}method = \"modes\"\n"));
    for (index, mode) in modes(folder.path(), "modes it.toml --json --count 4").iter().enumerate() {
        let n = (index + 1) as f64;
        let value = |field: &str| mode[field].as_f64().unwrap();
        assert!((value("ratio") - n).abs() < 1e-4 && mode["rigid"] == false, "{mode}");
        assert_eq!(mode["nearest_note"], ["A3", "A4", "E5", "A5"][index]);
        let cents = [0.0, 0.0, 1.955, 0.0][index];
        assert!((value("cents") - cents).abs() < 0.05, "{mode}");
        let time = 1000_f64.ln() / (2.0 + 0.01 * (n * PI / 0.5).powi(2));
        assert!((value("t60_s") / time - 1.0).abs() < 1e-6, "{mode}, not {time} s");
    }
    let text = String::from_utf8(percuss(folder.path(), "modes it.toml --count 2 -o plots").stdout).unwrap();
    let row: Vec<&str> = text.lines().find(|line| line.starts_with("     1")).unwrap().split_whitespace().collect();
    assert_eq!(row.join(" "), "1 220.00 Hz 220.00 Hz 1.000 A3 +0 ct 2.885 s");
}

#[test]
fn rigid_and_pendulum_motions_have_no_ratio() {
    let bar = folder_with("[[bar]]\nlength = 0.4\nwidth = 0.03\nthickness = 6e-3\n");
    let found = modes(bar.path(), "modes it.toml --json --count 4");
    assert!(found[..2].iter().all(|mode| mode["rigid"] == true && mode["ratio"].is_null() && mode["t60_s"].is_null()));
    assert_eq!(found[2]["ratio"], 1.0);
    assert!((found[3]["ratio"].as_f64().unwrap() - 2.756_5).abs() < 1e-4, "{}", found[3]);
    // A rod that is hardly pulled swings about its middle, slower than it bends.
    let rod = "[[string]]\nlength = 0.4\nradius = 3e-3\ntension = 1\nends = \"free\"\nmethod = \"modes\"\n";
    let found = modes(folder_with(rod).path(), "modes it.toml --json --count 4");
    let swing = found.iter().find(|mode| mode["frequency_hz"].as_f64().unwrap() > 0.0).unwrap();
    assert!(swing["rigid"] == true && swing["ratio"].is_null(), "{swing}");
    assert_eq!(found.iter().find(|mode| mode["rigid"] == false).unwrap()["ratio"], 1.0);
}

#[test]
fn masses_and_resonators_have_their_decay_times() {
    let mass = folder_with("[[mass]]\nmass = 0.1\nfrequency = 100\ndamping = 4\n");
    let found = modes(mass.path(), "modes it.toml --json");
    assert!((found[0]["t60_s"].as_f64().unwrap() - 1000_f64.ln() / 2.0).abs() < 1e-9, "{found:?}");
    let modal = "[[modal]]\nid = \"it\"\nfrequency = [700, 200]\ndecay = [0.5, 2.0]\npoints = { x = [1.0, 1.0] }\n";
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("it.toml"), modal).unwrap();
    let times: Vec<f64> =
        modes(folder.path(), "modes it.toml --json").iter().map(|mode| mode["t60_s"].as_f64().unwrap()).collect();
    assert!((times[0] - 2.0).abs() < 1e-9 && (times[1] - 0.5).abs() < 1e-9, "{times:?}");
}

/// Amplitude of a frequency in a window of samples.
fn amplitude(samples: &[f64], frequency: f64, rate: f64) -> f64 {
    let count = samples.len() as f64;
    let sum = samples.iter().enumerate().fold([0.0, 0.0], |[real, imaginary], (n, sample)| {
        let window = 0.5 - 0.5 * (2.0 * PI * n as f64 / count).cos();
        let (sine, cosine) = (2.0 * PI * frequency * n as f64 / rate).sin_cos();
        [real + sample * window * cosine, imaginary + sample * window * sine]
    });
    sum[0].hypot(sum[1])
}

/// The decay times that are printed are those of the sound, on grids with all kinds of edge, and under touches.
#[test]
fn decay_times_are_those_of_the_sound() {
    const RATE: f64 = 44_100.0;
    let plate = "sigma0 = 1\nsigma1 = 0.02\n[[pulse]]\nof = \"it\"\nat = [0.13, 0.22]\nduration = 0.3e-3\n";
    let disc = "[[plate]]\nid = \"it\"\ndiameter = 0.3\nthickness = 2e-3\n";
    let rectangle = "[[plate]]\nid = \"it\"\nsize = [0.3, 0.23]\nthickness = 2e-3\n";
    let line = "sigma0 = 1\nsigma1 = 0.02\n[[pulse]]\nof = \"it\"\nat = 0.13\nduration = 0.3e-3\n";
    let bar = "[[bar]]\nid = \"it\"\nlength = 0.4\nwidth = 0.03\nthickness = 6e-3\nmethod = \"grid\"\n";
    let touch = "[[touch]]\nof = \"it\"\nregion = { kind = \"circle\", centre = [0.3, 0.5], radius = 0.08 }\n\
                 mass = 6\ndamping = 3\n";
    let cases = [
        ("free rectangle", format!("{rectangle}{plate}"), 0.01),
        ("clamped rectangle", format!("{rectangle}edges = \"clamped\"\n{plate}"), 0.01),
        ("mixed", format!("{rectangle}edges = [\"free\", \"simply-supported\", \"free\", \"clamped\"]\n{plate}"), 0.01),
        ("free disc", format!("{disc}edges = \"free\"\n{plate}"), 0.03),
        ("clamped disc", format!("{disc}edges = \"clamped\"\n{plate}"), 0.03),
        ("touched", format!("{rectangle}{plate}{touch}"), 0.02),
        ("free bar", format!("{bar}{line}"), 0.01),
        ("clamped bar", format!("{bar}ends = [\"clamped\", \"free\"]\n{line}"), 0.01),
    ];
    for (name, scene, tolerance) in cases {
        let place = if scene.starts_with("[[plate") { "[0.83, 0.31]" } else { "0.83" };
        let text = format!("{scene}[[pickup]]\nof = \"it\"\nat = {place}\n");
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("it.toml"), &text).unwrap();
        let found = modes(folder.path(), "modes it.toml --json --count 10");
        let scene = percuss_scene::parse(&text, "it.toml").unwrap_or_else(|errors| panic!("{}", errors[0]));
        let mut simulation = scene.compile(RATE).unwrap();
        let mut samples = vec![0.0; RATE as usize];
        simulation.process(&[scene.outputs[0].pickup], &mut [&mut samples[..]]);
        let partials: Vec<&Value> = found.iter().filter(|mode| mode["rigid"] == false).collect();
        assert!(partials.len() >= 3, "{name}");
        let sounding = |mode: &Value| mode["sounding_hz"].as_f64().unwrap();
        for (index, mode) in partials.iter().enumerate().take(partials.len() - 1) {
            let frequency = sounding(mode);
            let others = partials.iter().enumerate().filter(|(other, _)| *other != index);
            if others.map(|(_, other)| (sounding(other) - frequency).abs()).fold(f64::MAX, f64::min) < 50.0 {
                continue;
            }
            let [early, late] = [2000, 10_000].map(|at| amplitude(&samples[at..at + 8192], frequency, RATE));
            let heard = 1000_f64.ln() * 8000.0 / RATE / (early / late).ln();
            let printed = mode["t60_s"].as_f64().unwrap();
            // Shorter ones are lost under the others.
            if printed < 0.11 {
                continue;
            }
            println!("{name}: {frequency:.1} Hz: printed {printed:.4} s, heard {heard:.4} s");
            assert!(
                (printed / heard - 1.0).abs() < tolerance,
                "{name}, {frequency:.1} Hz: {printed} s, heard {heard} s"
            );
        }
    }
}

#[test]
fn round_plate_has_the_pitch_that_it_is_given() {
    let disc = "[[plate]]\ndiameter = 0.3\npitch = 300\nmaterial = \"bronze\"\n";
    let found = modes(folder_with(disc).path(), "modes it.toml --json --count 4");
    let first = found.iter().find(|mode| mode["rigid"] == false).unwrap()["frequency_hz"].as_f64().unwrap();
    assert!((first / 300.0 - 1.0).abs() < 1e-5, "{first} Hz");
}
