//! Frequencies of notes, and the partials of a stiff string.
//!
//! Partials    ω² = c²β² + κ²β⁴, β = nπ/L: simply supported ends, continuous in space
//! Part        a part of length x·L has its first partial at f where β = π/(xL): β² = 2ω²/(c² + √(c⁴ + 4κ²ω²))
//! Stop        A stop of stiffness K on the whole length L at x = π/β + δ gives the part up to it the frequency ω where the motion per
//!             force there, [sin βx sin β(L−x)/(β sin βL) − 1/2b]/S, is −1/K: βδ(1 − βδ cot βL) = βε, ε = 1/2b − S/K, up to
//!             (βδ)³. Bending goes on beyond the stop, which tightens the part; the stop gives way, which slackens it; and both
//!             parts move each other, the more the nearer the other one is to ω. Where they repel each other no place gives ω, and
//!             the root is that of the nearest that one gives
//! Symbols     b² = β² + c²/κ², S = ρA(c² + 2κ²β²) \[N\], ρA mass per length \[kg/m\]
//!             c² = T/ρA \[m²/s²\], κ² = EI/ρA \[m⁴/s²\], L length \[m\], f frequency \[Hz\]

use percuss::StiffString;
use std::f64::consts::{PI, TAU};

/// Highest harmonic that can be played.
pub(crate) const MAX_HARMONIC: u32 = 64;

/// Largest yielding of a stop, as βε: a finger that gives way more does not stop the string.
const MAX_YIELDING: f64 = 0.3;

/// The partials of a string.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Partials {
    length: f64,
    line_density: f64,
    c2: f64,
    kappa2: f64,
}

impl Partials {
    /// Partials of a fraction of a string held at both ends; clamped ends are treated as simply supported.
    pub fn new(string: &StiffString, fraction: f64) -> Self {
        let area = PI * string.radius.powi(2);
        Self {
            length: fraction * string.length,
            line_density: string.density * area,
            c2: string.tension / (string.density * area),
            kappa2: string.youngs_modulus * string.radius.powi(2) / (4.0 * string.density),
        }
    }

    /// Frequency of a partial, from 1 \[Hz\].
    pub fn frequency(&self, n: u32) -> f64 {
        let beta = f64::from(n) * PI / self.length;
        beta * (self.c2 + self.kappa2 * beta * beta).sqrt() / TAU
    }

    /// Fraction of the string whose first partial has a frequency; above 1 if the whole string is too short.
    pub fn sounding_fraction(&self, frequency: f64) -> f64 {
        let omega = TAU * frequency;
        let beta2 = 2.0 * omega * omega / (self.c2 + (self.c2 * self.c2 + 4.0 * self.kappa2 * omega * omega).sqrt());
        PI / (beta2.sqrt() * self.length)
    }

    /// Place of a stop, as a fraction of the string, for which the part before it sounds at a frequency; `stiffness` of the stop in N/m.
    pub fn stop_for(&self, frequency: f64, stiffness: f64) -> f64 {
        let fraction = self.sounding_fraction(frequency);
        let beta = PI / (fraction * self.length);
        let bending = if self.kappa2 > 0.0 { 0.5 / (beta * beta + self.c2 / self.kappa2).sqrt() } else { 0.0 };
        let yielding = self.line_density * (self.c2 + 2.0 * self.kappa2 * beta * beta) / stiffness;
        let shift = (beta * (bending - yielding)).max(-MAX_YIELDING);
        let coupling = (beta * self.length).tan().recip();
        let root = (1.0 - 4.0 * coupling * shift).max(0.0).sqrt();
        fraction + 2.0 * shift / (1.0 + root) / (beta * self.length)
    }

    /// The partial nearest to a frequency, and the interval from the partial to the frequency \[cents\].
    pub fn nearest(&self, frequency: f64) -> (u32, f64) {
        let below = (1.0 / self.sounding_fraction(frequency)).clamp(1.0, f64::from(MAX_HARMONIC)) as u32;
        let interval = |n: u32| cents(self.frequency(n), frequency);
        let candidates = [below, (below + 1).min(MAX_HARMONIC)].map(|n| (n, interval(n)));
        if candidates[1].1.abs() < candidates[0].1.abs() { candidates[1] } else { candidates[0] }
    }
}

