//! Spectra of soft, middle and hard strokes on the preset `tam-tam`: the centroid rises long after a hard blow.

use percuss_scene::{Scene, parse, presets};
use realfft::RealFftPlanner;
use std::f64::consts::PI;

/// Speeds of the beater \[m/s\].
pub const STROKES: [f64; 4] = [0.1, 0.5, 1.5, 3.4];
/// Times after the blow at which a spectrum is taken \[s\].
pub const TIMES: [f64; 5] = [0.0, 0.1, 0.3, 0.6, 1.2];
/// Samples of a spectrum.
const WINDOW: usize = 2048;
/// When the beater arrives \[s\].
const START: f64 = 0.02;

/// Spectra of one stroke.
pub struct StrokeResult {
    /// Speed of the beater \[m/s\].
    pub speed: f64,
    /// Spectral centroid at `TIMES` \[Hz\].
    pub centroids: [f64; 5],
}

impl StrokeResult {
    /// Strikes the tam-tam once.
    pub fn measure(speed: f64) -> Self {
        let scene = struck(speed);
        let mut simulation = scene.compile(scene.sample_rate).expect("a preset");
        let seconds = START + TIMES[TIMES.len() - 1] + 2.0 * WINDOW as f64 / scene.sample_rate;
        let mut samples = Vec::new();
        for _ in 0..(seconds * scene.sample_rate) as usize {
            simulation.step();
            let outputs = scene.outputs.iter();
            samples.push(outputs.map(|output| scene.channel_gain(output, 0) * simulation.read(output.pickup)).sum());
        }
        let centroid = |time: f64| {
            let from = ((START + time) * scene.sample_rate) as usize;
            centroid(&samples[from..][..WINDOW], scene.sample_rate)
        };
        Self { speed, centroids: TIMES.map(centroid) }
    }
}

/// The preset with a single stroke.
fn struck(speed: f64) -> Scene {
    let preset = presets::find("tam-tam").expect("a preset");
    let lines = preset.text.lines().map(|line| match line.split(" = ").next() {
        Some("time") => format!("time = {START}"),
        Some("speed") => format!("speed = {speed}"),
        _ => line.to_owned(),
    });
    parse(&lines.collect::<Vec<_>>().join("\n"), preset.name).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

/// Centre of the power spectrum \[Hz\].
fn centroid(samples: &[f64], rate: f64) -> f64 {
    let count = samples.len();
    let window = |i: usize| 0.5 - 0.5 * (2.0 * PI * i as f64 / count as f64).cos();
    let mut windowed: Vec<f64> = samples.iter().enumerate().map(|(i, sample)| sample * window(i)).collect();
    let transform = RealFftPlanner::new().plan_fft_forward(count);
    let mut spectrum = transform.make_output_vec();
    transform.process(&mut windowed, &mut spectrum).expect("lengths match");
    let power: Vec<f64> = spectrum.iter().map(|bin| bin.norm_sqr()).collect();
    let weighted = power.iter().enumerate().map(|(bin, power)| bin as f64 * power).sum::<f64>();
    weighted / power.iter().sum::<f64>() * rate / count as f64
}
