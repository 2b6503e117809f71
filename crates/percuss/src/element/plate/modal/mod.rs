//! A plate with simply supported edges in its own modes: the scheme of `plate` in coordinates in which it is diagonal.
//!
//! Modes       φ(i, j) = 2/√(MN)·sin(πmi/M)·sin(πnj/N) on M × N intervals, orthonormal over the nodes; −h²Δφ = λφ with
//!             λ = 4sin²(πm/2M) + 4sin²(πn/2N)
//! Update      in `kernel`: that of the nodes for each mode by itself, so that samples are the same but for rounding; the
//!             state has λû for u
//! Ports       are what contacts, forces and pickups meet of it: a node of the state each, u = Σ w·u(i, j) = Σ X(m)Y(n)·û. Its
//!             inverse mass is that of a node times Σw². The modes learn in the next update by how much it was pushed:
//!             dû += X(m)Y(n)·(du − predicted du)/Σw²
//! Stability   that of `plate`, whose spacing it has: λ < 8 for every mode
//! Energy      that of `energy`: the modes are orthonormal, so sums over nodes are sums over modes
//! Limits      no touches or patches, which join the modes; nothing that moves over it; no two ports that share nodes, of which one is pushed
//! Allocates   only in `new`
//! Reference   Bilbao (2009), ch. 12; a simply supported grid has the modes of its Laplacian

mod body;
mod energy;
mod kernel;
mod view;

use crate::element::balance::ElementEnergy;
use crate::element::body::UsedPlace;
use crate::element::plate::grid::{PlateGrid, PlateMaterial};
use crate::element::plate::modal::energy::ModalSumKernel;
use crate::element::plate::modal::kernel::{AxisCoefficients, ModalUpdate};
use crate::element::simd::{Field, field, whole_blocks};
use crate::element::state::NodeField;
use crate::element::state::State;
use crate::error::{Check, CompileError};
use crate::model::{Edge, Method, Outline, Place, Plate};
use std::array::from_fn;
use std::f64::consts::PI;

/// With more ports than this, nodes are cheaper than modes, or nearly.
const MAX_PORTS: usize = 4;

/// A place that the rest of the model uses, as a node of the state.
#[derive(Clone, Debug)]
struct Port {
    at: [f64; 2],
    pushes: bool,
    /// The grid nodes beside it along each axis, with their weights; held ones have none.
    interpolation: [[(usize, f64); 2]; 2],
    /// Σw².
    weight_square_sum: f64,
    /// X, up to whole blocks, and Y.
    shape: [Field; 2],
    /// du as it was predicted \[m\]: the difference to du after the step is due to forces.
    predicted_du: f64,
}

impl Port {
    /// Σ w·w′ over the nodes that two ports share.
    fn overlap(&self, other: &Self) -> f64 {
        let shared = |axis: usize| {
            let pairs =
                self.interpolation[axis].iter().flat_map(|own| other.interpolation[axis].map(|others| (own, others)));
            pairs.filter(|(own, others)| own.0 == others.0).map(|(own, others)| own.1 * others.1).sum::<f64>()
        };
        shared(0) * shared(1)
    }

    /// What a push of its node does to the grid nodes, in their weights.
    fn push(&self, du: f64) -> f64 {
        (du - self.predicted_du) / self.weight_square_sum
    }

    fn mode_shapes(&self) -> [&[f64]; 2] {
        [&self.shape[0], &self.shape[1]]
    }
}

/// A plate in its modes.
#[derive(Clone, Debug)]
pub(crate) struct ModalPlate {
    plate: Plate,
    material: PlateMaterial,
    grid: PlateGrid,
    /// The axis along which modes follow each other in a row; rows are ordered along the other.
    along: usize,
    /// State index of the first mode; rows follow each other in whole blocks, and after them the ports.
    start: usize,
    /// Up to whole blocks.
    columns: AxisCoefficients,
    rows: AxisCoefficients,
    ports: Vec<Port>,
}

impl ModalPlate {
    /// Whether the modes of a plate are uncoupled and known in closed form.
    fn has_known_modes(plate: &Plate) -> bool {
        let is_simply_supported = plate.edges == [Edge::SimplySupported; 4];
        is_simply_supported
            && plate.outline == Outline::Rectangle
            && plate.touches.is_empty()
            && plate.patches.is_empty()
            && plate.method == Method::Modes
    }

