//! A simply supported plate as the notes write it.
//!
//! States hold its grid row by row, with two nodes of padding all round, as a simulation gives them.

use percuss::*;

pub struct NotesPlate {
    /// ρH \[kg/m²\].
    pub rho_h: f64,
    /// D = EH³/(12(1 − ν²)) \[N·m\].
    pub bending: f64,
    pub sigma0: f64,
    pub sigma1: f64,
    pub h: f64,
    pub k: f64,
    pub intervals: [usize; 2],
}

impl NotesPlate {
    pub fn of(plate: &Plate, handle: ElementId, sim: &Simulation) -> Self {
        let grid = sim.plate_grid(handle).unwrap();
        Self {
            rho_h: plate.density * plate.thickness,
            bending: plate.youngs_modulus * plate.thickness.powi(3) / (12.0 * (1.0 - plate.poisson.powi(2))),
            sigma0: plate.sigma0,
            sigma1: plate.sigma1,
            h: grid.spacing,
            k: sim.time_step(),
            intervals: grid.intervals,
        }
    }

    /// Nodes from one row to the next.
    pub fn stride(&self) -> usize {
        self.intervals[0] + 5
    }

    /// Index of a grid node in the state.
    pub fn node(&self, [i, j]: [usize; 2]) -> usize {
        (j + 2) * self.stride() + i + 2
    }

    /// Indices of all nodes that move.
    pub fn moving(&self) -> impl Iterator<Item = usize> {
        let [columns, rows] = self.intervals;
        (1..rows).flat_map(move |j| (1..columns).map(move |i| self.node([i, j])))
    }

    /// δΔ at a node.
    fn laplacian(&self, v: &[f64], node: usize) -> f64 {
        let around = v[node - 1] + v[node + 1] + v[node - self.stride()] + v[node + self.stride()];
        (around - 4.0 * v[node]) / self.h.powi(2)
    }

    /// δΔδΔ at a node at least two intervals away from the edges.
    fn biharmonic(&self, v: &[f64], node: usize) -> f64 {
        let at = |node| self.laplacian(v, node);
        let around = at(node - 1) + at(node + 1) + at(node - self.stride()) + at(node + self.stride());
        (around - 4.0 * at(node)) / self.h.powi(2)
    }

    /// Eq. 82c, with δΔ under σ₁: v⁺ at a node, without contacts.
    pub fn free(&self, v: &[f64], prev: &[f64], node: usize) -> f64 {
        let k = self.k;
        let lag = (self.laplacian(v, node) - self.laplacian(prev, node)) / k;
        let bend = self.bending * k * k / self.rho_h * self.biharmonic(v, node);
        let sum = 2.0 * v[node] - prev[node] - bend + self.sigma0 * k * prev[node] + 2.0 * self.sigma1 * k * k * lag;
        sum / (1.0 + self.sigma0 * k)
    }
}