/// Interval between two frequencies \[cents\].
pub(crate) fn cents(from: f64, to: f64) -> f64 {
    1200.0 * (to / from).log2()
}

/// Frequency of a MIDI key in equal temperament, A4 = 440 Hz \[Hz\].
pub(crate) fn key_frequency(key: f64) -> f64 {
    440.0 * ((key - 69.0) / 12.0).exp2()
}

/// Name of a MIDI key: 60 is `C4`.
pub(crate) fn key_name(key: u8) -> String {
    const NOTE_NAMES: [&str; 12] = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
    format!("{}{}", NOTE_NAMES[usize::from(key % 12)], i32::from(key / 12) - 1)
}

/// Frequency of a note such as `D3`, `F#4` or `Bb2` \[Hz\].
pub(crate) fn note_frequency(name: &str) -> Option<f64> {
    let mut letters = name.trim().chars();
    let step = match letters.next()?.to_ascii_uppercase() {
        'C' => 0,
        'D' => 2,
        'E' => 4,
        'F' => 5,
        'G' => 7,
        'A' => 9,
        'B' => 11,
        _ => return None,
    };
    let rest = letters.as_str();
    let octave_at = rest.find(|letter: char| letter.is_ascii_digit() || letter == '-')?;
    let (accidentals, octave) = rest.split_at(octave_at);
    let shift = accidentals.chars().map(|sign| match sign {
        '#' | '♯' => Some(1),
        'b' | '♭' => Some(-1),
        _ => None,
    });
    let shift: i32 = shift.sum::<Option<i32>>()?;
    let octave: i32 = octave.parse().ok().filter(|octave| (-1..=10).contains(octave))?;
    Some(key_frequency(f64::from(12 * (octave + 1) + step + shift)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tromba_string() -> Partials {
        Partials::new(&StiffString { length: 1.9, radius: 5e-4, tension: 91.0, ..StiffString::default() }, 1.0)
    }

    #[test]
    fn note_names_have_equal_tempered_frequencies() {
        for (name, frequency) in [
            ("A4", 440.0),
            ("C4", 261.625_565),
            ("c#4", 277.182_631),
            ("Db4", 277.182_631),
            ("E♭3", 155.563_492),
            ("B0", 30.867_706_3),
            ("C-1", 8.175_798_9),
        ] {
            assert!((note_frequency(name).unwrap() / frequency - 1.0).abs() < 1e-8, "{name}");
        }
        for wrong in ["", "H4", "D", "D3x", "3", "D#", "Dq3", "D99"] {
            assert_eq!(note_frequency(wrong), None, "{wrong:?}");
        }
        assert_eq!((key_name(60), key_name(70), key_name(0)), ("C4".into(), "A#4".into(), "C-1".into()));
    }

    #[test]
    fn partials_of_a_flexible_string_are_harmonic_and_stiffness_stretches_them() {
        let flexible = Partials { kappa2: 0.0, ..tromba_string() };
        for n in 1..=20 {
            let ratio = flexible.frequency(n) / flexible.frequency(1);
            assert!((ratio - f64::from(n)).abs() < 1e-12);
            assert!(tromba_string().frequency(n) > flexible.frequency(n));
        }
        let (c, length) = (flexible.c2.sqrt(), 1.9);
        assert!((flexible.frequency(1) - c / (2.0 * length)).abs() < 1e-12);
    }

    #[test]
    fn sounding_fraction_inverts_the_first_partial() {
        for string in
            [tromba_string(), Partials { kappa2: 0.0, ..tromba_string() }, Partials { c2: 0.0, ..tromba_string() }]
        {
            for fraction in [1.0, 0.7, 0.25, 0.03] {
                let shorter = Partials { length: fraction * string.length, ..string };
                let found = string.sounding_fraction(shorter.frequency(1));
                assert!((found / fraction - 1.0).abs() < 1e-12, "{fraction}: {found}");
            }
        }
    }

    #[test]
    fn nearest_partial_is_found_with_its_interval() {
        let string = tromba_string();
        for n in 1..=MAX_HARMONIC {
            let (found, off) = string.nearest(1.003 * string.frequency(n));
            assert_eq!(found, n);
            assert!((off - cents(1.0, 1.003)).abs() < 1e-9);
        }
        assert_eq!(string.nearest(1.0).0, 1);
        assert_eq!(string.nearest(19_000.0).0, MAX_HARMONIC);
    }
}
