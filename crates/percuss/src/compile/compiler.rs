//! Model → elements in flat arrays, and the nodes of their points.

use crate::control::signal::check_control;
use crate::element::barrier::BarrierNode;
use crate::element::elements::{Body, Elements};
use crate::element::line::Line;
use crate::element::line::grid::LineMaterial;
use crate::element::oscillator::{mass, mode};
use crate::element::plate::GridPlate;
use crate::element::plate::modal::{Attachment, ModalPlate};
use crate::element::simd::whole_blocks;
use crate::element::state::State;
use crate::error::{Check, CompileError, Subject};
use crate::interaction::potential::Powers;
use crate::model::{Element, ElementId, Model, Path, Place, Plate, Point, Shape, Target};
use std::cell::RefCell;

/// A model being compiled.
pub(crate) struct Compiler<'a> {
    pub(crate) model: &'a Model,
    pub(crate) k: f64,
    pub(crate) state: State,
    pub(crate) elements: Elements,
    /// Index into `barriers` of the elements that are barriers.
    pub(crate) barrier_of: Vec<Option<usize>>,
    /// Tables of powers, shared between contacts.
    pub(crate) powers: RefCell<Powers>,
}

impl<'a> Compiler<'a> {
    pub fn new(model: &'a Model, k: f64) -> Self {
        Self {
            model,
            k,
            state: State::new(),
            elements: Elements::new(model.elements.len()),
            barrier_of: vec![None; model.elements.len()],
            powers: RefCell::default(),
        }
    }

    /// Masses and modes come first in the state, so that one kernel runs over all of them.
    pub fn place_oscillators(&mut self) -> Result<(), CompileError> {
        for (index, element) in self.model.elements.iter().enumerate() {
            let check = Check(Subject::Element(index));
            let start = self.elements.bank.len();
            match element {
                Element::Mass(mass) => {
                    let node = self.elements.bank.push(mass::oscillator(mass, check, self.k)?, self.k, &mut self.state);
                    self.state.u[node] = mass.position;
                    self.state.du[node] = mass.velocity * self.k;
                }
                Element::Modal(modal) => {
                    let modes = modal.modes.len() as f64;
                    check.that(modes > 0.0, "modes", modes, "at least one")?;
                    for gains in &modal.points {
                        let count = gains.len() as f64;
                        check.that(count == modes, "points", count, "one gain per mode")?;
                        gains.iter().try_for_each(|&gain| check.finite("points", gain))?;
                    }
                    for mode in &modal.modes {
                        self.elements.bank.push(mode::oscillator(mode, check, self.k)?, self.k, &mut self.state);
                    }
                }
                _ => continue,
            }
            self.elements.bodies[index] = Body::Oscillators(start..self.elements.bank.len());
        }
        Ok(())
    }

    pub fn place_grids(&mut self) -> Result<(), CompileError> {
        for (index, element) in self.model.elements.iter().enumerate() {
            let check = Check(Subject::Element(index));
            match element {
                Element::String(string) => {
                    let material = LineMaterial::of_string(string, check)?;
                    self.place_line(index, material, string.grid, [string.displacement, string.velocity])?;
                }
                Element::Bar(bar) => {
                    let material = LineMaterial::of_bar(bar, check)?;
                    self.place_line(index, material, bar.grid, [bar.displacement, bar.velocity])?;
                }
                Element::Barrier(barrier) => {
                    check_control(&barrier.position, "position", check)?;
                    barrier.profile.iter().try_for_each(|&height| check.finite("profile", height))?;
                    self.barrier_of[index] = Some(self.elements.barriers.len());
                    self.elements.barriers.push(BarrierNode::new(barrier.position.clone()));
                }
                Element::Plate(plate) => self.place_plate(index, plate)?,
                Element::Mass(_) | Element::Modal(_) => {}
            }
        }
        Ok(())
    }

    /// As a modal plate where possible, else on a grid.
    fn place_plate(&mut self, index: usize, plate: &Plate) -> Result<(), CompileError> {
        let check = Check(Subject::Element(index));
        if ModalPlate::suits(plate)
            && let Some(attachments) = self.attachments(self.model.ids.elements.at(index))
            && let Some(modal_plate) = ModalPlate::new(plate, &attachments, check, self.k, &mut self.state)?
        {
            self.elements.bodies[index] = Body::ModalPlate(self.elements.modal_plates.len());
            self.elements.modal_plates.push(modal_plate);
            return Ok(());
        }
        let body = GridPlate::new(plate, check, self.k, &mut self.state)?;
        self.elements.bodies[index] = Body::Plate(self.elements.plates.len());
        self.elements.plates.push(body);
        Ok(())
    }

