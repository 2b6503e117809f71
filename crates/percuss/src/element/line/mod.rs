//! Stiff damped string; a bar is the same without tension.
//!
//! Equation    ρA ü = Tu″ − EIu⁗ − 2ρAσ₀u̇ + 2ρAσ₁u̇″
//! Update      (1 + σ₀k)du⁺ = (1 − σ₀k)du + k²(c²δxx − κ²δxxxx)u + 2σ₁k δxx du,   u⁺ = u + du⁺
//! Stability   h² ≥ ½[b + √(b² + 16κ²k²)], b = c²k² + 4σ₁k; checked in `Grid::choose`. The operators are built from
//!             their energy, with eigenvalues at most 4/h² (δxx) and 16/h⁴ (δxxxx) for all three kinds of end
//! Energy      in `energy`: H = ½ρA‖δt−u‖² + ½T⟨δx+u,δx+u⁻⟩ + ½EI⟨δxxu,δxxu⁻⟩ − ½ρAσ₁k‖δt−δx+u‖²
//!             Q = 2ρA(σ₀‖δt·u‖² + σ₁‖δt·δx+u‖²)
//! Ends        simply supported: u₀ = 0, δxxu₀ = 0. Clamped: u₀ = 0, δxxu₀ = 2u₁/h² of weight ½.
//!             Free: node 0 moves with weight ½, δxxu₀ = 0
//! Symbols     ρA mass per length \[kg/m\], T tension \[N\], EI bending stiffness \[N·m²\], σ₀ \[1/s\], σ₁ \[m²/s\],
//!             c² = T/ρA, κ² = EI/ρA, h grid spacing \[m\], k time step \[s\]
//! Allocates   only in `new`
//! Reference   Bilbao (2009), Numerical Sound Synthesis, ch. 7; Willemsen (2019), eqs. 49a, 68a (6μ² on u_l)

mod body;
mod energy;
pub(crate) mod grid;
mod kernel;
pub(crate) mod modal;
pub(crate) mod mode_shape;
mod modes;
mod piecewise;
mod place;
mod profiled_modes;
pub(crate) mod waves;

use crate::element::balance::ElementEnergy;
use crate::element::coefficients::UpdateCoefficients;
use crate::element::line::energy::LineWeights;
use crate::element::line::grid::{Grid, LineMaterial};
use crate::element::line::kernel::LineSweep;
use crate::element::simd::{LANES, run, whole_blocks};
use crate::element::state::State;
use crate::error::{Check, CompileError};
use crate::model::{End, Shape};

/// Nodes at each end that may have an update of their own.
const NODES_NEAR_END: usize = 2;

/// Update coefficients of one node: five neighbours of u, five of du (the outer two of which are 0).
type UpdateRow = ([f64; 5], [f64; 5]);

/// A string or bar on its grid.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub material: LineMaterial,
    pub grid: Grid,
    /// State index of the first moving node, on a block; a block of zeros is before and after.
    pub start: usize,
    /// Number of moving nodes.
    pub count: usize,
    /// Grid index of the first moving node: 0 at a free end, else 1.
    pub first: usize,
    /// Updates of end nodes for which the uniform one does not hold, with their index.
    edges: Vec<(usize, UpdateRow)>,
    coefficients: UpdateCoefficients,
    weights: LineWeights,
}

/// The sum of a node's coefficients on u; where no end is held it is rounding, and 0.
fn sum_at_rest(on_u: &[f64; 5]) -> f64 {
    let sum: f64 = on_u.iter().sum();
    if sum.abs() > 1e-12 * on_u[2].abs() { sum } else { 0.0 }
}

