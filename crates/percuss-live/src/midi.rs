//! MIDI: notes, control changes, pitch wheel and pressure, turned into what the scene's `[[mapping]]` tables say.
//!
//! Notes       every note takes a voice of its own, the one that has rested longest, or else the oldest note's; without a
//!             table for its velocity it strikes what the scene strikes first
//! Release     what velocity sets goes back to the beginning of its range when the key is let go
//! Others      go to the voices that play on their channel, so that with a controller that gives every note its own
//!             channel (MPE) pressure, slide and bend are those of one note; to all where none does

use crate::command::ALL;
use crate::controls::Controls;
use percuss_scene::instrument::{Action, Instrument, Mapping, MidiSource};

/// A voice: what it plays, and since when.
#[derive(Clone, Copy, Debug, Default)]
struct Voice {
    /// Channel and key, while the key is down.
    note: Option<(u8, u8)>,
    /// When it was last taken or let go, in notes.
    since: u64,
}

/// Reads a stream of messages.
pub struct MidiReader {
    controls: Controls,
    voices: Vec<Voice>,
    /// Notes and releases so far.
    count: u64,
    /// Name and number of voices of the scene that the voices belong to.
    scene: (String, usize),
}

/// A message, with its channel from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Message {
    NoteOn {
        channel: u8,
        key: u8,
        velocity: u8,
    },
    NoteOff {
        channel: u8,
        key: u8,
    },
    /// Pressure of one key.
    KeyPressure {
        channel: u8,
        key: u8,
        share: f64,
    },
    Source {
        channel: u8,
        source: MidiSource,
        share: f64,
    },
}

impl MidiReader {
    /// A reader that plays what is on stage.
    pub fn new(controls: Controls) -> Self {
        Self { controls, voices: Vec::new(), count: 0, scene: (String::new(), 0) }
    }

    /// Does what a message says, whatever it is made of. Returns whether it did anything.
    pub fn receive(&mut self, bytes: &[u8]) -> bool {
        let Some(message) = parse(bytes) else { return false };
        let stage = self.controls.stage();
        let instrument = &stage.instrument;
        let scene = (instrument.scene.name.clone(), instrument.scene.polyphony);
        if self.scene != scene {
            self.voices = vec![Voice::default(); scene.1];
            self.scene = scene;
        }
        match message {
            Message::NoteOn { channel, key, velocity } => self.note_on(instrument, channel, key, velocity),
            Message::NoteOff { channel, key } => self.note_off(instrument, channel, key),
            Message::KeyPressure { channel, key, share } => {
                let voices = self.playing(|note| note == (channel, key));
                self.send(instrument, channel, MidiSource::Pressure, &voices, |mapping| mapping.value(share))
            }
            Message::Source { channel, source, share } => {
                let voices = self.playing(|(own, _)| own == channel);
                self.send(instrument, channel, source, &voices, |mapping| mapping.value(share))
            }
        }
    }

    /// The voices whose note is meant; all where there is none.
    fn playing(&self, is_meant: impl Fn((u8, u8)) -> bool) -> Vec<u8> {
        let playing = self.voices.iter().enumerate().filter(|(_, voice)| voice.note.is_some_and(&is_meant));
        let playing: Vec<u8> = playing.map(|(index, _)| index as u8).collect();
        if playing.is_empty() { vec![ALL] } else { playing }
    }

    /// Takes the voice that plays the same key, else the one that has rested longest, else the oldest note's.
    fn take(&mut self, channel: u8, key: u8) -> u8 {
        self.count += 1;
        let order = |voice: &Voice| (voice.note != Some((channel, key)), voice.note.is_some(), voice.since);
        let (index, voice) =
            self.voices.iter_mut().enumerate().min_by_key(|(_, voice)| order(voice)).expect("a scene has a voice");
        *voice = Voice { note: Some((channel, key)), since: self.count };
        index as u8
    }

    fn note_on(&mut self, instrument: &Instrument, channel: u8, key: u8, velocity: u8) -> bool {
        let voice = self.take(channel, key);
        let strength = f64::from(velocity) / 127.0;
        // Where it is struck before that it is struck.
        let placed = self.send(instrument, channel, MidiSource::Key, &[voice], |mapping| mapping.value_for_key(key));
        let is_mapped = instrument.mappings.iter().any(|(mapping, _)| mapping.source == MidiSource::Velocity);
        if is_mapped {
            let value = |mapping: &Mapping| mapping.value(strength);
            return self.send(instrument, channel, MidiSource::Velocity, &[voice], value) || placed;
        }
        let first = instrument.strike_targets().first().copied();
        first.is_some_and(|target| self.controls.set_voice_at(0, voice, target, strength)) || placed
    }

    fn note_off(&mut self, instrument: &Instrument, channel: u8, key: u8) -> bool {
        self.count += 1;
        let playing = self.voices.iter_mut().enumerate().find(|(_, voice)| voice.note == Some((channel, key)));
        let Some((index, voice)) = playing else { return false };
        *voice = Voice { note: None, since: self.count };
        let held = |target: usize| matches!(instrument.targets[target].action, Action::Param(_));
        let mappings = instrument.mappings.iter().filter(|(mapping, target)| {
            mapping.source == MidiSource::Velocity && hears(mapping, channel) && held(*target)
        });
        mappings.fold(false, |any, (mapping, target)| {
            self.controls.set_voice_at(0, index as u8, *target, mapping.range[0]) || any
        })
    }

    /// Sends something to everything that listens to its source.
    fn send(
        &self,
        instrument: &Instrument,
        channel: u8,
        source: MidiSource,
        voices: &[u8],
        value: impl Fn(&Mapping) -> f64,
    ) -> bool {
        let listening =
            instrument.mappings.iter().filter(|(mapping, _)| mapping.source == source && hears(mapping, channel));
        let mut sent = false;
        for (mapping, target) in listening {
            for &voice in voices {
                sent |= self.controls.set_voice_at(0, voice, *target, value(mapping));
            }
        }
        sent
    }
}

fn hears(mapping: &Mapping, channel: u8) -> bool {
    mapping.channel.is_none_or(|wanted| wanted == channel)
}

/// Reads one message; what is no message for us is none.
fn parse(bytes: &[u8]) -> Option<Message> {
    let (&status, data) = bytes.split_first()?;
    let channel = status & 0x0F;
    let data = |index: usize| data.get(index).copied().filter(|byte| *byte < 0x80);
    let share = |value: u8| f64::from(value) / 127.0;
    match status & 0xF0 {
        0x80 => data(1).and(data(0)).map(|key| Message::NoteOff { channel, key }),
        0x90 => match (data(0)?, data(1)?) {
            (key, 0) => Some(Message::NoteOff { channel, key }),
            (key, velocity) => Some(Message::NoteOn { channel, key, velocity }),
        },
        0xA0 => Some(Message::KeyPressure { channel, key: data(0)?, share: share(data(1)?) }),
        0xB0 => Some(Message::Source { channel, source: MidiSource::Cc(data(0)?), share: share(data(1)?) }),
        0xD0 => Some(Message::Source { channel, source: MidiSource::Pressure, share: share(data(0)?) }),
        0xE0 => {
            let value = f64::from(u16::from(data(0)?) | u16::from(data(1)?) << 7);
            // 8192 is the middle and 16383 the end: two halves of their own, so that both are met.
            let half = if value < 8192.0 { value / 8192.0 } else { 1.0 + (value - 8192.0) / 8191.0 };
            Some(Message::Source { channel, source: MidiSource::PitchBend, share: 0.5 * half })
        }
        _ => None,
    }
}
