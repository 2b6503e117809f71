//! Fields of nodes that vectors of any width fit into, and what vectors see beside them.
//!
//! A field starts on a cache line, and so does every row of a plate in it; whole rows are stepped, block by block of
//! [`LANES`] nodes, so that no width leaves a remainder. The nodes left and right of a vector are shuffled together from
//! it and its neighbours: read from memory they would straddle two cache lines each.

use aligned_vec::{AVec, ConstAlign};
use pulp::Simd;
use pulp::bytemuck::cast;

/// Nodes in a block: as many as the widest vector holds, and a cache line.
pub(crate) const LANES: usize = 8;

/// A value per node, starting on a cache line.
pub(crate) type Field = AVec<f64, ConstAlign<64>>;

/// A value per node of a block.
pub(crate) type Block = [f64; LANES];

/// A field of zeros.
pub(crate) fn field(length: usize) -> Field {
    let mut field = Field::new(64);
    field.resize(length, 0.0);
    field
}

/// Whole blocks that hold `nodes` nodes, counted in nodes.
pub(crate) fn whole_blocks(nodes: usize) -> usize {
    nodes.next_multiple_of(LANES)
}

#[inline(always)]
pub(crate) fn vectors<S: Simd>(nodes: &[f64]) -> &[S::f64s] {
    S::as_simd_f64s(nodes).0
}

#[inline(always)]
pub(crate) fn vectors_mut<S: Simd>(nodes: &mut [f64]) -> &mut [S::f64s] {
    S::as_mut_simd_f64s(nodes).0
}

/// The nodes to the left of those in `here`; `before` is the vector before it.
#[inline(always)]
pub(crate) fn left<S: Simd>(before: S::f64s, here: S::f64s) -> S::f64s {
    match S::F64_LANES {
        8 => {
            let (b, h): ([u64; 8], [u64; 8]) = (cast(before), cast(here));
            cast([b[7], h[0], h[1], h[2], h[3], h[4], h[5], h[6]])
        }
        4 => {
            let (b, h): ([u64; 4], [u64; 4]) = (cast(before), cast(here));
            cast([b[3], h[0], h[1], h[2]])
        }
        2 => {
            let (b, h): ([u64; 2], [u64; 2]) = (cast(before), cast(here));
            cast([b[1], h[0]])
        }
        _ => before,
    }
}

/// The nodes to the right of those in `here`; `after` is the vector after it.
#[inline(always)]
pub(crate) fn right<S: Simd>(here: S::f64s, after: S::f64s) -> S::f64s {
    match S::F64_LANES {
        8 => {
            let (h, a): ([u64; 8], [u64; 8]) = (cast(here), cast(after));
            cast([h[1], h[2], h[3], h[4], h[5], h[6], h[7], a[0]])
        }
        4 => {
            let (h, a): ([u64; 4], [u64; 4]) = (cast(here), cast(after));
            cast([h[1], h[2], h[3], a[0]])
        }
        2 => {
            let (h, a): ([u64; 2], [u64; 2]) = (cast(here), cast(after));
            cast([h[1], a[0]])
        }
        _ => after,
    }
}
