//! A barrier: a node of the state with prescribed motion. Contacts read it as any other node.
//!
//! Allocates   no

use crate::control::cached_control::CachedControl;
use crate::element::state::State;
use crate::model::Control;

/// The node of a barrier.
#[derive(Clone, Debug)]
pub(crate) struct BarrierNode {
    pub position: CachedControl,
    /// Its index in the state.
    pub node: usize,
    /// Height at n, and at n + 1 \[m\].
    pub now: f64,
    ahead: f64,
}

impl BarrierNode {
    pub fn new(position: Control) -> Self {
        Self { position: position.into(), node: 0, now: 0.0, ahead: 0.0 }
    }

    /// Resets to its initial height, at rest.
    pub fn reset(&mut self, k: f64, state: &mut State) {
        self.now = self.position.at(0.0);
        self.ahead = self.position.at(k);
        (state.u[self.node], state.du[self.node]) = (self.now, 0.0);
    }

    /// Sets u and du of its node.
    #[inline]
    pub fn predict(&self, state: &mut State) {
        (state.u[self.node], state.du[self.node]) = (self.now, self.ahead - self.now);
    }

    /// Advances to step n.
    #[inline]
    pub fn advance(&mut self, n: u64, k: f64) {
        self.now = self.ahead;
        self.ahead = self.position.at((n + 1) as f64 * k);
    }
}
