//! `nonlinear = "tension"`: what it is refused for, and the glides of the presets.

use percuss_scene::{parse, presets};
use std::f64::consts::TAU;

#[test]
fn only_lines_with_held_ends_are_stretched() {
    let scene = |line: &str| format!("{line}\nnonlinear = \"tension\"\n[[pickup]]\nof = \"a\"\nat = 0.3\n");
    let held = scene("[[string]]\nid = \"a\"\nlength = 1\nradius = 1e-3\ntension = 50");
    let parsed = parse(&held, "scene.toml").unwrap();
    assert_eq!(parsed.interaction_names, ["a.tension"]);
    assert!(parsed.compile(44_100.0).is_ok());
    let free = scene("[[bar]]\nid = \"a\"\nlength = 0.3\nwidth = 0.03\nthickness = 5e-3");
    let problem = parse(&free, "scene.toml").unwrap().compile(44_100.0).unwrap_err().to_string();
    assert!(problem.contains("held") && problem.contains("scene.toml:"), "{problem}");
    let unknown = held.replace("\"tension\"", "\"pitch\"");
    let problems = parse(&unknown, "scene.toml").unwrap_err();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].to_string().contains("tension"), "{}", problems[0]);
}

#[test]
fn membranes_are_stretched_with_a_modulus_and_held_edges() {
    let scene = |lines: &str| {
        let head = "[[membrane]]\nid = \"a\"\ndiameter = 0.3\ntension = 1000\nnonlinear = \"tension\"";
        format!("{head}\n{lines}\n[[pickup]]\nof = \"a\"\nat = [0.4, 0.4]\n")
    };
    let film = parse(&scene("material = \"mylar\"\ngrid = 20"), "scene.toml").unwrap();
    assert_eq!(film.interaction_names, ["a.tension"]);
    assert!(film.compile(44_100.0).is_ok());
    let given = parse(&scene("surface_density = 0.3\nstretching_modulus = 5e9\ngrid = 20"), "scene.toml").unwrap();
    assert!(given.compile(44_100.0).is_ok());
    let without = parse(&scene("surface_density = 0.3"), "scene.toml").unwrap_err();
    assert!(without[0].to_string().contains("stretching_modulus"), "{}", without[0]);
    let free = parse(&scene("material = \"mylar\"\nedges = \"free\"\ngrid = 20"), "scene.toml").unwrap();
    let problem = free.compile(44_100.0).unwrap_err().to_string();
    assert!(problem.contains("edges") && problem.contains("scene.toml:"), "{problem}");
}

#[test]
fn a_string_with_two_polarisations_whirls() {
    let text = |count: &str| {
        format!(
            "[[string]]\nid = \"a\"\nlength = 0.65\nradius = 2e-4\ntension = 40\nnonlinear = \"tension\"\npolarisations = {count}\n\
             [[pluck]]\nof = \"a\"\nat = 0.3\nforce = 3.0\n[[pluck]]\nof = \"a-sideways\"\nat = 0.3\nforce = 0.5\ntime = 1e-3\n\
             [[probe]]\nof = \"a\"\nat = 0.5\n[[probe]]\nof = \"a-sideways\"\nat = 0.5\n"
        )
    };
    let scene = parse(&text("2"), "scene.toml").unwrap();
    assert_eq!(scene.interaction_names, ["a.tension"]);
    let mut simulation = scene.compile(44_100.0).unwrap();
    simulation.open_ledger();
    let mut farthest = [0.0_f64; 2];
    for _ in 0..8820 {
        simulation.step();
        for (farthest, probe) in farthest.iter_mut().zip(&scene.probes) {
            *farthest = farthest.max(simulation.read(probe.pickup).abs());
        }
    }
    assert!(farthest.iter().all(|speed| *speed > 0.1), "{farthest:?}");
    assert!(simulation.ledger().unwrap().total.worst_relative < 1e-12);
    assert!(parse(&text("1"), "scene.toml").is_err(), "there is no a-sideways");
    assert!(parse(&text("1.5"), "scene.toml").is_err());
}

