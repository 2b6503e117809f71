//! Reads `[voice]`: how many notes sound at once, and which keys have a copy of the scene.
//!
//! Pitch       the copy of a key is the scene in another size. If all lengths of elastic bodies are divided by r and nothing else is
//!             changed, all their frequencies are multiplied by r, those of coupled bodies, too. So a copy is the scene compiled at
//!             1/r of the sample rate and stepped at the whole rate: in tune as the scene is, at every key
//! Bend        a copy that is stepped faster or slower

use crate::limits::{ValueLimits, format_number};
use crate::scene_builder::SceneBuilder;
use crate::score::pitch::{key_frequency, note_frequency};
use crate::table_reader::TableReader;
use toml::de::DeTable;

const COUNT_LIMITS: ValueLimits = ValueLimits::new(1.0, 16.0, "");
const PITCH_LIMITS: ValueLimits = ValueLimits::new(1.0, 2e4, "Hz");
/// Most semitones of a bend: a scene that is bent up by two octaves takes four times its CPU time.
pub(crate) const MAX_BEND: f64 = 24.0;
/// Semitones of a bend, where the scene does not say.
const DEFAULT_BEND: f64 = 2.0;
/// Farthest key from the pitch of the scene \[octaves\].
const MAX_OCTAVES: f64 = 4.0;

/// Keys of which each has a copy of the scene, of the size that gives its pitch.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyboard {
    /// Lowest and highest key, as MIDI numbers.
    keys: [u8; 2],
    /// Pitch of the scene as it is written \[Hz\].
    pitch: f64,
    /// Bend at the end of a pitch wheel \[semitones\].
    pub bend: f64,
    /// Frequencies of the keys \[Hz\].
    frequencies: Vec<f64>,
}

impl Keyboard {
    fn new(keys: [u8; 2], pitch: f64, bend: f64) -> Self {
        let frequencies = (keys[0]..=keys[1]).map(|key| key_frequency(f64::from(key))).collect();
        Self { keys, pitch, bend, frequencies }
    }

    /// Lowest and highest key, as MIDI numbers.
    pub fn keys(&self) -> [u8; 2] {
        self.keys
    }

    /// Number of keys, which is that of the copies.
    pub fn copies(&self) -> usize {
        self.frequencies.len()
    }

    /// The copy of a key, from 0.
    pub fn copy_of(&self, key: u8) -> Option<u8> {
        (self.keys[0]..=self.keys[1]).contains(&key).then(|| key - self.keys[0])
    }

    /// Frequency of a copy \[Hz\].
    pub fn frequency(&self, copy: usize) -> f64 {
        self.frequencies[copy]
    }

    /// Frequencies of a copy, over those of the scene.
    pub fn ratio(&self, copy: usize) -> f64 {
        self.frequencies[copy] / self.pitch
    }

    /// The copy whose size is nearest to that of the scene.
    pub fn nearest_copy(&self) -> usize {
        let distance = |copy: &usize| self.ratio(*copy).log2().abs();
        (0..self.copies()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
    }
}

/// Reads `[voice]`.
pub(super) fn read(root: &DeTable<'_>, builder: &mut SceneBuilder<'_>) {
    let Some(table) = builder.single_table(root, "voice") else { return };
    let has_keys = table.has("keys");
    let count = table.number_or("count", COUNT_LIMITS, if has_keys { 8.0 } else { 1.0 });
    if count.fract() != 0.0 {
        table.report("count", format!("voice.count is {}, must be whole", format_number(count)), None);
    }
    builder.polyphony = count as usize;
    if has_keys || table.has("pitch") || table.has("bend") {
        builder.keyboard = read_keys(&table);
    }
    table.finish();
}

fn read_keys(table: &TableReader<'_>) -> Option<Keyboard> {
    if !table.has("keys") {
        table.mark_missing("keys", "[\"C3\", \"C6\"]");
    }
    if !table.has("pitch") {
        table.mark_missing("pitch", "\"C4\"");
    }
    let bend = table.number_or("bend", ValueLimits::new(0.0, MAX_BEND, "semitones"), DEFAULT_BEND);
    let pitch = read_pitch(table);
    let names = table.strings("keys")?;
    let keys: Option<Vec<u8>> = names.iter().map(|name| note_frequency(name).and_then(key_of)).collect();
    let Some(&[lowest, highest]) = keys.as_deref().filter(|keys| keys.len() == 2 && keys[0] < keys[1]) else {
        let hint = Some("for instance keys = [\"C3\", \"C6\"]".to_owned());
        table.report("keys", "voice.keys must be the lowest and the highest key".to_owned(), hint);
        return None;
    };
    let pitch = pitch?;
    let is_far = |key: u8| (key_frequency(f64::from(key)) / pitch).log2().abs() > MAX_OCTAVES;
    if is_far(lowest) || is_far(highest) {
        let message = format!("voice.keys has a key more than {MAX_OCTAVES} octaves from the pitch");
        table.report("keys", message, Some("a scene keeps its character over two octaves or three".to_owned()));
    }
    Some(Keyboard::new([lowest, highest], pitch, bend))
}

/// The MIDI key of a note.
fn key_of(frequency: f64) -> Option<u8> {
    let key = (69.0 + 12.0 * (frequency / 440.0).log2()).round();
    (0.0..=127.0).contains(&key).then_some(key as u8)
}

fn read_pitch(table: &TableReader<'_>) -> Option<f64> {
    match table.number_or_string("pitch")? {
        Ok(frequency) => table.check_limits("pitch", frequency, PITCH_LIMITS),
        Err(name) => {
            let found = note_frequency(name).filter(|frequency| PITCH_LIMITS.contains(*frequency));
            if found.is_none() {
                let message = format!("voice.pitch is \"{name}\", must be a note or a frequency in Hz");
                table.report("pitch", message, Some("notes look like \"A3\", \"F#3\" or \"Bb2\"".to_owned()));
            }
            found
        }
    }
}
