//! A round plate on the grid of square cells: every term of the energy is weighted by how much of it lies within the rim.
//!
//! Energy      ½Dh² Σ[(1−ν)(w_x u_xx² + w_y u_yy² + 2w_c u_xy²) + νw_n(u_xx + u_yy)²], ½T Σ s(Δ₁u)² with s from the same weights
//! Mass        each term brings its own, ρHh² w times: ¼(1−ν) as (¼ ½ ¼) along each axis, ½(1−ν) as ¼ per corner of a
//!             cell, ν as ½ in the centre and ⅛ on the four arms; where all weights are 1 a node has 1
//! Bound       on its own mass each term has the eigenvalue 64/h⁴ (slopes: 8/h²); so then has their sum, whatever the
//!             weights: a round plate is stable on the grid of a rectangular one, however the rim cuts the cells
//! Free        w = share of the area; nodes up to one cell outside move too and settle so that the rim bears no moment
//! Clamped     nodes less than `FIXED_MARGIN` cells inside are fixed; w makes the curvature of s², s being the distance to the
//!             rim, come out right from the nodes that are left; ν drops out between fixed edges
//! Held        a membrane: an interval that the rim cuts at a share θ has the slope of that length, s = 1/θ
//! Order       second, for all three (tests/convergence_discs.rs)

use crate::element::plate::rectangle::{Form, OperatorRow, accumulate};
use crate::model::Edge;

/// Nodes closer to a rim that is held than this many cells are fixed.
const FIXED_MARGIN: f64 = 0.4;
/// Terms of which less than this share lies inside are left out.
const MIN_SHARE: f64 = 1e-3;
/// Largest weight of a twist at a clamped rim.
const MAX_CLAMPED_WEIGHT: f64 = 4.0;
/// From this many cells inside the rim on all weights are 1.
const INTERIOR_DEPTH: f64 = 3.0;

/// A disc on its grid; one ring of nodes around it lies outside.
#[derive(Clone, Debug)]
pub(crate) struct Disc {
    columns: usize,
    spacing: f64,
    /// Radius in cells.
    radius: f64,
    is_held: bool,
    /// Poisson's ratio as the energy needs it.
    pub nu: f64,
    /// w_x and w_y.
    pub line: [Vec<f64>; 2],
    /// w_n.
    pub node: Vec<f64>,
    /// w_c of the cell above and to the right of a node.
    pub cell: Vec<f64>,
    /// s of the interval to the right of a node, and of the one above it.
    pub side: [Vec<f64>; 2],
    /// Mass in cells.
    pub mass: Vec<f64>,
}

impl Disc {
    /// `intervals` along the diameter.
    pub fn new(intervals: usize, spacing: f64, rim: Edge, poisson: f64, is_membrane: bool) -> Self {
        let columns = intervals + 3;
        let zeros = || vec![0.0; columns * columns];
        let mut disc = Self {
            columns,
            spacing,
            radius: 0.5 * intervals as f64,
            is_held: rim != Edge::Free,
            nu: if rim == Edge::Free { poisson } else { 0.0 },
            line: [zeros(), zeros()],
            node: zeros(),
            cell: zeros(),
            side: [zeros(), zeros()],
            mass: zeros(),
        };
        if rim == Edge::Free {
            disc.set_area_weights();
        } else if is_membrane {
            disc.set_fixed_membrane_sides();
            return disc;
        } else {
            disc.set_clamped_weights();
        }
        disc.distribute_mass(rim);
        disc.set_sides();
        disc
    }

    pub fn index(&self, i: usize, j: usize) -> usize {
        j * self.columns + i
    }

    pub fn moves(&self, i: usize, j: usize) -> bool {
        self.weight(i, j) > 0.0
    }

    /// Whether its rim, and all that lies beyond, is held.
    pub fn is_held(&self) -> bool {
        self.is_held
    }

