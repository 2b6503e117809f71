//! Converts the notes of a score to bow strokes on the string under the bow, and reports notes that cannot be played.

use super::fingering::{
    Fingering, FingeringError, fingering, following_bow_place, harmonic_fingering, is_weakly_excited, note_harmonic,
    sounding_harmonic,
};
use super::gesture::{BowStroke, Gestures};
use super::pitch::{Partials, key_name};
use super::{BowDirection, Note, NoteOrigin, NotePitch, Score};
use crate::diagnostic::Severity;
use crate::limits::format_number;
use crate::scene_builder::SceneBuilder;
use crate::table_reader::TableReader;
use percuss::{Element, ElementId, End, Path, PathPlace, Place};

/// Controls for the bow that is being read, which must be on a string; `None` after an error.
pub(crate) fn bow_gestures(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>, bow: &Path) -> Option<Gestures> {
    let bridge = builder.score.as_ref()?.bridge;
    let (string, bow_at) = bowed_string(table, builder, bow, bridge)?;
    let mut score = builder.score.take()?;
    let strokes = strokes(&score, &string, bow_at, builder);
    score.string = Some(bow.element);
    score.gestures = Some(Gestures::new(&strokes, bow_at));
    let gestures = score.gestures.clone();
    if score.notes.is_empty() {
        let (location, hint) = (score.location.start, "add [[note]] tables, or render with --midi FILE.mid");
        builder.report_at(Severity::Warning, location, "the score has no notes".to_owned(), hint);
    }
    builder.score = Some(score);
    gestures
}

/// The string and the controls for the finger that is being read; `None` after an error.
pub(crate) fn finger_gestures(table: &TableReader<'_>, builder: &SceneBuilder<'_>) -> Option<(ElementId, Gestures)> {
    for field in ["at", "pressure"] {
        if table.has(field) {
            let message = format!("finger.{field} is given, but the score plays this finger");
            table.report(field, message, Some("remove it; [score] sets the pressure".to_owned()));
        }
    }
    let element = builder.element(table)?;
    let score = builder.score.as_ref()?;
    if score.string.is_some_and(|string| string != element) {
        let hint = Some("name the string of the bow".to_owned());
        table.report("of", "the score's finger is not on the bowed string".to_owned(), hint);
        return None;
    }
    Some((element, score.gestures.clone()?))
}

/// Reports a bow or finger that the score names and the scene does not have.
pub(crate) fn report_missing_ids(builder: &mut SceneBuilder<'_>) {
    let Some(score) = builder.score.take() else { return };
    let mut report = |field: &str, id: &str, kind: &str| {
        let message = format!("score.{field} is \"{id}\", but no {kind} has this id");
        let hint = format!("add a [[{kind}]] with id = \"{id}\"");
        builder.report_at(Severity::Error, score.location.field(field), message, &hint);
    };
    if !score.bow.is_empty() && !score.bow_found {
        report("bow", &score.bow, "bow");
    }
    if let Some(finger) = score.finger.as_deref().filter(|_| !score.finger_found) {
        report("finger", finger, "finger");
    }
}

/// Partials of the string under the bow, and the place of the bow.
fn bowed_string(
    table: &TableReader<'_>,
    builder: &SceneBuilder<'_>,
    bow: &Path,
    bridge: f64,
) -> Option<(Partials, f64)> {
    for field in ["force", "velocity"] {
        if table.has(field) {
            let message = format!("bow.{field} is given, but the score plays this bow");
            table.report(field, message, Some(format!("remove it; {field} in [score] sets the range")));
        }
    }
    let report = |field: &str, message: &str, hint: &str| {
        table.report(field, message.to_owned(), Some(hint.to_owned()));
        None
    };
    let string = match &builder.model.elements()[bow.element.index()] {
        Element::String(string) if !string.ends.contains(&End::Free) => Partials::new(string, bridge),
        Element::String(_) => {
            return report("of", "the score needs a string that is held at both ends", "choose other ends");
        }
        _ => {
            return report(
                "of",
                "the score's bow is not on a string",
                "scores are for strings; set force and velocity of other bows yourself",
            );
        }
    };
    match bow.place {
        PathPlace::Still(Place::Along(at)) if at < bridge => Some((string, at)),
        PathPlace::Still(_) => {
            report("at", "the score's bow is not between nut and bridge", "change at, or score.bridge")
        }
        _ => report("at", "bow.at changes in time, but the score moves this bow", "give a number, and bow_at in notes"),
    }
}

