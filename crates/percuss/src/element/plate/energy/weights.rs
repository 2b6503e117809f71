//! Weights of the terms of a plate's energy, node by node: they say where its edges are and how they are held.
//!
//! Symbols     m, w_x, w_y, w_n, w_c and s as in `sums`
//! Allocates   only in `PlateWeights::new`

use crate::element::simd::{Field, LANES, field};

/// Weights of the terms of the energy that begin at a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct NodeWeights {
    /// m: mass in cells.
    pub mass: f64,
    /// w_x and w_y.
    pub line: [f64; 2],
    /// w_n.
    pub node: f64,
    /// w_c.
    pub cell: f64,
    /// s of the intervals to the right and up.
    pub side: [f64; 2],
}

/// Nodes in a band of rows, at most, unless a single row has more.
const MAX_BAND_NODES: usize = 64 * LANES;

/// The weights of all nodes. Equal bands of rows are stored once.
#[derive(Clone, Debug)]
pub(crate) struct PlateWeights {
    pub rows: usize,
    stride: usize,
    /// Rows in a band; the last may have fewer.
    pub height: usize,
    /// Where the weights of a band start.
    bands: Vec<usize>,
    pub mass: Field,
    pub line: [Field; 2],
    pub node: Field,
    pub cell: Field,
    pub side: [Field; 2],
}

impl PlateWeights {
    /// Of a plate of some columns and rows; `at` gives those of node (i, j).
    pub fn new([columns, rows]: [usize; 2], stride: usize, at: impl Fn(usize, usize) -> NodeWeights) -> Self {
        let height = (MAX_BAND_NODES / stride).clamp(1, rows);
        let mut distinct: Vec<Vec<NodeWeights>> = Vec::new();
        let mut band_index = |first: usize| {
            let weight = |node: usize| {
                let (i, j) = (node % stride, first + node / stride);
                if i < columns && j < rows { at(i, j) } else { NodeWeights::default() }
            };
            let band: Vec<_> = (0..height * stride).map(weight).collect();
            let known = distinct.iter().rposition(|other| *other == band);
            known.unwrap_or_else(|| {
                distinct.push(band);
                distinct.len() - 1
            })
        };
        let bands = (0..rows).step_by(height).map(|first| band_index(first) * height * stride).collect();
        let values_of = |of: &dyn Fn(&NodeWeights) -> f64| {
            let mut field = field(distinct.len() * height * stride);
            distinct.iter().flatten().zip(&mut field[..]).for_each(|(weight, place)| *place = of(weight));
            field
        };
        Self {
            rows,
            stride,
            height,
            bands,
            mass: values_of(&|weight| weight.mass),
            line: [values_of(&|weight| weight.line[0]), values_of(&|weight| weight.line[1])],
            node: values_of(&|weight| weight.node),
            cell: values_of(&|weight| weight.cell),
            side: [values_of(&|weight| weight.side[0]), values_of(&|weight| weight.side[1])],
        }
    }

    /// Masses of the nodes of a row, in cells.
    pub fn mass(&self, j: usize) -> &[f64] {
        &self.mass[self.row(j)..]
    }

    /// Where the weights of a row start.
    #[inline(always)]
    pub fn row(&self, j: usize) -> usize {
        self.bands[j / self.height] + j % self.height * self.stride
    }
}
