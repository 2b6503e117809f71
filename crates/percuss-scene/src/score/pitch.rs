//! Pitches: names of notes, and the partials of a stiff string.
//!
//! Partials    ω² = c²β² + κ²β⁴, β = nπ/L: simply supported ends, spatially continuous
//! Part        a part of length x·L sounds at f where β = π/(xL): β² = 2ω²/(c² + √(c⁴ + 4κ²ω²))
//! Symbols     c² = T/ρA \[m²/s²\], κ² = EI/ρA \[m⁴/s²\], L length \[m\], f frequency \[Hz\]

use percuss::StiffString;
use std::f64::consts::{PI, TAU};

/// Highest partial that is played.
pub(crate) const HIGHEST: u32 = 64;

/// The partials of a string.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Partials {
    length: f64,
    c2: f64,
    kappa2: f64,
}

impl Partials {
    /// Those of a share of a string held at both ends; clamped ends are taken as simply supported.
    pub fn of(string: &StiffString, share: f64) -> Self {
        let area = PI * string.radius.powi(2);
        Self {
            length: share * string.length,
            c2: string.tension / (string.density * area),
            kappa2: string.youngs_modulus * string.radius.powi(2) / (4.0 * string.density),
        }
    }

    /// Frequency of a partial, from 1 \[Hz\].
    pub fn frequency(&self, n: u32) -> f64 {
        let beta = f64::from(n) * PI / self.length;
        beta * (self.c2 + self.kappa2 * beta * beta).sqrt() / TAU
    }

    /// The share of the string whose lowest partial has a frequency; above 1 where the whole string is too short.
    pub fn sounding_part(&self, frequency: f64) -> f64 {
        let omega = TAU * frequency;
        let beta2 = 2.0 * omega * omega / (self.c2 + (self.c2 * self.c2 + 4.0 * self.kappa2 * omega * omega).sqrt());
        PI / (beta2.sqrt() * self.length)
    }

    /// The partial nearest to a frequency, and how far the frequency is above it \[cents\].
    pub fn nearest(&self, frequency: f64) -> (u32, f64) {
        let below = (1.0 / self.sounding_part(frequency)).clamp(1.0, f64::from(HIGHEST)) as u32;
        let distance = |n: u32| cents(self.frequency(n), frequency);
        let candidates = [below, (below + 1).min(HIGHEST)].map(|n| (n, distance(n)));
        if candidates[1].1.abs() < candidates[0].1.abs() { candidates[1] } else { candidates[0] }
    }
}

/// How far one frequency is above another \[cents\].
pub(crate) fn cents(from: f64, to: f64) -> f64 {
    1200.0 * (to / from).log2()
}

/// Frequency of a MIDI key in equal temperament on A4 = 440 Hz.
pub(crate) fn of_key(key: f64) -> f64 {
    440.0 * ((key - 69.0) / 12.0).exp2()
}

/// Name of a MIDI key: 60 is `C4`.
pub(crate) fn name_of_key(key: u8) -> String {
    const NAMES: [&str; 12] = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
    format!("{}{}", NAMES[usize::from(key % 12)], i32::from(key / 12) - 1)
}

/// Frequency of a note such as `D3`, `F#4` or `Bb2` \[Hz\].
pub(crate) fn named(name: &str) -> Option<f64> {
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
    Some(of_key(f64::from(12 * (octave + 1) + step + shift)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marine() -> Partials {
        Partials::of(&StiffString { length: 1.9, radius: 5e-4, tension: 91.0, ..StiffString::default() }, 1.0)
    }

    #[test]
    fn notes_have_the_frequencies_of_equal_temperament() {
        for (name, frequency) in [
            ("A4", 440.0),
            ("C4", 261.625_565),
            ("c#4", 277.182_631),
            ("Db4", 277.182_631),
            ("E♭3", 155.563_492),
            ("B0", 30.867_706_3),
            ("C-1", 8.175_798_9),
        ] {
            assert!((named(name).unwrap() / frequency - 1.0).abs() < 1e-8, "{name}");
        }
        for wrong in ["", "H4", "D", "D3x", "3", "D#", "Dq3", "D99"] {
            assert_eq!(named(wrong), None, "{wrong:?}");
        }
        assert_eq!((name_of_key(60), name_of_key(70), name_of_key(0)), ("C4".into(), "A#4".into(), "C-1".into()));
    }

    #[test]
    fn partials_of_a_flexible_string_are_harmonic_and_stiffness_stretches_them() {
        let flexible = Partials { kappa2: 0.0, ..marine() };
        for n in 1..=20 {
            let ratio = flexible.frequency(n) / flexible.frequency(1);
            assert!((ratio - f64::from(n)).abs() < 1e-12);
            assert!(marine().frequency(n) > flexible.frequency(n));
        }
        let (c, length) = (flexible.c2.sqrt(), 1.9);
        assert!((flexible.frequency(1) - c / (2.0 * length)).abs() < 1e-12);
    }

    #[test]
    fn a_part_of_the_string_sounds_as_it_should() {
        for string in [marine(), Partials { kappa2: 0.0, ..marine() }, Partials { c2: 0.0, ..marine() }] {
            for part in [1.0, 0.7, 0.25, 0.03] {
                let shorter = Partials { length: part * string.length, ..string };
                let found = string.sounding_part(shorter.frequency(1));
                assert!((found / part - 1.0).abs() < 1e-12, "{part}: {found}");
            }
        }
    }

    #[test]
    fn the_nearest_partial_is_the_nearest() {
        let string = marine();
        for n in 1..=HIGHEST {
            let (found, off) = string.nearest(1.003 * string.frequency(n));
            assert_eq!(found, n);
            assert!((off - cents(1.0, 1.003)).abs() < 1e-9);
        }
        assert_eq!(string.nearest(1.0).0, 1);
        assert_eq!(string.nearest(19_000.0).0, HIGHEST);
    }
}
