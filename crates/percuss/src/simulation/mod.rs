//! From a model to samples: compile once, then step.
//!
//! A sample goes one way: arrivals → controls → observe → predict → apply forces → solve contacts → ledger → pickups.

mod arrivals;
#[cfg(test)]
mod berger_tests;
mod control;
mod ledger;
#[cfg(test)]
mod portable_tests;
mod query;
#[cfg(test)]
mod tests;
pub(crate) mod view;

use crate::compile::arrivals::Arrival;
use crate::compile::io::{ExciterForce, PickupReader};
use crate::compile::{self, SimulationParts};
use crate::contact::network::Network;
use crate::contact::scheme::newton::NewtonEffort;
use crate::element::Bodies;
use crate::element::body::Body;
use crate::element::oscillator::bank::Bank;
use crate::element::ritz::eigen::portably;
use crate::element::simd::Machine;
use crate::element::state::State;
use crate::element::weighted_span::sum_of_nodes;
use crate::energy::Ledger;
use crate::error::{CompileError, Subject};
use crate::model::{ElementId, Ids, Model, Param, PickupId};

/// Steps between two flushes of small values, in which contacts also read their η from the nodes again.
const FLUSH_INTERVAL: u64 = 32;

/// Steps between two in which the ports of modal plates are set to the sum of the modes.
const RESYNC_INTERVAL: u64 = 8 * FLUSH_INTERVAL;

/// A compiled model at one sample rate. [`step`](Self::step) neither allocates, locks, panics nor fails.
///
/// Methods take the ids of the model, or of a clone of it. An id of another model never refers to a part of this one: what is read
/// by it is 0, empty or `None`, and what is set by it is refused with `false`.
#[derive(Clone, Debug)]
pub struct Simulation {
    k: f64,
    /// 1/2k \[1/s\].
    half_rate: f64,
    step_count: u64,
    state: State,
    /// The oscillators of all bodies.
    bank: Bank,
    bodies: Bodies,
    network: Network,
    forces: Vec<ExciterForce>,
    readers: Vec<PickupReader>,
    /// Masses that come and go.
    arrivals: Vec<Arrival>,
    /// The model's ids.
    ids: Ids,
    /// The model's parameters; those in controls are copies.
    params: Vec<Param>,
    /// Boxed, so that a step can take it out and put it back cheaply.
    ledger: Option<Box<Ledger>>,
    /// Whether a body or a pickup needs both du and du⁺ in every step.
    keep_previous: bool,
    /// Whether there are bows, fingers, forces, masses that come and go, or stretched elements.
    has_inputs: bool,
    /// Whether the bank predicts all bodies.
    only_oscillators: bool,
    /// Whether coefficients and inverse masses of bodies change in time, as they do under touches.
    varies_in_time: bool,
    /// u and du at the start.
    initial_state: (Vec<f64>, Vec<f64>),
}

impl Model {
    /// Validates the model, chooses grids and allocates all memory. After this nothing can fail.
    ///
    /// # Errors
    /// A parameter out of range, a grid too fine for the rate, a contact between parts that cannot move, and others: see
    /// [`CompileError`].
    pub fn compile(&self, sample_rate: f64) -> Result<Simulation, CompileError> {
        self.compile_with(sample_rate, Machine::new(self.portable))
    }

    fn compile_with(&self, sample_rate: f64, machine: Machine) -> Result<Simulation, CompileError> {
        let parts = portably(machine.is_portable(), || compile::compile(self, sample_rate, machine))?;
        let mut simulation = Simulation::new(parts, self.ids.clone());
        simulation.refuse_stiff_laws()?;
        Ok(simulation)
    }
}

impl Simulation {
    fn new(parts: SimulationParts, ids: Ids) -> Self {
        let SimulationParts { k, state, bank, bodies, network, forces, readers, arrivals } = parts;
        let mut simulation = Self {
            k,
            half_rate: 0.5 / k,
            step_count: 0,
            state,
            keep_previous: bodies.needs_previous() || readers.iter().any(PickupReader::needs_previous),
            has_inputs: network.has_bows_or_fingers()
                || network.has_stretches()
                || !forces.is_empty()
                || !arrivals.is_empty(),
            only_oscillators: bodies.are_in_bank(),
            varies_in_time: bodies.varies_in_time(),
            bank,
            bodies,
            network,
            forces,
            readers,
            arrivals,
            ids,
            params: Vec::new(),
            ledger: None,
            initial_state: (Vec::new(), Vec::new()),
        };
        simulation.remove_arrivals();
        simulation.state.move_to_previous_step();
        simulation.bodies.begin_step(0);
        simulation.state.begin_step(true);
        simulation.predict();
        simulation.state.start_second_order();
        simulation.start_springs();
        simulation.collect_params();
        simulation.initial_state = (simulation.state.u.to_vec(), simulation.state.du.to_vec());
        simulation.reset();
        simulation
    }

