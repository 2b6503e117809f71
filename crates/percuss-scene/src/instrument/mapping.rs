//! Reads `[[mapping]]`.

use super::{ControlTarget, Instrument};
use crate::diagnostic::closest_match;
use crate::limits::{ValueLimits, format_number, unit_suffix};
use crate::scene_builder::SceneBuilder;
use crate::table_reader::TableReader;
use toml::de::DeTable;

/// MIDI message that a mapping receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MidiSource {
    /// Control change with a controller number, 0 to 127.
    Cc(u8),
    /// Pitch bend.
    PitchBend,
    /// Pressure of a channel or of a key (aftertouch).
    Pressure,
    /// Velocity of a note.
    Velocity,
    /// Key number of a note.
    Key,
    /// End of a note: of its key, or of the sustain pedal if that holds it.
    Release,
}

/// Curve from a controller's normalised position to a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MappingCurve {
    /// Proportional to the position.
    #[default]
    Linear,
    /// Equal factors for equal steps; the range must not contain 0.
    Exponential,
    /// Square of the position.
    Square,
    /// Square root of the position.
    Root,
    /// Place of a finger that stops a string: equal musical intervals for equal steps.
    Fret,
}

const MAPPING_CURVES: [(&str, MappingCurve); 5] = [
    ("linear", MappingCurve::Linear),
    ("exponential", MappingCurve::Exponential),
    ("square", MappingCurve::Square),
    ("root", MappingCurve::Root),
    ("fret", MappingCurve::Fret),
];
const MIDI_MESSAGES: [(&str, MidiSource); 5] = [
    ("pitch-bend", MidiSource::PitchBend),
    ("pressure", MidiSource::Pressure),
    ("velocity", MidiSource::Velocity),
    ("key", MidiSource::Key),
    ("release", MidiSource::Release),
];

/// All keys of MIDI.
const ALL_KEYS: [u8; 2] = [0, 127];

/// Mapping of a MIDI message to a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Mapping {
    /// Message that is received.
    pub source: MidiSource,
    /// MIDI channel, from 0; any if `None`.
    pub channel: Option<u8>,
    /// Name of the target.
    pub target: String,
    /// Values at the two ends of the controller.
    pub range: [f64; 2],
    /// Curve between the two values.
    pub curve: MappingCurve,
    /// Keys at the two ends of the range, for [`MidiSource::Key`]; the keys that it listens to, for other messages of notes.
    pub key_range: [u8; 2],
    /// Place of a strike, which is set before it.
    pub place: Option<StrikePlace>,
}

/// A place of a strike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StrikePlace {
    /// A fraction of the length of a string or bar.
    Along(f64),
    /// Fractions of the sides of a plate or membrane.
    On([f64; 2]),
}

impl StrikePlace {
    /// Names of the coordinates, as they end those of targets, with their values.
    pub fn coordinates(self) -> Vec<(&'static str, f64)> {
        match self {
            Self::Along(at) => vec![("position", at)],
            Self::On([x, y]) => vec![("x", x), ("y", y)],
        }
    }
}

impl Mapping {
    /// A mapping of a message to a target, linear, of all channels and keys.
    pub fn new(source: MidiSource, target: &str, range: [f64; 2]) -> Self {
        let (channel, curve, place) = (None, MappingCurve::Linear, None);
        Self { source, channel, target: target.to_owned(), range, curve, key_range: ALL_KEYS, place }
    }

    /// Whether it listens to a key.
    pub fn listens_to(&self, key: u8) -> bool {
        let [lowest, highest] = self.key_range;
        self.source == MidiSource::Key || (lowest..=highest).contains(&key)
    }

    /// Whether it listens to all keys.
    pub fn listens_to_all(&self) -> bool {
        self.source == MidiSource::Key || self.key_range == ALL_KEYS
    }

    /// The value for a normalised position of the controller, from 0 to 1.
    pub fn value(&self, position: f64) -> f64 {
        let [from, to] = self.range;
        match self.curve {
            MappingCurve::Linear => from + position * (to - from),
            MappingCurve::Exponential => from * (to / from).powf(position),
            MappingCurve::Square => from + position * position * (to - from),
            MappingCurve::Root => from + position.sqrt() * (to - from),
            MappingCurve::Fret => 1.0 - (1.0 - from) * ((1.0 - to) / (1.0 - from)).powf(position),
        }
    }

