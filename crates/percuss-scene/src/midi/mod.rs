//! MIDI files as monophonic sequences of notes.
//!
//! Tracks and channels are merged; tempo changes are followed. One note sounds at a time: a new note ends the one before.
//! Expression (controller 11) and modulation (controller 1) become a factor on the bow force,
//! expression/127·(1 + modulation/127), which is 1 in a file without them.

mod tempo_map;

use crate::diagnostic::{Diagnostic, SourceText};
use midly::{Format, MidiMessage, Smf, TrackEventKind};
use percuss::Control;
use std::path::Path;
use tempo_map::TempoMap;

/// Maximum size of a MIDI file \[bytes\].
const MAX_FILE_SIZE: u64 = 16 << 20;
/// Time in which a controller reaches a new value \[s\], to avoid clicks.
const SMOOTHING_TIME: f64 = 0.01;
const EXPRESSION: u8 = 11;
const MODULATION: u8 = 1;

/// The notes of a MIDI file.
#[derive(Clone, Debug, PartialEq)]
pub struct MidiFile {
    /// File name as given.
    pub name: String,
    /// Notes in the order of time, without overlaps.
    pub notes: Vec<MidiNote>,
    /// End of the file \[s\].
    pub end: f64,
    /// Number of notes that do not sound because another starts at the same time.
    pub skipped_notes: usize,
}

/// A note of a MIDI file.
#[derive(Clone, Debug, PartialEq)]
pub struct MidiNote {
    /// Start \[s\].
    pub start: f64,
    /// End \[s\].
    pub end: f64,
    /// Key number; 60 is C4.
    pub key: u8,
    /// Velocity, 1 to 127.
    pub velocity: u8,
    /// Factor on the bow force during the note.
    pub expression: Control,
}

/// Reads a MIDI file.
///
/// # Errors
/// The file cannot be read, is not a MIDI file, or has no notes.
pub fn load(path: &Path) -> Result<MidiFile, Box<Diagnostic>> {
    let file = path.display().to_string();
    let failed = |message: String, hint: &str| Box::new(SourceText::new(&file, "").error(None, message).hint(hint));
    let size = std::fs::metadata(path).map_err(|error| failed(error.to_string(), "check the path"))?.len();
    if size > MAX_FILE_SIZE {
        let message = format!("the file has {size} bytes, must have at most {MAX_FILE_SIZE}");
        return Err(failed(message, "check that this is a MIDI file"));
    }
    let bytes = std::fs::read(path).map_err(|error| failed(error.to_string(), "check the path"))?;
    parse(&bytes, &file)
}

/// Reads a MIDI file from its bytes; `file` is its name in messages.
///
/// # Errors
/// The bytes are not a MIDI file, or it has no notes.
pub fn parse(bytes: &[u8], file: &str) -> Result<MidiFile, Box<Diagnostic>> {
    let failed = |message: String, hint: &str| Box::new(SourceText::new(file, "").error(None, message).hint(hint));
    let hint = "a MIDI file begins with MThd; its name usually ends in .mid";
    if has_unsupported_frame_rate(bytes) {
        return Err(failed("not a MIDI file (128 frames per second)".to_owned(), hint));
    }
    let smf = Smf::parse(bytes).map_err(|error| failed(format!("not a MIDI file ({error})"), hint))?;
    let events = merge_tracks(&smf);
    let Some(tempo_map) = TempoMap::new(smf.header.timing, &events) else {
        return Err(failed("the MIDI file has 0 ticks per beat".to_owned(), "export it again with another program"));
    };
    let end = tempo_map.seconds(events.last().map_or(0, |event| event.0));
    let mut tracker = NoteTracker::default();
    for (tick, kind) in &events {
        if let TrackEventKind::Midi { channel, message } = kind {
            tracker.handle(tempo_map.seconds(*tick), channel.as_int(), message);
        }
    }
    tracker.finish(end);
    if tracker.notes.is_empty() {
        return Err(failed("the MIDI file has no notes".to_owned(), "check that this is the right file"));
    }
    Ok(MidiFile { name: file.to_owned(), notes: tracker.expressive_notes(), end, skipped_notes: tracker.skipped_notes })
}

/// Whether a header has a frame rate of −128, at which the parser overflows. The parser looks for a header anywhere in the
/// file and uses the first.
fn has_unsupported_frame_rate(bytes: &[u8]) -> bool {
    bytes.windows(13).any(|header| header.starts_with(b"MThd") && header[12] == 0x80)
}

