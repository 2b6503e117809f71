//! A scene as an instrument: everything in it that can be controlled live, by name.
//!
//! A target follows the scene until it is first set; from then on it keeps the value that was set.

mod mapping;
mod strikers_and_hands;
mod targets;

pub use mapping::{Mapping, MappingCurve, MidiSource};
pub use targets::{ControlTarget, TargetAction};

pub(crate) use mapping::read;

use crate::Scene;
use crate::scene_builder::SceneBuilder;
use percuss::{Element, ElementId, Model};

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
    /// Makes an instrument of a scene.
    pub fn new(scene: &Scene) -> Self {
        let mut scene = scene.clone();
        let outputs = scene.outputs.len();
        let targets = expose_targets(&mut scene.model, &scene.element_names, &mut scene.interaction_names, outputs);
        let mappings = scene.mappings.iter().filter_map(|mapping| {
            let target = targets.iter().position(|target| target.name == mapping.target)?;
            Some((mapping.clone(), target))
        });
        let mappings = mappings.collect();
        Self { scene, targets, mappings }
    }

    /// The targets of a scene under construction.
    pub(crate) fn targets_of(builder: &SceneBuilder<'_>) -> Vec<ControlTarget> {
        let elements: Vec<String> = builder.elements.iter().map(|(id, _)| id.clone()).collect();
        let mut interactions: Vec<String> = builder.interactions.iter().map(|(id, _)| id.clone()).collect();
        expose_targets(&mut builder.model.clone(), &elements, &mut interactions, builder.outputs.len())
    }

    /// The element that a display shows, with its name: the first plate, else the first string or bar.
    pub fn displayed_element(&self) -> Option<(ElementId, &str)> {
        displayed_element(&self.scene)
    }

    /// Index of the target with a name.
    pub fn find_target(&self, name: &str) -> Option<usize> {
        self.targets.iter().position(|target| target.name == name)
    }

    /// Indices of the targets that strike.
    pub fn strike_targets(&self) -> Vec<usize> {
        let is_strike = |target: &ControlTarget| matches!(target.action, TargetAction::Strike(_));
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

/// Adds strikers, a bow and damping hands to a model, and lists its targets.
fn expose_targets(
    model: &mut Model,
    elements: &[String],
    interactions: &mut Vec<String>,
    outputs: usize,
) -> Vec<ControlTarget> {
    let added = strikers_and_hands::add_to(model, elements, interactions);
    targets::expose_targets(model, &targets::ModelNames { elements, interactions, outputs, added: &added })
}
