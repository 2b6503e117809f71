//! A scene as an instrument: everything in it that can be controlled live, by name.
//!
//! A target follows the scene until it is first set; from then on it keeps the value that was set.

mod keyboard;
mod mapping;
mod strikers_and_hands;
mod targets;

pub use keyboard::Keyboard;
pub use mapping::{Mapping, MappingCurve, MidiSource, StrikePlace};
pub use targets::{ControlTarget, TargetAction};

use strikers_and_hands::StrikersAndHands;
use targets::{BEND, MAX_VIBRATO, VIBRATO};

use crate::Scene;
use crate::scene_builder::SceneBuilder;
use percuss::{Element, ElementId, ExciterId, Model};
use toml::de::DeTable;

/// Controller of the modulation wheel.
const MODULATION_WHEEL: u8 = 1;

/// A scene that can be controlled live.
#[derive(Clone, Debug)]
pub struct Instrument {
    /// The scene, with strikers, a bow and damping hands added, and every controllable value exposed as a parameter.
    pub scene: Scene,
    /// What can be controlled, in the order of the scene.
    pub targets: Vec<ControlTarget>,
    /// Mappings of MIDI controllers, each with the index of its target.
    pub mappings: Vec<(Mapping, usize)>,
}

impl Instrument {
    /// Makes an instrument of a scene: of what it is live, where tables are for that only.
    pub fn new(scene: &Scene) -> Self {
        let mut scene = scene.live.as_deref().unwrap_or(scene).clone();
        let parts = SceneParts {
            elements: &scene.element_names,
            gestures: &scene.gestures,
            outputs: scene.outputs.len(),
            is_keyed: scene.keyboard.is_some(),
        };
        let targets = expose_targets(&mut scene.model, &parts, &mut scene.interaction_names);
        let given = scene.mappings.iter().cloned();
        let mappings = given.chain(keyboard_mappings(&scene)).filter_map(|mapping| {
            let target = targets.iter().position(|target| target.name == mapping.target)?;
            Some((mapping, target))
        });
        let mappings = mappings.collect();
        Self { scene, targets, mappings }
    }

    /// The targets of a scene under construction.
    pub(crate) fn targets_of(builder: &SceneBuilder<'_>) -> Vec<ControlTarget> {
        let elements: Vec<String> = builder.elements.iter().map(|(id, _)| id.clone()).collect();
        let mut interactions: Vec<String> = builder.interactions.iter().map(|(id, _)| id.clone()).collect();
        let parts = SceneParts {
            elements: &elements,
            gestures: &builder.gestures,
            outputs: builder.outputs.len(),
            is_keyed: builder.keyboard.is_some(),
        };
        expose_targets(&mut builder.model.clone(), &parts, &mut interactions)
    }

    /// The element that a display shows, with its name: the first plate, else the first string or bar.
    pub fn displayed_element(&self) -> Option<(ElementId, &str)> {
        displayed_element(&self.scene)
    }

    /// Index of the target with a name.
    pub fn find_target(&self, name: &str) -> Option<usize> {
        self.targets.iter().position(|target| target.name == name)
    }

    /// Indices of the targets that strike or pluck, with a force or a mallet.
    pub fn strike_targets(&self) -> Vec<usize> {
        let is_strike =
            |target: &ControlTarget| matches!(target.action, TargetAction::Strike(_) | TargetAction::Blow(_));
        (0..self.targets.len()).filter(|&index| is_strike(&self.targets[index])).collect()
    }

    /// Indices of the targets that a list of values sets: the target with the name, then those below it. `gong.strike`
    /// is followed by `gong.strike.x` and `gong.strike.y`.
    pub fn target_group(&self, name: &str) -> impl Iterator<Item = usize> {
        let is_below =
            move |target: &ControlTarget| target.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        let own = self.find_target(name);
        let children = self.targets.iter().enumerate().filter(move |(_, target)| is_below(target));
        own.into_iter().chain(children.map(|(index, _)| index))
    }
}

/// The element of a scene that a display shows, with its name: the first plate, else the first string or bar.
pub fn displayed_element(scene: &Scene) -> Option<(ElementId, &str)> {
    let model = &scene.model;
    let find = |shown: fn(&Element) -> bool| model.elements().iter().position(shown);
    let index = find(|element| matches!(element, Element::Plate(_)))
        .or_else(|| find(|element| matches!(element, Element::String(_) | Element::Bar(_))))?;
    Some((model.element_ids().nth(index)?, scene.element_names.get(index)?))
}

/// Reads `[voice]` and all `[[mapping]]` tables.
pub(crate) fn read(root: &DeTable<'_>, builder: &mut SceneBuilder<'_>) {
    keyboard::read(root, builder);
    mapping::read(root, builder);
}

/// What a scene consists of, for its targets.
struct SceneParts<'a> {
    /// Ids of the elements.
    elements: &'a [String],
    /// Strikes and plucks that are done live only, by their ids.
    gestures: &'a [(String, ExciterId)],
    outputs: usize,
    /// Whether keys have copies of the scene.
    is_keyed: bool,
}

/// Bend and vibrato of scenes with keys, unless they map the wheels otherwise.
fn keyboard_mappings(scene: &Scene) -> Vec<Mapping> {
    let Some(keyboard) = &scene.keyboard else { return Vec::new() };
    let bend = Mapping::new(MidiSource::PitchBend, BEND, [-keyboard.bend, keyboard.bend]);
    let vibrato = Mapping::new(MidiSource::Cc(MODULATION_WHEEL), VIBRATO, [0.0, MAX_VIBRATO]);
    let is_mapped = |own: &Mapping| scene.mappings.iter().any(|mapping| mapping.source == own.source);
    [bend, vibrato].into_iter().filter(|own| !is_mapped(own)).collect()
}

/// Adds strikers, a bow and damping hands to a model, and lists its targets. A scene with keys is played by what it has itself: what
/// is added would cost CPU time for every key.
fn expose_targets(model: &mut Model, parts: &SceneParts<'_>, interactions: &mut Vec<String>) -> Vec<ControlTarget> {
    let added = if parts.is_keyed {
        StrikersAndHands::default()
    } else {
        strikers_and_hands::add_to(model, parts.elements, interactions)
    };
    targets::expose_targets(model, &targets::ModelNames { parts, interactions, added: &added })
}
