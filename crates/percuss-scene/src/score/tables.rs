//! Reads `[score]` and `[[note]]`, or takes the notes of a MIDI file instead.

use super::pitch::{self, MAX_HARMONIC};
use super::{BowDirection, Note, NoteOrigin, NotePitch, Score, Technique};
use crate::bow_finger::{BOW_FORCE_LIMITS, BOW_VELOCITY_LIMITS};
use crate::diagnostic::Severity;
use crate::limits::{FRACTION_LIMITS, ValueLimits, format_number, unit_suffix};
use crate::midi::MidiFile;
use crate::scene_builder::SceneBuilder;
use crate::table_reader::{TableReader, as_number};
use percuss::Finger;
use toml::de::DeTable;

const TECHNIQUES: [(&str, Technique); 2] = [("harmonic", Technique::Harmonic), ("stopped", Technique::Stopped)];
const BOW_DIRECTIONS: [(&str, BowDirection); 2] =
    [("down", BowDirection::Down), ("alternate", BowDirection::Alternate)];
const DYNAMICS: [(&str, f64); 6] = [("pp", 0.0), ("p", 0.2), ("mp", 0.4), ("mf", 0.6), ("f", 0.8), ("ff", 1.0)];
const RAMP_LIMITS: ValueLimits = ValueLimits::new(0.0, 10.0, "s");
/// Time after the last note, if the scene does not state its duration \[s\].
const TAIL_DURATION: f64 = 1.0;
/// Overlaps shorter than this are rounding errors \[s\].
const MIN_OVERLAP: f64 = 1e-9;

/// Reads the score and its notes.
pub(crate) fn read(root: &DeTable<'_>, builder: &mut SceneBuilder<'_>) {
    let score = builder.single_table(root, "score").map(|table| {
        let score = read_score(&table);
        let finger_stiffness = finger_stiffness(root, score.finger.as_deref()).unwrap_or(score.finger_stiffness);
        Score { location: table.finish(), finger_stiffness, ..score }
    });
    let mut notes = Vec::new();
    let defaults = score.clone().unwrap_or_else(default_score);
    builder.for_each_table(root, "note", |table, _| {
        let note = read_note(table, &defaults);
        notes.push(Note { origin: NoteOrigin::Table(table.finish()), ..note });
    });
    let Some(mut score) = score else {
        // A score that is for rendering only is left out with its notes.
        if !root.contains_key("score")
            && let Some(Note { origin: NoteOrigin::Table(location), .. }) = notes.first()
        {
            let message = "there are notes, but no [score] that names a bow";
            let hint = "add [score] with bow = \"id of a [[bow]]\"";
            builder.report_at(Severity::Error, location.start, message.to_owned(), hint);
        }
        return;
    };
    notes.sort_by(|a, b| a.start.total_cmp(&b.start));
    report_overlaps(&notes, builder);
    score.notes = notes;
    fit_duration(&score, builder);
    builder.score = Some(score);
}

/// Replaces the notes of the scene with those of a MIDI file.
pub(crate) fn replace_notes(midi_file: &MidiFile, builder: &mut SceneBuilder<'_>) {
    let Some(score) = &mut builder.score else {
        let message = format!("the scene has no [score], which {} needs", midi_file.name);
        let hint = "add [score] with bow = \"id of a [[bow]]\" and finger = \"id of a [[finger]]\"";
        builder.report_at(Severity::Error, None, message, hint);
        return;
    };
    let (technique, attack, release) = (score.technique, score.attack, score.release);
    let notes = midi_file.notes.iter().map(|note| Note {
        origin: NoteOrigin::MidiKey(note.key),
        start: note.start,
        duration: note.end - note.start,
        pitch: NotePitch::Frequency(pitch::key_frequency(f64::from(note.key))),
        technique,
        dynamics: f64::from(note.velocity) / 127.0,
        attack,
        release,
        bow_at: None,
        expression: note.expression.clone(),
    });
    score.notes = notes.collect();
    if !builder.rendering.until_silent {
        builder.duration = midi_file.end + TAIL_DURATION;
    }
    if midi_file.skipped_notes > 0 {
        let message = format!("{} of chords do not sound", format_note_count(midi_file.skipped_notes));
        builder.warn_about_midi_file(message, "a bow plays one note at a time: the last to begin");
    }
}

