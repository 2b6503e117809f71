//! Folding of a grid along its axes of symmetry.
//!
//! An orbit is a node and its mirror images: one, two or four entries, with repetitions on an axis. A displacement falls apart into
//! parities, even or odd along each axis, by sums and differences within the orbits. Coordinates of a parity are orthonormal for the mass
//! of the nodes: x = √(mμ)/P·Σ±u, u = √(μ/m)/P·Σ±x for every entry, P entries of which μ are distinct.
//! Fields of the state are folded in `runs`.
//! Allocates   in `new`, `unfold` and `matrices`

use crate::element::spectral::operator::GridOperator;
use crate::element::spectral::runs::Runs;
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
    /// Entries, orbit by orbit, counted in moving nodes.
    moving: Vec<usize>,
    runs: Runs,
    /// Factors from displacements to coordinates, and back, by orbit.
    gather: Vec<f64>,
    scatter: Vec<f64>,
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
        let (mut moving, mut gather, mut scatter) = (Vec::new(), Vec::new(), Vec::new());
        for node in 0..grid.nodes.len() {
            let orbit: Vec<usize> = (0..size).map(|entry| image(node, entry)).collect();
            if orbit.iter().any(|&image| image < node) {
                continue;
            }
            let distinct = (0..size).filter(|&entry| !orbit[..entry].contains(&orbit[entry])).count() as f64;
            gather.push((grid.mass[node] * distinct).sqrt() / size as f64);
            scatter.push((distinct / grid.mass[node]).sqrt() / size as f64);
            moving.extend(orbit);
        }
        let scatter_update: Vec<f64> = scatter.iter().map(|factor| factor / (1.0 + grid.sigma0 * grid.k)).collect();
        let entries: Vec<usize> = moving.iter().map(|&node| grid.nodes[node]).collect();
        let runs = Runs::new(&entries, size, grid.mirrors[0].is_some(), [&gather, &scatter_update]);
        Self { size, moving, runs, gather, scatter, nodes: grid.nodes.len() }
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

    /// The orbits as they lie in the state, displacements over 1 + σ₀k.
    pub fn runs(&self) -> &Runs {
        &self.runs
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
