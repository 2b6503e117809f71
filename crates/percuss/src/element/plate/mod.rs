//! Plate and membrane on a grid of square cells.
//!
//! Equation    ρH ü = TΔu − DΔΔu − 2ρHσ₀u̇ + 2ρHσ₁Δu̇, with a contact layer of mass λ̄, stiffness k̄, damping σ̄ (`layer`)
//! Update      (1 + σ₀k)du⁺ = (1 − σ₀k)du + k²(c²Δ − κ²ΔΔ)u + 2σ₁kΔdu,   u⁺ = u + du⁺
//! Stability   h² ≥ b + √(b² + 16κ²k²), b = c²k² + 4σ₁k; see `grid`
//! Energy      in `energy`: H = ½ρH‖δt−u‖² + ½⟨u, Ku⁻⟩ − ½ρHσ₁k‖δt−∇u‖²,  Q = 2ρH(σ₀‖δt·u‖² + σ₁‖δt·∇u‖²), nodes weighted w·h²
//! Symbols     ρH surface density \[kg/m²\], T tension \[N/m\], D = EH³/(12(1−ν²)) \[N·m\], σ₀ \[1/s\], σ₁ \[m²/s\],
//!             c² = T/ρH, κ² = D/ρH, h spacing \[m\], k time step \[s\]
//! Allocates   only in `new`
//! Reference   Bilbao (2009), ch. 12; van Walstijn, Bhanuprakash and Stapleton (2021), eqs. 35, 53, 55

mod body;
pub(crate) mod disc;
pub(crate) mod energy;
pub(crate) mod exact;
pub(crate) mod grid;
pub(crate) mod layer;
pub(crate) mod layout;
pub(crate) mod modal;
mod place;
pub(crate) mod rectangle;
pub(crate) mod stencil;
mod true_pitch;
pub(crate) mod von_karman;

use crate::element::coefficients::UpdateCoefficients;
use crate::element::plate::energy::balance;
use crate::element::plate::energy::sums::{PlateSumKernel, PlateSums};
use crate::element::plate::energy::weights::PlateWeights;
use crate::element::plate::grid::{GridNodes, PlateGrid, PlateMaterial};
use crate::element::plate::layer::ContactLayer;
use crate::element::plate::layer::kernel::LayerStep;
use crate::element::plate::layout::Layout;
use crate::element::plate::rectangle::OperatorRow;
use crate::element::plate::stencil::boundary::{Boundary, EdgeRow, HALF, POINTS};
use crate::element::plate::stencil::operands::{EdgeMask, Uniform};
use crate::element::plate::stencil::register_rows::are_short;
use crate::element::plate::stencil::uniform::UniformFields;
use crate::element::plate::stencil::weighted::WeightedStencil;
use crate::element::simd::{LANES, run, whole_blocks};
use crate::element::spectral::SpectralCorrection;
use crate::element::state::{Increments, State};
use crate::error::{Check, CompileError};
use crate::model::Plate;
use std::ops::Range;

/// Rows of zeros on either side, so that a stencil never leaves the state.
const PADDING: usize = 2;

/// Number of nodes from which on a touch is applied within the update: the fields of more do not fit into the second level of cache, where
/// one pass over them less pays.
const MIN_TOUCH_IN_UPDATE_NODES: usize = 100_000;

/// The update of du.
#[derive(Clone, Debug)]
enum PlateUpdate {
    /// One update for all nodes, with corrections at edges.
    Uniform { mask: EdgeMask, boundary: Boundary },
    /// An update with weights per node, for short rows.
    Weighted(WeightedStencil),
}

/// A plate on its grid.
#[derive(Clone, Debug)]
pub(crate) struct GridPlate {
    /// Its description, without touches.
    description: Plate,
    material: PlateMaterial,
    grid: PlateGrid,
    layout: Layout,
    nodes: GridNodes,
    uniform: Uniform,
    update: PlateUpdate,
    weights: PlateWeights,
    /// Inverse masses of the span without a layer, where there is one.
    free_inverse_mass: Vec<f64>,
    layer: Option<ContactLayer>,
    /// What makes its pitch true, unless it is to be that of the grid, or it has too many nodes.
    correction: Option<Box<SpectralCorrection>>,
    /// Whether the touch is applied within the update of the present step; otherwise after it, from du and du⁺.
    touch_in_update: bool,
}

