//! The contact layer of a plate: mass, stiffness and damping per node that change in time.
//!
//! Equation    ∂t[(ρH + λ̄)u̇] = … − k̄u − 2ρH(σ₀ + σ̄)u̇,  λ̄ = Σa_λp̄, k̄ = Σa_kp̄, σ̄ = (1+ḡ)Σa_σp̄ + σ₀ḡ, ḡ = λ̄/ρH
//! Update      D du⁺ = D₀·(du⁺ without layer) + (γ⁻ − ς + κ⁻)du − 2(κ⁺ + κ⁻)u,  D = D₀ + γ⁺ + ς + κ⁺, D₀ = 1 + σ₀k,
//!             γ± = ḡ^{n±½}, κ± = ¼(k²/ρH)k̄^{n±½}, ς = σ̄ⁿk; half-step values are means of neighbours in time
//! Stability   unconditional: all three only change the diagonal
//! Energy      H += ½⟨k̄^{n+½}μ₊u,μ₊u⟩ + ½⟨λ̄^{n+½}δ₊u,δ₊u⟩,  Q += 2ρH⟨σ̄δt·u,δt·u⟩,
//!             work P_c = ½⟨δₜk̄·μ₊u,μ₋u⟩ − ½⟨δₜλ̄·δ₊u,δ₋u⟩
//! Control     pressures are set every N samples and move in straight lines between
//! Allocates   only in `new`
//! Reference   van Walstijn, Bhanuprakash and Stapleton (2021), eqs. 6, 35, 46–63 (½ in 33, 34; square in 47)

use super::plate::PlateBody;
use super::plate_grid::PlateGrid;
use super::{Balance, State};
use crate::error::{Check, CompileError};
use crate::model::{Control, Plate, Region, Touch};
use crate::solver::check_control;

/// Three fields over all grid nodes, row by row.
#[derive(Clone, Debug)]
struct Fields {
    /// ḡ.
    mass: Vec<f64>,
    /// ¼(k²/ρH)k̄.
    stiffness: Vec<f64>,
    /// Σa_σp̄ \[1/s\].
    damping: Vec<f64>,
}

impl Fields {
    fn new(count: usize) -> Self {
        Self { mass: vec![0.0; count], stiffness: vec![0.0; count], damping: vec![0.0; count] }
    }
}

/// The contact layer of a plate.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    touches: Vec<Touch>,
    /// Node pressures of the touches that are images, else empty.
    images: Vec<Vec<f64>>,
    interval: usize,
    /// k²/4ρH: from k̄ to κ.
    stiffness_scale: f64,
    /// 1/ρH: from λ̄ to ḡ.
    mass_scale: f64,
    start: Fields,
    end: Fields,
    /// γ and κ at n + ½ and, before the step, at n − ½.
    ahead: [Vec<f64>; 2],
    behind: [Vec<f64>; 2],
    /// σ̄k at n.
    drag: Vec<f64>,
    /// D₀ = 1 + σ₀k.
    bare: f64,
    sigma0: f64,
    /// Inverse masses without the layer.
    bare_inverse_mass: Vec<f64>,
    columns: usize,
    rows: usize,
    grid: PlateGrid,
}