fn format_note_count(notes: usize) -> String {
    if notes == 1 { "1 note".to_owned() } else { format!("{notes} notes") }
}

/// Defaults of `[score]`.
fn default_score() -> Score {
    let note = Note::default();
    Score {
        location: Default::default(),
        bow: String::new(),
        finger: None,
        finger_stiffness: Finger::default().stiffness,
        technique: Technique::default(),
        bow_direction: BowDirection::Down,
        bridge: 1.0,
        bow_follows: false,
        force: [0.05, 0.3],
        // Below 0.07 m/s a bow with the default friction sticks and nothing sounds.
        velocity: [0.08, 0.2],
        attack: note.attack,
        release: note.release,
        harmonic_pressure: 1.0,
        stopped_pressure: 1.0,
        notes: Vec::new(),
        string: None,
        gestures: None,
        bow_found: false,
        finger_found: false,
    }
}

/// The stiffness that the table of the finger gives; it is read after the bow, which has to know where the finger stops the string.
fn finger_stiffness(root: &DeTable<'_>, id: Option<&str>) -> Option<f64> {
    let fingers = root.get("finger")?.get_ref().as_array()?;
    let tables = fingers.iter().filter_map(|finger| finger.get_ref().as_table());
    let mut found = tables.filter(|table| table.get("id").and_then(|own| own.get_ref().as_str()) == id);
    as_number(found.next()?.get("stiffness")?.get_ref())
}

fn read_score(table: &TableReader<'_>) -> Score {
    let defaults = default_score();
    Score {
        bow: table.required_string("bow", "\"id of a bow\"").unwrap_or_default().to_owned(),
        finger: table.string("finger").map(str::to_owned),
        technique: table.choice("technique", &TECHNIQUES, defaults.technique),
        bow_direction: table.choice("strokes", &BOW_DIRECTIONS, defaults.bow_direction),
        bridge: table.number_or("bridge", ValueLimits::new(0.05, 1.0, ""), defaults.bridge),
        bow_follows: table.flag("bow_follows"),
        force: read_dynamic_range(table, "force", BOW_FORCE_LIMITS).unwrap_or(defaults.force),
        velocity: read_dynamic_range(table, "velocity", ValueLimits::new(0.0, BOW_VELOCITY_LIMITS.max, "m/s"))
            .unwrap_or(defaults.velocity),
        attack: table.number_or("attack", RAMP_LIMITS, defaults.attack),
        release: table.number_or("release", RAMP_LIMITS, defaults.release),
        harmonic_pressure: table.number_or("harmonic_pressure", FRACTION_LIMITS, defaults.harmonic_pressure),
        stopped_pressure: table.number_or("stopped_pressure", FRACTION_LIMITS, defaults.stopped_pressure),
        ..defaults
    }
}

/// Two numbers in ascending order: the softest and the loudest.
fn read_dynamic_range(table: &TableReader<'_>, field: &'static str, limits: ValueLimits) -> Option<[f64; 2]> {
    let found = table.numbers(field, limits)?;
    match found[..] {
        [low, high] if low <= high => Some([low, high]),
        _ => {
            let numbers: Vec<String> = found.iter().map(|&value| format_number(value)).collect();
            let unit = unit_suffix(limits.unit);
            let message = format!(
                "score.{field} is [{}]{unit}, must be two numbers in ascending order, the softest and the loudest",
                numbers.join(", ")
            );
            table.report(field, message, Some(format!("as in {field} = [0.05, 0.2]")));
            None
        }
    }
}

fn read_note(table: &TableReader<'_>, score: &Score) -> Note {
    Note {
        start: table.required_number("start", ValueLimits::new(0.0, 1e6, "s"), "0.0"),
        duration: table.required_number("duration", ValueLimits::new(1e-3, 1e4, "s"), "1.0"),
        pitch: read_pitch(table),
        technique: table.choice("technique", &TECHNIQUES, score.technique),
        dynamics: read_dynamics(table),
        attack: table.number_or("attack", RAMP_LIMITS, score.attack),
        release: table.number_or("release", RAMP_LIMITS, score.release),
        bow_at: table.number("bow_at", FRACTION_LIMITS),
        ..Note::default()
    }
}

