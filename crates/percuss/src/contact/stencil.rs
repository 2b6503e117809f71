//! The nodes and weights of each contact row, stored contiguously in the order in which the solver reads them.
//!
//! Observe     η⁻ = c·u⁻ − b,  η − η⁻ = c·du
//! Predict     d₀ = η − η⁻ + c·duᴵ
//! Push        du⁺ −= (inverse mass)·c·f                             the adjoint of these, so that power is passed on exactly
//! Lanes       nodes are read in aligned groups of four neighbours; unused ones have weight 0
//! Barriers    are nodes with a prescribed motion (`barrier`) and inverse mass 0
//! Allocates   only in `StencilPool::stencil`

use crate::contact::dense_span::DenseSpan;
use crate::contact::plan::{RowPlan, RowSide};
use crate::element::state::State;
use std::ops::Range;

/// Neighbouring nodes that are read at once.
const WIDTH: usize = 4;

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
    weights: [f64; WIDTH],
}

/// The nodes and weights of one row.
#[derive(Clone, Debug)]
pub(crate) struct RowStencil {
    /// +1, or −1 for the second face of a connection with play.
    pub sense: f64,
    /// Constant part of η \[m\].
    offset: f64,
    taps: Range<usize>,
    /// The taps in groups of four: the first, often the only one, and the others. Those from `rigid` on belong to barriers.
    first: Lane4,
    others: Range<usize>,
    rigid: usize,
    /// Start of its storage in the pool, large enough for one group per tap.
    room: usize,
    spans: Range<usize>,
    sides: Range<usize>,
    /// Whether a bow or finger moves it to other nodes.
    pub moves: bool,
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
pub(crate) struct Work {
    pub element: usize,
    pub joules: f64,
    pub by_barrier: bool,
}

impl StencilPool {
    /// Adds the stencil of a planned row.
    pub fn stencil(&mut self, plan: RowPlan) -> RowStencil {
        let moves = plan.moves();
        let RowPlan { sense, offset, mut sides, .. } = plan;
        sides.sort_by_key(|(_, touch)| matches!(touch, RowSide::Barrier(..)));
        let (taps, spans, first_side) = (self.taps.len(), self.spans.len(), self.sides.len());
        for (element, touch) in sides {
            let is_barrier = matches!(touch, RowSide::Barrier(..));
            let (taps, spans) = (self.taps.len(), self.spans.len());
            self.see(touch);
            let (taps, spans) = (taps..self.taps.len(), spans..self.spans.len());
            self.sides.push(Side { element, taps, spans, is_barrier });
        }
        let (taps, spans) = (taps..self.taps.len(), spans..self.spans.len());
        let (sides, first, room) = (first_side..self.sides.len(), Lane4::default(), self.lanes.len());
        self.lanes.resize(room + taps.len(), first);
        let (others, rigid, is_single) = (room..room, room, false);
        let mut stencil =
            RowStencil { sense, offset, taps, first, others, rigid, room, spans, sides, moves, is_single };
        stencil.gather(self);
        stencil
    }

    fn see(&mut self, touch: RowSide) {
        let tap = |(node, weight)| Tap { node, weight };
        match touch {
            RowSide::Nodes(nodes) if DenseSpan::suits(&nodes) => self.spans.push(DenseSpan::new(&nodes)),
            RowSide::Nodes(nodes) => self.taps.extend(nodes.into_iter().map(tap)),
            RowSide::Barrier(node, sign) => self.taps.push(tap((node, sign))),
        }
    }

    /// Nodes of all taps, dense spans excluded.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + Clone {
        self.taps.iter().map(|tap| tap.node)
    }

    /// Updates what depends on the masses.
    pub fn refresh(&mut self, inverse_mass: &[f64]) {
        self.spans.iter_mut().for_each(|span| span.refresh(inverse_mass));
    }
}

impl RowStencil {
    /// Packs the taps into groups of four.
    fn gather(&mut self, pool: &mut StencilPool) {
        let StencilPool { taps, lanes, sides, .. } = pool;
        let (start, mut end, mut rigid) = (self.room, self.room, self.room);
        for side in &sides[self.sides.clone()] {
            for &Tap { node, weight } in taps[side.taps.clone()].iter().filter(|tap| tap.weight != 0.0) {
                let index = node / WIDTH;
                let place = (start..end).find(|&place| lanes[place].index == index).unwrap_or(end);
                if place == end {
                    lanes[end] = Lane4 { index, ..Lane4::default() };
                    end += 1;
                }
                lanes[place].weights[node % WIDTH] += weight;
            }
            rigid = if side.is_barrier { rigid } else { end };
        }
        self.first = if start < end { lanes[start] } else { Lane4::default() };
        let second = end.min(start + 1);
        (self.others, self.rigid) = (second..end, rigid.max(second));
    }