impl Layer {
    pub fn new(plate: &Plate, body: &PlateBody, check: Check, k: f64) -> Result<Option<Self>, CompileError> {
        if plate.touches.is_empty() {
            return Ok(None);
        }
        for touch in &plate.touches {
            check.not_negative("mass", touch.mass)?;
            check.not_negative("stiffness", touch.stiffness)?;
            check.not_negative("damping", touch.damping)?;
            check_control(&touch.pressure, "pressure", check)?;
            check_region(&touch.region, check)?;
        }
        let interval = plate.control_interval as f64;
        check.that(interval >= 1.0, "control_interval", interval, "at least 1 sample")?;
        let [columns, rows] = body.grid.intervals.map(|n| n + 1);
        let count = columns * rows;
        let zeros = || vec![0.0; count];
        let mut layer = Self {
            images: plate.touches.iter().map(|_| Vec::new()).collect(),
            touches: plate.touches.clone(),
            interval: plate.control_interval,
            stiffness_scale: k * k / (4.0 * body.surface_density()),
            mass_scale: 1.0 / body.surface_density(),
            start: Fields::new(count),
            end: Fields::new(count),
            ahead: [zeros(), zeros()],
            behind: [zeros(), zeros()],
            drag: zeros(),
            bare: 1.0 + body.sigma0() * k,
            sigma0: body.sigma0(),
            bare_inverse_mass: zeros(),
            columns,
            rows,
            grid: body.grid,
        };
        for (image, touch) in layer.images.iter_mut().zip(&layer.touches) {
            if matches!(touch.region, Region::Image { .. }) {
                *image = vec![0.0; count];
            }
        }
        for (i, j) in body.moving() {
            layer.bare_inverse_mass[j * columns + i] = body.inverse_mass(i, j, k);
        }
        layer.reset(k);
        Ok(Some(layer))
    }

    /// All controls of the touches.
    pub fn each_control(&mut self, visit: &mut dyn FnMut(&mut Control)) {
        for touch in &mut self.touches {
            visit(&mut touch.pressure);
            match &mut touch.region {
                Region::Circle { centre, radius } | Region::OutsideCircle { centre, radius } => {
                    centre.iter_mut().for_each(&mut *visit);
                    visit(radius);
                }
                Region::Rectangle { centre, size } => centre.iter_mut().chain(size).for_each(&mut *visit),
                Region::HalfPlane { level, .. } => visit(level),
                Region::Everywhere | Region::Image { .. } => {}
            }
        }
    }

    /// Back to time 0, with the pictures as described and the pressures of time 0 before it.
    pub fn reset(&mut self, k: f64) {
        for index in 0..self.touches.len() {
            if let Region::Image { width, values } = &self.touches[index].region {
                lay_picture(&mut self.images[index], self.grid, *width, values);
            }
        }
        self.evaluate(0.0);
        std::mem::swap(&mut self.start, &mut self.end);
        self.evaluate(self.interval as f64 * k);
        self.ahead[0].copy_from_slice(&self.start.mass);
        self.ahead[1].copy_from_slice(&self.start.stiffness);
    }

    /// Sets `end` to the fields at a time \[s\].
    fn evaluate(&mut self, time: f64) {
        let Fields { mass, stiffness, damping } = &mut self.end;
        for field in [&mut *mass, &mut *stiffness, &mut *damping] {
            field.fill(0.0);
        }
        for (touch, image) in self.touches.iter().zip(&self.images) {
            let pressure = touch.pressure.at(time).clamp(0.0, 1.0);
            let cover = Cover::of(&touch.region, time, self.grid.spacing, self.grid.size);
            for node in 0..mass.len() {
                let place = [node % self.columns, node / self.columns]
                    .map(|n| (n as f64 - self.grid.margin as f64) * self.grid.spacing);
                let share = pressure * if image.is_empty() { cover.at(place) } else { image[node] };
                mass[node] += self.mass_scale * touch.mass * share;
                stiffness[node] += self.stiffness_scale * touch.stiffness * share;
                damping[node] += touch.damping * share;
            }
        }
    }

