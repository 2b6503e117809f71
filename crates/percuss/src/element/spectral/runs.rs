//! Folding and unfolding of fields of the state, in vectors.
//!
//! Run         orbits whose entries follow each other in the state, those mirrored along a row of nodes backwards
//! Fold        entries, scaled → sums and differences → coordinates of each parity. A run is read in whole vectors; what lies beyond its
//!             end has factor 0, and the next run overwrites it
//! Unfold      coordinates → sums and differences → entries, scaled, subtracted row by row: a row is a run and its mirror image backwards,
//!             each with factor 0 where it has no node, so that every node is read and written once
//! Margins     windows of runs reach beyond the first and last orbit, by a row at most: fields of coordinates have as much more
//! Allocates   only in `new`

use crate::element::simd::{
    Divide, Field, Kernel, LANES, Shift, field, reversed, run, vectors, vectors_mut, whole_blocks,
};
use pulp::Simd;
use std::ops::Range;

/// Orbits whose entries follow each other.
#[derive(Clone, Debug)]
struct Run {
    orbits: Range<usize>,
    /// Lowest state index of each entry.
    starts: [usize; 4],
    /// Whole blocks of the state that hold its first row.
    row: Range<usize>,
    /// Where its factors begin.
    gather_start: usize,
    scatter_start: usize,
}

impl Run {
    /// Numbers in the vectors that hold its orbits.
    fn padded(&self) -> usize {
        whole_blocks(self.orbits.len())
    }

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

/// All orbits of a grid, as runs.
#[derive(Clone, Debug)]
pub(super) struct Runs {
    /// Entries of an orbit.
    size: usize,
    runs: Vec<Run>,
    /// Whether odd entries run backwards: those mirrored along a row of nodes.
    is_backward: bool,
    /// Factors of coordinates by run.
    gather: Field,
    /// Minus the factors of nodes, by run: those of forward and of backward entries.
    scatter: [Field; 2],
    orbits: usize,
    /// Numbers before the first orbit and after the last.
    margin: usize,
}

impl Runs {
    /// For state indices of entries, `size` for each orbit, and the factors of orbits from displacements to coordinates and back.
    pub fn new(entries: &[usize], size: usize, is_backward: bool, [gather, scatter]: [&[f64]; 2]) -> Self {
        let mut all = Self {
            size,
            runs: Vec::new(),
            is_backward,
            gather: field(0),
            scatter: [field(0), field(0)],
            orbits: gather.len(),
            margin: LANES,
        };
        let follows = |last: &[usize], next: &[usize]| {
            let mut pairs = last.iter().zip(next).enumerate();
            pairs.all(
                |(entry, (&last, &next))| {
                    if is_backward && entry % 2 == 1 { next + 1 == last } else { next == last + 1 }
                },
            )
        };
        let orbits: Vec<&[usize]> = entries.chunks_exact(size).collect();
        for run in orbits.chunk_by(|last, next| follows(last, next)) {
            all.add_run(run, [gather, scatter]);
        }
        all
    }

