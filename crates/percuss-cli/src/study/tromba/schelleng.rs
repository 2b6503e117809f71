//! Which motion a bow makes, over its force and its distance from the bridge.
//!
//! Upper limit   F = 2Zv_B/(βΔμ), Z = √(TρA): above it the corner that comes back from the nut cannot tear the string
//!               off the bow. Friction is at most F and nearly 0 at the slip v_B/β of Helmholtz motion: Δμ = 1
//! Lower limit   F ∝ 1/β²: below it the string lets go before the corner comes. Its constant holds the losses of bridge
//!               and string as one resistance, which these have not: it is taken from the cells
//! Symbols       β distance of the bow from the bridge over the sounding length, v_B bow velocity \[m/s\]
//! Reference     Schelleng (1973)

use super::motion::{Motion, Regime};
use super::stroke::{self, BOW_VELOCITY, Start, Stroke};
use super::{each, geometric_mean};
use crate::progress::TaskProgress;

/// Range of β and of the force \[N\].
const BETAS: [f64; 2] = [0.02, 0.35];
const FORCES: [f64; 2] = [0.01, 10.0];

/// Columns and rows of a map.
pub fn size(quick: bool) -> [usize; 2] {
    if quick { [6, 9] } else { [12, 16] }
}

/// One cell of a map.
pub struct Cell {
    /// The stroke.
    pub stroke: Stroke,
    /// What came of it.
    pub motion: Motion,
}

impl Cell {
    fn is_helmholtz(&self) -> bool {
        self.motion.regime() == Regime::Helmholtz
    }
}

/// Motions over force and place, for one kind of start.
pub struct Map {
    /// How the strokes begin.
    pub start: Start,
    /// Column by column, from the bridge on; in each the weakest force first.
    pub columns: Vec<Vec<Cell>>,
}

/// Least and largest force between which Helmholtz motion holds in one column; nothing where that is beyond the map.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Of the column.
    pub beta: f64,
    /// \[N\].
    pub lower: Option<f64>,
    /// \[N\].
    pub upper: Option<f64>,
}

/// One of the two limits over all columns: what it is like.
#[derive(Clone, Copy)]
pub struct Trend {
    /// Of log force over log β, by least squares.
    pub slope: f64,
    /// Geometric mean of F·β (upper) or of F·β² (lower) \[N\].
    pub constant: f64,
}

/// So many values, evenly in their logarithm.
fn spread([low, high]: [f64; 2], count: usize) -> Vec<f64> {
    (0..count).map(|i| low * (high / low).powf(i as f64 / (count - 1) as f64)).collect()
}

impl Map {
    /// Bows every cell.
    pub fn measure(start: Start, [columns, rows]: [usize; 2], progress: &TaskProgress) -> Self {
        let forces = spread(FORCES, rows);
        let betas = spread(BETAS, columns);
        let strokes: Vec<Stroke> =
            betas.iter().flat_map(|&beta| forces.iter().map(move |&force| Stroke { beta, force, start })).collect();
        let mut cells = each(&strokes, |stroke| {
            let about = format!("bow with {:.2} N at {:.3}", stroke.force, stroke.beta);
            Cell { stroke: *stroke, motion: progress.run_task(about, || stroke.play()) }
        })
        .into_iter();
        let columns = (0..columns).map(|_| cells.by_ref().take(rows).collect()).collect();
        Self { start, columns }
    }

    /// All cells.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.columns.iter().flatten()
    }

    /// Where Helmholtz motion holds in each column that has it: its longest run of forces, each end half way to the
    /// next cell.
    pub fn limits(&self) -> Vec<Limits> {
        self.columns.iter().filter_map(|column| limits(column)).collect()
    }

    /// The limits, where they have a trend: from rest it is a matter of luck which motion is found.
    fn steady_limits(&self) -> Vec<Limits> {
        if self.start == Start::Motion { self.limits() } else { Vec::new() }
    }

    /// The upper limit over β, F·β.
    pub fn upper(&self) -> Option<Trend> {
        trend(self.steady_limits().iter().filter_map(|limits| Some((limits.beta, limits.upper?))), 1)
    }

    /// The lower limit over β, F·β².
    pub fn lower(&self) -> Option<Trend> {
        trend(self.steady_limits().iter().filter_map(|limits| Some((limits.beta, limits.lower?))), 2)
    }

    /// Cells in Helmholtz motion, and how many of them hang together, side by side or one above the other.
    pub fn regions(&self) -> (usize, usize) {
        let mut left: Vec<Vec<bool>> =
            self.columns.iter().map(|column| column.iter().map(Cell::is_helmholtz).collect()).collect();
        let all = left.iter().flatten().filter(|cell| **cell).count();
        let (columns, rows) = (left.len(), left.first().map_or(0, Vec::len));
        let places = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)));
        (all, places.map(|place| flood(&mut left, place)).max().unwrap_or(0))
    }
}

/// Clears the region that holds a place; returns its size.
fn flood(left: &mut [Vec<bool>], place: (usize, usize)) -> usize {
    let (mut edge, mut size) = (vec![place], 0);
    while let Some((i, j)) = edge.pop() {
        let Some(cell) = left.get_mut(i).and_then(|column| column.get_mut(j)) else { continue };
        if std::mem::replace(cell, false) {
            size += 1;
            // Past zero an index wraps to one that is not there.
            edge.extend([(i + 1, j), (i.wrapping_sub(1), j), (i, j + 1), (i, j.wrapping_sub(1))]);
        }
    }
    size
}

fn limits(column: &[Cell]) -> Option<Limits> {
    let runs = column.chunk_by(|a, b| a.is_helmholtz() == b.is_helmholtz());
    let run = runs.filter(|run| run[0].is_helmholtz()).max_by_key(|run| run.len())?;
    let force = |cell: &Cell| cell.stroke.force;
    let (first, last) = (force(&run[0]), force(&run[run.len() - 1]));
    let below = column.iter().map(force).rfind(|&other| other < first);
    let above = column.iter().map(force).find(|&other| other > last);
    let between = |cell: f64| move |other: f64| (cell * other).sqrt();
    Some(Limits { beta: run[0].stroke.beta, lower: below.map(between(first)), upper: above.map(between(last)) })
}

fn trend(points: impl Iterator<Item = (f64, f64)>, power: i32) -> Option<Trend> {
    let points: Vec<(f64, f64)> = points.collect();
    if points.len() < 2 {
        return None;
    }
    let logs = || points.iter().map(|&(beta, force)| (beta.ln(), force.ln()));
    let count = points.len() as f64;
    let (x, y) = logs().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let (xy, xx) = logs().fold((0.0, 0.0), |(xy, xx), (px, py)| (xy + (px - x) * (py - y), xx + (px - x).powi(2)));
    let constant = geometric_mean(points.iter().map(|(beta, force)| force * beta.powi(power)));
    Some(Trend { slope: xy / xx, constant })
}

/// Schelleng's upper limit times β \[N\].
pub fn upper_constant() -> f64 {
    let string = stroke::string();
    2.0 * (string.tension * stroke::line_density(&string)).sqrt() * BOW_VELOCITY
}
