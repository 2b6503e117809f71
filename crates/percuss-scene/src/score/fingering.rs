//! Place of the finger for a note, or why there is none. Places are fractions of the sounding part, from nut to bridge.

use super::pitch::{Partials, cents};
use super::{Note, NotePitch, Technique};
use crate::limits::format_number;
use std::f64::consts::PI;

/// Minimum distance between finger and bow, as a fraction of the length.
const MIN_BOW_DISTANCE: f64 = 0.03;
/// Maximum interval between a pitch and the harmonic played for it \[cents\].
const SEMITONE: f64 = 100.0;
/// A finger beyond this fraction of the length does not change the pitch.
const MAX_SOUNDING_PART: f64 = 0.995;
/// Minimum amplitude of a mode shape at the bow, relative to its maximum, for the mode to be excited well.
const MIN_MODE_AMPLITUDE: f64 = 0.45;
/// Place of a bow that follows the finger, as a fraction of the sounding part. Every harmonic up to 10 sounds there.
const BOW_FRACTION: f64 = 0.4;

/// Action of the finger for a note.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fingering {
    /// No touch.
    Open,
    /// Light touch at a place.
    Light(f64),
    /// Firm touch at a place: stops the string.
    Firm(f64),
}

/// Why a note cannot be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FingeringError {
    /// Every node of the harmonic is too close to the bow.
    NextToBow { harmonic: u32, bow: f64 },
    /// No harmonic is within a semitone.
    BetweenHarmonics { pitch: f64, harmonic: u32, frequency: f64, cents: f64 },
    /// The pitch is lower than the open string.
    TooLow { pitch: f64, open: f64 },
    /// The bow is not on the part of the string that would sound.
    BowOutsideSoundingPart { pitch: f64, bow: f64 },
}

impl FingeringError {
    /// Field at fault, message and hint.
    pub fn describe(&self) -> (&'static str, String, String) {
        let hertz = |f: f64| format!("{} Hz", format_number((10.0 * f).round() / 10.0));
        match *self {
            Self::NextToBow { harmonic, bow } => (
                "harmonic",
                format!(
                    "harmonic {harmonic} has no node away from the bow, which is at {} of the sounding part",
                    format_number(bow)
                ),
                "move the bow with bow_at = 0.1, or give the place of the finger with finger_at".to_owned(),
            ),
            Self::BetweenHarmonics { pitch, harmonic, frequency, cents } => (
                "pitch",
                format!(
                    "pitch is {}, {:.0} cents from the nearest harmonic ({harmonic}, {}), must be within 100",
                    hertz(pitch),
                    cents.abs(),
                    hertz(frequency)
                ),
                format!("use harmonic = {harmonic}, or technique = \"stopped\""),
            ),
            Self::TooLow { pitch, open } => (
                "pitch",
                format!("pitch is {}, lower than the open string at {}", hertz(pitch), hertz(open)),
                "stopping raises the pitch; lower the tension or make the string longer".to_owned(),
            ),
            Self::BowOutsideSoundingPart { pitch, bow } => (
                "pitch",
                format!(
                    "pitch is {}, but the bow at {} is not on the part that would sound",
                    hertz(pitch),
                    format_number(bow)
                ),
                "move the bow with bow_at, or use a lower pitch".to_owned(),
            ),
        }
    }
}

/// Fingering of a note, with the bow at a fraction of the length and a finger of a stiffness where it stops the string \[N/m\].
pub(crate) fn fingering(note: &Note, string: &Partials, bow: f64, stiffness: f64) -> Result<Fingering, FingeringError> {
    match (note.pitch, note.technique) {
        (NotePitch::Open, _) => Ok(Fingering::Open),
        (NotePitch::Harmonic(n), _) => harmonic_fingering(n, bow),
        (NotePitch::FingerAt(at), Technique::Harmonic) => Ok(Fingering::Light(at)),
        (NotePitch::FingerAt(at), Technique::Stopped) => Ok(Fingering::Firm(at)),
        (NotePitch::Frequency(pitch), Technique::Harmonic) => {
            let (n, off) = string.nearest(pitch);
            if off.abs() > SEMITONE {
                let frequency = string.frequency(n);
                return Err(FingeringError::BetweenHarmonics { pitch, harmonic: n, frequency, cents: off });
            }
            harmonic_fingering(n, bow)
        }
        (NotePitch::Frequency(pitch), Technique::Stopped) => stopped_fingering(pitch, string, bow, stiffness),
    }
}

