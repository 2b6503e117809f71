//! Reading `[score]` and `[[note]]`, or taking the notes of a MIDI file instead.

use super::pitch::{self, HIGHEST};
use super::{Author, Note, Score, Strokes, Technique, Tone};
use crate::build::Builder;
use crate::diagnostic::Severity;
use crate::fields::Fields;
use crate::hands::{BOW_FORCE, BOW_VELOCITY};
use crate::limits::{Limits, plain, spaced, within};
use crate::midi::Performance;
use toml::de::DeTable;

const TECHNIQUES: [(&str, Technique); 2] = [("harmonic", Technique::Harmonic), ("stopped", Technique::Stopped)];
const STROKES: [(&str, Strokes); 2] = [("down", Strokes::Down), ("alternate", Strokes::Alternate)];
const DYNAMICS: [(&str, f64); 6] = [("pp", 0.0), ("p", 0.2), ("mp", 0.4), ("mf", 0.6), ("f", 0.8), ("ff", 1.0)];
const SHARE: Limits = within(0.0, 1.0, "");
const RAMP: Limits = within(0.0, 10.0, "s");
/// Silence after the last note, where nobody says how long a scene is \[s\].
const RINGING: f64 = 1.0;
/// Overlaps shorter than this are rounding \[s\].
const ROUNDING: f64 = 1e-9;

/// Reads the score and its notes.
pub(crate) fn read(root: &DeTable<'_>, builder: &mut Builder<'_>) {
    let score = builder.single(root, "score").map(|fields| {
        let score = header(&fields);
        Score { origin: fields.finish(), ..score }
    });
    let mut notes = Vec::new();
    let usual = score.clone().unwrap_or_else(unnamed);
    builder.each(root, "note", |fields, _| {
        let note = note(fields, &usual);
        notes.push(Note { author: Author::Table(fields.finish()), ..note });
    });
    let Some(mut score) = score else {
        if let Some(Note { author: Author::Table(origin), .. }) = notes.first() {
            let message = "there are notes, but no [score] that says what plays them";
            let hint = "add [score] with bow = \"id of a [[bow]]\"";
            builder.remark(Severity::Error, origin.place, message.to_owned(), hint);
        }
        return;
    };
    notes.sort_by(|a, b| a.start.total_cmp(&b.start));
    refuse_overlaps(&notes, builder);
    score.notes = notes;
    fit(&score, builder);
    builder.score = Some(score);
}

/// Plays a MIDI file instead of the notes in the scene.
pub(crate) fn perform(performance: &Performance, builder: &mut Builder<'_>) {
    let Some(score) = &mut builder.score else {
        let message = format!("the scene has no [score], which {} needs", performance.file);
        let hint = "add [score] with bow = \"id of a [[bow]]\" and finger = \"id of a [[finger]]\"";
        builder.remark(Severity::Error, None, message, hint);
        return;
    };
    let (technique, attack, release) = (score.technique, score.attack, score.release);
    let notes = performance.notes.iter().map(|played| Note {
        author: Author::Key(played.key),
        start: played.start,
        duration: played.end - played.start,
        tone: Tone::Pitch(pitch::of_key(f64::from(played.key))),
        technique,
        level: f64::from(played.velocity) / 127.0,
        attack,
        release,
        bow_at: None,
        expression: played.expression.clone(),
    });
    score.notes = notes.collect();
    builder.duration = performance.end + RINGING;
    if performance.left_out > 0 {
        let message = format!("{} of chords are left out", counted(performance.left_out));
        builder.warn_of_performance(message, "a bow plays one note at a time, the last to begin");
    }
}

fn counted(notes: usize) -> String {
    if notes == 1 { "1 note".to_owned() } else { format!("{notes} notes") }
}

/// The score that notes without one are read by.
fn unnamed() -> Score {
    let note = Note::default();
    Score {
        origin: Default::default(),
        bow: String::new(),
        finger: None,
        technique: Technique::default(),
        strokes: Strokes::Down,
        bridge: 1.0,
        bow_follows: false,
        force: [0.05, 0.3],
        // Slower than 0.07 m/s, hair of the usual friction sticks and nothing sounds.
        velocity: [0.08, 0.2],
        attack: note.attack,
        release: note.release,
        harmonic_pressure: 1.0,
        stopped_pressure: 1.0,
        notes: Vec::new(),
        string: None,
        gestures: None,
        bowed: false,
        fingered: false,
    }
}

fn header(fields: &Fields<'_>) -> Score {
    let usual = unnamed();
    Score {
        bow: fields.required_text("bow", "\"id of a bow\"").unwrap_or_default().to_owned(),
        finger: fields.text("finger").map(str::to_owned),
        technique: fields.choice("technique", &TECHNIQUES, usual.technique),
        strokes: fields.choice("strokes", &STROKES, usual.strokes),
        bridge: fields.number_or("bridge", within(0.05, 1.0, ""), usual.bridge),
        bow_follows: fields.flag("bow_follows"),
        force: range(fields, "force", BOW_FORCE).unwrap_or(usual.force),
        velocity: range(fields, "velocity", within(0.0, BOW_VELOCITY.most, "m/s")).unwrap_or(usual.velocity),
        attack: fields.number_or("attack", RAMP, usual.attack),
        release: fields.number_or("release", RAMP, usual.release),
        harmonic_pressure: fields.number_or("harmonic_pressure", SHARE, usual.harmonic_pressure),
        stopped_pressure: fields.number_or("stopped_pressure", SHARE, usual.stopped_pressure),
        ..usual
    }
}

