//! True pitch of a plate on its grid: what its spectral correction is made of (`element/spectral`).
//!
//! Symmetry    a rectangle is folded along an axis if its two edges are held alike, a disc along both

#[cfg(test)]
mod tests;

use crate::element::oscillator::mode_group::MAX_NYQUIST_FRACTION;
use crate::element::plate::GridPlate;
use crate::element::plate::exact::modes::PlateModes;
use crate::element::plate::layout::Layout;
use crate::element::spectral::SpectralCorrection;
use crate::element::spectral::operator::{GridOperator, Mirrors, TrueModes};
use crate::element::state::State;
use crate::model::{Edge, Method, Plate};
use std::collections::HashMap;
use std::f64::consts::PI;

/// Grids with more nodes are not corrected: their low modes are close to the truth.
const MAX_CORRECTED_NODES: usize = 1100;

impl GridPlate {
    /// `None` if the description asks for the grid, or its modes are not found.
    pub(super) fn spectral_correction(&self, state: &State, k: f64) -> Option<SpectralCorrection> {
        let moving: Vec<(usize, usize)> = self.moving().collect();
        // Patches are touches on a grid, of which the correction knows nothing.
        let plate = &Plate { patches: Vec::new(), ..self.description.clone() };
        let is_asked_for = plate.method == Method::Modes && plate.grid.is_none();
        if !is_asked_for || moving.len() > MAX_CORRECTED_NODES {
            return None;
        }
        let max_omega = MAX_NYQUIST_FRACTION * PI / k;
        if !PlateModes::can_be_found(plate, &self.material, max_omega) {
            return None;
        }
        let modes = PlateModes::new(plate, &self.material, max_omega)?;
        let operators = self.grid_operators(state, k);
        let nodes: Vec<usize> = moving.iter().map(|&(i, j)| self.node(i, j)).collect();
        let damping_length = self.material.sigma1 * k / self.grid.spacing.powi(2);
        let grid = GridOperator {
            nodes: &nodes,
            mass: &operators.mass,
            stiffness: &operators.stiffness,
            mirrors: self.mirrors(&moving),
            sigma0: self.material.sigma0,
            // 2σ₁k times the largest eigenvalue 8/h² of −Δ.
            max_damping: 16.0 * damping_length,
            k,
        };
        let at = |&(i, j): &(usize, usize)| modes.at([self.grid.fraction(0, i), self.grid.fraction(1, j)]);
        let shapes = moving.iter().map(at).collect();
        let damping_of = |shape: &[f64]| self.damping_of(shape, &grid, state);
        SpectralCorrection::new(&grid, &TrueModes { modes: modes.modes.clone(), shapes }, damping_of)
    }

    /// φᵀMd for the damping d of the grid: what the update leaves of an increment φ if nothing is displaced.
    fn damping_of(&self, shape: &[f64], grid: &GridOperator<'_>, state: &State) -> f64 {
        let mut state = state.clone();
        state.u.fill(0.0);
        state.du_prev.fill(0.0);
        state.keep_previous = true;
        for (&node, &value) in grid.nodes.iter().zip(shape) {
            state.u[node] = -value;
            state.du_prev[node] = value;
        }
        self.sweep(&mut state, None);
        let s = grid.sigma0 * grid.k;
        let left: f64 = grid
            .nodes
            .iter()
            .zip(shape)
            .zip(grid.mass)
            .map(|((&node, shape), mass)| mass * shape * state.du[node])
            .sum();
        (1.0 - s) - (1.0 + s) * left
    }

    /// Where every moving node is in the mirrored grid.
    fn mirrors(&self, moving: &[(usize, usize)]) -> Mirrors {
        let [columns, rows] = self.grid.intervals;
        let index: HashMap<_, _> = moving.iter().enumerate().map(|(index, &node)| (node, index)).collect();
        let is_symmetric = |axis: usize| {
            let [a, b] = [self.description.edges[2 * axis], self.description.edges[2 * axis + 1]];
            matches!(self.layout, Layout::Disc(_)) || (a == b && a != Edge::FreeFullCell)
        };
        [0, 1].map(|axis| {
            let mirrored = |&(i, j): &(usize, usize)| if axis == 0 { (columns - i, j) } else { (i, rows - j) };
            let images = moving.iter().map(|node| index.get(&mirrored(node)).copied());
            is_symmetric(axis).then(|| images.collect::<Option<Vec<_>>>()).flatten()
        })
    }
}
