//! Folding and unfolding of fields of the state, in vectors.
//!
//! Run         orbits whose entries follow each other in the state, those mirrored along a row of nodes backwards
//! Fold        entries, scaled → sums and differences → coordinates of each parity. A run is read in whole blocks; what lies beyond its
//!             end has factor 0, and the next run overwrites it
//! Unfold      coordinates → sums and differences → entries, scaled, subtracted row by row: a row is a run and its mirror image backwards,
//!             each with factor 0 where it has no node, so that every node is read and written once
//! Margins     windows of runs reach beyond the first and last orbit, by a row at most: fields of coordinates have as much more
//! Allocates   only in `new` and `fields`

#[cfg(test)]
mod tests;

use crate::element::simd::{
    Divide, Field, Kernel, LANES, Machine, Shift, field, mul_add, reversed, run, vectors, vectors_mut, whole_blocks,
};
use pulp::Simd;
use std::ops::Range;

/// Orbits whose entries follow each other.
struct Run {
    orbits: Range<usize>,
    /// Lowest state index of each entry.
    starts: [usize; 4],
    /// Whole blocks of the state that hold its first row.
    row: Range<usize>,
}

impl Run {
    /// Orbit at a state index of its first row, counted from the first of the run, if there is one; the entry runs forwards.
    fn forward_orbit(&self, node: usize) -> Option<usize> {
        node.checked_sub(self.starts[0]).filter(|&orbit| orbit < self.orbits.len())
    }

    /// The same for the entry that runs backwards.
    fn backward_orbit(&self, node: usize) -> Option<usize> {
        let from_start = node.checked_sub(self.starts[1]).filter(|&orbit| orbit < self.orbits.len())?;
        Some(self.orbits.len() - 1 - from_start)
    }
}

/// A block of nodes in each of some rows, and the coordinates that belong to it.
#[derive(Clone, Copy, Debug)]
struct BlockPair {
    /// First state index for each entry to be read, or for each row to be written.
    nodes: [usize; 4],
    /// First coordinates of entries that run forwards and backwards.
    coordinates: [usize; 2],
}

/// All orbits of a grid, as runs.
#[derive(Clone, Debug)]
pub(super) struct Runs {
    /// Entries of an orbit.
    size: usize,
    /// Whether odd entries run backwards: those mirrored along a row of nodes.
    is_backward: bool,
    /// Blocks to be read, and their factors.
    reads: Vec<BlockPair>,
    gather: Field,
    /// Blocks to be written, and minus their factors: those of forward and of backward entries.
    writes: Vec<BlockPair>,
    scatter: [Field; 2],
    orbits: usize,
    /// Numbers before the first orbit and after the last.
    margin: usize,
}

impl Runs {
    /// For state indices of entries, `size` for each orbit, and the factors of orbits from displacements to coordinates and back.
    pub fn new(entries: &[usize], size: usize, is_backward: bool, factors: [&[f64]; 2]) -> Self {
        let mut all = Self {
            size,
            is_backward,
            reads: Vec::new(),
            gather: field(0),
            writes: Vec::new(),
            scatter: [field(0), field(0)],
            orbits: factors[0].len(),
            margin: LANES,
        };
        let runs = all.find(entries);
        all.margin = runs.iter().map(|run| run.row.len()).fold(LANES, usize::max);
        for run in &runs {
            all.add_reads(run, factors[0]);
            all.add_writes(run, factors[1]);
        }
        all
    }

    fn find(&self, entries: &[usize]) -> Vec<Run> {
        let is_backward = |entry: usize| self.is_backward && entry % 2 == 1;
        let follows = |last: &[usize], next: &[usize]| {
            let mut pairs = last.iter().zip(next).enumerate();
            pairs.all(|(entry, (&last, &next))| if is_backward(entry) { next + 1 == last } else { next == last + 1 })
        };
        let orbits: Vec<&[usize]> = entries.chunks_exact(self.size).collect();
        let mut first = 0;
        let runs = orbits.chunk_by(|last, next| follows(last, next)).map(|run| {
            let mut starts = [0; 4];
            for (entry, start) in starts.iter_mut().take(self.size).enumerate() {
                *start = run[0][entry].min(run[run.len() - 1][entry]);
            }
            let orbits = first..first + run.len();
            first = orbits.end;
            let last = if self.is_backward { starts[0].max(starts[1]) } else { starts[0] };
            let low = if self.is_backward { starts[0].min(starts[1]) } else { starts[0] };
            Run { starts, row: low / LANES * LANES..whole_blocks(last + orbits.len()), orbits }
        });
        runs.collect()
    }