    /// Corrects the prediction of step n, and sets the inverse masses that contacts see.
    pub fn apply(&mut self, body_row: impl Fn(usize) -> usize, state: &mut State, n: u64, k: f64) {
        let phase = n % self.interval as u64;
        if phase == 0 && n > 0 {
            std::mem::swap(&mut self.start, &mut self.end);
            self.evaluate((n + self.interval as u64) as f64 * k);
        }
        let now = phase as f64 / self.interval as f64;
        let half = (phase as f64 + 0.5) / self.interval as f64;
        std::mem::swap(&mut self.ahead, &mut self.behind);
        let between = |from: &[f64], to: &[f64], node: usize, share: f64| from[node] + share * (to[node] - from[node]);
        for j in 0..self.rows {
            let first = body_row(j);
            for i in 0..self.columns {
                let (node, at) = (j * self.columns + i, first + i);
                let mass = between(&self.start.mass, &self.end.mass, node, now);
                let damping = between(&self.start.damping, &self.end.damping, node, now);
                let drag = (damping * (1.0 + mass) + self.sigma0 * mass) * k;
                let gamma = between(&self.start.mass, &self.end.mass, node, half);
                let kappa = between(&self.start.stiffness, &self.end.stiffness, node, half);
                let (gamma_behind, kappa_behind) = (self.behind[0][node], self.behind[1][node]);
                let whole = self.bare + gamma + drag + kappa;
                state.du_next[at] = (self.bare * state.du_next[at]
                    + (gamma_behind - drag + kappa_behind) * state.du[at]
                    - 2.0 * (kappa + kappa_behind) * state.u[at])
                    / whole;
                state.inverse_mass[at] = self.bare_inverse_mass[node] * self.bare / whole;
                (self.ahead[0][node], self.ahead[1][node], self.drag[node]) = (gamma, kappa, drag);
            }
        }
    }

    /// Adds the layer's part to the account of a step just taken.
    pub fn balance(&self, body: &PlateBody, state: &State, k: f64, balance: &mut Balance) {
        let density = body.surface_density();
        for (i, j) in body.moving() {
            let (node, at) = (j * self.columns + i, body.node(i, j));
            let area = body.node_mass(i, j) / density;
            let (u, du, old) = (state.u[at], state.du[at], state.du_next[at]);
            let (mean, mean_before) = (u - 0.5 * du, u - du - 0.5 * old);
            // κ and γ back to k̄ and λ̄.
            let stiffness = |kappa: f64| kappa * 4.0 * density / (k * k);
            let [gamma, kappa] = [self.ahead[0][node], self.ahead[1][node]];
            let [gamma_behind, kappa_behind] = [self.behind[0][node], self.behind[1][node]];
            let held = 0.5 * area * (stiffness(kappa) * mean * mean + density * gamma * du * du / (k * k));
            balance.stored += held;
            balance.magnitude += held;
            balance.lost += 0.5 * area * density * self.drag[node] * (du + old).powi(2) / (k * k);
            balance.worked += 0.5
                * area
                * (stiffness(kappa - kappa_behind) * mean * mean_before
                    - density * (gamma - gamma_behind) * du * old / (k * k));
        }
    }

    /// Mass \[kg\] and stiffness \[N/m\] added to a node of the given mass.
    pub fn load(&self, i: usize, j: usize, mass: f64, k: f64) -> (f64, f64) {
        let node = j * self.columns + i;
        // γ = λ̄/ρH and κ = ¼(k²/ρH)k̄.
        (mass * self.ahead[0][node], mass * 4.0 * self.ahead[1][node] / (k * k))
    }

    /// Lays a picture of pressures on the nodes of an image touch; it takes effect at the next control update.
    pub fn press(&mut self, touch: usize, width: usize, values: &[f64]) {
        if let Some(image) = self.images.get_mut(touch).filter(|image| !image.is_empty()) {
            lay_picture(image, self.grid, width, values);
        }
    }
}

/// Samples a picture of any resolution at the nodes of a grid, between pixels by straight lines.
fn lay_picture(nodes: &mut [f64], grid: PlateGrid, width: usize, values: &[f64]) {
    let [columns, rows] = grid.intervals.map(|n| n + 1);
    let height = values.len().checked_div(width).unwrap_or(0);
    if height == 0 {
        return;
    }
    let along = |axis: usize, node: usize, pixels: usize| {
        let x = grid.fraction(axis, node).clamp(0.0, 1.0) * (pixels - 1) as f64;
        let pixel = (x as usize).min(pixels.saturating_sub(2));
        (pixel, (pixel + 1).min(pixels - 1), x - pixel as f64)
    };
    for j in 0..rows {
        let (low, high, up) = along(1, j, height);
        for i in 0..columns {
            let (left, right, across) = along(0, i, width);
            let mix = |row: usize| {
                let (a, b) = (values[row * width + left], values[row * width + right]);
                a + across * (b - a)
            };
            let pressure = mix(low) + up * (mix(high) - mix(low));
            nodes[j * columns + i] = if pressure.is_finite() { pressure.clamp(0.0, 1.0) } else { 0.0 };
        }
    }
}