impl GridPlate {
    pub fn new(plate: &Plate, check: Check, k: f64, state: &mut State) -> Result<Self, CompileError> {
        let material = PlateMaterial::of(plate, check)?;
        let grid = PlateGrid::choose(plate, material.least_spacing(plate, k), check, k)?;
        let layout = Layout::new(plate, grid, check)?;
        let [columns, rows] = grid.intervals;
        // Strips have three blocks at least.
        let stride = whole_blocks(columns + 1 + usize::from(needs_gap(&layout, &grid))).max(3 * LANES);
        let origin = whole_blocks(state.u.len()) + LANES + PADDING * stride;
        state.resize(origin + stride * (rows + 1 + PADDING) + LANES);
        let nodes = GridNodes { origin, stride };
        let uniform = uniform(&material, &layout, grid, nodes, k);
        let weights = PlateWeights::new([columns + 1, rows + 1], stride, |i, j| balance::weight(&layout, &grid, i, j));
        let mut body = Self {
            description: Plate { touches: Vec::new(), ..plate.clone() },
            material,
            grid,
            layout,
            nodes,
            uniform,
            update: PlateUpdate::Uniform { mask: EdgeMask::none(stride), boundary: Boundary::new(stride) },
            weights,
            free_inverse_mass: Vec::new(),
            layer: None,
            correction: None,
            touch_in_update: false,
        };
        body.assemble(k, state);
        state.reserve_scratch(body.uniform.scratch());
        body.correction = body.spectral_correction(state, k).map(Box::new);
        let has_true_pitch = body.correction.is_some();
        body.layer = ContactLayer::new(plate, &body.material, grid, body.nodes, (check, k), has_true_pitch)?;
        if body.layer.is_some() {
            body.free_inverse_mass = state.inverse_mass[body.span()].to_vec();
        }
        Ok(body)
    }

    /// State index of a grid node.
    fn node(&self, i: usize, j: usize) -> usize {
        self.nodes.node(i, j)
    }

    /// All moving grid nodes.
    fn moving(&self) -> impl Iterator<Item = (usize, usize)> {
        let [columns, rows] = self.grid.intervals;
        let all = (0..=rows).flat_map(move |j| (0..=columns).map(move |i| (i, j)));
        all.filter(|&(i, j)| self.layout.moves(i, j))
    }

    /// Mass of a grid node \[kg\].
    fn node_mass(&self, i: usize, j: usize) -> f64 {
        self.material.surface_density * self.grid.spacing.powi(2) * self.layout.weight(i, j)
    }

    /// k² over the mass of a grid node, losses included, without touches.
    fn inverse_mass(&self, i: usize, j: usize, k: f64) -> f64 {
        k * k / (self.node_mass(i, j) * (1.0 + self.material.sigma0 * k))
    }

    /// Mass \[kg\] and stiffness \[N/m\] that touches add to a grid node now.
    fn touch_load(&self, i: usize, j: usize, k: f64) -> (f64, f64) {
        self.layer.as_ref().map_or((0.0, 0.0), |layer| layer.touch_load(i, j, self.node_mass(i, j), k))
    }

    /// Sets the inverse masses, and finds what edges change of the uniform update.
    fn assemble(&mut self, k: f64, state: &mut State) {
        for (i, j) in self.moving() {
            state.inverse_mass[self.node(i, j)] = self.inverse_mass(i, j, k);
        }
        let Uniform { coefficients, first, rows, .. } = self.uniform;
        let mut boundary = Boundary::new(self.nodes.stride);
        for j in first..first + rows {
            for i in (0..self.nodes.stride).step_by(HALF) {
                self.assemble_half(&mut boundary, i, j, k);
            }
        }
        let mask = boundary.take_mask(self.node(0, first), rows, coefficients.bending);
        self.update = if boundary.is_active() && are_short(self.nodes.stride) {
            PlateUpdate::Weighted(self.weighted_stencil())
        } else {
            PlateUpdate::Uniform { mask, boundary }
        };
    }

    fn weighted_stencil(&self) -> WeightedStencil {
        let [columns, rows] = self.grid.intervals;
        WeightedStencil::new(
            [columns + 1, rows + 1],
            self.nodes,
            (self.layout.nu(), self.uniform.coefficients),
            |i, j| {
                let weight = balance::weight(&self.layout, &self.grid, i, j);
                (weight, if self.layout.moves(i, j) { 1.0 / weight.mass } else { 0.0 })
            },
        )
    }

