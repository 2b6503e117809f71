//! Corrections of the uniform update at edges, by half blocks.
//!
//! Mask        du⁺ ← m·(du⁺ + s·u): m is 0 for fixed nodes, s what a fixed edge adds to the diagonal of a node next to it
//! Patch       du⁺ = Σ cₚ(uₚ − u) + h·u + Σ dₚduₚ over the thirteen points of the stencil: nodes with a row of their own,
//!             next to a free edge or a rim. h is the sum of the row, other than 0 next to fixed nodes
//! Most half blocks along an edge have the same values: distinct ones are stored once. Those of a row of nodes are applied
//! together, so that the rows around it are sliced once.
//! Allocates   only in `mask` and `patch`

use crate::element::plate::stencil::operands::EdgeMask;
use crate::element::simd::{LANES, Machine, mul_add, vectors, vectors_mut};
use pulp::{Simd, WithSimd};

/// Offsets of the thirteen points of the stencil, as (di, dj).
pub(crate) const POINTS: [(isize, isize); 13] =
    [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1), (-2, 0), (2, 0), (0, -2), (0, 2)];

/// Nodes in half a block. An edge changes the update of two nodes, so larger groups would compute in vain.
pub(crate) const HALF: usize = LANES / 2;

/// A value per node of half a block.
type Values = [f64; HALF];

/// Update of one node near an edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeRow {
    pub on_u: [f64; 13],
    pub on_du: [f64; 5],
    /// Sum of `on_u`.
    pub row_sum: f64,
}

/// Correction of half a block whose rows differ on the diagonal only.
#[derive(Clone, Debug, PartialEq)]
struct NodeMask {
    /// m.
    moves: Values,
    /// s.
    diagonal: Values,
}

/// The updates of half a block of nodes with rows of their own.
#[derive(Clone, Debug, PartialEq)]
struct Patch {
    on_u: [Values; 12],
    on_du: [Values; 5],
    /// h.
    row_sum: Values,
}

/// Interned values: positions, and an index into the distinct values.
#[derive(Clone, Debug)]
struct Interned<T> {
    entries: Vec<(usize, usize)>,
    values: Vec<T>,
}

impl<T: PartialEq> Interned<T> {
    fn new() -> Self {
        Self { entries: Vec::new(), values: Vec::new() }
    }

    fn push(&mut self, node: usize, value: T) {
        let known = self.values.iter().rposition(|other| *other == value);
        let index = known.unwrap_or_else(|| {
            self.values.push(value);
            self.values.len() - 1
        });
        self.entries.push((node, index));
    }

    fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        self.entries.iter().map(|&(node, value_index)| (node, &self.values[value_index]))
    }
}

/// The half blocks that edges change.
#[derive(Clone, Debug)]
pub(crate) struct Boundary {
    masks: Interned<NodeMask>,
    /// By their offset in the row.
    patches: Interned<Patch>,
    /// The rows that have patches: their first node, and how many patches there are up to their end.
    rows: Vec<(usize, usize)>,
    /// State nodes from one row to the next.
    stride: usize,
}

impl Boundary {
    pub fn new(stride: usize) -> Self {
        Self { masks: Interned::new(), patches: Interned::new(), rows: Vec::new(), stride }
    }

    /// The half block from `node` on: what the diagonals of the nodes that move gain, `None` for fixed nodes.
    pub fn mask(&mut self, node: usize, diagonals: [Option<f64>; HALF]) {
        let moves = diagonals.map(|diagonal| if diagonal.is_some() { 1.0 } else { 0.0 });
        let mask = NodeMask { moves, diagonal: diagonals.map(|diagonal| diagonal.unwrap_or(0.0)) };
        if mask != (NodeMask { moves: [1.0; HALF], diagonal: [0.0; HALF] }) {
            self.masks.push(node, mask);
        }
    }

