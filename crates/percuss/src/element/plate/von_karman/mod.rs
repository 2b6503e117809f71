//! The energy of stretching of a plate that bends by more than a part of its thickness, and its gradient.
//!
//! Equation    ρHẅ = −DΔΔw + [w, F], ΔΔF = −(EH/2)[w, w], [a, b] = a_xx b_yy + a_yy b_xx − 2a_xy b_xy; edges are free in their plane:
//!             F = ∂F/∂n = 0
//! Energy      V = (EH/8)∫b·A⁻¹b, b = [w, w] (`brackets`), A the biharmonic operator with clamped edges (`sines`, `modes`). V ≥ 0, and
//!             its gradient is exact on the grid, whatever the edges and A
//! Row         ψ = √(2V) of a row whose weights are g = ∇V/ψ, new in every step: V is quadratised as a whole, so that the row is solved
//!             together with the contacts of the plate, and the account closes for any g
//! Drift       ψ advances by ½g·(w⁺ − w⁻) and drifts away from √(2V). `tracked` adds λe·Mẇ/‖ẇ‖² to g, e what ψ lacks: that moves
//!             λe·ψ between the row and the motion, all of which it slows down or speeds up alike; a tenth of its energy at most
//! Limit       of gᵀM⁻¹g, beyond which a step would be rigid: g is scaled down; no real plate comes near it
//! Symbols     w displacement \[m\], H thickness, D bending stiffness, F Airy's stress function \[N·m\], M masses of the nodes
//! Allocates   only in `new`
//! Reference   Bilbao, Thomas, Touzé and Ducceschi (2015), Numer. Methods Partial Differ. Equ. 31; Bilbao, Ducceschi and Zama (2023),
//!             Comput. Methods Appl. Mech. Eng. 413 (the quadratised potential)

mod brackets;
mod halves;
mod modes;
mod product;
mod sines;
#[cfg(test)]
mod tests;

use crate::element::plate::GridPlate;
use crate::element::plate::layout::Layout;
use crate::element::plate::von_karman::brackets::Brackets;
use crate::element::plate::von_karman::modes::ModeSolver;
use crate::element::plate::von_karman::sines::SineSolver;
use crate::element::simd::{Field, field, mul_add, vectors, vectors_mut};
use crate::element::state::State;
use crate::error::{CompileError, Subject};
use pulp::{Simd, WithSimd};
use std::ops::Range;

/// Most cells of a grid.
const MAX_NODES: usize = 10_000;
/// Share of what ψ lacks that is made up for in a step.
const TRACKING: f64 = 0.25;
/// Largest part of the kinetic energy that this may take or give.
const MAX_TRACKING_WORK: f64 = 0.1;
/// Largest ¼gᵀM⁻¹g.
const MAX_STIFFNESS: f64 = 1e3;

/// Solver for Airy's stress function.
#[derive(Clone, Debug)]
enum StressSolver {
    Sines(Box<SineSolver>),
    Modes(Box<ModeSolver>),
}

/// How far ψ is from its potential.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Drift {
    /// Sums over all steps of (ψ − √2V)² and of 2V \[J\].
    pub squares: [f64; 2],
}

impl Drift {
    /// Root of the mean square of ψ − √2V over that of √2V.
    pub fn ratio(&self) -> f64 {
        let [lack, size] = self.squares;
        if size > 0.0 { (lack / size).sqrt() } else { 0.0 }
    }
}

/// The energy of stretching of one plate.
#[derive(Clone, Debug)]
pub(crate) struct VonKarmanForm {
    /// State nodes: all rows of the plate.
    nodes: Range<usize>,
    brackets: Brackets,
    solver: StressSolver,
    /// EH/h² \[N/m³\]: V = ½EH/h²·b′ᵀA′⁻¹b′ with b′ = h⁴b/2, A′ = h⁴A.
    stiffness: f64,
    /// Masses of the nodes \[kg\].
    masses: Field,
    /// Time step \[s\].
    k: f64,
    /// √2V at n − 1 \[√J\].
    last_root: f64,
    pub drift: Drift,
}

impl VonKarmanForm {
    /// Of a plate on its grid.
    pub fn new(plate: &GridPlate, k: f64, subject: Subject) -> Result<Self, CompileError> {
        let refuse = |reason| Err(CompileError::NotStretchedByBending { subject, reason });
        if plate.description.youngs_modulus == 0.0 {
            return refuse("a membrane has no stiffness of its own in its plane");
        }
        let [columns, rows] = plate.grid.intervals;
        if columns * rows > MAX_NODES {
            let intervals = (columns * rows) as f64;
            return Err(CompileError::GridTooLarge { subject, intervals, maximum: MAX_NODES });
        }
        let is_inside = |i: usize, j: usize| {
            let around = (0..9).map(|at| (i + at % 3, j + at / 3));
            (1..columns).contains(&i)
                && (1..rows).contains(&j)
                && match plate.layout {
                    Layout::Rectangle(_) => true,
                    Layout::Disc(_) => around.into_iter().all(|(i, j)| plate.layout.exists(i - 1, j - 1)),
                }
        };
        let stride = plate.nodes.stride;
        let solver = match plate.layout {
            Layout::Rectangle(_) => StressSolver::Sines(Box::new(SineSolver::new([columns, rows], stride))),
            Layout::Disc(_) => match ModeSolver::new(plate, is_inside) {
                Some(solver) => StressSolver::Modes(Box::new(solver)),
                None => return refuse("the modes of its stress are not found: use a coarser grid"),
            },
        };
        let start = plate.node(0, 0);
        let nodes = start..start + stride * (rows + 1);
        let mut masses = field(nodes.len());
        for (i, j) in plate.moving() {
            masses[plate.node(i, j) - start] = plate.node_mass(i, j);
        }
        let thickness = plate.description.thickness;
        Ok(Self {
            brackets: Brackets::new(nodes.len(), stride, |node| is_inside(node % stride, node / stride)),
            solver,
            stiffness: plate.description.youngs_modulus * thickness / plate.grid.spacing.powi(2),
            masses,
            nodes,
            k,
            last_root: 0.0,
            drift: Drift::default(),
        })
    }

