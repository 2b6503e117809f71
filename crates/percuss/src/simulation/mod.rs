//! From a model to samples: compile once, then step.
//!
//! A sample goes one way: hands → look → predict → excite → foresee → solve → scatter → ledger → pickups.

mod control;
mod ledger;
pub(crate) mod matrices;
#[cfg(test)]
mod tests;
pub(crate) mod view;

use crate::compile::io::{Force, Reader};
use crate::compile::{self, Parts};
use crate::contact::network::Network;
use crate::contact::scheme::newton::NewtonEffort;
use crate::element::elements::{Body, Elements};
use crate::element::line::grid::Grid;
use crate::element::plate::grid::PlateGrid;
use crate::element::plate::modal::Spectrum;
use crate::element::state::NodeField;
use crate::element::state::State;
use crate::energy::Ledger;
use crate::error::{CompileError, Subject};
use crate::model::{Contact, Handle, Model, Pickup};
use std::ops::Range;

/// Steps from one that tidies up, small values and the rounding of what contacts see, to the next.
const TIDIED: u64 = 32;

/// Steps from one in which the spots of plates in their modes are put in place to the next.
const ANCHORED: u64 = 8 * TIDIED;

/// A compiled model at one sample rate. [`step`](Self::step) neither allocates, locks, panics nor fails.
#[derive(Clone, Debug)]
pub struct Simulation {
    k: f64,
    /// 1/2k \[1/s\].
    half_rate: f64,
    n: u64,
    state: State,
    elements: Elements,
    network: Network,
    forces: Vec<Force>,
    readers: Vec<Reader>,
    /// Boxed, so that a step can put it aside and back without moving it.
    ledger: Option<Box<Ledger>>,
    /// Whether a pickup reads du beside du⁺.
    keeps: bool,
    /// Whether there are hands or forces.
    played: bool,
    /// Whether there are only masses and modes.
    only_bank: bool,
    /// Whether touches change the masses that contacts see.
    touched: bool,
    /// u and du at the start.
    initial: (Vec<f64>, Vec<f64>),
}

impl Model {
    /// Checks everything, chooses grids, sizes all memory: after this nothing can fail.
    ///
    /// # Errors
    /// Any parameter out of range, a grid too fine for the rate, a contact that nothing can answer.
    pub fn compile(&self, sample_rate: f64) -> Result<Simulation, CompileError> {
        let mut simulation = Simulation::new(compile::compile(self, sample_rate)?);
        simulation.refuse_stiff_springs()?;
        Ok(simulation)
    }
}

impl Simulation {
    fn new(parts: Parts) -> Self {
        let Parts { k, state, elements, network, forces, readers } = parts;
        let mut simulation = Self {
            k,
            half_rate: 0.5 / k,
            n: 0,
            state,
            keeps: readers.iter().any(|reader| matches!(reader, Reader::Inertia(_))),
            played: network.has_hands() || !forces.is_empty(),
            only_bank: elements.has_only_oscillators(),
            touched: elements.plates.iter().any(|plate| plate.layer.is_some()),
            elements,
            network,
            forces,
            readers,
            ledger: None,
            initial: (Vec::new(), Vec::new()),
        };
        simulation.state.lag();
        simulation.state.turn(true);
        simulation.elements.bank.predict(&mut simulation.state);
        simulation.predict_the_rest();
        simulation.state.centre_start();
        simulation.start_springs();
        simulation.initial = (simulation.state.u.to_vec(), simulation.state.du.to_vec());
        simulation.reset();
        simulation
    }

    /// Lets springs and bodies hold together what they are described with.
    fn start_springs(&mut self) {
        let Self { state, elements, network, .. } = self;
        elements.spectra.iter_mut().for_each(|spectrum| spectrum.reset(state));
        network.start_springs(state);
        self.absorb();
    }

    /// Springs and fingers are linear laws, which nothing can soften: they have to leave digits to the solve.
    fn refuse_stiff_springs(&mut self) -> Result<(), CompileError> {
        self.open_ledger();
        let energy = self.ledger().map_or(0.0, |ledger| ledger.total.scale);
        self.close_ledger();
        match self.network.too_stiff(energy, &self.state.inverse_mass) {
            Some((interaction, stiffness, maximum)) => {
                let subject = Subject::Interaction(interaction);
                Err(CompileError::TooStiff { subject, stiffness, maximum, rate: 1.0 / self.k })
            }
            None => Ok(()),
        }
    }