    /// The half block from `offset` on in the row of nodes that starts at `first`: the rows of the nodes that move, `None`
    /// for those that do not.
    pub fn patch(&mut self, first: usize, offset: usize, rows: [Option<EdgeRow>; HALF]) {
        let of = |value: &dyn Fn(&EdgeRow) -> f64| rows.map(|row| row.as_ref().map_or(0.0, value));
        let patch = Patch {
            on_u: std::array::from_fn(|p| of(&|row| row.on_u[p + 1])),
            on_du: std::array::from_fn(|p| of(&|row| row.on_du[p])),
            row_sum: of(&|row| row.row_sum),
        };
        self.patches.push(offset, patch);
        let patch_end = self.patches.entries.len();
        match self.rows.last_mut().filter(|row| row.0 == first) {
            Some(row) => row.1 = patch_end,
            None => self.rows.push((first, patch_end)),
        }
    }

    /// Removes the masks and returns them as one, where they are the same in all rows and fix nodes of the first and the last
    /// block only. The first row starts at state node `first`. `bending` is b of the uniform update.
    pub fn take_mask(&mut self, first: usize, rows: usize, bending: f64) -> EdgeMask {
        let stride = self.stride;
        let mut by_row: Vec<Vec<(usize, &NodeMask)>> = vec![Vec::new(); rows];
        for (node, mask) in self.masks.iter().filter(|(node, _)| (first..first + rows * stride).contains(node)) {
            by_row[(node - first) / stride].push(((node - first) % stride, mask));
        }
        let mut edges = EdgeMask::none(stride);
        let in_all_rows = by_row.iter().all(|row| *row == by_row[0]);
        let fixes_inner_node =
            |(offset, mask): &(usize, &NodeMask)| (LANES..stride - LANES).contains(offset) && mask.moves.contains(&0.0);
        if !in_all_rows || by_row[0].iter().any(fixes_inner_node) {
            return edges;
        }
        let mut diagonal = vec![0.0; stride];
        for &(offset, mask) in &by_row[0] {
            edges.moves[offset..][..HALF].copy_from_slice(&mask.moves);
            diagonal[offset..][..HALF].copy_from_slice(&mask.diagonal);
        }
        // The diagonal of a node gains q of the fixed node beside it, which is −s·b·u instead of −b·u.
        for (node, diagonal) in diagonal.into_iter().enumerate().filter(|(_, diagonal)| *diagonal != 0.0) {
            let fixed = if node > 0 && edges.moves[node - 1] == 0.0 { node - 1 } else { node + 1 };
            edges.q_scale[fixed] -= diagonal / bending;
        }
        self.masks = Interned::new();
        edges
    }

    /// Whether it needs du, and not only du⁺.
    pub fn needs_previous(&self) -> bool {
        !self.patches.entries.is_empty()
    }

    /// Whether it changes anything.
    pub fn is_active(&self) -> bool {
        !(self.masks.entries.is_empty() && self.patches.entries.is_empty())
    }

    /// Corrects du⁺.
    pub fn apply(&self, machine: Machine, u: &[f64], du: &[f64], du_next: &mut [f64]) {
        machine.half().dispatch(BoundaryKernel { boundary: self, u, du, du_next });
    }
}

/// The correction kernel.
struct BoundaryKernel<'a> {
    boundary: &'a Boundary,
    u: &'a [f64],
    du: &'a [f64],
    du_next: &'a mut [f64],
}

impl WithSimd for BoundaryKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (node, NodeMask { moves, diagonal }) in self.boundary.masks.iter() {
            let next = vectors_mut::<S>(&mut self.du_next[node..][..HALF]).iter_mut();
            let u = vectors::<S>(&self.u[node..][..HALF]);
            for (((next, u), moves), diagonal) in next.zip(u).zip(vectors::<S>(moves)).zip(vectors::<S>(diagonal)) {
                *next = simd.mul_f64s(*moves, mul_add(simd, *diagonal, *u, *next));
            }
        }
        let Interned { entries, values } = &self.boundary.patches;
        let mut patch_start = 0;
        for &(first, patch_end) in &self.boundary.rows {
            let padded = PaddedRows { first, stride: self.boundary.stride };
            let Self { u, du, .. } = self;
            let u = [padded.row(u, -2), padded.row(u, -1), padded.row(u, 0), padded.row(u, 1), padded.row(u, 2)];
            let du = [padded.row(du, -1), padded.row(du, 0), padded.row(du, 1)];
            let next = padded.row_mut(self.du_next);
            for &(offset, value_index) in &entries[patch_start..patch_end] {
                let (u, du) = (FiveRows::new(u, offset), ThreeRows::new(du, offset));
                let next: &mut [f64; HALF + 4] = next[offset..].first_chunk_mut().expect("rows have room around them");
                for (i, next) in vectors_mut::<S>(&mut next[2..][..HALF]).iter_mut().enumerate() {
                    *next = values[value_index].apply(simd, &u, &du, i);
                }
            }
            patch_start = patch_end;
        }
    }
}

