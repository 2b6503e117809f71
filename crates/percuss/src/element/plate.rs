//! Plate and membrane on a grid of square cells.
//!
//! Equation    ρH ü = TΔu − DΔΔu − 2ρHσ₀u̇ + 2ρHσ₁Δu̇, with a contact layer of mass λ̄, stiffness k̄, damping σ̄ (`touch`)
//! Update      (1 + σ₀k)du⁺ = (1 − σ₀k)du + k²(c²Δ − κ²ΔΔ)u + 2σ₁kΔdu,   u⁺ = u + du⁺
//! Stability   h² ≥ b + √(b² + 16κ²k²), b = c²k² + 4σ₁k; checked in `PlateGrid::choose`
//! Energy      in `plate_energy`: H = ½ρH‖δt−u‖² + ½⟨u, Ku⁻⟩ − ½ρHσ₁k‖δt−∇u‖²,  Q = 2ρH(σ₀‖δt·u‖² + σ₁‖δt·∇u‖²), nodes weighted w·h²
//! Symbols     ρH surface density \[kg/m²\], T tension \[N/m\], D = EH³/(12(1−ν²)) \[N·m\], σ₀ \[1/s\], σ₁ \[m²/s\],
//!             c² = T/ρH, κ² = D/ρH, h spacing \[m\], k time step \[s\]
//! Allocates   only in `new`
//! Reference   Bilbao (2009), ch. 12; van Walstijn, Bhanuprakash and Stapleton (2021), eqs. 35, 53, 55

use super::State;
use super::plate_disc::Disc;
use super::plate_kernel::Uniform;
use super::plate_operator::{Rectangle, Row};
use super::touch::Layer;
use crate::error::{Check, CompileError};
use crate::model::{Edge, Outline, Plate};
use std::ops::Range;

const MOST_NODES: f64 = 16e6;
const PADDING: usize = 2;

/// Offsets of the thirteen points of the stencil, as (di, dj).
const POINTS: [(isize, isize); 13] =
    [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1), (-2, 0), (2, 0), (0, -2), (0, 2)];

/// The grid chosen for a plate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlateGrid {
    /// Number of intervals between the first and the last node, along each axis.
    pub intervals: [usize; 2],
    /// How many of these lie outside, at either end: 0, or 1 around a round plate.
    pub margin: usize,
    /// Spacing h \[m\].
    pub spacing: f64,
    /// Smallest stable spacing at this rate \[m\].
    pub least_spacing: f64,
    /// Length of the sides that results, or the diameter twice \[m\].
    pub size: [f64; 2],
}

impl PlateGrid {
    /// Where on the grid a fraction of a side lies, counted in nodes.
    pub fn coordinate(&self, axis: usize, fraction: f64) -> f64 {
        fraction * (self.intervals[axis] - 2 * self.margin) as f64 + self.margin as f64
    }

    /// Fraction of a side at which a node lies; below 0 or above 1 for those outside a round plate.
    pub fn fraction(&self, axis: usize, node: usize) -> f64 {
        (node as f64 - self.margin as f64) / (self.intervals[axis] - 2 * self.margin) as f64
    }
}

/// Constants of a plate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Material {
    /// ρH \[kg/m²\].
    pub surface_density: f64,
    pub tension: f64,
    /// D \[N·m\].
    pub bending: f64,
    pub sigma0: f64,
    pub sigma1: f64,
}

impl Material {
    fn of(plate: &Plate, check: Check) -> Result<Self, CompileError> {
        check.positive("size", plate.size[0])?;
        check.positive("size", plate.size[1])?;
        check.positive("thickness", plate.thickness)?;
        check.positive("density", plate.density)?;
        check.not_negative("youngs_modulus", plate.youngs_modulus)?;
        check.that((0.0..0.5).contains(&plate.poisson), "poisson", plate.poisson, "from 0 to below 0.5")?;
        check.not_negative("tension", plate.tension)?;
        check.that(plate.tension + plate.youngs_modulus > 0.0, "tension", plate.tension, "above 0 for a membrane")?;
        check.not_negative("sigma0", plate.sigma0)?;
        check.not_negative("sigma1", plate.sigma1)?;
        Ok(Self {
            surface_density: plate.density * plate.thickness,
            tension: plate.tension,
            bending: plate.youngs_modulus * plate.thickness.powi(3) / (12.0 * (1.0 - plate.poisson.powi(2))),
            sigma0: plate.sigma0,
            sigma1: plate.sigma1,
        })
    }

