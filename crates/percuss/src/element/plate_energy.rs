//! The account of a plate, row by row.
//!
//! Energy      H = ½ρH Σ w h²(du/k)² + ½D h² Σ[…] + ½T Σ(Δ₁u)(Δ₁u⁻) − ½ρHσ₁/k Σ(Δ₁du)²   (Δ₁: difference of neighbours)
//!             with the curvature terms of `plate_operator` at u⁻, which the state has between steps, and u = u⁻ + du
//! Loss        k·Q = ½(ρH/k)[σ₀h² Σ w(du⁺ + du)² + σ₁ Σ(Δ₁(du⁺ + du))²]
//! Sums are taken over differences, never as ⟨u, Ku⁻⟩: for slow modes that would subtract equal numbers.
//! Allocates   no

use super::plate::{Layout, PlateBody};
use super::plate_disc::Disc;
use super::plate_operator::Rectangle;
use super::{Balance, State};

/// A row of the three fields: u⁻, du, and the du before.
#[derive(Clone, Copy)]
struct Fields<'a> {
    u: &'a [f64],
    du: &'a [f64],
    old: &'a [f64],
}

/// Sums over the plate, without their constants.
#[derive(Default)]
struct Sums {
    kinetic: f64,
    friction: f64,
    bend: f64,
    stretch: f64,
    lag: f64,
    shear: f64,
}

impl PlateBody {
    fn fields<'a>(&self, state: &'a State, j: usize) -> Fields<'a> {
        let row = self.node(0, j)..=self.node(self.grid.intervals[0], j);
        Fields { u: &state.u[row.clone()], du: &state.du[row.clone()], old: &state.du_before[row] }
    }

    /// The account after a step.
    pub fn balance(&self, state: &State, k: f64) -> Balance {
        let (m, h) = (&self.material, self.grid.spacing);
        let mut sums = Sums::default();
        match &self.layout {
            Layout::Rectangle(rectangle) => {
                for j in 0..=self.grid.intervals[1] {
                    self.add_nodes(rectangle, state, j, &mut sums);
                    if m.bending > 0.0 {
                        self.add_bending(rectangle, state, j, &mut sums);
                    }
                }
            }
            Layout::Disc(disc) => {
                let last = self.grid.intervals[1];
                (0..=last).for_each(|j| self.add_disc_nodes(disc, state, j, &mut sums));
                (1..last).for_each(|j| self.add_disc_bending(disc, state, j, &mut sums));
            }
        }
        let density = m.surface_density;
        let parts = [
            0.5 * density * h * h / (k * k) * sums.kinetic,
            0.5 * m.bending / (h * h) * sums.bend,
            0.5 * m.tension * sums.stretch,
            -0.5 * density * m.sigma1 / k * sums.lag,
        ];
        let mut balance = Balance {
            stored: parts.iter().sum(),
            magnitude: parts.iter().map(|part| part.abs()).sum(),
            lost: 0.5 * density / k * (m.sigma0 * h * h * sums.friction + m.sigma1 * sums.shear),
            worked: 0.0,
        };
        if let Some(layer) = &self.layer {
            layer.balance(self, state, k, &mut balance);
        }
        balance
    }

    /// Adds what the nodes of a row, and the intervals along it and up from it, have of motion and slope.
    fn add_nodes(&self, rectangle: &Rectangle, state: &State, j: usize, sums: &mut Sums) {
        let last = self.grid.intervals[0];
        let Fields { u, du, old } = self.fields(state, j);
        let weight = rectangle.share(1, j);
        // Whole cells first; what the ends have too much is taken off.
        let excess = [(0, 1.0 - rectangle.share(0, 0)), (last, 1.0 - rectangle.share(0, last))];
        let (mut kinetic, mut friction) = (0.0, 0.0);
        for (du, old) in du.iter().zip(old) {
            kinetic += du * du;
            friction += (du + old) * (du + old);
        }
        for (end, excess) in excess {
            kinetic -= excess * du[end] * du[end];
            friction -= excess * (du[end] + old[end]).powi(2);
        }
        sums.kinetic += weight * kinetic;
        sums.friction += weight * friction;
        let along = slopes((&u[..last], &u[1..]), (&du[..last], &du[1..]), (&old[..last], &old[1..]));
        let mut add = |[stretch, lag, shear]: [f64; 3], weight: f64| {
            sums.stretch += weight * stretch;
            sums.lag += weight * lag;
            sums.shear += weight * shear;
        };
        add(along, weight);
        if j < self.grid.intervals[1] {
            let up = self.fields(state, j + 1);
            add(slopes((u, up.u), (du, up.du), (old, up.old)), 1.0);
            for (end, excess) in excess {
                let at = |low: &[f64], high: &[f64]| (low[end], high[end]);
                let ((a, b), (c, d), (e, f)) = (at(u, up.u), at(du, up.du), at(old, up.old));
                add(slopes((&[a], &[b]), (&[c], &[d]), (&[e], &[f])), -excess);
            }
        }
    }

    /// Adds the curvature of the nodes of a row and the twist of the cells above it, both times h⁴.
    fn add_bending(&self, rectangle: &Rectangle, state: &State, j: usize, sums: &mut Sums) {
        let [columns, rows] = self.grid.intervals;
        let nu = rectangle.nu;
        let here = self.fields(state, j);
        if j < rows {
            let up = self.fields(state, j + 1);
            let mut twist = 0.0;
            for i in 0..columns {
                let of = |low: &[f64], high: &[f64]| (low[i] - low[i + 1]) - (high[i] - high[i + 1]);
                let (back, step) = (of(here.u, up.u), of(here.du, up.du));
                twist += back * (back + step);
            }
            sums.bend += 2.0 * (1.0 - nu) * twist;
        }
        if j == 0 || j == rows {
            (0..=columns).for_each(|i| sums.bend += self.edge_bending(rectangle, state, i, j));
            return;
        }
        let (down, up) = (self.fields(state, j - 1), self.fields(state, j + 1));
        let mut bend = 0.0;
        for i in 1..columns {
            let across = |x: &[f64]| x[i - 1] - 2.0 * x[i] + x[i + 1];
            let along = |low: &[f64], x: &[f64], high: &[f64]| low[i] - 2.0 * x[i] + high[i];
            let (x, y) = (across(here.u), along(down.u, here.u, up.u));
            let (now_x, now_y) = (x + across(here.du), y + along(down.du, here.du, up.du));
            bend += x * now_x + y * now_y + nu * (x * now_y + y * now_x);
        }
        sums.bend += bend + self.edge_bending(rectangle, state, 0, j) + self.edge_bending(rectangle, state, columns, j);
    }

    /// The same for a node on an edge, where the edge decides what it stores.
    fn edge_bending(&self, rectangle: &Rectangle, state: &State, i: usize, j: usize) -> f64 {
        let u = |i: usize, j: usize| state.u[self.node(i, j)];
        let du = |i: usize, j: usize| state.du[self.node(i, j)];
        let nu = rectangle.nu;
        let density = match (rectangle.strain(i, j, u), rectangle.strain(i, j, du)) {
            ([Some(x), Some(y)], [Some(dx), Some(dy)]) => {
                x * (x + dx) + y * (y + dy) + nu * (x * (y + dy) + y * (x + dx))
            }
            ([Some(one), None], [Some(step), _]) | ([None, Some(one)], [_, Some(step)]) => {
                (1.0 - nu * nu) * one * (one + step)
            }
            _ => 0.0,
        };
        rectangle.weight(i, j) * density * self.grid.spacing.powi(4)
    }
}

