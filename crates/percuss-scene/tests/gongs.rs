//! Gongs and cymbals that bend far: a hard blow brightens long after it, a soft one does not.

use percuss_scene::{Scene, parse, presets};
use std::f64::consts::PI;

/// Samples of a spectrum.
const WINDOW: usize = 2048;
/// When the beater arrives \[s\].
const START: f64 = 0.02;

/// Centre of the power spectrum \[Hz\].
fn centroid(samples: &[f64], rate: f64) -> f64 {
    let count = samples.len();
    let windowed: Vec<(f64, f64)> =
        (0..count).map(|i| (samples[i] * (0.5 - 0.5 * (2.0 * PI * i as f64 / count as f64).cos()), 0.0)).collect();
    let spectrum = transform(&windowed);
    let power: Vec<f64> = spectrum[..count / 2].iter().map(|(re, im)| re * re + im * im).collect();
    let weighted = power.iter().enumerate().map(|(bin, power)| bin as f64 * power).sum::<f64>();
    weighted / power.iter().sum::<f64>() * rate / count as f64
}

/// Fourier transform of a power of two of complex numbers.
fn transform(values: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let count = values.len();
    if count == 1 {
        return values.to_vec();
    }
    let half = |offset: usize| transform(&values.iter().skip(offset).step_by(2).copied().collect::<Vec<_>>());
    let (even, odd) = (half(0), half(1));
    let turned: Vec<(f64, f64)> = (0..count / 2)
        .map(|bin| {
            let (sin, cos) = (-2.0 * PI * bin as f64 / count as f64).sin_cos();
            let (re, im) = odd[bin];
            (re * cos - im * sin, re * sin + im * cos)
        })
        .collect();
    let sum = |sign: f64| even.iter().zip(&turned).map(move |(a, b)| (a.0 + sign * b.0, a.1 + sign * b.1));
    sum(1.0).chain(sum(-1.0)).collect()
}

/// A scene with a single stroke.
fn struck(text: &str, speed: f64) -> Scene {
    let lines = text.lines().map(|line| match line.split(" = ").next() {
        Some("time") => format!("time = {START}"),
        Some("speed") => format!("speed = {speed}"),
        _ => line.to_owned(),
    });
    parse(&lines.collect::<Vec<_>>().join("\n"), "struck").unwrap_or_else(|errors| panic!("{}", errors[0]))
}

fn left_channel(scene: &Scene, seconds: f64) -> Vec<f64> {
    let mut simulation = scene.compile(scene.sample_rate).unwrap_or_else(|error| panic!("{error}"));
    let sample = |_| {
        simulation.step();
        scene.outputs.iter().map(|output| scene.channel_gain(output, 0) * simulation.read(output.pickup)).sum()
    };
    (0..(seconds * scene.sample_rate) as usize).map(sample).collect()
}

/// Spectral centroids of a stroke, every 50 ms \[Hz\].
fn centroids(text: &str, speed: f64, seconds: f64) -> Vec<f64> {
    let scene = struck(text, speed);
    let samples = left_channel(&scene, START + seconds + 0.1);
    let at = |step: usize| ((START + 0.05 * step as f64) * scene.sample_rate) as usize;
    (0..(seconds / 0.05) as usize).map(|step| centroid(&samples[at(step)..][..WINDOW], scene.sample_rate)).collect()
}

/// The centroid of a hard blow rises by a factor of three later than 100 ms after it, that of a soft one does not.
#[test]
fn a_tam_tam_blooms_after_a_hard_blow() {
    let text = presets::find("tam-tam").expect("a preset").text;
    let rise = |speed: f64| {
        let centroids = centroids(text, speed, 1.4);
        let (at_the_blow, later) = (centroids[0], &centroids[2..]);
        println!("{speed} m/s: {:?} Hz", centroids.iter().map(|hertz| hertz.round()).collect::<Vec<_>>());
        (later.iter().fold(0.0_f64, |top, hertz| top.max(*hertz)) / at_the_blow, later[0] / at_the_blow)
    };
    let (hard, soon) = rise(3.4);
    let (soft, _) = rise(0.1);
    assert!(hard >= 3.0 && hard > 1.5 * soon && soft < 2.0, "{hard} and {soft}");
}

#[test]
fn what_cannot_be_nonlinear_is_refused_with_a_hint() {
    let scene = |head: &str, plate: &str| {
        format!(
            "{head}\n[[plate]]\nid = \"a\"\nthickness = 1e-3\n{plate}\nnonlinear = true\n[[pickup]]\nof = \"a\"\nat = [0.3, 0.4]\n"
        )
    };
    let parsed = parse(&scene("", "size = [0.3, 0.2]"), "scene.toml").unwrap();
    assert_eq!(parsed.interaction_names, ["a.stretching"]);
    assert!(parsed.compile(44_100.0).is_ok());
    let refused = |text: &str| parse(text, "scene.toml").unwrap().compile(44_100.0).unwrap_err().to_string();
    let newton = refused(&scene("[scene]\nscheme = \"newton\"", "size = [0.3, 0.2]"));
    assert!(newton.contains("scene.toml:") && newton.contains("newton") && newton.contains("tracked"), "{newton}");
    let large = refused(&scene("", "size = [3.0, 3.0]"));
    assert!(large.contains("10000") && large.contains("grid"), "{large}");
    let word = scene("", "size = [0.3, 0.2]").replace("true", "\"tension\"");
    let problems = parse(&word, "scene.toml").unwrap_err();
    assert!(problems.len() == 1 && problems[0].to_string().contains("nonlinear"), "{}", problems[0]);
}
