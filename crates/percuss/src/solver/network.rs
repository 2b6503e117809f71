//! All contacts of a model: what they see, solve block by block, scatter what they push.
//!
//! Look        η⁻ = c·u⁻ − b,  η = η⁻ + c·du                         (a barrier adds its own position and motion)
//! Foresee     d₀ = c·(duᴵ + du)
//! Scatter     du⁺ −= (inverse mass)·c·f                             the adjoint of these, so that power is passed on exactly
//! Compliance  Bᵢⱼ = Σ cᵢ·(inverse mass)·cⱼ over shared nodes; blocks are its connected components
//! Allocates   only in `new`

use super::block::{Block, Row};
use super::couplings::Couplings;
use super::hands::Hand;
use super::newton::Newton;
use super::tracked;
use crate::element::State;
use crate::interaction::Law;
use crate::model::{Control, Scheme};
use std::ops::Range;

/// A barrier's height at three instants.
#[derive(Clone, Debug)]
pub(crate) struct Obstacle {
    pub position: Control,
    pub back: f64,
    pub now: f64,
    pub ahead: f64,
}

impl Obstacle {
    pub fn new(position: Control, k: f64) -> Self {
        let mut obstacle = Self { position, back: 0.0, now: 0.0, ahead: 0.0 };
        obstacle.reset(k);
        obstacle
    }

    pub fn reset(&mut self, k: f64) {
        self.now = self.position.at(0.0);
        self.back = self.now;
        self.ahead = self.position.at(k);
    }

    /// Moves on to step n.
    pub fn advance(&mut self, n: u64, k: f64) {
        (self.back, self.now) = (self.now, self.ahead);
        self.ahead = self.position.at((n + 1) as f64 * k);
    }
}

/// What one side of a row touches.
#[derive(Clone, Debug)]
pub(crate) enum Touch {
    /// Nodes of an element with signed interpolation weights.
    Nodes(Vec<(usize, f64)>),
    /// A barrier, with the sign of its side.
    Barrier(usize, f64),
}

/// A row before it is sorted into a block.
#[derive(Clone, Debug)]
pub(crate) struct RowPlan {
    pub law: Law,
    pub interaction: usize,
    /// +1, or −1 for the second face of a connection with play.
    pub sense: f64,
    /// Constant part of η \[m\].
    pub offset: f64,
    /// The elements and what is touched of them: below, above, and a surface where there is one.
    pub sides: Vec<(usize, Touch)>,
    /// The hand that holds it, for a bow or a finger.
    pub hand: Option<Hand>,
}

impl RowPlan {
    /// Whether its place moves over its element.
    pub fn moves(&self) -> bool {
        self.hand.as_ref().is_some_and(|hand| hand.walk.is_some())
    }
}

/// One side of a row, compiled.
#[derive(Clone, Debug)]
struct Side {
    element: usize,
    nodes: Range<usize>,
    barrier: Option<(usize, f64)>,
}

/// Where a row belongs.
#[derive(Clone, Debug)]
struct Seat {
    sense: f64,
    offset: f64,
    /// Nodes of all sides.
    nodes: Range<usize>,
    sides: Vec<Side>,
}

/// All contacts of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Network {
    pub rows: Vec<Row>,
    seats: Vec<Seat>,
    blocks: Vec<Block>,
    /// Rows of every interaction.
    rows_of: Vec<Vec<usize>>,
    nodes: Vec<usize>,
    weights: Vec<f64>,
    /// The hands and the rows they hold.
    hands: Vec<(usize, Hand)>,
    pub newton: Newton,
}

/// Work done on an element through a contact during a step \[J\].
pub(crate) struct Work {
    pub element: usize,
    pub joules: f64,
    pub by_barrier: bool,
}

/// The account of a row \[J\].
pub(crate) struct RowEnergy {
    pub stored: f64,
    pub lost: f64,
    pub supplied: f64,
}

impl Network {
    pub fn new(plans: Vec<RowPlan>, interactions: usize, state: &State, k: f64) -> Self {
        let mut network = Self { rows_of: vec![Vec::new(); interactions], ..Self::default() };
        let couplings = Couplings::of(&plans);
        let components = couplings.components();
        let mut plans: Vec<Option<RowPlan>> = plans.into_iter().map(Some).collect();
        for component in &components {
            let start = network.rows.len();
            let (links, moving) = (couplings.links(component), couplings.moving_pairs(component));
            for &index in component {
                let plan = plans[index].take().expect("components are disjoint");
                network.seat(plan);
            }
            network.blocks.push(Block::new(start..network.rows.len(), links, moving));
        }
        network.move_hands(0.0, k);
        network.refresh(&state.inverse_mass, false);
        network.newton = Newton::new(components.iter().map(Vec::len).max().unwrap_or(0));
        network
    }

