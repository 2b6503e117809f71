//! The nodes and weights of each contact row, stored contiguously in the order in which the solver reads them.
//!
//! Observe     η⁻ = c·u⁻ − b,  η − η⁻ = c·du
//! Predict     d₀ = η − η⁻ + c·duᴵ
//! Push        du⁺ −= (inverse mass)·c·f                             the adjoint of these, so that power is passed on exactly
//! Lanes       nodes are read in aligned groups of four neighbours; unused ones have weight 0
//! Barriers    are nodes with a prescribed motion (`barrier`) and inverse mass 0
//! Allocates   only in `StencilPool::add`

use crate::contact::dense_span::DenseSpan;
use crate::contact::plan::{RowPlan, RowSide};
use crate::element::state::State;
use std::ops::Range;

/// Neighbouring nodes that are read at once.
const LANE_WIDTH: usize = 4;

/// A node of a row and its weight.
#[derive(Clone, Copy, Debug)]
struct Tap {
    node: usize,
    weight: f64,
}

/// Four neighbouring nodes, of which at least one belongs to the row.
#[derive(Clone, Copy, Debug, Default)]
struct Lane4 {
    /// Index of the group: its first node is 4·index.
    index: usize,
    weights: [f64; LANE_WIDTH],
}

/// The nodes and weights of one row.
#[derive(Clone, Debug)]
pub(crate) struct RowStencil {
    /// +1, or −1 for the second face of a connection with play.
    pub sign: f64,
    /// Constant part of η \[m\].
    offset: f64,
    taps: Range<usize>,
    /// The taps in groups of four: the first, often the only one, and the others. Those from `barrier_start` on belong to barriers.
    first_lane: Lane4,
    other_lanes: Range<usize>,
    barrier_start: usize,
    /// Start of its storage in the pool, large enough for one group per tap.
    pool_start: usize,
    spans: Range<usize>,
    sides: Range<usize>,
    /// Whether a bow or finger has moved it to other nodes since the last refresh.
    pub has_moved: bool,
    /// Whether its row is coupled to no other.
    pub is_single: bool,
}

/// The part of a row on one element.
#[derive(Clone, Debug)]
struct Side {
    element: usize,
    taps: Range<usize>,
    spans: Range<usize>,
    is_barrier: bool,
}

/// Storage for the stencils of all rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct StencilPool {
    taps: Vec<Tap>,
    lanes: Vec<Lane4>,
    spans: Vec<DenseSpan>,
    sides: Vec<Side>,
}

/// Work done on an element through a contact during a step \[J\].
pub(crate) struct SideWork {
    pub element: usize,
    pub energy: f64,
    pub by_barrier: bool,
}

impl StencilPool {
    /// Adds the stencil of a planned row.
    pub fn add(&mut self, plan: RowPlan) -> RowStencil {
        let RowPlan { sign, offset, mut sides, .. } = plan;
        sides.sort_by_key(|(_, side)| matches!(side, RowSide::Barrier(..)));
        let (taps, spans, first_side) = (self.taps.len(), self.spans.len(), self.sides.len());
        for (element, side) in sides {
            let is_barrier = matches!(side, RowSide::Barrier(..));
            let (taps, spans) = (self.taps.len(), self.spans.len());
            self.add_side(side);
            let (taps, spans) = (taps..self.taps.len(), spans..self.spans.len());
            self.sides.push(Side { element, taps, spans, is_barrier });
        }
        let (taps, spans) = (taps..self.taps.len(), spans..self.spans.len());
        let (sides, first_lane, pool_start) = (first_side..self.sides.len(), Lane4::default(), self.lanes.len());
        self.lanes.resize(pool_start + taps.len(), first_lane);
        let (other_lanes, barrier_start, is_single) = (pool_start..pool_start, pool_start, false);
        let mut stencil = RowStencil {
            sign,
            offset,
            taps,
            first_lane,
            other_lanes,
            barrier_start,
            pool_start,
            spans,
            sides,
            has_moved: false,
            is_single,
        };
        stencil.pack_lanes(self);
        stencil
    }

    fn add_side(&mut self, side: RowSide) {
        let tap = |(node, weight)| Tap { node, weight };
        match side {
            RowSide::Nodes(nodes) if DenseSpan::is_dense(&nodes) => self.spans.push(DenseSpan::new(&nodes)),
            RowSide::Nodes(nodes) => self.taps.extend(nodes.into_iter().map(tap)),
            RowSide::Barrier(node, sign) => self.taps.push(tap((node, sign))),
        }
    }

