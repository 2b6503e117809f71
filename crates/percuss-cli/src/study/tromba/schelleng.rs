//! Regimes of the bowed string over bow force and distance from the bridge.
//!
//! Upper limit   F = 2Zv_B/(βΔμ), Z = √(TρA): above it the corner that returns from the nut does not release the string
//!               from the bow. Friction is at most F and nearly 0 at the slip v_B/β of Helmholtz motion: Δμ = 1
//! Lower limit   F ∝ 1/β²: below it the string is released before the corner arrives. Its constant contains a resistance of
//!               bridge and string, which this model does not have: it is fitted to the cells
//! Symbols       β distance of the bow from the bridge over the sounding length, v_B bow velocity \[m/s\]
//! Reference     Schelleng (1973)

use super::motion::{BowedMotion, Regime};
use super::stroke::{self, BOW_VELOCITY, InitialState, Stroke};
use super::{geometric_mean, parallel_map};
use crate::progress::TaskProgress;
use std::ops::Range;

/// Ranges of β and of the force \[N\].
const BETAS: [f64; 2] = [0.02, 0.35];
const FORCES: [f64; 2] = [0.01, 10.0];

/// Columns and rows of a map.
pub fn size(quick: bool) -> [usize; 2] {
    if quick { [6, 9] } else { [12, 16] }
}

/// One cell of a map.
pub struct MapCell {
    /// Stroke.
    pub stroke: Stroke,
    /// Resulting motion.
    pub motion: BowedMotion,
}

impl MapCell {
    fn is_helmholtz(&self) -> bool {
        self.motion.regime() == Regime::Helmholtz
    }
}

/// Motions over force and position, for one initial state.
pub struct RegimeMap {
    /// Initial state of the strokes.
    pub initial_state: InitialState,
    /// Columns from the bridge on; in each the smallest force first.
    pub columns: Vec<Vec<MapCell>>,
}

/// Smallest and largest force of Helmholtz motion in one column; `None` where it is outside the map.
#[derive(Clone, Copy)]
pub struct ForceLimits {
    /// β of the column.
    pub beta: f64,
    /// Smallest force \[N\].
    pub lower: Option<f64>,
    /// Largest force \[N\].
    pub upper: Option<f64>,
}

/// Dependence of a limit on β.
#[derive(Clone, Copy)]
pub struct LimitTrend {
    /// Slope of log force over log β, by least squares.
    pub slope: f64,
    /// Geometric mean of F·β (upper) or of F·β² (lower) \[N\].
    pub constant: f64,
}

/// Logarithmically spaced values.
fn log_spaced([low, high]: [f64; 2], count: usize) -> Vec<f64> {
    (0..count).map(|i| low * (high / low).powf(i as f64 / (count - 1) as f64)).collect()
}

impl RegimeMap {
    /// Simulates every cell.
    pub fn measure(initial_state: InitialState, [columns, rows]: [usize; 2], progress: &TaskProgress) -> Self {
        let forces = log_spaced(FORCES, rows);
        let betas = log_spaced(BETAS, columns);
        let strokes: Vec<Stroke> = betas
            .iter()
            .flat_map(|&beta| forces.iter().map(move |&force| Stroke { beta, force, initial_state }))
            .collect();
        let mut cells = parallel_map(&strokes, |stroke| {
            let about = format!("bow with {:.2} N at {:.3}", stroke.force, stroke.beta);
            MapCell { stroke: *stroke, motion: progress.run_task(about, || stroke.simulate()) }
        })
        .into_iter();
        let columns = (0..columns).map(|_| cells.by_ref().take(rows).collect()).collect();
        Self { initial_state, columns }
    }

    /// All cells.
    pub fn cells(&self) -> impl Iterator<Item = &MapCell> {
        self.columns.iter().flatten()
    }

    /// Limits of Helmholtz motion in each column that has it: those of its longest run of forces, half way to the next cell.
    /// Gaps of a single cell are ignored.
    pub fn limits(&self) -> Vec<ForceLimits> {
        self.columns.iter().filter_map(|column| limits(column)).collect()
    }

    /// Limits for a trend; none from rest, where the regime depends on details of the attack.
    fn steady_limits(&self) -> Vec<ForceLimits> {
        if self.initial_state == InitialState::Helmholtz { self.limits() } else { Vec::new() }
    }

