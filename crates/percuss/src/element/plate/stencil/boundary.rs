//! Corrections of the uniform update at edges, by half blocks.
//!
//! Mask        du⁺ ← m·(du⁺ + s·u): nodes that are held stay put (m = 0), a held edge next to a node pulls at it (s)
//! Patch       du⁺ = Σ cₚ(uₚ − u) + h·u + Σ dₚduₚ over the thirteen points of the stencil: nodes with a row of their own,
//!             next to a free edge or a rim. h is the sum of the row: how much the edge holds the node in place
//! Half blocks along an edge look alike: each kind is kept once. Those of a row of nodes are applied together, so that the rows
//! around it are cut out once.
//! Allocates   only in `mask` and `patch`

use crate::element::plate::stencil::operands::EdgeMask;
use crate::element::simd::{LANES, half, vectors, vectors_mut};
use pulp::{Arch, Simd, WithSimd};

/// Offsets of the thirteen points of the stencil, as (di, dj).
pub(crate) const POINTS: [(isize, isize); 13] =
    [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1), (-2, 0), (2, 0), (0, -2), (0, 2)];

/// Nodes in half a block: what an edge changes reaches two nodes far, so that larger groups would be wasteful.
pub(crate) const HALF: usize = LANES / 2;

/// A value per node of half a block.
type Values = [f64; HALF];

/// Update of one node near an edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeRow {
    pub on_u: [f64; 13],
    pub on_du: [f64; 5],
    /// Sum of `on_u`.
    pub hold: f64,
}

#[derive(Clone, Debug, PartialEq)]
struct Mask {
    moves: Values,
    pull: Values,
}

#[derive(Clone, Debug, PartialEq)]
struct Patch {
    on_u: [Values; 12],
    on_du: [Values; 5],
    hold: Values,
}

/// Interned values: positions, and an index into the distinct values.
#[derive(Clone, Debug)]
struct Interned<T> {
    at: Vec<(usize, usize)>,
    kinds: Vec<T>,
}

impl<T: PartialEq> Interned<T> {
    fn new() -> Self {
        Self { at: Vec::new(), kinds: Vec::new() }
    }

    fn push(&mut self, node: usize, kind: T) {
        let known = self.kinds.iter().rposition(|other| *other == kind);
        let index = known.unwrap_or_else(|| {
            self.kinds.push(kind);
            self.kinds.len() - 1
        });
        self.at.push((node, index));
    }

    fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        self.at.iter().map(|&(node, kind)| (node, &self.kinds[kind]))
    }
}

/// The half blocks that edges change.
#[derive(Clone, Debug)]
pub(crate) struct Boundary {
    masks: Interned<Mask>,
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

    /// The half block from `node` on: what the nodes that move are pulled with, `None` for those that do not.
    pub fn mask(&mut self, node: usize, pulls: [Option<f64>; HALF]) {
        let moves = pulls.map(|pull| if pull.is_some() { 1.0 } else { 0.0 });
        let mask = Mask { moves, pull: pulls.map(|pull| pull.unwrap_or(0.0)) };
        if mask != (Mask { moves: [1.0; HALF], pull: [0.0; HALF] }) {
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
            hold: of(&|row| row.hold),
        };
        self.patches.push(offset, patch);
        let until = self.patches.at.len();
        match self.rows.last_mut().filter(|row| row.0 == first) {
            Some(row) => row.1 = until,
            None => self.rows.push((first, until)),
        }
    }

    /// Takes away the masks where they are the same in all rows, the first of which starts at a node, and hold nothing but
    /// nodes of the first block and of the last. `bending` is b of the uniform update.
    pub fn take_mask(&mut self, first: usize, rows: usize, bending: f64) -> EdgeMask {
        let stride = self.stride;
        let of_row = |row: usize| {
            let start = first + row * stride;
            let within = move |(node, _): &(usize, &Mask)| (start..start + stride).contains(node);
            self.masks.iter().filter(within).map(move |(node, mask)| (node - start, mask))
        };
        let mut edges = EdgeMask::none(stride);
        let in_all_rows = (1..rows).all(|row| of_row(row).eq(of_row(0)));
        let holds_within =
            |(offset, mask): (usize, &Mask)| (LANES..stride - LANES).contains(&offset) && mask.moves.contains(&0.0);
        if !in_all_rows || of_row(0).any(holds_within) {
            return edges;
        }
        let mut pull = vec![0.0; stride];
        for (offset, mask) in of_row(0) {
            edges.moves[offset..][..HALF].copy_from_slice(&mask.moves);
            pull[offset..][..HALF].copy_from_slice(&mask.pull);
        }
        // What pulls at a node is q of a held one beside it, which is −s·b·u instead of −b·u.
        for (node, pull) in pull.into_iter().enumerate().filter(|(_, pull)| *pull != 0.0) {
            let held = if node > 0 && edges.moves[node - 1] == 0.0 { node - 1 } else { node + 1 };
            edges.curved[held] -= pull / bending;
        }
        self.masks = Interned::new();
        edges
    }