    fn add_reads(&mut self, run: &Run, factors: &[f64]) {
        let length = run.orbits.len();
        for first in (0..length).step_by(LANES) {
            let mut nodes = run.starts;
            for (entry, node) in nodes.iter_mut().enumerate().take(self.size) {
                let is_backward = self.is_backward && entry % 2 == 1;
                *node = if is_backward { *node + length - first - LANES } else { *node + first };
            }
            let start = self.margin + run.orbits.start + first;
            self.reads.push(BlockPair { nodes, coordinates: [start; 2] });
            for orbit in first..first + LANES {
                self.gather.push(if orbit < length { factors[run.orbits.start + orbit] } else { 0.0 });
            }
        }
    }

    fn add_writes(&mut self, run: &Run, factors: &[f64]) {
        let first = self.margin + run.orbits.start;
        let of_orbit = |orbit: Option<usize>| orbit.map_or(0.0, |orbit| -factors[run.orbits.start + orbit]);
        for start in run.row.clone().step_by(LANES) {
            let mut nodes = [0; 4];
            for (row, node) in nodes.iter_mut().enumerate().take(self.size / self.entries_per_row()) {
                *node = run.starts[row * self.entries_per_row()] + start - run.starts[0];
            }
            let forward = first + start - run.starts[0];
            let from_end = run.starts[1] + run.orbits.len();
            let backward = if self.is_backward { first + from_end - start - LANES } else { first };
            self.writes.push(BlockPair { nodes, coordinates: [forward, backward] });
            for node in start..start + LANES {
                self.scatter[0].push(of_orbit(run.forward_orbit(node)));
                self.scatter[1].push(of_orbit(run.backward_orbit(node).filter(|_| self.is_backward)));
            }
        }
    }

    fn entries_per_row(&self) -> usize {
        if self.is_backward { 2 } else { 1 }
    }

    /// A field of coordinates with its margins for each parity.
    pub fn fields(&self) -> Vec<Field> {
        vec![field(self.margin + whole_blocks(self.orbits) + self.margin); self.size]
    }

    /// The coordinates in such a field, in whole blocks.
    pub fn coordinates(&self) -> Range<usize> {
        self.margin..self.margin + whole_blocks(self.orbits)
    }

    /// Coordinates of a displacement of the state, for every parity.
    pub fn fold(&self, machine: Machine, values: &[f64], folded: &mut [Field]) {
        run(machine, Gather { runs: self, values, folded });
    }

    /// Subtracts the displacement with given coordinates from a field of the state.
    pub fn subtract_unfolded(&self, machine: Machine, folded: &mut [Field], values: &mut [f64]) {
        run(machine, Scatter { runs: self, folded, values });
    }
}

/// The vector from an index on.
#[inline(always)]
fn at<S: Simd>(values: &[f64], first: usize) -> S::f64s {
    vectors::<S>(&values[first..first + S::F64_LANES])[0]
}

#[inline(always)]
fn at_mut<S: Simd>(values: &mut [f64], first: usize) -> &mut S::f64s {
    &mut vectors_mut::<S>(&mut values[first..first + S::F64_LANES])[0]
}

struct Gather<'a> {
    runs: &'a Runs,
    values: &'a [f64],
    folded: &'a mut [Field],
}

impl Kernel for Gather<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, _: H) {
        let Self { runs, values, folded } = self;
        match (folded, runs.is_backward) {
            ([a, b, c, d], true) => gather::<S, 4, true>(simd, runs, values, [a, b, c, d]),
            ([a, b], true) => gather::<S, 2, true>(simd, runs, values, [a, b]),
            ([a, b], false) => gather::<S, 2, false>(simd, runs, values, [a, b]),
            ([a], _) => gather::<S, 1, false>(simd, runs, values, [a]),
            _ => {}
        }
    }
}

