//! Correction of the lowest eigenvalues of a body on a grid: true pitch and decay in nodes.
//!
//! Equation    K̂ = K + Σ (λ̂ⱼ − λⱼ)MφⱼφⱼᵀM/k²,  Ĉ = C + Σ (d̂ⱼ − dⱼ)MφⱼφⱼᵀM/k, φⱼ the lowest eigenvectors of the grid's K, φᵀMφ = 1
//! Roots       (1+s)z⁺ = (1−s−d̂)z − λ̂y, s = σ₀k, has the roots e^{(−σ±jω)k} for d̂ = 1 − s − (1+s)e^{−2σk} and
//!             λ̂ = (1+s)(1 + r² − 2r·cos ωk), r² = (1−s−d̂)/(1+s)
//! Update      z = ΦᵀM du, y ← y + z, du⁺ ← du⁺ − Φ[(λ̂−λ)y + (d̂−d)z]/(1+s); y and z are states of their own
//! Stability   λ̂ⱼ + 2(d̂ⱼ−dⱼ) + 2d_max ≤ 4, d_max the largest eigenvalue of the grid's damping; modes beyond keep their λ. The others
//!             have λ + 2d_max ≤ 4 by the bound on the spacing
//! Energy      H += [½(λ̂−λ)y y⁺ − ¼(d̂−d)z⁺²]/k²,  k·Q += ¼(d̂−d)(z⁺+z)²/k²
//! Precision   Φ is kept in single precision; ΦᵀM and Φ are rounded alike, so that the balance is exact. It turns the shapes by 1e-7
//! Symmetry    grids that equal their mirror image are folded: Φ falls apart into a block for each parity, and a step takes a half or a
//!             quarter of the products
//! Allocates   only in `new`

mod fold;
mod kernel;
mod matching;
pub(crate) mod operator;
mod parity_modes;
mod runs;

use crate::element::balance::ElementEnergy;
use crate::element::oscillator::mode_group::ModeConstants;
use crate::element::simd::{Field, field, run, whole_blocks};
use crate::element::spectral::fold::Fold;
use crate::element::spectral::kernel::{Correct, Project};
use crate::element::spectral::matching::{MatchedMode, match_modes};
use crate::element::spectral::operator::{GridOperator, TrueModes};
use crate::element::spectral::parity_modes::ParityModes;
use crate::element::state::State;

/// Products of numbers in a step, at most: about half a microsecond.
const MAX_PRODUCTS: usize = 10_000;
/// Relative difference of the frequencies of a pair of modes, at most.
const PAIR: f64 = 1e-6;
/// Sum of the cubes of the sizes of the eigenvalue problems, at most.
const MAX_WORK: usize = 80_000_000;

/// The correction of a body.
#[derive(Clone, Debug)]
pub(crate) struct SpectralCorrection {
    fold: Fold,
    blocks: Vec<ParityModes>,
    /// Length of a shape, in whole blocks of orbits.
    length: usize,
    /// Whether `next_z` is that of the present du.
    is_next_known: bool,
    /// Folded increments, then the folded correction, one field for each parity.
    folded: Vec<Field>,
    /// (λ̂−λ)y + (d̂−d)z.
    modal_force: Field,
    k: f64,
}

impl SpectralCorrection {
    /// `damping_of` tells the damping dⱼ of the grid for a shape. `None` where the grid is too large, or has nothing to correct.
    pub fn new(grid: &GridOperator<'_>, modes: &TrueModes, damping_of: impl Fn(&[f64]) -> f64) -> Option<Self> {
        let fold = Fold::new(grid);
        if fold.work() > MAX_WORK {
            return None;
        }
        let matched = match_modes(&fold, grid, modes)?;
        let orbits = fold.orbits();
        let mut selected: Vec<Vec<(&MatchedMode, [f64; 2])>> = vec![Vec::new(); fold.parities()];
        let mut products = 0;
        let is_pair = |a: &MatchedMode, b: &MatchedMode| (b.constants.omega / a.constants.omega - 1.0).abs() < PAIR;
        // Of a pair of modes on a symmetric plate both are corrected or none, so that they stay a pair.
        for group in matched.chunk_by(is_pair) {
            products += 2 * orbits * group.len();
            if products > MAX_PRODUCTS {
                break;
            }
            for mode in group {
                let damping = damping_of(&fold.unfold(mode.parity, &mode.shape));
                if let Some(change) = correction(mode, grid, damping) {
                    selected[mode.parity].push((mode, change));
                }
            }
        }
        let blocks: Vec<_> = selected.iter().map(|modes| ParityModes::new(modes, orbits)).collect();
        let folded = fold.runs().fields();
        let most = blocks.iter().map(ParityModes::padded_count).max().filter(|&most| most > 0)?;
        let modal_force = field(most);
        Some(Self { fold, blocks, length: whole_blocks(orbits), is_next_known: false, folded, modal_force, k: grid.k })
    }

    /// Computes z of given increments, in the order of the state.
    fn project(&mut self, state: &State, increments: &[f64]) {
        let runs = self.fold.runs();
        runs.fold(state.machine, increments, &mut self.folded);
        for (block, folded) in self.blocks.iter_mut().zip(&self.folded) {
            let ParityModes { shapes, next_z, .. } = block;
            run(state.machine, Project { shapes, folded: &folded[runs.coordinates()], amplitudes: next_z });
        }
    }

