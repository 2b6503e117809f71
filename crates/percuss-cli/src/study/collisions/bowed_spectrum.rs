//! Spectra of the bowed tromba marina, with and without contact of bridge and body.

use super::RATE;
use super::tromba::{BOW_FORCE, Joint, TrombaMarina};
use percuss::{Quantity, Scheme};
use realfft::RealFftPlanner;
use std::f64::consts::TAU;

/// Duration of the bowing, and start of the analysis \[s\].
const SECONDS: f64 = 1.5;
const ANALYSIS_START: f64 = 0.5;
/// Lower limit of the high band \[Hz\].
pub const HIGH_BAND_START: f64 = 2000.0;
/// Bands per octave, and the plotted range \[Hz\].
const BANDS_PER_OCTAVE: f64 = 12.0;
const FREQUENCY_RANGE: [f64; 2] = [30.0, 20_000.0];

/// Scheme and contact of a bowed sound.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BowedVariant {
    /// Name in tables and legends.
    pub name: &'static str,
    /// Contact scheme.
    pub scheme: Scheme,
    /// Whether bridge and body can collide.
    pub rattles: bool,
}

/// All variants.
pub const VARIANTS: [BowedVariant; 4] = [
    BowedVariant { name: "without rattle", scheme: Scheme::Tracked, rattles: false },
    BowedVariant { name: "with rattle, tracked", scheme: Scheme::Tracked, rattles: true },
    BowedVariant { name: "with rattle, newton", scheme: Scheme::Newton, rattles: true },
    BowedVariant { name: "with rattle, plain", scheme: Scheme::Plain, rattles: true },
];

/// Spectra and contact of one second of steady sound.
pub struct BowedSound {
    /// Scheme and contact.
    pub variant: BowedVariant,
    /// Spectrum of the velocity of the bridge.
    pub bridge: PowerSpectrum,
    /// Spectrum of the velocity of the body below the bridge.
    pub body: PowerSpectrum,
    /// Adhesive share of the impulse between bridge and body.
    pub adhesive_share: f64,
    /// Share of the time in which they are in contact.
    pub contact_share: f64,
}

impl BowedSound {
    /// Simulates a variant.
    pub fn new(variant: BowedVariant) -> Self {
        let TrombaMarina { mut model, bridge, body, contacts } =
            TrombaMarina::bowed(Joint::Connection, variant.rattles, BOW_FORCE);
        model.scheme = variant.scheme;
        let outputs = [bridge, body].map(|point| model.pickup(point, Quantity::Velocity));
        let rattle = contacts.first().filter(|_| variant.rattles);
        let mut simulation = model.compile(RATE).expect("the study's systems compile");
        let mut signals: [Vec<f64>; 2] = Default::default();
        let mut forces = Vec::new();
        for _ in 0..(SECONDS * RATE) as usize {
            simulation.step();
            signals.iter_mut().zip(outputs).for_each(|(signals, output)| signals.push(simulation.read(output)));
            forces.extend(rattle.map(|&rattle| simulation.force(rattle)));
        }
        let [bridge, body] = signals.map(|signals| PowerSpectrum::new(&signals[(ANALYSIS_START * RATE) as usize..]));
        let all: f64 = forces.iter().map(|force| force.abs()).sum();
        let pulls: f64 = forces.iter().filter(|force| **force < 0.0).map(|force| -force).sum();
        let contact_share = forces.iter().filter(|force| **force != 0.0).count() as f64 / forces.len().max(1) as f64;
        Self { variant, bridge, body, adhesive_share: if all > 0.0 { pulls / all } else { 0.0 }, contact_share }
    }
}

/// Power spectrum of a velocity.
pub struct PowerSpectrum {
    /// Power of every FFT bin \[(m/s)²\].
    powers: Vec<f64>,
    /// Width of a bin \[Hz\].
    bin_width: f64,
}

impl PowerSpectrum {
    fn new(signal: &[f64]) -> Self {
        let count = signal.len() as f64;
        let fft = RealFftPlanner::<f64>::new().plan_fft_forward(signal.len());
        let hann = |n: usize| 0.5 - 0.5 * (TAU * n as f64 / count).cos();
        let mut input: Vec<f64> = signal.iter().enumerate().map(|(n, sample)| hann(n) * sample).collect();
        let mut output = fft.make_output_vec();
        fft.process(&mut input, &mut output).expect("buffers of the plan's length");
        // Positive and negative frequencies, and the mean square of the window.
        let scale = 2.0 / (0.375 * count * count);
        Self { powers: output.iter().map(|bin| scale * bin.norm_sqr()).collect(), bin_width: RATE / count }
    }

    fn band_power(&self, low: f64, high: f64) -> f64 {
        let bin = |frequency: f64| ((frequency / self.bin_width).ceil() as usize).min(self.powers.len());
        self.powers[bin(low)..bin(high)].iter().sum()
    }

    /// Root-mean-square velocity \[m/s\].
    pub fn rms(&self) -> f64 {
        self.band_power(0.0, f64::INFINITY).sqrt()
    }

    /// Power above [`HIGH_BAND_START`] over the total power \[dB\]; `None` for silence.
    pub fn high_band_level(&self) -> Option<f64> {
        let all = self.band_power(0.0, f64::INFINITY);
        (all > 0.0).then(|| 10.0 * (self.band_power(HIGH_BAND_START, f64::INFINITY) / all).log10())
    }

    /// Centre frequencies \[Hz\] and levels \[dB re 1 m/s\] of bands.
    pub fn band_levels(&self) -> Vec<(f64, f64)> {
        let count = (BANDS_PER_OCTAVE * (FREQUENCY_RANGE[1] / FREQUENCY_RANGE[0]).log2()) as usize;
        let edge = |band: f64| FREQUENCY_RANGE[0] * (band / BANDS_PER_OCTAVE).exp2();
        let level = |band: usize| {
            let power = self.band_power(edge(band as f64), edge(band as f64 + 1.0));
            (edge(band as f64 + 0.5), 10.0 * power.log10())
        };
        (0..count).map(level).filter(|(_, level)| level.is_finite()).collect()
    }
}
