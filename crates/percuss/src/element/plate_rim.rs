//! What edges change of the uniform update of a plate, block by block.
//!
//! Mask        du⁺ ← m·(du⁺ + s·u): nodes that are held stay put (m = 0), a held edge next to a node pulls at it (s)
//! Patch       du⁺ = Σ cₚ(uₚ − u) + h·u + Σ dₚduₚ over the thirteen points of the stencil: nodes with a row of their own,
//!             next to a free edge or a rim. h is the sum of the row: how much the edge holds the node in place
//! Blocks along an edge look alike: each kind is kept once.
//! Allocates   only in `mask` and `patch`

use super::plate_kernel::Fringe;
use super::vectors::{Block, LANES, vectors, vectors_mut};
use pulp::{Arch, Simd, WithSimd};

/// Offsets of the thirteen points of the stencil, as (di, dj).
pub(super) const POINTS: [(isize, isize); 13] =
    [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1), (-2, 0), (2, 0), (0, -2), (0, 2)];

/// Update of one node near an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeRow {
    pub on_u: [f64; 13],
    pub on_du: [f64; 5],
    /// Sum of `on_u`.
    pub hold: f64,
}

#[derive(Clone, Debug, PartialEq)]
struct Mask {
    moves: Block,
    pull: Block,
}

#[derive(Clone, Debug, PartialEq)]
struct Patch {
    on_u: [Block; 12],
    on_du: [Block; 5],
    hold: Block,
}

/// Things of a kind: where they are, and which of the kinds they are of.
#[derive(Clone, Debug)]
struct Kinds<T> {
    at: Vec<(usize, usize)>,
    kinds: Vec<T>,
}

impl<T: PartialEq> Kinds<T> {
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

/// The blocks that edges change.
#[derive(Clone, Debug)]
pub(super) struct Rim {
    masks: Kinds<Mask>,
    patches: Kinds<Patch>,
    /// Distances in the state from a node to the points of its stencil.
    reach: [isize; 13],
}

impl Rim {
    pub fn new(stride: usize) -> Self {
        let reach = POINTS.map(|(di, dj)| dj * stride as isize + di);
        Self { masks: Kinds::new(), patches: Kinds::new(), reach }
    }

    /// The block from `node` on: what the nodes that move are pulled with, `None` for those that do not.
    pub fn mask(&mut self, node: usize, pulls: [Option<f64>; LANES]) {
        let moves = pulls.map(|pull| if pull.is_some() { 1.0 } else { 0.0 });
        let mask = Mask { moves, pull: pulls.map(|pull| pull.unwrap_or(0.0)) };
        if mask != (Mask { moves: [1.0; LANES], pull: [0.0; LANES] }) {
            self.masks.push(node, mask);
        }
    }

    /// The block from `node` on: the rows of the nodes that move, `None` for those that do not.
    pub fn patch(&mut self, node: usize, rows: [Option<EdgeRow>; LANES]) {
        let of = |value: &dyn Fn(&EdgeRow) -> f64| rows.map(|row| row.as_ref().map_or(0.0, value));
        let patch = Patch {
            on_u: std::array::from_fn(|p| of(&|row| row.on_u[p + 1])),
            on_du: std::array::from_fn(|p| of(&|row| row.on_du[p])),
            hold: of(&|row| row.hold),
        };
        self.patches.push(node, patch);
    }

    /// Takes away the masks that are the same in all rows, the first of which starts at a node, and lie at their ends,
    /// unless some do not. `bend` is b of the uniform update.
    pub fn take_fringe(&mut self, first: usize, rows: usize, bend: f64) -> Fringe {
        let stride = self.reach[4] as usize;
        let of_row = |row: usize| {
            let start = first + row * stride;
            let within = move |(node, _): &(usize, &Mask)| (start..start + stride).contains(node);
            self.masks.iter().filter(within).map(move |(node, mask)| (node - start, mask))
        };
        let mut fringe = Fringe::none(stride);
        let in_all_rows = (1..rows).all(|row| of_row(row).eq(of_row(0)));
        if !in_all_rows || of_row(0).any(|(offset, _)| (LANES..stride - LANES).contains(&offset)) {
            return fringe;
        }
        let mut pull = vec![0.0; stride];
        for (offset, mask) in of_row(0) {
            fringe.moves[offset..][..LANES].copy_from_slice(&mask.moves);
            pull[offset..][..LANES].copy_from_slice(&mask.pull);
        }
        // What pulls at a node is q of a held one beside it, which is −s·b·u instead of −b·u.
        for (node, pull) in pull.into_iter().enumerate().filter(|(_, pull)| *pull != 0.0) {
            let held = if node > 0 && fringe.moves[node - 1] == 0.0 { node - 1 } else { node + 1 };
            fringe.curved[held] -= pull / bend;
        }
        self.masks = Kinds::new();
        fringe
    }

    /// Whether it needs du, and not only du⁺.
    pub fn needs_du(&self) -> bool {
        !self.patches.at.is_empty()
    }

    /// Whether there is anything to mend.
    pub fn acts(&self) -> bool {
        !(self.masks.at.is_empty() && self.patches.at.is_empty())
    }

    /// Mends du⁺.
    pub fn apply(&self, arch: Arch, u: &[f64], du: &[f64], du_next: &mut [f64]) {
        arch.dispatch(Mend { rim: self, u, du, du_next });
    }
}

struct Mend<'a> {
    rim: &'a Rim,
    u: &'a [f64],
    du: &'a [f64],
    du_next: &'a mut [f64],
}

impl WithSimd for Mend<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (node, Mask { moves, pull }) in self.rim.masks.iter() {
            let next = vectors_mut::<S>(&mut self.du_next[node..][..LANES]).iter_mut();
            let u = vectors::<S>(&self.u[node..][..LANES]);
            for (((next, u), moves), pull) in next.zip(u).zip(vectors::<S>(moves)).zip(vectors::<S>(pull)) {
                *next = simd.mul_f64s(*moves, simd.mul_add_f64s(*pull, *u, *next));
            }
        }
        for (node, patch) in self.rim.patches.iter() {
            let next = vectors_mut::<S>(&mut self.du_next[node..][..LANES]);
            for (i, next) in next.iter_mut().enumerate() {
                *next = patched(simd, patch, &self.rim.reach, (self.u, self.du), (node, i));
            }
        }
    }
}

/// du⁺ of vector i of a block that has rows of its own.
#[inline(always)]
fn patched<S: Simd>(
    simd: S,
    patch: &Patch,
    reach: &[isize; 13],
    (u, du): (&[f64], &[f64]),
    (node, i): (usize, usize),
) -> S::f64s {
    let at = |x: &[f64], p: usize| vectors::<S>(&x[node.wrapping_add_signed(reach[p])..][..LANES])[i];
    let own = at(u, 0);
    let mut held = simd.mul_f64s(vectors::<S>(&patch.hold)[i], own);
    for (p, c) in patch.on_u.iter().enumerate() {
        held = simd.mul_add_f64s(vectors::<S>(c)[i], simd.sub_f64s(at(u, p + 1), own), held);
    }
    let mut kept = simd.splat_f64s(0.0);
    for (p, d) in patch.on_du.iter().enumerate() {
        kept = simd.mul_add_f64s(vectors::<S>(d)[i], at(du, p), kept);
    }
    simd.add_f64s(held, kept)
}
