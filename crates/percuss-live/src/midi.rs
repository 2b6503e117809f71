//! MIDI: notes, control changes, pitch wheel and pressure, turned into what the scene's `[[control]]` tables say.
//!
//! Without a table of its own a note strikes what the scene strikes first, as hard as the key was struck.

use crate::controls::Controls;
use percuss_scene::instrument::{Action, Instrument, MidiSource};

/// Reads a stream of messages.
pub struct MidiReader {
    controls: Controls,
}

/// A message, with its channel from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Message {
    NoteOn { channel: u8, key: u8, velocity: u8 },
    NoteOff,
    Source { channel: u8, source: MidiSource, share: f64 },
}

impl MidiReader {
    /// A reader that plays what is on stage.
    pub fn new(controls: Controls) -> Self {
        Self { controls }
    }

    /// Does what a message says, whatever it is made of. Returns whether it did anything.
    pub fn receive(&mut self, bytes: &[u8]) -> bool {
        let stage = self.controls.stage();
        match parse(bytes) {
            Some(Message::NoteOn { channel, key, velocity }) => self.note(&stage.instrument, channel, key, velocity),
            Some(Message::Source { channel, source, share }) => self.send(&stage.instrument, channel, source, share),
            Some(Message::NoteOff) | None => false,
        }
    }

    fn note(&mut self, instrument: &Instrument, channel: u8, key: u8, velocity: u8) -> bool {
        let strength = f64::from(velocity) / 127.0;
        // Where it is struck before that it is struck.
        let placed = self.send(instrument, channel, MidiSource::Key, f64::from(key) / 127.0);
        let struck = self.send(instrument, channel, MidiSource::Velocity, strength);
        let is_mapped = instrument.mappings.iter().any(|(mapping, _)| mapping.source == MidiSource::Velocity);
        if is_mapped {
            return placed || struck;
        }
        let first = instrument.targets.iter().position(|target| matches!(target.action, Action::Strike(_)));
        first.is_some_and(|target| self.controls.set(target, strength)) || placed
    }

    /// Sends a controller's share of its way to everything that listens to it.
    fn send(&mut self, instrument: &Instrument, channel: u8, source: MidiSource, share: f64) -> bool {
        let listens = instrument
            .mappings
            .iter()
            .filter(|(mapping, _)| mapping.source == source && mapping.channel.is_none_or(|wanted| wanted == channel));
        listens.fold(false, |any, (mapping, target)| self.controls.set(*target, mapping.value(share)) || any)
    }
}

/// Reads one message; what is no message for us is none.
fn parse(bytes: &[u8]) -> Option<Message> {
    let (&status, data) = bytes.split_first()?;
    let channel = status & 0x0F;
    let data = |index: usize| data.get(index).copied().filter(|byte| *byte < 0x80);
    let share = |value: u8| f64::from(value) / 127.0;
    match status & 0xF0 {
        0x80 => data(0).and(data(1)).map(|_| Message::NoteOff),
        0x90 => match (data(0)?, data(1)?) {
            (_, 0) => Some(Message::NoteOff),
            (key, velocity) => Some(Message::NoteOn { channel, key, velocity }),
        },
        0xA0 => {
            data(0)?;
            Some(Message::Source { channel, source: MidiSource::Pressure, share: share(data(1)?) })
        }
        0xB0 => Some(Message::Source { channel, source: MidiSource::Cc(data(0)?), share: share(data(1)?) }),
        0xD0 => Some(Message::Source { channel, source: MidiSource::Pressure, share: share(data(0)?) }),
        0xE0 => {
            let value = u16::from(data(0)?) | u16::from(data(1)?) << 7;
            // 8192 is the middle and 16383 the end: two halves of their own, so that both are met.
            let half =
                if value < 8192 { f64::from(value) / 8192.0 } else { 1.0 + (f64::from(value) - 8192.0) / 8191.0 };
            Some(Message::Source { channel, source: MidiSource::Bend, share: 0.5 * half })
        }
        _ => None,
    }
}
