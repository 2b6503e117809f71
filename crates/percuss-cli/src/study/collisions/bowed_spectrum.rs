//! The tromba marina under the bow, with its rattle and without.

use super::RATE;
use super::tromba::{BOW_FORCE, Joint, Tromba};
use percuss::{Quantity, Scheme};
use realfft::RealFftPlanner;
use std::f64::consts::TAU;

/// How long it is bowed, and when listening begins \[s\].
const SECONDS: f64 = 1.5;
const FROM: f64 = 0.5;
/// Above this a sound is called bright \[Hz\].
pub const BRIGHT: f64 = 2000.0;
/// Bands in an octave, and the range shown \[Hz\].
const BANDS: f64 = 12.0;
const RANGE: [f64; 2] = [30.0, 20_000.0];

/// What is listened to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Version {
    /// In tables and legends.
    pub name: &'static str,
    /// Under which scheme.
    pub scheme: Scheme,
    /// Whether bridge and body may touch.
    pub rattles: bool,
}

/// All that is listened to.
pub const VERSIONS: [Version; 4] = [
    Version { name: "without rattle", scheme: Scheme::Tracked, rattles: false },
    Version { name: "with rattle, tracked", scheme: Scheme::Tracked, rattles: true },
    Version { name: "with rattle, newton", scheme: Scheme::Newton, rattles: true },
    Version { name: "with rattle, plain", scheme: Scheme::Plain, rattles: true },
];

/// One second of the steady sound.
pub struct Sound {
    /// What it is.
    pub version: Version,
    /// Velocity of the bridge.
    pub bridge: Spectrum,
    /// Velocity of the body under the bridge.
    pub body: Spectrum,
    /// Adhesive share of the impulse between bridge and body.
    pub adhesive_share: f64,
    /// Share of the time in which they push or pull.
    pub touching: f64,
}

impl Sound {
    /// Bows and listens.
    pub fn new(version: Version) -> Self {
        let Tromba { mut model, bridge, body, contacts } = Tromba::bowed(Joint::Connection, version.rattles, BOW_FORCE);
        model.scheme = version.scheme;
        let ears = [bridge, body].map(|point| model.pickup(point, Quantity::Velocity));
        let rattle = contacts.first().filter(|_| version.rattles);
        let mut simulation = model.compile(RATE).expect("the study's systems are sound");
        let mut heard: [Vec<f64>; 2] = Default::default();
        let mut forces = Vec::new();
        for _ in 0..(SECONDS * RATE) as usize {
            simulation.step();
            heard.iter_mut().zip(ears).for_each(|(heard, ear)| heard.push(simulation.read(ear)));
            forces.extend(rattle.map(|&rattle| simulation.force(rattle)));
        }
        let [bridge, body] = heard.map(|heard| Spectrum::new(&heard[(FROM * RATE) as usize..]));
        let all: f64 = forces.iter().map(|force| force.abs()).sum();
        let pulls: f64 = forces.iter().filter(|force| **force < 0.0).map(|force| -force).sum();
        let touching = forces.iter().filter(|force| **force != 0.0).count() as f64 / forces.len().max(1) as f64;
        Self { version, bridge, body, adhesive_share: if all > 0.0 { pulls / all } else { 0.0 }, touching }
    }
}

/// Power of a velocity, by frequency.
pub struct Spectrum {
    /// Power of every bin of the transform \[(m/s)²\].
    powers: Vec<f64>,
    /// Width of a bin \[Hz\].
    step: f64,
}

impl Spectrum {
    fn new(signal: &[f64]) -> Self {
        let count = signal.len() as f64;
        let fft = RealFftPlanner::<f64>::new().plan_fft_forward(signal.len());
        let hann = |n: usize| 0.5 - 0.5 * (TAU * n as f64 / count).cos();
        let mut input: Vec<f64> = signal.iter().enumerate().map(|(n, sample)| hann(n) * sample).collect();
        let mut output = fft.make_output_vec();
        fft.process(&mut input, &mut output).expect("buffers of the plan's length");
        // Both halves of the transform, and the mean square of the window.
        let scale = 2.0 / (0.375 * count * count);
        Self { powers: output.iter().map(|bin| scale * bin.norm_sqr()).collect(), step: RATE / count }
    }

    fn within(&self, low: f64, high: f64) -> f64 {
        let bin = |frequency: f64| ((frequency / self.step).ceil() as usize).min(self.powers.len());
        self.powers[bin(low)..bin(high)].iter().sum()
    }

    /// Effective velocity \[m/s\].
    pub fn level(&self) -> f64 {
        self.within(0.0, f64::INFINITY).sqrt()
    }

    /// What lies above [`BRIGHT`], over all \[dB\]; nothing where there is no sound.
    pub fn brightness(&self) -> Option<f64> {
        let all = self.within(0.0, f64::INFINITY);
        (all > 0.0).then(|| 10.0 * (self.within(BRIGHT, f64::INFINITY) / all).log10())
    }

    /// Levels of bands, by their middle frequency \[Hz, dB re 1 m/s\].
    pub fn bands(&self) -> Vec<(f64, f64)> {
        let count = (BANDS * (RANGE[1] / RANGE[0]).log2()) as usize;
        let edge = |band: f64| RANGE[0] * (band / BANDS).exp2();
        let level = |band: usize| {
            let power = self.within(edge(band as f64), edge(band as f64 + 1.0));
            (edge(band as f64 + 0.5), 10.0 * power.log10())
        };
        (0..count).map(level).filter(|(_, level)| level.is_finite()).collect()
    }
}
