//! MIDI files: what a keyboard played, as notes that follow one another.
//!
//! Tracks and channels are merged and the tempo map is followed. One note sounds at a time, the last to begin; it cuts
//! the one before. Expression (controller 11) and modulation (1) become a factor on the force of the bow,
//! expression/127·(1 + modulation/127), so that a file without them is played as it is.

mod clock;

use crate::diagnostic::{Diagnostic, Source};
use clock::Clock;
use midly::{Format, MidiMessage, Smf, TrackEventKind};
use percuss::Control;
use std::path::Path;

/// Largest MIDI file that is read \[bytes\].
const LARGEST_FILE: u64 = 16 << 20;
/// Time in which a controller reaches a new value \[s\]: steps would click.
const GLIDE: f64 = 0.01;
const EXPRESSION: u8 = 11;
const MODULATION: u8 = 1;

/// What a MIDI file plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Performance {
    /// File name as given.
    pub file: String,
    /// The notes, one after the other.
    pub notes: Vec<PlayedNote>,
    /// When the file ends \[s\].
    pub end: f64,
    /// Notes that did not sound, because another began at the same time.
    pub left_out: usize,
}

/// A note of a MIDI file.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedNote {
    /// Start \[s\].
    pub start: f64,
    /// End \[s\].
    pub end: f64,
    /// Key, 60 is C4.
    pub key: u8,
    /// How hard it was struck, 1 to 127.
    pub velocity: u8,
    /// Factor on the force of the bow while it sounds.
    pub expression: Control,
}

/// Reads a MIDI file.
///
/// # Errors
/// It cannot be read, is no MIDI file, or has no notes.
pub fn load(path: &Path) -> Result<Performance, Box<Diagnostic>> {
    let file = path.display().to_string();
    let failed = |message: String, hint: &str| Box::new(Source::new(&file, "").error(None, message).hint(hint));
    let size = std::fs::metadata(path).map_err(|error| failed(error.to_string(), "is the path right?"))?.len();
    if size > LARGEST_FILE {
        let message = format!("the file has {size} bytes, must have at most {LARGEST_FILE}");
        return Err(failed(message, "is this a MIDI file?"));
    }
    let bytes = std::fs::read(path).map_err(|error| failed(error.to_string(), "is the path right?"))?;
    parse(&bytes, &file)
}

/// Reads a MIDI file from its bytes; `file` is used in messages.
///
/// # Errors
/// It is no MIDI file, or has no notes.
pub fn parse(bytes: &[u8], file: &str) -> Result<Performance, Box<Diagnostic>> {
    let failed = |message: String, hint: &str| Box::new(Source::new(file, "").error(None, message).hint(hint));
    let hint = "a MIDI file begins with MThd, and its name mostly ends in .mid";
    if has_impossible_rate(bytes) {
        return Err(failed("not a MIDI file (128 frames per second)".to_owned(), hint));
    }
    let song = Smf::parse(bytes).map_err(|error| failed(format!("not a MIDI file ({error})"), hint))?;
    let events = merged(&song);
    let Some(clock) = Clock::new(song.header.timing, &events) else {
        return Err(failed("the MIDI file counts no ticks per beat".to_owned(), "write it anew with another program"));
    };
    let end = clock.seconds(events.last().map_or(0, |event| event.0));
    let mut player = Player::default();
    for (tick, kind) in &events {
        if let TrackEventKind::Midi { channel, message } = kind {
            player.hear(clock.seconds(*tick), channel.as_int(), message);
        }
    }
    player.finish(end);
    if player.notes.is_empty() {
        return Err(failed(
            "the MIDI file has no notes".to_owned(),
            "is it the right one, and was it saved with notes?",
        ));
    }
    Ok(Performance { file: file.to_owned(), notes: player.performed(), end, left_out: player.left_out })
}

/// Whether a header counts frames at a rate of −128, at which the parser overflows. It reads all headers, wherever they are, and
/// heeds the first.
fn has_impossible_rate(bytes: &[u8]) -> bool {
    bytes.windows(13).any(|header| header.starts_with(b"MThd") && header[12] == 0x80)
}

