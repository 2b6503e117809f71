//! Where rows sit: which nodes they see, and push in turn. What all of them see is in lists that are read in
//! passing.
//!
//! Look        η⁻ = c·u⁻ − b,  η − η⁻ = c·du
//! Foresee     d₀ = η − η⁻ + c·duᴵ
//! Push        du⁺ −= (inverse mass)·c·f                             the adjoint of these, so that power is passed on exactly
//! Fours       nodes are seen four neighbours at a time, as they lie in the state, with weight 0 where there is nothing to see
//! Barriers    are nodes that go their own way (`obstacle`) and that nothing pushes
//! Allocates   only in `seat`

use crate::contact::dense_span::Bundle;
use crate::contact::plan::{RowPlan, Touch};
use crate::element::state::State;
use std::ops::Range;

/// Neighbouring nodes that a row sees at once.
const FOUR: usize = 4;

/// A node that a row sees.
#[derive(Clone, Copy, Debug)]
struct Tap {
    node: usize,
    weight: f64,
}

/// Four neighbouring nodes, of which a row sees one or more.
#[derive(Clone, Copy, Debug, Default)]
struct Four {
    /// Which four of the state.
    index: usize,
    weights: [f64; FOUR],
}

/// The seat of a row.
#[derive(Clone, Debug)]
pub(crate) struct Seat {
    /// +1, or −1 for the second face of a connection with play.
    pub sense: f64,
    /// Constant part of η \[m\].
    offset: f64,
    taps: Range<usize>,
    /// Its taps by fours: the first, which often is the only one, and others, of which those before `rigid` give way.
    first: Four,
    others: Range<usize>,
    rigid: usize,
    /// Where there is room for as many as it has taps.
    room: usize,
    bundles: Range<usize>,
    sides: Range<usize>,
    /// Whether a hand moves it to other nodes.
    pub walks: bool,
    /// Whether its row is coupled to no other.
    pub is_single: bool,
}

/// What a row sees of an element.
#[derive(Clone, Debug)]
struct Side {
    element: usize,
    taps: Range<usize>,
    bundles: Range<usize>,
    is_barrier: bool,
}

/// What all rows see.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sights {
    taps: Vec<Tap>,
    fours: Vec<Four>,
    bundles: Vec<Bundle>,
    sides: Vec<Side>,
}

/// Work done on an element through a contact during a step \[J\].
pub(crate) struct Work {
    pub element: usize,
    pub joules: f64,
    pub by_barrier: bool,
}

impl Sights {
    /// The seat of a row that sees elements through their nodes.
    pub fn seat(&mut self, plan: RowPlan) -> Seat {
        let walks = plan.moves();
        let RowPlan { sense, offset, mut sides, .. } = plan;
        sides.sort_by_key(|(_, touch)| matches!(touch, Touch::Barrier(..)));
        let (taps, bundles, first_side) = (self.taps.len(), self.bundles.len(), self.sides.len());
        for (element, touch) in sides {
            let is_barrier = matches!(touch, Touch::Barrier(..));
            let (taps, bundles) = (self.taps.len(), self.bundles.len());
            self.see(touch);
            let (taps, bundles) = (taps..self.taps.len(), bundles..self.bundles.len());
            self.sides.push(Side { element, taps, bundles, is_barrier });
        }
        let (taps, bundles) = (taps..self.taps.len(), bundles..self.bundles.len());
        let (sides, first, room) = (first_side..self.sides.len(), Four::default(), self.fours.len());
        self.fours.resize(room + taps.len(), first);
        let (others, rigid, is_single) = (room..room, room, false);
        let mut seat = Seat { sense, offset, taps, first, others, rigid, room, bundles, sides, walks, is_single };
        seat.gather(self);
        seat
    }

    fn see(&mut self, touch: Touch) {
        let tap = |(node, weight)| Tap { node, weight };
        match touch {
            Touch::Nodes(nodes) if Bundle::suits(&nodes) => self.bundles.push(Bundle::new(&nodes)),
            Touch::Nodes(nodes) => self.taps.extend(nodes.into_iter().map(tap)),
            Touch::Barrier(node, sign) => self.taps.push(tap((node, sign))),
        }
    }

    /// Nodes that are seen one by one.
    pub fn nodes(&self) -> impl Iterator<Item = usize> {
        self.taps.iter().map(|tap| tap.node)
    }

    /// Takes note of the masses.
    pub fn refresh(&mut self, inverse_mass: &[f64]) {
        self.bundles.iter_mut().for_each(|bundle| bundle.refresh(inverse_mass));
    }
}

impl Seat {
    /// Sorts its taps into fours.
    fn gather(&mut self, sights: &mut Sights) {
        let Sights { taps, fours, sides, .. } = sights;
        let (start, mut end, mut rigid) = (self.room, self.room, self.room);
        for side in &sides[self.sides.clone()] {
            for &Tap { node, weight } in taps[side.taps.clone()].iter().filter(|tap| tap.weight != 0.0) {
                let index = node / FOUR;
                let place = (start..end).find(|&place| fours[place].index == index).unwrap_or(end);
                if place == end {
                    fours[end] = Four { index, ..Four::default() };
                    end += 1;
                }
                fours[place].weights[node % FOUR] += weight;
            }
            rigid = if side.is_barrier { rigid } else { end };
        }
        self.first = if start < end { fours[start] } else { Four::default() };
        let second = end.min(start + 1);
        (self.others, self.rigid) = (second..end, rigid.max(second));
    }