    /// `None` if its modes are not known, or its ports are too many or share nodes: then a grid plate is used.
    pub fn new(
        plate: &Plate,
        used_places: &[UsedPlace],
        check: Check,
        k: f64,
        state: &mut State,
    ) -> Result<Option<Self>, CompileError> {
        let Some(used_places) = used_places.iter().map(fractions).collect::<Option<Vec<_>>>() else { return Ok(None) };
        if !Self::has_known_modes(plate) {
            return Ok(None);
        }
        let material = PlateMaterial::of(plate, check)?;
        let grid = PlateGrid::choose(plate, material.least_spacing(plate, k), check, k)?;
        let blocks = |axis: usize| whole_blocks(grid.intervals[axis] - 1) * (grid.intervals[1 - axis] - 1);
        let along = if blocks(0) <= blocks(1) { 0 } else { 1 };
        let [mut lambda, across] = [along, 1 - along].map(|axis| eigenvalues(grid.intervals[axis]));
        lambda.resize(whole_blocks(lambda.len()), 0.0);
        let coefficients = material.coefficients(grid.spacing, k);
        let (columns, rows) =
            (AxisCoefficients::of_columns(lambda, coefficients), AxisCoefficients::of_rows(across, coefficients));
        let start = whole_blocks(state.u.len());
        let mut modal_plate =
            Self { plate: plate.clone(), material, grid, along, start, columns, rows, ports: Vec::new() };
        for (at, pushes) in used_places {
            modal_plate.add_port(at, pushes);
            if modal_plate.ports.len() > MAX_PORTS {
                return Ok(None);
            }
        }
        if modal_plate.shares_nodes() {
            return Ok(None);
        }
        modal_plate.ports.sort_by_key(|port| !port.pushes);
        let first = start + modal_plate.mode_slots();
        state.resize(first + whole_blocks(modal_plate.ports.len()));
        let node_mass = material.surface_density * grid.spacing.powi(2);
        for (index, port) in modal_plate.ports.iter().enumerate() {
            let inverse_mass = k * k / (node_mass * (1.0 + material.sigma0 * k));
            state.inverse_mass[first + index] = inverse_mass * port.weight_square_sum;
        }
        Ok(Some(modal_plate))
    }

    /// Adds a port at a place, where it can move and there is none yet.
    fn add_port(&mut self, at: [f64; 2], pushes: bool) {
        if let Some(port) = self.ports.iter_mut().find(|port| port.at == at) {
            port.pushes |= pushes;
            return;
        }
        let interpolation = [0, 1].map(|axis| {
            let last = self.grid.intervals[axis];
            self.grid
                .interpolation_nodes(axis, at[axis])
                .map(|(node, weight)| (node, if node % last == 0 { 0.0 } else { weight }))
        });
        let shape = |order: usize| {
            let axis = if order == 0 { self.along } else { 1 - self.along };
            let mut shape = field(self.dimensions()[order]);
            for (node, weight) in interpolation[axis] {
                add_shape(&mut shape, weight, node, self.grid.intervals[axis]);
            }
            shape
        };
        let mut port =
            Port { at, pushes, interpolation, weight_square_sum: 0.0, shape: [0, 1].map(shape), predicted_du: 0.0 };
        port.weight_square_sum = port.overlap(&port);
        if port.weight_square_sum > 0.0 {
            self.ports.push(port);
        }
    }

    /// Whether pushing one port would move another.
    fn shares_nodes(&self) -> bool {
        let pairs = self
            .ports
            .iter()
            .enumerate()
            .flat_map(|(i, one)| self.ports[i + 1..].iter().map(move |other| (one, other)));
        pairs.into_iter().any(|(one, other)| (one.pushes || other.pushes) && one.overlap(other) != 0.0)
    }

    /// Length and number of the rows of modes.
    fn dimensions(&self) -> [usize; 2] {
        [self.columns.lambda.len(), self.rows.lambda.len()]
    }

    /// λ(m) and λ(n).
    fn lambda(&self) -> [&[f64]; 2] {
        [&self.columns.lambda, &self.rows.lambda]
    }

    /// Length of the modes in the state.
    fn mode_slots(&self) -> usize {
        self.dimensions().iter().product()
    }

    /// The node that stands for a place: (state node, weight). Places that are held have none.
    fn interpolate(&self, at: [f64; 2]) -> Vec<(usize, f64)> {
        let port = self.ports.iter().position(|port| port.at == at);
        port.map(|port| (self.start + self.mode_slots() + port, 1.0)).into_iter().collect()
    }