/// Fingering of harmonic n: at its first node beyond the bow, else at its last node before the bow.
pub(crate) fn harmonic_fingering(n: u32, bow: f64) -> Result<Fingering, FingeringError> {
    if n <= 1 {
        return Ok(Fingering::Open);
    }
    let node = |m: u32| f64::from(m) / f64::from(n);
    // If m and n have a common divisor, a lower harmonic has a node there too, and would sound instead.
    let own_nodes = || (1..n).filter(|&m| greatest_common_divisor(m, n) == 1).map(node);
    let beyond = own_nodes().find(|&at| at > bow + MIN_BOW_DISTANCE);
    let found = beyond.or_else(|| own_nodes().rfind(|&at| at < bow - MIN_BOW_DISTANCE));
    found.map(Fingering::Light).ok_or(FingeringError::NextToBow { harmonic: n, bow })
}

/// Whether the bow is close to a node of harmonic n, so that it is excited weakly. The ends of the string do not count:
/// bowed near the bridge, all partials sound.
pub(crate) fn is_weakly_excited(n: u32, bow: f64) -> bool {
    let nearest_node = (f64::from(n) * bow).round();
    nearest_node > 0.0 && nearest_node < f64::from(n) && (f64::from(n) * PI * bow).sin().abs() < MIN_MODE_AMPLITUDE
}

/// The harmonic of a note, if it has one.
pub(crate) fn note_harmonic(note: &Note, string: &Partials) -> Option<u32> {
    match (note.pitch, note.technique) {
        (NotePitch::Harmonic(n), _) => Some(n),
        (NotePitch::Frequency(pitch), Technique::Harmonic) => Some(string.nearest(pitch).0),
        _ => None,
    }
}

/// The harmonic that sounds; 1 on the open string, `None` if the finger stops the string or has a given place.
pub(crate) fn sounding_harmonic(note: &Note, string: &Partials) -> Option<u32> {
    if note.pitch == NotePitch::Open { Some(1) } else { note_harmonic(note, string) }
}

/// Place of a bow that follows the finger, between nut and finger; `None` on an open string.
pub(crate) fn following_bow_place(note: &Note, string: &Partials) -> Option<f64> {
    let fraction = match (note_harmonic(note, string), note.pitch) {
        (Some(n), _) => 1.0 / f64::from(n),
        (None, NotePitch::Frequency(pitch)) => string.sounding_fraction(pitch),
        (None, _) => return None,
    };
    (fraction <= MAX_SOUNDING_PART).then_some(BOW_FRACTION * fraction)
}

