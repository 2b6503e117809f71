//! MIDI input: sets the targets of the scene's `[[mapping]]` tables.
//!
//! Keys        in a scene with keys every note has the voice of its key. Wheels that were moved before concern it, too
//! Notes       else every note is assigned a voice: the one that is free for longest, else the one with the oldest note. Without
//!             a mapping of velocity, a note triggers the first strike of the scene
//! Release     when a note ends, targets of velocity return to the start of their range, and targets of release go to the
//!             end of theirs; the next note of the voice brings them back. The sustain pedal keeps notes from ending
//! Bend        a bend of a target that the key sets is relative to the place of the key
//! Others      control changes, pitch bend and pressure set the voices that play on their channel, or all voices if none
//!             does. So an MPE controller, which gives every note its own channel, controls each note separately

mod message;
mod voices;

pub use message::TimedMessage;

use crate::command::ALL_VOICES;
use crate::engine_handle::{ActiveScene, EngineHandle};
use message::{MessageKind, parse};
use percuss_scene::instrument::{Instrument, Mapping, MidiSource, StrikePlace, TargetAction};
use voices::Voices;

/// Number of MIDI channels.
const CHANNELS: usize = 16;
/// Position of a pitch bend at rest.
const CENTRE: f64 = 0.5;

/// A wheel or another controller of a channel, and its position from 0 to 1.
struct Wheel {
    channel: u8,
    source: MidiSource,
    position: f64,
}

/// Handles a stream of MIDI messages.
pub struct MidiHandler {
    handle: EngineHandle,
    voices: Voices,
    /// Pitch bend of every channel, from 0 to 1.
    bends: [f64; CHANNELS],
    /// Controllers that were moved.
    wheels: Vec<Wheel>,
    /// Whether "all sound off" pressed the damping hands.
    is_silenced: bool,
    /// Index of the scene that the voices belong to.
    scene_index: Option<u32>,
    /// Sample at which the current message acts.
    time: u64,
}

impl MidiHandler {
    /// A handler that controls the active scene.
    pub fn new(handle: EngineHandle) -> Self {
        let (voices, bends) = (Voices::default(), [CENTRE; CHANNELS]);
        Self { handle, voices, bends, wheels: Vec::new(), is_silenced: false, scene_index: None, time: 0 }
    }

    /// Handles a message of any bytes as soon as possible. Returns whether a command was sent.
    pub fn handle_message(&mut self, bytes: &[u8]) -> bool {
        self.handle_message_at(0, bytes)
    }

    /// Handles a message of any bytes at a sample, 0 for as soon as possible. Returns whether a command was sent.
    pub fn handle_message_at(&mut self, time: u64, bytes: &[u8]) -> bool {
        let Some((channel, kind)) = parse(bytes) else { return false };
        let scene = self.handle.active_scene();
        self.time = time;
        if self.scene_index.replace(scene.scene_index) != Some(scene.scene_index) {
            let played = &scene.instrument.scene;
            self.voices = played.keyboard.as_ref().map_or_else(|| Voices::new(played.polyphony), Voices::of_keys);
            self.is_silenced = false;
        }
        let instrument = &scene.instrument;
        match kind {
            MessageKind::NoteOn { key, velocity } => self.note_on(&scene, (channel, key), velocity),
            MessageKind::NoteOff { key } => {
                let ended = self.voices.release(|note| note == (channel, key));
                self.end_notes(instrument, channel, &ended)
            }
            MessageKind::KeyPressure { key, position } => {
                let voices = self.matching_voices(|note| note == (channel, key));
                self.send(instrument, channel, MidiSource::Pressure, &voices, |mapping| mapping.value(position))
            }
            MessageKind::Controller { source: MidiSource::PitchBend, position } => {
                self.bend(instrument, channel, position)
            }
            MessageKind::Controller { source, position } => {
                if matches!(source, MidiSource::Cc(_)) {
                    self.keep_wheel(channel, source, position);
                }
                let voices = self.matching_voices(|(note_channel, _)| note_channel == channel);
                self.send(instrument, channel, source, &voices, |mapping| mapping.value(position))
            }
            MessageKind::Sustain { is_down } => {
                let ended = self.voices.set_pedal(channel, is_down);
                let voices = self.matching_voices(|(note_channel, _)| note_channel == channel);
                // A scene can also map the pedal, as to a damper of its own.
                let position = f64::from(u8::from(is_down));
                let mapped =
                    self.send(instrument, channel, MidiSource::Cc(64), &voices, |mapping| mapping.value(position));
                self.end_notes(instrument, channel, &ended) || mapped
            }
            MessageKind::AllNotesOff => {
                let ended = self.voices.release(|(note_channel, _)| note_channel == channel);
                self.end_notes(instrument, channel, &ended)
            }
            MessageKind::AllSoundOff => self.silence(instrument, channel),
            MessageKind::ResetControllers => {
                let ended = self.voices.set_pedal(channel, false);
                let sent = self.end_notes(instrument, channel, &ended);
                self.bend(instrument, channel, CENTRE) || sent
            }
            MessageKind::Program(program) => self.handle.request_program(program),
        }
    }

