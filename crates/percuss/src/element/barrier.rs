//! A barrier: a node of the state that goes its own way. Contacts see it as they see any other node.
//!
//! Allocates   no

use crate::control::cached_control::CachedControl;
use crate::element::state::State;
use crate::model::Control;

/// A barrier's height.
#[derive(Clone, Debug)]
pub(crate) struct BarrierNode {
    pub position: CachedControl,
    /// Its node of the state.
    pub node: usize,
    /// Height at n, and at n + 1 \[m\].
    pub now: f64,
    ahead: f64,
}

impl BarrierNode {
    pub fn new(position: Control) -> Self {
        Self { position: position.into(), node: 0, now: 0.0, ahead: 0.0 }
    }

    /// Goes to where it starts, at rest.
    pub fn reset(&mut self, k: f64, state: &mut State) {
        self.now = self.position.at(0.0);
        self.ahead = self.position.at(k);
        (state.u[self.node], state.du[self.node]) = (self.now, 0.0);
    }

    /// Moves its node as a prediction does.
    #[inline]
    pub fn predict(&self, state: &mut State) {
        (state.u[self.node], state.du[self.node]) = (self.now, self.ahead - self.now);
    }

    /// Moves on to step n.
    #[inline]
    pub fn advance(&mut self, n: u64, k: f64) {
        self.now = self.ahead;
        self.ahead = self.position.at((n + 1) as f64 * k);
    }
}
