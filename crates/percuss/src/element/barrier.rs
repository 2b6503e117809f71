//! A barrier: a node of the state with prescribed motion. Contacts read it as any other node.
//!
//! Compliance  0: no force moves it
//! Energy      none; its work is supplied from outside and recorded with the contact
//! Allocates   only in `build` and `attach`

use crate::control::cached_control::CachedControl;
use crate::control::signal::check_control;
use crate::element::balance::ElementEnergy;
use crate::element::body::{Attachment, Body, Describe, NodeReader, Placement, Site, UsedPlace, WeightedNodes};
use crate::element::operators::Operators;
use crate::element::place_user::PlaceUser;
use crate::element::simd::{LANES, whole_blocks};
use crate::element::state::State;
use crate::error::CompileError;
use crate::model::{Barrier, Control, Place, Quantity};
use std::ops::Range;

/// The node of a barrier.
#[derive(Clone, Debug)]
pub(crate) struct BarrierNode {
    position: CachedControl,
    /// Heights above the position, evenly spaced from one end of a string to the other \[m\].
    profile: Vec<f64>,
    /// Its index in the state.
    node: usize,
    /// Height at n, and at n + 1 \[m\].
    height_now: f64,
    height_next: f64,
}

impl Describe for Barrier {
    type Body = BarrierNode;

    fn placement(&self, _k: f64, _used_places: &[UsedPlace]) -> Placement {
        Placement::Prescribed
    }

    fn build(&self, site: &mut Site<'_>) -> Result<BarrierNode, CompileError> {
        check_control(&self.position, "position", site.check)?;
        self.profile.iter().try_for_each(|&height| site.check.finite("profile", height))?;
        let node = whole_blocks(site.state.u.len());
        site.state.resize(node + LANES);
        let (position, profile) = (self.position.clone().into(), self.profile.clone());
        let height = self.position.at(0.0);
        Ok(BarrierNode { position, profile, node, height_now: height, height_next: height })
    }
}

impl BarrierNode {
    /// Height of the profile at a fraction of the length \[m\].
    fn profile_at(&self, at: f64) -> f64 {
        match self.profile[..] {
            [] => 0.0,
            [height] => height,
            [_, _, ..] => {
                let last = self.profile.len() - 1;
                let time = (0..=last).map(|i| i as f64 / last as f64).collect();
                Control::Breakpoints { time, value: self.profile.clone() }.at(at)
            }
        }
    }
}

impl Body for BarrierNode {
    #[inline]
    fn predict(&mut self, state: &mut State) {
        (state.u[self.node], state.du[self.node]) = (self.height_now, self.height_next - self.height_now);
    }

    #[inline]
    fn advance(&mut self, n: u64, k: f64) {
        self.height_now = self.height_next;
        self.height_next = self.position.at((n + 1) as f64 * k);
    }

    fn reset(&mut self, state: &mut State, k: f64) {
        self.height_now = self.position.at(0.0);
        self.height_next = self.position.at(k);
        (state.u[self.node], state.du[self.node]) = (self.height_now, 0.0);
    }

    fn balance(&self, _state: &State, _k: f64) -> ElementEnergy {
        ElementEnergy::default()
    }

    fn visit_controls(&mut self, visit: &mut dyn FnMut(&mut Control)) {
        visit(self.position.control());
    }

    fn nodes_at(&self, place: Place, user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        match place {
            Place::Whole | Place::Along(_) => Ok(Vec::new()),
            Place::On(_) | Place::Listed(_) => user.naming("a barrier").refuse("it is rigid"),
        }
    }

    fn attach(&self, place: Place, user: PlaceUser) -> Result<Attachment, CompileError> {
        self.nodes_at(place, user)?;
        let height = match place {
            Place::Along(at) => self.profile_at(at),
            Place::Whole | Place::On(_) | Place::Listed(_) => 0.0,
        };
        Ok(Attachment::Prescribed { node: self.node, height })
    }

    fn reader(&self, place: Place, quantity: Quantity, _k: f64, user: PlaceUser) -> Result<NodeReader, CompileError> {
        self.nodes_at(place, user)?;
        match quantity {
            Quantity::Displacement => Ok(NodeReader::Height),
            Quantity::Velocity | Quantity::Force => user
                .naming("a barrier")
                .refuse("only its displacement can be read; read the force of the interaction instead"),
        }
    }

    fn height(&self) -> Option<f64> {
        Some(self.height_now)
    }

    fn nodes(&self) -> Range<usize> {
        0..0
    }

    fn operators(&self, _state: &State, _k: f64) -> Option<Operators> {
        None
    }
}
