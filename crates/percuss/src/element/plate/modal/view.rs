//! Displacements of a modal plate at grid nodes.
//!
//! u(i, j) = Σₘ X_i(m) Σₙ Y_j(n)·û(m, n): the inner sum is made once for all nodes of a row
//! Allocates   only in `new`

use crate::element::plate::modal::{ModalPlate, add_shape};
use crate::element::state::{NodeField, State};

/// Columns and rows of a grid, as its modes see them.
#[derive(Clone, Debug)]
pub(crate) struct ModalView {
    /// Shapes of the nodes looked at along the rows of modes, up to whole blocks, and across them.
    shapes: [Vec<Vec<f64>>; 2],
    /// Values of the modes, row by row.
    modes: Vec<f64>,
    /// Their inner sum.
    sum: Vec<f64>,
}

impl ModalView {
    /// Of some nodes along each axis of the grid.
    pub fn new(spectrum: &ModalPlate, nodes: [&[usize]; 2]) -> Self {
        let [columns, rows] = spectrum.shape();
        let along = nodes[spectrum.along].iter().map(|&node| shape(spectrum, spectrum.along, node, columns));
        let across = nodes[1 - spectrum.along].iter().map(|&node| shape(spectrum, 1 - spectrum.along, node, rows));
        Self { shapes: [along.collect(), across.collect()], modes: vec![0.0; columns * rows], sum: vec![0.0; columns] }
    }

    /// Sets the values of the nodes, row of the grid by row.
    pub fn refresh(&mut self, spectrum: &ModalPlate, state: &State, field: NodeField, values: &mut [f64]) {
        let Self { shapes: [along, across], modes, sum } = self;
        state.arch.dispatch(|| spectrum.values(state, field, modes));
        let columns = if spectrum.along == 0 { along.len() } else { across.len() };
        for (q, across) in across.iter().enumerate() {
            state.arch.dispatch(|| weighted_rows(modes, across, sum));
            for (p, along) in along.iter().enumerate() {
                let [i, j] = if spectrum.along == 0 { [p, q] } else { [q, p] };
                values[j * columns + i] = state.arch.dispatch(|| dot(along, sum));
            }
        }
    }
}

/// Shape of a grid node along an axis; none outside.
fn shape(spectrum: &ModalPlate, axis: usize, node: usize, length: usize) -> Vec<f64> {
    let intervals = spectrum.grid.intervals[axis];
    let mut shape = vec![0.0; length];
    add_shape(&mut shape, if node < intervals { 1.0 } else { 0.0 }, node, intervals);
    shape
}

#[inline(always)]
fn weighted_rows(rows: &[f64], weights: &[f64], sum: &mut [f64]) {
    sum.fill(0.0);
    for (row, weight) in rows.chunks_exact(sum.len()).zip(weights) {
        sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * value);
    }
}

/// Sum of products of whole blocks, in eight sums side by side.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}