    /// Nodes of all taps, dense spans excluded.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + Clone {
        self.taps.iter().map(|tap| tap.node)
    }

    /// Updates what depends on the masses and weights of a row.
    pub fn refresh(&mut self, row: &RowStencil, inverse_mass: &[f64]) {
        self.spans[row.spans.clone()].iter_mut().for_each(|span| span.refresh(inverse_mass));
    }
}

impl RowStencil {
    /// Packs the taps into groups of four.
    fn pack_lanes(&mut self, pool: &mut StencilPool) {
        let StencilPool { taps, lanes, sides, .. } = pool;
        let (start, mut end, mut barrier_start) = (self.pool_start, self.pool_start, self.pool_start);
        for side in &sides[self.sides.clone()] {
            for &Tap { node, weight } in taps[side.taps.clone()].iter().filter(|tap| tap.weight != 0.0) {
                let index = node / LANE_WIDTH;
                let place = (start..end).find(|&place| lanes[place].index == index).unwrap_or(end);
                if place == end {
                    lanes[end] = Lane4 { index, ..Lane4::default() };
                    end += 1;
                }
                lanes[place].weights[node % LANE_WIDTH] += weight;
            }
            barrier_start = if side.is_barrier { barrier_start } else { end };
        }
        self.first_lane = if start < end { lanes[start] } else { Lane4::default() };
        let second = end.min(start + 1);
        (self.other_lanes, self.barrier_start) = (second..end, barrier_start.max(second));
    }

    /// Moves to other nodes; unused taps get weight 0. All modes of a body stay the nodes of a span, with other weights.
    pub fn move_to(&mut self, nodes: &[(usize, f64)], pool: &mut StencilPool) {
        self.has_moved = true;
        if let [span] = &mut pool.spans[self.spans.clone()] {
            return span.set_weights(nodes);
        }
        let taps = &mut pool.taps[self.taps.clone()];
        taps.iter_mut().for_each(|tap| tap.weight = 0.0);
        for (tap, &(node, weight)) in taps.iter_mut().zip(nodes) {
            *tap = Tap { node, weight };
        }
        self.pack_lanes(pool);
    }