    /// Brings u up to date and turns du into du⁺ without contacts.
    fn update_all(&mut self, state: &mut State) {
        let pushed = self.ports.partition_point(|port| port.pushes);
        match (self.ports.len(), pushed) {
            (0, _) => self.update::<0, 0>(state),
            (1, _) => self.update::<1, 1>(state),
            (2, 0 | 1) => self.update::<2, 1>(state),
            (2, _) => self.update::<2, 2>(state),
            (3, 0 | 1) => self.update::<3, 1>(state),
            (3, _) => self.update::<3, 3>(state),
            (_, 0..=2) => self.update::<MAX_PORTS, 2>(state),
            _ => self.update::<MAX_PORTS, MAX_PORTS>(state),
        }
    }

    /// The same for S ports, of which at most the first P are pushed.
    fn update<const S: usize, const P: usize>(&mut self, state: &mut State) {
        let (machine, modes) = (state.machine, self.mode_slots());
        let (u, du) = state.fields(self.start..self.start + modes + S);
        let (u, places) = u.split_at_mut(modes);
        let (du, steps) = du.split_at(modes);
        let ports = &self.ports[..S];
        let port_du = machine.dispatch(ModalUpdate::<S, P> {
            columns: &self.columns,
            rows: &self.rows,
            shapes: from_fn(|s| ports[s].mode_shapes()),
            pushes: from_fn(|s| ports[s].push(steps.du()[s])),
            u,
            du,
        });
        for (s, port) in self.ports[..S].iter_mut().enumerate() {
            places[s] += steps.du()[s];
            steps.next[s] = port_du[s];
            port.predicted_du = port_du[s];
        }
    }

    /// Forces on each port in the last step that are still pending.
    fn pushes<'a>(&'a self, state: &'a State) -> impl Iterator<Item = ([&'a [f64]; 2], f64)> {
        let steps = &state.du[self.start + self.mode_slots()..];
        self.ports.iter().zip(steps).map(|(port, &du)| (port.mode_shapes(), port.push(du)))
    }

    /// A field of the modes, row by row, up to whole blocks.
    fn values(&self, state: &State, field: NodeField, values: &mut [f64]) {
        let [width, _] = self.dimensions();
        let fields = state.u[self.start..].chunks_exact(width).zip(state.du[self.start..].chunks_exact(width));
        for (row, (values, (u, du))) in values.chunks_exact_mut(width).zip(fields).enumerate() {
            values.copy_from_slice(du);
            for ([along, across], push) in self.pushes(state) {
                values.iter_mut().zip(along).for_each(|(value, along)| *value += push * across[row] * along);
            }
            if field == NodeField::Displacement {
                let lambda = self.columns.lambda.iter().map(|column| column + self.rows.lambda[row]);
                values.iter_mut().zip(u).zip(lambda).for_each(|((value, u), lambda)| *value += u / lambda);
            }
        }
    }

    /// The energy after a step whose pending forces have been applied.
    fn energy(&self, state: &State, k: f64) -> ElementEnergy {
        let fields = [&state.u, &state.du, &state.du_prev].map(|field| &field[self.start..][..self.mode_slots()]);
        let tense = self.material.tension > 0.0;
        let sums = state.machine.dispatch(ModalSumKernel { lambda: self.lambda(), fields, tense });
        self.material.balance(sums, self.grid.spacing, k)
    }
}

/// Where on the plate a place is and whether it is pushed; `None` if it is not on the plate.
fn fractions(used: &UsedPlace) -> Option<([f64; 2], bool)> {
    match used.place {
        Some(Place::On(at)) if at.iter().all(|fraction| (0.0..=1.0).contains(fraction)) => Some((at, used.pushes)),
        None | Some(_) => None,
    }
}

/// 4sin²(πm/2M) for m from 1 to M − 1.
fn eigenvalues(intervals: usize) -> Field {
    let mut values = field(intervals - 1);
    for (index, value) in values.iter_mut().enumerate() {
        *value = 4.0 * (PI * (index + 1) as f64 / (2 * intervals) as f64).sin().powi(2);
    }
    values
}

/// Adds w·√(2/M)·sin(πmi/M) for m from 1 to M − 1.
fn add_shape(shape: &mut [f64], weight: f64, node: usize, intervals: usize) {
    let scale = weight * (2.0 / intervals as f64).sqrt();
    for (index, value) in shape.iter_mut().take(intervals - 1).enumerate() {
        // Whole turns are left out, so that the sine of a high mode is as exact as that of a low one.
        let phase_index = (index + 1) * node % (2 * intervals);
        *value += scale * (PI * phase_index as f64 / intervals as f64).sin();
    }
}
