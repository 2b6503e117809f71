//! Where a finger goes for a note, or why it cannot. Places are fractions of the sounding part, from nut to bridge.

use super::pitch::{Partials, cents};
use super::{Note, Technique, Tone};
use crate::limits::plain;
use std::f64::consts::PI;

/// Nearest a finger comes to the bow, as a fraction of the length.
const MARGIN: f64 = 0.03;
/// Farthest a pitch may be from what is played for it \[cents\].
const SEMITONE: f64 = 100.0;
/// So near the end of the string a finger stops nothing.
const WHOLE: f64 = 0.995;
/// A partial whose shape under the bow is below this share of its largest hardly speaks.
const FAINT: f64 = 0.45;
/// Where a bow that follows the finger stands in the part that sounds: there, every harmonic up to 10 speaks.
const FOLLOWING: f64 = 0.4;

/// What the finger does for a note.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Touch {
    /// Nothing.
    Open,
    /// Lies lightly on a place.
    Light(f64),
    /// Stops the string at a place.
    Firm(f64),
}

/// Why a note cannot be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Trouble {
    /// Every node of the harmonic is next to the bow.
    NextToBow { harmonic: u32, bow: f64 },
    /// No harmonic is within a semitone.
    BetweenHarmonics { pitch: f64, harmonic: u32, frequency: f64, cents: f64 },
    /// Lower than the open string.
    TooLow { pitch: f64, open: f64 },
    /// The part of the string that would sound is not the one under the bow.
    BesideBow { pitch: f64, bow: f64 },
}

impl Trouble {
    /// The field at fault, what is wrong, and what to do.
    pub fn words(&self) -> (&'static str, String, String) {
        let hertz = |f: f64| format!("{} Hz", plain((10.0 * f).round() / 10.0));
        match *self {
            Self::NextToBow { harmonic, bow } => (
                "harmonic",
                format!(
                    "harmonic {harmonic} has no node away from the bow, which is at {} of the sounding part",
                    plain(bow)
                ),
                "move the bow with bow_at = 0.1, or say where to touch with finger_at".to_owned(),
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
                "stopping a string makes it higher; lower its tension or make it longer".to_owned(),
            ),
            Self::BesideBow { pitch, bow } => (
                "pitch",
                format!("pitch is {}, but the bow at {} is not on the part that would sound", hertz(pitch), plain(bow)),
                "move the bow with bow_at, or play lower".to_owned(),
            ),
        }
    }
}

/// What the finger does for a note, with the bow at a fraction of the length.
pub(crate) fn touch(note: &Note, string: &Partials, bow: f64) -> Result<Touch, Trouble> {
    match (note.tone, note.technique) {
        (Tone::Open, _) => Ok(Touch::Open),
        (Tone::Harmonic(n), _) => harmonic(n, bow),
        (Tone::At(at), Technique::Harmonic) => Ok(Touch::Light(at)),
        (Tone::At(at), Technique::Stopped) => Ok(Touch::Firm(at)),
        (Tone::Pitch(pitch), Technique::Harmonic) => {
            let (n, off) = string.nearest(pitch);
            if off.abs() > SEMITONE {
                let frequency = string.frequency(n);
                return Err(Trouble::BetweenHarmonics { pitch, harmonic: n, frequency, cents: off });
            }
            harmonic(n, bow)
        }
        (Tone::Pitch(pitch), Technique::Stopped) => stop(pitch, string, bow),
    }
}

/// The node of harmonic n that is touched: the first beyond the bow, else the last before it.
pub(crate) fn harmonic(n: u32, bow: f64) -> Result<Touch, Trouble> {
    if n <= 1 {
        return Ok(Touch::Open);
    }
    let node = |m: u32| f64::from(m) / f64::from(n);
    // Where m and n have a divisor in common, a lower harmonic has a node too, and would sound instead.
    let own = || (1..n).filter(|&m| divisor(m, n) == 1).map(node);
    let beyond = own().find(|&at| at > bow + MARGIN);
    let found = beyond.or_else(|| own().rfind(|&at| at < bow - MARGIN));
    found.map(Touch::Light).ok_or(Trouble::NextToBow { harmonic: n, bow })
}

/// Whether the bow is next to a node of harmonic n, so that it hardly speaks. The ends are not meant: bowed near the
/// bridge, all partials speak.
pub(crate) fn is_faint(n: u32, bow: f64) -> bool {
    let nearest = (f64::from(n) * bow).round();
    nearest > 0.0 && nearest < f64::from(n) && (f64::from(n) * PI * bow).sin().abs() < FAINT
}

/// The partial a note asks for, where it asks for one.
pub(crate) fn partial(note: &Note, string: &Partials) -> Option<u32> {
    match (note.tone, note.technique) {
        (Tone::Harmonic(n), _) => Some(n),
        (Tone::Pitch(pitch), Technique::Harmonic) => Some(string.nearest(pitch).0),
        _ => None,
    }
}

/// The partial that sounds in a note that neither stops the string nor has a place of its own for the finger.
pub(crate) fn sounding(note: &Note, string: &Partials) -> Option<u32> {
    if note.tone == Tone::Open { Some(1) } else { partial(note, string) }
}