    /// The smallest stable spacing \[m\] for a time step k \[s\].
    ///
    /// Where nothing is held, a membrane's and a disc's chequered mode has the largest eigenvalue itself and would grow in
    /// proportion to time at the limit: a thousandth of margin keeps it bounded.
    fn least_spacing(&self, plate: &Plate, k: f64) -> f64 {
        let margin = plate.edges == [Edge::Free; 4] && (plate.outline == Outline::Disc || self.bending == 0.0);
        let b = self.tension / self.surface_density * k * k + 4.0 * self.sigma1 * k;
        let kappa2 = self.bending / self.surface_density;
        let least = (b + (b * b + 16.0 * kappa2 * k * k).sqrt()).sqrt();
        if margin { 1.001 * least } else { least }
    }
}

impl PlateGrid {
    fn choose(plate: &Plate, least_spacing: f64, check: Check, k: f64) -> Result<Self, CompileError> {
        let (subject, rate) = (check.0, 1.0 / k);
        let most = plate.size.map(|side| side / least_spacing);
        if most[0] * most[1] > MOST_NODES && plate.grid.is_none() {
            let maximum = MOST_NODES as usize;
            return Err(CompileError::GridTooLarge { subject, intervals: most[0] * most[1], maximum });
        }
        let first = plate.grid.map_or(most[0] as usize, |grid| grid[0]);
        let spacing = plate.size[0] / first.max(1) as f64;
        // A spacing that equals the limit but for rounding is stable.
        if spacing * (1.0 + 1e-12) < least_spacing {
            let maximum = (most[0] * (1.0 + 1e-12)) as usize;
            return Err(CompileError::GridTooFine { subject, requested: first, maximum, rate });
        }
        let second = plate.grid.map_or((plate.size[1] / spacing).round() as usize, |grid| grid[1]);
        let intervals = [first, second];
        if first.min(second) < 4 {
            return Err(CompileError::GridTooCoarse { subject, intervals: first.min(second), rate });
        }
        if (first * second) as f64 > MOST_NODES {
            let maximum = MOST_NODES as usize;
            return Err(CompileError::GridTooLarge { subject, intervals: (first * second) as f64, maximum });
        }
        let size = intervals.map(|n| n as f64 * spacing);
        let margin = usize::from(plate.outline == Outline::Disc);
        Ok(Self { intervals: intervals.map(|n| n + 2 * margin), margin, spacing, least_spacing, size })
    }
}

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
    /// Which of the points move.
    moves: [bool; 13],
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
            let more = row.as_ref().map_or(Some(0.0), |row| self.more_than_uniform(row));
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
    fn more_than_uniform(&self, row: &EdgeRow) -> Option<f64> {
        let ([c1, c2, c3], [d0, d1]) = (self.uniform.on_u, self.uniform.on_du);
        let c0 = -4.0 * (c1 + c2 + c3);
        let on_u = [c0, c1, c1, c1, c1, c2, c2, c2, c2, c3, c3, c3, c3];
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-13 * (c0.abs() + d0.abs());
        // Fixed nodes do not move: what is asked of them does not matter.
        let elsewhere = |p: usize| row.moves[p] && !close(row.on_u[p], on_u[p]);
        let dragged = |p: usize| row.moves[p] && !close(row.on_du[p], if p == 0 { d0 } else { d1 });
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
        let moves = |(di, dj): (isize, isize)| {
            let (k, l) = (i.wrapping_add_signed(di), j.wrapping_add_signed(dj));
            k <= self.grid.intervals[0] && l <= self.grid.intervals[1] && self.layout.moves(k, l)
        };
        let on_u = POINTS.map(|at| self.pull(entry(&bending, at), entry(&gradient, at), k));
        let hold: f64 = on_u.iter().sum();
        EdgeRow {
            moves: POINTS.map(moves),
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