#[inline(always)]
fn gather<S: Simd, const N: usize, const BACKWARD: bool>(
    simd: S,
    runs: &Runs,
    values: &[f64],
    mut folded: [&mut [f64]; N],
) {
    for (block, factors) in runs.reads.iter().zip(runs.gather.chunks_exact(LANES)) {
        let BlockPair { nodes, coordinates: [start, _] } = *block;
        for (index, &factor) in vectors::<S>(factors).iter().enumerate() {
            let offset = index * S::F64_LANES;
            let mut coordinates = [simd.splat_f64s(0.0); N];
            for entry in 0..N {
                let value = if BACKWARD && entry % 2 == 1 {
                    reversed::<S>(at::<S>(values, nodes[entry] + LANES - S::F64_LANES - offset))
                } else {
                    at::<S>(values, nodes[entry] + offset)
                };
                coordinates[entry] = simd.mul_f64s(factor, value);
            }
            sums_and_differences::<S, N>(simd, &mut coordinates);
            for (folded, coordinate) in folded.iter_mut().zip(coordinates) {
                *at_mut::<S>(folded, start + offset) = coordinate;
            }
        }
    }
}

/// The parities of every orbit from its entries, or the entries from its parities.
#[inline(always)]
fn sums_and_differences<S: Simd, const N: usize>(simd: S, values: &mut [S::f64s; N]) {
    match &mut values[..] {
        [a, b, c, d] => {
            let [even, odd] = [simd.add_f64s(*a, *b), simd.sub_f64s(*a, *b)];
            let [far_even, far_odd] = [simd.add_f64s(*c, *d), simd.sub_f64s(*c, *d)];
            (*a, *b) = (simd.add_f64s(even, far_even), simd.add_f64s(odd, far_odd));
            (*c, *d) = (simd.sub_f64s(even, far_even), simd.sub_f64s(odd, far_odd));
        }
        [a, b] => (*a, *b) = (simd.add_f64s(*a, *b), simd.sub_f64s(*a, *b)),
        _ => {}
    }
}

struct Scatter<'a> {
    runs: &'a Runs,
    folded: &'a mut [Field],
    values: &'a mut [f64],
}

impl Kernel for Scatter<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, _: H) {
        let Self { runs, folded, values } = self;
        match (folded, runs.is_backward) {
            ([a, b, c, d], true) => {
                unfold::<S, 4>(simd, runs.coordinates(), [a, b, c, d]);
                subtract::<S, 2, true>(simd, runs, [[a, b], [c, d]], values);
            }
            ([a, b], true) => {
                unfold::<S, 2>(simd, runs.coordinates(), [a, b]);
                subtract::<S, 1, true>(simd, runs, [[a, b]], values);
            }
            ([a, b], false) => {
                unfold::<S, 2>(simd, runs.coordinates(), [a, b]);
                subtract::<S, 2, false>(simd, runs, [[a, a], [b, b]], values);
            }
            ([a], _) => subtract::<S, 1, false>(simd, runs, [[a, a]], values),
            _ => {}
        }
    }
}

/// Entries from parities, in place.
#[inline(always)]
fn unfold<S: Simd, const N: usize>(simd: S, coordinates: Range<usize>, mut folded: [&mut [f64]; N]) {
    for first in coordinates.step_by(S::F64_LANES) {
        let mut values = [simd.splat_f64s(0.0); N];
        for (value, folded) in values.iter_mut().zip(&folded) {
            *value = at::<S>(folded, first);
        }
        sums_and_differences::<S, N>(simd, &mut values);
        for (folded, value) in folded.iter_mut().zip(values) {
            *at_mut::<S>(folded, first) = value;
        }
    }
}

/// Subtracts from every row its entry, or one forwards and one backwards.
#[inline(always)]
fn subtract<S: Simd, const ROWS: usize, const BACKWARD: bool>(
    simd: S,
    runs: &Runs,
    entries: [[&[f64]; 2]; ROWS],
    values: &mut [f64],
) {
    let [on_forward, on_backward] = &runs.scatter;
    let factors = on_forward.chunks_exact(LANES).zip(on_backward.chunks_exact(LANES));
    for (block, (on_forward, on_backward)) in runs.writes.iter().zip(factors) {
        let BlockPair { nodes, coordinates: [forward_start, backward_start] } = *block;
        let on_both = vectors::<S>(on_forward).iter().zip(vectors::<S>(on_backward));
        for (index, (&on_forward, &on_backward)) in on_both.enumerate() {
            let offset = index * S::F64_LANES;
            for row in 0..ROWS {
                let [forward, backward] = entries[row];
                let value = at_mut::<S>(values, nodes[row] + offset);
                let mut rest = mul_add(simd, on_forward, at::<S>(forward, forward_start + offset), *value);
                if BACKWARD {
                    let mirrored = at::<S>(backward, backward_start + LANES - S::F64_LANES - offset);
                    rest = mul_add(simd, on_backward, reversed::<S>(mirrored), rest);
                }
                *value = rest;
            }
        }
    }
}
