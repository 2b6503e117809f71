//! Displacements of a modal plate at grid nodes.
//!
//! u(i, j) = Σₘ X_i(m) Σₙ Y_j(n)·û(m, n): the inner sum is made once for all nodes of a row
//! Allocates   only in `cache`

use crate::element::body::GridSelection;
use crate::element::plate::modal::{ModalPlate, add_shape};
use crate::element::state::{NodeField, State};

/// The parts of a cache.
struct ViewCache<'a> {
    /// Shapes of the selected nodes along the rows of modes, up to whole blocks, one after the other.
    along: &'a mut [f64],
    /// Shapes of the selected nodes across the rows.
    across: &'a mut [f64],
    /// Values of the modes, row by row.
    modes: &'a mut [f64],
    /// Their inner sum.
    sum: &'a mut [f64],
}

impl<'a> ViewCache<'a> {
    /// `None` if the cache was not made for this selection and plate.
    fn of(cache: &'a mut [f64], plate: &ModalPlate, selection: GridSelection<'_>) -> Option<Self> {
        let [columns, rows] = plate.dimensions();
        let [along, across] = ordered(plate, selection);
        let (along, rest) = cache.split_at_mut_checked(along.len() * columns)?;
        let (across, rest) = rest.split_at_mut_checked(across.len() * rows)?;
        let (modes, sum) = rest.split_at_mut_checked(columns * rows)?;
        (sum.len() == columns).then_some(Self { along, across, modes, sum })
    }
}

/// The selected nodes along the rows of modes, and across them.
fn ordered<'a>(plate: &ModalPlate, selection: GridSelection<'a>) -> [&'a [usize]; 2] {
    let GridSelection { columns, rows } = selection;
    if plate.along == 0 { [columns, rows] } else { [rows, columns] }
}

/// A cache with the shapes of the selected nodes.
pub(crate) fn cache(plate: &ModalPlate, selection: GridSelection<'_>) -> Vec<f64> {
    let [columns, rows] = plate.dimensions();
    let [along, across] = ordered(plate, selection);
    let mut cache = vec![0.0; along.len() * columns + across.len() * rows + columns * rows + columns];
    if let Some(parts) = ViewCache::of(&mut cache, plate, selection) {
        set_shapes(plate, plate.along, along, parts.along.chunks_exact_mut(columns));
        set_shapes(plate, 1 - plate.along, across, parts.across.chunks_exact_mut(rows));
    }
    cache
}

/// Shapes of grid nodes along an axis; 0 outside.
fn set_shapes<'a>(plate: &ModalPlate, axis: usize, nodes: &[usize], shapes: impl Iterator<Item = &'a mut [f64]>) {
    let intervals = plate.grid.intervals[axis];
    for (shape, &node) in shapes.zip(nodes) {
        add_shape(shape, if node < intervals { 1.0 } else { 0.0 }, node, intervals);
    }
}

/// Sets the values of the selected nodes, row of the grid by row. Returns false for a cache of another selection or plate.
pub(crate) fn read(
    plate: &ModalPlate,
    selection: GridSelection<'_>,
    cache: &mut [f64],
    (field, state): (NodeField, &State),
    values: &mut [f64],
) -> bool {
    let Some(ViewCache { along, across, modes, sum }) = ViewCache::of(cache, plate, selection) else { return false };
    state.machine.dispatch(|| plate.values(state, field, modes));
    let [columns, rows] = plate.dimensions();
    for (q, across) in across.chunks_exact(rows).enumerate() {
        state.machine.dispatch(|| weighted_rows(modes, across, sum));
        for (p, along) in along.chunks_exact(columns).enumerate() {
            let [i, j] = if plate.along == 0 { [p, q] } else { [q, p] };
            values[j * selection.columns.len() + i] = state.machine.dispatch(|| dot(along, sum));
        }
    }
    true
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
