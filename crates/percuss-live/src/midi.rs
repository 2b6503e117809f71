//! MIDI input: sets the targets of the scene's `[[mapping]]` tables.
//!
//! Notes       every note is assigned a voice: the one that is free for longest, else the one with the oldest note. Without
//!             a mapping of velocity, a note triggers the first strike of the scene
//! Release     when the key is released, targets of velocity return to the start of their range
//! Others      control changes, pitch bend and pressure set the voices that play on their channel, or all voices if none
//!             does. So an MPE controller, which gives every note its own channel, controls each note separately

use crate::command::ALL_VOICES;
use crate::engine_handle::EngineHandle;
use percuss_scene::instrument::{Instrument, Mapping, MidiSource, TargetAction};

/// State of a voice.
#[derive(Clone, Copy, Debug, Default)]
struct VoiceState {
    /// Channel and key, while the key is held.
    note: Option<(u8, u8)>,
    /// Value of `note_count` at the last note on or off.
    changed_at: u64,
}

/// Handles a stream of MIDI messages.
pub struct MidiHandler {
    handle: EngineHandle,
    voices: Vec<VoiceState>,
    /// Number of note on and note off messages.
    note_count: u64,
    /// Name and polyphony of the scene that the voices belong to.
    scene_and_polyphony: (String, usize),
}

/// A channel voice message; channels count from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ChannelMessage {
    NoteOn {
        channel: u8,
        key: u8,
        velocity: u8,
    },
    NoteOff {
        channel: u8,
        key: u8,
    },
    /// Polyphonic key pressure.
    KeyPressure {
        channel: u8,
        key: u8,
        position: f64,
    },
    /// Control change, channel pressure or pitch bend.
    Controller {
        channel: u8,
        source: MidiSource,
        position: f64,
    },
}

impl MidiHandler {
    /// A handler that controls the active scene.
    pub fn new(handle: EngineHandle) -> Self {
        Self { handle, voices: Vec::new(), note_count: 0, scene_and_polyphony: (String::new(), 0) }
    }

    /// Handles a message of any bytes. Returns whether a command was sent.
    pub fn handle_message(&mut self, bytes: &[u8]) -> bool {
        let Some(message) = parse(bytes) else { return false };
        let active_scene = self.handle.active_scene();
        let instrument = &active_scene.instrument;
        let scene = (instrument.scene.name.clone(), instrument.scene.polyphony);
        if self.scene_and_polyphony != scene {
            self.voices = vec![VoiceState::default(); scene.1];
            self.scene_and_polyphony = scene;
        }
        match message {
            ChannelMessage::NoteOn { channel, key, velocity } => self.note_on(instrument, channel, key, velocity),
            ChannelMessage::NoteOff { channel, key } => self.note_off(instrument, channel, key),
            ChannelMessage::KeyPressure { channel, key, position } => {
                let voices = self.matching_voices(|note| note == (channel, key));
                self.send(instrument, channel, MidiSource::Pressure, &voices, |mapping| mapping.value(position))
            }
            ChannelMessage::Controller { channel, source, position } => {
                let voices = self.matching_voices(|(note_channel, _)| note_channel == channel);
                self.send(instrument, channel, source, &voices, |mapping| mapping.value(position))
            }
        }
    }

    /// The voices whose note matches; all voices if none does.
    fn matching_voices(&self, matches: impl Fn((u8, u8)) -> bool) -> Vec<u8> {
        let matching = self.voices.iter().enumerate().filter(|(_, voice)| voice.note.is_some_and(&matches));
        let matching: Vec<u8> = matching.map(|(index, _)| index as u8).collect();
        if matching.is_empty() { vec![ALL_VOICES] } else { matching }
    }

    /// Allocates the voice that plays the same key, else the one that is free for longest, else that of the oldest note.
    fn allocate_voice(&mut self, channel: u8, key: u8) -> u8 {
        self.note_count += 1;
        let order = |voice: &VoiceState| (voice.note != Some((channel, key)), voice.note.is_some(), voice.changed_at);
        let (index, voice) =
            self.voices.iter_mut().enumerate().min_by_key(|(_, voice)| order(voice)).expect("a scene has a voice");
        *voice = VoiceState { note: Some((channel, key)), changed_at: self.note_count };
        index as u8
    }