    /// Mass of a node in cells.
    pub fn weight(&self, i: usize, j: usize) -> f64 {
        self.mass[self.index(i, j)]
    }

    /// Columns of a row far enough from the rim that all weights are 1.
    pub fn interior(&self, j: usize) -> std::ops::Range<usize> {
        let centre = self.radius + 1.0;
        let reach = (self.radius - INTERIOR_DEPTH).max(0.0).powi(2) - (j as f64 - centre).powi(2);
        if reach <= 0.0 {
            return 0..0;
        }
        (centre - reach.sqrt()).ceil() as usize..(centre + reach.sqrt()) as usize + 1
    }

    /// Nodes at which terms may sit: all but the outermost.
    fn term_nodes(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let last = self.columns - 1;
        (1..last).flat_map(move |j| (1..last).map(move |i| (i, j)))
    }

    /// Place on the grid as seen from the centre, in cells.
    fn place(&self, i: f64, j: f64) -> [f64; 2] {
        [i - 1.0 - self.radius, j - 1.0 - self.radius]
    }

    /// Distance of a node from the rim, positive inside, in cells.
    fn depth(&self, i: usize, j: usize) -> f64 {
        let [x, y] = self.place(i as f64, j as f64);
        self.radius - x.hypot(y)
    }

    fn is_fixed(&self, (i, j): (usize, usize)) -> bool {
        self.depth(i, j) <= FIXED_MARGIN
    }

    /// Share of the unit square around a place that lies in the disc.
    fn share(&self, [x, y]: [f64; 2]) -> f64 {
        const STRIPS: usize = 64;
        let (distance, reach) = (x.hypot(y), std::f64::consts::FRAC_1_SQRT_2);
        if distance + reach <= self.radius {
            return 1.0;
        }
        if distance - reach >= self.radius {
            return 0.0;
        }
        let strip = |n: usize| {
            let x = x - 0.5 + (n as f64 + 0.5) / STRIPS as f64;
            let half = (self.radius.powi(2) - x * x).max(0.0).sqrt();
            ((y + 0.5).min(half) - (y - 0.5).max(-half)).max(0.0)
        };
        let share = (0..STRIPS).map(strip).sum::<f64>() / STRIPS as f64;
        if share > MIN_SHARE { share } else { 0.0 }
    }

    fn set_area_weights(&mut self) {
        for (i, j) in self.term_nodes() {
            let at = self.index(i, j);
            let around = self.share(self.place(i as f64, j as f64));
            self.line[0][at] = around;
            self.line[1][at] = around;
            self.node[at] = around;
            self.cell[at] = self.share(self.place(i as f64 + 0.5, j as f64 + 0.5));
        }
    }

    fn set_clamped_weights(&mut self) {
        for (i, j) in self.term_nodes() {
            let at = self.index(i, j);
            self.line[0][at] = self.clamped_line([(i - 1, j), (i, j), (i + 1, j)]);
            self.line[1][at] = self.clamped_line([(i, j - 1), (i, j), (i, j + 1)]);
            self.cell[at] = self.clamped_cell(i, j);
        }
    }

    /// Where the rim crosses the line from a fixed node to a moving one next to it: 0 at the fixed node, 1 at the moving one.
    fn rim_crossing(&self, fixed: (usize, usize), moving: (usize, usize)) -> f64 {
        let [x, y] = self.place(moving.0 as f64, moving.1 as f64);
        let outward = [fixed.0 as f64 - moving.0 as f64, fixed.1 as f64 - moving.1 as f64];
        let along = x * outward[0] + y * outward[1];
        let inside = self.radius.powi(2) - (x * x + y * y);
        1.0 - ((along * along + inside).sqrt() - along)
    }

