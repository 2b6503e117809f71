//! Plate and membrane on a grid of square cells.
//!
//! Equation    ρH ü = TΔu − DΔΔu − 2ρHσ₀u̇ + 2ρHσ₁Δu̇, with a contact layer of mass λ̄, stiffness k̄, damping σ̄ (`touch`)
//! Update      (1 + σ₀k)du⁺ = (1 − σ₀k)du + k²(c²Δ − κ²ΔΔ)u + 2σ₁kΔdu,   u⁺ = u + du⁺
//! Stability   h² ≥ b + √(b² + 16κ²k²), b = c²k² + 4σ₁k; see `plate_grid`
//! Energy      in `plate_energy`: H = ½ρH‖δt−u‖² + ½⟨u, Ku⁻⟩ − ½ρHσ₁k‖δt−∇u‖²,  Q = 2ρH(σ₀‖δt·u‖² + σ₁‖δt·∇u‖²), nodes weighted w·h²
//! Symbols     ρH surface density \[kg/m²\], T tension \[N/m\], D = EH³/(12(1−ν²)) \[N·m\], σ₀ \[1/s\], σ₁ \[m²/s\],
//!             c² = T/ρH, κ² = D/ρH, h spacing \[m\], k time step \[s\]
//! Allocates   only in `new`
//! Reference   Bilbao (2009), ch. 12; van Walstijn, Bhanuprakash and Stapleton (2021), eqs. 35, 53, 55

use super::State;
use super::plate_disc::Disc;
use super::plate_grid::{Material, PlateGrid};
use super::plate_kernel::Uniform;
use super::plate_operator::{Rectangle, Row};
use super::touch::Layer;
use crate::error::{Check, CompileError};
use crate::model::{Edge, Outline, Plate};
use std::ops::Range;

const PADDING: usize = 2;

/// Offsets of the thirteen points of the stencil, as (di, dj).
const POINTS: [(isize, isize); 13] =
    [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1), (-2, 0), (2, 0), (0, -2), (0, 2)];

/// The nodes of a plate and what joins them.
#[derive(Clone, Debug)]
pub(super) enum Layout {
    Rectangle(Rectangle),
    Disc(Disc),
}

impl Layout {
    fn new(plate: &Plate, grid: PlateGrid, check: Check) -> Result<Self, CompileError> {
        if plate.outline == Outline::Rectangle {
            return Ok(Self::Rectangle(Rectangle::new(grid.intervals, grid.spacing, plate.edges, plate.poisson)));
        }
        let [rim, ..] = plate.edges;
        let is_membrane = plate.youngs_modulus == 0.0;
        let known = rim == Edge::Free || rim == Edge::Clamped || (rim == Edge::SimplySupported && is_membrane);
        let allowed = "free or clamped all round on a round plate";
        check.that(known && plate.edges == [rim; 4], "edges", 0.0, allowed)?;
        let [across, up] = grid.intervals;
        check.that(across == up, "size", plate.size[1], "the same both ways on a round plate")?;
        Ok(Self::Disc(Disc::new(across - 2 * grid.margin, grid.spacing, rim, plate.poisson, is_membrane)))
    }

    fn moves(&self, i: usize, j: usize) -> bool {
        match self {
            Self::Rectangle(rectangle) => rectangle.moves(i, j),
            Self::Disc(disc) => disc.moves(i, j),
        }
    }

    /// Mass of a node, in cells.
    fn weight(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::Rectangle(rectangle) => rectangle.weight(i, j),
            Self::Disc(disc) => disc.weight(i, j),
        }
    }

    /// Columns of a row in which the plate does not feel its edges.
    fn calm(&self, j: usize) -> Range<usize> {
        match self {
            Self::Rectangle(rectangle) => rectangle.calm(j),
            Self::Disc(disc) => disc.calm(j),
        }
    }

    /// Rows of ΔΔ and of −Δ at a moving node.
    fn rows(&self, i: usize, j: usize) -> [Row; 2] {
        match self {
            Self::Rectangle(rectangle) => [rectangle.bending_row(i, j), rectangle.gradient_row(i, j)],
            Self::Disc(disc) => [disc.bending_row(i, j), disc.gradient_row(i, j)],
        }
    }
}

/// Update of one node near an edge.
#[derive(Clone, Debug)]
struct EdgeRow {
    node: usize,
    on_u: [f64; 13],
    on_du: [f64; 5],
    /// Sum of `on_u`: how much the edge holds the node in place.
    hold: f64,
}

/// A plate on its grid.
#[derive(Clone, Debug)]
pub(crate) struct PlateBody {
    pub(super) material: Material,
    pub grid: PlateGrid,
    pub(super) layout: Layout,
    /// State index of grid node (0, 0), whether it moves or not.
    origin: usize,
    /// State nodes from one row to the next.
    stride: usize,
    /// Runs of state nodes that the uniform update covers.
    calm: Vec<Range<usize>>,
    /// Nodes among them that a held edge pulls at, and how much more than the uniform update.
    pulled: Vec<(usize, f64)>,
    /// Nodes with an update of their own.
    edges: Vec<EdgeRow>,
    uniform: Uniform,
    pub layer: Option<Layer>,
}