    /// Corrects the start for springs, so that springs and bodies together have the described energy.
    fn start_springs(&mut self) {
        self.bodies.clear_pending(&self.state);
        self.network.start_springs(&mut self.state);
        self.network.start_stretches(&mut self.state);
        self.bodies.apply_pending(&mut self.state);
    }

    /// Refuses laws whose linear part is too stiff for the solve: no scheme can limit it.
    fn refuse_stiff_laws(&mut self) -> Result<(), CompileError> {
        self.open_ledger();
        let arriving: f64 = self.arrivals.iter().map(|arrival| arrival.energy).sum();
        let energy = self.ledger().map_or(0.0, |ledger| ledger.total.scale) + arriving + self.arriving_strain();
        self.close_ledger();
        match self.network.find_too_stiff(energy, self.half_rate, &self.state.inverse_mass) {
            Some((interaction, stiffness, maximum)) => {
                let subject = Subject::Interaction(interaction);
                Err(CompileError::TooStiff { subject, stiffness, maximum, rate: 1.0 / self.k })
            }
            None => Ok(()),
        }
    }

    /// Advances by one sample.
    pub fn step(&mut self) {
        if self.has_inputs {
            self.update_controls();
        }
        let flushes = self.step_count.is_multiple_of(FLUSH_INTERVAL);
        self.network.observe(flushes, self.half_rate, &self.state);
        if flushes {
            self.flush_and_resync();
        }
        let keeps_now = self.varies_in_time && self.bodies.begin_step(self.step_count);
        self.state.begin_step(keeps_now || self.keep_previous || self.ledger.is_some());
        self.predict();
        if self.has_inputs || self.varies_in_time {
            self.apply_forces();
        }
        self.network.solve(self.half_rate, &mut self.state);
        if self.ledger.is_some() {
            self.record_in_ledger();
        }
        self.step_count += 1;
        self.bodies.advance(self.step_count, self.k);
    }

    /// Predicts all bodies without contacts.
    #[inline(always)]
    fn predict(&mut self) {
        self.bank.predict(&mut self.state);
        if !self.only_oscillators {
            self.bodies.predict(&mut self.state);
        }
    }

    /// Updates bows, fingers and forces for this step; lets masses come and go.
    #[inline(never)]
    fn update_controls(&mut self) {
        let time = self.step_count as f64 * self.k;
        if !self.arrivals.is_empty() {
            self.update_arrivals(time);
        }
        if self.network.has_bows_or_fingers() {
            self.network.update_bows_and_fingers(time, self.k);
        }
        for force in &mut self.forces {
            force.value = if force.is_suspended { 0.0 } else { force.signal.at(time) };
            if force.value != 0.0 {
                force.stencil.update(time);
            }
        }
    }

    /// Flushes values far below any physical motion; every few times also resyncs bodies.
    #[inline(never)]
    fn flush_and_resync(&mut self) {
        self.state.flush();
        if self.step_count.is_multiple_of(RESYNC_INTERVAL) {
            self.bodies.resync(&mut self.state);
        }
    }

    /// Updates the inverse masses that vary, at the nodes of contacts and forces.
    fn update_masses(&mut self) {
        self.bodies.update_masses(self.network.nodes(), &mut self.state);
        for force in self.forces.iter().filter(|force| force.value != 0.0) {
            self.bodies.update_masses(force.stencil.nodes().iter().map(|&(node, _)| node), &mut self.state);
        }
    }

    /// Applies the exciters' forces, and updates the compliances of contacts that moved or whose masses changed.
    #[inline(never)]
    fn apply_forces(&mut self) {
        if self.varies_in_time {
            self.update_masses();
        }
        for force in self.forces.iter().filter(|force| force.value != 0.0) {
            for &(node, weight) in force.stencil.nodes() {
                self.state.du[node] += self.state.inverse_mass[node] * weight * force.value;
            }
        }
        if self.varies_in_time || self.network.has_moved() {
            self.network.refresh(&self.state, !self.varies_in_time);
        }
    }

