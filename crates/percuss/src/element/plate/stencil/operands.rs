//! Operands of the uniform update of a plate: coefficients, rows and edges.

use crate::element::coefficients::UpdateCoefficients;
use crate::element::plate::grid::GridNodes;
use crate::element::simd::{Field, field};

/// The uniform update and the rows it covers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Uniform {
    pub coefficients: UpdateCoefficients,
    pub nodes: GridNodes,
    /// The first row that moves.
    pub first: usize,
    /// How many rows move.
    pub rows: usize,
    /// s of the rows before the first and after the last that moves.
    pub edges: [f64; 2],
}

impl Uniform {
    /// First state node of the row before the first that moves, on a block.
    #[inline(always)]
    pub fn start(&self) -> usize {
        self.nodes.node(0, self.first) - self.nodes.stride
    }

    /// Length of the scratch space for q: the two rows before those of a strip.
    pub fn scratch(&self) -> usize {
        2 * self.nodes.stride
    }

    /// What the fixed rows before the first and after the last that moves add to the diagonal of row j.
    pub fn edge_diagonal(&self, j: usize) -> f64 {
        let low = if j == self.first { 1.0 - self.edges[0] } else { 0.0 };
        let high = if j + 1 == self.first + self.rows { 1.0 - self.edges[1] } else { 0.0 };
        self.coefficients.bending * (low + high)
    }
}

/// Corrections at edges that are the same in every row, in its first block and its last.
#[derive(Clone, Debug)]
pub(crate) struct EdgeMask {
    /// 1 for nodes of a row that move, 0 for those that do not.
    pub moves: Field,
    /// s of fixed nodes next to one that moves, 1 of others.
    pub q_scale: Field,
}

impl EdgeMask {
    /// No corrections, in rows of so many nodes.
    pub fn none(stride: usize) -> Self {
        let mut moves = field(stride);
        moves.fill(1.0);
        Self { q_scale: moves.clone(), moves }
    }
}

/// The slices of an edge mask, as long as a row.
#[derive(Clone, Copy)]
pub(crate) struct EdgeMaskSlices<'a> {
    pub moves: &'a [f64],
    pub q_scale: &'a [f64],
}