    /// The voices whose note matches; all voices if none does.
    fn matching_voices(&self, matches: impl Fn((u8, u8)) -> bool) -> Vec<u8> {
        let playing = self.voices.playing(matches);
        if playing.is_empty() { vec![ALL_VOICES] } else { playing }
    }

    fn note_on(&mut self, scene: &ActiveScene, (channel, key): (u8, u8), velocity: u8) -> bool {
        let instrument = &scene.instrument;
        let Some(voice) = self.voices.start((channel, key)) else { return false };
        let voices = [voice];
        let strength = f64::from(velocity) / 127.0;
        self.lift_hands(instrument);
        let lifted = self.send(instrument, channel, MidiSource::Release, &voices, |mapping| mapping.range[0]);
        // The key can set the place of a strike, so it comes before the velocity.
        let key_sent = self.send_key(instrument, channel, voices[0], key) || lifted;
        let wheels_sent = self.send_wheels(instrument, channel, &voices) || key_sent;
        let is_mapped = instrument.mappings.iter().any(|(mapping, _)| mapping.source == MidiSource::Velocity);
        if is_mapped {
            self.send_places(instrument, (channel, key), voice);
            let value = |mapping: &Mapping| mapping.value(strength);
            return self.send(instrument, channel, MidiSource::Velocity, &voices, value) || wheels_sent;
        }
        let first = instrument.strike_targets().first().copied();
        let strike = |target: usize| (target, strength * instrument.targets[target].range[1]);
        first.map(strike).is_some_and(|(target, value)| self.handle.set_voice_at(self.time, voice, target, value))
            || wheels_sent
    }

    /// Sets the places of the strikes that a key triggers.
    fn send_places(&self, instrument: &Instrument, (channel, key): (u8, u8), voice: u8) {
        let struck = mappings(instrument, channel, MidiSource::Velocity).filter(|(mapping, _)| mapping.listens_to(key));
        for (mapping, _) in struck {
            for (part, value) in mapping.place.map(StrikePlace::coordinates).unwrap_or_default() {
                if let Some(target) = instrument.find_target(&format!("{}.{part}", mapping.target)) {
                    self.handle.set_voice_at(self.time, voice, target, value);
                }
            }
        }
    }

    /// Sets what the wheels of a channel set, for a note that starts in a copy of the scene of its own.
    fn send_wheels(&self, instrument: &Instrument, channel: u8, voices: &[u8]) -> bool {
        if instrument.scene.keyboard.is_none() {
            return false;
        }
        let own = self.wheels.iter().filter(|wheel| wheel.channel == channel);
        let mut sent = false;
        for wheel in own {
            sent |= self.send(instrument, channel, wheel.source, voices, |mapping| mapping.value(wheel.position));
        }
        sent
    }

    /// Keeps the position of a wheel or another controller.
    fn keep_wheel(&mut self, channel: u8, source: MidiSource, position: f64) {
        match self.wheels.iter_mut().find(|wheel| (wheel.channel, wheel.source) == (channel, source)) {
            Some(wheel) => wheel.position = position,
            None => self.wheels.push(Wheel { channel, source, position }),
        }
    }

    /// Sets what the key sets, bent as its channel is.
    fn send_key(&self, instrument: &Instrument, channel: u8, voice: u8, key: u8) -> bool {
        let mappings = mappings(instrument, channel, MidiSource::Key);
        mappings.fold(false, |sent, (mapping, target)| {
            let base = mapping.value_for_key(key);
            let bend = bends_of(instrument, channel, *target).next();
            let value = bend.map_or(base, |bend| bend.relative_value(base, self.bends[usize::from(channel)]));
            self.handle.set_voice_at(self.time, voice, *target, value) || sent
        })
    }

