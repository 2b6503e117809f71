//! What the page learns of a scene, as JSON.

use percuss::{Element, Outline};
use percuss_live::{LedgerMode, Player};
use percuss_scene::instrument::{ControlTarget, Instrument, TargetAction};
use percuss_scene::{Diagnostic, Severity, presets};
use serde::Serialize;

/// Largest text of a scene \[bytes\].
const MAX_TEXT: usize = 1 << 20;

/// A message about a scene, with its place in the text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Message {
    /// Whether the scene cannot be played.
    pub is_error: bool,
    /// Line and column, from 1.
    pub place: Option<(usize, usize)>,
    /// What was found and what is allowed.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// The whole, as the program prints it.
    pub text: String,
}

impl From<&Diagnostic> for Message {
    fn from(diagnostic: &Diagnostic) -> Self {
        Self {
            is_error: diagnostic.severity == Severity::Error,
            place: diagnostic.location,
            message: diagnostic.message.clone(),
            hint: diagnostic.hint.clone(),
            text: diagnostic.to_string(),
        }
    }
}

/// Something that can be controlled.
#[derive(Clone, Debug, Serialize)]
struct Target {
    name: String,
    unit: &'static str,
    range: [f64; 2],
    initial: f64,
    kind: &'static str,
}

impl From<&ControlTarget> for Target {
    fn from(target: &ControlTarget) -> Self {
        let kind = match target.action {
            TargetAction::Param(_) | TargetAction::Bend | TargetAction::Vibrato => "parameter",
            TargetAction::Strike(_) | TargetAction::Blow(_) => "strike",
            TargetAction::TouchImage(..) => "image",
            TargetAction::Gain(_) | TargetAction::Volume => "gain",
            TargetAction::Restart => "restart",
        };
        let (name, unit, range, initial) = (target.name.clone(), target.unit, target.range, target.initial);
        Self { name, unit, range, initial, kind }
    }
}

/// The element that is drawn.
#[derive(Clone, Debug, Serialize)]
struct Shown {
    id: String,
    is_plate: bool,
    is_round: bool,
    /// Length over width of a plate; 1 for others.
    aspect: f64,
    /// Intervals of a plate's grid along its sides: what is drawn are the nearest nodes.
    intervals: Option<[usize; 2]>,
}

impl Shown {
    fn of(instrument: &Instrument, intervals: Option<[usize; 2]>) -> Option<Self> {
        let (element, id) = instrument.displayed_element()?;
        let id = id.to_owned();
        Some(match &instrument.scene.model.elements()[element.index()] {
            Element::Plate(plate) => {
                let (is_round, aspect) = (plate.outline == Outline::Disc, plate.size[0] / plate.size[1]);
                Self { id, is_plate: true, is_round, aspect, intervals }
            }
            _ => Self { id, is_plate: false, is_round: false, aspect: 1.0, intervals: None },
        })
    }
}

/// A scene: what can be controlled and drawn, or why it cannot be played.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SceneDescription {
    /// Title.
    pub title: String,
    /// Whether the scene can be played.
    pub is_playable: bool,
    /// Errors and warnings.
    pub messages: Vec<Message>,
    /// Gain to full scale.
    pub gain: f64,
    /// Number of voices.
    pub voices: usize,
    /// Number of nodes and modes.
    pub nodes: usize,
    targets: Vec<Target>,
    shown: Option<Shown>,
}

impl SceneDescription {
    /// A scene that cannot be played.
    fn refused(messages: Vec<Message>) -> Box<Self> {
        Box::new(Self { messages, ..Self::default() })
    }
}

/// A scene for playing.
pub(crate) struct PlayableScene {
    pub instrument: Instrument,
    pub player: Player,
    pub description: SceneDescription,
}

/// How a scene is compiled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Sample rate \[Hz\].
    pub sample_rate: f64,
    /// Number of channels.
    pub channels: usize,
    /// Gain to full scale; `None` to find it.
    pub gain: Option<f64>,
    /// Whether the energy ledger is open.
    pub has_ledger: bool,
}

/// Reads and compiles a scene.
pub(crate) fn prepare(text: &str, name: &str, settings: Settings) -> Result<PlayableScene, Box<SceneDescription>> {
    let refused =
        |diagnostics: &[Diagnostic]| SceneDescription::refused(diagnostics.iter().map(Message::from).collect());
    if text.len() > MAX_TEXT {
        let message = format!("the scene has {} bytes, must have at most {MAX_TEXT}", text.len());
        let hint = "check that this is a scene file".to_owned();
        return Err(refused(&[Diagnostic::error_at(name, "", None, message, hint)]));
    }
    let scene = percuss_scene::parse(text, name).map_err(|diagnostics| refused(&diagnostics))?;
    let instrument = Instrument::new(&scene);
    let ledger = if settings.has_ledger { LedgerMode::On } else { LedgerMode::Off };
    let player = Player::new(&instrument, settings.sample_rate, settings.channels, settings.gain, ledger);
    let player = player.map_err(|error| refused(std::slice::from_ref(&*error.0)))?;
    let description = SceneDescription {
        title: scene.name.clone(),
        is_playable: true,
        messages: scene.warnings.iter().map(Message::from).collect(),
        gain: player.calibration_gain(),
        voices: scene.polyphony,
        nodes: player.node_count(),
        targets: instrument.targets.iter().map(Target::from).collect(),
        shown: Shown::of(&instrument, player.view_intervals()),
    };
    Ok(PlayableScene { instrument, player, description })
}

#[derive(Serialize)]
struct PresetEntry {
    name: &'static str,
    summary: &'static str,
    text: &'static str,
}

/// All presets, as JSON.
pub(crate) fn presets_json() -> Vec<u8> {
    let entry =
        |preset: &presets::Preset| PresetEntry { name: preset.name, summary: preset.summary, text: preset.text };
    to_json(&presets::all().iter().map(entry).collect::<Vec<_>>())
}

/// JSON of a value whose keys are texts, which cannot fail.
pub(crate) fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}
