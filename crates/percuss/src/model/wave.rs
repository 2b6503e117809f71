//! Waves: a value that oscillates in time, as a control.
//!
//! Value       offset + amplitude·w(t)·x(t − start), within the start and the end; outside of them the offset
//! Window      w rises and falls as a raised cosine within the fade
//! Sine        x(τ) = sin(2πfτ + φ)
//! Sweep       x(τ) = sin 2π∫f, f from f₀ to f₁ in the duration T: linear f₀ + (f₁ − f₀)τ/T, exponential f₀·(f₁/f₀)^{τ/T}
//! Noise       cubic B-spline through independent values, evenly distributed from −1 to 1, spaced 1/4b for the bandwidth b. The spectrum is
//!             that of white noise times sinc⁸(f/4b): −3.7 dB at b, −16 dB at 2b, 0 at 4b, and 53 dB down or more beyond. No value exceeds 1;
//!             the root of the mean square is 0.40. The values follow from the seed and their number alone, so that every rate and
//!             every machine gets the same
//! Allocates   no

use std::f64::consts::{PI, TAU};

/// How a wave oscillates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Waveform {
    /// A sine.
    Sine {
        /// Frequency \[Hz\].
        frequency: f64,
        /// Phase at the start \[rad\].
        phase: f64,
    },
    /// A sine whose frequency changes from one to another over the duration.
    Sweep {
        /// Frequencies at the start and at the end \[Hz\].
        frequencies: [f64; 2],
        /// Whether the frequency changes by equal ratios in equal times, rather than by equal differences.
        exponential: bool,
    },
    /// Noise without high frequencies.
    Noise {
        /// Frequency at which the power has fallen by 3.7 dB \[Hz\].
        bandwidth: f64,
        /// Seed: the same gives the same noise.
        seed: u64,
    },
}

/// A value that oscillates in time.
#[derive(Clone, Debug, PartialEq)]
pub struct Wave {
    waveform: Waveform,
    amplitude: f64,
    offset: f64,
    start: f64,
    duration: f64,
    fade: f64,
    /// The least and the largest value.
    range: [f64; 2],
}

impl Wave {
    /// A wave around `offset` that lasts for ever.
    #[must_use]
    pub fn new(waveform: Waveform, amplitude: f64, offset: f64) -> Self {
        let range = [offset - amplitude.abs(), offset + amplitude.abs()];
        Self { waveform, amplitude, offset, start: 0.0, duration: f64::INFINITY, fade: 0.0, range }
    }

    /// The same from `start` on, for `duration`, rising and falling within `fade` \[s\].
    #[must_use]
    pub fn during(self, start: f64, duration: f64, fade: f64) -> Self {
        Self { start, duration, fade, ..self }
    }

    /// How it oscillates.
    #[must_use]
    pub fn waveform(&self) -> Waveform {
        self.waveform
    }

    /// The least and the largest value.
    #[must_use]
    pub fn range(&self) -> &[f64; 2] {
        &self.range
    }

    /// When it ends \[s\]; infinite for a wave that does not.
    #[must_use]
    pub fn end(&self) -> f64 {
        self.start + self.duration
    }

    /// The highest frequency that it has; of noise that at which its spectrum is first 0 \[Hz\].
    #[must_use]
    pub fn highest_frequency(&self) -> f64 {
        match self.waveform {
            Waveform::Sine { frequency, .. } => frequency,
            Waveform::Sweep { frequencies: [from, to], .. } => from.max(to),
            Waveform::Noise { bandwidth, .. } => VALUES_PER_BANDWIDTH * bandwidth,
        }
    }

    /// Value at time t \[s\].
    #[must_use]
    pub fn at(&self, t: f64) -> f64 {
        let since = t - self.start;
        if since < 0.0 || since >= self.duration {
            return self.offset;
        }
        let edge = since.min(self.duration - since);
        let window = if edge < self.fade { 0.5 * (1.0 - (PI * edge / self.fade).cos()) } else { 1.0 };
        // Not beyond the range by rounding: a force must not fall below 0.
        (self.offset + self.amplitude * window * self.oscillation(since)).clamp(self.range[0], self.range[1])
    }

    fn oscillation(&self, since: f64) -> f64 {
        match self.waveform {
            Waveform::Sine { frequency, phase } => (TAU * (frequency * since).fract() + phase).sin(),
            Waveform::Sweep { frequencies: [from, to], exponential } => {
                let share = since / self.duration;
                let ratio = (to / from).ln();
                let cycles = if exponential && ratio != 0.0 {
                    from * self.duration / ratio * (ratio * share).exp_m1()
                } else {
                    since * (from + 0.5 * share * (to - from))
                };
                (TAU * cycles.fract()).sin()
            }
            Waveform::Noise { bandwidth, seed } => noise(VALUES_PER_BANDWIDTH * bandwidth * since, seed),
        }
    }

