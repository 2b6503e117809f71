//! Where rows sit: which nodes they see, and push in turn. What all of them see is in lists that are read in
//! passing.
//!
//! Look        η⁻ = c·u⁻ − b,  η = η⁻ + c·du
//! Foresee     d₀ = η − η⁻ + c·duᴵ
//! Push        du⁺ −= (inverse mass)·c·f                             the adjoint of these, so that power is passed on exactly
//! Barriers    are nodes that go their own way (`obstacle`) and that nothing pushes
//! Allocates   only in `seat`

use super::bundle::Bundle;
use super::network::{RowPlan, Touch};
use crate::element::State;
use std::ops::Range;

/// A node that a row sees.
#[derive(Clone, Copy, Debug)]
struct Tap {
    node: usize,
    weight: f64,
    /// What a newton moves the node by \[m\].
    give: f64,
}

/// The seat of a row.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    /// +1, or −1 for the second face of a connection with play.
    pub sense: f64,
    /// Constant part of η \[m\].
    offset: f64,
    /// Its taps; those before `rigid` give way.
    taps: Range<usize>,
    rigid: usize,
    bundles: Range<usize>,
    sides: Range<usize>,
    /// Whether a hand moves it to other nodes.
    pub walks: bool,
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
pub(super) struct Sights {
    taps: Vec<Tap>,
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
        let (first, first_bundle, first_side) = (self.taps.len(), self.bundles.len(), self.sides.len());
        let mut rigid = first;
        for (element, touch) in sides {
            let is_barrier = matches!(touch, Touch::Barrier(..));
            let (taps, bundles) = (self.taps.len(), self.bundles.len());
            self.see(touch);
            let (taps, bundles) = (taps..self.taps.len(), bundles..self.bundles.len());
            rigid = if is_barrier { rigid } else { taps.end };
            self.sides.push(Side { element, taps, bundles, is_barrier });
        }
        let (taps, bundles) = (first..self.taps.len(), first_bundle..self.bundles.len());
        Seat { sense, offset, taps, rigid, bundles, sides: first_side..self.sides.len(), walks }
    }

    fn see(&mut self, touch: Touch) {
        let tap = |(node, weight)| Tap { node, weight, give: 0.0 };
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
        self.taps.iter_mut().for_each(|tap| tap.give = tap.weight * inverse_mass[tap.node]);
        self.bundles.iter_mut().for_each(|bundle| bundle.refresh(inverse_mass));
    }
}

impl Seat {
    /// Moves to other nodes; those left over weigh nothing.
    pub fn walk_to(&self, nodes: &[(usize, f64)], sights: &mut Sights) {
        let taps = &mut sights.taps[self.taps.clone()];
        taps.iter_mut().for_each(|tap| tap.weight = 0.0);
        for (tap, &(node, weight)) in taps.iter_mut().zip(nodes) {
            (tap.node, tap.weight) = (node, weight);
        }
    }

    /// Entry of B between two rows, of which one moves over its element.
    pub fn overlap(&self, other: &Self, sights: &Sights) -> f64 {
        let [own, others] = [self, other].map(|seat| &sights.taps[seat.taps.clone()]);
        let weight_on = |node: usize| others.iter().filter(|tap| tap.node == node).map(|tap| tap.weight).sum::<f64>();
        own.iter().map(|tap| tap.give * weight_on(tap.node)).sum()
    }

    /// η⁻ and η − η⁻. Not in every step, and therefore kept apart.
    #[inline(never)]
    pub fn look(&self, sights: &Sights, state: &State) -> [f64; 2] {
        let (mut back, mut rise) = (self.offset, 0.0);
        let (u, du) = (&state.u[..], &state.du[..state.u.len()]);
        for tap in &sights.taps[self.taps.clone()] {
            back += tap.weight * u[tap.node];
            rise += tap.weight * du[tap.node];
        }
        for bundle in &sights.bundles[self.bundles.clone()] {
            let [place, motion] = bundle.look(state);
            back += place;
            rise += motion;
        }
        [back, rise]
    }

    /// Work done through the sides during the last step.
    #[inline]
    pub fn work(&self, force: f64, sights: &Sights, state: &State) -> impl Iterator<Item = Work> {
        sights.sides[self.sides.clone()].iter().map(move |side| {
            let travel = |tap: &Tap| tap.weight * (state.du[tap.node] + state.du_before[tap.node]);
            let bundled = |bundle: &Bundle| bundle.travel(&state.du) + bundle.travel(&state.du_before);
            let taps = sights.taps[side.taps.clone()].iter().map(travel).sum::<f64>();
            let bundles = sights.bundles[side.bundles.clone()].iter().map(bundled).sum::<f64>();
            Work { element: side.element, joules: -0.5 * force * (taps + bundles), by_barrier: side.is_barrier }
        })
    }

    /// d₀ = η − η⁻ + c·duᴵ. Starting from what is known early, no sum waits at the end.
    #[inline(always)]
    pub fn foresee(&self, rise: f64, sights: &Sights, state: &State) -> f64 {
        let du = &state.du[..];
        let mut free = rise;
        for tap in &sights.taps[self.taps.clone()] {
            free += tap.weight * du[tap.node];
        }
        if self.bundles.is_empty() { free } else { free + self.foresee_bundles(sights, state) }
    }

    /// Called cold, as `push_bundles` is, so that rows without bundles need not make room for it.
    #[cold]
    fn foresee_bundles(&self, sights: &Sights, state: &State) -> f64 {
        sights.bundles[self.bundles.clone()].iter().map(|bundle| bundle.foresee(state)).sum()
    }

    /// Pushes the nodes.
    #[inline(always)]
    pub fn push(&self, force: f64, sights: &Sights, state: &mut State) {
        let du = &mut state.du[..];
        for tap in &sights.taps[self.taps.start..self.rigid] {
            du[tap.node] -= tap.give * force;
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