    fn note_on(&mut self, instrument: &Instrument, channel: u8, key: u8, velocity: u8) -> bool {
        let voice = self.allocate_voice(channel, key);
        let strength = f64::from(velocity) / 127.0;
        // The key can set the place of a strike, so it comes before the velocity.
        let key_sent = self.send(instrument, channel, MidiSource::Key, &[voice], |mapping| mapping.value_for_key(key));
        let is_mapped = instrument.mappings.iter().any(|(mapping, _)| mapping.source == MidiSource::Velocity);
        if is_mapped {
            let value = |mapping: &Mapping| mapping.value(strength);
            return self.send(instrument, channel, MidiSource::Velocity, &[voice], value) || key_sent;
        }
        let first = instrument.strike_targets().first().copied();
        first.is_some_and(|target| self.handle.set_voice_at(0, voice, target, strength)) || key_sent
    }

    fn note_off(&mut self, instrument: &Instrument, channel: u8, key: u8) -> bool {
        self.note_count += 1;
        let playing = self.voices.iter_mut().enumerate().find(|(_, voice)| voice.note == Some((channel, key)));
        let Some((index, voice)) = playing else { return false };
        *voice = VoiceState { note: None, changed_at: self.note_count };
        let is_param = |target: usize| matches!(instrument.targets[target].action, TargetAction::Param(_));
        let mappings = instrument.mappings.iter().filter(|(mapping, target)| {
            mapping.source == MidiSource::Velocity && matches_channel(mapping, channel) && is_param(*target)
        });
        mappings.fold(false, |any, (mapping, target)| {
            self.handle.set_voice_at(0, index as u8, *target, mapping.range[0]) || any
        })
    }

    /// Sets the targets of all mappings of a source.
    fn send(
        &self,
        instrument: &Instrument,
        channel: u8,
        source: MidiSource,
        voices: &[u8],
        value: impl Fn(&Mapping) -> f64,
    ) -> bool {
        let mappings = instrument
            .mappings
            .iter()
            .filter(|(mapping, _)| mapping.source == source && matches_channel(mapping, channel));
        let mut sent = false;
        for (mapping, target) in mappings {
            for &voice in voices {
                sent |= self.handle.set_voice_at(0, voice, *target, value(mapping));
            }
        }
        sent
    }
}

fn matches_channel(mapping: &Mapping, channel: u8) -> bool {
    mapping.channel.is_none_or(|mapped| mapped == channel)
}

/// Parses a message; `None` if it is incomplete or of another kind.
fn parse(bytes: &[u8]) -> Option<ChannelMessage> {
    let (&status, data) = bytes.split_first()?;
    let channel = status & 0x0F;
    let data = |index: usize| data.get(index).copied().filter(|byte| *byte < 0x80);
    let normalised = |value: u8| f64::from(value) / 127.0;
    match status & 0xF0 {
        0x80 => data(1).and(data(0)).map(|key| ChannelMessage::NoteOff { channel, key }),
        0x90 => match (data(0)?, data(1)?) {
            (key, 0) => Some(ChannelMessage::NoteOff { channel, key }),
            (key, velocity) => Some(ChannelMessage::NoteOn { channel, key, velocity }),
        },
        0xA0 => Some(ChannelMessage::KeyPressure { channel, key: data(0)?, position: normalised(data(1)?) }),
        0xB0 => Some(ChannelMessage::Controller {
            channel,
            source: MidiSource::Cc(data(0)?),
            position: normalised(data(1)?),
        }),
        0xD0 => {
            Some(ChannelMessage::Controller { channel, source: MidiSource::Pressure, position: normalised(data(0)?) })
        }
        0xE0 => {
            let value = f64::from(u16::from(data(0)?) | u16::from(data(1)?) << 7);
            // The centre is 8192 and the maximum 16383: both halves are scaled separately, so that both are exact.
            let half = if value < 8192.0 { value / 8192.0 } else { 1.0 + (value - 8192.0) / 8191.0 };
            Some(ChannelMessage::Controller { channel, source: MidiSource::PitchBend, position: 0.5 * half })
        }
        _ => None,
    }
}