/// The bow stroke of every note.
fn strokes(score: &Score, string: &Partials, default_bow_at: f64, builder: &mut SceneBuilder<'_>) -> Vec<BowStroke> {
    let interpolate = |[low, high]: [f64; 2], level: f64| low + level * (high - low);
    let mut strokes = Vec::with_capacity(score.notes.len());
    let mut direction = 1.0;
    for note in &score.notes {
        let following = score.bow_follows.then(|| following_bow_place(note, string)).flatten();
        let bow_at = note.bow_at.or(following.map(|at| at * score.bridge)).unwrap_or(default_bow_at);
        let stiffness = score.finger_stiffness * score.stopped_pressure;
        let found = fingering(note, string, bow_at / score.bridge, stiffness);
        let finger = match or_fallback(found, note, string, bow_at / score.bridge, builder) {
            Fingering::Open => None,
            Fingering::Light(at) => Some((at, score.harmonic_pressure)),
            Fingering::Firm(at) => Some((at, score.stopped_pressure)),
        };
        // finger_at is a fraction of the whole string.
        let scale = if matches!(note.pitch, NotePitch::FingerAt(_)) { 1.0 } else { score.bridge };
        let finger = finger.map(|(at, pressure)| (at * scale, pressure));
        strokes.push(BowStroke {
            start: note.start,
            end: note.end(),
            attack: note.attack,
            release: note.release,
            force: interpolate(score.force, note.dynamics),
            velocity: direction * interpolate(score.velocity, note.dynamics),
            bow_at,
            finger,
            harmonic: sounding_harmonic(note, string).map(|n| (n, score.bridge / f64::from(n))),
            expression: note.expression.clone(),
        });
        if score.bow_direction == BowDirection::Alternate {
            direction = -direction;
        }
    }
    if score.finger.is_none() && strokes.iter().any(|stroke| stroke.finger.is_some()) {
        let message = "the notes need a finger, but the score names none".to_owned();
        let hint = "add finger = \"id of a [[finger]]\" to [score]; without one only the open string sounds";
        builder.report_at(Severity::Error, score.location.start, message, hint);
    }
    strokes
}

/// Fingering of a note, where one was found. A note of the scene that cannot be played is an error; for a note of a MIDI file the
/// nearest harmonic is played.
fn or_fallback(
    found: Result<Fingering, FingeringError>,
    note: &Note,
    string: &Partials,
    bow: f64,
    builder: &mut SceneBuilder<'_>,
) -> Fingering {
    if let (Ok(_), Some(n)) = (&found, note_harmonic(note, string).filter(|&n| is_weakly_excited(n, bow))) {
        let message = format!(
            "the bow at {} of the sounding part is next to a node of harmonic {n} and excites it weakly",
            format_number(bow)
        );
        warn(note, message, "write bow_follows = true in [score], or bow_at in the note", builder);
    }
    found.unwrap_or_else(|error| match (&note.origin, note.pitch) {
        (NoteOrigin::MidiKey(key), NotePitch::Frequency(pitch)) => fallback(*key, pitch, error, string, bow, builder),
        (NoteOrigin::Table(location), _) => {
            let (field, message, hint) = error.describe();
            builder.report_at(Severity::Error, location.field(field), format!("note.{message}"), &hint);
            Fingering::Open
        }
        (NoteOrigin::MidiKey(_), _) => Fingering::Open,
    })
}

/// Fingering of a MIDI key that cannot be played: the nearest harmonic, with a warning.
fn fallback(
    key: u8,
    pitch: f64,
    error: FingeringError,
    string: &Partials,
    bow: f64,
    builder: &mut SceneBuilder<'_>,
) -> Fingering {
    let (n, _) = string.nearest(pitch);
    let fingering = harmonic_fingering(n, bow).unwrap_or(Fingering::Open);
    let played = if fingering == Fingering::Open { "the open string".to_owned() } else { format!("harmonic {n}") };
    let message = format!("{}: {}; {played} is played", key_name(key), error.describe().1);
    let hint = match error {
        FingeringError::BetweenHarmonics { .. } => {
            "transpose the file, tune the string, or use technique = \"stopped\""
        }
        FingeringError::NextToBow { .. } | FingeringError::BowOutsideSoundingPart { .. } => {
            "write bow_follows = true in [score]"
        }
        FingeringError::TooLow { .. } => "transpose the file up, or tune the string down",
    };
    builder.warn_about_midi_file(message, hint);
    fingering
}

/// Adds a warning about a note.
fn warn(note: &Note, message: String, hint: &str, builder: &mut SceneBuilder<'_>) {
    match &note.origin {
        NoteOrigin::Table(location) => builder.report_at(Severity::Warning, location.field("harmonic"), message, hint),
        NoteOrigin::MidiKey(key) => builder.warn_about_midi_file(format!("{}: {message}", key_name(*key)), hint),
    }
}
