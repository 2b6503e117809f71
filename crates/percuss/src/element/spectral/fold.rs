//! Folding of a grid along its axes of symmetry.
//!
//! An orbit is a node and its mirror images: one, two or four entries, with repetitions on an axis. A displacement falls apart into
//! parities, even or odd along each axis, by sums and differences within the orbits. Coordinates of a parity are orthonormal for the mass
//! of the nodes: x = √(mμ)/P·Σ±u, u = √(μ/m)/P·Σ±x for every entry, P entries of which μ are distinct.
//! Allocates   in `new`, `unfold` and `matrices`

use crate::element::simd::Field;
use crate::element::spectral::operator::GridOperator;
use faer::Mat;

/// An entry of an orbit has its sign in a parity by the bits that they share.
fn sign(parity: usize, entry: usize) -> f64 {
    if (parity & entry).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 }
}

/// The orbits of a grid.
#[derive(Clone, Debug)]
pub(crate) struct Fold {
    /// Entries of an orbit.
    size: usize,
    /// State index of every entry, orbit by orbit.
    entries: Vec<usize>,
    /// The same, counted in moving nodes.
    moving: Vec<usize>,
    /// Factors from displacements to coordinates, and back, by orbit.
    gather: Vec<f64>,
    scatter: Vec<f64>,
    /// Scatter over 1 + σ₀k.
    scatter_update: Vec<f64>,
    nodes: usize,
}

impl Fold {
    pub fn new(grid: &GridOperator<'_>) -> Self {
        let axes: Vec<&Vec<usize>> = grid.mirrors.iter().flatten().collect();
        let size = 1 << axes.len();
        let image = |node: usize, entry: usize| {
            axes.iter()
                .enumerate()
                .filter(|(axis, _)| entry >> axis & 1 == 1)
                .fold(node, |node, (_, mirror)| mirror[node])
        };
        let (mut entries, mut moving, mut gather, mut scatter) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for node in 0..grid.nodes.len() {
            let orbit: Vec<usize> = (0..size).map(|entry| image(node, entry)).collect();
            if orbit.iter().any(|&image| image < node) {
                continue;
            }
            let distinct = (0..size).filter(|&entry| !orbit[..entry].contains(&orbit[entry])).count() as f64;
            gather.push((grid.mass[node] * distinct).sqrt() / size as f64);
            scatter.push((distinct / grid.mass[node]).sqrt() / size as f64);
            entries.extend(orbit.iter().map(|&node| grid.nodes[node]));
            moving.extend(orbit);
        }
        let scatter_update = scatter.iter().map(|factor| factor / (1.0 + grid.sigma0 * grid.k)).collect();
        Self { size, entries, moving, gather, scatter, scatter_update, nodes: grid.nodes.len() }
    }

    /// Number of parities: as many as entries in an orbit.
    pub fn parities(&self) -> usize {
        self.size
    }

    pub fn orbits(&self) -> usize {
        self.gather.len()
    }

    /// Sum of the cubes of the sizes of the eigenvalue problems.
    pub fn work(&self) -> usize {
        self.size * self.orbits().pow(3)
    }

    /// Coordinates of a displacement of the state, for every parity.
    #[inline(always)]
    pub fn fold(&self, values: &[f64], folded: &mut [Field]) {
        match (self.size, folded) {
            (4, [even, odd_x, odd_y, odd]) => {
                for (orbit, (entries, factor)) in self.entries.chunks_exact(4).zip(&self.gather).enumerate() {
                    let [a, b, c, d] = [0, 1, 2, 3].map(|entry| factor * values[entries[entry]]);
                    [even[orbit], odd_x[orbit]] = [(a + b) + (c + d), (a - b) + (c - d)];
                    [odd_y[orbit], odd[orbit]] = [(a + b) - (c + d), (a - b) - (c - d)];
                }
            }
            (2, [even, odd]) => {
                for (orbit, (entries, factor)) in self.entries.chunks_exact(2).zip(&self.gather).enumerate() {
                    let [a, b] = [factor * values[entries[0]], factor * values[entries[1]]];
                    [even[orbit], odd[orbit]] = [a + b, a - b];
                }
            }
            (_, folded) => {
                for ((value, entry), factor) in folded[0].iter_mut().zip(&self.entries).zip(&self.gather) {
                    *value = factor * values[*entry];
                }
            }
        }
    }

