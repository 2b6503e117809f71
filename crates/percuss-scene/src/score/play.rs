//! Playing a score: which string is under the bow, where the finger goes for every note, and what stands in the way.

use super::gesture::{Gestures, Stroke};
use super::pitch::{Partials, name_of_key};
use super::touch::{Touch, Trouble, following, harmonic, is_faint, partial, sounding, touch};
use super::{Author, Note, Score, Strokes, Tone};
use crate::build::Builder;
use crate::diagnostic::Severity;
use crate::fields::Fields;
use crate::limits::plain;
use percuss::{Element, ElementId, End, Path, PathPlace, Place};

/// What the hands do with the bow that is being read, which must stand on a string; `None` after a complaint.
pub(crate) fn play(fields: &Fields<'_>, builder: &mut Builder<'_>, bow: &Path) -> Option<Gestures> {
    let bridge = builder.score.as_ref()?.bridge;
    let (string, home) = instrument(fields, builder, bow, bridge)?;
    let mut score = builder.score.take()?;
    let strokes = strokes(&score, &string, home, builder);
    score.string = Some(bow.element);
    score.gestures = Some(Gestures::new(&strokes, home));
    let gestures = score.gestures.clone();
    if score.notes.is_empty() {
        let (place, hint) = (score.origin.place, "add [[note]] tables, or render with --midi FILE.mid");
        builder.remark(Severity::Warning, place, "the score has no notes".to_owned(), hint);
    }
    builder.score = Some(score);
    gestures
}

/// What the score does with the finger that is being read, and the string it plays; `None` after a complaint.
pub(crate) fn follow(fields: &Fields<'_>, builder: &Builder<'_>) -> Option<(ElementId, Gestures)> {
    for field in ["at", "pressure"] {
        if fields.has(field) {
            let message = format!("finger.{field} is given, but the score plays this finger");
            fields.complain(field, message, Some("drop it; [score] sets the pressure".to_owned()));
        }
    }
    let element = builder.element(fields)?;
    let score = builder.score.as_ref()?;
    if score.string.is_some_and(|string| string != element) {
        let hint = Some("let of name the same string as the bow's".to_owned());
        fields.complain("of", "the score's finger is not on the string that is bowed".to_owned(), hint);
        return None;
    }
    Some((element, score.gestures.clone()?))
}

/// Complains where the hands that the score names were not found.
pub(crate) fn missing(builder: &mut Builder<'_>) {
    let Some(score) = builder.score.take() else { return };
    let mut complain = |field: &str, id: &str, kind: &str| {
        let message = format!("score.{field} is \"{id}\", which is the id of no {kind}");
        let hint = format!("give a [[{kind}]] that id, as in id = \"{id}\"");
        builder.remark(Severity::Error, score.origin.of(field), message, &hint);
    };
    if !score.bow.is_empty() && !score.bowed {
        complain("bow", &score.bow, "bow");
    }
    if let Some(finger) = score.finger.as_deref().filter(|_| !score.fingered) {
        complain("finger", finger, "finger");
    }
}

/// The string under a bow, and the bow's place on it.
fn instrument(fields: &Fields<'_>, builder: &Builder<'_>, bow: &Path, bridge: f64) -> Option<(Partials, f64)> {
    for field in ["force", "velocity"] {
        if fields.has(field) {
            let message = format!("bow.{field} is given, but the score plays this bow");
            fields.complain(field, message, Some(format!("drop it; {field} in [score] sets the range")));
        }
    }
    let complain = |field: &str, message: &str, hint: &str| {
        fields.complain(field, message.to_owned(), Some(hint.to_owned()));
        None
    };
    let string = match &builder.model.elements()[bow.element.index()] {
        Element::String(string) if !string.ends.contains(&End::Free) => Partials::of(string, bridge),
        Element::String(_) => {
            return complain("of", "the score needs a string that is held at both ends", "choose ends");
        }
        _ => {
            return complain("of", "the score's bow is not on a string", "scores are for strings; play others by hand");
        }
    };
    match bow.place {
        PathPlace::Still(Place::Along(at)) if at < bridge => Some((string, at)),
        PathPlace::Still(_) => {
            complain("at", "the score's bow is not between nut and bridge", "move at, or score.bridge")
        }
        _ => {
            complain("at", "bow.at changes in time, but the score moves this bow", "give a number, and bow_at in notes")
        }
    }
}