/// The frequency of the partial near `guess` at a time, by how far its phase turns in 20 ms \[Hz\].
fn frequency(samples: &[f64], rate: f64, time: f64, guess: f64) -> f64 {
    let phase = |time: f64| {
        let (start, length) = ((time * rate) as usize, (0.1 * rate) as usize);
        let (mut re, mut im) = (0.0, 0.0);
        for (n, sample) in samples[start..start + length].iter().enumerate() {
            let window = 0.5 - 0.5 * (TAU * n as f64 / length as f64).cos();
            let angle = TAU * guess * (start + n) as f64 / rate;
            (re, im) = (re + window * sample * angle.cos(), im - window * sample * angle.sin());
        }
        im.atan2(re)
    };
    let turned = (phase(time + 0.02) - phase(time)) / TAU;
    guess + (turned - turned.round()) / 0.02
}

#[test]
fn the_hard_plucked_string_starts_sharp_and_glides_to_its_pitch() {
    let scene = parse(presets::find("hard-plucked-string").unwrap().text, "preset").unwrap();
    let mut simulation = scene.compile(scene.sample_rate).unwrap();
    let pickup = scene.probes[0].pickup;
    let steps = (scene.duration * scene.sample_rate) as usize;
    let samples: Vec<f64> = (0..steps)
        .map(|_| {
            simulation.step();
            simulation.read(pickup)
        })
        .collect();
    let cents = |time: f64| 1200.0 * (frequency(&samples, scene.sample_rate, time, 98.0) / 97.999).log2();
    let [soft, hard, settled] = [0.1, 3.45, 6.5].map(cents);
    assert!((100.0..200.0).contains(&(hard - settled)), "{soft} {hard} {settled}");
    assert!(settled.abs() < 5.0 && (soft - settled).abs() < 10.0, "{soft} {hard} {settled}");
    let glide: Vec<f64> = (0..10).map(|n| cents(3.45 + 0.3 * f64::from(n))).collect();
    assert!(glide.windows(2).all(|pair| pair[1] < pair[0] + 0.5), "{glide:?}");
}

/// The lowest partial of the preset's drum in cents over what it comes to rest on, 30 ms and 0.4 s after one stroke at the centre.
fn tom_glide(speed: f64) -> [f64; 2] {
    let preset = presets::find("tom").unwrap().text;
    let [head, _] = preset.split_once("[[strike]]").map(|(head, tail)| [head, tail]).unwrap();
    let stroke = format!(
        "[[strike]]\nof = \"batter\"\nat = [0.5, 0.48]\nmass = 0.008\nstiffness = 5e6\nexponent = 1.8\nspeed = {speed}"
    );
    let scene = parse(&format!("{head}{stroke}\n[[probe]]\nof = \"batter\"\nat = [0.5, 0.5]\n"), "preset").unwrap();
    let mut simulation = scene.compile(scene.sample_rate).unwrap();
    simulation.open_ledger();
    let pickup = scene.probes[0].pickup;
    let samples: Vec<f64> = (0..(1.6 * scene.sample_rate) as usize)
        .map(|_| {
            simulation.step();
            simulation.read(pickup)
        })
        .collect();
    let total = &simulation.ledger().unwrap().total;
    assert!(total.worst_relative < 1e-12, "{total:?}");
    let settled = frequency(&samples, scene.sample_rate, 1.2, TOM_PITCH);
    println!("{speed} m/s: settled {settled:.2} Hz");
    [0.03, 0.4].map(|time| 1200.0 * (frequency(&samples, scene.sample_rate, time, 1.03 * TOM_PITCH) / settled).log2())
}

/// About the lowest partial of the preset's drum \[Hz\].
const TOM_PITCH: f64 = 155.0;

#[test]
fn a_tom_struck_hard_drops_in_pitch_and_one_struck_softly_does_not() {
    let [soft, hard] = [0.1, 9.0].map(tom_glide);
    println!("soft {soft:?}, hard {hard:?} cents");
    assert!(soft.iter().all(|cents| cents.abs() < 3.0), "{soft:?}");
    assert!(hard[0] > 50.0 && hard[0] > 2.0 * hard[1], "{hard:?}");
}
