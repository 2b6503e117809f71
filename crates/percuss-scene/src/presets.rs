//! The preset scenes.

use toml::de::{DeTable, DeValue};

/// How a preset is played by keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keys {
    /// Every key has its pitch; lowest and highest key, as they are written. Notes are bent and pressed one by one (MPE).
    Pitched(String, String),
    /// Keys are places, or parts of the scene.
    Surface,
}

/// A preset scene.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Name on the command line.
    pub name: &'static str,
    /// One-line description.
    pub summary: &'static str,
    /// Text of the scene file.
    pub text: &'static str,
}

impl Preset {
    /// How it is played by keys; `None` where nothing is said about that. Reads the tables only, without building the scene.
    pub fn keys(&self) -> Option<Keys> {
        let root = DeTable::parse(self.text).ok()?.into_inner();
        let voice = root.get("voice").and_then(|voice| voice.get_ref().as_table());
        if let Some(keys) = voice.and_then(|voice| voice.get("keys")).and_then(|keys| keys.get_ref().as_array()) {
            let name = |index: usize| keys.get(index).and_then(|key| key.get_ref().as_str()).map(str::to_owned);
            return Some(Keys::Pitched(name(0)?, name(1)?));
        }
        let mappings = root.get("mapping")?.get_ref().as_array()?;
        let message = |table: &DeTable<'_>| {
            let midi = table.get("midi")?.get_ref().as_table()?;
            midi.get("message")?.get_ref().as_str().map(str::to_owned)
        };
        let mut messages = mappings.iter().filter_map(|mapping| match mapping.get_ref() {
            DeValue::Table(table) => message(table),
            _ => None,
        });
        messages.any(|message| message == "velocity").then_some(Keys::Surface)
    }
}

macro_rules! presets {
    ($($name:literal: $summary:literal),* $(,)?) => {
        &[$(Preset { name: $name, summary: $summary, text: include_str!(concat!("../presets/", $name, ".toml")) }),*]
    };
}

/// All presets; the first is the default.
pub fn all() -> &'static [Preset] {
    presets! {
        "tromba-marina": "a bowed string whose bridge rattles on a soundboard",
        "tromba-marina-spring": "the same, with a spring between string and bridge",
        "tromba-melody": "the tromba marina plays a fanfare in harmonics",
        "guitar": "six steel strings on a spruce top, strummed in open G",
        "hard-plucked-string": "a slack string that starts sharp and glides down, the more the harder it is plucked",
        "sitar": "two strings that wrap around a curved bridge",
        "piano": "a felt hammer, three strings and a soundboard, from soft to hard",
        "hammer-string": "a mass thrown at a stretched string",
        "string-mass-barrier": "a plucked string rattles a small mass on a table",
        "string-string": "a plucked string collides with another along its length",
        "prepared-string": "a string with a loose bolt that rattles",
        "fretboard": "a slack string that hits its fretboard",
        "glockenspiel": "four steel bars and brass mallets",
        "vibraphone-bar": "an undercut bar whose partials are at 1 : 4 : 10, struck with a mallet",
        "kalimba": "steel tines plucked by thumbs, two of which buzz",
        "hammer-bar": "yarn, rubber and plastic mallets on a metal bar given by its modes",
        "bounce-on-bar": "a steel ball bouncing on a ringing bar",
        "wind-chimes": "six tubes that a disc strikes as the wind moves it",
        "marble-run": "marbles that hop on steel bars",
        "singing-bowl": "a bronze bowl, struck and rubbed",
        "temple-bell": "a bell of 20 t that beats, struck with a log",
        "church-bell": "a bell with paired partials and an iron clapper",
        "round-gong": "a round gong with a free rim, struck with felt",
        "water-gong": "a gong lifted out of water and lowered again",
        "tam-tam": "a tam-tam that swells and brightens for a second after a hard blow",
        "snare-drum": "a drum head with wires that rattle against it",
        "tom": "a tom-tom with two heads and the air between them",
        "frame-drum": "a skin played with the fingers, and jingles",
        "tabla": "a skin with a loaded centre, whose partials are at 1 : 2 : 3 : 4",
        "bayan": "a tense round membrane with a hand that slides and presses",
        "coins": "two coins that rattle on a table until they lie",
        "bottle-rattle": "a pebble in a shaken bottle",
        "roll": "a ball rolling over a rough board",
        "rolling-balls": "a steel ball and a marble rolling on a baking tray",
        "prepared-plate": "a plate with nuts and a washer rattling on it",
        "hand-damped-plate": "a steel plate damped by a hand",
        "clamped-corner": "a plate clamped at one corner",
        "clamped-circle": "a round plate cut out of a square one",
        "regional-damping": "a plate with a patch of felt on it",
        "paper-pinched-bar": "a bar pinched at one place, then at another",
        "mass-barrier": "a ball dropped on a wooden table",
        "mass-spring-barrier": "a mass on a spring that buzzes against a ceiling",
        "colliding-masses": "a light mass on a spring colliding with a very heavy one",
        "bounce": "a ball that bounces on a concrete floor until it rests",
    }
}

/// The preset with a name.
pub fn find(name: &str) -> Option<&'static Preset> {
    all().iter().find(|preset| preset.name == name)
}
