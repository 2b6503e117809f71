//! All contacts of a model: reads their nodes, solves block by block, applies the forces.
//!
//! Observe, predict, push   see `stencil`
//! Compliance  Bᵢⱼ = Σ cᵢ·(inverse mass)·cⱼ over shared nodes; blocks are its connected components
//! Allocates   only in `new`

mod start;
mod weights;

use crate::contact::active_set::ActiveSet;
use crate::contact::block::Block;
use crate::contact::bow_or_finger::BowOrFinger;
use crate::contact::coupling::CouplingGraph;
use crate::contact::plan::RowPlan;
use crate::contact::row::{MAX_COUPLED_STIFFNESS, MAX_UNCOUPLED_STIFFNESS, Row};
use crate::contact::scheme::newton::Newton;
use crate::contact::scheme::tracked::{self, AllStages, CORRECTIONS, CorrectSlopes, Release, SolvePlain};
use crate::contact::stencil::{RowStencil, SideWork, StencilPool};
use crate::contact::stretch::StretchRow;
use crate::contact::von_karman::VonKarmanRow;
use crate::element::state::State;
use crate::model::{Control, Model, Scheme};

/// All contacts of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Network {
    scheme: Scheme,
    pub rows: Vec<Row>,
    stencils: Vec<RowStencil>,
    pool: StencilPool,
    blocks: Vec<Block>,
    /// Indices of the blocks to be solved in this step, at the start of a buffer for all.
    active_blocks: Vec<u32>,
    /// Rows of every interaction.
    rows_of: Vec<Vec<usize>>,
    /// Bows and fingers, each with the row it acts on.
    bows_and_fingers: Vec<(usize, BowOrFinger)>,
    /// Rows whose weights change in every step.
    stretches: Vec<StretchRow>,
    /// The same for plates that bend far.
    von_karman: Vec<VonKarmanRow>,
    /// Whether the only row is a collision in the default scheme.
    is_single_collision: bool,
    /// Whether a bow or finger has moved since B was set.
    moved: bool,
    active_set: ActiveSet,
    pub newton: Newton,
}

/// Energies of a row \[J\].
pub(crate) struct RowEnergy {
    pub stored: f64,
    pub dissipated: f64,
    pub supplied: f64,
}

impl Network {
    pub fn new(plans: Vec<RowPlan>, model: &Model, state: &State, k: f64) -> Self {
        let rows_of = vec![Vec::new(); model.interactions.len()];
        let mut network = Self { rows_of, scheme: model.scheme, ..Self::default() };
        let couplings = CouplingGraph::new(&plans);
        let mut components = couplings.components();
        // Small blocks first: what they compute is short, and hides in the latency of the others.
        components.sort_by_key(Vec::len);
        let mut plans: Vec<Option<RowPlan>> = plans.into_iter().map(Some).collect();
        for component in &components {
            let start = network.rows.len();
            let (terms, moving) = (couplings.terms(component), couplings.moving_pairs(component));
            for &index in component {
                let plan = plans[index].take().expect("components are disjoint");
                network.add_row(plan);
            }
            if let [stencil] = &mut network.stencils[start..] {
                stencil.is_single = true;
            }
            network.blocks.push(Block::new(start..network.rows.len(), terms, moving));
        }
        network.is_single_collision =
            matches!(&network.rows[..], [row] if row.law.is_one_sided()) && model.scheme == Scheme::Tracked;
        network.active_blocks = vec![0; network.blocks.len()];
        network.update_bows_and_fingers(0.0, k);
        network.update_stretches(|nodes, values| values.copy_from_slice(&state.u[nodes]));
        network.refresh(state, false);
        network.active_set = ActiveSet::new();
        network.newton = Newton::new(components.iter().map(Vec::len).max().unwrap_or(0));
        network
    }

    fn add_row(&mut self, plan: RowPlan) {
        let row = self.rows.len();
        self.rows_of[plan.interaction].push(row);
        self.rows.push(Row::new(plan.law.clone(), self.blocks.len() as u32));
        self.bows_and_fingers.extend(plan.bow_or_finger.clone().map(|bow_or_finger| (row, bow_or_finger)));
        self.stretches.extend(StretchRow::new(row, plan.stretches.clone()));
        self.von_karman.extend(plan.von_karman.clone().map(|form| VonKarmanRow::new(row, form)));
        self.stencils.push(self.pool.add(plan));
    }

