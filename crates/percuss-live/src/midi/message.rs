//! MIDI messages: parsing, and their times.

use percuss_scene::instrument::MidiSource;

/// Length of a channel message; longer messages are ignored.
const MAX_MESSAGE_LENGTH: usize = 3;

/// A message and the sample at which it acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedMessage {
    /// Sample; 0 for as soon as possible.
    pub time: u64,
    bytes: [u8; MAX_MESSAGE_LENGTH],
    length: usize,
}

impl TimedMessage {
    /// A message; `None` if it is longer than those of a channel.
    pub fn new(time: u64, message: &[u8]) -> Option<Self> {
        let mut bytes = [0; MAX_MESSAGE_LENGTH];
        bytes.get_mut(..message.len())?.copy_from_slice(message);
        Some(Self { time, bytes, length: message.len() })
    }

    /// The bytes of the message.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// What a channel message says; its channel is apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum MessageKind {
    NoteOn {
        key: u8,
        velocity: u8,
    },
    NoteOff {
        key: u8,
    },
    /// Polyphonic key pressure.
    KeyPressure {
        key: u8,
        position: f64,
    },
    /// Control change, channel pressure or pitch bend.
    Controller {
        source: MidiSource,
        position: f64,
    },
    /// The sustain pedal.
    Sustain {
        is_down: bool,
    },
    /// All keys are released; the pedal still holds.
    AllNotesOff,
    /// Silence at once.
    AllSoundOff,
    ResetControllers,
    Program(u8),
}

/// Parses a message into its channel, counted from 0, and what it says; `None` if it is incomplete or of another kind.
pub(super) fn parse(bytes: &[u8]) -> Option<(u8, MessageKind)> {
    let (&status, data) = bytes.split_first()?;
    let data = |index: usize| data.get(index).copied().filter(|byte| *byte < 0x80);
    let normalised = |value: u8| f64::from(value) / 127.0;
    let kind = match status & 0xF0 {
        0x80 => data(1).and(data(0)).map(|key| MessageKind::NoteOff { key })?,
        0x90 => match (data(0)?, data(1)?) {
            (key, 0) => MessageKind::NoteOff { key },
            (key, velocity) => MessageKind::NoteOn { key, velocity },
        },
        0xA0 => MessageKind::KeyPressure { key: data(0)?, position: normalised(data(1)?) },
        0xB0 => control_change(data(0)?, data(1)?),
        0xC0 => MessageKind::Program(data(0)?),
        0xD0 => MessageKind::Controller { source: MidiSource::Pressure, position: normalised(data(0)?) },
        0xE0 => {
            let value = f64::from(u16::from(data(0)?) | u16::from(data(1)?) << 7);
            // The centre is 8192 and the maximum 16383: both halves are scaled separately, so that both are exact.
            let half = if value < 8192.0 { value / 8192.0 } else { 1.0 + (value - 8192.0) / 8191.0 };
            MessageKind::Controller { source: MidiSource::PitchBend, position: 0.5 * half }
        }
        _ => return None,
    };
    Some((status & 0x0F, kind))
}

/// A control change; some controllers have a fixed meaning. Changes of mode include "all notes off".
fn control_change(controller: u8, value: u8) -> MessageKind {
    match controller {
        64 => MessageKind::Sustain { is_down: value >= 64 },
        120 => MessageKind::AllSoundOff,
        121 => MessageKind::ResetControllers,
        123..=127 => MessageKind::AllNotesOff,
        _ => MessageKind::Controller { source: MidiSource::Cc(controller), position: f64::from(value) / 127.0 },
    }
}
