//! What one instance of the module holds: buffers for texts, and an engine once a scene is loaded.

use crate::description::{self, PlayableScene, SceneDescription, Settings, presets_json, to_json};
use crate::impact;
use crate::offline;
use crate::player_engine::PlayerEngine;
use crate::scene_text::with_max_rate;
use percuss::impact::Impact;
use percuss_live::session::SceneSource;

/// Longest name of a scene \[bytes\].
const MAX_NAME: usize = 200;

/// Buffers and an engine.
pub struct Host {
    sample_rate: f64,
    channels: usize,
    /// Text from the page: the name of a scene, then its text.
    pub(crate) input: Vec<u8>,
    /// Answer to the last question.
    pub(crate) answer: Vec<u8>,
    /// Once a scene is loaded.
    pub(crate) engine: Option<Box<PlayerEngine>>,
}

/// How the page wants a scene to be played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wishes {
    /// Largest sample rate of the scene \[Hz\].
    pub max_rate: f64,
    /// Gain to full scale; `None` to find it.
    pub gain: Option<f64>,
    /// Whether the energy ledger is open.
    pub has_ledger: bool,
}

impl Host {
    /// A host that plays at a sample rate \[Hz\]; rates and channels that no device has are brought into range.
    pub fn new(sample_rate: f64, channels: usize) -> Self {
        let sample_rate = if sample_rate.is_finite() { sample_rate.clamp(3e3, 768e3) } else { 48e3 };
        let channels = channels.clamp(1, 2);
        Self { sample_rate, channels, input: Vec::new(), answer: Vec::new(), engine: None }
    }

    /// Name and text in the input. Names have one line.
    fn source(&self, name_length: usize) -> SceneSource {
        let (name, text) = self.input.split_at(name_length.min(self.input.len()));
        let name = String::from_utf8_lossy(name).chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
        SceneSource { path: name, text: String::from_utf8_lossy(text).into_owned() }
    }

    fn prepare(&self, source: &SceneSource, wishes: Wishes) -> Result<PlayableScene, Box<SceneDescription>> {
        let settings = self.settings(wishes);
        description::prepare(&source.text, &source.path, settings)
    }

    fn settings(&self, wishes: Wishes) -> Settings {
        let gain = wishes.gain.filter(|gain| gain.is_finite() && *gain > 0.0);
        Settings { sample_rate: self.sample_rate, channels: self.channels, gain, has_ledger: wishes.has_ledger }
    }

    /// Reads and compiles the scene in the input without playing it; the answer describes it.
    pub(crate) fn describe(&mut self, name_length: usize, wishes: Wishes) {
        let mut source = self.source(name_length);
        source.text = with_max_rate(&source.text, wishes.max_rate);
        let described = self.prepare(&source, wishes).map_or_else(|refused| *refused, |scene| scene.description);
        self.answer = to_json(&described);
    }

    /// Plays the scene in the input; the answer describes it. A scene that cannot be played changes nothing.
    pub(crate) fn load(&mut self, name_length: usize, wishes: Wishes) -> bool {
        let mut source = self.source(name_length);
        source.text = with_max_rate(&source.text, wishes.max_rate);
        let scene = match self.prepare(&source, wishes) {
            Ok(scene) => scene,
            Err(refused) => {
                self.answer = to_json(&refused);
                return false;
            }
        };
        self.answer = to_json(&scene.description);
        match &mut self.engine {
            Some(engine) => engine.swap(scene, &source),
            None => {
                let engine = PlayerEngine::new(scene, &source, self.settings(wishes));
                self.engine = Some(Box::new(engine));
                true
            }
        }
    }

    /// The presets.
    pub(crate) fn presets(&mut self) {
        self.answer = presets_json();
    }

    /// What the pickups of the scene in the input read at its own rate, one frame after the other, as bytes of 64-bit floats.
    pub(crate) fn samples(&mut self, name_length: usize, seconds: f64) -> bool {
        let source = self.source(name_length);
        match offline::samples(&source.text, &source.path, seconds.clamp(0.0, 60.0)) {
            Ok(samples) => {
                self.answer = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
                true
            }
            Err(message) => {
                self.answer = to_json(&message);
                false
            }
        }
    }

    /// An impact by every scheme and exactly; parameters are mass \[kg\], stiffness, exponent, loss \[s/m\] and speed \[m/s\].
    pub(crate) fn impact(&mut self, [mass, stiffness, exponent, loss, speed]: [f64; 5], rate: f64) -> bool {
        let impact =
            Impact::new(mass, stiffness, exponent, loss, speed).map_err(|error| impact::refused(error.to_string()));
        let runs = impact.and_then(|impact| impact::runs(&impact, rate));
        self.answer = runs.as_ref().map_or_else(to_json, to_json);
        runs.is_ok()
    }
}
