//! The uniform update of a plate, in the widest vectors the machine has.
//!
//! Update      u ← u + du,  q = d·du − b·Δu,  du⁺ = a·du + Δq + e·Δu,  Δ the four neighbours less the node's own, each: a
//!             plate that drifts far while it rings bends by differences, which stay exact however far it is
//! Order       a few rows at a time, so that q stays in the nearest cache: first u and q, then du⁺ of the rows whose
//!             neighbours have their q. Rows follow each other without a gap: one loop runs over several
//! Edges       a row of nodes held fast next to the first or the last that moves has q = −s·b·Δu, s = 0 where it is supported
//!             and 2 where it is clamped; the same along columns is a pull on the node next to them (`Fringe`); what else
//!             edges change is mended afterwards (`plate_rim`)
//! Symbols     a, b, d, e coefficients of the update, grid spacing included
//! Allocates   no

use super::Rates;
use super::vectors::{Block, Kernel, LANES, Shift, run, vectors, vectors_mut};
use pulp::{Arch, Simd};
use std::cell::Cell;
use std::ops::Range;

/// Blocks of q in work at a time: about 10 kB.
const CHUNK: usize = 150;

/// The uniform update and the rows it covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Uniform {
    pub rates: Rates,
    /// State nodes from one row to the next: whole blocks.
    pub stride: usize,
    /// First node of the row before the first that moves, on a block.
    pub start: usize,
    /// How many rows move.
    pub rows: usize,
    /// s of the rows before the first and after the last that moves.
    pub edges: [f64; 2],
}

/// The fields of the update, as the state has them.
pub(super) struct Fields<'a> {
    pub u: &'a mut [f64],
    /// du, then du⁺.
    pub du: &'a mut [f64],
    /// Room for q, see [`Uniform::scratch`].
    pub q: &'a mut [f64],
}

/// What edges change in the same block of every row: du⁺ ← m·(du⁺ + s·u).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fringe {
    /// Where in its row the block is.
    pub offset: usize,
    /// m: 1 for nodes that move, 0 for those that do not.
    pub moves: Block,
    /// s: how much a held edge pulls at a node next to it.
    pub pull: Block,
}

struct Sweep<'a> {
    uniform: Uniform,
    fringes: &'a [Fringe],
    fields: Fields<'a>,
}

impl Uniform {
    /// Nodes of room that q needs: a block, the two rows before those in work, and these.
    pub fn scratch(&self) -> usize {
        LANES + (2 + self.chunk()) * self.stride + LANES
    }

    /// Rows in work at a time.
    fn chunk(&self) -> usize {
        (CHUNK * LANES / self.stride).max(1)
    }

    /// What the held rows before the first and after the last that moves add to the diagonal of the row that starts at
    /// a node.
    pub fn edge_pull(&self, node: usize) -> f64 {
        let row = (node - self.start) / self.stride;
        let low = if row == 1 { 1.0 - self.edges[0] } else { 0.0 };
        let high = if row == self.rows { 1.0 - self.edges[1] } else { 0.0 };
        self.rates.bend * (low + high)
    }

    /// Brings u up to date and turns du into du⁺ in all rows that move, padding and held nodes among them included.
    pub fn apply(&self, arch: Arch, fringes: &[Fringe], fields: Fields<'_>) {
        run(arch, Sweep { uniform: *self, fringes, fields });
    }
}

impl Kernel for Sweep<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S>>(mut self, simd: S, shift: H) {
        // Rows are counted from the one before the first that moves to the one after the last.
        let (rows, chunk) = (self.uniform.rows + 2, self.uniform.chunk());
        for first in (0..rows).step_by(chunk) {
            let rows = first..(first + chunk).min(rows);
            if self.uniform.rates.stretch == 0.0 {
                self.chunk::<S, H, false>(simd, shift, rows);
            } else {
                self.chunk::<S, H, true>(simd, shift, rows);
            }
        }
    }
}