    /// The value for a position relative to rest, the middle, where `base` is the value at rest: an interval where the curve
    /// is exponential or that of frets, else a difference.
    pub fn relative_value(&self, base: f64, position: f64) -> f64 {
        let (rest, value) = (self.value(0.5), self.value(position));
        match self.curve {
            MappingCurve::Exponential => base * value / rest,
            MappingCurve::Fret => 1.0 - (1.0 - base) * (1.0 - value) / (1.0 - rest),
            MappingCurve::Linear | MappingCurve::Square | MappingCurve::Root => base + value - rest,
        }
    }

    /// The value for a key.
    pub fn value_for_key(&self, key: u8) -> f64 {
        let [lowest, highest] = self.key_range.map(f64::from);
        self.value(((f64::from(key) - lowest) / (highest - lowest)).clamp(0.0, 1.0))
    }
}

/// Reads all `[[mapping]]` tables.
pub(super) fn read(root: &DeTable<'_>, builder: &mut SceneBuilder<'_>) {
    if !root.contains_key("mapping") {
        return;
    }
    let targets = Instrument::targets_of(builder);
    builder.for_each_table(root, "mapping", |table, builder| {
        let mapping = read_mapping(table, &targets);
        table.finish();
        builder.mappings.extend(mapping);
    });
}

fn read_mapping(table: &TableReader<'_>, targets: &[ControlTarget]) -> Option<Mapping> {
    if !table.has("midi") {
        table.mark_missing("midi", "{ cc = 1 }");
    }
    let midi = table.subtable("midi", "midi").map(|inner| {
        let midi = (read_source(&inner), read_channel(&inner), read_key_range(&inner));
        inner.finish();
        midi
    });
    let curve = table.choice("curve", &MAPPING_CURVES, MappingCurve::Linear);
    let pair = table.number_pair("range", ValueLimits::new(-1e9, 1e9, ""));
    let name = table.required_string("target", "\"bow.force\"")?;
    let Some(target) = targets.iter().find(|target| target.name == name) else {
        let names = || targets.iter().map(|target| target.name.as_str());
        let hint = closest_match(name, names()).map_or_else(
            || format!("known targets: {}", names().collect::<Vec<_>>().join(", ")),
            |name| format!("did you mean \"{name}\"?"),
        );
        table.report("target", format!("mapping.target is \"{name}\", but no target has this name"), Some(hint));
        return None;
    };
    let range = match pair {
        Some(range) => range,
        None if table.has("range") => return None,
        None => target.range,
    };
    check_range(table, target, range, curve);
    let place = read_place(table, targets, name);
    let (source, channel, key_range) = midi?;
    let (source, key_range) = (source?, key_range?);
    if source == MidiSource::Key && key_range[0] == key_range[1] {
        let hint = Some("for instance keys = [48, 72], from C3 to C5".to_owned());
        table.report("midi", "midi.keys must be two different keys where the key sets a value".to_owned(), hint);
    }
    Some(Mapping { source, channel, target: name.to_owned(), range, curve, key_range, place })
}

/// Where a strike is to act: on what has a place to strike.
fn read_place(table: &TableReader<'_>, targets: &[ControlTarget], name: &str) -> Option<StrikePlace> {
    if !table.has("at") {
        return None;
    }
    let limits = ValueLimits::new(0.0, 1.0, "");
    let place = match table.number_or_list("at", limits)?[..] {
        [at] => StrikePlace::Along(at),
        [x, y] => StrikePlace::On([x, y]),
        _ => {
            let hint = Some("for instance at = [0.3, 0.7]".to_owned());
            table.report("at", "mapping.at must be one number, or two".to_owned(), hint);
            return None;
        }
    };
    let has = |part: &str| targets.iter().any(|target| target.name == format!("{name}.{part}"));
    if place.coordinates().iter().all(|(part, _)| has(part)) {
        return Some(place);
    }
    let hint = "strikes have one number on a string or bar, two on a plate or membrane".to_owned();
    table.report("at", format!("mapping.at is no place of {name}"), Some(hint));
    None
}

/// The range must lie within that of the target, and the curve must be defined on it.
fn check_range(table: &TableReader<'_>, target: &ControlTarget, range: [f64; 2], curve: MappingCurve) {
    let [min, max] = target.range;
    if let Some(&outside) = range.iter().find(|value| !(min..=max).contains(*value)) {
        let unit = unit_suffix(target.unit);
        let message =
            format!("mapping.range has {}{unit}, outside the range of {}", format_number(outside), target.name);
        let hint = format!("the range is {} to {}{unit}", format_number(min), format_number(max));
        table.report("range", message, Some(hint));
    }
    if curve == MappingCurve::Exponential && range[0] * range[1] <= 0.0 {
        let message = "mapping.range must not contain 0 where curve = \"exponential\"".to_owned();
        table.report("range", message, Some("use curve = \"square\", or a range without 0".to_owned()));
    }
    if curve == MappingCurve::Fret && range.iter().any(|end| !(0.0..1.0).contains(end)) {
        let message = "mapping.range must lie within 0 to below 1 where curve = \"fret\"".to_owned();
        table.report("range", message, Some("for instance range = [0.0, 0.75], two octaves".to_owned()));
    }
}

