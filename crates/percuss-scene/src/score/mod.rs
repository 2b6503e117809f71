//! Scores: notes for a bow and a finger, turned into what the hands do.
//!
//! `[score]` names the bow and the finger, `[[note]]` tables or a MIDI file say what they play (`tables`). The string
//! under the bow decides where the finger goes (`pitch`, `touch`), and all of it becomes breakpoints (`gesture`).

mod gesture;
pub(crate) mod pitch;
mod play;
mod tables;
mod touch;

pub(crate) use play::{follow, missing, play};
pub(crate) use tables::{perform, read};

use crate::fields::Origin;
use gesture::Gestures;
use percuss::{Control, ElementId};

/// How the finger makes a note.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Technique {
    /// A light touch at a node.
    #[default]
    Harmonic,
    /// Pressed hard, so that a part of the string sounds.
    Stopped,
}

/// How the bow is drawn from note to note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strokes {
    Down,
    Alternate,
}

/// Which note.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Tone {
    /// The open string.
    #[default]
    Open,
    /// A partial, from 1.
    Harmonic(u32),
    /// A frequency \[Hz\].
    Pitch(f64),
    /// The finger at a fraction of the length.
    At(f64),
}

/// Who asks for a note.
#[derive(Clone, Debug)]
pub(crate) enum Author {
    /// A table of the scene file.
    Table(Origin),
    /// A key in a MIDI file.
    Key(u8),
}

/// A note.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    pub author: Author,
    /// Start and length \[s\].
    pub start: f64,
    pub duration: f64,
    pub tone: Tone,
    pub technique: Technique,
    /// From 0, as soft as it gets, to 1.
    pub level: f64,
    /// Time in which the bow comes on and goes off \[s\].
    pub attack: f64,
    pub release: f64,
    /// Fraction of the length, where the note has a place of its own for the bow.
    pub bow_at: Option<f64>,
    /// Factor on the force of the bow.
    pub expression: Control,
}

impl Note {
    /// When it ends \[s\].
    pub fn end(&self) -> f64 {
        self.start + self.duration
    }
}

impl Default for Note {
    fn default() -> Self {
        Self {
            author: Author::Key(60),
            start: 0.0,
            duration: 1.0,
            tone: Tone::default(),
            technique: Technique::default(),
            level: 0.6,
            attack: 0.05,
            release: 0.1,
            bow_at: None,
            expression: Control::Constant(1.0),
        }
    }
}

/// What `[score]` says, and the notes in the order of time.
#[derive(Clone, Debug)]
pub(crate) struct Score {
    /// Where `[score]` stands.
    origin: Origin,
    /// Ids of the hands.
    bow: String,
    finger: Option<String>,
    technique: Technique,
    strokes: Strokes,
    /// Where the sounding part of the string ends, as a fraction of its length.
    bridge: f64,
    /// Whether the bow goes to a good place for every note.
    bow_follows: bool,
    /// Softest and loudest \[N\], \[m/s\].
    force: [f64; 2],
    velocity: [f64; 2],
    attack: f64,
    release: f64,
    /// Pressure of the finger on a harmonic and on a stopped note.
    harmonic_pressure: f64,
    stopped_pressure: f64,
    notes: Vec<Note>,
    /// The string and what the hands do, once the bow is known.
    string: Option<ElementId>,
    gestures: Option<Gestures>,
    /// Whether the bow and the finger were found.
    bowed: bool,
    fingered: bool,
}

impl Score {
    /// Whether it plays the bow of an id, which is then found.
    pub fn plays_bow(&mut self, id: Option<&str>) -> bool {
        let is_own = id == Some(&self.bow);
        self.bowed |= is_own;
        is_own
    }

    /// Whether it plays the finger of an id, which is then found.
    pub fn plays_finger(&mut self, id: Option<&str>) -> bool {
        let is_own = id.is_some() && id == self.finger.as_deref();
        self.fingered |= is_own;
        is_own
    }

    /// When the last note ends \[s\].
    fn end(&self) -> f64 {
        self.notes.iter().map(Note::end).fold(0.0, f64::max)
    }
}
