//! A scene as an instrument: everything in it that can be played, by name.
//!
//! Until a target is first played it goes on as the scene says; from then on it is what the player says.

mod extras;
mod mapping;
mod targets;

pub use mapping::{Curve, Mapping, MidiSource};
pub use targets::{Action, Target};

pub(crate) use mapping::read;

use crate::Scene;
use crate::build::Builder;
use percuss::Model;

/// A scene whose values are in a player's hands.
#[derive(Clone, Debug)]
pub struct Instrument {
    /// The scene, with strikers and hands added and every value that can be played made a dial.
    pub scene: Scene,
    /// What can be played, in the order of the scene.
    pub targets: Vec<Target>,
    /// What controllers do, and to which of the targets.
    pub mappings: Vec<(Mapping, usize)>,
}

impl Instrument {
    /// Turns a scene into an instrument.
    pub fn new(scene: &Scene) -> Self {
        let mut scene = scene.clone();
        let outputs = scene.outputs.len();
        let targets = hand_over(&mut scene.model, &scene.element_ids, &mut scene.contact_ids, outputs);
        let mappings = scene.mappings.iter().filter_map(|mapping| {
            let target = targets.iter().position(|target| target.name == mapping.target)?;
            Some((mapping.clone(), target))
        });
        let mappings = mappings.collect();
        Self { scene, targets, mappings }
    }

    /// The targets that a scene being built will have.
    pub(crate) fn of_parts(builder: &Builder<'_>) -> Vec<Target> {
        let elements: Vec<String> = builder.handles.iter().map(|(id, _)| id.clone()).collect();
        let mut contacts: Vec<String> = builder.contacts.iter().map(|(id, _)| id.clone()).collect();
        hand_over(&mut builder.model.clone(), &elements, &mut contacts, builder.outputs.len())
    }

    /// The target of a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.targets.iter().position(|target| target.name == name)
    }

    /// Everything that strikes.
    pub fn strikes(&self) -> Vec<usize> {
        let strikes = |target: &Target| matches!(target.action, Action::Strike(_));
        (0..self.targets.len()).filter(|&index| strikes(&self.targets[index])).collect()
    }

    /// The targets that several values at once go to, in their order: the target of that name, then those below it,
    /// as `gong.strike` goes with `gong.strike.x` and `gong.strike.y`.
    pub fn group(&self, name: &str) -> impl Iterator<Item = usize> {
        let below = move |target: &Target| target.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        let own = self.find(name);
        let children = self.targets.iter().enumerate().filter(move |(_, target)| below(target));
        own.into_iter().chain(children.map(|(index, _)| index))
    }
}

/// Adds what a player needs to a model and hands everything in it over.
fn hand_over(model: &mut Model, elements: &[String], contacts: &mut Vec<String>, outputs: usize) -> Vec<Target> {
    let added = extras::add(model, elements, contacts);
    targets::hand_over(model, &targets::Named { elements, contacts, outputs, added: &added })
}