impl PlateBody {
    pub fn new(plate: &Plate, check: Check, k: f64, state: &mut State) -> Result<Self, CompileError> {
        let material = Material::of(plate, check)?;
        let grid = PlateGrid::choose(plate, material.least_spacing(plate, k), check, k)?;
        let layout = Layout::new(plate, grid, check)?;
        let stride = grid.intervals[0] + 1 + 2 * PADDING;
        let origin = state.u.len() + PADDING * stride + PADDING;
        let size = state.u.len() + stride * (grid.intervals[1] + 1 + 2 * PADDING);
        state.u.resize(size, 0.0);
        state.du.resize(size, 0.0);
        state.inverse_mass.resize(size, 0.0);
        let mut body = Self {
            material,
            grid,
            layout,
            origin,
            stride,
            edges: Vec::new(),
            calm: Vec::new(),
            pulled: Vec::new(),
            uniform: Uniform::default(),
            layer: None,
        };
        body.assemble(k, state);
        body.layer = Layer::new(plate, &body, check, k)?;
        Ok(body)
    }

    /// State index of a grid node.
    pub fn node(&self, i: usize, j: usize) -> usize {
        self.origin + j * self.stride + i
    }

    /// All moving grid nodes.
    pub fn moving(&self) -> impl Iterator<Item = (usize, usize)> {
        let [columns, rows] = self.grid.intervals;
        let all = (0..=rows).flat_map(move |j| (0..=columns).map(move |i| (i, j)));
        all.filter(|&(i, j)| self.layout.moves(i, j))
    }

    pub fn surface_density(&self) -> f64 {
        self.material.surface_density
    }

    pub fn sigma0(&self) -> f64 {
        self.material.sigma0
    }

    /// Mass of a grid node \[kg\].
    pub fn node_mass(&self, i: usize, j: usize) -> f64 {
        self.material.surface_density * self.grid.spacing.powi(2) * self.layout.weight(i, j)
    }

    /// k² over the mass of a grid node, losses included, without touches.
    pub fn inverse_mass(&self, i: usize, j: usize, k: f64) -> f64 {
        k * k / (self.node_mass(i, j) * (1.0 + self.material.sigma0 * k))
    }

    /// Mass \[kg\] and stiffness \[N/m\] that touches add to a grid node now.
    pub fn load(&self, i: usize, j: usize, k: f64) -> (f64, f64) {
        self.layer.as_ref().map_or((0.0, 0.0), |layer| layer.load(i, j, self.node_mass(i, j), k))
    }

    /// Update coefficients: one set for all nodes whose rows differ at most on the diagonal, one row each for the rest.
    fn assemble(&mut self, k: f64, state: &mut State) {
        let h2 = self.grid.spacing.powi(2);
        let on_u = [(-8.0, -1.0), (2.0, 0.0), (1.0, 0.0)]
            .map(|(bending, gradient)| self.pull(bending / (h2 * h2), gradient / h2, k));
        let on_du = [self.keep(4.0 / h2, true, k), self.keep(-1.0 / h2, false, k)];
        self.uniform = Uniform { on_u, on_du, stride: self.stride };
        for j in 0..=self.grid.intervals[1] {
            self.assemble_row(j, k, state);
        }
    }

    fn assemble_row(&mut self, j: usize, k: f64, state: &mut State) {
        let calm = self.layout.calm(j);
        let mut run: Range<usize> = 0..0;
        let mut rows = Vec::new();
        for i in (0..=self.grid.intervals[0]).filter(|&i| self.layout.moves(i, j)) {
            let node = self.node(i, j);
            state.inverse_mass[node] = self.inverse_mass(i, j, k);
            let row = (!calm.contains(&i)).then(|| self.edge_row(i, j, k));
            let more = row.as_ref().map_or(Some(0.0), |row| self.more_than_uniform(row, (i, j)));
            let joins = run.is_empty() || run.end == node;
            match (more, row) {
                (Some(more), _) if joins => {
                    run = if run.is_empty() { node..node + 1 } else { run.start..node + 1 };
                    self.pulled.extend((more != 0.0).then_some((node, more)));
                }
                (_, row) => rows.push(row.unwrap_or_else(|| self.edge_row(i, j, k))),
            }
        }
        self.calm.extend((!run.is_empty()).then_some(run));
        self.edges.append(&mut rows);
    }

    /// What a row has on its diagonal beyond the uniform one; `None` where it differs elsewhere too.
    fn more_than_uniform(&self, row: &EdgeRow, (i, j): (usize, usize)) -> Option<f64> {
        let moves = |p: usize| {
            let (k, l) = (i.wrapping_add_signed(POINTS[p].0), j.wrapping_add_signed(POINTS[p].1));
            k <= self.grid.intervals[0] && l <= self.grid.intervals[1] && self.layout.moves(k, l)
        };
        let ([c1, c2, c3], [d0, d1]) = (self.uniform.on_u, self.uniform.on_du);
        let c0 = -4.0 * (c1 + c2 + c3);
        let on_u = [c0, c1, c1, c1, c1, c2, c2, c2, c2, c3, c3, c3, c3];
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-13 * (c0.abs() + d0.abs());
        // Fixed nodes do not move: what is asked of them does not matter.
        let elsewhere = |p: usize| moves(p) && !close(row.on_u[p], on_u[p]);
        let dragged = |p: usize| moves(p) && !close(row.on_du[p], if p == 0 { d0 } else { d1 });
        let uniform = !(1..13).any(elsewhere) && !(0..5).any(dragged);
        let more = row.on_u[0] - c0;
        uniform.then_some(if close(more, 0.0) { 0.0 } else { more })
    }