    /// Advances by one sample.
    pub fn step(&mut self) {
        if self.played {
            self.act();
        }
        let tidies = self.n.is_multiple_of(TIDIED);
        self.network.look(tidies, self.half_rate, &self.state);
        if tidies {
            self.tidy();
        }
        let keeps = self.keeps || self.ledger.is_some() || self.elements.plates.iter().any(|plate| plate.keeps(self.n));
        self.state.turn(keeps);
        self.elements.bank.predict(&mut self.state);
        if !self.only_bank {
            self.predict_the_rest();
        }
        if self.played || self.touched {
            self.excite();
        }
        self.network.settle(self.half_rate, &mut self.state);
        if self.ledger.is_some() {
            self.book_step();
        }
        self.n += 1;
        for obstacle in &mut self.elements.obstacles {
            obstacle.advance(self.n, self.k);
        }
    }

    /// Lets hands and forces do what they do now.
    #[inline(never)]
    fn act(&mut self) {
        let time = self.n as f64 * self.k;
        if self.network.has_hands() {
            self.network.move_hands(time, self.k);
        }
        for force in &mut self.forces {
            force.now = force.signal.at(time);
            force.reach.update(time);
        }
    }

    /// Drops what is too small to be kept, and at times what rounding has done to plates in their modes.
    #[inline(never)]
    fn tidy(&mut self) {
        self.state.flush();
        if self.n.is_multiple_of(ANCHORED) {
            self.elements.spectra.iter().for_each(|spectrum| spectrum.anchor(&mut self.state));
        }
    }

    #[inline(never)]
    fn predict_the_rest(&mut self) {
        for line in &self.elements.lines {
            line.predict(&mut self.state);
        }
        for plate in &mut self.elements.plates {
            plate.predict_touched(&mut self.state, self.n);
        }
        for spectrum in &mut self.elements.spectra {
            spectrum.predict(&mut self.state);
        }
        for obstacle in &self.elements.obstacles {
            obstacle.predict(&mut self.state);
        }
    }

    /// Tells all modes of plates what happened in the step, for the ledger.
    fn absorb(&mut self) {
        self.elements.spectra.iter_mut().for_each(|spectrum| spectrum.absorb(&mut self.state));
    }

    /// Sets the masses under touches, as contacts and forces feel them.
    fn weigh(&mut self) {
        for plate in &self.elements.plates {
            plate.weigh(self.network.nodes(), &mut self.state);
            for force in self.forces.iter().filter(|force| force.now != 0.0) {
                plate.weigh(force.reach.nodes().iter().map(|&(node, _)| node), &mut self.state);
            }
        }
    }

    /// Lets forces push, and tells contacts where they are now felt and what they push.
    #[inline(never)]
    fn excite(&mut self) {
        if self.touched {
            self.weigh();
        }
        for force in self.forces.iter().filter(|force| force.now != 0.0) {
            for &(node, weight) in force.reach.nodes() {
                self.state.du[node] += self.state.inverse_mass[node] * weight * force.now;
            }
        }
        if self.touched || self.network.has_moved() {
            self.network.refresh(&self.state.inverse_mass, !self.touched);
        }
    }

    /// Steps and reads one pickup, for every sample of a buffer.
    pub fn fill(&mut self, pickup: Pickup, buffer: &mut [f64]) {
        for sample in buffer {
            self.step();
            *sample = self.read(pickup);
        }
    }

    /// What a pickup hears now.
    pub fn read(&self, pickup: Pickup) -> f64 {
        let state = &self.state;
        match &self.readers[pickup.0] {
            Reader::Displacement(nodes) => nodes.iter().map(|&(node, weight)| weight * state.displacement(node)).sum(),
            Reader::Velocity(nodes) => nodes.iter().map(|&(node, weight)| weight * state.du[node]).sum(),
            Reader::Inertia(nodes) => {
                nodes.iter().map(|&(node, weight)| weight * (state.du[node] - state.du_before[node])).sum()
            }
            Reader::Contact(interaction) => self.network.force(*interaction),
            Reader::Barrier(obstacle) => self.elements.obstacles[*obstacle].now,
        }
    }

    /// Back to the start, as compiled.
    pub fn reset(&mut self) {
        self.state.u.copy_from_slice(&self.initial.0);
        self.state.du.copy_from_slice(&self.initial.1);
        self.state.du_before.fill(0.0);
        self.n = 0;
        self.release_dials();
        for obstacle in &mut self.elements.obstacles {
            obstacle.reset(self.k, &mut self.state);
        }
        for plate in &mut self.elements.plates {
            plate.reset();
        }
        for spectrum in &mut self.elements.spectra {
            spectrum.reset(&self.state);
        }
        self.network.newton.effort = NewtonEffort::default();
        self.network.move_hands(0.0, self.k);
        self.state.lag();
        self.network.start_on_potential(&self.state);
        if let Some(mut ledger) = self.ledger.take() {
            self.start_ledger(&mut ledger);
            self.ledger = Some(ledger);
        }
    }