/// Fingering of a stopped note: the part under the bow sounds, and the finger is as far from the bow as possible.
fn stopped_fingering(pitch: f64, string: &Partials, bow: f64, stiffness: f64) -> Result<Fingering, FingeringError> {
    let open = string.frequency(1);
    if cents(open, pitch) < -SEMITONE {
        return Err(FingeringError::TooLow { pitch, open });
    }
    let fraction = string.sounding_fraction(pitch);
    if fraction > MAX_SOUNDING_PART {
        return Ok(Fingering::Open);
    }
    let fraction = string.stop_for(pitch, stiffness).min(1.0);
    let (beyond, before) = (fraction - bow, bow - (1.0 - fraction));
    let at = if beyond >= before { fraction } else { 1.0 - fraction };
    if beyond.max(before) > MIN_BOW_DISTANCE {
        Ok(Fingering::Firm(at))
    } else {
        Err(FingeringError::BowOutsideSoundingPart { pitch, bow })
    }
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use percuss::StiffString;

    fn string() -> Partials {
        Partials::new(&StiffString { length: 1.9, radius: 5e-4, tension: 91.0, ..StiffString::default() }, 1.0)
    }

    fn note(pitch: NotePitch, technique: Technique) -> Note {
        Note { pitch, technique, ..Note::default() }
    }

    #[test]
    fn harmonics_are_fingered_at_their_first_own_node_beyond_the_bow() {
        let bow = 0.217;
        for (n, at) in [(2, 0.5), (3, 1.0 / 3.0), (4, 0.25), (5, 0.4), (6, 5.0 / 6.0), (7, 2.0 / 7.0), (9, 4.0 / 9.0)] {
            assert_eq!(harmonic_fingering(n, bow), Ok(Fingering::Light(at)), "harmonic {n}");
        }
        assert_eq!(harmonic_fingering(1, bow), Ok(Fingering::Open));
        assert_eq!(harmonic_fingering(3, 0.9), Ok(Fingering::Light(2.0 / 3.0)), "between nut and bow, as on a violin");
        assert_eq!(harmonic_fingering(2, 0.5), Err(FingeringError::NextToBow { harmonic: 2, bow: 0.5 }));
    }

    #[test]
    fn no_lower_harmonic_has_a_node_at_the_finger() {
        for n in 2..=64 {
            let Ok(Fingering::Light(at)) = harmonic_fingering(n, 0.217) else { panic!("harmonic {n}") };
            assert!((f64::from(n) * PI * at).sin().abs() < 1e-12);
            assert!((1..n).all(|lower| (f64::from(lower) * PI * at).sin().abs() > 1e-3), "harmonic {n} at {at}");
        }
    }

    #[test]
    fn a_following_bow_is_between_nut_and_finger_and_off_the_nodes() {
        for n in 2..=12 {
            let bow = following_bow_place(&note(NotePitch::Harmonic(n), Technique::Harmonic), &string()).unwrap();
            assert_eq!(harmonic_fingering(n, bow), Ok(Fingering::Light(1.0 / f64::from(n))), "harmonic {n}");
            assert!(!is_weakly_excited(n, bow));
        }
        assert_eq!(following_bow_place(&note(NotePitch::Open, Technique::Harmonic), &string()), None);
        assert_eq!(following_bow_place(&note(NotePitch::Harmonic(1), Technique::Harmonic), &string()), None);
    }

    #[test]
    fn a_bow_near_a_node_excites_weakly_except_near_the_ends() {
        assert!(
            is_weakly_excited(5, 0.217)
                && is_weakly_excited(4, 0.217)
                && !is_weakly_excited(3, 0.217)
                && !is_weakly_excited(7, 0.217)
        );
        assert!(!is_weakly_excited(2, 0.95) && !is_weakly_excited(3, 0.02));
    }

    #[test]
    fn a_pitch_is_played_on_a_harmonic_within_a_semitone() {
        let fifth = string().frequency(5);
        assert_eq!(
            fingering(&note(NotePitch::Frequency(1.04 * fifth), Technique::Harmonic), &string(), 0.217, 1e5),
            harmonic_fingering(5, 0.217)
        );
        let between = fingering(&note(NotePitch::Frequency(1.09 * fifth), Technique::Harmonic), &string(), 0.217, 1e5);
        assert!(matches!(between, Err(FingeringError::BetweenHarmonics { .. })), "{between:?}");
    }

    #[test]
    fn a_stopped_string_sounds_on_the_side_of_the_bow() {
        let string = string();
        let stopped = |ratio: f64, bow: f64| {
            fingering(&note(NotePitch::Frequency(ratio * string.frequency(1)), Technique::Stopped), &string, bow, 1e5)
        };
        let Ok(Fingering::Firm(nut)) = stopped(1.5, 0.217) else { panic!("not stopped") };
        let Ok(Fingering::Firm(bridge)) = stopped(1.5, 0.9) else { panic!("not stopped") };
        let stop = string.stop_for(1.5 * string.frequency(1), 1e5);
        assert!((nut - stop).abs() < 1e-12 && (bridge - (1.0 - stop)).abs() < 1e-12, "{nut} {bridge}");
        // Stiffness makes the part slightly longer than 2/3: the string bends on beyond the finger.
        assert!((0.0..0.005).contains(&(stop - 2.0 / 3.0)), "{stop}");
        assert_eq!(stopped(1.0, 0.217), Ok(Fingering::Open));
        assert!(matches!(stopped(0.9, 0.217), Err(FingeringError::TooLow { .. })));
        assert!(matches!(stopped(6.0, 0.217), Err(FingeringError::BowOutsideSoundingPart { .. })));
    }
}
