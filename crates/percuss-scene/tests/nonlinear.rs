//! `nonlinear = "tension"`: what it is refused for, its account, and the glide of the preset.

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