/// How every note is played.
fn strokes(score: &Score, string: &Partials, home: f64, builder: &mut Builder<'_>) -> Vec<Stroke> {
    let between = |[low, high]: [f64; 2], level: f64| low + level * (high - low);
    let mut strokes = Vec::with_capacity(score.notes.len());
    let mut direction = 1.0;
    for note in &score.notes {
        let followed = score.bow_follows.then(|| following(note, string)).flatten();
        let bow_at = note.bow_at.or(followed.map(|at| at * score.bridge)).unwrap_or(home);
        let finger = match finger(note, string, bow_at / score.bridge, builder) {
            Touch::Open => None,
            Touch::Light(at) => Some((at, score.harmonic_pressure)),
            Touch::Firm(at) => Some((at, score.stopped_pressure)),
        };
        // A place that is given is one on the whole string.
        let scale = if matches!(note.tone, Tone::At(_)) { 1.0 } else { score.bridge };
        let finger = finger.map(|(at, pressure)| (at * scale, pressure));
        strokes.push(Stroke {
            start: note.start,
            end: note.end(),
            attack: note.attack,
            release: note.release,
            force: between(score.force, note.level),
            velocity: direction * between(score.velocity, note.level),
            bow_at,
            finger,
            harmonic: sounding(note, string).map(|n| (n, score.bridge / f64::from(n))),
            expression: note.expression.clone(),
        });
        if score.strokes == Strokes::Alternate {
            direction = -direction;
        }
    }
    if score.finger.is_none() && strokes.iter().any(|stroke| stroke.finger.is_some()) {
        let message = "the notes need a finger, and the score names none".to_owned();
        let hint = "add finger = \"id of a [[finger]]\" to [score]; without one only the open string sounds";
        builder.remark(Severity::Error, score.origin.place, message, hint);
    }
    strokes
}

/// What the finger does for a note. One in the scene that cannot be played is refused; for one in a MIDI file, the
/// nearest harmonic is played.
fn finger(note: &Note, string: &Partials, bow: f64, builder: &mut Builder<'_>) -> Touch {
    let found = touch(note, string, bow);
    if let (Ok(_), Some(n)) = (&found, partial(note, string).filter(|&n| is_faint(n, bow))) {
        let message = format!(
            "the bow at {} of the sounding part is next to a node of harmonic {n}, which will hardly speak",
            plain(bow)
        );
        remark(note, message, "write bow_follows = true in [score], or bow_at in the note", builder);
    }
    found.unwrap_or_else(|trouble| match (&note.author, note.tone) {
        (Author::Key(key), Tone::Pitch(pitch)) => instead(*key, pitch, trouble, string, bow, builder),
        (Author::Table(origin), _) => {
            let (field, message, hint) = trouble.words();
            builder.remark(Severity::Error, origin.of(field), format!("note.{message}"), &hint);
            Touch::Open
        }
        (Author::Key(_), _) => Touch::Open,
    })
}

/// What is played for a key that is out of reach.
fn instead(key: u8, pitch: f64, trouble: Trouble, string: &Partials, bow: f64, builder: &mut Builder<'_>) -> Touch {
    let (n, _) = string.nearest(pitch);
    let touch = harmonic(n, bow).unwrap_or(Touch::Open);
    let played = if touch == Touch::Open { "the open string".to_owned() } else { format!("harmonic {n}") };
    let message = format!("{}: {}; {played} is played", name_of_key(key), trouble.words().1);
    let hint = match trouble {
        Trouble::BetweenHarmonics { .. } => "transpose the file, tune the string, or use technique = \"stopped\"",
        Trouble::NextToBow { .. } | Trouble::BesideBow { .. } => "write bow_follows = true in [score]",
        Trouble::TooLow { .. } => "transpose the file up, or tune the string down",
    };
    builder.warn_of_performance(message, hint);
    touch
}

/// Warns about a note, wherever it comes from.
fn remark(note: &Note, message: String, hint: &str, builder: &mut Builder<'_>) {
    match &note.author {
        Author::Table(origin) => builder.remark(Severity::Warning, origin.of("harmonic"), message, hint),
        Author::Key(key) => builder.warn_of_performance(format!("{}: {message}", name_of_key(*key)), hint),
    }
}
