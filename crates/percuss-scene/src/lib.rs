//! Scene files: TOML a person can write, turned into a [`percuss::Model`] with messages that say where, what and how.
//!
//! The format is described in `docs/scene-format.md`.

mod build;
mod controls;
mod diagnostic;
mod elements;
mod exciters;
mod explain;
mod fields;
mod hands;
pub mod instrument;
mod interactions;
mod limits;
mod listening;
pub mod midi;
mod naming;
mod places;
pub mod presets;
mod renamed;
mod rolling;
mod score;
mod surfaces;

pub use diagnostic::{Diagnostic, Severity, closest};

use diagnostic::Source;
use fields::Origin;
use midi::Performance;
use percuss::{Model, PickupId, Scheme, Simulation};
use std::path::Path;

/// Largest scene file that is read \[bytes\].
const LARGEST_FILE: u64 = 16 << 20;

/// Where a pickup is heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Routing {
    /// From −1 (left) over 0 (both, equally) to 1 (right).
    Pan(f64),
    /// One channel, from 0.
    Channel(usize),
}

/// A pickup with its way to the loudspeakers.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// What is read.
    pub pickup: PickupId,
    /// For people: `string@0.9 velocity [m/s]`.
    pub label: String,
    /// Factor on the signal.
    pub gain: f64,
    /// Where it is heard.
    pub routing: Routing,
}

/// A pickup written to a table instead of being heard.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// What is read.
    pub pickup: PickupId,
    /// Column heading, with unit.
    pub label: String,
}

/// Where everything stands in the file, for messages from the engine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origins {
    file: String,
    scene: Origin,
    elements: Vec<Origin>,
    interactions: Vec<Origin>,
    exciters: Vec<Origin>,
    pickups: Vec<Origin>,
}

/// A scene: a model, and how to render it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Title.
    pub name: String,
    /// Sample rate \[Hz\].
    pub sample_rate: f64,
    /// Length \[s\].
    pub duration: f64,
    /// The physics. `model.scheme` may be changed before compiling.
    pub model: Model,
    /// Ids of the elements, in the model's order.
    pub element_ids: Vec<String>,
    /// Ids of the interactions, in the model's order (given, or made up like `collision-1`).
    pub contact_ids: Vec<String>,
    /// What is heard.
    pub outputs: Vec<Output>,
    /// What is written down.
    pub probes: Vec<Probe>,
    /// What a player's controllers do, from `[[mapping]]`.
    pub mappings: Vec<instrument::Mapping>,
    /// How many notes can sound at once, from `[voice]`: each has the whole scene to itself.
    pub voices: usize,
    /// What was noticed while reading.
    pub warnings: Vec<Diagnostic>,
    origins: Origins,
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
        let share = match output.routing {
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
        output.gain * share
    }

    /// Compiles the model; an error is explained with its place in the file.
    ///
    /// # Errors
    /// Whatever the engine refuses.
    pub fn compile(&self, sample_rate: f64) -> Result<Simulation, Box<Diagnostic>> {
        self.model.compile(sample_rate).map_err(|error| Box::new(self.explain(&error)))
    }
}

/// Reads a scene file (and the WAV files it names, relative to it).
///
/// # Errors
/// All mistakes found, in the order of the file.
pub fn load(path: &Path) -> Result<Scene, Vec<Diagnostic>> {
    load_playing(path, None)
}

/// Reads a scene file whose score plays a MIDI file instead of its notes, if there is one.
///
/// # Errors
/// All mistakes found, in the order of the file.
pub fn load_playing(path: &Path, performance: Option<&Performance>) -> Result<Scene, Vec<Diagnostic>> {
    let file = path.display().to_string();
    let failed = |message: String, hint: &str| vec![Source::new(&file, "").error(None, message).hint(hint)];
    let size = std::fs::metadata(path).map_err(|error| failed(error.to_string(), "is the path right?"))?.len();
    if size > LARGEST_FILE {
        let message = format!("the file has {size} bytes, must have at most {LARGEST_FILE}");
        return Err(failed(message, "is this a scene file?"));
    }
    let bytes = std::fs::read(path).map_err(|error| failed(error.to_string(), "is the path right?"))?;
    match String::from_utf8(bytes) {
        Ok(text) => parse_playing(&text, &file, performance),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned();
            let source = Source::new(&file, &text);
            let wrong = source.error(Some(valid..valid), "the file is not text in UTF-8");
            Err(vec![wrong.hint("is this a scene file?")])
        }
    }
}

/// Reads a scene from text; `file` is used in messages, and its folder for the files the scene names.
///
/// # Errors
/// All mistakes found, in the order of the file.
pub fn parse(text: &str, file: &str) -> Result<Scene, Vec<Diagnostic>> {
    parse_playing(text, file, None)
}

/// Reads a scene from text whose score plays a MIDI file instead of its notes, if there is one.
///
/// # Errors
/// All mistakes found, in the order of the file.
pub fn parse_playing(text: &str, file: &str, performance: Option<&Performance>) -> Result<Scene, Vec<Diagnostic>> {
    let source = Source::new(file, text);
    let root = build::parse(&source, text)?;
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    build::scene(&source, root.get_ref(), folder, performance)
}

/// The scheme of a name: `plain`, `tracked` or `newton`.
pub fn scheme(name: &str) -> Option<Scheme> {
    build::SCHEMES.iter().find(|(known, _)| *known == name).map(|(_, scheme)| *scheme)
}