    /// Updates position, force, velocity and pressure of bows and fingers for time t \[s\].
    pub fn update_bows_and_fingers(&mut self, t: f64, k: f64) {
        for (row, bow_or_finger) in &mut self.bows_and_fingers {
            bow_or_finger.update(&mut self.rows[*row].law, t, k);
            if let Some(moving_point) = &mut bow_or_finger.moving_point
                && moving_point.update(t)
            {
                self.moved = true;
                self.stencils[*row].move_to(moving_point.nodes(), &mut self.pool);
            }
        }
    }

    /// Nodes of all rows that may have masses that vary; some more than once. Other dense spans are modes.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + Clone {
        let stretches = self.stretches.iter().flat_map(StretchRow::nodes);
        self.pool.nodes().chain(stretches).chain(self.von_karman.iter().flat_map(|stretching| stretching.form.nodes()))
    }

    /// All controls of bows and fingers.
    pub fn visit_controls(&mut self, visit: &mut dyn FnMut(&mut Control)) {
        self.bows_and_fingers.iter_mut().for_each(|(_, bow_or_finger)| bow_or_finger.visit_controls(visit));
    }

    /// Whether there are bows or fingers.
    pub fn has_bows_or_fingers(&self) -> bool {
        !self.bows_and_fingers.is_empty()
    }

    /// Whether a bow or finger has moved over its element since B was set.
    pub fn has_moved(&self) -> bool {
        self.moved
    }

    /// Recomputes Bᵢⱼ = Σ cᵢ·(inverse mass)·cⱼ after masses have changed, or for rows that moved (`only_moved`).
    pub fn refresh(&mut self, state: &State, only_moved: bool) {
        let Self { rows, stencils, pool, blocks, moved, .. } = self;
        *moved = false;
        let is_current = |stencil: &RowStencil| only_moved && !stencil.has_moved;
        for stencil in stencils.iter().filter(|stencil| !is_current(stencil)) {
            pool.refresh(stencil, &state.inverse_mass);
        }
        for block in blocks.iter_mut() {
            let own = block.rows.clone();
            if stencils[own.clone()].iter().all(is_current) {
                continue;
            }
            let stencils = &stencils[own.clone()];
            block.refresh(&mut rows[own], &state.inverse_mass, only_moved, |row, column| {
                let [row, column] = [row, column].map(|row| &stencils[row]);
                (!is_current(row) || !is_current(column)).then(|| row.mutual_compliance(column, pool, state))
            });
        }
        stencils.iter_mut().for_each(|stencil| stencil.has_moved = false);
    }

    /// Updates η of all rows before the prediction. It follows from the last step; every few steps (`from_nodes`) it is read from the nodes
    /// again, against accumulated rounding, as are rows that moved to other nodes. Several rows also set their laws here, early
    /// enough to hide the latency of the square roots.
    #[inline(always)]
    pub fn observe(&mut self, from_nodes: bool, half_rate: f64, state: &State) {
        if self.has_stretches() {
            self.update_stretches(|nodes, values| state.read_displacements(nodes, values));
            self.update_von_karman(state);
        }
        if from_nodes || self.moved {
            self.observe_nodes(from_nodes, state);
        }
        if !self.is_single_collision {
            self.prepare_laws(half_rate);
        }
    }

    /// Not inlined: not called in every step.
    #[inline(never)]
    fn observe_nodes(&mut self, all: bool, state: &State) {
        for (row, stencil) in self.rows.iter_mut().zip(&self.stencils) {
            let moved = stencil.has_moved;
            if moved {
                row.d = row.eta_step + stencil.eta_step(&self.pool, state);
            }
            if moved || all {
                let eta = stencil.eta_prev(&self.pool, state);
                if row.law.accepts_eta(row.eta, eta) {
                    row.eta = eta;
                }
            }
        }
    }

    #[inline(never)]
    fn prepare_laws(&mut self, half_rate: f64) {
        for row in &mut self.rows {
            row.begin_step();
            if self.scheme == Scheme::Tracked {
                tracked::prepare_law(row, half_rate)
            } else {
                row.prepare_law(half_rate)
            }
        }
    }

    /// An interaction whose linear part is too stiff for the solve: its index, its stiffness and the largest that will do \[N/m\].
    /// A resistance counts with 4/2k of it, a cubic spring with its slope where it holds all of an energy \[J\], a stretched element
    /// with its compliance where it does.
    pub fn find_too_stiff(&self, energy: f64, half_rate: f64, inverse_mass: &[f64]) -> Option<(usize, f64, f64)> {
        let fingers =
            self.bows_and_fingers.iter().filter_map(|(row, hand)| Some((*row, hand.stiffness(half_rate)?, hand)));
        let fingers = fingers.map(|(row, stiffness, hand)| {
            let compliance = hand.moving_point.as_ref().map(|point| point.largest_compliance(inverse_mass));
            (row, [stiffness, 0.0], compliance.unwrap_or(self.rows[row].compliance))
        });
        let stiffness = |row: &Row| row.law.linear_stiffness(energy, half_rate);
        let other_lanes = self.rows.iter().enumerate().map(|(index, row)| (index, stiffness(row), row.compliance));
        let stretches = self
            .stretches
            .iter()
            .map(|stretch| (stretch.row, [0.0, stretch.stiffness()], stretch.largest_compliance(energy, inverse_mass)));
        fingers.chain(stretches).chain(other_lanes).find_map(|(row, stiffness, compliance)| {
            let limits = if self.stencils[row].is_single { MAX_UNCOUPLED_STIFFNESS } else { MAX_COUPLED_STIFFNESS };
            let maximum = limits.map(|limit| 4.0 * limit / compliance);
            let interaction = self.rows_of.iter().position(|rows| rows.contains(&row))?;
            (0..2).find(|&i| stiffness[i] > maximum[i]).map(|i| (interaction, stiffness[i], maximum[i]))
        })
    }

    /// Takes a row out of the network.
    pub fn suspend(&mut self, row: usize) {
        self.rows[row].suspend();
    }

    /// Puts a row back, on its potential.
    pub fn resume(&mut self, row: usize, state: &State) {
        self.rows[row].resume();
        self.start_row(row, state);
    }

    /// η of a row between steps \[m\].
    pub fn eta(&self, row: usize, state: &State) -> f64 {
        let stencil = &self.stencils[row];
        stencil.eta_prev(&self.pool, state) + stencil.eta_step(&self.pool, state)
    }

    /// Rows in which a node of a mass takes part.
    pub fn rows_on(&self, node: usize) -> Vec<usize> {
        let takes_part = |&row: &usize| self.stencils[row].has_node(node, &self.pool);
        (0..self.rows.len()).filter(takes_part).collect()
    }

    /// Predicts, solves and applies the forces. Blocks share no node. `half_rate` = 1/2k.
    #[inline(always)]
    pub fn solve(&mut self, half_rate: f64, state: &mut State) {
        let Self { rows, stencils, pool, is_single_collision, .. } = self;
        if *is_single_collision && let ([row], [stencil]) = (&mut rows[..], &stencils[..]) {
            tracked::solve_single_row(row, stencil, pool, state, half_rate);
        } else if !self.rows.is_empty() {
            self.solve_blocks(half_rate, state);
        }
    }

    #[inline(never)]
    fn solve_blocks(&mut self, half_rate: f64, state: &mut State) {
        let Self { rows, stencils, pool, blocks, scheme, .. } = self;
        match (&mut blocks[..], *scheme) {
            ([block], Scheme::Tracked) if !block.is_large() => {
                block.run_stage(rows, AllStages { stencils, pool, state, half_rate })
            }
            _ => {
                let count = self.collect_active_blocks(state);
                match self.scheme {
                    Scheme::Tracked => self.solve_tracked(count, half_rate, state),
                    Scheme::Plain | Scheme::Newton => self.solve_plain_or_newton(count, half_rate, state),
                }
            }
        }
    }

    /// Predicts all rows and collects the blocks that have to be solved; returns how many there are.
    fn collect_active_blocks(&mut self, state: &State) -> usize {
        let Self { rows, stencils, pool, active_blocks, .. } = self;
        let (mut count, mut last) = (0, None);
        for (row, stencil) in rows.iter_mut().zip(stencils) {
            if !row.predict(stencil, pool, state) || last == Some(row.block) {
                continue;
            }
            active_blocks[count] = row.block;
            (count, last) = (count + 1, Some(row.block));
        }
        count
    }

    /// Runs each stage over all blocks before the next stage: hides the latency of square roots and divisions.
    fn solve_tracked(&mut self, count: usize, half_rate: f64, state: &mut State) {
        let Self { rows, stencils, pool, blocks, active_blocks, active_set, .. } = self;
        // Large blocks with few closed rows are solved by the active set.
        let mut left = 0;
        for index in 0..count {
            let block = &blocks[active_blocks[index] as usize];
            let is_solved = block.is_large() && {
                let own = block.rows.clone();
                let finish = Release { stencils: &stencils[own.clone()], pool, state, half_rate };
                tracked::solve_active_set(active_set, block, &mut rows[own], finish)
            };
            if !is_solved {
                active_blocks[left] = active_blocks[index];
                left += 1;
            }
        }
        let active_blocks = &active_blocks[..left];
        for &block in active_blocks {
            blocks[block as usize].run_stage(rows, SolvePlain { half_rate });
        }
        for pass in 0..CORRECTIONS {
            for &block in active_blocks {
                blocks[block as usize].run_stage(rows, CorrectSlopes { first: pass == 0, half_rate });
            }
        }
        for &block in active_blocks {
            let block = &mut blocks[block as usize];
            let stencils = &stencils[block.rows.clone()];
            block.run_stage(rows, Release { stencils, pool, state, half_rate });
        }
    }

    fn solve_plain_or_newton(&mut self, count: usize, half_rate: f64, state: &mut State) {
        let Self { rows, stencils, pool, blocks, active_blocks, newton, .. } = self;
        for &block in &active_blocks[..count] {
            let block = &mut blocks[block as usize];
            let own = block.rows.clone();
            let (rows, stencils) = (&mut rows[own.clone()], &stencils[own]);
            match self.scheme {
                Scheme::Newton => newton.solve(block, rows, half_rate),
                Scheme::Plain | Scheme::Tracked => block.solve(rows, half_rate),
            }
            rows.iter_mut().zip(stencils).for_each(|(row, stencil)| row.apply_force(stencil, pool, state, half_rate));
        }
    }

    pub fn interactions(&self) -> usize {
        self.rows_of.len()
    }

    /// The sign with which a row's force counts in its interaction.
    pub fn sign(&self, row: usize) -> f64 {
        self.stencils[row].sign
    }

    /// The rows of an interaction.
    pub fn rows_of(&self, interaction: usize) -> &[usize] {
        &self.rows_of[interaction]
    }

    /// Force of an interaction \[N\].
    pub fn force(&self, interaction: usize) -> f64 {
        self.rows_of[interaction].iter().map(|&row| self.stencils[row].sign * self.rows[row].force).sum()
    }

    /// Work done through the sides of a row during the last step.
    #[inline]
    pub fn work(&self, row: usize, state: &State) -> impl Iterator<Item = SideWork> {
        self.stencils[row].work(self.rows[row].force, &self.pool, state)
    }

    /// Energy a row stores, dissipated and was supplied with by a bow or finger in the last step. `half_rate` = 1/2k.
    pub fn row_energy(&self, row: usize, half_rate: f64) -> RowEnergy {
        let row = &self.rows[row];
        let ahead = row.eta_prev + row.d;
        let potential = match self.scheme {
            Scheme::Newton => 0.5 * (row.law.potential_energy(ahead) + row.law.potential_energy(row.eta)),
            Scheme::Plain | Scheme::Tracked => 0.5 * row.psi * row.psi,
        };
        let stored = potential + row.law.other_energy(ahead, row.eta);
        let resistive = 0.5 * half_rate * row.affine.r * row.d * row.d + row.dissipated;
        RowEnergy { stored, dissipated: row.law.dissipated(resistive), supplied: row.law.supplied() }
    }

    /// Energy that an interaction stores \[J\].
    pub fn stored_energy(&self, interaction: usize, half_rate: f64) -> f64 {
        let rows = self.rows_of[interaction].iter().filter(|&&row| !self.rows[row].is_suspended());
        rows.map(|&row| self.row_energy(row, half_rate).stored).sum()
    }

    /// Interactions to which any of some rows belongs.
    pub fn interactions_of<'a>(&'a self, rows: &'a [usize]) -> impl Iterator<Item = usize> + use<'a> {
        let has_one = |of: &[usize]| of.iter().any(|row| rows.contains(row));
        (0..self.rows_of.len()).filter(move |&interaction| has_one(&self.rows_of[interaction]))
    }

    /// Number of rows in every block.
    pub fn block_sizes(&self) -> impl Iterator<Item = usize> {
        self.blocks.iter().map(|block| block.rows.len())
    }
}