    /// Weight of a second difference near a clamped rim at b: for u = (x − b)² it then counts as 2, wherever b lies.
    fn clamped_line(&self, nodes: [(usize, usize); 3]) -> f64 {
        let [left, centre, right] = nodes.map(|node| self.is_fixed(node));
        let ends = [(nodes[0], left), (nodes[2], right)];
        if centre {
            let moving = ends.iter().filter(|(_, fixed)| !fixed);
            let weights = moving.map(|&(end, _)| 2.0 / (1.0 - self.rim_crossing(nodes[1], end).max(-1.0)).powi(2));
            return weights.reduce(|a, b| a * b).unwrap_or(0.0);
        }
        let fixed = ends.iter().filter(|(_, fixed)| *fixed);
        fixed.map(|&(end, _)| 2.0 / (2.0 - self.rim_crossing(end, nodes[1]).max(-1.0).powi(2))).product()
    }

    /// Weight of a twist near a clamped rim: the twist of s² over the one that its moving nodes have.
    fn clamped_cell(&self, i: usize, j: usize) -> f64 {
        let corners = [((i, j), 1.0), ((i + 1, j), -1.0), ((i, j + 1), -1.0), ((i + 1, j + 1), 1.0)];
        let moving = corners.iter().filter(|(node, _)| !self.is_fixed(*node));
        if moving.clone().count() == 4 {
            return 1.0;
        }
        let nodal_twist: f64 = moving.map(|((i, j), sign)| sign * self.depth(*i, *j).powi(2)).sum();
        let [x, y] = self.place(i as f64 + 0.5, j as f64 + 0.5);
        let distance = x.hypot(y);
        let inside = (self.radius - distance).max(0.0);
        let twist = 2.0 * x * y / distance.powi(2) * (1.0 + inside / distance);
        // Where the rim runs along an axis the twist is close to 0: weighted by area instead.
        if nodal_twist * twist > 0.0 { (twist / nodal_twist).min(MAX_CLAMPED_WEIGHT) } else { self.share([x, y]) }
    }

    fn distribute_mass(&mut self, rim: Edge) {
        for (i, j) in self.term_nodes() {
            let at = self.index(i, j);
            let along = [0.25, 0.5, 0.25].map(|part| 0.25 * (1.0 - self.nu) * part);
            let row = self.columns;
            for (axis, step) in [(0, 1), (1, row)] {
                for (part, node) in along.iter().zip([at - step, at, at + step]) {
                    self.mass[node] += self.line[axis][at] * part;
                }
            }
            for corner in [at, at + 1, at + row, at + row + 1] {
                self.mass[corner] += self.cell[at] * 0.5 * (1.0 - self.nu) * 0.25;
            }
            self.mass[at] += self.node[at] * self.nu * 0.5;
            for arm in [at - 1, at + 1, at - row, at + row] {
                self.mass[arm] += self.node[at] * self.nu * 0.125;
            }
        }
        if rim != Edge::Free {
            self.fix_nodes();
        }
    }

    fn fix_nodes(&mut self) {
        let count = self.columns;
        for (i, j) in (0..count).flat_map(|j| (0..count).map(move |i| (i, j))) {
            if self.is_fixed((i, j)) {
                let at = self.index(i, j);
                self.mass[at] = 0.0;
            }
        }
    }

    /// Slopes weighted like the curvatures, so that they are bounded on the same masses.
    fn set_sides(&mut self) {
        for (i, j) in self.term_nodes() {
            let (at, row) = (self.index(i, j), self.columns);
            for (axis, step, across) in [(0, 1, row), (1, row, 1)] {
                let ends = |field: &[f64]| field[at] + field[at + step];
                let beside = self.cell[at] + self.cell[at - across];
                self.side[axis][at] =
                    0.25 * (1.0 - self.nu) * (ends(&self.line[axis]) + beside) + 0.5 * self.nu * ends(&self.node);
            }
        }
        // The intervals that begin on the outermost nodes.
        for place in 1..self.columns - 1 {
            let (left, low, row) = (self.index(0, place), self.index(place, 0), self.columns);
            self.side[0][left] = 0.25 * (1.0 - self.nu) * self.line[0][left + 1] + 0.5 * self.nu * self.node[left + 1];
            self.side[1][low] = 0.25 * (1.0 - self.nu) * self.line[1][low + row] + 0.5 * self.nu * self.node[low + row];
        }
    }

