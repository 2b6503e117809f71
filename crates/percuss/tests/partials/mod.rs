//! Partials of a rendered sound: the peak of its windowed Fourier transform next to where a partial should be. The decay follows from
//! two such measurements, one after the other.

use percuss::*;
use std::f64::consts::TAU;

pub const RATE: f64 = 44_100.0;
/// Duration of a measurement \[s\].
pub const SECONDS: f64 = 1.0;
/// Partials closer than this cannot be told apart in a measurement \[Hz\].
const NEAR: f64 = 8.0;

/// Frequency \[Hz\] and decay σ \[1/s\].
#[derive(Clone, Copy, Debug)]
pub struct Partial {
    pub frequency: f64,
    pub sigma: f64,
}

impl Partial {
    /// Of an oscillation that has the angular frequency ω \[1/s\] without damping, which lowers it.
    pub fn damped(omega: f64, sigma: f64) -> Self {
        Self { frequency: (omega * omega - sigma * sigma).sqrt() / TAU, sigma }
    }
}

/// The velocity of a body at one place after a short strike at another.
pub fn sound(body: impl Into<Element>, [struck, heard]: [Place; 2]) -> Vec<f64> {
    let mut model = Model::new();
    let body = model.add(body);
    let point = |place: Place| match place {
        Place::Along(at) => body.at(at),
        Place::On(at) => body.on(at),
        Place::Whole | Place::Listed(_) => body.point(),
    };
    model.pulse(point(struck), Pulse { duration: 5e-5, peak: 10.0, ..Pulse::default() });
    let pickup = model.pickup(point(heard), Quantity::Velocity);
    let mut simulation = model.compile(RATE).unwrap();
    let mut sound = vec![0.0; (2.5 * SECONDS * RATE) as usize];
    simulation.process(&[pickup], &mut [&mut sound[..]]);
    sound
}

/// A part of a sound with a Blackman window.
fn windowed(sound: &[f64]) -> Vec<f64> {
    let length = sound.len() as f64;
    let window = |n: usize| {
        let phase = TAU * (n as f64 + 0.5) / length;
        0.42 - 0.5 * phase.cos() + 0.08 * (2.0 * phase).cos()
    };
    sound.iter().enumerate().map(|(n, x)| window(n) * x).collect()
}

/// Magnitude of a windowed sound at a frequency.
fn magnitude(sound: &[f64], frequency: f64) -> f64 {
    let (sin, cos) = (TAU * frequency / RATE).sin_cos();
    // Horner's scheme in e^{jω}.
    let sum = sound.iter().fold([0.0; 2], |[re, im], x| [re * cos - im * sin + x, re * sin + im * cos]);
    sum[0].hypot(sum[1])
}

/// The peak next to a frequency.
fn peak(sound: &[f64], mut frequency: f64) -> f64 {
    let mut span = 0.5 / SECONDS;
    while span > 1e-3 {
        let [below, at, above] = [-1.0, 0.0, 1.0].map(|side| magnitude(sound, frequency + side * span).ln());
        let bend = below - 2.0 * at + above;
        let shift = if bend < 0.0 { 0.5 * (below - above) / bend } else { (above - below).signum() };
        frequency += span * shift.clamp(-1.0, 1.0);
        span *= 0.5;
    }
    frequency
}

/// Partials this much weaker than the loudest are not measured: the others leak that much.
const WEAK: f64 = 2e-3;

/// Holds the partials of a sound to what they should be, in rising order. Those next to another one and those that the places of strike
/// and pickup nearly leave out are not measured.
pub fn has_partials(name: &str, sound: &[f64], partials: &[Partial]) {
    let window = (SECONDS * RATE) as usize;
    // After the strike.
    let [early, late] = [200, 200 + window].map(|start| windowed(&sound[start..start + window]));
    let (mut worst, mut measured) = ([0.0_f64; 3], 0);
    let is_alone = |frequency: f64| {
        let distance = |other: &Partial| (other.frequency - frequency).abs();
        !partials.iter().map(distance).any(|distance| distance > 1e-4 && distance < NEAR)
    };
    let loudest = partials.iter().map(|partial| magnitude(&early, partial.frequency)).fold(0.0, f64::max);
    for (index, &Partial { frequency, sigma }) in partials.iter().enumerate() {
        if !is_alone(frequency) || magnitude(&early, frequency) < WEAK * loudest {
            continue;
        }
        measured += 1;
        let found = peak(&early, frequency);
        let cents = 1200.0 * (found / frequency).log2();
        worst[usize::from(index >= 10)] = worst[usize::from(index >= 10)].max(cents.abs());
        let decay = (magnitude(&early, frequency) / magnitude(&late, frequency)).ln() / SECONDS;
        worst[2] = worst[2].max((decay / sigma - 1.0).abs());
        let bound = if index < 10 { 1.0 } else { 5.0 };
        assert!(cents.abs() < bound, "{name}, partial {}: {found:.3} instead of {frequency:.3} Hz", index + 1);
        assert!((decay / sigma - 1.0).abs() < 0.01, "{name}, partial {}: decay {decay} instead of {sigma}", index + 1);
    }
    let ([first, others, decay], count) = (worst, partials.len());
    println!(
        "{name}: {measured} of {count} partials, first ten {first:.3} cents, others {others:.3}, decay {:.3} %",
        100.0 * decay
    );
    assert!(measured > count / 2 && measured > 0, "{name}: {measured} of {count}");
}