impl Line {
    pub fn new(
        material: LineMaterial,
        wanted: Option<usize>,
        check: Check,
        k: f64,
        state: &mut State,
    ) -> Result<Self, CompileError> {
        let grid = Grid::choose(&material, wanted, check, k)?;
        let first = usize::from(material.ends[0] != End::Free);
        let last = grid.intervals - usize::from(material.ends[1] != End::Free);
        let count = last + 1 - first;
        let start = whole_blocks(state.u.len()) + LANES;
        state.resize(start + whole_blocks(count) + LANES);

        let c2_kappa2 = [material.tension, material.bending].map(|x| x / material.line_density);
        let coefficients = UpdateCoefficients::new(c2_kappa2, [material.sigma0, material.sigma1], grid.spacing, k);
        let weights = LineWeights::new(count, &material, grid.spacing, k);
        let mut line = Self { material, grid, start, count, first, edges: Vec::new(), coefficients, weights };
        for i in 0..count {
            state.inverse_mass[start + i] = k * k / (line.node_mass(i) * (1.0 + material.sigma0 * k));
        }
        let rows = line.rows(k);
        let is_near_end = |i: usize| i < NODES_NEAR_END || i + NODES_NEAR_END >= count;
        let near_ends = rows.into_iter().enumerate().filter(|&(i, _)| is_near_end(i));
        line.edges = near_ends.filter(|(i, row)| !line.is_uniform(*i, row)).collect();
        Ok(line)
    }

    /// Whether the uniform update, which takes q as 0 beyond its blocks, is right for moving node i.
    fn is_uniform(&self, i: usize, (on_u, on_du): &UpdateRow) -> bool {
        let UpdateCoefficients { decay, bending, damping, tension } = self.coefficients;
        let blocks = whole_blocks(self.count);
        let (mut u, mut du) = ([0.0, tension, -2.0 * tension, tension, 0.0], [0.0, 0.0, decay, 0.0, 0.0]);
        for (p, weight) in [(1, 1.0), (2, -2.0), (3, 1.0)] {
            if (1..=blocks).contains(&(i + p - 1)) {
                u[p - 1] -= weight * bending;
                u[p] += 2.0 * weight * bending;
                u[p + 1] -= weight * bending;
                du[p] += weight * damping;
            }
        }
        // Coefficients on fixed nodes are irrelevant.
        let moves = |p: usize| (2..self.count + 2).contains(&(i + p));
        // But for rounding: a bending stiffness just above that counts.
        let close = |a: f64, b: f64, scale: f64| (a - b).abs() <= 16.0 * f64::EPSILON * scale;
        let scales = [u[2].abs(), decay.abs() + 4.0 * damping];
        (0..5).filter(|&p| moves(p)).all(|p| close(u[p], on_u[p], scales[0]) && close(du[p], on_du[p], scales[1]))
    }

    /// Weight of moving node i: its share of a full cell.
    pub fn weight(&self, i: usize) -> f64 {
        let node = i + self.first;
        if node == 0 || node == self.grid.intervals { 0.5 } else { 1.0 }
    }

    /// Mass of moving node i \[kg\].
    pub fn node_mass(&self, i: usize) -> f64 {
        self.material.line_density * self.grid.spacing * self.weight(i)
    }

    /// Curvature rows (node, coefficients on node−1, node, node+1, weight), in units of 1/h².
    fn curvature_rows(&self) -> impl Iterator<Item = (usize, [f64; 3], f64)> {
        let n = self.grid.intervals;
        let inside = (1..n).map(|node| (node, [1.0, -2.0, 1.0], 1.0));
        let left = (self.material.ends[0] == End::Clamped).then_some((0, [0.0, 0.0, 2.0], 0.5));
        let right = (self.material.ends[1] == End::Clamped).then_some((n, [2.0, 0.0, 0.0], 0.5));
        inside.chain(left).chain(right)
    }

    /// Moving node of a grid node, if it moves.
    pub fn moving(&self, node: usize) -> Option<usize> {
        (node >= self.first && node < self.first + self.count).then(|| node - self.first)
    }

    /// Update coefficients of every node, assembled from the energy so that the operators are symmetric.
    fn rows(&self, k: f64) -> Vec<UpdateRow> {
        let h = self.grid.spacing;
        let mut slope = vec![[0.0; 5]; self.count];
        let mut curve = vec![[0.0; 5]; self.count];
        let add = |matrix: &mut Vec<[f64; 5]>, nodes: &[(usize, f64)], weight: f64| {
            for &(a, from) in nodes {
                for &(b, to) in nodes {
                    if let (Some(i), Some(_)) = (self.moving(a), self.moving(b)) {
                        matrix[i][b + 2 - a] += weight * from * to / self.weight(i);
                    }
                }
            }
        };
        for node in 0..self.grid.intervals {
            add(&mut slope, &[(node, -1.0 / h), (node + 1, 1.0 / h)], 1.0);
        }
        for (node, row, weight) in self.curvature_rows() {
            let terms: Vec<_> = (0..3).filter(|&j| row[j] != 0.0).map(|j| (node + j - 1, row[j] / (h * h))).collect();
            add(&mut curve, &terms, weight);
        }
        let m = &self.material;
        let (c2, kappa2) = (m.tension / m.line_density, m.bending / m.line_density);
        let denominator = 1.0 + m.sigma0 * k;
        let row = |(slope, curve): (&[f64; 5], &[f64; 5])| {
            let on_u = std::array::from_fn(|j| -k * k * (c2 * slope[j] + kappa2 * curve[j]) / denominator);
            let mut on_du: [f64; 5] = std::array::from_fn(|j| -2.0 * m.sigma1 * k * slope[j] / denominator);
            on_du[2] += (1.0 - m.sigma0 * k) / denominator;
            (on_u, on_du)
        };
        slope.iter().zip(&curve).map(row).collect()
    }