    /// State nodes.
    pub fn nodes(&self) -> Range<usize> {
        self.nodes.clone()
    }

    /// √2V for displacements u + share·du; leaves F in `brackets`.
    fn root(&mut self, state: &State, share: f64) -> f64 {
        let fields = [&state.u, &state.du].map(|field| &field[self.nodes.clone()]);
        self.brackets.evaluate(state.machine, fields, share);
        let Self { brackets, solver, stiffness, .. } = self;
        let (b, stress) = (&brackets.b, brackets.stress.nodes_mut());
        let product = match solver {
            StressSolver::Sines(solver) => solver.solve(state.machine, b, stress),
            StressSolver::Modes(solver) => solver.solve(state.machine, b, stress),
        };
        (*stiffness * product.max(0.0)).sqrt()
    }

    /// Starts on the potential, with u at n − 1: returns ψ = √2V(½(wⁿ + wⁿ⁻¹)).
    pub fn start(&mut self, state: &State) -> f64 {
        self.last_root = self.root(state, 0.0);
        self.drift = Drift::default();
        self.root(state, 0.5)
    }

    /// Writes g at wⁿ, with u at n − 1, for ψ at n − ½.
    pub fn update(&mut self, psi: f64, is_tracked: bool, state: &State, g: &mut [f64]) {
        let root = self.root(state, 1.0);
        let target = 0.5 * (root + std::mem::replace(&mut self.last_root, root));
        let lack = target - psi;
        self.drift.squares[0] += lack * lack;
        self.drift.squares[1] += target * target;
        self.brackets.differentiate(state.machine, g);
        let scale = if root > 0.0 { self.stiffness / root } else { 0.0 };
        let du = &state.du[self.nodes.clone()];
        let pull = if is_tracked {
            self.tracking(lack, psi, state.machine.dispatch(MassSum { masses: &self.masses, du }))
        } else {
            0.0
        };
        let inverse_mass = &state.inverse_mass[self.nodes.clone()];
        let factors = [scale, pull];
        let compliance = state.machine.dispatch(Weights { factors, masses: &self.masses, du, inverse_mass, g });
        if 0.25 * compliance > MAX_STIFFNESS {
            let share = (4.0 * MAX_STIFFNESS / compliance).sqrt();
            g.iter_mut().for_each(|g| *g *= share);
        }
    }

    /// Factor of M·du in g, which makes up for a part of what ψ lacks; `square` is the sum of m·du².
    fn tracking(&self, lack: f64, psi: f64, square: f64) -> f64 {
        let kinetic = 0.5 * square / (self.k * self.k);
        let work = TRACKING * lack * psi;
        if square == 0.0 || !square.is_normal() {
            return 0.0;
        }
        let share = (MAX_TRACKING_WORK * kinetic / work.abs()).min(1.0);
        share * TRACKING * lack / square
    }
}

/// Sum of m·du².
struct MassSum<'a> {
    masses: &'a [f64],
    du: &'a [f64],
}

impl WithSimd for MassSum<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let masses = vectors::<S>(self.masses);
        let du = &vectors::<S>(self.du)[..masses.len()];
        let mut sum = simd.splat_f64s(0.0);
        for i in 0..masses.len() {
            sum = mul_add(simd, simd.mul_f64s(masses[i], du[i]), du[i], sum);
        }
        simd.reduce_sum_f64s(sum)
    }
}

/// Turns the gradient into g = (factor)·∇V + (factor)·M·du; returns gᵀM⁻¹g.
struct Weights<'a> {
    factors: [f64; 2],
    masses: &'a [f64],
    du: &'a [f64],
    inverse_mass: &'a [f64],
    g: &'a mut [f64],
}

impl WithSimd for Weights<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let [scale, pull] = self.factors;
        let (scale, pull) = (simd.splat_f64s(scale), simd.splat_f64s(pull));
        let g = vectors_mut::<S>(self.g);
        let count = g.len();
        let (masses, du) = (&vectors::<S>(self.masses)[..count], &vectors::<S>(self.du)[..count]);
        let inverse_mass = &vectors::<S>(self.inverse_mass)[..count];
        let mut compliance = simd.splat_f64s(0.0);
        for i in 0..count {
            let tracking = simd.mul_f64s(pull, simd.mul_f64s(masses[i], du[i]));
            g[i] = mul_add(simd, scale, g[i], tracking);
            compliance = mul_add(simd, simd.mul_f64s(g[i], g[i]), inverse_mass[i], compliance);
        }
        simd.reduce_sum_f64s(compliance)
    }
}
