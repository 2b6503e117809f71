//! Tables that say what a player's controllers do: mapping.

use super::{Instrument, Target};
use crate::build::Builder;
use crate::diagnostic::closest;
use crate::fields::Fields;
use crate::limits::{plain, spaced, within};
use toml::de::DeTable;

/// What a controller sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MidiSource {
    /// A control change, 0 to 127.
    Cc(u8),
    /// The pitch wheel.
    PitchBend,
    /// Pressure after a key is down, of one key or all.
    Pressure,
    /// How fast a key was struck.
    Velocity,
    /// Which key it was.
    Key,
}

/// How the way of a controller becomes the way of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Curve {
    /// Evenly.
    #[default]
    Linear,
    /// By equal factors; neither end may be 0.
    Exponential,
    /// Slowly at first.
    Square,
    /// Fast at first.
    Root,
    /// By equal intervals along a string that a finger stops: what is left of it changes by equal factors.
    Fret,
}

const CURVES: [(&str, Curve); 5] = [
    ("linear", Curve::Linear),
    ("exponential", Curve::Exponential),
    ("square", Curve::Square),
    ("root", Curve::Root),
    ("fret", Curve::Fret),
];
const MESSAGES: [(&str, MidiSource); 4] = [
    ("pitch-bend", MidiSource::PitchBend),
    ("pressure", MidiSource::Pressure),
    ("velocity", MidiSource::Velocity),
    ("key", MidiSource::Key),
];

/// What one controller does.
#[derive(Clone, Debug, PartialEq)]
pub struct Mapping {
    /// What it sends.
    pub source: MidiSource,
    /// On which channel, from 0; any where none is said.
    pub channel: Option<u8>,
    /// Name of the target.
    pub target: String,
    /// Values at its two ends.
    pub range: [f64; 2],
    /// How it gets from one to the other.
    pub curve: Curve,
    /// Keys at the two ends, where the source is the key.
    pub keys: [u8; 2],
}

impl Mapping {
    /// The value for a controller that has gone a share of its way, from 0 to 1.
    pub fn value(&self, share: f64) -> f64 {
        let [from, to] = self.range;
        match self.curve {
            Curve::Linear => from + share * (to - from),
            Curve::Exponential => from * (to / from).powf(share),
            Curve::Square => from + share * share * (to - from),
            Curve::Root => from + share.sqrt() * (to - from),
            Curve::Fret => 1.0 - (1.0 - from) * ((1.0 - to) / (1.0 - from)).powf(share),
        }
    }

    /// The value for a key.
    pub fn value_of_key(&self, key: u8) -> f64 {
        let [lowest, highest] = self.keys.map(f64::from);
        self.value(((f64::from(key) - lowest) / (highest - lowest)).clamp(0.0, 1.0))
    }
}

/// Reads all `[[mapping]]` tables.
pub(crate) fn read(root: &DeTable<'_>, builder: &mut Builder<'_>) {
    if let Some(fields) = builder.single(root, "voice") {
        let count = fields.number_or("count", within(1.0, 16.0, ""), 1.0);
        if count.fract() != 0.0 {
            fields.complain("count", format!("voice.count is {}, must be whole", plain(count)), None);
        }
        fields.finish();
        builder.voices = count as usize;
    }
    if !root.contains_key("mapping") {
        return;
    }
    let targets = Instrument::of_parts(builder);
    builder.each(root, "mapping", |fields, builder| {
        let mapping = mapping(fields, &targets);
        fields.finish();
        builder.mappings.extend(mapping);
    });
}

fn mapping(fields: &Fields<'_>, targets: &[Target]) -> Option<Mapping> {
    if !fields.has("midi") {
        fields.missing("midi", "{ cc = 1 }");
    }
    let sent = fields.inner("midi", "midi").map(|inner| {
        let sent = (source(&inner), channel(&inner), keys(&inner));
        inner.finish();
        sent
    });
    let curve = fields.choice("curve", &CURVES, Curve::Linear);
    let pair = fields.pair("range", within(-1e9, 1e9, ""));
    let name = fields.required_text("target", "\"bow.force\"")?;
    let Some(target) = targets.iter().find(|target| target.name == name) else {
        let names = || targets.iter().map(|target| target.name.as_str());
        let hint = closest(name, names()).map_or_else(
            || format!("known targets: {}", names().collect::<Vec<_>>().join(", ")),
            |name| format!("did you mean \"{name}\"?"),
        );
        fields.complain("target", format!("mapping.target is \"{name}\", which nothing is called"), Some(hint));
        return None;
    };
    let range = match pair {
        Some(range) => range,
        None if fields.has("range") => return None,
        None => target.range,
    };
    check_range(fields, target, range, curve);
    let (source, channel, keys) = sent?;
    Some(Mapping { source: source?, channel, target: name.to_owned(), range, curve, keys })
}