    /// Moves to other nodes; unused taps get weight 0.
    pub fn move_to(&mut self, nodes: &[(usize, f64)], pool: &mut StencilPool) {
        let taps = &mut pool.taps[self.taps.clone()];
        taps.iter_mut().for_each(|tap| tap.weight = 0.0);
        for (tap, &(node, weight)) in taps.iter_mut().zip(nodes) {
            *tap = Tap { node, weight };
        }
        self.gather(pool);
    }

    /// Entry of B between two rows, of which one moves over its element.
    pub fn overlap(&self, other: &Self, pool: &StencilPool, inverse_mass: &[f64]) -> f64 {
        let (inverse_mass, _) = inverse_mass.as_chunks();
        let mut sum = 0.0;
        for own in self.lanes(pool) {
            for other in other.lanes(pool).filter(|other| other.index == own.index) {
                sum += dot(&scaled(&own.weights, &inverse_mass[own.index]), &other.weights);
            }
        }
        sum
    }

    fn lanes<'a>(&'a self, pool: &'a StencilPool) -> impl Iterator<Item = &'a Lane4> {
        std::iter::once(&self.first).chain(&pool.lanes[self.others.clone()])
    }

    /// η⁻, between steps.
    #[inline(always)]
    pub fn place(&self, pool: &StencilPool, state: &State) -> f64 {
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
        let mut sum = start + dot(&self.first.weights, &values[self.first.index]);
        if !self.others.is_empty() {
            for lane in &pool.lanes[self.others.clone()] {
                sum += dot(&lane.weights, &values[lane.index]);
            }
        }
        if self.spans.is_empty() { sum } else { sum + self.sum_spans(field, pool, state) }
    }

    /// Called cold, as `push_spans` is, so that rows without bundles need not make room for it.
    #[cold]
    fn sum_spans(&self, field: &[f64], pool: &StencilPool, state: &State) -> f64 {
        pool.spans[self.spans.clone()].iter().map(|span| span.sum(field, state)).sum()
    }

    /// Work done through the sides during the last step.
    #[inline]
    pub fn work(&self, force: f64, pool: &StencilPool, state: &State) -> impl Iterator<Item = Work> {
        pool.sides[self.sides.clone()].iter().map(move |side| {
            let travel = |tap: &Tap| tap.weight * (state.du[tap.node] + state.du_prev[tap.node]);
            let bundled = |span: &DenseSpan| span.sum(&state.du, state) + span.sum(&state.du_prev, state);
            let taps = pool.taps[side.taps.clone()].iter().map(travel).sum::<f64>();
            let spans = pool.spans[side.spans.clone()].iter().map(bundled).sum::<f64>();
            Work { element: side.element, joules: -0.5 * force * (taps + spans), by_barrier: side.is_barrier }
        })
    }

    /// Pushes the nodes.
    #[inline(always)]
    pub fn push(&self, force: f64, pool: &StencilPool, state: &mut State) {
        self.first.push(force, state);
        if self.others.start < self.rigid {
            pool.lanes[self.others.start..self.rigid].iter().for_each(|lane| lane.push(force, state));
        }
        if !self.spans.is_empty() {
            self.push_spans(force, pool, state);
        }
    }

    #[cold]
    fn push_spans(&self, force: f64, pool: &StencilPool, state: &mut State) {
        pool.spans[self.spans.clone()].iter().for_each(|span| span.push(force, state));
    }
}

impl Lane4 {
    #[inline(always)]
    fn push(&self, force: f64, state: &mut State) {
        let (du, _) = state.du.as_chunks_mut::<WIDTH>();
        let (inverse_mass, _) = state.inverse_mass.as_chunks();
        let inverse = scaled(&self.weights, &inverse_mass[self.index]);
        let mut moved = du[self.index];
        for i in 0..WIDTH {
            moved[i] -= inverse[i] * force;
        }
        du[self.index] = moved;
    }
}

#[inline(always)]
fn scaled(a: &[f64; WIDTH], b: &[f64; WIDTH]) -> [f64; WIDTH] {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]]
}

/// Summed in pairs, in the order of two-lane vectors.
#[inline(always)]
fn dot(a: &[f64; WIDTH], b: &[f64; WIDTH]) -> f64 {
    (a[0] * b[0] + a[2] * b[2]) + (a[1] * b[1] + a[3] * b[3])
}
