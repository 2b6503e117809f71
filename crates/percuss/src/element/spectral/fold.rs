//! Folding of a grid along its axes of symmetry.
//!
//! An orbit is a node and its mirror images: one, two or four entries, with repetitions on an axis. A displacement falls apart into
//! parities, even or odd along each axis, by sums and differences within the orbits. Coordinates of a parity are orthonormal for the mass
//! of the nodes: x = √(mμ)/P·Σ±u, u = √(μ/m)/P·Σ±x for every entry, P entries of which μ are distinct.
//! Runs of orbits lie side by side in the state, so that they are folded without indices.
//! Allocates   in `new`, `unfold` and `matrices`

use crate::element::simd::{Divide, Field, Kernel, Machine, Shift, run, vectors_mut};
use crate::element::spectral::operator::GridOperator;
use faer::Mat;
use pulp::Simd;
use std::ops::Range;

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
    runs: Vec<Run>,
    /// Whether the second and fourth entries of a run follow each other backwards: those mirrored along a row of nodes.
    is_backward: bool,
    /// Factors from displacements to coordinates, and back, by orbit.
    gather: Vec<f64>,
    scatter: Vec<f64>,
    /// Scatter over 1 + σ₀k.
    scatter_update: Vec<f64>,
    nodes: usize,
}

/// Orbits whose entries follow each other in the state, forwards or backwards.
#[derive(Clone, Debug)]
struct Run {
    orbits: Range<usize>,
    /// Lowest state index of each entry.
    starts: [usize; 4],
}

/// The runs of orbits with given state indices, `size` for each.
fn runs(entries: &[usize], size: usize, is_backward: bool) -> Vec<Run> {
    let follows = |last: &[usize], next: &[usize]| {
        let mut pairs = last.iter().zip(next).enumerate();
        pairs.all(
            |(entry, (&last, &next))| if is_backward && entry % 2 == 1 { next + 1 == last } else { next == last + 1 },
        )
    };
    let mut first = 0;
    let orbits: Vec<&[usize]> = entries.chunks_exact(size).collect();
    let runs = orbits.chunk_by(|last, next| follows(last, next)).map(|run| {
        let mut starts = [0; 4];
        for (entry, start) in starts.iter_mut().take(size).enumerate() {
            *start = run[0][entry].min(run[run.len() - 1][entry]);
        }
        let run = Run { orbits: first..first + run.len(), starts };
        first = run.orbits.end;
        run
    });
    runs.collect()
}

#[inline(always)]
fn scale<'a>(folded: &mut [f64], factors: &[f64], values: impl Iterator<Item = &'a f64>) {
    for ((folded, factor), value) in folded.iter_mut().zip(factors).zip(values) {
        *folded = factor * value;
    }
}

#[inline(always)]
fn subtract_scaled<'a>(values: impl Iterator<Item = &'a mut f64>, factors: &[f64], folded: &[f64]) {
    for ((value, factor), folded) in values.zip(factors).zip(folded) {
        *value -= factor * folded;
    }
}

/// The parities of every orbit from its entries, or the entries from its parities.
struct SumsAndDifferences<'a> {
    folded: &'a mut [Field],
}

impl Kernel for SumsAndDifferences<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, _: H) {
        match self.folded {
            [a, b, c, d] => {
                let [a, b, c, d] = [a, b, c, d].map(|field| vectors_mut::<S>(field));
                for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
                    let [even, odd] = [simd.add_f64s(*a, *b), simd.sub_f64s(*a, *b)];
                    let [far_even, far_odd] = [simd.add_f64s(*c, *d), simd.sub_f64s(*c, *d)];
                    (*a, *b) = (simd.add_f64s(even, far_even), simd.add_f64s(odd, far_odd));
                    (*c, *d) = (simd.sub_f64s(even, far_even), simd.sub_f64s(odd, far_odd));
                }
            }
            [a, b] => {
                let [a, b] = [a, b].map(|field| vectors_mut::<S>(field));
                for (a, b) in a.iter_mut().zip(b) {
                    (*a, *b) = (simd.add_f64s(*a, *b), simd.sub_f64s(*a, *b));
                }
            }
            _ => {}
        }
    }
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
        let scatter_update = scatter.iter().map(|factor| factor / (1.0 + grid.sigma0 * grid.k)).collect();
        let is_backward = grid.mirrors[0].is_some();
        let entries: Vec<usize> = moving.iter().map(|&node| grid.nodes[node]).collect();
        let runs = runs(&entries, size, is_backward);
        Self { size, moving, runs, is_backward, gather, scatter, scatter_update, nodes: grid.nodes.len() }
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
    pub fn fold(&self, machine: Machine, values: &[f64], folded: &mut [Field]) {
        for Run { orbits, starts } in &self.runs {
            let factors = &self.gather[orbits.clone()];
            for (entry, (folded, &start)) in folded.iter_mut().zip(starts).enumerate() {
                let (folded, values) = (&mut folded[orbits.clone()], &values[start..][..orbits.len()]);
                if self.is_backward && entry % 2 == 1 {
                    scale(folded, factors, values.iter().rev());
                } else {
                    scale(folded, factors, values.iter());
                }
            }
        }
        run(machine, SumsAndDifferences { folded });
    }

    /// Subtracts the displacement with given coordinates from a field of the state, over 1 + σ₀k.
    pub fn subtract_unfolded(&self, machine: Machine, folded: &mut [Field], values: &mut [f64]) {
        run(machine, SumsAndDifferences { folded });
        for Run { orbits, starts } in &self.runs {
            let factors = &self.scatter_update[orbits.clone()];
            for (entry, (folded, &start)) in folded.iter().zip(starts).enumerate() {
                let (folded, values) = (&folded[orbits.clone()], &mut values[start..][..orbits.len()]);
                if self.is_backward && entry % 2 == 1 {
                    subtract_scaled(values.iter_mut().rev(), factors, folded);
                } else {
                    subtract_scaled(values.iter_mut(), factors, folded);
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
