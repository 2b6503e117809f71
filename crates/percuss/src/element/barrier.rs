//! A barrier: a node of the state with prescribed motion. Contacts read it as any other node.
//!
//! Compliance  0: no force moves it
//! Energy      none; its work is supplied from outside and recorded with the contact
//! Allocates   only in `build` and `attach`

use crate::control::cached_control::CachedControl;
use crate::control::signal::check_control;
use crate::element::balance::ElementEnergy;
use crate::element::body::{Attachment, Body, Cell, Describe, NodeReader, Placement, Site, UsedPlace, WeightedNodes};
use crate::element::operators::Operators;
use crate::element::place_user::PlaceUser;
use crate::element::simd::{LANES, whole_blocks};
use crate::element::state::State;
use crate::error::CompileError;
use crate::model::{Barrier, BarrierShape, Control, Place, Quantity};
use std::ops::Range;

/// The node of a barrier.
#[derive(Clone, Debug)]
pub(crate) struct BarrierNode {
    position: CachedControl,
    description: Barrier,
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
        self.check(site.check)?;
        let node = whole_blocks(site.state.u.len());
        site.state.resize(node + LANES);
        let (position, height) = (self.position.clone().into(), self.position.at(0.0));
        Ok(BarrierNode { position, description: self.clone(), node, height_now: height, height_next: height })
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
            Place::Along(at) => match self.description.height(at) {
                Some(height) => height,
                None => return user.naming("a barrier").refuse("it is not there: see its from, to and frets"),
            },
            Place::Whole | Place::On(_) | Place::Listed(_) => 0.0,
        };
        Ok(Attachment::Prescribed { node: self.node, height })
    }

    fn swept_volume(&self, _user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        Ok(Vec::new())
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

    /// Frets are cells of their own. Of others, the parts that lie within the span.
    fn contact_cells(&self, cells: Vec<Cell>, spacing: f64) -> Vec<Cell> {
        let [from, to] = self.description.span;
        if let BarrierShape::Frets { at, width, .. } = &self.description.shape {
            let frets = at.iter().filter(|&&at| (from..=to).contains(&at));
            return frets.map(|&at| Cell { at, length: *width }).collect();
        }
        let part = |Cell { at, length }: Cell| {
            let [start, end] = [(at - 0.5 * spacing).max(0.0), (at + 0.5 * spacing).min(1.0)];
            let share = (end.min(to) - start.max(from)) / (end - start);
            // A cell that is cut off has its node outside; the contact is at the edge.
            (share > 0.0).then(|| Cell { at: at.clamp(from, to), length: share.min(1.0) * length })
        };
        cells.into_iter().filter_map(part).collect()
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