    /// Subtracts the displacement with given coordinates from a field of the state, over 1 + σ₀k.
    #[inline(always)]
    pub fn subtract_unfolded(&self, folded: &mut [Field], values: &mut [f64]) {
        match (self.size, folded) {
            (4, [even, odd_x, odd_y, odd]) => {
                for (orbit, (entries, factor)) in self.entries.chunks_exact(4).zip(&self.scatter_update).enumerate() {
                    let [a, b, c, d] = [even[orbit], odd_x[orbit], odd_y[orbit], odd[orbit]];
                    values[entries[0]] -= factor * ((a + b) + (c + d));
                    values[entries[1]] -= factor * ((a - b) + (c - d));
                    values[entries[2]] -= factor * ((a + b) - (c + d));
                    values[entries[3]] -= factor * ((a - b) - (c - d));
                }
            }
            (2, [even, odd]) => {
                for (orbit, (entries, factor)) in self.entries.chunks_exact(2).zip(&self.scatter_update).enumerate() {
                    values[entries[0]] -= factor * (even[orbit] + odd[orbit]);
                    values[entries[1]] -= factor * (even[orbit] - odd[orbit]);
                }
            }
            (_, folded) => {
                for ((value, entry), factor) in folded[0].iter().zip(&self.entries).zip(&self.scatter_update) {
                    values[*entry] -= factor * value;
                }
            }
        }
    }

    /// Coordinates of a displacement of the moving nodes in one parity.
    pub fn coordinates(&self, parity: usize, shape: impl Fn(usize) -> f64) -> Vec<f64> {
        let orbits = self.moving.chunks_exact(self.size).zip(&self.gather);
        let sum = |orbit: &[usize]| -> f64 {
            orbit.iter().enumerate().map(|(entry, &node)| sign(parity, entry) * shape(node)).sum()
        };
        orbits.map(|(orbit, factor)| factor * sum(orbit)).collect()
    }

    /// The displacement of the moving nodes with given coordinates in one parity.
    pub fn unfold(&self, parity: usize, coordinates: &[f64]) -> Vec<f64> {
        let mut values = vec![0.0; self.nodes];
        for ((orbit, factor), value) in self.moving.chunks_exact(self.size).zip(&self.scatter).zip(coordinates) {
            for (entry, &node) in orbit.iter().enumerate() {
                values[node] += sign(parity, entry) * factor * value;
            }
        }
        values
    }

    /// Whether an orbit has a coordinate in a parity: odd ones vanish on their axis.
    pub fn has_parity(&self, orbit: usize, parity: usize) -> bool {
        let entries = &self.moving[orbit * self.size..(orbit + 1) * self.size];
        (0..self.size).all(|entry| entries[entry] != entries[0] || sign(parity, entry) > 0.0)
    }

    /// K in the coordinates of each parity; 1 over the mass is in the coordinates.
    pub fn matrices(&self, stiffness: &[(usize, usize, f64)]) -> Vec<Mat<f64>> {
        // Orbit and first entry of every node, and its coordinate: ±√(1/μm), which is ±scatter·P/μ.
        let mut place = vec![(0, 0); self.nodes];
        for (orbit, entries) in self.moving.chunks_exact(self.size).enumerate() {
            for (entry, &node) in entries.iter().enumerate().rev() {
                place[node] = (orbit, entry);
            }
        }
        let scale: Vec<f64> = self
            .gather
            .iter()
            .zip(&self.scatter)
            .map(|(gather, scatter)| {
                // gather·scatter = μ/P².
                scatter / (gather * scatter * self.size as f64)
            })
            .collect();
        let mut matrices = vec![Mat::zeros(self.orbits(), self.orbits()); self.size];
        for &(row, column, value) in stiffness {
            let ((a, entry_a), (b, entry_b)) = (place[row], place[column]);
            for (parity, matrix) in matrices.iter_mut().enumerate() {
                if self.has_parity(a, parity) && self.has_parity(b, parity) {
                    matrix[(a, b)] += value * sign(parity, entry_a) * sign(parity, entry_b) * scale[a] * scale[b];
                }
            }
        }
        matrices
    }
}
