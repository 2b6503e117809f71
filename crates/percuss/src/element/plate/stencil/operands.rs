//! What the uniform update of a plate is given: coefficients, rows and edges.

use crate::element::coefficients::UpdateCoefficients;
use crate::element::simd::{Field, field};

/// The uniform update and the rows it covers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Uniform {
    pub coefficients: UpdateCoefficients,
    /// State nodes from one row to the next: whole blocks.
    pub stride: usize,
    /// First node of the row before the first that moves, on a block.
    pub start: usize,
    /// How many rows move.
    pub rows: usize,
    /// s of the rows before the first and after the last that moves.
    pub edges: [f64; 2],
}

impl Uniform {
    /// Nodes of room that q needs: the two rows before those in work.
    pub fn scratch(&self) -> usize {
        2 * self.stride
    }

    /// What the held rows before the first and after the last that moves add to the diagonal of the row that starts at
    /// a node.
    pub fn edge_pull(&self, node: usize) -> f64 {
        let row = (node - self.start) / self.stride;
        let low = if row == 1 { 1.0 - self.edges[0] } else { 0.0 };
        let high = if row == self.rows { 1.0 - self.edges[1] } else { 0.0 };
        self.coefficients.bending * (low + high)
    }
}

/// What edges change in every row alike, in its first block and its last.
#[derive(Clone, Debug)]
pub(crate) struct EdgeMask {
    /// 1 for nodes of a row that move, 0 for those that do not.
    pub moves: Field,
    /// s of nodes that are held next to one that moves, 1 of others.
    pub curved: Field,
}

impl EdgeMask {
    /// Nothing to change in rows of so many nodes.
    pub fn none(stride: usize) -> Self {
        let mut moves = field(stride);
        moves.fill(1.0);
        Self { curved: moves.clone(), moves }
    }
}

/// An edge mask, as long as a row.
#[derive(Clone, Copy)]
pub(crate) struct Columns<'a> {
    pub moves: &'a [f64],
    pub curved: &'a [f64],
}
