//! Scene files: reads TOML into a [`percuss::Model`]. Errors name the location, the finding, what is allowed and a hint.
//!
//! The format is described in `docs/scene-format.md`.

mod barriers;
mod bow_finger;
mod cavities;
mod channel_mixer;
mod compile_error;
mod controls;
mod diagnostic;
pub mod edit;
mod elements;
mod exciters;
mod ids;
pub mod instrument;
mod interactions;
mod limits;
mod losses;
pub mod materials;
pub mod midi;
pub mod partials;
mod pickups;
mod places;
mod plates;
pub mod presets;
mod pressure_image;
mod profiles;
mod renamed;
mod rolling;
mod scene_builder;
mod scene_table;
mod schedule;
mod score;
mod strikes_and_plucks;
mod table_reader;
mod tuning;
mod waves;

pub use channel_mixer::ChannelMixer;
pub use compile_error::compile_hint;
pub use diagnostic::{Diagnostic, Severity, closest_match};
pub use scene_table::Rendering;
pub use tuning::Tuning;

use diagnostic::SourceText;
use midi::MidiFile;
use percuss::{ExciterId, Model, PickupId, Simulation};
use scene_builder::Purpose;
use std::path::Path;
use table_reader::TableLocation;

/// Maximum size of a scene file \[bytes\]: larger ones are not checked within a second.
const MAX_FILE_SIZE: u64 = 3 << 20;

/// Channels on which a pickup is heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Routing {
    /// From −1 (left) over 0 (centre) to 1 (right).
    Pan(f64),
    /// One channel, from 0.
    Channel(usize),
}

/// A pickup that is heard.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Pickup of the model.
    pub pickup: PickupId,
    /// Description, as in `string@0.9 velocity [m/s]`.
    pub label: String,
    /// Factor on the signal.
    pub gain: f64,
    /// Channels on which it is heard.
    pub routing: Routing,
}

/// A pickup that is written to a table instead of being heard.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// Pickup of the model.
    pub pickup: PickupId,
    /// Column heading, with unit.
    pub label: String,
}

/// Locations of all tables in the file, for errors from the engine.
#[derive(Clone, Debug, Default)]
pub(crate) struct SceneLocations {
    file: String,
    scene: TableLocation,
    elements: Vec<TableLocation>,
    interactions: Vec<TableLocation>,
    exciters: Vec<TableLocation>,
    pickups: Vec<TableLocation>,
}

/// A model, and how to render and play it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Title.
    pub name: String,
    /// Sample rate \[Hz\].
    pub sample_rate: f64,
    /// Length, or the longest if the scene is rendered until silent \[s\].
    pub duration: f64,
    /// How the sound is rendered.
    pub rendering: Rendering,
    /// Time after which nothing changes from outside any more \[s\].
    pub last_event: f64,
    /// The physical model. `model.scheme` may be changed before compiling.
    pub model: Model,
    /// `id` of every element, in the order of the model.
    pub element_names: Vec<String>,
    /// `id` of every interaction, in the order of the model; a generated one like `collision-1` where the file has none.
    pub interaction_names: Vec<String>,
    /// Pickups that are heard, from `[[pickup]]`.
    pub outputs: Vec<Output>,
    /// Pickups that are written to a table, from `[[probe]]`.
    pub probes: Vec<Probe>,
    /// What MIDI controllers set, from `[[mapping]]`.
    pub mappings: Vec<instrument::Mapping>,
    /// Number of notes that can sound at once, from `[voice]`. Each voice is a simulation of the whole scene.
    pub polyphony: usize,
    /// Keys that have copies of the scene, from `[voice]`.
    pub keyboard: Option<instrument::Keyboard>,
    /// What the scene is live, where it has tables that are for rendering or for playing only.
    pub live: Option<Box<Scene>>,
    /// Strikes and plucks that are done live only, by their ids.
    pub(crate) gestures: Vec<(String, ExciterId)>,
    /// Dimensions that were set by a `pitch`.
    pub tunings: Vec<Tuning>,
    /// Warnings found while reading.
    pub warnings: Vec<Diagnostic>,
    /// Time up to which rolling balls have a rough surface: all of it, but for scenes that are read for a short run \[s\].
    pub surfaces_until: f64,
    /// Elements whose pitch was not set, but estimated: none, but for scenes that are read for a short run.
    pub untuned: Vec<String>,
    locations: SceneLocations,
}

impl Scene {
    /// Number of audio channels: 1 if everything is centred or on the first channel, else as many as needed.
    pub fn channels(&self) -> usize {
        let needed = |output: &Output| match output.routing {
            Routing::Pan(0.0) => 1,
            Routing::Pan(_) => 2,
            Routing::Channel(channel) => channel + 1,
        };
        self.outputs.iter().map(needed).max().unwrap_or(1)
    }