fn check_region(region: &Region, check: Check) -> Result<(), CompileError> {
    let controls = |controls: &[&Control], field| controls.iter().try_for_each(|c| check_control(c, field, check));
    match region {
        Region::Everywhere => Ok(()),
        Region::Circle { centre, radius } | Region::OutsideCircle { centre, radius } => {
            controls(&[&centre[0], &centre[1]], "centre")?;
            controls(&[radius], "radius")
        }
        Region::Rectangle { centre, size } => {
            controls(&[&centre[0], &centre[1]], "centre")?;
            controls(&[&size[0], &size[1]], "size")
        }
        Region::HalfPlane { direction, level } => {
            let length = direction[0].hypot(direction[1]);
            check.that(length > 0.0, "direction", length, "other than [0, 0]")?;
            controls(&[level], "level")
        }
        Region::Image { width, values } => {
            let whole = *width > 0 && !values.is_empty() && values.len() % width == 0;
            check.that(whole, "values", values.len() as f64, "full rows of the picture")?;
            values.iter().try_for_each(|&value| check.fraction("values", value))
        }
    }
}

/// A region at one instant. Its rim is a ramp one cell wide, so that a region that moves does so smoothly.
enum Cover {
    Everywhere,
    Disc { centre: [f64; 2], radius: f64, inside: bool, cell: f64 },
    Box { centre: [f64; 2], half: [f64; 2], cell: f64 },
    Below { direction: [f64; 2], level: f64, cell: f64 },
}

impl Cover {
    fn of(region: &Region, time: f64, cell: f64, size: [f64; 2]) -> Self {
        let place = |centre: &[Control; 2]| [0, 1].map(|axis| centre[axis].at(time) * size[axis]);
        match region {
            Region::Everywhere | Region::Image { .. } => Self::Everywhere,
            Region::Circle { centre, radius } => {
                Self::Disc { centre: place(centre), radius: radius.at(time), inside: true, cell }
            }
            Region::OutsideCircle { centre, radius } => {
                Self::Disc { centre: place(centre), radius: radius.at(time), inside: false, cell }
            }
            Region::Rectangle { centre, size: sides } => {
                Self::Box { centre: place(centre), half: [0, 1].map(|axis| 0.5 * sides[axis].at(time)), cell }
            }
            Region::HalfPlane { direction, level } => {
                let length = direction[0].hypot(direction[1]);
                let direction = direction.map(|part| part / length);
                // From the lowest corner to the highest.
                let reach = [0, 1].map(|axis| direction[axis] * size[axis]);
                let low: f64 = reach.iter().map(|part| part.min(0.0)).sum();
                let high: f64 = reach.iter().map(|part| part.max(0.0)).sum();
                Self::Below { direction, level: low + level.at(time) * (high - low), cell }
            }
        }
    }

    /// Share of the region at a place \[m\].
    fn at(&self, [x, y]: [f64; 2]) -> f64 {
        let ramp = |outside: f64, cell: f64| (0.5 - outside / cell).clamp(0.0, 1.0);
        match *self {
            Self::Everywhere => 1.0,
            Self::Disc { centre, radius, inside, cell } => {
                let outside = (x - centre[0]).hypot(y - centre[1]) - radius;
                ramp(if inside { outside } else { -outside }, cell)
            }
            Self::Box { centre, half, cell } => {
                ramp((x - centre[0]).abs() - half[0], cell) * ramp((y - centre[1]).abs() - half[1], cell)
            }
            Self::Below { direction, level, cell } => ramp(direction[0] * x + direction[1] * y - level, cell),
        }
    }
}