/// `dynamics`, from 0 to 1.
fn read_dynamics(table: &TableReader<'_>) -> f64 {
    let level = table.number_or_string("dynamics").and_then(|dynamics| match dynamics {
        Ok(level) => table.check_limits("dynamics", level, FRACTION_LIMITS),
        Err(name) => table.parse_choice("dynamics", name, &DYNAMICS),
    });
    level.unwrap_or(Note::default().dynamics)
}

/// The pitch of a note: `harmonic`, `pitch`, `finger_at`, or the open string.
fn read_pitch(table: &TableReader<'_>) -> NotePitch {
    let given: Vec<&str> = ["harmonic", "pitch", "finger_at"].into_iter().filter(|&field| table.has(field)).collect();
    if let [first, second, ..] = given[..] {
        let hint = Some("keep one of them".to_owned());
        table.report(second, format!("note has both {first} and {second}"), hint);
    }
    match given.first() {
        Some(&"harmonic") => read_harmonic(table).map(NotePitch::Harmonic),
        Some(&"pitch") => read_frequency(table).map(NotePitch::Frequency),
        Some(_) => table.number("finger_at", FRACTION_LIMITS).map(NotePitch::FingerAt),
        None => None,
    }
    .unwrap_or_default()
}

fn read_harmonic(table: &TableReader<'_>) -> Option<u32> {
    let number = table.number("harmonic", ValueLimits::new(1.0, f64::from(MAX_HARMONIC), ""))?;
    if number.fract() != 0.0 {
        let message = format!("note.harmonic is {number}, must be a whole number");
        table.report("harmonic", message, Some("1 is the open string, 2 its octave".to_owned()));
    }
    Some(number as u32)
}

fn read_frequency(table: &TableReader<'_>) -> Option<f64> {
    match table.number_or_string("pitch")? {
        Ok(hertz) => table.check_limits("pitch", hertz, ValueLimits::new(1.0, 2e4, "Hz")),
        Err(name) => {
            let found = pitch::note_frequency(name);
            if found.is_none() {
                let message = format!("note.pitch is \"{name}\", must be a note or a frequency in Hz");
                table.report("pitch", message, Some("notes look like \"D3\", \"F#3\" or \"Bb2\"".to_owned()));
            }
            found
        }
    }
}

/// Reports notes that overlap: a string plays one note at a time.
fn report_overlaps(notes: &[Note], builder: &mut SceneBuilder<'_>) {
    for pair in notes.windows(2) {
        let [previous, note] = pair else { continue };
        let NoteOrigin::Table(location) = &note.origin else { continue };
        if note.start < previous.end() - MIN_OVERLAP {
            let (start, end) = (format_number(note.start), format_number(previous.end()));
            let message = format!("note.start is {start} s, but the previous note ends at {end} s");
            let available = format_number(note.start - previous.start);
            let hint = if note.start - previous.start < 1e-3 {
                format!("a string plays one note at a time: start this one at {end}")
            } else {
                format!(
                    "a string plays one note at a time: start this one at {end}, or shorten the previous one to {available}"
                )
            };
            builder.report_at(Severity::Error, location.field("start"), message, &hint);
        }
    }
}

/// Sets the duration of the scene to that of the score, unless the scene states it.
fn fit_duration(score: &Score, builder: &mut SceneBuilder<'_>) {
    let end = score.end();
    let location = builder.duration_location();
    if score.notes.is_empty() {
        return;
    }
    match location {
        // The longest duration then follows from the last event.
        None if builder.rendering.until_silent => {}
        None => builder.duration = end + TAIL_DURATION,
        Some(location) if end > builder.duration => {
            let message = format!(
                "the scene lasts {} s, the last note ends at {} s",
                format_number(builder.duration),
                format_number(end)
            );
            builder.report_at(Severity::Warning, location, message, "raise it, or omit it");
        }
        Some(_) => {}
    }
}
