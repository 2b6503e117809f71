//! Loads a scene from the name of a preset or the path of a file.

use crate::error::{CliError, Result};
use percuss_scene::midi::{self, MidiFile};
use percuss_scene::presets::{self, Preset};
use percuss_scene::{Scene, closest_match, load_for_short_run, load_with_midi, parse_for_short_run, parse_with_midi};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A scene and its origin.
pub struct LoadedScene {
    /// Preset name or file stem; default outputs are named after it.
    pub name: String,
    /// The scene file; `None` for a preset.
    pub path: Option<PathBuf>,
    /// The scene.
    pub scene: Scene,
}

/// What a scene is loaded for.
enum Purpose {
    /// All of it is run; the notes of a MIDI file replace those of its score.
    Render(Option<MidiFile>),
    /// Only its start is run.
    ShortRun,
}

impl LoadedScene {
    /// Loads a preset or file; `None` loads the default preset. Prints the scene's warnings to stderr.
    pub fn open(typed: Option<&str>) -> Result<Self> {
        Self::open_with_midi(typed, None)
    }

    /// Same as [`Self::open`], with the notes of the scene's score replaced by those of a MIDI file, if one is given.
    pub fn open_with_midi(typed: Option<&str>, midi: Option<&Path>) -> Result<Self> {
        let midi = midi.map(midi::load).transpose()?;
        Self::open_for(typed, &Purpose::Render(midi))
    }

    /// Same as [`Self::open`], to run the start of a scene.
    pub fn open_for_short_run(typed: &str) -> Result<Self> {
        Self::open_for(Some(typed), &Purpose::ShortRun)
    }

    fn open_for(typed: Option<&str>, purpose: &Purpose) -> Result<Self> {
        let source = match typed {
            None => Self::from_preset(default_preset(), purpose)?,
            Some(typed) if Path::new(typed).is_file() || typed.ends_with(".toml") => {
                Self::from_file(Path::new(typed), purpose)?
            }
            Some(typed) => match presets::find(typed) {
                Some(preset) => Self::from_preset(preset, purpose)?,
                None if is_path(typed) => Self::from_file(Path::new(typed), purpose)?,
                None => return Err(unknown_scene(typed)),
            },
        };
        for warning in &source.scene.warnings {
            writeln!(io::stderr(), "{warning}")?;
        }
        Ok(source)
    }

    fn from_preset(preset: &Preset, purpose: &Purpose) -> Result<Self> {
        let scene = match purpose {
            Purpose::Render(midi) => parse_with_midi(preset.text, preset.name, midi.as_ref()),
            Purpose::ShortRun => parse_for_short_run(preset.text, preset.name),
        };
        let scene = scene.map_err(CliError::Scene)?;
        Ok(Self { name: preset.name.into(), path: None, scene })
    }

    fn from_file(path: &Path, purpose: &Purpose) -> Result<Self> {
        if path.is_dir() {
            return Err(CliError::with_hint(
                format!("{}: is a folder, must be a scene file", path.display()),
                "name a .toml file in it",
            ));
        }
        let scene = match purpose {
            Purpose::Render(midi) => load_with_midi(path, midi.as_ref()),
            Purpose::ShortRun => load_for_short_run(path),
        };
        let scene = scene.map_err(CliError::Scene)?;
        let name = path.file_stem().map_or_else(|| "scene".into(), |stem| stem.to_string_lossy().into_owned());
        Ok(Self { name, path: Some(path.into()), scene })
    }
}

/// Preset that is used where none is named.
pub fn default_preset() -> &'static Preset {
    &presets::all()[0]
}

/// Finds a preset by name.
pub fn preset(name: &str) -> Result<&'static Preset> {
    presets::find(name).ok_or_else(|| unknown_scene(name))
}

/// Whether the argument names an existing non-file or contains a folder, so that it cannot be the name of a preset.
fn is_path(typed: &str) -> bool {
    Path::new(typed).exists() || Path::new(typed).components().count() > 1
}

fn unknown_scene(typed: &str) -> CliError {
    let nearest = closest_match(typed, presets::all().iter().map(|preset| preset.name));
    let see = "`percuss list` shows all presets; a scene file's name ends in .toml";
    let hint = nearest.map_or_else(|| see.to_string(), |name| format!("did you mean `{name}`? {see}"));
    CliError::with_hint(format!("there is no preset and no file called `{typed}`"), hint)
}