/// Rows of nodes, each with two more nodes at either end: of one length, so that an offset is checked once for all.
#[derive(Clone, Copy)]
struct PaddedRows {
    first: usize,
    stride: usize,
}

impl PaddedRows {
    #[inline(always)]
    fn start(self, row: isize) -> usize {
        (self.first - 2).wrapping_add_signed(row * self.stride as isize)
    }

    #[inline(always)]
    fn row(self, x: &[f64], row: isize) -> &[f64] {
        &x[self.start(row)..][..self.stride + 4]
    }

    #[inline(always)]
    fn row_mut(self, x: &mut [f64]) -> &mut [f64] {
        &mut x[self.start(0)..][..self.stride + 4]
    }
}

/// The nodes of half a block of a row, with two more at either end.
#[inline(always)]
fn nodes(row: &[f64], offset: usize) -> &[f64; HALF + 4] {
    row[offset..].first_chunk().expect("rows have room around them")
}

/// The nodes within the stencil of half a block: two columns and two rows further each way.
struct FiveRows<'a>([&'a [f64; HALF + 4]; 5]);

/// The nodes around half a block that enter its damping term.
struct ThreeRows<'a>([&'a [f64; HALF + 4]; 3]);

impl<'a> FiveRows<'a> {
    #[inline(always)]
    fn new([a, b, c, d, e]: [&'a [f64]; 5], offset: usize) -> Self {
        Self([nodes(a, offset), nodes(b, offset), nodes(c, offset), nodes(d, offset), nodes(e, offset)])
    }

    /// Nodes of a point of the stencil.
    #[inline(always)]
    fn at(&self, point: usize) -> &[f64] {
        let (di, dj) = POINTS[point];
        &self.0[2_usize.wrapping_add_signed(dj)][2_usize.wrapping_add_signed(di)..][..HALF]
    }
}

impl<'a> ThreeRows<'a> {
    #[inline(always)]
    fn new([a, b, c]: [&'a [f64]; 3], offset: usize) -> Self {
        Self([nodes(a, offset), nodes(b, offset), nodes(c, offset)])
    }

    /// Nodes of a point of the stencil.
    #[inline(always)]
    fn at(&self, point: usize) -> &[f64] {
        let (di, dj) = POINTS[point];
        &self.0[1_usize.wrapping_add_signed(dj)][2_usize.wrapping_add_signed(di)..][..HALF]
    }
}

impl Patch {
    /// du⁺ of vector i.
    #[inline(always)]
    fn apply<S: Simd>(&self, simd: S, u: &FiveRows<'_>, du: &ThreeRows<'_>, i: usize) -> S::f64s {
        let own = vectors::<S>(u.at(0))[i];
        let mut first_sum = simd.mul_f64s(vectors::<S>(&self.row_sum)[i], own);
        let mut second_sum = simd.splat_f64s(0.0);
        for point in (0..12).step_by(2) {
            let one = simd.sub_f64s(vectors::<S>(u.at(point + 1))[i], own);
            let other = simd.sub_f64s(vectors::<S>(u.at(point + 2))[i], own);
            first_sum = mul_add(simd, vectors::<S>(&self.on_u[point])[i], one, first_sum);
            second_sum = mul_add(simd, vectors::<S>(&self.on_u[point + 1])[i], other, second_sum);
        }
        for (point, factor) in self.on_du.iter().enumerate() {
            second_sum = mul_add(simd, vectors::<S>(factor)[i], vectors::<S>(du.at(point))[i], second_sum);
        }
        simd.add_f64s(first_sum, second_sum)
    }
}