    /// The half block of nodes from column i of row j on.
    fn assemble_half(&self, boundary: &mut Boundary, i: usize, j: usize, k: f64) {
        let interior = self.layout.interior(j);
        if interior.start <= i && i + HALF <= interior.end {
            return;
        }
        let moves = |i: usize| i <= self.grid.intervals[0] && self.layout.moves(i, j);
        let rows = std::array::from_fn(|lane| moves(i + lane).then(|| self.edge_row(i + lane, j, k)));
        let mut lane = 0..;
        let corrections = rows.map(|row: Option<EdgeRow>| {
            let at = (i + lane.next().unwrap_or(0), j);
            row.map(|row| self.diagonal_correction(&row, at))
        });
        if corrections.contains(&Some(None)) {
            boundary.patch(self.node(0, j), i, rows);
        } else {
            boundary.mask(self.node(i, j), corrections.map(Option::flatten));
        }
    }

    /// What a row has on its diagonal beyond the uniform one; `None` where it differs elsewhere too.
    fn diagonal_correction(&self, row: &EdgeRow, (i, j): (usize, usize)) -> Option<f64> {
        let moves = |p: usize| {
            let (k, l) = (i.wrapping_add_signed(POINTS[p].0), j.wrapping_add_signed(POINTS[p].1));
            k <= self.grid.intervals[0] && l <= self.grid.intervals[1] && self.layout.moves(k, l)
        };
        let UpdateCoefficients { decay, bending, damping, tension } = self.uniform.coefficients;
        let (c0, c1, c2, c3) = (-20.0 * bending - 4.0 * tension, 8.0 * bending + tension, -2.0 * bending, -bending);
        let on_u = [c0, c1, c1, c1, c1, c2, c2, c2, c2, c3, c3, c3, c3];
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-13 * (c0.abs() + decay.abs());
        // Coefficients on fixed nodes are irrelevant.
        let u_differs = |p: usize| moves(p) && !close(row.on_u[p], on_u[p]);
        let du_differs =
            |p: usize| moves(p) && !close(row.on_du[p], if p == 0 { decay - 4.0 * damping } else { damping });
        let uniform = !(1..13).any(u_differs) && !(0..5).any(du_differs);
        let correction = row.on_u[0] - c0 - self.uniform.edge_diagonal(j);
        if close(correction, 0.0) {
            return uniform.then_some(0.0);
        }
        // A fixed edge adds a small whole multiple of the bending, but for rounding. Anything else is the edge of a membrane that
        // has fewer neighbours.
        let multiple = (correction / bending).round();
        let is_fixed_edge = multiple.abs() <= 4.0 && close(correction, multiple * bending);
        (uniform && is_fixed_edge).then_some(multiple * bending)
    }

    /// Coefficient on u for entries of ΔΔ and −Δ.
    fn coefficient_on_u(&self, bending: f64, gradient: f64, k: f64) -> f64 {
        let m = self.material;
        let (c2, kappa2) = (m.tension / m.surface_density, m.bending / m.surface_density);
        -k * k * (kappa2 * bending + c2 * gradient) / (1.0 + m.sigma0 * k)
    }

    /// Coefficient on du for an entry of −Δ.
    fn coefficient_on_du(&self, gradient: f64, own: bool, k: f64) -> f64 {
        let m = self.material;
        let decay = if own { 1.0 - m.sigma0 * k } else { 0.0 };
        (decay - 2.0 * m.sigma1 * k * gradient) / (1.0 + m.sigma0 * k)
    }

    fn edge_row(&self, i: usize, j: usize, k: f64) -> EdgeRow {
        let [bending, gradient] = self.layout.rows(i, j);
        let entry = |row: &OperatorRow, (di, dj): (isize, isize)| {
            row.get(&(i.wrapping_add_signed(di), j.wrapping_add_signed(dj))).copied().unwrap_or(0.0)
        };
        let on_u = POINTS.map(|at| self.coefficient_on_u(entry(&bending, at), entry(&gradient, at), k));
        let row_sum: f64 = on_u.iter().sum();
        EdgeRow {
            // What a free edge leaves of the sum is rounding.
            row_sum: if row_sum.abs() > 1e-12 * on_u[0].abs() { row_sum } else { 0.0 },
            on_u,
            on_du: std::array::from_fn(|p| self.coefficient_on_du(entry(&gradient, POINTS[p]), p == 0, k)),
        }
    }