    /// Bends the notes of a channel: relative to the key where the key sets the same target.
    fn bend(&mut self, instrument: &Instrument, channel: u8, position: f64) -> bool {
        self.bends[usize::from(channel)] = position;
        self.keep_wheel(channel, MidiSource::PitchBend, position);
        let voices = self.matching_voices(|(note_channel, _)| note_channel == channel);
        let mut sent = false;
        for (bend, target) in mappings(instrument, channel, MidiSource::PitchBend) {
            if let Some((key, _)) = mappings(instrument, channel, MidiSource::Key).find(|(_, keyed)| keyed == target) {
                // Also notes that ring on follow.
                for (voice, last_key) in self.voices.last_keys(channel) {
                    let value = bend.relative_value(key.value_for_key(last_key), position);
                    sent |= self.handle.set_voice_at(self.time, voice, *target, value);
                }
            } else {
                for &voice in voices.iter().filter(|&&voice| self.concerns((bend, *target), instrument, voice)) {
                    sent |= self.handle.set_voice_at(self.time, voice, *target, bend.value(position));
                }
            }
        }
        sent
    }

    /// Ends the notes of voices.
    fn end_notes(&self, instrument: &Instrument, channel: u8, voices: &[u8]) -> bool {
        let is_param = |target: usize| matches!(instrument.targets[target].action, TargetAction::Param(_));
        let mut sent = self.send(instrument, channel, MidiSource::Release, voices, |mapping| mapping.range[1]);
        for (mapping, target) in mappings(instrument, channel, MidiSource::Velocity) {
            for &voice in voices
                .iter()
                .filter(|&&voice| is_param(*target) && self.concerns((mapping, *target), instrument, voice))
            {
                sent |= self.handle.set_voice_at(self.time, voice, *target, mapping.range[0]);
            }
        }
        sent
    }

    /// Ends all notes of a channel and presses all damping hands, until the next note.
    fn silence(&mut self, instrument: &Instrument, channel: u8) -> bool {
        let mut ended = self.voices.set_pedal(channel, false);
        ended.extend(self.voices.release(|(note_channel, _)| note_channel == channel));
        self.is_silenced = true;
        let sent = self.end_notes(instrument, channel, &ended);
        self.press_hands(instrument, 1) || sent
    }

    /// Lifts the hands that "all sound off" pressed.
    fn lift_hands(&mut self, instrument: &Instrument) {
        if std::mem::take(&mut self.is_silenced) {
            self.press_hands(instrument, 0);
        }
    }

    /// Sets the pressures of all damping hands to an end of their range.
    fn press_hands(&self, instrument: &Instrument, end: usize) -> bool {
        let hands = instrument.targets.iter().enumerate().filter(|(_, target)| target.name.ends_with(".hand.pressure"));
        hands.fold(false, |sent, (hand, target)| self.handle.set_at(self.time, hand, target.range[end]) || sent)
    }

    /// Sets the targets of all mappings of a source, in the voices whose key they listen to.
    fn send(
        &self,
        instrument: &Instrument,
        channel: u8,
        source: MidiSource,
        voices: &[u8],
        value: impl Fn(&Mapping) -> f64,
    ) -> bool {
        let mut sent = false;
        for (mapping, target) in mappings(instrument, channel, source) {
            for &voice in voices.iter().filter(|&&voice| self.concerns((mapping, *target), instrument, voice)) {
                sent |= self.handle.set_voice_at(self.time, voice, *target, value(mapping));
            }
        }
        sent
    }

    /// Whether a mapping listens to the last key of a voice. Copies that no key plays get what wheels set with their next note.
    fn concerns(&self, (mapping, target): (&Mapping, usize), instrument: &Instrument, voice: u8) -> bool {
        if let Some(key) = self.voices.last_key(voice) {
            return mapping.listens_to(key);
        }
        let is_common = matches!(
            instrument.targets[target].action,
            TargetAction::Gain(_) | TargetAction::Volume | TargetAction::Restart | TargetAction::TouchImage(..)
        );
        mapping.listens_to_all() && (is_common || instrument.scene.keyboard.is_none())
    }
}

/// The mappings of a source that listen to a channel, with their targets.
fn mappings(instrument: &Instrument, channel: u8, source: MidiSource) -> impl Iterator<Item = &(Mapping, usize)> {
    let listens = move |mapping: &Mapping| mapping.channel.is_none_or(|mapped| mapped == channel);
    instrument.mappings.iter().filter(move |(mapping, _)| mapping.source == source && listens(mapping))
}

/// The mappings of pitch bend to a target.
fn bends_of(instrument: &Instrument, channel: u8, target: usize) -> impl Iterator<Item = &Mapping> {
    let bends = mappings(instrument, channel, MidiSource::PitchBend);
    bends.filter(move |(_, bent)| *bent == target).map(|(mapping, _)| mapping)
}