    fn seat(&mut self, plan: RowPlan) {
        let first = self.nodes.len();
        let sides = plan.sides.into_iter().map(|(element, touch)| {
            let start = self.nodes.len();
            let barrier = match touch {
                Touch::Nodes(nodes) => {
                    self.nodes.extend(nodes.iter().map(|n| n.0));
                    self.weights.extend(nodes.iter().map(|n| n.1));
                    None
                }
                Touch::Barrier(index, sign) => Some((index, sign)),
            };
            Side { element, nodes: start..self.nodes.len(), barrier }
        });
        let sides = sides.collect();
        self.rows_of[plan.interaction].push(self.rows.len());
        self.hands.extend(plan.hand.map(|hand| (self.rows.len(), hand)));
        self.rows.push(Row::new(plan.law));
        let nodes = first..self.nodes.len();
        self.seats.push(Seat { sense: plan.sense, offset: plan.offset, nodes, sides });
    }

    /// Σ c·(du⁺ + du): four sums side by side, so that none waits for the one before.
    fn travel(&self, nodes: Range<usize>, state: &State) -> f64 {
        let (nodes, weights) = (&self.nodes[nodes.clone()], &self.weights[nodes]);
        let along = |node: usize, weight: f64| weight * (state.du[node] + state.du_before[node]);
        let (fours, fours_weights) = (nodes.chunks_exact(4), weights.chunks_exact(4));
        let rest = fours.remainder().iter().zip(fours_weights.remainder());
        let rest: f64 = rest.map(|(&node, &weight)| along(node, weight)).sum();
        let mut sums = [0.0; 4];
        for (nodes, weights) in fours.zip(fours_weights) {
            for (lane, sum) in sums.iter_mut().enumerate() {
                *sum += along(nodes[lane], weights[lane]);
            }
        }
        rest + (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    /// Moves the hands to where they are at time t \[s\] and lets them press and draw as they do then.
    pub fn move_hands(&mut self, t: f64, k: f64) {
        for (row, hand) in &mut self.hands {
            hand.act(&mut self.rows[*row].law, t, k);
            if let Some(walk) = &mut hand.walk {
                walk.update(t);
                let seats = self.seats[*row].nodes.clone();
                self.weights[seats.clone()].fill(0.0);
                for (seat, &(node, weight)) in seats.zip(walk.nodes()) {
                    (self.nodes[seat], self.weights[seat]) = (node, weight);
                }
            }
        }
    }

    /// All nodes that rows touch, some more than once.
    pub fn nodes(&self) -> impl Iterator<Item = usize> {
        self.nodes.iter().copied()
    }

    /// All controls of the hands.
    pub fn each_control(&mut self, visit: &mut dyn FnMut(&mut Control)) {
        self.hands.iter_mut().for_each(|(_, hand)| hand.each_control(visit));
    }

    /// Whether a hand moves over its element.
    pub fn has_moving_hands(&self) -> bool {
        self.hands.iter().any(|(_, hand)| hand.walk.is_some())
    }

    /// Sets B anew after masses have changed, or `only_moved` rows: Bᵢⱼ = Σ cᵢ·(inverse mass)·cⱼ.
    pub fn refresh(&mut self, inverse_mass: &[f64], only_moved: bool) {
        let Self { rows, seats, blocks, nodes, weights, .. } = self;
        for block in blocks.iter_mut().filter(|block| !only_moved || !block.moving.is_empty()) {
            let first = block.rows.start;
            let overlap = |row: usize, column: usize| {
                let entries = |row: usize| seats[first + row].nodes.clone().map(|seat| (nodes[seat], weights[seat]));
                let shared = |(node, weight): (usize, f64)| {
                    let others = entries(column).filter(|other| other.0 == node).map(|other| other.1);
                    weight * inverse_mass[node] * others.sum::<f64>()
                };
                entries(row).map(shared).sum()
            };
            block.refresh(&mut rows[block.rows.clone()], inverse_mass, overlap);
        }
    }

    /// Reads η and η⁻ of every row, before the prediction.
    pub fn look(&mut self, state: &State, obstacles: &[Obstacle]) {
        for (row, seat) in self.rows.iter_mut().zip(&self.seats) {
            let (mut back, mut rise) = (seat.offset, 0.0);
            for (&node, weight) in self.nodes[seat.nodes.clone()].iter().zip(&self.weights[seat.nodes.clone()]) {
                back += weight * state.u[node];
                rise += weight * state.du[node];
            }
            for &(barrier, sign) in seat.sides.iter().filter_map(|side| side.barrier.as_ref()) {
                let Obstacle { back: behind, now, .. } = obstacles[barrier];
                back += sign * behind;
                rise += sign * (now - behind);
            }
            (row.eta, row.back, row.rise) = (back + rise, back, rise);
        }
    }

    /// Reads d₀ of every row, after the prediction.
    pub fn foresee(&mut self, state: &State, obstacles: &[Obstacle]) {
        for (row, seat) in self.rows.iter_mut().zip(&self.seats) {
            let mut free = row.rise;
            for (&node, weight) in self.nodes[seat.nodes.clone()].iter().zip(&self.weights[seat.nodes.clone()]) {
                free += weight * state.du[node];
            }
            for &(barrier, sign) in seat.sides.iter().filter_map(|side| side.barrier.as_ref()) {
                let Obstacle { now, ahead, .. } = obstacles[barrier];
                free += sign * (ahead - now);
            }
            row.free = free;
        }
    }

    /// Puts every ψ on its potential, ψ = ψ(½(η + η⁻)), after a gather at the start, and leaves the rows as if the step
    /// to η had just been taken: their energy is read that way.
    pub fn start_on_potential(&mut self) {
        for row in &mut self.rows {
            row.psi = row.law.psi(0.5 * (row.eta + row.back));
            row.law.reset(row.eta, row.back);
            (row.d, row.force) = (row.eta - row.back, 0.0);
            row.eta = row.back;
        }
    }

    /// Solves all blocks. `half_rate` = 1/2k.
    pub fn solve(&mut self, scheme: Scheme, half_rate: f64) {
        for block in &mut self.blocks {
            let rows = &mut self.rows[block.rows.clone()];
            match scheme {
                Scheme::Newton => self.newton.solve(block, rows, half_rate),
                Scheme::Plain | Scheme::Tracked => {
                    rows.iter_mut().for_each(Row::prepare);
                    if scheme == Scheme::Plain {
                        block.solve(rows, half_rate);
                    } else {
                        tracked::solve(block, rows, half_rate);
                    }
                }
            }
        }
    }

    /// Pushes the elements and moves ψ on.
    pub fn scatter(&mut self, state: &mut State) {
        for (row, seat) in self.rows.iter_mut().zip(&self.seats) {
            if row.force != 0.0 {
                let nodes = self.nodes[seat.nodes.clone()].iter();
                for (&node, weight) in nodes.zip(&self.weights[seat.nodes.clone()]) {
                    state.du[node] -= state.inverse_mass[node] * weight * row.force;
                }
            }
        }
        self.rows.iter_mut().for_each(Row::advance);
    }

    pub fn interactions(&self) -> usize {
        self.rows_of.len()
    }

    /// The sign with which a row's force counts in its interaction.
    pub fn sense(&self, row: usize) -> f64 {
        self.seats[row].sense
    }

    /// The rows of an interaction.
    pub fn rows_of(&self, interaction: usize) -> &[usize] {
        &self.rows_of[interaction]
    }

    /// Force of an interaction \[N\].
    pub fn force(&self, interaction: usize) -> f64 {
        self.rows_of[interaction].iter().map(|&row| self.seats[row].sense * self.rows[row].force).sum()
    }

    /// Work done through the sides of a row during the last step (before obstacles move on).
    pub fn work(&self, row: usize, state: &State, obstacles: &[Obstacle]) -> impl Iterator<Item = Work> {
        let force = self.rows[row].force;
        self.seats[row].sides.iter().map(move |side| {
            let travel = match side.barrier {
                Some((barrier, sign)) => sign * (obstacles[barrier].ahead - obstacles[barrier].back),
                None => self.travel(side.nodes.clone(), state),
            };
            Work { element: side.element, joules: -0.5 * force * travel, by_barrier: side.barrier.is_some() }
        })
    }

    /// Energy a row stores, lost and was supplied with by a hand in the last step. `half_rate` = 1/2k.
    pub fn row_energy(&self, row: usize, scheme: Scheme, half_rate: f64) -> RowEnergy {
        let row = &self.rows[row];
        let ahead = row.back + row.d;
        let potential = match scheme {
            Scheme::Newton => 0.5 * (row.law.potential_energy(ahead) + row.law.potential_energy(row.eta)),
            Scheme::Plain | Scheme::Tracked => 0.5 * row.psi * row.psi,
        };
        let stored = potential + row.law.other_energy(ahead, row.eta);
        let rubbed = 0.5 * half_rate * row.affine.r * row.d * row.d;
        match &row.law {
            Law::Bow(bow) => RowEnergy { stored, lost: bow.lost, supplied: bow.supplied },
            Law::Finger(finger) => RowEnergy { stored, lost: rubbed, supplied: finger.supplied },
            _ => RowEnergy { stored, lost: rubbed, supplied: 0.0 },
        }
    }

    /// Number of rows in every block.
    pub fn block_sizes(&self) -> impl Iterator<Item = usize> {
        self.blocks.iter().map(|block| block.rows.len())
    }
}
