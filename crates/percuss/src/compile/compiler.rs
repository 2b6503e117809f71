//! Model → bodies in flat arrays, and the places on them.

use crate::element::Bodies;
use crate::element::bodies::Store;
use crate::element::body::{Body, Describe, Site, UsedPlace};
use crate::element::oscillator::bank::Bank;
use crate::element::place_user::PlaceUser;
use crate::element::simd::Machine;
use crate::element::state::State;
use crate::error::{Check, CompileError, Subject};
use crate::interaction::potential::PowerTables;
use crate::model::{ElementId, Interaction, Law, Model, PickupTarget, Point, dispatch_element};
use std::cell::RefCell;

/// A model being compiled.
pub(crate) struct Compiler<'a> {
    pub(crate) model: &'a Model,
    pub(crate) k: f64,
    pub(crate) state: State,
    pub(crate) bank: Bank,
    pub(crate) bodies: Bodies,
    /// Tables of powers, shared between contacts.
    pub(crate) power_tables: RefCell<PowerTables>,
}

impl<'a> Compiler<'a> {
    pub fn new(model: &'a Model, k: f64, machine: Machine) -> Self {
        let (state, bank, bodies) = (State::new(machine), Bank::new(), Bodies::default());
        Self { model, k, state, bank, bodies, power_tables: RefCell::default() }
    }

    /// Builds the bodies of all elements, in the order of their placement in the state.
    pub fn build_bodies(&mut self) -> Result<(), CompileError> {
        let elements = &self.model.elements;
        let mut order: Vec<usize> = (0..elements.len()).collect();
        let used_places = |index: usize| self.used_places(self.model.ids.elements.at(index));
        order.sort_by_cached_key(|&index| {
            let used_places = used_places(index);
            dispatch_element!(&elements[index], description => description.placement(self.k, &used_places))
        });
        let mut built = Vec::with_capacity(order.len());
        for index in order {
            let used_places = self.used_places(self.model.ids.elements.at(index));
            let Self { k, state, bank, bodies, .. } = self;
            let mut site = Site { k: *k, check: Check(Subject::Element(index)), state, bank, used_places };
            let body = dispatch_element!(&elements[index], description => bodies.store(description.build(&mut site)?));
            built.push((index, body));
        }
        built.sort_by_key(|&(index, _)| index);
        self.bodies.index = built.into_iter().map(|(_, body)| body).collect();
        Ok(())
    }

    /// Places of an element used by interactions, exciters and pickups.
    fn used_places(&self, element: ElementId) -> Vec<UsedPlace> {
        let Model { interactions, exciters, pickups, .. } = self.model;
        let mut used = Vec::new();
        let mut add = |point: Option<Point>, pushes: bool, is_along: bool| {
            let place = point.map(|point| point.place);
            used.push(UsedPlace { place, pushes, is_along, stretches: false });
        };
        let is_tension = |law: &Law| matches!(law, Law::TensionModulation | Law::VonKarman);
        for interaction in interactions.iter().filter(|interaction| !is_tension(&interaction.law)) {
            if interaction.below.element == element {
                add(interaction.below.point(), true, interaction.distributed);
            }
            if let Some(above) = interaction.above.filter(|above| above.element == element) {
                add(Some(above), true, interaction.distributed);
            }
        }
        for (path, _) in exciters.iter().filter(|(path, _)| path.element == element) {
            add(path.point(), true, false);
        }
        for target in pickups {
            if let PickupTarget::Point(point, _) = target
                && point.element == element
            {
                add(Some(*point), false, false);
            }
        }
        let is_own = |interaction: &&Interaction| {
            interaction.below.element == element || interaction.above.is_some_and(|above| above.element == element)
        };
        let tensions = interactions.iter().filter(is_own).filter(|interaction| is_tension(&interaction.law));
        used.extend(tensions.map(|_| UsedPlace { place: None, pushes: false, is_along: false, stretches: true }));
        used
    }

    /// The body of an element, and who uses a place on it.
    pub(crate) fn body(&self, element: ElementId, subject: Subject) -> (&dyn Body, PlaceUser) {
        let user = PlaceUser { subject, element: self.model.elements[element.index()].kind() };
        (self.bodies.get(element.index()), user)
    }
}