    /// Points of a plate used by interactions, exciters and pickups; `None` if one of them moves or is invalid.
    fn attachments(&self, plate: ElementId) -> Option<Vec<Attachment>> {
        let Model { interactions, exciters, pickups, .. } = self.model;
        let below = interactions.iter().map(|interaction| &interaction.below);
        let paths = below.chain(exciters.iter().map(|(path, _)| path)).filter(|path| path.element == plate);
        let above = interactions.iter().filter_map(|interaction| interaction.above);
        let points = paths.map(Path::point).chain(above.filter(|point| point.element == plate).map(Some));
        let heard = pickups.iter().filter_map(|target| match target {
            Target::Point(point, _) if point.element == plate => Some(Some(*point)),
            Target::Point(..) | Target::Force(_) => None,
        });
        let attachments = points.map(|point| (point, true)).chain(heard.map(|point| (point, false)));
        let attachment = |(point, pushes): (Option<Point>, bool)| match point?.place {
            Place::On(at) if at.iter().all(|fraction| (0.0..=1.0).contains(fraction)) => {
                Some(Attachment { at, pushes })
            }
            _ => None,
        };
        attachments.map(attachment).collect()
    }

    fn place_line(
        &mut self,
        index: usize,
        material: LineMaterial,
        grid: Option<usize>,
        start: [Shape; 2],
    ) -> Result<(), CompileError> {
        let check = Check(Subject::Element(index));
        start.iter().try_for_each(|shape| shape.check(check))?;
        let line = Line::new(material, grid, check, self.k, &mut self.state)?;
        for (i, (displacement, velocity)) in line.sample(start[0]).zip(line.sample(start[1])).enumerate() {
            self.state.u[line.start + i] = displacement;
            self.state.du[line.start + i] = velocity * self.k;
        }
        self.elements.bodies[index] = Body::Line(self.elements.lines.len());
        self.elements.lines.push(line);
        Ok(())
    }

    /// Barriers come last in the state, in blocks of their own.
    pub fn place_barriers(&mut self) {
        let start = self.state.u.len();
        self.state.resize(whole_blocks(start + self.elements.barriers.len()));
        for (index, barrier) in self.elements.barriers.iter_mut().enumerate() {
            barrier.node = start + index;
        }
    }

    /// The line of an element that is a string or bar.
    pub(crate) fn line(&self, element: ElementId) -> Option<&Line> {
        match self.elements.bodies.get(element.index())? {
            Body::Line(line) => Some(&self.elements.lines[*line]),
            _ => None,
        }
    }

    /// Interpolation nodes and weights of a point. A barrier has none.
    pub(crate) fn nodes_at(&self, point: Point, subject: Subject) -> Result<Vec<(usize, f64)>, CompileError> {
        let index = point.element.index();
        let wrong = |element, expected| Err(CompileError::Place { subject, element, expected });
        match (&self.model.elements[index], &self.elements.bodies[index], point.place) {
            (Element::Mass(_), Body::Oscillators(nodes), Place::Whole) => Ok(vec![(nodes.start, 1.0)]),
            (Element::Mass(_), ..) => wrong("a mass", "it is a single point"),
            (Element::Modal(modal), Body::Oscillators(nodes), Place::Listed(listed)) if listed < modal.points.len() => {
                let gains = nodes.clone().zip(modal.points[listed].iter().copied());
                Ok(gains.filter(|&(_, gain)| gain != 0.0).collect())
            }
            (Element::Modal(_), ..) => wrong("a modal resonator", "name one of its points"),
            (Element::Barrier(_), _, Place::Whole | Place::Along(_)) => Ok(Vec::new()),
            (Element::Barrier(_), ..) => wrong("a barrier", "it is rigid"),
            (_, Body::Line(line), Place::Along(at)) => {
                Check(subject).fraction("at", at)?;
                let line = &self.elements.lines[*line];
                Ok(line.interpolate(at).map(|(node, weight)| (line.start + node, weight)).collect())
            }
            (_, Body::Plate(plate), Place::On(at)) => {
                at.iter().try_for_each(|&fraction| Check(subject).fraction("at", fraction))?;
                if !self.elements.plates[*plate].covers(at) {
                    return wrong("a round plate", "its rim lies half a diameter away from [0.5, 0.5]");
                }
                Ok(self.elements.plates[*plate].interpolate(at))
            }
            (_, Body::ModalPlate(modal_plate), Place::On(at)) => {
                Ok(self.elements.modal_plates[*modal_plate].interpolate(at))
            }
            (Element::Plate(_), ..) => wrong("a plate", "say where on it, as two fractions from 0 to 1"),
            (element, ..) => wrong(element.kind(), "say where along its length, from 0 to 1"),
        }
    }
}