    fn add_run(&mut self, entries: &[&[usize]], [gather, scatter]: [&[f64]; 2]) {
        let first = self.runs.last().map_or(0, |run| run.orbits.end);
        let mut starts = [0; 4];
        for (entry, start) in starts.iter_mut().take(self.size).enumerate() {
            *start = entries[0][entry].min(entries[entries.len() - 1][entry]);
        }
        let in_row = &starts[..self.entries_per_row()];
        let [low, high] = [in_row.iter().min(), in_row.iter().max()].map(|start| start.copied().unwrap_or(0));
        let run = Run {
            orbits: first..first + entries.len(),
            starts,
            row: low / LANES * LANES..whole_blocks(high + entries.len()),
            gather_start: self.gather.len(),
            scatter_start: self.scatter[0].len(),
        };
        self.margin = self.margin.max(run.row.len());
        let of_orbit = |factors: &[f64], orbit: Option<usize>| orbit.map_or(0.0, |orbit| -factors[first + orbit]);
        self.gather.resize(run.gather_start + run.padded(), 0.0);
        self.gather[run.gather_start..][..entries.len()].copy_from_slice(&gather[run.orbits.clone()]);
        for node in run.row.clone() {
            self.scatter[0].push(of_orbit(scatter, run.forward_orbit(node)));
            self.scatter[1].push(of_orbit(scatter, run.backward_orbit(node)));
        }
        self.runs.push(run);
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
    mut folded: [&mut Field; N],
) {
    for run in &runs.runs {
        let padded = run.padded();
        let factors = vectors::<S>(&runs.gather[run.gather_start..][..padded]);
        let mut entries: [&[S::f64s]; N] = [&[]; N];
        for (entry, values_of_entry) in entries.iter_mut().enumerate() {
            let is_backward = BACKWARD && entry % 2 == 1;
            let start = if is_backward { run.starts[entry] + run.orbits.len() - padded } else { run.starts[entry] };
            *values_of_entry = &vectors::<S>(&values[start..][..padded])[..factors.len()];
        }
        for (index, &factor) in factors.iter().enumerate() {
            let mut coordinates = [simd.splat_f64s(0.0); N];
            for entry in 0..N {
                let value = if BACKWARD && entry % 2 == 1 {
                    reversed::<S>(entries[entry][factors.len() - 1 - index])
                } else {
                    entries[entry][index]
                };
                coordinates[entry] = simd.mul_f64s(factor, value);
            }
            sums_and_differences::<S, N>(simd, &mut coordinates);
            let first = runs.margin + run.orbits.start + index * S::F64_LANES;
            for (folded, coordinate) in folded.iter_mut().zip(coordinates) {
                vectors_mut::<S>(&mut folded[first..][..S::F64_LANES])[0] = coordinate;
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
        match folded {
            [a, b, c, d] => unfold::<S, 4>(simd, runs.coordinates(), [a, b, c, d]),
            [a, b] => unfold::<S, 2>(simd, runs.coordinates(), [a, b]),
            _ => {}
        }
        for run in &runs.runs {
            for (row, entries) in folded.chunks_exact(runs.entries_per_row()).enumerate() {
                subtract_row(simd, (runs, run), row, entries, values);
            }
        }
    }
}

/// Entries from parities, in place.
#[inline(always)]
fn unfold<S: Simd, const N: usize>(simd: S, coordinates: Range<usize>, mut folded: [&mut Field; N]) {
    for first in coordinates.step_by(S::F64_LANES) {
        let mut values = [simd.splat_f64s(0.0); N];
        for (value, folded) in values.iter_mut().zip(&folded) {
            *value = vectors::<S>(&folded[first..][..S::F64_LANES])[0];
        }
        sums_and_differences::<S, N>(simd, &mut values);
        for (folded, value) in folded.iter_mut().zip(values) {
            vectors_mut::<S>(&mut folded[first..][..S::F64_LANES])[0] = value;
        }
    }
}

/// Subtracts one entry of a run, or one forwards and one backwards, from its row.
#[inline(always)]
fn subtract_row<S: Simd>(simd: S, (runs, run): (&Runs, &Run), row: usize, entries: &[Field], values: &mut [f64]) {
    let (length, first) = (run.row.len(), runs.margin + run.orbits.start);
    // Where the first node of the row, and the last one backwards, lie in the coordinates.
    let forward_start = first - (run.starts[0] - run.row.start);
    let row_start = run.starts[row * entries.len()] - (run.starts[0] - run.row.start);
    let values = vectors_mut::<S>(&mut values[row_start..][..length]);
    let factors =
        runs.scatter.each_ref().map(|factors| &vectors::<S>(&factors[run.scatter_start..][..length])[..values.len()]);
    let forward = &vectors::<S>(&entries[0][forward_start..][..length])[..values.len()];
    match entries {
        [_, backward] => {
            let backward_start = first + run.orbits.len() + run.starts[1] - run.row.end;
            let backward = &vectors::<S>(&backward[backward_start..][..length])[..values.len()];
            for (index, value) in values.iter_mut().enumerate() {
                let mirrored = reversed::<S>(backward[forward.len() - 1 - index]);
                let rest = simd.mul_add_f64s(factors[0][index], forward[index], *value);
                *value = simd.mul_add_f64s(factors[1][index], mirrored, rest);
            }
        }
        _ => {
            for (index, value) in values.iter_mut().enumerate() {
                *value = simd.mul_add_f64s(factors[0][index], forward[index], *value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::simd::ByLane;
    use crate::element::spectral::fold::Fold;
    use crate::element::spectral::operator::{GridOperator, Mirrors};
    use proptest::prelude::*;

    const SIGMA: f64 = 40.0;
    const K: f64 = 1e-3;

    /// Nodes (column, row) of a grid that is symmetric about both axes: a rectangle, or a disc in it.
    fn grid([columns, rows]: [usize; 2], is_round: bool) -> Vec<(usize, usize)> {
        let distance = |i: usize, count: usize| (2.0 * i as f64 + 1.0) / count as f64 - 1.0;
        let all = (0..rows).flat_map(|j| (0..columns).map(move |i| (i, j)));
        all.filter(|&(i, j)| !is_round || distance(i, columns).hypot(distance(j, rows)) < 1.0).collect()
    }

    fn mirrors(nodes: &[(usize, usize)], [columns, rows]: [usize; 2], is_mirrored: [bool; 2]) -> Mirrors {
        [0, 1].map(|axis| {
            let image = |&(i, j): &(usize, usize)| if axis == 0 { (columns - 1 - i, j) } else { (i, rows - 1 - j) };
            let images = nodes.iter().map(|node| nodes.iter().position(|other| *other == image(node)).unwrap());
            is_mirrored[axis].then(|| images.collect())
        })
    }

    proptest! {
        #[test]
        fn vectors_of_every_width_fold_and_unfold_as_single_nodes_do(
            size in [3..40_usize, 3..12_usize],
            is_round in any::<bool>(),
            is_mirrored in any::<[bool; 2]>(),
            offset in 0..8_usize,
            random in prop::collection::vec(-1.0..1.0, 997),
        ) {
            let nodes = grid(size, is_round);
            let stride = whole_blocks(size[0] + offset);
            let indices: Vec<usize> = nodes.iter().map(|&(i, j)| (2 + j) * stride + offset + i).collect();
            let count = (size[1] + 4) * stride + LANES;
            let any = |index: usize, part: usize| random[(7 * index + 131 * part) % random.len()];
            // Mirror images have the same mass.
            let mirrors = mirrors(&nodes, size, is_mirrored);
            let image = |node: usize, axis: usize| mirrors[axis].as_ref().map_or(node, |images| images[node]);
            let orbit = |node: usize| [node, image(node, 0), image(node, 1), image(image(node, 0), 1)];
            let mass: Vec<f64> = (0..nodes.len()).map(|n| 1.5 + any(orbit(n).into_iter().min().unwrap(), 0)).collect();
            let grid =
                GridOperator { nodes: &indices, mass: &mass, stiffness: &[], mirrors: mirrors.clone(), sigma0: SIGMA, max_damping: 0.0, k: K };
            let fold = Fold::new(&grid);
            let values: Vec<f64> = (0..count).map(|index| any(index, 1)).collect();
            let runs = fold.runs();
            let [mut widest, mut narrowest] = [runs.fields(), runs.fields()];
            runs.fold(Machine::new(false), &values, &mut widest);
            Gather { runs, values: &values, folded: &mut narrowest }.run(pulp::Scalar, ByLane);
            for parity in 0..fold.parities() {
                let expected = fold.coordinates(parity, |node| values[indices[node]]);
                for folded in [&widest, &narrowest].map(|fields| &fields[parity][runs.coordinates()]) {
                    for (orbit, found) in folded.iter().enumerate() {
                        let expected = expected.get(orbit).copied().unwrap_or(0.0);
                        prop_assert!((found - expected).abs() <= 1e-14 * 10.0, "{parity} {orbit}: {expected} {found}");
                    }
                }
            }

            let coordinates: Vec<Vec<f64>> = (0..fold.parities())
                .map(|parity| (0..fold.orbits()).map(|orbit| any(orbit, 2 + parity)).collect())
                .collect();
            let mut expected = values.clone();
            for (parity, coordinates) in coordinates.iter().enumerate() {
                for (node, change) in fold.unfold(parity, coordinates).into_iter().enumerate() {
                    expected[indices[node]] -= change / (1.0 + SIGMA * K);
                }
            }
            let filled = || {
                let mut fields = runs.fields();
                for (field, coordinates) in fields.iter_mut().zip(&coordinates) {
                    field[runs.coordinates()][..coordinates.len()].copy_from_slice(coordinates);
                }
                fields
            };
            let [mut widest, mut narrowest] = [values.clone(), values.clone()];
            runs.subtract_unfolded(Machine::new(false), &mut filled(), &mut widest);
            Scatter { runs, folded: &mut filled(), values: &mut narrowest }.run(pulp::Scalar, ByLane);
            for (index, expected) in expected.iter().enumerate() {
                for found in [widest[index], narrowest[index]] {
                    prop_assert!((found - expected).abs() <= 1e-14 * 10.0, "{index}: {expected} {found}");
                }
            }
        }
    }
}