    /// Brings u up to date and turns du into du⁺ without contacts.
    fn update(&self, state: &mut State) {
        let machine = state.machine;
        let (u, mut du) = state.fields(self.start - LANES..self.start + whole_blocks(self.count) + LANES);
        let mut ends = [0.0; 2 * NODES_NEAR_END];
        for ((i, (on_u, on_du)), end) in self.edges.iter().zip(&mut ends) {
            let near = LANES + i - 2..LANES + i + 3;
            let (u, du) = (&u[near.clone()], &du.du()[near]);
            // By differences, which stay exact however far a free line has drifted.
            let difference = |j: usize| (u[j] - u[2]) + (du[j] - du[2]);
            let sum: f64 = (0..5).map(|j| on_u[j] * difference(j) + on_du[j] * du[j]).sum();
            *end = sum + sum_at_rest(on_u) * (u[2] + du[2]);
        }
        run(machine, LineSweep { coefficients: self.coefficients, u, du: du.reborrow() });
        for held in &mut du.next[LANES + self.count..LANES + whole_blocks(self.count)] {
            *held = 0.0;
        }
        for ((i, _), end) in self.edges.iter().zip(ends) {
            du.next[LANES + i] = end;
        }
    }

    /// Linear interpolation at a fraction of the length: (moving node, weight); fixed nodes drop out. Rounding of
    /// the fraction is removed: it would couple the next node with a weight of rounding.
    pub fn interpolate(&self, at: f64) -> impl Iterator<Item = (usize, f64)> {
        let x = at * self.grid.intervals as f64;
        let x = if (x - x.round()).abs() <= f64::EPSILON * x { x.round() } else { x };
        let node = (x as usize).min(self.grid.intervals - 1);
        let share = x - node as f64;
        [(node, 1.0 - share), (node + 1, share)]
            .into_iter()
            .filter(|&(_, weight)| weight != 0.0)
            .filter_map(|(node, weight)| Some((self.moving(node)?, weight)))
    }

    /// Transverse force Tu′ − EIu‴ passed along at a fraction of the length, as weights on u \[N/m\].
    pub fn transverse_force(&self, at: f64) -> Vec<(usize, f64)> {
        let n = self.grid.intervals;
        let h = self.grid.spacing;
        let left = ((at * n as f64) as usize).min(n - 1);
        let mut weights = vec![0.0; self.count];
        let mut add = |node: usize, weight: f64| {
            if let Some(i) = self.moving(node) {
                weights[i] += weight;
            }
        };
        add(left, -self.material.tension / h);
        add(left + 1, self.material.tension / h);
        for (node, row, _) in self.curvature_rows().filter(|&(node, ..)| node == left || node == left + 1) {
            let sign = if node == left { 1.0 } else { -1.0 };
            for (j, entry) in row.iter().enumerate().filter(|(_, entry)| **entry != 0.0) {
                add(node + j - 1, sign * entry * self.material.bending / h.powi(3));
            }
        }
        weights.into_iter().enumerate().filter(|&(_, weight)| weight != 0.0).collect()
    }

    /// Values of a shape at the moving nodes.
    pub fn sample(&self, shape: Shape) -> impl Iterator<Item = f64> {
        (0..self.count).map(move |i| shape.at((i + self.first) as f64 / self.grid.intervals as f64))
    }

    /// The energy after a step.
    fn energy(&self, state: &State) -> ElementEnergy {
        energy::balance(&self.weights, self.material.ends, self.start, self.count, state)
    }
}