/// Two numbers, the second not below the first.
fn range(fields: &Fields<'_>, field: &'static str, limits: Limits) -> Option<[f64; 2]> {
    let found = fields.numbers(field, limits)?;
    match found[..] {
        [low, high] if low <= high => Some([low, high]),
        _ => {
            let words: Vec<String> = found.iter().map(|&value| plain(value)).collect();
            let unit = spaced(limits.unit);
            let message = format!("score.{field} is [{}]{unit}, must be the softest and the loudest", words.join(", "));
            fields.complain(field, message, Some(format!("as in {field} = [0.05, 0.2]")));
            None
        }
    }
}

fn note(fields: &Fields<'_>, score: &Score) -> Note {
    Note {
        start: fields.required("start", within(0.0, 1e6, "s"), "0.0"),
        duration: fields.required("duration", within(1e-3, 1e4, "s"), "1.0"),
        tone: tone(fields),
        technique: fields.choice("technique", &TECHNIQUES, score.technique),
        level: level(fields),
        attack: fields.number_or("attack", RAMP, score.attack),
        release: fields.number_or("release", RAMP, score.release),
        bow_at: fields.number("bow_at", SHARE),
        ..Note::default()
    }
}

fn level(fields: &Fields<'_>) -> f64 {
    let level = fields.number_or_text("dynamics").and_then(|dynamics| match dynamics {
        Ok(level) => fields.in_range("dynamics", level, SHARE),
        Err(word) => fields.choose("dynamics", word, &DYNAMICS),
    });
    level.unwrap_or(Note::default().level)
}

fn tone(fields: &Fields<'_>) -> Tone {
    let given: Vec<&str> = ["harmonic", "pitch", "finger_at"].into_iter().filter(|&field| fields.has(field)).collect();
    if let [first, second, ..] = given[..] {
        let hint = Some("keep one of them".to_owned());
        fields.complain(second, format!("note has both {first} and {second}"), hint);
    }
    match given.first() {
        Some(&"harmonic") => harmonic(fields).map(Tone::Harmonic),
        Some(&"pitch") => frequency(fields).map(Tone::Pitch),
        Some(_) => fields.number("finger_at", SHARE).map(Tone::At),
        None => None,
    }
    .unwrap_or_default()
}

fn harmonic(fields: &Fields<'_>) -> Option<u32> {
    let number = fields.number("harmonic", within(1.0, f64::from(HIGHEST), ""))?;
    if number.fract() != 0.0 {
        let message = format!("note.harmonic is {number}, must be a whole number");
        fields.complain("harmonic", message, Some("1 is the open string, 2 its octave".to_owned()));
    }
    Some(number as u32)
}

fn frequency(fields: &Fields<'_>) -> Option<f64> {
    match fields.number_or_text("pitch")? {
        Ok(hertz) => fields.in_range("pitch", hertz, within(1.0, 2e4, "Hz")),
        Err(name) => {
            let found = pitch::named(name);
            if found.is_none() {
                let message = format!("note.pitch is \"{name}\", must be a note or a frequency in Hz");
                fields.complain("pitch", message, Some("notes look like \"D3\", \"F#3\" or \"Bb2\"".to_owned()));
            }
            found
        }
    }
}

/// One string plays one note at a time.
fn refuse_overlaps(notes: &[Note], builder: &mut Builder<'_>) {
    for pair in notes.windows(2) {
        let [before, after] = pair else { continue };
        let Author::Table(origin) = &after.author else { continue };
        if after.start < before.end() - ROUNDING {
            let (start, end) = (plain(after.start), plain(before.end()));
            let message = format!("note.start is {start} s, but the note before ends at {end} s");
            let room = plain(after.start - before.start);
            let hint = if after.start - before.start < 1e-3 {
                format!("a string plays one note at a time: let this one start at {end}")
            } else {
                format!("a string plays one note at a time: let this one start at {end}, or the one before last {room}")
            };
            builder.remark(Severity::Error, origin.of("start"), message, &hint);
        }
    }
}

/// Makes the scene as long as the score, unless it says how long it is.
fn fit(score: &Score, builder: &mut Builder<'_>) {
    let end = score.end();
    let stated = builder.stated_duration();
    if score.notes.is_empty() {
        return;
    }
    match stated {
        None => builder.duration = end + RINGING,
        Some(place) if end > builder.duration => {
            let message =
                format!("the scene lasts {} s, the last note ends at {} s", plain(builder.duration), plain(end));
            builder.remark(Severity::Warning, place, message, "raise scene.duration, or leave it out");
        }
        Some(_) => {}
    }
}