/// The keys at the two ends of the range, or those that it listens to: two numbers, or one key.
fn read_key_range(inner: &TableReader<'_>) -> Option<[u8; 2]> {
    if !inner.has("keys") {
        return Some(ALL_KEYS);
    }
    let list = inner.number_or_list("keys", ValueLimits::new(0.0, 127.0, ""))?;
    let keys = match list[..] {
        [key] => [key, key],
        [lowest, highest] => [lowest, highest],
        _ => [1.0, 0.0],
    };
    if keys[0] > keys[1] || keys.iter().any(|key| key.fract() != 0.0) {
        let hint = Some("for instance keys = [48, 72], from C3 to C5, or keys = 36".to_owned());
        inner.report("keys", "midi.keys must be two whole numbers in ascending order".to_owned(), hint);
        return None;
    }
    Some(keys.map(|key| key as u8))
}

fn read_source(inner: &TableReader<'_>) -> Option<MidiSource> {
    let number = inner.number("cc", ValueLimits::new(0.0, 127.0, ""));
    let message = inner.string("message");
    match (inner.has("cc"), message) {
        (true, Some(_)) => {
            let hint = Some("keep one of them".to_owned());
            inner.report("message", "midi has both a cc and a message".to_owned(), hint);
            None
        }
        (true, None) => integer_field(inner, "cc", number?).map(MidiSource::Cc),
        (false, Some(word)) => inner.parse_choice("message", word, &MIDI_MESSAGES),
        (false, None) => {
            let hint = "add cc = 1, or message = \"pitch-bend\", \"pressure\", \"velocity\", \"key\" or \"release\""
                .to_owned();
            inner.report("cc", "midi has neither a cc nor a message".to_owned(), Some(hint));
            None
        }
    }
}

fn read_channel(inner: &TableReader<'_>) -> Option<u8> {
    let number = inner.number("channel", ValueLimits::new(1.0, 16.0, ""))?;
    integer_field(inner, "channel", number).map(|channel| channel - 1)
}

/// A number that must be an integer.
fn integer_field(inner: &TableReader<'_>, field: &str, number: f64) -> Option<u8> {
    if number.fract() != 0.0 {
        inner.report(field, format!("midi.{field} is {}, must be whole", format_number(number)), None);
        return None;
    }
    Some(number as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(range: [f64; 2], curve: MappingCurve) -> Mapping {
        Mapping { curve, key_range: [48, 72], ..Mapping::new(MidiSource::Key, "", range) }
    }

    #[test]
    fn frets_follow_equal_temperament() {
        let frets = mapping([0.0, 0.75], MappingCurve::Fret);
        for (key, semitones) in [(48, 0.0), (55, 7.0), (60, 12.0), (72, 24.0), (99, 24.0), (3, 0.0)] {
            let sounding = 1.0 - frets.value_for_key(key);
            assert!((sounding - 2_f64.powf(-semitones / 12.0)).abs() < 1e-15, "key {key}");
        }
    }

    #[test]
    fn a_bend_of_a_fret_is_the_same_interval_at_every_place() {
        // Two semitones up and down around the middle.
        let whole_tone = 2_f64.powf(2.0 / 12.0);
        let bend = mapping([0.0, 1.0 - whole_tone.powi(-2)], MappingCurve::Fret);
        for base in [0.0, 0.25, 0.6] {
            assert!((bend.relative_value(base, 0.5) - base).abs() < 1e-15);
            let interval = (1.0 - base) / (1.0 - bend.relative_value(base, 1.0));
            assert!((interval - whole_tone).abs() < 1e-14, "{interval}");
        }
    }

    #[test]
    fn curves_meet_their_ends_and_have_their_shapes() {
        let at = |curve, position| mapping([1.0, 16.0], curve).value(position);
        for (_, curve) in MAPPING_CURVES.into_iter().filter(|(_, curve)| *curve != MappingCurve::Fret) {
            assert_eq!((at(curve, 0.0), at(curve, 1.0)), (1.0, 16.0), "{curve:?}");
        }
        assert_eq!(at(MappingCurve::Linear, 0.5), 8.5);
        assert_eq!(at(MappingCurve::Exponential, 0.5), 4.0);
        assert_eq!(at(MappingCurve::Square, 0.5), 4.75);
        assert_eq!(at(MappingCurve::Root, 0.25), 8.5);
    }
}