/// Where a bow that follows the finger stands, between the nut and the finger; `None` on an open string.
pub(crate) fn following(note: &Note, string: &Partials) -> Option<f64> {
    let part = match (partial(note, string), note.tone) {
        (Some(n), _) => 1.0 / f64::from(n),
        (None, Tone::Pitch(pitch)) => string.sounding_part(pitch),
        (None, _) => return None,
    };
    (part <= WHOLE).then_some(FOLLOWING * part)
}

/// Where to stop the string: the part that sounds is the one under the bow, and the finger is as far from it as can be.
fn stop(pitch: f64, string: &Partials, bow: f64) -> Result<Touch, Trouble> {
    let open = string.frequency(1);
    if cents(open, pitch) < -SEMITONE {
        return Err(Trouble::TooLow { pitch, open });
    }
    let part = string.sounding_part(pitch);
    if part > WHOLE {
        return Ok(Touch::Open);
    }
    let (beyond, before) = (part - bow, bow - (1.0 - part));
    let at = if beyond >= before { part } else { 1.0 - part };
    if beyond.max(before) > MARGIN { Ok(Touch::Firm(at)) } else { Err(Trouble::BesideBow { pitch, bow }) }
}

fn divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use percuss::StiffString;

    fn string() -> Partials {
        Partials::of(&StiffString { length: 1.9, radius: 5e-4, tension: 91.0, ..StiffString::default() }, 1.0)
    }

    fn note(tone: Tone, technique: Technique) -> Note {
        Note { tone, technique, ..Note::default() }
    }

    #[test]
    fn harmonics_are_touched_at_nodes_of_their_own_beyond_the_bow() {
        let bow = 0.217;
        for (n, at) in [(2, 0.5), (3, 1.0 / 3.0), (4, 0.25), (5, 0.4), (6, 5.0 / 6.0), (7, 2.0 / 7.0), (9, 4.0 / 9.0)] {
            assert_eq!(harmonic(n, bow), Ok(Touch::Light(at)), "harmonic {n}");
        }
        assert_eq!(harmonic(1, bow), Ok(Touch::Open));
        assert_eq!(harmonic(3, 0.9), Ok(Touch::Light(2.0 / 3.0)), "as on a violin, between nut and bow");
        assert_eq!(harmonic(2, 0.5), Err(Trouble::NextToBow { harmonic: 2, bow: 0.5 }));
    }

    #[test]
    fn every_harmonic_is_touched_where_no_lower_one_has_a_node() {
        for n in 2..=64 {
            let Ok(Touch::Light(at)) = harmonic(n, 0.217) else { panic!("harmonic {n}") };
            assert!((f64::from(n) * PI * at).sin().abs() < 1e-12);
            assert!((1..n).all(|lower| (f64::from(lower) * PI * at).sin().abs() > 1e-3), "harmonic {n} at {at}");
        }
    }

    #[test]
    fn a_bow_that_follows_stands_between_the_nut_and_the_finger_and_off_the_nodes() {
        for n in 2..=12 {
            let bow = following(&note(Tone::Harmonic(n), Technique::Harmonic), &string()).unwrap();
            assert_eq!(harmonic(n, bow), Ok(Touch::Light(1.0 / f64::from(n))), "harmonic {n}");
            assert!(!is_faint(n, bow));
        }
        assert_eq!(following(&note(Tone::Open, Technique::Harmonic), &string()), None);
        assert_eq!(following(&note(Tone::Harmonic(1), Technique::Harmonic), &string()), None);
    }

    #[test]
    fn a_bow_on_a_node_is_faint_but_not_at_the_end_of_the_string() {
        assert!(is_faint(5, 0.217) && is_faint(4, 0.217) && !is_faint(3, 0.217) && !is_faint(7, 0.217));
        assert!(!is_faint(2, 0.95) && !is_faint(3, 0.02));
    }

    #[test]
    fn a_pitch_finds_its_harmonic_within_a_semitone() {
        let fifth = string().frequency(5);
        assert_eq!(touch(&note(Tone::Pitch(1.04 * fifth), Technique::Harmonic), &string(), 0.217), harmonic(5, 0.217));
        let between = touch(&note(Tone::Pitch(1.09 * fifth), Technique::Harmonic), &string(), 0.217);
        assert!(matches!(between, Err(Trouble::BetweenHarmonics { .. })), "{between:?}");
    }

    #[test]
    fn a_stopped_string_sounds_on_the_side_of_the_bow() {
        let string = string();
        let stopped = |ratio: f64, bow: f64| {
            touch(&note(Tone::Pitch(ratio * string.frequency(1)), Technique::Stopped), &string, bow)
        };
        let Ok(Touch::Firm(nut)) = stopped(1.5, 0.217) else { panic!("not stopped") };
        let Ok(Touch::Firm(bridge)) = stopped(1.5, 0.9) else { panic!("not stopped") };
        // Stiffness makes the part a hair longer than 2/3.
        assert!((nut - 2.0 / 3.0).abs() < 1e-3 && (bridge - 1.0 / 3.0).abs() < 1e-3, "{nut} {bridge}");
        assert_eq!(stopped(1.0, 0.217), Ok(Touch::Open));
        assert!(matches!(stopped(0.9, 0.217), Err(Trouble::TooLow { .. })));
        assert!(matches!(stopped(6.0, 0.217), Err(Trouble::BesideBow { .. })));
    }
}