    /// Moves y and z on to the present step and finds the correction. Called before the update of the grid.
    pub fn advance(&mut self, state: &State) {
        let is_known = std::mem::take(&mut self.is_next_known);
        let runs = self.fold.runs();
        if !is_known {
            let increments = if state.keep_previous { &state.du_prev } else { &state.du };
            runs.fold(state.machine, increments, &mut self.folded);
        }
        // Block by block, so that the shapes are still in the cache when they are used again.
        for (block, folded) in self.blocks.iter_mut().zip(&mut self.folded) {
            let force = &mut self.modal_force[..block.padded_count()];
            run(state.machine, Correct { modes: block, folded: &mut folded[runs.coordinates()], force, is_known });
        }
    }

    /// Corrects du⁺. Called after the update of the grid.
    pub fn apply(&mut self, state: &mut State) {
        self.fold.runs().subtract_unfolded(state.machine, &mut self.folded, &mut state.du);
    }

    /// Finds z of the step to come, which the energy needs.
    pub fn look_ahead(&mut self, state: &State) {
        self.project(state, &state.du);
        self.is_next_known = true;
    }

    /// Starts from displacements and increments as they are at time 0.
    pub fn reset(&mut self, state: &State) {
        self.project(state, &state.u);
        for ParityModes { y, next_z, .. } in &mut self.blocks {
            y.copy_from_slice(next_z);
        }
        self.project(state, &state.du);
        for ParityModes { y, z, next_z, .. } in &mut self.blocks {
            y.iter_mut().zip(next_z.iter()).for_each(|(y, next_z)| *y -= next_z);
            z.fill(0.0);
        }
        self.is_next_known = false;
    }

    /// Adds the energy of the correction, after `look_ahead`.
    pub fn balance(&self, balance: &mut ElementEnergy) {
        let per_step = 1.0 / (self.k * self.k);
        for ParityModes { stiffness, damping, y, z, next_z, .. } in &self.blocks {
            for mode in 0..y.len() {
                let potential = 0.5 * stiffness[mode] * y[mode] * (y[mode] + next_z[mode]) * per_step;
                let lag = 0.25 * damping[mode] * next_z[mode] * next_z[mode] * per_step;
                balance.stored += potential - lag;
                balance.magnitude += potential.abs() + lag;
                balance.self_loss += lag;
                balance.dissipated += 0.5 * damping[mode] * next_z[mode] * z[mode] * per_step;
            }
        }
    }

    /// Entries of K̂ − K \[N/m\] and Ĉ − C \[kg/s\]: (row, column, value), counted in moving nodes.
    pub fn matrices(&self, mass: &[f64]) -> [Vec<(usize, usize, f64)>; 2] {
        let nodes = mass.len();
        let mut matrices = [(); 2].map(|()| vec![0.0; nodes * nodes]);
        for (parity, block) in self.blocks.iter().enumerate() {
            let shapes = block.shapes.chunks_exact(self.length);
            for (mode, shape) in shapes.enumerate() {
                let shape: Vec<f64> = shape[..self.fold.orbits()].iter().map(|&value| value.into()).collect();
                let unfolded = self.fold.unfold(parity, &shape);
                let force: Vec<f64> = unfolded.iter().zip(mass).map(|(shape, mass)| shape * mass).collect();
                let factors = [block.stiffness[mode] / (self.k * self.k), block.damping[mode] / self.k];
                for (matrix, factor) in matrices.iter_mut().zip(factors).filter(|(_, factor)| *factor != 0.0) {
                    for (row, of_row) in matrix.chunks_exact_mut(nodes).zip(&force) {
                        row.iter_mut().zip(&force).for_each(|(entry, column)| *entry += factor * of_row * column);
                    }
                }
            }
        }
        let entries = |(index, value): (usize, f64)| (index / nodes, index % nodes, value);
        matrices.map(|matrix| matrix.into_iter().enumerate().filter(|(_, value)| *value != 0.0).map(entries).collect())
    }
}

/// λ̂ − λ and d̂ − d of a mode, where it can be corrected. Damping is never lowered: that of the grid mixes modes, and less of it might
/// be negative for others.
fn correction(mode: &MatchedMode, grid: &GridOperator<'_>, damping: f64) -> Option<[f64; 2]> {
    let (k, s) = (grid.k, grid.sigma0 * grid.k);
    let ModeConstants { sigma, .. } = mode.constants;
    let omega = mode.constants.damped();
    let added_damping = (1.0 - s - (1.0 + s) * (-2.0 * sigma * k).exp() - damping).max(0.0);
    let squared_radius = (1.0 - s - damping - added_damping) / (1.0 + s);
    if omega == 0.0 || squared_radius <= 0.0 {
        return None;
    }
    // 1 + r² − 2r·cos ωk, without cancellation.
    let radius = squared_radius.sqrt();
    let lambda = (1.0 + s) * ((1.0 - radius).powi(2) + 4.0 * radius * (0.5 * omega * k).sin().powi(2));
    let is_stable = lambda + 2.0 * added_damping + 2.0 * grid.max_damping <= 4.0;
    is_stable.then_some([lambda - mode.eigenvalue * k * k, added_damping])
}