    /// Moves to other nodes; those left over weigh nothing.
    pub fn walk_to(&mut self, nodes: &[(usize, f64)], sights: &mut Sights) {
        let taps = &mut sights.taps[self.taps.clone()];
        taps.iter_mut().for_each(|tap| tap.weight = 0.0);
        for (tap, &(node, weight)) in taps.iter_mut().zip(nodes) {
            *tap = Tap { node, weight };
        }
        self.gather(sights);
    }

    /// Entry of B between two rows, of which one moves over its element.
    pub fn overlap(&self, other: &Self, sights: &Sights, inverse_mass: &[f64]) -> f64 {
        let (inverse_mass, _) = inverse_mass.as_chunks();
        let mut sum = 0.0;
        for own in self.fours(sights) {
            for other in other.fours(sights).filter(|other| other.index == own.index) {
                sum += dot(&scaled(&own.weights, &inverse_mass[own.index]), &other.weights);
            }
        }
        sum
    }

    fn fours<'a>(&'a self, sights: &'a Sights) -> impl Iterator<Item = &'a Four> {
        std::iter::once(&self.first).chain(&sights.fours[self.others.clone()])
    }

    /// η⁻, between steps.
    #[inline(always)]
    pub fn place(&self, sights: &Sights, state: &State) -> f64 {
        self.sum(self.offset, &state.u, sights, state)
    }

    /// η − η⁻, between steps.
    pub fn rise(&self, sights: &Sights, state: &State) -> f64 {
        self.sum(0.0, &state.du, sights, state)
    }

    /// d₀ = η − η⁻ + c·duᴵ.
    #[inline(always)]
    pub fn foresee(&self, rise: f64, sights: &Sights, state: &State) -> f64 {
        self.sum(rise, &state.du, sights, state)
    }

    /// `start` + c·(a field of the state).
    #[inline(always)]
    fn sum(&self, start: f64, field: &[f64], sights: &Sights, state: &State) -> f64 {
        let (values, _) = field.as_chunks();
        let mut sum = start + dot(&self.first.weights, &values[self.first.index]);
        if !self.others.is_empty() {
            for four in &sights.fours[self.others.clone()] {
                sum += dot(&four.weights, &values[four.index]);
            }
        }
        if self.bundles.is_empty() { sum } else { sum + self.sum_bundles(field, sights, state) }
    }

    /// Called cold, as `push_bundles` is, so that rows without bundles need not make room for it.
    #[cold]
    fn sum_bundles(&self, field: &[f64], sights: &Sights, state: &State) -> f64 {
        sights.bundles[self.bundles.clone()].iter().map(|bundle| bundle.sum(field, state)).sum()
    }

    /// Work done through the sides during the last step.
    #[inline]
    pub fn work(&self, force: f64, sights: &Sights, state: &State) -> impl Iterator<Item = Work> {
        sights.sides[self.sides.clone()].iter().map(move |side| {
            let travel = |tap: &Tap| tap.weight * (state.du[tap.node] + state.du_before[tap.node]);
            let bundled = |bundle: &Bundle| bundle.sum(&state.du, state) + bundle.sum(&state.du_before, state);
            let taps = sights.taps[side.taps.clone()].iter().map(travel).sum::<f64>();
            let bundles = sights.bundles[side.bundles.clone()].iter().map(bundled).sum::<f64>();
            Work { element: side.element, joules: -0.5 * force * (taps + bundles), by_barrier: side.is_barrier }
        })
    }

    /// Pushes the nodes.
    #[inline(always)]
    pub fn push(&self, force: f64, sights: &Sights, state: &mut State) {
        self.first.push(force, state);
        if self.others.start < self.rigid {
            sights.fours[self.others.start..self.rigid].iter().for_each(|four| four.push(force, state));
        }
        if !self.bundles.is_empty() {
            self.push_bundles(force, sights, state);
        }
    }

    #[cold]
    fn push_bundles(&self, force: f64, sights: &Sights, state: &mut State) {
        sights.bundles[self.bundles.clone()].iter().for_each(|bundle| bundle.push(force, state));
    }
}

impl Four {
    #[inline(always)]
    fn push(&self, force: f64, state: &mut State) {
        let (du, _) = state.du.as_chunks_mut::<FOUR>();
        let (inverse_mass, _) = state.inverse_mass.as_chunks();
        let gives = scaled(&self.weights, &inverse_mass[self.index]);
        let mut moved = du[self.index];
        for i in 0..FOUR {
            moved[i] -= gives[i] * force;
        }
        du[self.index] = moved;
    }
}

#[inline(always)]
fn scaled(a: &[f64; FOUR], b: &[f64; FOUR]) -> [f64; FOUR] {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]]
}

/// In pairs, as vectors of two have them.
#[inline(always)]
fn dot(a: &[f64; FOUR], b: &[f64; FOUR]) -> f64 {
    (a[0] * b[0] + a[2] * b[2]) + (a[1] * b[1] + a[3] * b[3])
}
