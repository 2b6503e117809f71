//! A modal plate as a body: pending forces on its ports, views of its grid, its matrices.

use crate::element::balance::ElementEnergy;
use crate::element::body::{Body, GridSelection, WeightedNodes};
use crate::element::operators::Operators;
use crate::element::place_user::PlaceUser;
use crate::element::plate::GridPlate;
use crate::element::plate::exact::modes::PlateModes;
use crate::element::plate::grid::PlateGrid;
use crate::element::plate::modal::ModalPlate;
use crate::element::plate::modal::energy::PortSum;
use crate::element::plate::modal::kernel::ApplyPending;
use crate::element::plate::modal::view;
use crate::element::plate::place::fractions;
use crate::element::simd::Machine;
use crate::element::state::{NodeField, State};
use crate::error::{Check, CompileError, Subject};
use crate::model::{Method, Place, Plate};
use std::f64::consts::PI;
use std::ops::Range;

impl Body for ModalPlate {
    // Not inlined: keeps the stack frame of models without plates small.
    #[inline(never)]
    fn predict(&mut self, state: &mut State) {
        self.update_all(state);
    }

    /// Applies the pending forces to the modes, before the next step would.
    fn apply_pending(&mut self, state: &mut State) {
        let first = self.start + self.mode_slots();
        for (index, port) in self.ports.iter_mut().enumerate() {
            let (du, push) = (state.du[first + index], port.push(state.du[first + index]));
            if push != 0.0 {
                state.machine.dispatch(ApplyPending {
                    shape: port.mode_shapes(),
                    push,
                    du: &mut state.du[self.start..first],
                });
                port.predicted_du = du;
            }
        }
    }

    fn clear_pending(&mut self, state: &State) {
        let first = self.start + self.mode_slots();
        self.ports.iter_mut().zip(&state.du[first..]).for_each(|(port, &du)| port.predicted_du = du);
    }

    /// Sets the ports to the sum of the modes.
    fn resync(&self, state: &mut State) {
        let (u, places) = state.u[self.start..].split_at_mut(self.mode_slots());
        for (place, port) in places.iter_mut().zip(&self.ports) {
            *place = state.machine.dispatch(PortSum { lambda: self.lambda(), shape: port.mode_shapes(), u });
        }
    }

    /// What is subtracted from u next, as from that of any node, is du; from the modes, whose u is λ times the displacement, it has
    /// to be λ·du.
    fn reset(&mut self, state: &mut State, _k: f64) {
        self.clear_pending(state);
        for (row, across) in self.rows.lambda.iter().enumerate() {
            for (column, along) in self.columns.lambda.iter().enumerate() {
                let node = self.start + row * self.dimensions()[0] + column;
                state.u[node] -= (along + across - 1.0) * state.du[node];
            }
        }
    }

    fn balance(&self, state: &State, k: f64) -> ElementEnergy {
        self.energy(state, k)
    }

    fn nodes_at(&self, place: Place, user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        Ok(self.interpolate(fractions(place, user)?))
    }

    /// Number of modes, which is that of the nodes that move.
    fn count(&self) -> usize {
        self.grid.intervals.iter().map(|intervals| intervals - 1).product()
    }

    fn partials(&self, k: f64) -> Option<Vec<f64>> {
        PlateModes::partials(&self.plate, &self.material, PI / k)
    }

    fn nodes(&self) -> Range<usize> {
        0..0
    }

    fn plate_grid(&self) -> Option<PlateGrid> {
        Some(self.grid)
    }

    fn view_cache(&self, selection: GridSelection<'_>) -> Vec<f64> {
        view::cache(self, selection)
    }

    fn read_grid(
        &self,
        selection: GridSelection<'_>,
        cache: &mut [f64],
        field: (NodeField, &State),
        values: &mut [f64],
    ) -> bool {
        view::read(self, selection, cache, field, values)
    }

    /// Those of the same plate on its grid.
    fn operators(&self, _state: &State, k: f64) -> Option<Operators> {
        let plate = Plate { method: Method::Grid, grid: Some(self.grid.intervals), ..self.plate.clone() };
        let mut state = State::new(Machine::new(false));
        let body = GridPlate::new(&plate, Check(Subject::Element(0)), k, &mut state).ok()?;
        body.operators(&state, k)
    }
}
