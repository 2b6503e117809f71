//! The scenes that come with percuss.

/// A scene that comes with percuss.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// The scene file.
    pub text: &'static str,
}

macro_rules! presets {
    ($($name:literal: $summary:literal),* $(,)?) => {
        &[$(Preset { name: $name, summary: $summary, text: include_str!(concat!("../presets/", $name, ".toml")) }),*]
    };
}

/// All of them; the first is the default.
pub fn all() -> &'static [Preset] {
    presets! {
        "hammer-string": "a felt-tipped mass thrown at a steel string",
    }
}

/// The one of a name.
pub fn find(name: &str) -> Option<&'static Preset> {
    all().iter().find(|preset| preset.name == name)
}
