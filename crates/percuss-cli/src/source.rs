//! From what was typed to a scene: a preset's name or a file's path.

use crate::failure::{Failure, Result};
use percuss_scene::midi::{self, MidiFile};
use percuss_scene::presets::{self, Preset};
use percuss_scene::{Scene, closest_match, load_with_midi, parse_with_midi};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A scene and where it came from.
pub struct Source {
    /// Preset name or file stem: what outputs are named after.
    pub name: String,
    /// The file, unless it is a preset.
    pub path: Option<PathBuf>,
    /// The scene.
    pub scene: Scene,
}

impl Source {
    /// Finds and reads a scene; `None` is the default preset. Its warnings go to stderr.
    pub fn open(typed: Option<&str>) -> Result<Self> {
        Self::open_playing(typed, None)
    }

    /// The same for a scene whose score plays a MIDI file instead of its notes, if there is one.
    pub fn open_playing(typed: Option<&str>, midi: Option<&Path>) -> Result<Self> {
        let midi = midi.map(midi::load).transpose()?;
        let midi = midi.as_ref();
        let source = match typed {
            None => Self::from_preset(default_preset(), midi)?,
            Some(typed) if Path::new(typed).is_file() || typed.ends_with(".toml") => {
                Self::from_file(Path::new(typed), midi)?
            }
            Some(typed) => match presets::find(typed) {
                Some(preset) => Self::from_preset(preset, midi)?,
                None if can_only_be_path(typed) => Self::from_file(Path::new(typed), midi)?,
                None => return Err(unknown(typed)),
            },
        };
        for warning in &source.scene.warnings {
            writeln!(io::stderr(), "{warning}")?;
        }
        Ok(source)
    }

    fn from_preset(preset: &Preset, midi: Option<&MidiFile>) -> Result<Self> {
        let scene = parse_with_midi(preset.text, preset.name, midi).map_err(Failure::Scene)?;
        Ok(Self { name: preset.name.into(), path: None, scene })
    }

    fn from_file(path: &Path, midi: Option<&MidiFile>) -> Result<Self> {
        if path.is_dir() {
            return Err(Failure::hinted(
                format!("{}: is a folder, must be a scene file", path.display()),
                "name a .toml file in it",
            ));
        }
        let scene = load_with_midi(path, midi).map_err(Failure::Scene)?;
        let name = path.file_stem().map_or_else(|| "scene".into(), |stem| stem.to_string_lossy().into_owned());
        Ok(Self { name, path: Some(path.into()), scene })
    }
}

/// The preset rendered when nothing is named.
pub fn default_preset() -> &'static Preset {
    &presets::all()[0]
}

/// The preset of a name, or words about what there is.
pub fn preset(name: &str) -> Result<&'static Preset> {
    presets::find(name).ok_or_else(|| unknown(name))
}

/// What is there but not a file, or has folders in it, deserves a message about paths rather than presets.
fn can_only_be_path(typed: &str) -> bool {
    Path::new(typed).exists() || Path::new(typed).components().count() > 1
}

fn unknown(typed: &str) -> Failure {
    let nearest = closest_match(typed, presets::all().iter().map(|preset| preset.name));
    let see = "`percuss list` shows all presets; a scene file's name ends in .toml";
    let hint = nearest.map_or_else(|| see.to_string(), |name| format!("did you mean `{name}`? {see}"));
    Failure::hinted(format!("there is no preset and no file called `{typed}`"), hint)
}
