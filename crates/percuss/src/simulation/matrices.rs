//! The matrices of an element, M ü = −K u, derived from its update; without losses and contacts.
//!
//! Each column of K is what the contact-free update does to a unit displacement, (nodal force) = duᴵ / (inverse mass).
//! No update reaches further than two nodes, so nodes five apart are displaced at the same time.

use crate::element::state::State;
use crate::model::{ElementId, Model, Place};
use crate::simulation::{Body, Simulation};
use std::collections::HashMap;

/// Half-width of the update stencils along each axis.
const REACH: usize = 2;

/// Mass and stiffness of an element as it is stepped, touches at their present pressure included.
#[derive(Clone, Debug, PartialEq)]
pub struct Operators {
    /// Mass of every moving node (of every mode of a modal resonator) \[kg\].
    pub mass: Vec<f64>,
    /// Entries of the symmetric stiffness matrix: (row, column, value \[N/m\]).
    pub stiffness: Vec<(usize, usize, f64)>,
    /// Places of the nodes.
    pub places: Vec<Place>,
    /// Position of each node on the grid: (column, row); the row is 0 for all but plates.
    pub grid: Vec<(usize, usize)>,
}

/// A moving node: its index in the state and on the grid, its mass, and the stiffness that touches add.
struct Node {
    state: usize,
    grid: (usize, usize),
    place: Place,
    mass: f64,
    held: f64,
}

impl Simulation {
    /// The matrices of an element; `None` for a barrier. Allocates.
    #[must_use]
    pub fn operators(&self, element: ElementId) -> Option<Operators> {
        let body = self.body(element)?;
        if let Body::ModalPlate(modal_plate) = body {
            let mut alone = Model::new();
            let plate = alone.add(self.elements.modal_plates[*modal_plate].on_grid());
            return alone.compile(1.0 / self.k).ok()?.operators(plate);
        }
        let nodes = self.nodes_of(body)?;
        let index: HashMap<_, _> = nodes.iter().enumerate().map(|(i, node)| (node.state, i)).collect();
        let mut stiffness: Vec<_> = nodes.iter().enumerate().map(|(i, node)| (i, i, node.held)).collect();
        stiffness.retain(|&(_, _, held)| held != 0.0);
        let mut state = self.state.clone();
        state.u.fill(0.0);
        let rest = self.forces_at(&nodes, body, &mut state);
        let period = 2 * REACH + 1;
        for phase in 0..period * period {
            let comb = |node: &&Node| (node.grid.0 % period, node.grid.1 % period) == (phase % period, phase / period);
            state.u.fill(0.0);
            let mut struck = HashMap::new();
            for node in nodes.iter().filter(comb) {
                state.u[node.state] = 1.0;
                struck.insert(node.grid, index[&node.state]);
            }
            if struck.is_empty() {
                continue;
            }
            for (row, force) in self.forces_at(&nodes, body, &mut state).into_iter().enumerate() {
                let column = nearest(nodes[row].grid, &struck);
                if let Some(column) = column.filter(|_| force != rest[row]) {
                    stiffness.push((row, column, rest[row] - force));
                }
            }
        }
        Some(Operators {
            mass: nodes.iter().map(|node| node.mass).collect(),
            stiffness,
            places: nodes.iter().map(|node| node.place).collect(),
            grid: nodes.iter().map(|node| node.grid).collect(),
        })
    }

    fn nodes_of(&self, body: &Body) -> Option<Vec<Node>> {
        match body {
            Body::Oscillators(range) => {
                let node = |(index, state): (usize, usize)| Node {
                    state,
                    // Oscillators do not feel each other: any distance will do.
                    grid: (index * (REACH + 1), 0),
                    place: if range.len() == 1 { Place::Whole } else { Place::Listed(index) },
                    mass: self.elements.bank.mass(state),
                    held: 0.0,
                };
                Some(range.clone().enumerate().map(node).collect())
            }
            Body::Line(line) => {
                let line = &self.elements.lines[*line];
                let node = |i: usize| Node {
                    state: line.start + i,
                    grid: (line.first + i, 0),
                    place: Place::Along((line.first + i) as f64 / line.grid.intervals as f64),
                    mass: line.node_mass(i),
                    held: 0.0,
                };
                Some((0..line.count).map(node).collect())
            }
            Body::Plate(plate) => {
                let plate = &self.elements.plates[*plate];
                let node = |(i, j)| {
                    let (load, held) = plate.load(i, j, self.k);
                    Node {
                        state: plate.node(i, j),
                        grid: (i, j),
                        place: Place::On([plate.grid.fraction(0, i), plate.grid.fraction(1, j)]),
                        mass: plate.node_mass(i, j) + load,
                        held,
                    }
                };
                Some(plate.moving().map(node).collect())
            }
            Body::ModalPlate(_) | Body::Barrier => None,
        }
    }

    /// Forces on the nodes of a displaced element \[N\].
    fn forces_at(&self, nodes: &[Node], body: &Body, state: &mut State) -> Vec<f64> {
        state.du.fill(0.0);
        state.du_prev.fill(0.0);
        match body {
            Body::Oscillators(_) => self.elements.bank.predict(state),
            Body::Line(line) => self.elements.lines[*line].predict(state),
            Body::Plate(plate) => self.elements.plates[*plate].predict(state),
            Body::ModalPlate(_) | Body::Barrier => {}
        }
        // Inverse masses as they are without touches, which change the diagonal only.
        let bare = |node: &Node| match body {
            Body::Plate(plate) => self.elements.plates[*plate].inverse_mass(node.grid.0, node.grid.1, self.k),
            _ => self.state.inverse_mass[node.state],
        };
        nodes.iter().map(|node| state.du[node.state] / bare(node)).collect()
    }
}

/// The displaced node within the stencil of a node.
fn nearest((i, j): (usize, usize), struck: &HashMap<(usize, usize), usize>) -> Option<usize> {
    let around = |x: usize| x.saturating_sub(REACH)..=x + REACH;
    around(j).flat_map(|b| around(i).map(move |a| (a, b))).find_map(|at| struck.get(&at).copied())
}