    fn set_fixed_membrane_sides(&mut self) {
        for (i, j) in self.term_nodes() {
            let at = self.index(i, j);
            for (axis, next) in [(0, (i + 1, j)), (1, (i, j + 1))] {
                let end = self.index(next.0, next.1);
                let weight = match (self.is_fixed((i, j)), self.is_fixed(next)) {
                    (false, false) => 1.0,
                    (true, false) => 1.0 / (1.0 - self.rim_crossing((i, j), next)),
                    (false, true) => 1.0 / (1.0 - self.rim_crossing(next, (i, j))),
                    (true, true) => 0.0,
                };
                self.side[axis][at] = weight;
                self.mass[at] += 0.25 * weight;
                self.mass[end] += 0.25 * weight;
            }
        }
        self.fix_nodes();
    }

    /// Row of the bending operator ΔΔ at a moving node.
    pub fn bending_row(&self, i: usize, j: usize) -> OperatorRow {
        let mut row = OperatorRow::new();
        let mut add = |form: &Form, weight: f64| self.add(&mut row, (i, j), form, weight);
        let h2 = self.spacing.powi(2);
        let has_term = |k: &usize| (1..self.columns - 1).contains(k);
        for (k, l) in [(i, j), (i.wrapping_sub(1), j), (i + 1, j), (i, j.wrapping_sub(1)), (i, j + 1)] {
            if !(has_term(&k) && has_term(&l)) {
                continue;
            }
            let at = self.index(k, l);
            let across = [(k - 1, l, 1.0 / h2), (k, l, -2.0 / h2), (k + 1, l, 1.0 / h2)];
            let up = [(k, l - 1, 1.0 / h2), (k, l, -2.0 / h2), (k, l + 1, 1.0 / h2)];
            add(&across.to_vec(), (1.0 - self.nu) * self.line[0][at]);
            add(&up.to_vec(), (1.0 - self.nu) * self.line[1][at]);
            add(&[across, up].concat(), self.nu * self.node[at]);
        }
        for (k, l) in [(i, j), (i.wrapping_sub(1), j), (i, j.wrapping_sub(1)), (i.wrapping_sub(1), j.wrapping_sub(1))] {
            if has_term(&k) && has_term(&l) {
                let twist = 1.0 / h2;
                let cell = vec![(k, l, twist), (k + 1, l, -twist), (k, l + 1, -twist), (k + 1, l + 1, twist)];
                add(&cell, 2.0 * (1.0 - self.nu) * self.cell[self.index(k, l)]);
            }
        }
        row
    }

    /// Row of minus the Laplacian at a moving node.
    pub fn gradient_row(&self, i: usize, j: usize) -> OperatorRow {
        let mut row = OperatorRow::new();
        let slope = 1.0 / self.spacing;
        let last = self.columns - 1;
        let starts = [(0, i, j), (0, i.wrapping_sub(1), j), (1, i, j), (1, i, j.wrapping_sub(1))];
        for (axis, k, l) in starts.into_iter().filter(|&(axis, k, l)| [k, l][axis] < last) {
            let next = if axis == 0 { (k + 1, l) } else { (k, l + 1) };
            let form = vec![(k, l, -slope), (next.0, next.1, slope)];
            self.add(&mut row, (i, j), &form, self.side[axis][self.index(k, l)]);
        }
        row
    }

    fn add(&self, row: &mut OperatorRow, node: (usize, usize), form: &Form, weight: f64) {
        let moves = |i, j| self.moves(i, j);
        accumulate(row, node, form, form, weight / self.weight(node.0, node.1), moves);
    }
}
