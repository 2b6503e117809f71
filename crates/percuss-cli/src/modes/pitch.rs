//! Sounding frequencies of modes in discrete time, and the nearest note.

use std::f64::consts::PI;

/// Range of frequencies with a pitch \[Hz\].
const AUDIBLE_RANGE: (f64, f64) = (16.0, 20_000.0);
const NOTE_NAMES: [&str; 12] = ["C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B"];

/// Frequency of a mode in discrete time with a time step of k seconds \[Hz\]; `None` at or above the Nyquist frequency.
///
/// δtt u = −ω²u has solutions e^{jω′nk} with 2 sin(ω′k/2) = ωk.
pub fn sounding_frequency(frequency: f64, k: f64) -> Option<f64> {
    let sine = PI * frequency * k;
    (sine < 1.0).then(|| sine.asin() / (PI * k))
}

/// A note in equal temperament with A4 = 440 Hz, and the distance from it. Shown as `A4 +3 ct`.
#[derive(Clone, Debug, PartialEq)]
pub struct NearestNote {
    /// Name, such as `C♯4`.
    pub name: String,
    /// From −50 to 50.
    pub cents: f64,
}

impl std::fmt::Display for NearestNote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cents = format!("{:+.0}", self.cents).replace('-', "−").replace("−0", "+0");
        write!(f, "{} {cents} ct", self.name)
    }
}

/// The nearest note; `None` outside the range of hearing.
pub fn nearest_note(frequency: f64) -> Option<NearestNote> {
    if !(AUDIBLE_RANGE.0..=AUDIBLE_RANGE.1).contains(&frequency) {
        return None;
    }
    // Semitones above C0, which is 57 below A4.
    let above = 57.0 + 12.0 * (frequency / 440.0).log2();
    let nearest = above.round();
    let (octave, step) = ((nearest / 12.0).floor(), nearest.rem_euclid(12.0) as usize);
    Some(NearestNote { name: format!("{}{octave}", NOTE_NAMES[step]), cents: 100.0 * (above - nearest) })
}

/// Interval between two frequencies \[cents\].
pub fn cents(from: f64, to: f64) -> f64 {
    1200.0 * (to / from).log2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_note_has_name_and_cents() {
        for (frequency, expected) in [
            (440.0, Some("A4 +0 ct")),
            (261.6256, Some("C4 +0 ct")),
            (30.868, Some("B0 +0 ct")),
            (450.0, Some("A4 +39 ct")),
            (430.0, Some("A4 −40 ct")),
            (0.0, None),
        ] {
            assert_eq!(nearest_note(frequency).map(|note| note.to_string()).as_deref(), expected, "{frequency} Hz");
        }
    }

    #[test]
    fn discrete_time_raises_frequencies_up_to_nyquist() {
        let k = 1.0 / 44_100.0;
        assert_eq!(sounding_frequency(0.0, k), Some(0.0));
        // At the stability limit ωk = 2 the frequency is 22 050 Hz.
        assert!((sounding_frequency(0.999_999_999 / (PI * k), k).unwrap() - 22_050.0).abs() < 2.0);
        assert!(sounding_frequency(1000.0, k).unwrap() > 1000.0);
        assert_eq!(sounding_frequency(15_000.0, k), None);
        assert!((cents(440.0, 880.0) - 1200.0).abs() < 1e-9);
    }
}