    /// Brings u up to date and turns du into du⁺ without contacts, and with a touch where one is given.
    fn sweep(&self, state: &mut State, layer_step: Option<LayerStep<'_>>) {
        let State { machine, u, du, du_prev, keep_previous, scratch: q, .. } = state;
        let increments = Increments { next: du, previous: keep_previous.then_some(&mut du_prev[..]) };
        match &self.update {
            PlateUpdate::Uniform { mask, boundary } => {
                self.uniform.apply(*machine, mask, UniformFields { u, du: increments, layer_step, q });
                boundary.apply(*machine, u, du_prev, du);
            }
            PlateUpdate::Weighted(stencil) => stencil.apply(*machine, u, increments),
        }
    }

    /// Whether the touch can be applied within the update of step n, so that du need not be kept.
    fn can_touch_in_update(&self, n: u64) -> bool {
        let is_uniform = matches!(&self.update, PlateUpdate::Uniform { boundary, .. } if !boundary.is_active());
        let has_tension = self.uniform.coefficients.tension != 0.0;
        let has_single_linear_touch = self.layer.as_ref().is_some_and(|layer| layer.has_single_linear_touch(n));
        let node_count = self.nodes.stride * (self.grid.intervals[1] + 1);
        node_count >= MIN_TOUCH_IN_UPDATE_NODES && is_uniform && !has_tension && has_single_linear_touch
    }

    /// Whether a place, as fractions of the sides, lies on the plate.
    fn covers(&self, at: [f64; 2]) -> bool {
        let from_centre = (at[0] - 0.5).hypot(at[1] - 0.5);
        matches!(self.layout, Layout::Rectangle(_)) || from_centre <= 0.5 * (1.0 + 1e-9)
    }

    /// Bilinear interpolation at fractions of the sides: (state node, weight); fixed nodes drop out.
    fn interpolate(&self, at: [f64; 2]) -> Vec<(usize, f64)> {
        let mut nodes = Vec::new();
        for (i, x_weight) in self.grid.interpolation_nodes(0, at[0]) {
            for (j, y_weight) in self.grid.interpolation_nodes(1, at[1]) {
                if x_weight * y_weight != 0.0 && self.layout.moves(i, j) {
                    nodes.push((self.node(i, j), x_weight * y_weight));
                }
            }
        }
        nodes
    }

    fn sums(&self, state: &State) -> PlateSums {
        let fixed_edges = matches!(&self.layout, Layout::Rectangle(rectangle) if rectangle.has_fixed_edges());
        let mut sums = PlateSums::default();
        let kernel = PlateSumKernel {
            fields: [&state.u, &state.du, &state.du_prev],
            weights: &self.weights,
            fixed_edges,
            nu: self.layout.nu(),
            bends: self.material.bending > 0.0,
            tense: self.material.tension > 0.0,
            nodes: self.nodes,
            sums: &mut sums,
        };
        run(state.machine, kernel);
        sums
    }

    /// State nodes of the whole grid, padding included.
    fn span(&self) -> Range<usize> {
        let start = self.nodes.origin - PADDING * self.nodes.stride;
        start..start + self.nodes.stride * (self.grid.intervals[1] + 1 + 2 * PADDING)
    }
}

/// Whether a column of zeros has to part a row from the next: where the last column moves, or where it bends at an edge
/// that holds it, and the first column, which then follows it, moves.
fn needs_gap(layout: &Layout, grid: &PlateGrid) -> bool {
    let [columns, rows] = grid.intervals;
    let bends = |j: usize| {
        let weight = balance::weight(layout, grid, columns, j);
        weight.line[0] != 0.0 || weight.node != 0.0
    };
    let moves = |i: usize| (0..=rows).any(|j| layout.moves(i, j));
    moves(columns) || (moves(0) && (0..=rows).any(bends))
}

/// The uniform update and its rows: those with a node that moves.
fn uniform(m: &PlateMaterial, layout: &Layout, grid: PlateGrid, nodes: GridNodes, k: f64) -> Uniform {
    let [columns, last] = grid.intervals;
    let moving = |&j: &usize| (0..=columns).any(|i| layout.moves(i, j));
    let first = (0..=last).find(moving).unwrap_or(0);
    let rows = (first..=last).take_while(moving).count();
    Uniform { coefficients: m.coefficients(grid.spacing, k), nodes, first, rows, edges: layout.edge_q_scales() }
}
