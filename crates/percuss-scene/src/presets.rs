//! The preset scenes.

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
        "string-mass-barrier": "a plucked string rattles a small mass on a table",
        "hammer-string": "a mass thrown at a stretched string",
        "mass-barrier": "a ball dropped on a rigid floor",
        "mass-spring-barrier": "a mass on a spring that buzzes against a ceiling",
        "colliding-masses": "a light mass on a spring colliding with a very heavy one",
        "string-string": "a plucked string collides with another along its length",
        "prepared-string": "a string with a loose bolt that rattles",
        "fretboard": "a slack string that hits its fretboard",
        "hammer-bar": "a mallet on a metal bar given by its modes",
        "bounce": "a ball that bounces on a floor until it rests",
        "bounce-on-bar": "a steel ball bouncing on a ringing bar",
        "roll": "a ball rolling over a rough board",
        "hand-damped-plate": "a steel plate damped by a hand",
        "water-gong": "a gong lifted out of water and lowered again",
        "round-gong": "a round gong with a free rim, struck with felt",
        "clamped-corner": "a plate clamped at one corner",
        "clamped-circle": "a round plate cut out of a square one",
        "regional-damping": "a plate with a patch of felt on it",
        "tabla": "a tense round membrane with a hand that slides and presses",
        "prepared-plate": "a plate with nuts and a washer rattling on it",
        "vibraphone-bar": "a bar pinched at one place, then at another",
    }
}

/// The preset with a name.
pub fn find(name: &str) -> Option<&'static Preset> {
    all().iter().find(|preset| preset.name == name)
}