    /// Whether all of it is finite and nothing is negative that cannot be.
    pub(crate) fn is_well_formed(&self) -> bool {
        let [from, to] = match self.waveform {
            Waveform::Sine { frequency, phase } => [frequency, if phase.is_finite() { frequency } else { phase }],
            Waveform::Sweep { frequencies: [from, to], .. } => {
                let is_possible = from > 0.0 && to > 0.0 && self.duration.is_finite();
                [from, if is_possible { to } else { f64::NAN }]
            }
            Waveform::Noise { bandwidth, .. } => [bandwidth; 2],
        };
        let is_positive = |x: f64| x > 0.0 && x <= 1e9;
        let is_in_time = self.start.is_finite() && self.duration > 0.0 && self.fade.is_finite() && self.fade >= 0.0;
        is_positive(from) && is_positive(to) && is_in_time && self.range.iter().all(|x| x.is_finite())
    }
}

/// Values of noise per cycle of its bandwidth.
const VALUES_PER_BANDWIDTH: f64 = 4.0;

/// Noise at a place, in values.
fn noise(place: f64, seed: u64) -> f64 {
    let index = place.floor();
    let x = place - index;
    let values = [0, 1, 2, 3].map(|offset| value(seed, (index as u64).wrapping_add(offset)));
    let weights = [
        (1.0 - x).powi(3),
        4.0 - 6.0 * x * x + 3.0 * x * x * x,
        1.0 + 3.0 * x + 3.0 * x * x - 3.0 * x * x * x,
        x.powi(3),
    ];
    values.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>() / 6.0
}