/// The terms of a disc, weighted as in `plate_disc`.
impl PlateBody {
    /// Adds what the nodes of a row, and the intervals to their right and above them, have of motion and slope.
    fn add_disc_nodes(&self, disc: &Disc, state: &State, j: usize, sums: &mut Sums) {
        let last = self.grid.intervals[0];
        let row = disc.index(0, j)..=disc.index(last, j);
        let here = self.fields(state, j);
        for ((mass, du), old) in disc.mass[row.clone()].iter().zip(here.du).zip(here.old) {
            sums.kinetic += mass * du * du;
            sums.friction += mass * (du + old) * (du + old);
        }
        let [right, above] = [0, 1].map(|axis| &disc.side[axis][row.clone()]);
        let mut slope = |weight: f64, u: f64, du: f64, old: f64| {
            sums.stretch += weight * u * (u + du);
            sums.lag += weight * du * du;
            sums.shear += weight * (du + old) * (du + old);
        };
        for i in 0..last {
            let across = |x: &[f64]| x[i + 1] - x[i];
            slope(right[i], across(here.u), across(here.du), across(here.old));
        }
        if j < self.grid.intervals[1] {
            let up = self.fields(state, j + 1);
            for (i, &weight) in above.iter().enumerate() {
                slope(weight, up.u[i] - here.u[i], up.du[i] - here.du[i], up.old[i] - here.old[i]);
            }
        }
    }

    /// Adds the curvature of the nodes of a row and the twist of the cells above it, both times h⁴.
    fn add_disc_bending(&self, disc: &Disc, state: &State, j: usize, sums: &mut Sums) {
        let last = self.grid.intervals[0];
        let row = disc.index(0, j)..=disc.index(last, j);
        let [down, here, up] = [j - 1, j, j + 1].map(|j| self.fields(state, j));
        let [line_x, line_y] = [0, 1].map(|axis| &disc.line[axis][row.clone()]);
        let (node, cell) = (&disc.node[row.clone()], &disc.cell[row]);
        for i in 1..last {
            let across = |x: &[f64]| x[i - 1] - 2.0 * x[i] + x[i + 1];
            let along = |low: &[f64], x: &[f64], high: &[f64]| low[i] - 2.0 * x[i] + high[i];
            let twist = |x: &[f64], high: &[f64]| (x[i] - x[i + 1]) - (high[i] - high[i + 1]);
            let (x, y, t) = (across(here.u), along(down.u, here.u, up.u), twist(here.u, up.u));
            let (dx, dy, dt) = (across(here.du), along(down.du, here.du, up.du), twist(here.du, up.du));
            sums.bend += (1.0 - disc.nu)
                * (line_x[i] * x * (x + dx) + line_y[i] * y * (y + dy) + 2.0 * cell[i] * t * (t + dt))
                + disc.nu * node[i] * (x + y) * (x + y + dx + dy);
        }
    }
}

/// Σ Δu⁻·Δu, Σ (Δdu)², Σ (Δ(du⁺ + du))² between pairs of nodes, Δ being the second of a pair minus the first.
fn slopes(u: (&[f64], &[f64]), du: (&[f64], &[f64]), old: (&[f64], &[f64])) -> [f64; 3] {
    let (mut stretch, mut lag, mut shear) = (0.0, 0.0, 0.0);
    let pairs = u.0.iter().zip(u.1).zip(du.0.iter().zip(du.1)).zip(old.0.iter().zip(old.1));
    for (((u0, u1), (du0, du1)), (old0, old1)) in pairs {
        let (slope, step, before) = (u1 - u0, du1 - du0, old1 - old0);
        stretch += slope * (slope + step);
        lag += step * step;
        shear += (step + before) * (step + before);
    }
    [stretch, lag, shear]
}
