//! Which voice plays which note.

use percuss_scene::instrument::Keyboard;

/// State of a voice.
#[derive(Clone, Copy, Debug, Default)]
struct VoiceState {
    /// Channel and key, while the note is held by its key or by the pedal.
    note: Option<(u8, u8)>,
    /// Whether the key is up, and only the pedal holds the note.
    is_pedalled: bool,
    /// Channel and key of the last note.
    last_note: Option<(u8, u8)>,
    /// Value of `note_count` at the last start or release.
    changed_at: u64,
}

/// The voices of a scene. Every note gets the voice that is free for longest, else that of the oldest note.
#[derive(Clone, Debug, Default)]
pub(super) struct Voices {
    voices: Vec<VoiceState>,
    /// Channels whose pedal is down, as bits.
    pedals: u16,
    /// Number of starts and releases.
    note_count: u64,
    /// The lowest key, where every key has its own voice.
    lowest_key: Option<u8>,
}

impl Voices {
    pub fn new(count: usize) -> Self {
        Self { voices: vec![VoiceState::default(); count], ..Self::default() }
    }

    /// A voice for every key.
    pub fn of_keys(keyboard: &Keyboard) -> Self {
        Self { lowest_key: Some(keyboard.keys()[0]), ..Self::new(keyboard.copies()) }
    }

    /// The voices whose note is held and matches.
    pub fn playing(&self, matches: impl Fn((u8, u8)) -> bool) -> Vec<u8> {
        let matching = self.voices.iter().enumerate().filter(|(_, voice)| voice.note.is_some_and(&matches));
        matching.map(|(index, _)| index as u8).collect()
    }

    /// The voices whose last note was on a channel, with its key.
    pub fn last_keys(&self, channel: u8) -> impl Iterator<Item = (u8, u8)> {
        let notes = self.voices.iter().zip(0..).filter_map(|(voice, index)| Some((index, voice.last_note?)));
        notes.filter(move |(_, note)| note.0 == channel).map(|(index, (_, key))| (index, key))
    }

    /// The key of the last note of a voice.
    pub fn last_key(&self, voice: u8) -> Option<u8> {
        self.voices.get(usize::from(voice))?.last_note.map(|(_, key)| key)
    }

    /// The voice for a note: that of its key, or else the one that plays the same key, else one as above. `None` for keys without a
    /// voice.
    pub fn start(&mut self, note: (u8, u8)) -> Option<u8> {
        self.note_count += 1;
        if let Some(lowest) = self.lowest_key {
            let index = note.1.checked_sub(lowest)?;
            let voice = self.voices.get_mut(usize::from(index))?;
            *voice =
                VoiceState { note: Some(note), is_pedalled: false, last_note: Some(note), changed_at: self.note_count };
            return Some(index);
        }
        let order = |voice: &VoiceState| (voice.note != Some(note), voice.note.is_some(), voice.changed_at);
        let (index, voice) =
            self.voices.iter_mut().enumerate().min_by_key(|(_, voice)| order(voice)).expect("a scene has a voice");
        let (changed_at, last_note) = (self.note_count, Some(note));
        *voice = VoiceState { note: Some(note), is_pedalled: false, last_note, changed_at };
        Some(index as u8)
    }

    /// Releases the keys that match; returns the voices whose notes end, which those held by the pedal do not.
    pub fn release(&mut self, matches: impl Fn((u8, u8)) -> bool) -> Vec<u8> {
        let pedals = self.pedals;
        for voice in &mut self.voices {
            if let Some(note) = voice.note.filter(|note| matches(*note)) {
                voice.is_pedalled = pedals & 1 << note.0 != 0;
            }
        }
        self.end_notes(|voice, note| matches(note) && !voice)
    }

    /// Moves the pedal of a channel; returns the voices whose notes end.
    pub fn set_pedal(&mut self, channel: u8, is_down: bool) -> Vec<u8> {
        if is_down {
            self.pedals |= 1 << channel;
            return Vec::new();
        }
        self.pedals &= !(1 << channel);
        self.end_notes(|is_pedalled, note| is_pedalled && note.0 == channel)
    }

    /// Ends notes, given whether the pedal holds them, their channel and their key.
    fn end_notes(&mut self, ends: impl Fn(bool, (u8, u8)) -> bool) -> Vec<u8> {
        self.note_count += 1;
        let mut ended = Vec::new();
        for (index, voice) in self.voices.iter_mut().enumerate() {
            if voice.note.is_some_and(|note| ends(voice.is_pedalled, note)) {
                *voice = VoiceState { note: None, is_pedalled: false, changed_at: self.note_count, ..*voice };
                ended.push(index as u8);
            }
        }
        ended
    }
}