/// The events of all tracks in the order of time \[ticks\]; tracks of a sequence follow one another.
fn merged<'f>(song: &Smf<'f>) -> Vec<(u64, TrackEventKind<'f>)> {
    let mut events = Vec::new();
    let mut begin = 0;
    for track in &song.tracks {
        let mut now = begin;
        for event in track {
            now += u64::from(event.delta.as_int());
            events.push((now, event.kind));
        }
        if song.header.format == Format::Sequential {
            begin = now;
        }
    }
    // Stable: what a track does at one time stays in its order.
    events.sort_by_key(|event| event.0);
    events
}

/// A note with the channel it came by.
struct Heard {
    channel: u8,
    note: PlayedNote,
}

/// A keyboard that sounds one note at a time.
#[derive(Default)]
struct Player {
    /// The note that sounds; its end is open.
    sounding: Option<Heard>,
    notes: Vec<Heard>,
    left_out: usize,
    channels: [Channel; 16],
}

impl Player {
    fn hear(&mut self, time: f64, channel: u8, message: &MidiMessage) {
        match *message {
            MidiMessage::NoteOn { key, vel } if vel > 0 => {
                self.finish(time);
                let (key, velocity) = (key.as_int(), vel.as_int());
                let note = PlayedNote { start: time, end: time, key, velocity, expression: Control::Constant(1.0) };
                self.sounding = Some(Heard { channel, note });
            }
            MidiMessage::NoteOn { key, .. } | MidiMessage::NoteOff { key, .. } => {
                let is_own = |heard: &Heard| heard.channel == channel && heard.note.key == key.as_int();
                if self.sounding.as_ref().is_some_and(is_own) {
                    self.finish(time);
                }
            }
            MidiMessage::Controller { controller, value } => {
                self.channels[usize::from(channel)].turn(time, controller.as_int(), value.as_int());
            }
            _ => {}
        }
    }

    /// Ends the note that sounds.
    fn finish(&mut self, time: f64) {
        let Some(mut heard) = self.sounding.take() else { return };
        heard.note.end = time;
        if time > heard.note.start {
            self.notes.push(heard);
        } else {
            self.left_out += 1;
        }
    }

    /// The notes with what the controllers did meanwhile.
    fn performed(&self) -> Vec<PlayedNote> {
        let curves: Vec<Control> = self.channels.iter().map(Channel::curve).collect();
        let notes = self.notes.iter().map(|Heard { channel, note }| {
            let expression = between(&curves[usize::from(*channel)], note.start, note.end);
            PlayedNote { expression, ..note.clone() }
        });
        notes.collect()
    }
}

/// The controllers of a channel.
struct Channel {
    expression: f64,
    modulation: f64,
    /// Times and factors they led to.
    factors: Vec<(f64, f64)>,
}

impl Default for Channel {
    fn default() -> Self {
        Self { expression: 1.0, modulation: 0.0, factors: Vec::new() }
    }
}

impl Channel {
    fn turn(&mut self, time: f64, controller: u8, value: u8) {
        let share = f64::from(value) / 127.0;
        match controller {
            EXPRESSION => self.expression = share,
            MODULATION => self.modulation = share,
            _ => return,
        }
        self.factors.push((time, self.expression * (1.0 + self.modulation)));
    }

    /// The factor in the course of time.
    fn curve(&self) -> Control {
        if self.factors.is_empty() {
            return Control::Constant(1.0);
        }
        let (mut time, mut value) = (Vec::new(), Vec::new());
        let mut before = 1.0;
        for (index, &(now, factor)) in self.factors.iter().enumerate() {
            let room = self.factors.get(index + 1).map_or(GLIDE, |next| next.0 - now);
            time.extend([now, now + GLIDE.min(room)]);
            value.extend([before, factor]);
            before = factor;
        }
        Control::Breakpoints { time, value }
    }
}

/// The part of a curve between two times.
fn between(curve: &Control, start: f64, end: f64) -> Control {
    let times = curve.times();
    let inner = times.partition_point(|&t| t <= start)..times.partition_point(|&t| t < end);
    if inner.is_empty() && curve.at(start) == curve.at(end) {
        return Control::Constant(curve.at(start));
    }
    let ends = [start, end].map(|t| (t, curve.at(t)));
    let inside = times[inner.clone()].iter().copied().zip(curve.values()[inner].iter().copied());
    let (time, value) = std::iter::once(ends[0]).chain(inside).chain([ends[1]]).unzip();
    Control::Breakpoints { time, value }
}