    /// Trend of the upper limit, F·β.
    pub fn upper(&self) -> Option<LimitTrend> {
        trend(self.steady_limits().iter().filter_map(|limits| Some((limits.beta, limits.upper?))), 1)
    }

    /// Trend of the lower limit, F·β².
    pub fn lower(&self) -> Option<LimitTrend> {
        trend(self.steady_limits().iter().filter_map(|limits| Some((limits.beta, limits.lower?))), 2)
    }

    /// Number of cells in Helmholtz motion, and size of their largest connected region.
    pub fn helmholtz_regions(&self) -> (usize, usize) {
        let mut left: Vec<Vec<bool>> =
            self.columns.iter().map(|column| column.iter().map(MapCell::is_helmholtz).collect()).collect();
        let all = left.iter().flatten().filter(|cell| **cell).count();
        let (columns, rows) = (left.len(), left.first().map_or(0, Vec::len));
        let places = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)));
        (all, places.map(|place| flood_fill(&mut left, place)).max().unwrap_or(0))
    }
}

/// Clears the region that contains a cell; returns its size.
fn flood_fill(left: &mut [Vec<bool>], place: (usize, usize)) -> usize {
    let (mut edge, mut size) = (vec![place], 0);
    while let Some((i, j)) = edge.pop() {
        let Some(cell) = left.get_mut(i).and_then(|column| column.get_mut(j)) else { continue };
        if std::mem::replace(cell, false) {
            size += 1;
            // Below zero an index wraps to one out of range.
            edge.extend([(i + 1, j), (i.wrapping_sub(1), j), (i, j + 1), (i, j.wrapping_sub(1))]);
        }
    }
    size
}

fn limits(column: &[MapCell]) -> Option<ForceLimits> {
    let helmholtz: Vec<bool> = column.iter().map(MapCell::is_helmholtz).collect();
    let range = longest_run(&helmholtz)?;
    let force = |index: usize| column[index].stroke.force;
    let between = |cell: usize, other: usize| (force(cell) * force(other)).sqrt();
    let last = range.end - 1;
    Some(ForceLimits {
        beta: column[0].stroke.beta,
        lower: range.start.checked_sub(1).map(|below| between(range.start, below)),
        upper: (range.end < column.len()).then(|| between(last, range.end)),
    })
}

/// The longest run of cells that are true; single cells that are not are ignored within it. Whether such a cell is in
/// Helmholtz motion can depend on rounding.
fn longest_run(cells: &[bool]) -> Option<Range<usize>> {
    let is_gap = |index: usize| index > 0 && cells[index - 1] && cells.get(index + 1) == Some(&true);
    let (mut longest, mut start) = (None::<Range<usize>>, None);
    for index in 0..=cells.len() {
        if index < cells.len() && (cells[index] || is_gap(index)) {
            start = start.or(Some(index));
        } else if let Some(run) = start.take().map(|start| start..index) {
            longest = longest.filter(|longest| longest.len() > run.len()).or(Some(run));
        }
    }
    longest
}

fn trend(points: impl Iterator<Item = (f64, f64)>, power: i32) -> Option<LimitTrend> {
    let points: Vec<(f64, f64)> = points.collect();
    if points.len() < 2 {
        return None;
    }
    let logs = || points.iter().map(|&(beta, force)| (beta.ln(), force.ln()));
    let count = points.len() as f64;
    let (x, y) = logs().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let (xy, xx) = logs().fold((0.0, 0.0), |(xy, xx), (px, py)| (xy + (px - x) * (py - y), xx + (px - x).powi(2)));
    let constant = geometric_mean(points.iter().map(|(beta, force)| force * beta.powi(power)));
    Some(LimitTrend { slope: xy / xx, constant })
}

/// Schelleng's upper limit times β \[N\].
pub fn schelleng_upper_constant() -> f64 {
    let string = stroke::string();
    2.0 * (string.tension * stroke::linear_density(&string)).sqrt() * BOW_VELOCITY
}

#[cfg(test)]
mod tests {
    use super::longest_run;

    #[test]
    fn longest_run_ignores_gaps_of_one_cell() {
        let run = |cells: &str| longest_run(&cells.bytes().map(|cell| cell == b'H').collect::<Vec<_>>());
        assert_eq!(run("sHHsHrrHHs"), Some(1..5));
        assert_eq!(run("HrrHH"), Some(3..5));
        assert_eq!(run("srs"), None);
        assert_eq!(run("HHH"), Some(0..3));
    }
}