    /// Advances by a block of samples and writes every pickup to its channel: `pickups[i]` to `channels[i]`. Does not allocate.
    ///
    /// The block is as long as the shortest channel; its length is returned. Channels without a pickup, or with one of another
    /// model, are silent.
    ///
    /// ```
    /// # use percuss::prelude::*;
    /// # let mut model = Model::new();
    /// # let string = model.add(StiffString::steel(0.5e-3));
    /// # model.pulse(string.at(0.2), Pulse::default());
    /// let left = model.pickup(string.at(0.3), Quantity::Velocity);
    /// let right = model.pickup(string.at(0.8), Quantity::Velocity);
    /// let mut simulation = model.compile(48_000.0)?;
    /// let mut block = [[0.0; 128]; 2];
    /// simulation.process(&[left, right], &mut block);
    /// # assert!(block.iter().all(|channel| channel[127] != 0.0));
    /// # Ok::<(), CompileError>(())
    /// ```
    pub fn process<C: AsMut<[f64]>>(&mut self, pickups: &[PickupId], channels: &mut [C]) -> usize {
        let length = channels.iter_mut().map(|channel| channel.as_mut().len()).min().unwrap_or(0);
        for sample in 0..length {
            self.step();
            for (index, channel) in channels.iter_mut().enumerate() {
                channel.as_mut()[sample] = pickups.get(index).map_or(0.0, |&pickup| self.read(pickup));
            }
        }
        length
    }

    /// The current value of a pickup; 0 for one of another model.
    #[must_use]
    pub fn read(&self, pickup: PickupId) -> f64 {
        let state = &self.state;
        let Some(index) = self.ids.pickups.position(pickup) else { return 0.0 };
        match &self.readers[index] {
            PickupReader::Displacement(place) => place.displacement(state),
            PickupReader::Velocity(place) => place.increment(state),
            PickupReader::Inertia(nodes) => sum_of_nodes(nodes, |node| state.du[node] - state.du_prev[node]),
            PickupReader::Height(element) => self.bodies.get(*element).height().unwrap_or(0.0),
            PickupReader::Interaction(interaction) => self.network.force(*interaction),
        }
    }

    /// Resets to the state as compiled.
    pub fn reset(&mut self) {
        self.state.u.copy_from_slice(&self.initial_state.0);
        self.state.du.copy_from_slice(&self.initial_state.1);
        self.state.du_prev.fill(0.0);
        self.step_count = 0;
        self.reset_params();
        self.remove_arrivals();
        self.bodies.reset(&mut self.state, self.k);
        self.network.newton.effort = NewtonEffort::default();
        self.network.update_bows_and_fingers(0.0, self.k);
        self.state.move_to_previous_step();
        self.network.start_on_potential(&self.state);
        if let Some(mut ledger) = self.ledger.take() {
            self.start_ledger(&mut ledger);
            self.ledger = Some(ledger);
        }
    }

    /// Starts again with a plate held in a shape, and let go: `shape` is its displacement \[m\] at fractions of its sides. Returns
    /// false, with nothing changed, for what is not stepped on the grid of a plate.
    pub fn release_from(&mut self, plate: ElementId, shape: impl Fn([f64; 2]) -> f64) -> bool {
        let Some(index) = self.ids.elements.position(plate) else { return false };
        if !self.bodies.get(index).deflect(&shape, &mut self.state) {
            return false;
        }
        self.reset();
        self.state.u.copy_from_slice(&self.initial_state.0);
        self.bodies.get(index).deflect(&shape, &mut self.state);
        self.bodies.reset(&mut self.state, self.k);
        self.state.move_to_previous_step();
        self.network.start_on_potential(&self.state);
        if let Some(mut ledger) = self.ledger.take() {
            self.start_ledger(&mut ledger);
            self.ledger = Some(ledger);
        }
        true
    }

    /// Time step k \[s\].
    #[must_use]
    pub fn time_step(&self) -> f64 {
        self.k
    }

    /// Steps taken since the start.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.step_count
    }

    fn body(&self, element: ElementId) -> Option<&dyn Body> {
        self.ids.elements.position(element).map(|index| self.bodies.get(index))
    }

    /// Sets the pressure image (row by row, from 0 to 1, any resolution) of a plate's image touch. It takes effect at the next
    /// control update. Does not allocate; values that are not finite count as 0. Returns false where there is no such touch, and for
    /// an image without rows or columns.
    pub fn press(&mut self, plate: ElementId, touch: usize, width: usize, values: &[f64]) -> bool {
        let Some(index) = self.ids.elements.position(plate) else { return false };
        self.bodies.get_mut(index).set_pressure_image(touch, width, values)
    }
}