/// The range must be one that the target has, and that the curve can cross.
fn check_range(fields: &Fields<'_>, target: &Target, range: [f64; 2], curve: Curve) {
    let [least, most] = target.range;
    if let Some(&outside) = range.iter().find(|value| !(least..=most).contains(*value)) {
        let unit = spaced(target.unit);
        let message = format!("mapping.range has {}{unit}, which {} cannot be", plain(outside), target.name);
        let hint = format!("it goes from {} to {}{unit}", plain(least), plain(most));
        fields.complain("range", message, Some(hint));
    }
    if curve == Curve::Exponential && range[0] * range[1] <= 0.0 {
        let message =
            format!("mapping.range goes from {} to {}, which no factors do", plain(range[0]), plain(range[1]));
        fields.complain("range", message, Some("use curve = \"square\", or keep away from 0".to_owned()));
    }
    if curve == Curve::Fret && range.iter().any(|end| !(0.0..1.0).contains(end)) {
        let message = "mapping.range leaves no string to sound: fret goes from 0 to less than 1".to_owned();
        fields.complain("range", message, Some("for instance range = [0.0, 0.75], two octaves".to_owned()));
    }
}

/// The keys at the two ends.
fn keys(inner: &Fields<'_>) -> [u8; 2] {
    let keys = inner.pair("keys", within(0.0, 127.0, "")).unwrap_or([0.0, 127.0]);
    if keys[0] >= keys[1] || keys.iter().any(|key| key.fract() != 0.0) {
        let hint = Some("for instance keys = [48, 72], from one C to another".to_owned());
        inner.complain("keys", "midi.keys must be two whole numbers that rise".to_owned(), hint);
    }
    keys.map(|key| key as u8)
}

fn source(inner: &Fields<'_>) -> Option<MidiSource> {
    let number = inner.number("cc", within(0.0, 127.0, ""));
    let message = inner.text("message");
    match (inner.has("cc"), message) {
        (true, Some(_)) => {
            let hint = Some("keep one of them".to_owned());
            inner.complain("message", "midi has both a cc and a message".to_owned(), hint);
            None
        }
        (true, None) => whole(inner, "cc", number?).map(MidiSource::Cc),
        (false, Some(word)) => inner.choose("message", word, &MESSAGES),
        (false, None) => {
            let hint = "add cc = 1, or message = \"pitch-bend\", \"pressure\", \"velocity\" or \"key\"".to_owned();
            inner.complain("cc", "midi has neither a cc nor a message".to_owned(), Some(hint));
            None
        }
    }
}

fn channel(inner: &Fields<'_>) -> Option<u8> {
    let number = inner.number("channel", within(1.0, 16.0, ""))?;
    whole(inner, "channel", number).map(|channel| channel - 1)
}

fn whole(inner: &Fields<'_>, field: &str, number: f64) -> Option<u8> {
    if number.fract() != 0.0 {
        inner.complain(field, format!("midi.{field} is {}, must be whole", plain(number)), None);
        return None;
    }
    Some(number as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(range: [f64; 2], curve: Curve) -> Mapping {
        Mapping { source: MidiSource::Key, channel: None, target: String::new(), range, curve, keys: [48, 72] }
    }

    #[test]
    fn frets_lie_where_the_tempered_scale_has_them() {
        let frets = mapping([0.0, 0.75], Curve::Fret);
        for (key, semitones) in [(48, 0.0), (55, 7.0), (60, 12.0), (72, 24.0), (99, 24.0), (3, 0.0)] {
            let left = 1.0 - frets.value_of_key(key);
            assert!((left - 2_f64.powf(-semitones / 12.0)).abs() < 1e-15, "key {key}");
        }
    }

    #[test]
    fn curves_meet_their_ends_and_bend_as_they_say() {
        let at = |curve, share| mapping([1.0, 16.0], curve).value(share);
        for (_, curve) in CURVES.into_iter().filter(|(_, curve)| *curve != Curve::Fret) {
            assert_eq!((at(curve, 0.0), at(curve, 1.0)), (1.0, 16.0), "{curve:?}");
        }
        assert_eq!(at(Curve::Linear, 0.5), 8.5);
        assert_eq!(at(Curve::Exponential, 0.5), 4.0);
        assert_eq!(at(Curve::Square, 0.5), 4.75);
        assert_eq!(at(Curve::Root, 0.25), 8.5);
    }
}