    /// Gain of an output on a channel. Panning keeps the power constant.
    pub fn channel_gain(&self, output: &Output, channel: usize) -> f64 {
        let panning = match output.routing {
            Routing::Channel(own) => f64::from(u8::from(own == channel)),
            Routing::Pan(_) if self.channels() == 1 => 1.0,
            Routing::Pan(pan) => {
                let angle = (pan + 1.0) * std::f64::consts::FRAC_PI_4;
                match channel {
                    0 => angle.cos(),
                    1 => angle.sin(),
                    _ => 0.0,
                }
            }
        };
        output.gain * panning
    }

    /// What the element with an index is called in the file: `plate` or `membrane`, as its table is named.
    pub fn element_kind(&self, index: usize) -> &'static str {
        ids::kind_of(&self.model.elements()[index], self.locations.elements.get(index))
    }

    /// Compiles the model.
    ///
    /// # Errors
    /// A compile error of the engine, with its location in the file.
    pub fn compile(&self, sample_rate: f64) -> Result<Simulation, Box<Diagnostic>> {
        self.model.compile(sample_rate).map_err(|error| Box::new(self.diagnose(&error)))
    }
}

/// Reads a scene file, and the WAV and PNG files it names, relative to it.
///
/// # Errors
/// All errors found, in the order of the file.
pub fn load(path: &Path) -> Result<Scene, Vec<Diagnostic>> {
    load_with_midi(path, None)
}

/// Reads a scene file. If a MIDI file is given, it replaces the notes of the score.
///
/// # Errors
/// All errors found, in the order of the file.
pub fn load_with_midi(path: &Path, midi_file: Option<&MidiFile>) -> Result<Scene, Vec<Diagnostic>> {
    load_for(path, Purpose { midi_file, ..Purpose::default() })
}

/// Reads a scene file to run its start, in less time: surfaces of rolling balls may end early, at [`Scene::surfaces_until`], and the
/// pitches of [`Scene::untuned`] elements are estimates.
///
/// # Errors
/// All errors found, in the order of the file.
pub fn load_for_short_run(path: &Path) -> Result<Scene, Vec<Diagnostic>> {
    load_for(path, Purpose { is_for_short_run: true, ..Purpose::default() })
}

fn load_for(path: &Path, purpose: Purpose<'_>) -> Result<Scene, Vec<Diagnostic>> {
    let file = path.display().to_string();
    let failed = |message: String, hint: &str| vec![SourceText::new(&file, "").error(None, message).hint(hint)];
    let size = std::fs::metadata(path).map_err(|error| failed(error.to_string(), "check the path"))?.len();
    if size > MAX_FILE_SIZE {
        let message = format!("the file has {size} bytes, must have at most {MAX_FILE_SIZE}");
        return Err(failed(message, "check that this is a scene file"));
    }
    let bytes = std::fs::read(path).map_err(|error| failed(error.to_string(), "check the path"))?;
    match String::from_utf8(bytes) {
        Ok(text) => parse_for(&text, &file, purpose),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned();
            let source = SourceText::new(&file, &text);
            let error = source.error(Some(valid..valid), "the file is not UTF-8 text");
            Err(vec![error.hint("check that this is a scene file")])
        }
    }
}

/// Reads a scene from text. `file` is its name in messages; the files it names are relative to the folder of `file`.
///
/// # Errors
/// All errors found, in the order of the file.
pub fn parse(text: &str, file: &str) -> Result<Scene, Vec<Diagnostic>> {
    parse_for(text, file, Purpose::default())
}

/// Reads a scene from text. If a MIDI file is given, it replaces the notes of the score.
///
/// # Errors
/// All errors found, in the order of the file.
pub fn parse_with_midi(text: &str, file: &str, midi_file: Option<&MidiFile>) -> Result<Scene, Vec<Diagnostic>> {
    parse_for(text, file, Purpose { midi_file, ..Purpose::default() })
}

/// Reads a scene from text, as [`load_for_short_run`] does.
///
/// # Errors
/// All errors found, in the order of the file.
pub fn parse_for_short_run(text: &str, file: &str) -> Result<Scene, Vec<Diagnostic>> {
    parse_for(text, file, Purpose { is_for_short_run: true, ..Purpose::default() })
}

fn parse_for(text: &str, file: &str, purpose: Purpose<'_>) -> Result<Scene, Vec<Diagnostic>> {
    let source = SourceText::new(file, text);
    let root = scene_builder::parse(&source, text)?;
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    scene_builder::build(&source, root.get_ref(), folder, purpose)
}

/// The code in this crate's README, compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