impl Sweep<'_> {
    /// q of some rows, then du⁺ of those one row back.
    #[inline(always)]
    fn chunk<S: Simd, H: Shift<S>, const TENSE: bool>(&mut self, simd: S, shift: H, rows: Range<usize>) {
        self.curve::<S, H, TENSE>(simd, shift, rows.clone());
        for (row, curved) in [0, self.uniform.rows + 1].into_iter().zip(self.uniform.edges) {
            if rows.contains(&row) {
                self.hold::<S, TENSE>(simd, row, rows.start, curved);
            }
        }
        let done = rows.start.max(2) - 1..rows.end - 1;
        self.push::<S, H, TENSE>(simd, shift, done.clone(), rows.start);
        for fringe in self.fringes {
            self.trim(simd, fringe, done.clone());
        }
        if rows.end == self.uniform.rows + 2 {
            return;
        }
        let (stride, count) = (self.uniform.stride, rows.len());
        self.fields.q.copy_within(LANES + count * stride..LANES + (count + 2) * stride, LANES);
    }

    /// Sees to a row before the first or after the last that moves: its q is as its edge has it, and it stays put.
    #[inline(always)]
    fn hold<S: Simd, const TENSE: bool>(&mut self, simd: S, row: usize, from: usize, curved: f64) {
        let Uniform { stride, start, .. } = self.uniform;
        let curved = simd.splat_f64s(curved);
        let q = &mut self.fields.q[LANES + (2 + row - from) * stride..][..stride];
        vectors_mut::<S>(q).iter_mut().for_each(|q| *q = simd.mul_f64s(*q, curved));
        if TENSE {
            self.fields.du[start + row * stride..][..stride].fill(0.0);
        }
    }

    /// Brings u of the rows after these up to date, and sets q of these (and du⁺ but for Δq, where there is tension).
    #[inline(always)]
    fn curve<S: Simd, H: Shift<S>, const TENSE: bool>(&mut self, simd: S, shift: H, rows: Range<usize>) {
        let Uniform { rates: Rates { stay, bend, drag, stretch }, stride, start, .. } = self.uniform;
        let (first, length) = (start + rows.start * stride, rows.len() * stride);
        let (row, at, count) = (stride / S::F64_LANES, first / S::F64_LANES, length / S::F64_LANES);
        let u = Cell::from_mut(vectors_mut::<S>(self.fields.u)).as_slice_of_cells();
        let du = Cell::from_mut(vectors_mut::<S>(self.fields.du)).as_slice_of_cells();
        let (up, down, after) = (&u[at + row..][..count], &u[at - row..][..count], &u[at + 1..][..count]);
        let (step, up_step) = (&du[at..][..count], &du[at + row..][..count]);
        let q = &mut vectors_mut::<S>(&mut self.fields.q[LANES + 2 * stride..][..length])[..count];
        let (b, drag) = (simd.splat_f64s(-bend), simd.splat_f64s(drag));
        let (stay, stretch) = (simd.splat_f64s(stay), simd.splat_f64s(stretch));
        let (mut before, mut here) = (u[at - 1].get(), u[at].get());
        for i in 0..count {
            let above = simd.add_f64s(up[i].get(), up_step[i].get());
            up[i].set(above);
            let beyond = after[i].get();
            let less = |other: S::f64s| simd.sub_f64s(other, here);
            let across = simd.add_f64s(less(shift.left(before, here)), less(shift.right(here, beyond)));
            let curve = simd.add_f64s(across, simd.add_f64s(less(down[i].get()), less(above)));
            let moved = step[i].get();
            q[i] = simd.mul_add_f64s(b, curve, simd.mul_f64s(drag, moved));
            if TENSE {
                step[i].set(simd.mul_add_f64s(stretch, curve, simd.mul_f64s(stay, moved)));
            }
            (before, here) = (here, beyond);
        }
    }

    /// Lets the edges act on a block of some rows.
    #[inline(always)]
    fn trim<S: Simd>(&mut self, simd: S, fringe: &Fringe, rows: Range<usize>) {
        let Uniform { stride, start, .. } = self.uniform;
        let (moves, pull) = (vectors::<S>(&fringe.moves), vectors::<S>(&fringe.pull));
        for i in 0..LANES / S::F64_LANES {
            let (moves, pull) = (moves[i], pull[i]);
            for row in rows.clone() {
                let node = start + row * stride + fringe.offset;
                let u = vectors::<S>(&self.fields.u[node..][..LANES])[i];
                let du = &mut vectors_mut::<S>(&mut self.fields.du[node..][..LANES])[i];
                *du = simd.mul_f64s(moves, simd.mul_add_f64s(pull, u, *du));
            }
        }
    }

    /// Sets du⁺ of rows whose neighbours have their q; `from` is the first row of the chunk.
    #[inline(always)]
    fn push<S: Simd, H: Shift<S>, const TENSE: bool>(&mut self, simd: S, shift: H, rows: Range<usize>, from: usize) {
        if rows.is_empty() {
            return;
        }
        let Uniform { rates: Rates { stay, .. }, stride, start, .. } = self.uniform;
        let (first, length) = (start + rows.start * stride, rows.len() * stride);
        let (row, count) = (stride / S::F64_LANES, length / S::F64_LANES);
        let q = vectors::<S>(self.fields.q);
        let at = (LANES + (rows.start + 2 - from) * stride) / S::F64_LANES;
        let (up, down, after) = (&q[at + row..][..count], &q[at - row..][..count], &q[at + 1..][..count]);
        let step = &mut vectors_mut::<S>(&mut self.fields.du[first..][..length])[..count];
        let (stay, minus_four) = (simd.splat_f64s(stay), simd.splat_f64s(-4.0));
        let (mut before, mut here) = (q[at - 1], q[at]);
        for i in 0..count {
            let beyond = after[i];
            let across = simd.add_f64s(shift.left(before, here), shift.right(here, beyond));
            let around = simd.add_f64s(across, simd.add_f64s(down[i], up[i]));
            let spread = simd.mul_add_f64s(minus_four, here, around);
            step[i] = if TENSE { simd.add_f64s(step[i], spread) } else { simd.mul_add_f64s(stay, step[i], spread) };
            (before, here) = (here, beyond);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::vectors::{ByLane, field, whole_blocks};
    use super::*;
    use proptest::prelude::*;

    /// The fields of a plate of some rows and columns, rows 0 and `rows` + 1 held, at random inside.
    struct Case {
        uniform: Uniform,
        columns: usize,
        u: Vec<f64>,
        du: Vec<f64>,
    }

    impl Case {
        fn new(columns: usize, rows: usize, tense: bool, edges: [f64; 2], seed: u64) -> Self {
            let mut noise = seed;
            let mut random = || {
                noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (noise >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
            };
            let stride = whole_blocks(columns + 2);
            let start = LANES + stride;
            let stretch = if tense { random() } else { 0.0 };
            let (stay, bend, drag) = (random(), random(), random());
            let uniform = Uniform { rates: Rates { stay, bend, drag, stretch }, stride, start, rows, edges };
            let mut case = Self { uniform, columns, u: vec![0.0; start + (rows + 4) * stride + LANES], du: Vec::new() };
            case.du = case.u.clone();
            for (i, j) in case.nodes() {
                let node = case.node(i, j);
                (case.u[node], case.du[node]) = (random(), random());
            }
            case
        }

        /// Nodes that move: columns 1 to `columns`, rows 1 to `rows`.
        fn nodes(&self) -> Vec<(usize, usize)> {
            let all = (1..=self.uniform.rows).flat_map(|j| (1..=self.columns).map(move |i| (i, j)));
            all.filter(|&(i, _)| i < self.uniform.stride - 1).collect()
        }

        fn node(&self, i: usize, j: usize) -> usize {
            self.uniform.start + j * self.uniform.stride + i
        }

        /// The equations of the head of this file, node by node.
        fn plain(&self) -> Vec<f64> {
            let Uniform { rates: Rates { stay, bend, drag, stretch }, stride, rows, edges, .. } = self.uniform;
            let u: Vec<f64> = self.u.iter().zip(&self.du).map(|(u, du)| u + du).collect();
            let around = |x: &[f64], at: usize| x[at - 1] + x[at + 1] + x[at - stride] + x[at + stride] - 4.0 * x[at];
            let mut q = vec![0.0; u.len()];
            for j in 0..=rows + 1 {
                let curved = if j == 0 {
                    edges[0]
                } else if j == rows + 1 {
                    edges[1]
                } else {
                    1.0
                };
                let row = self.node(0, j)..self.node(0, j + 1);
                for (at, q) in row.clone().zip(&mut q[row]) {
                    *q = curved * (drag * self.du[at] - bend * around(&u, at));
                }
            }
            let next = |(i, j): (usize, usize)| {
                let at = self.node(i, j);
                stay * self.du[at] + around(&q, at) + stretch * around(&u, at)
            };
            self.nodes().into_iter().map(next).collect()
        }

        /// The same by a kernel.
        fn swept(&self, run: impl FnOnce(Sweep<'_>)) -> Vec<f64> {
            let (mut u, mut du, mut q) = (field(0), field(0), field(self.uniform.scratch()));
            self.u.iter().for_each(|&x| u.push(x));
            self.du.iter().for_each(|&x| du.push(x));
            let fields = Fields { u: &mut u, du: &mut du, q: &mut q };
            run(Sweep { uniform: self.uniform, fringes: &[], fields });
            self.nodes().into_iter().map(|(i, j)| du[self.node(i, j)]).collect()
        }
    }

    proptest! {
        #[test]
        fn vectors_of_every_width_agree_with_the_equations(
            columns in 1..70_usize,
            rows in 1..40_usize,
            tense in any::<bool>(),
            edges in [0..3_u8, 0..3_u8],
            seed in any::<u64>(),
        ) {
            let case = Case::new(columns, rows, tense, edges.map(f64::from), seed);
            let plain = case.plain();
            let widest = case.swept(|sweep| run(Arch::new(), sweep));
            let narrowest = case.swept(|sweep| sweep.run(pulp::Scalar, ByLane));
            for ((a, b), c) in plain.iter().zip(&widest).zip(&narrowest) {
                // Sums of thirty terms, of which none exceeds 40.
                prop_assert!((a - b).abs() <= 1e-13 * 40.0 && (a - c).abs() <= 1e-13 * 40.0, "{a} {b} {c}");
            }
        }
    }
}