    /// Coefficient on u of entries of ΔΔ and −Δ.
    fn pull(&self, bending: f64, gradient: f64, k: f64) -> f64 {
        let m = self.material;
        let (c2, kappa2) = (m.tension / m.surface_density, m.bending / m.surface_density);
        -k * k * (kappa2 * bending + c2 * gradient) / (1.0 + m.sigma0 * k)
    }

    /// Coefficient on du of an entry of −Δ.
    fn keep(&self, gradient: f64, own: bool, k: f64) -> f64 {
        let m = self.material;
        let stay = if own { 1.0 - m.sigma0 * k } else { 0.0 };
        (stay - 2.0 * m.sigma1 * k * gradient) / (1.0 + m.sigma0 * k)
    }

    fn edge_row(&self, i: usize, j: usize, k: f64) -> EdgeRow {
        let [bending, gradient] = self.layout.rows(i, j);
        let entry = |row: &Row, (di, dj): (isize, isize)| {
            row.get(&(i.wrapping_add_signed(di), j.wrapping_add_signed(dj))).copied().unwrap_or(0.0)
        };
        let on_u = POINTS.map(|at| self.pull(entry(&bending, at), entry(&gradient, at), k));
        let hold: f64 = on_u.iter().sum();
        EdgeRow {
            node: self.node(i, j),
            // What a free edge leaves of the sum is rounding.
            hold: if hold.abs() > 1e-12 * on_u[0].abs() { hold } else { 0.0 },
            on_u,
            on_du: std::array::from_fn(|p| self.keep(entry(&gradient, POINTS[p]), p == 0, k)),
        }
    }

    /// Predicts du⁺ without contacts.
    pub fn predict(&self, state: &mut State) {
        let State { u, du, du_next, .. } = state;
        self.uniform.apply(&self.calm, u, du, du_next);
        for &(node, more) in &self.pulled {
            du_next[node] += more * u[node];
        }
        for row in &self.edges {
            let at =
                |x: &[f64], (di, dj): (isize, isize)| x[row.node.wrapping_add_signed(dj * self.stride as isize + di)];
            let own = u[row.node];
            let bend: f64 = POINTS.iter().zip(&row.on_u).skip(1).map(|(point, c)| c * (at(u, *point) - own)).sum();
            let keep: f64 = POINTS.iter().zip(&row.on_du).map(|(point, c)| c * at(du, *point)).sum();
            du_next[row.node] = bend + row.hold * own + keep;
        }
    }

    /// Whether a place, as fractions of the sides, lies on the plate.
    pub fn covers(&self, at: [f64; 2]) -> bool {
        let from_centre = (at[0] - 0.5).hypot(at[1] - 0.5);
        matches!(self.layout, Layout::Rectangle(_)) || from_centre <= 0.5 * (1.0 + 1e-9)
    }

    /// Bilinear interpolation at fractions of the sides: (state node, weight); fixed nodes drop out.
    pub fn interpolate(&self, at: [f64; 2]) -> Vec<(usize, f64)> {
        let split = |axis: usize| {
            let x = self.grid.coordinate(axis, at[axis]);
            let node = (x as usize).min(self.grid.intervals[axis] - 1);
            let share = x - node as f64;
            [(node, 1.0 - share), (node + 1, share)]
        };
        let mut nodes = Vec::new();
        for (i, across) in split(0) {
            for (j, up) in split(1) {
                if across * up != 0.0 && self.layout.moves(i, j) {
                    nodes.push((self.node(i, j), across * up));
                }
            }
        }
        nodes
    }

    /// Lets the contact layer act on the prediction of step n.
    pub fn touch(&mut self, state: &mut State, n: u64, k: f64) {
        let (origin, stride) = (self.origin, self.stride);
        if let Some(layer) = &mut self.layer {
            layer.apply(|j| origin + j * stride, state, n, k);
        }
    }

    pub fn reset(&mut self, k: f64) {
        if let Some(layer) = &mut self.layer {
            layer.reset(k);
        }
    }

    pub fn displacement(&self, state: &State, i: usize, j: usize) -> f64 {
        let on_grid = i <= self.grid.intervals[0] && j <= self.grid.intervals[1];
        if on_grid { state.u[self.node(i, j)] } else { 0.0 }
    }

    /// State nodes of the whole grid, padding included.
    pub fn span(&self) -> Range<usize> {
        let start = self.origin - PADDING * self.stride - PADDING;
        start..start + self.stride * (self.grid.intervals[1] + 1 + 2 * PADDING)
    }
}