/// A value from −1 to 1 that follows from a seed and a number (splitmix64).
fn value(seed: u64, index: u64) -> f64 {
    const INCREMENT: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |mut z: u64| {
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    // The seed is mixed too: neighbouring seeds would otherwise give the same values, shifted.
    let state = mix(seed.wrapping_add(INCREMENT)).wrapping_add(index.wrapping_add(1).wrapping_mul(INCREMENT));
    2.0 * ((mix(state) >> 11) as f64 / (1_u64 << 53) as f64) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Control;
    use proptest::prelude::*;

    const RATE: f64 = 44_100.0;

    fn samples(wave: &Wave, count: usize) -> Vec<f64> {
        (0..count).map(|n| wave.at(n as f64 / RATE)).collect()
    }

    /// Power of samples at a frequency, under a Hann window.
    fn power(samples: &[f64], frequency: f64) -> f64 {
        let count = samples.len() as f64;
        let part = |(n, x): (usize, &f64)| {
            let angle = TAU * frequency * n as f64 / RATE;
            let window = 1.0 - (TAU * n as f64 / count).cos();
            [x * window * angle.cos(), x * window * angle.sin()]
        };
        let [re, im] =
            samples.iter().enumerate().map(part).fold([0.0; 2], |sum, part| [sum[0] + part[0], sum[1] + part[1]]);
        (re * re + im * im) / (count * count)
    }

    #[test]
    fn a_sine_has_its_frequency_phase_and_range() {
        let wave = Wave::new(Waveform::Sine { frequency: 100.0, phase: 0.5 * PI }, -2.0, 1.0);
        assert_eq!(wave.range(), &[-1.0, 3.0]);
        for (t, expected) in [(0.0, -1.0), (2.5e-3, 1.0), (5e-3, 3.0), (1000.0, -1.0)] {
            assert!((wave.at(t) - expected).abs() < 1e-9, "at {t} s: {}", wave.at(t));
        }
    }

    #[test]
    fn outside_of_its_time_a_wave_is_its_offset_and_it_fades_in_and_out() {
        let wave = Wave::new(Waveform::Sine { frequency: 1000.0, phase: 0.5 * PI }, 1.0, 5.0).during(1.0, 2.0, 0.5);
        for (t, expected) in [(0.0, 5.0), (0.999, 5.0), (1.25, 5.5), (1.5, 6.0), (2.0, 6.0), (2.75, 5.5), (3.0, 5.0)] {
            assert!((wave.at(t) - expected).abs() < 1e-9, "at {t} s: {}", wave.at(t));
        }
    }

    /// The phase over 1 ms turns by the frequency there.
    #[test]
    fn a_sweep_passes_through_its_frequencies() {
        for (exponential, middle) in [(false, 1050.0), (true, (100.0_f64 * 2000.0).sqrt())] {
            let waveform = Waveform::Sweep { frequencies: [100.0, 2000.0], exponential };
            let wave = Wave::new(waveform, 1.0, 0.0).during(0.0, 4.0, 0.0);
            for (t, expected) in [(0.0, 100.0), (2.0, middle), (3.999_999, 2000.0)] {
                let from = (t - 0.02_f64).max(0.0);
                let part: Vec<f64> = (0..2000).map(|n| wave.at(from + n as f64 * 0.04 / 2000.0)).collect();
                let crossings = part.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count() as f64;
                let span = (4.0 - from).min(0.04);
                assert!(
                    (crossings - expected * span).abs() <= 0.1 * expected * span + 1.5,
                    "{expected} Hz: {crossings}"
                );
            }
        }
    }

    #[test]
    fn noise_has_the_stated_band_and_level_and_follows_from_its_seed() {
        let noise = |seed| Wave::new(Waveform::Noise { bandwidth: 500.0, seed }, 1.0, 0.0);
        let one = samples(&noise(1), 1 << 17);
        assert_eq!(one, samples(&noise(1), 1 << 17));
        let other = samples(&noise(2), 1 << 17);
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() / a.len() as f64;
        let rms = product(&one, &one).sqrt();
        assert!((rms - 0.40).abs() < 0.02, "{rms}");
        assert!(product(&one, &other).abs() < 0.1 * rms * rms, "seeds are independent");
        assert!(product(&one[88..], &other[..one.len() - 88]).abs() < 0.1 * rms * rms, "and not shifted");
        // Mean power over many frequencies around each, relative to that at low ones.
        let level = |frequency: f64| {
            let around = (0..40).map(|n| power(&one, frequency * (0.9 + 0.005 * f64::from(n))));
            10.0 * (around.sum::<f64>() / 40.0).log10()
        };
        let low = level(50.0);
        for (frequency, expected, tolerance) in [(500.0, -3.7, 2.5), (1000.0, -15.7, 2.5)] {
            let found = level(frequency) - low;
            assert!((found - expected).abs() < tolerance, "{frequency} Hz: {found} dB, not {expected}");
        }
        for frequency in [2000.0, 3000.0, 5000.0, 10_000.0] {
            assert!(level(frequency) - low < -50.0, "{frequency} Hz: {} dB", level(frequency) - low);
        }
    }

    proptest! {
        #[test]
        fn waves_stay_within_their_range_and_are_the_same_read_in_any_order(
            (frequency, to, phase) in (1e-3..2e4, 1e-3..2e4, -10.0..10.0),
            (amplitude, offset, seed) in (-1e3..1e3, -1e3..1e3, any::<u64>()),
            (start, duration, fade) in (0.0..10.0, 1e-4..1e4, 0.0..2.0),
            times in prop::collection::vec(0.0..1e4, 1..50),
        ) {
            let forms = [
                Waveform::Sine { frequency, phase },
                Waveform::Sweep { frequencies: [frequency, to], exponential: seed % 2 == 0 },
                Waveform::Noise { bandwidth: frequency, seed },
            ];
            for form in forms {
                let wave = Wave::new(form, amplitude, offset).during(start, duration, fade);
                prop_assert!(wave.is_well_formed());
                let control = Control::Wave(Box::new(wave.clone()));
                let mut cached = crate::control::cached_control::CachedControl::from(control.clone());
                for &t in &times {
                    let value = wave.at(t);
                    prop_assert!(wave.range()[0] <= value && value <= wave.range()[1], "{wave:?} at {t}: {value}");
                    prop_assert_eq!(value, control.at(t));
                    prop_assert_eq!(value, cached.at(t));
                }
            }
        }
    }

    #[test]
    fn what_cannot_oscillate_is_not_well_formed() {
        let wrong = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0];
        let sine = |frequency, phase| Wave::new(Waveform::Sine { frequency, phase }, 1.0, 0.0);
        assert!(sine(1.0, 0.0).is_well_formed());
        for x in wrong {
            assert!(!sine(x, 0.0).is_well_formed());
            assert!(!sine(1.0, 0.0).during(0.0, x, 0.0).is_well_formed() || x == f64::INFINITY);
            assert!(!sine(1.0, 0.0).during(0.0, 1.0, x).is_well_formed());
            let sweep = |frequencies| Wave::new(Waveform::Sweep { frequencies, exponential: true }, 1.0, 0.0);
            assert!(!sweep([x, 1.0]).during(0.0, 1.0, 0.0).is_well_formed());
            assert!(!sweep([1.0, x]).during(0.0, 1.0, 0.0).is_well_formed());
            assert!(!sweep([1.0, 2.0]).is_well_formed(), "a sweep has an end");
            assert!(!Wave::new(Waveform::Noise { bandwidth: x, seed: 0 }, 1.0, 0.0).is_well_formed());
            if x != -1.0 {
                assert!(!sine(1.0, x).is_well_formed());
                assert!(!Wave::new(Waveform::Sine { frequency: 1.0, phase: 0.0 }, x, 0.0).is_well_formed());
                assert!(!Wave::new(Waveform::Sine { frequency: 1.0, phase: 0.0 }, 1.0, x).is_well_formed());
                assert!(!sine(1.0, 0.0).during(x, 1.0, 0.0).is_well_formed());
            }
        }
    }
}
