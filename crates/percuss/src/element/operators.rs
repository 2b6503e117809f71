//! The matrices of a body on a grid, M ü = −K u, derived from its update; without losses and contacts.
//!
//! Each column of K is what the contact-free update does to a unit displacement, (nodal force) = duᴵ / (inverse mass).
//! No update reaches further than two nodes, so nodes five apart are displaced at the same time.

use crate::element::state::State;
use crate::model::Place;
use std::collections::HashMap;

/// Half-width of the update stencils along each axis.
const STENCIL_RADIUS: usize = 2;

/// Mass and stiffness of an element as it is stepped, touches at their present pressure included.
#[derive(Clone, Debug, PartialEq)]
pub struct Operators {
    /// Mass of every moving node, or of every mode of a body that is stepped in modes \[kg\].
    pub mass: Vec<f64>,
    /// Entries of the symmetric stiffness matrix: (row, column, value \[N/m\]).
    pub stiffness: Vec<(usize, usize, f64)>,
    /// Entries of the symmetric damping that the correction of a grid's pitch and decay adds to that of σ₀ and σ₁: (row, column,
    /// value \[kg/s\]). Empty without correction.
    pub damping_correction: Vec<(usize, usize, f64)>,
    /// Places of the nodes.
    pub places: Vec<Place>,
    /// Position of each node on the grid: (column, row); the row is 0 for all but plates.
    pub grid: Vec<(usize, usize)>,
    /// Whether the oscillation of every mode is exact in discrete time: then the stiffness is M((2/k)·sin(ωk/2))², for the ω at
    /// which it sounds.
    pub is_exact: bool,
    /// Of a string or bar that is stepped in its modes: the displacement of every mode at the places. Empty for all others.
    pub mode_shapes: Vec<Vec<f64>>,
}

/// A moving node of a grid.
pub(crate) struct OperatorNode {
    /// Its index in the state.
    pub state: usize,
    pub grid: (usize, usize),
    pub place: Place,
    pub mass: f64,
    /// Stiffness that touches add to the diagonal \[N/m\].
    pub touch_stiffness: f64,
    /// Inverse mass of the update, without touches.
    pub inverse_mass: f64,
}

impl Operators {
    /// Of nodes that `predict` steps without touches.
    pub(crate) fn of_update(nodes: &[OperatorNode], state: &State, predict: impl Fn(&mut State)) -> Self {
        let forces_at = |state: &mut State| {
            state.du.fill(0.0);
            state.du_prev.fill(0.0);
            predict(state);
            nodes.iter().map(|node| state.du[node.state] / node.inverse_mass).collect::<Vec<_>>()
        };
        let mut stiffness: Vec<_> = nodes.iter().enumerate().map(|(i, node)| (i, i, node.touch_stiffness)).collect();
        stiffness.retain(|&(_, _, touch_stiffness)| touch_stiffness != 0.0);
        let mut state = state.clone();
        state.u.fill(0.0);
        let rest = forces_at(&mut state);
        let period = 2 * STENCIL_RADIUS + 1;
        for phase in 0..period * period {
            state.u.fill(0.0);
            let mut displaced = HashMap::new();
            for (index, node) in nodes.iter().enumerate() {
                if (node.grid.0 % period, node.grid.1 % period) == (phase % period, phase / period) {
                    state.u[node.state] = 1.0;
                    displaced.insert(node.grid, index);
                }
            }
            if displaced.is_empty() {
                continue;
            }
            for (row, force) in forces_at(&mut state).into_iter().enumerate() {
                let column = displaced_neighbour(nodes[row].grid, &displaced);
                if let Some(column) = column.filter(|_| force != rest[row]) {
                    stiffness.push((row, column, rest[row] - force));
                }
            }
        }
        Self {
            mass: nodes.iter().map(|node| node.mass).collect(),
            stiffness,
            damping_correction: Vec::new(),
            places: nodes.iter().map(|node| node.place).collect(),
            grid: nodes.iter().map(|node| node.grid).collect(),
            is_exact: false,
            mode_shapes: Vec::new(),
        }
    }
}

/// The displaced node within the stencil of a node.
fn displaced_neighbour((i, j): (usize, usize), displaced: &HashMap<(usize, usize), usize>) -> Option<usize> {
    let around = |x: usize| x.saturating_sub(STENCIL_RADIUS)..=x + STENCIL_RADIUS;
    around(j).flat_map(|b| around(i).map(move |a| (a, b))).find_map(|at| displaced.get(&at).copied())
}