/// Events of all tracks in the order of time \[ticks\]; in a sequential file each track starts where the last one ends.
fn merge_tracks<'f>(smf: &Smf<'f>) -> Vec<(u64, TrackEventKind<'f>)> {
    let mut events = Vec::new();
    let mut track_start = 0;
    for track in &smf.tracks {
        let mut tick = track_start;
        for event in track {
            tick += u64::from(event.delta.as_int());
            events.push((tick, event.kind));
        }
        if smf.header.format == Format::Sequential {
            track_start = tick;
        }
    }
    // A stable sort keeps the order of a track's events at the same time.
    events.sort_by_key(|event| event.0);
    events
}

/// A note and its channel.
struct ChannelNote {
    channel: u8,
    note: MidiNote,
}

/// Converts note messages to a monophonic sequence of notes.
#[derive(Default)]
struct NoteTracker {
    /// The note that sounds; its end is not known yet.
    sounding_note: Option<ChannelNote>,
    notes: Vec<ChannelNote>,
    skipped_notes: usize,
    channels: [ChannelControllers; 16],
}

impl NoteTracker {
    fn handle(&mut self, time: f64, channel: u8, message: &MidiMessage) {
        match *message {
            MidiMessage::NoteOn { key, vel } if vel > 0 => {
                self.finish(time);
                let (key, velocity) = (key.as_int(), vel.as_int());
                let note = MidiNote { start: time, end: time, key, velocity, expression: Control::Constant(1.0) };
                self.sounding_note = Some(ChannelNote { channel, note });
            }
            MidiMessage::NoteOn { key, .. } | MidiMessage::NoteOff { key, .. } => {
                let is_same = |playing: &ChannelNote| playing.channel == channel && playing.note.key == key.as_int();
                if self.sounding_note.as_ref().is_some_and(is_same) {
                    self.finish(time);
                }
            }
            MidiMessage::Controller { controller, value } => {
                self.channels[usize::from(channel)].set(time, controller.as_int(), value.as_int());
            }
            _ => {}
        }
    }

    /// Ends the note that sounds.
    fn finish(&mut self, time: f64) {
        let Some(mut ended) = self.sounding_note.take() else { return };
        ended.note.end = time;
        if time > ended.note.start {
            self.notes.push(ended);
        } else {
            self.skipped_notes += 1;
        }
    }

    /// The notes with the expression of their channel.
    fn expressive_notes(&self) -> Vec<MidiNote> {
        let curves: Vec<Control> = self.channels.iter().map(ChannelControllers::breakpoints).collect();
        let notes = self.notes.iter().map(|ChannelNote { channel, note }| {
            let expression = segment(&curves[usize::from(*channel)], note.start, note.end);
            MidiNote { expression, ..note.clone() }
        });
        notes.collect()
    }
}

/// Expression and modulation of a channel.
struct ChannelControllers {
    expression: f64,
    modulation: f64,
    /// Times \[s\] and factors on the bow force.
    force_factors: Vec<(f64, f64)>,
}

impl Default for ChannelControllers {
    fn default() -> Self {
        Self { expression: 1.0, modulation: 0.0, force_factors: Vec::new() }
    }
}

impl ChannelControllers {
    fn set(&mut self, time: f64, controller: u8, value: u8) {
        let normalised = f64::from(value) / 127.0;
        match controller {
            EXPRESSION => self.expression = normalised,
            MODULATION => self.modulation = normalised,
            _ => return,
        }
        self.force_factors.push((time, self.expression * (1.0 + self.modulation)));
    }

    /// The factor as a function of time.
    fn breakpoints(&self) -> Control {
        if self.force_factors.is_empty() {
            return Control::Constant(1.0);
        }
        let (mut time, mut value) = (Vec::new(), Vec::new());
        let mut previous = 1.0;
        for (index, &(now, factor)) in self.force_factors.iter().enumerate() {
            let available = self.force_factors.get(index + 1).map_or(SMOOTHING_TIME, |next| next.0 - now);
            time.extend([now, now + SMOOTHING_TIME.min(available)]);
            value.extend([previous, factor]);
            previous = factor;
        }
        Control::Breakpoints { time, value }
    }
}

/// The part of a curve between two times.
fn segment(curve: &Control, start: f64, end: f64) -> Control {
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