    /// Whether it needs du, and not only du⁺.
    pub fn needs_previous(&self) -> bool {
        !self.patches.at.is_empty()
    }

    /// Whether it changes anything.
    pub fn acts(&self) -> bool {
        !(self.masks.at.is_empty() && self.patches.at.is_empty())
    }

    /// Corrects du⁺.
    pub fn apply(&self, arch: Arch, u: &[f64], du: &[f64], du_next: &mut [f64]) {
        half(arch).dispatch(Mend { rim: self, u, du, du_next });
    }
}

struct Mend<'a> {
    rim: &'a Boundary,
    u: &'a [f64],
    du: &'a [f64],
    du_next: &'a mut [f64],
}

impl WithSimd for Mend<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (node, Mask { moves, pull }) in self.rim.masks.iter() {
            let next = vectors_mut::<S>(&mut self.du_next[node..][..HALF]).iter_mut();
            let u = vectors::<S>(&self.u[node..][..HALF]);
            for (((next, u), moves), pull) in next.zip(u).zip(vectors::<S>(moves)).zip(vectors::<S>(pull)) {
                *next = simd.mul_f64s(*moves, simd.mul_add_f64s(*pull, *u, *next));
            }
        }
        let Interned { at, kinds } = &self.rim.patches;
        let mut done = 0;
        for &(first, until) in &self.rim.rows {
            let room = Room { first, stride: self.rim.stride };
            let Self { u, du, .. } = self;
            let u = [room.of(u, -2), room.of(u, -1), room.of(u, 0), room.of(u, 1), room.of(u, 2)];
            let du = [room.of(du, -1), room.of(du, 0), room.of(du, 1)];
            let next = room.of_mut(self.du_next);
            for &(offset, kind) in &at[done..until] {
                let (u, du) = (Around::new(u, offset), Beside::new(du, offset));
                let next: &mut [f64; HALF + 4] = next[offset..].first_chunk_mut().expect("rows have room around them");
                for (i, next) in vectors_mut::<S>(&mut next[2..][..HALF]).iter_mut().enumerate() {
                    *next = kinds[kind].apply(simd, &u, &du, i);
                }
            }
            done = until;
        }
    }
}

/// Rows of nodes, each with two more nodes at either end: of one length, so that an offset is checked once for all.
#[derive(Clone, Copy)]
struct Room {
    first: usize,
    stride: usize,
}

impl Room {
    #[inline(always)]
    fn start(self, row: isize) -> usize {
        (self.first - 2).wrapping_add_signed(row * self.stride as isize)
    }

    #[inline(always)]
    fn of(self, x: &[f64], row: isize) -> &[f64] {
        &x[self.start(row)..][..self.stride + 4]
    }

    #[inline(always)]
    fn of_mut(self, x: &mut [f64]) -> &mut [f64] {
        &mut x[self.start(0)..][..self.stride + 4]
    }
}

/// The nodes of half a block of a row, with two more at either end.
#[inline(always)]
fn nodes(row: &[f64], offset: usize) -> &[f64; HALF + 4] {
    row[offset..].first_chunk().expect("rows have room around them")
}

/// The nodes around half a block that its rows see: two columns and two rows further each way.
struct Around<'a>([&'a [f64; HALF + 4]; 5]);

/// The nodes around half a block that enter its damping term.
struct Beside<'a>([&'a [f64; HALF + 4]; 3]);

impl<'a> Around<'a> {
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

impl<'a> Beside<'a> {
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
    fn apply<S: Simd>(&self, simd: S, u: &Around<'_>, du: &Beside<'_>, i: usize) -> S::f64s {
        let own = vectors::<S>(u.at(0))[i];
        let mut held = simd.mul_f64s(vectors::<S>(&self.hold)[i], own);
        let mut more = simd.splat_f64s(0.0);
        for point in (0..12).step_by(2) {
            let one = simd.sub_f64s(vectors::<S>(u.at(point + 1))[i], own);
            let other = simd.sub_f64s(vectors::<S>(u.at(point + 2))[i], own);
            held = simd.mul_add_f64s(vectors::<S>(&self.on_u[point])[i], one, held);
            more = simd.mul_add_f64s(vectors::<S>(&self.on_u[point + 1])[i], other, more);
        }
        for (point, factor) in self.on_du.iter().enumerate() {
            more = simd.mul_add_f64s(vectors::<S>(factor)[i], vectors::<S>(du.at(point))[i], more);
        }
        simd.add_f64s(held, more)
    }
}
