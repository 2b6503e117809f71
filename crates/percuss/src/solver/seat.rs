//! Where a row sits: which nodes and barriers it sees, and pushes in turn.
//!
//! Look        η⁻ = c·u⁻ − b,  η = η⁻ + c·du                         (a barrier adds its own position and motion)
//! Foresee     d₀ = c·(duᴵ + du)
//! Push        du⁺ −= (inverse mass)·c·f                             the adjoint of these, so that power is passed on exactly
//! Allocates   only in `new`

use super::bundle::Bundle;
use super::network::{Obstacle, Touch};
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

/// What one side of a row sees.
#[derive(Clone, Debug)]
enum View {
    Taps(Range<usize>),
    Bundle(usize),
    Barrier(usize),
}

/// The seat of a row.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    /// +1, or −1 for the second face of a connection with play.
    pub sense: f64,
    /// Whether a hand moves it to other nodes.
    pub walks: bool,
    /// Constant part of η \[m\].
    offset: f64,
    taps: Vec<Tap>,
    bundles: Vec<Bundle>,
    /// Barriers and their signs.
    barriers: Vec<(usize, f64)>,
    /// The elements and what is seen of them.
    sides: Vec<(usize, View)>,
}

/// Work done on an element through a contact during a step \[J\].
pub(crate) struct Work {
    pub element: usize,
    pub joules: f64,
    pub by_barrier: bool,
}

impl Seat {
    pub fn new(sense: f64, offset: f64, sides: Vec<(usize, Touch)>, walks: bool) -> Self {
        let (taps, bundles, barriers) = (Vec::new(), Vec::new(), Vec::new());
        let mut seat = Self { sense, walks, offset, taps, bundles, barriers, sides: Vec::new() };
        for (element, touch) in sides {
            let view = seat.add(touch);
            seat.sides.push((element, view));
        }
        seat
    }

    fn add(&mut self, touch: Touch) -> View {
        match touch {
            Touch::Nodes(nodes) if Bundle::suits(&nodes) => {
                self.bundles.push(Bundle::new(&nodes));
                View::Bundle(self.bundles.len() - 1)
            }
            Touch::Nodes(nodes) => {
                let start = self.taps.len();
                self.taps.extend(nodes.into_iter().map(|(node, weight)| Tap { node, weight, give: 0.0 }));
                View::Taps(start..self.taps.len())
            }
            Touch::Barrier(index, sign) => {
                self.barriers.push((index, sign));
                View::Barrier(self.barriers.len() - 1)
            }
        }
    }

    /// Nodes that are seen one by one.
    pub fn nodes(&self) -> impl Iterator<Item = usize> {
        self.taps.iter().map(|tap| tap.node)
    }

    /// Moves to other nodes; those left over weigh nothing.
    pub fn walk_to(&mut self, nodes: &[(usize, f64)]) {
        self.taps.iter_mut().for_each(|tap| tap.weight = 0.0);
        for (tap, &(node, weight)) in self.taps.iter_mut().zip(nodes) {
            (tap.node, tap.weight) = (node, weight);
        }
    }

    /// Takes note of the masses.
    pub fn refresh(&mut self, inverse_mass: &[f64]) {
        self.taps.iter_mut().for_each(|tap| tap.give = tap.weight * inverse_mass[tap.node]);
        self.bundles.iter_mut().for_each(|bundle| bundle.refresh(inverse_mass));
    }

    /// Entry of B between two seats, of which one moves over its element.
    pub fn overlap(&self, other: &Self) -> f64 {
        let shared = |tap: &Tap| {
            let others = other.taps.iter().filter(|other| other.node == tap.node).map(|other| other.weight);
            tap.give * others.sum::<f64>()
        };
        self.taps.iter().map(shared).sum()
    }

    /// η⁻ and η − η⁻.
    #[inline]
    pub fn look(&self, state: &State, obstacles: &[Obstacle]) -> [f64; 2] {
        let (mut back, mut rise) = (self.offset, 0.0);
        let (u, du) = (&state.u[..], &state.du[..state.u.len()]);
        for tap in &self.taps {
            back += tap.weight * u[tap.node];
            rise += tap.weight * du[tap.node];
        }
        for bundle in &self.bundles {
            let [place, motion] = bundle.look(state);
            back += place;
            rise += motion;
        }
        for &(barrier, sign) in &self.barriers {
            let Obstacle { back: behind, now, .. } = obstacles[barrier];
            back += sign * behind;
            rise += sign * (now - behind);
        }
        [back, rise]
    }

    /// c·duᴵ.
    #[inline(always)]
    pub fn foresee(&self, state: &State, obstacles: &[Obstacle]) -> f64 {
        let du = &state.du[..];
        // Two sums side by side: an addition need not wait for the one before.
        let (pairs, rest) = self.taps.as_chunks::<2>();
        let (mut even, mut odd) = (0.0, 0.0);
        for [a, b] in pairs {
            even += a.weight * du[a.node];
            odd += b.weight * du[b.node];
        }
        for tap in rest {
            even += tap.weight * du[tap.node];
        }
        let mut rise = even + odd;
        for bundle in &self.bundles {
            rise += bundle.foresee(state);
        }
        for &(barrier, sign) in &self.barriers {
            let Obstacle { now, ahead, .. } = obstacles[barrier];
            rise += sign * (ahead - now);
        }
        rise
    }

    /// Pushes the nodes.
    #[inline(always)]
    pub fn push(&self, force: f64, state: &mut State) {
        let du = &mut state.du[..];
        for tap in &self.taps {
            du[tap.node] -= tap.give * force;
        }
        for bundle in &self.bundles {
            bundle.push(force, state);
        }
    }

    /// Work done through the sides during the last step (before obstacles move on).
    pub fn work(&self, force: f64, state: &State, obstacles: &[Obstacle]) -> impl Iterator<Item = Work> {
        self.sides.iter().map(move |(element, view)| {
            let travel = |x: &[f64]| match view {
                View::Taps(taps) => self.taps[taps.clone()].iter().map(|tap| tap.weight * x[tap.node]).sum(),
                View::Bundle(bundle) => self.bundles[*bundle].travel(x),
                View::Barrier(_) => 0.0,
            };
            let travel = match view {
                View::Barrier(barrier) => {
                    let (barrier, sign) = self.barriers[*barrier];
                    sign * (obstacles[barrier].ahead - obstacles[barrier].back)
                }
                _ => travel(&state.du) + travel(&state.du_before),
            };
            Work { element: *element, joules: -0.5 * force * travel, by_barrier: matches!(view, View::Barrier(_)) }
        })
    }
}
