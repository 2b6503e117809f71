//! Scores: notes for a bow and a finger on a string, converted to breakpoints of their controls.
//!
//! `[score]` names the bow and the finger; `[[note]]` tables or a MIDI file give the notes (`tables`). The partials of the
//! string (`pitch`) determine the place of the finger (`fingering`). Each note becomes a bow stroke (`strokes`), and the
//! strokes become breakpoints (`gesture`).

mod fingering;
mod gesture;
pub(crate) mod pitch;
mod strokes;
mod tables;

pub(crate) use strokes::{bow_gestures, finger_gestures, report_missing_ids};
pub(crate) use tables::{read, replace_notes};

use crate::table_reader::TableLocation;
use gesture::Gestures;
use percuss::{Control, ElementId};

/// How the finger sets the pitch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Technique {
    /// A light touch at a node of a harmonic.
    #[default]
    Harmonic,
    /// A firm touch: only a part of the string sounds.
    Stopped,
}

/// Direction of the bow from note to note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BowDirection {
    Down,
    Alternate,
}

/// Pitch of a note.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum NotePitch {
    /// The open string.
    #[default]
    Open,
    /// A harmonic, from 1.
    Harmonic(u32),
    /// A frequency \[Hz\].
    Frequency(f64),
    /// The place of the finger, as a fraction of the length.
    FingerAt(f64),
}

/// Where a note comes from.
#[derive(Clone, Debug)]
pub(crate) enum NoteOrigin {
    /// A table of the scene file.
    Table(TableLocation),
    /// A key of a MIDI file.
    MidiKey(u8),
}

/// A note.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    pub origin: NoteOrigin,
    /// \[s\].
    pub start: f64,
    /// \[s\].
    pub duration: f64,
    pub pitch: NotePitch,
    pub technique: Technique,
    /// Dynamics, from 0 (softest) to 1 (loudest).
    pub dynamics: f64,
    /// Time in which the bow force rises \[s\].
    pub attack: f64,
    /// Time in which the bow force falls \[s\].
    pub release: f64,
    /// Place of the bow as a fraction of the length, if the note has its own.
    pub bow_at: Option<f64>,
    /// Factor on the bow force.
    pub expression: Control,
}

impl Note {
    /// End \[s\].
    pub fn end(&self) -> f64 {
        self.start + self.duration
    }
}

impl Default for Note {
    fn default() -> Self {
        Self {
            origin: NoteOrigin::MidiKey(60),
            start: 0.0,
            duration: 1.0,
            pitch: NotePitch::default(),
            technique: Technique::default(),
            dynamics: 0.6,
            attack: 0.05,
            release: 0.1,
            bow_at: None,
            expression: Control::Constant(1.0),
        }
    }
}

/// The fields of `[score]`, and the notes in the order of time.
#[derive(Clone, Debug)]
pub(crate) struct Score {
    /// Location of `[score]`.
    location: TableLocation,
    /// Id of the bow.
    bow: String,
    /// Id of the finger.
    finger: Option<String>,
    /// Stiffness of the finger at full pressure \[N/m\].
    finger_stiffness: f64,
    technique: Technique,
    bow_direction: BowDirection,
    /// End of the sounding part of the string, as a fraction of its length.
    bridge: f64,
    /// Whether the bow moves to the best place for every note.
    bow_follows: bool,
    /// Softest and loudest \[N\].
    force: [f64; 2],
    /// Softest and loudest \[m/s\].
    velocity: [f64; 2],
    attack: f64,
    release: f64,
    /// Pressure of the finger on a harmonic.
    harmonic_pressure: f64,
    /// Pressure of the finger on a stopped note.
    stopped_pressure: f64,
    notes: Vec<Note>,
    /// The bowed string, once the bow is read.
    string: Option<ElementId>,
    /// Controls of bow and finger, once the bow is read.
    gestures: Option<Gestures>,
    bow_found: bool,
    finger_found: bool,
}

impl Score {
    /// Whether the score plays the bow with an id; marks it as found.
    pub fn plays_bow(&mut self, id: Option<&str>) -> bool {
        let is_played = id == Some(&self.bow);
        self.bow_found |= is_played;
        is_played
    }

    /// Whether the score plays the finger with an id; marks it as found.
    pub fn plays_finger(&mut self, id: Option<&str>) -> bool {
        let is_played = id.is_some() && id == self.finger.as_deref();
        self.finger_found |= is_played;
        is_played
    }

    /// End of the last note \[s\].
    fn end(&self) -> f64 {
        self.notes.iter().map(Note::end).fold(0.0, f64::max)
    }
}