    /// The weights of the only span of a row, to be changed.
    pub fn span_weights<'a>(&mut self, pool: &'a mut StencilPool) -> &'a mut [f64] {
        self.has_moved = true;
        pool.spans[self.spans.start].weights_mut()
    }

    /// Sets the weights of all nodes of one of the sides, which follow each other; `finish_move` has to follow.
    pub fn set_side(&mut self, side: usize, first_node: usize, weights: &[f64], pool: &mut StencilPool) {
        let StencilPool { taps, spans, sides, .. } = pool;
        let Some(side) = sides[self.sides.clone()].get(side) else { return };
        if let [span] = &mut spans[side.spans.clone()] {
            return span.set_run(first_node, weights);
        }
        for ((tap, node), &weight) in taps[side.taps.clone()].iter_mut().zip(first_node..).zip(weights) {
            *tap = Tap { node, weight };
        }
    }

    /// After all sides have been set.
    pub fn finish_move(&mut self, pool: &mut StencilPool) {
        self.has_moved = true;
        if !self.taps.is_empty() {
            self.pack_lanes(pool);
        }
    }

    /// Whether a node is one of its taps.
    pub fn has_node(&self, node: usize, pool: &StencilPool) -> bool {
        pool.taps[self.taps.clone()].iter().any(|tap| tap.node == node)
    }

    /// Entry of B between two rows, of which one moves over its element.
    pub fn mutual_compliance(&self, other: &Self, pool: &StencilPool, state: &State) -> f64 {
        let (inverse_mass, _) = state.inverse_mass.as_chunks();
        let mut sum = 0.0;
        for own in &pool.spans[self.spans.clone()] {
            for other in &pool.spans[other.spans.clone()] {
                sum += own.mutual_compliance(other, state.machine);
            }
        }
        for (row, spans) in [(other, self), (self, other)] {
            for span in &pool.spans[spans.spans.clone()] {
                sum += row.lanes(pool).map(|lane| span.compliance_of_lane(lane.index, &lane.weights)).sum::<f64>();
            }
        }
        for own in self.lanes(pool) {
            for other in other.lanes(pool).filter(|other| other.index == own.index) {
                sum += dot(&scaled(&own.weights, &inverse_mass[own.index]), &other.weights);
            }
        }
        sum
    }

    fn lanes<'a>(&'a self, pool: &'a StencilPool) -> impl Iterator<Item = &'a Lane4> {
        std::iter::once(&self.first_lane).chain(&pool.lanes[self.other_lanes.clone()])
    }

    /// η⁻, between steps.
    #[inline(always)]
    pub fn eta_prev(&self, pool: &StencilPool, state: &State) -> f64 {
        self.sum(self.offset, &state.u, pool, state)
    }

    /// η − η⁻, between steps.
    pub fn eta_step(&self, pool: &StencilPool, state: &State) -> f64 {
        self.sum(0.0, &state.du, pool, state)
    }

    /// d₀ = η − η⁻ + c·duᴵ.
    #[inline(always)]
    pub fn predict(&self, eta_step: f64, pool: &StencilPool, state: &State) -> f64 {
        self.sum(eta_step, &state.du, pool, state)
    }

    /// `start` + c·(a field of the state).
    #[inline(always)]
    fn sum(&self, start: f64, field: &[f64], pool: &StencilPool, state: &State) -> f64 {
        let (values, _) = field.as_chunks();
        let mut sum = start + dot(&self.first_lane.weights, &values[self.first_lane.index]);
        if !self.other_lanes.is_empty() {
            for lane in &pool.lanes[self.other_lanes.clone()] {
                sum += dot(&lane.weights, &values[lane.index]);
            }
        }
        if self.spans.is_empty() { sum } else { sum + self.sum_spans(field, pool, state) }
    }

    /// Cold, like `apply_force_to_spans`: keeps the stack frame of rows without spans small.
    #[cold]
    fn sum_spans(&self, field: &[f64], pool: &StencilPool, state: &State) -> f64 {
        pool.spans[self.spans.clone()].iter().map(|span| span.sum(field, state)).sum()
    }

    /// Work done through the sides during the last step.
    #[inline]
    pub fn work(&self, force: f64, pool: &StencilPool, state: &State) -> impl Iterator<Item = SideWork> {
        pool.sides[self.sides.clone()].iter().map(move |side| {
            let travel = |tap: &Tap| tap.weight * (state.du[tap.node] + state.du_prev[tap.node]);
            let span_travel = |span: &DenseSpan| span.travel(state);
            let taps = pool.taps[side.taps.clone()].iter().map(travel).sum::<f64>();
            let spans = pool.spans[side.spans.clone()].iter().map(span_travel).sum::<f64>();
            SideWork { element: side.element, energy: -0.5 * force * (taps + spans), by_barrier: side.is_barrier }
        })
    }

    /// Pushes the nodes.
    #[inline(always)]
    pub fn apply_force(&self, force: f64, pool: &StencilPool, state: &mut State) {
        self.first_lane.apply_force(force, state);
        if self.other_lanes.start < self.barrier_start {
            pool.lanes[self.other_lanes.start..self.barrier_start]
                .iter()
                .for_each(|lane| lane.apply_force(force, state));
        }
        if !self.spans.is_empty() {
            self.apply_force_to_spans(force, pool, state);
        }
    }

    #[cold]
    fn apply_force_to_spans(&self, force: f64, pool: &StencilPool, state: &mut State) {
        pool.spans[self.spans.clone()].iter().for_each(|span| span.apply_force(force, state));
    }
}

impl Lane4 {
    #[inline(always)]
    fn apply_force(&self, force: f64, state: &mut State) {
        let (du, _) = state.du.as_chunks_mut::<LANE_WIDTH>();
        let (inverse_mass, _) = state.inverse_mass.as_chunks();
        let inverse = scaled(&self.weights, &inverse_mass[self.index]);
        let mut moved = du[self.index];
        for i in 0..LANE_WIDTH {
            moved[i] -= inverse[i] * force;
        }
        du[self.index] = moved;
    }
}

#[inline(always)]
fn scaled(a: &[f64; LANE_WIDTH], b: &[f64; LANE_WIDTH]) -> [f64; LANE_WIDTH] {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]]
}

/// Summed in pairs, in the order of two-lane vectors.
#[inline(always)]
fn dot(a: &[f64; LANE_WIDTH], b: &[f64; LANE_WIDTH]) -> f64 {
    (a[0] * b[0] + a[2] * b[2]) + (a[1] * b[1] + a[3] * b[3])
}