    /// Time step k \[s\].
    pub fn time_step(&self) -> f64 {
        self.k
    }

    /// Steps taken since the start.
    pub fn steps(&self) -> u64 {
        self.n
    }

    /// The grid of a string or bar.
    pub fn grid(&self, element: Handle) -> Option<Grid> {
        match self.elements.bodies.get(element.0)? {
            Body::Line(line) => Some(self.elements.lines[*line].grid),
            Body::Oscillators(_) | Body::Plate(_) | Body::Spectrum(_) | Body::Barrier => None,
        }
    }

    /// The grid of a plate.
    pub fn plate_grid(&self, element: Handle) -> Option<PlateGrid> {
        match self.elements.bodies.get(element.0)? {
            Body::Plate(plate) => Some(self.elements.plates[*plate].grid),
            Body::Spectrum(spectrum) => Some(self.elements.spectra[*spectrum].grid),
            Body::Oscillators(_) | Body::Line(_) | Body::Barrier => None,
        }
    }

    /// Lays a picture of pressures (row by row, from 0 to 1, any resolution) on a plate's touch that is an image. It
    /// takes effect from the next control update on. Does not allocate; what is not finite counts as no pressure.
    pub fn press(&mut self, plate: Handle, touch: usize, width: usize, values: &[f64]) {
        if let Some(Body::Plate(plate)) = self.elements.bodies.get(plate.0)
            && let Some(layer) = &mut self.elements.plates[*plate].layer
        {
            layer.press(touch, width, values);
        }
    }

    /// Displacement of a plate at grid node (i, j) \[m\]; 0 where it is held or there is none. Allocates: to look again and
    /// again, take a [`picture`](Self::picture).
    pub fn plate_displacement(&self, plate: Handle, i: usize, j: usize) -> f64 {
        self.picture(plate, &[i], &[j]).map_or(0.0, |picture| picture.values()[0])
    }

    /// State nodes of an element that is no plate.
    fn nodes(&self, element: Handle) -> Range<usize> {
        match &self.elements.bodies[element.0] {
            Body::Oscillators(nodes) => nodes.clone(),
            Body::Line(line) => {
                self.elements.lines[*line].start..self.elements.lines[*line].start + self.elements.lines[*line].count
            }
            Body::Plate(_) | Body::Spectrum(_) | Body::Barrier => 0..0,
        }
    }

    /// Displacements of an element's moving nodes (a mass has one, a modal resonator one per mode), or of all nodes of a
    /// plate's grid, row by row \[m\]. Allocates.
    pub fn displacements(&self, element: Handle) -> Vec<f64> {
        let values = self.plate_values(element, NodeField::Displacement);
        values.unwrap_or_else(|| self.nodes(element).map(|node| self.state.displacement(node)).collect())
    }

    /// One of the displacements of an element that is no plate \[m\]; 0 where there is none.
    pub fn displacement(&self, element: Handle, index: usize) -> f64 {
        self.nodes(element).nth(index).map_or(0.0, |node| self.state.displacement(node))
    }

    /// How far those nodes moved in the last step \[m\]. Allocates.
    pub fn increments(&self, element: Handle) -> Vec<f64> {
        let values = self.plate_values(element, NodeField::Increment);
        values.unwrap_or_else(|| self.state.du[self.nodes(element)].to_vec())
    }

    /// ψ of every row of an interaction: one at a point, one per node along a string, two with play.
    pub fn psi(&self, contact: Contact) -> impl Iterator<Item = f64> {
        self.network.rows_of(contact.0).iter().map(|&row| self.network.rows[row].psi)
    }

    /// Force of an interaction in the last step \[N\].
    pub fn force(&self, contact: Contact) -> f64 {
        self.network.force(contact.0)
    }

    /// How hard the iterative scheme had to work so far.
    pub fn newton_effort(&self) -> NewtonEffort {
        self.network.newton.effort
    }

    /// Size of every block of coupled contacts: what a step has to solve.
    pub fn contact_blocks(&self) -> impl Iterator<Item = usize> {
        self.network.block_sizes()
    }

    /// Number of values that move.
    pub fn node_count(&self) -> usize {
        self.elements.bank.len()
            + self.elements.lines.iter().map(|line| line.count).sum::<usize>()
            + self.elements.plates.iter().map(|plate| plate.moving().count()).sum::<usize>()
            + self.elements.spectra.iter().map(Spectrum::count).sum::<usize>()
    }
}
