//! Displacements of one element on a coarse grid, for a display. The audio thread writes them at a low rate.

use percuss::{GridView, LineView, Simulation};
use percuss_scene::Scene;
use percuss_scene::instrument::displayed_element;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Columns of the grid.
pub const VIEW_COLUMNS: usize = 64;
/// Rows of the grid; a string uses the first.
pub const VIEW_ROWS: usize = 24;

/// Displacements \[m\], row by row from y = 0. Shared without locks.
#[derive(Debug)]
pub struct DisplacementView {
    cells: Vec<AtomicU32>,
    rows: AtomicU32,
}

impl Default for DisplacementView {
    fn default() -> Self {
        Self { cells: (0..VIEW_COLUMNS * VIEW_ROWS).map(|_| AtomicU32::new(0)).collect(), rows: AtomicU32::new(0) }
    }
}

impl DisplacementView {
    /// Rows in use: all for a plate, 1 for a string, 0 without either.
    pub fn rows(&self) -> usize {
        self.rows.load(Relaxed) as usize
    }

    /// Displacement \[m\]; 0 outside the grid.
    pub fn at(&self, column: usize, row: usize) -> f32 {
        let cell = self.cells.get(row * VIEW_COLUMNS + column);
        cell.map_or(0.0, |cell| f32::from_bits(cell.load(Relaxed)))
    }

    fn set(&self, column: usize, row: usize, value: f64) {
        self.cells[row * VIEW_COLUMNS + column].store((value as f32).to_bits(), Relaxed);
    }
}

/// The element that is displayed.
#[derive(Clone, Debug)]
pub(crate) enum ViewSource {
    /// With the intervals of the plate's grid between its edges: the view shows the nearest nodes.
    Plate(GridView, [usize; 2]),
    Line(LineView),
}

impl ViewSource {
    /// The first plate of the scene, else its first string or bar.
    pub fn new(scene: &Scene, sim: &Simulation) -> Option<Self> {
        let (element, _) = displayed_element(scene)?;
        if let Some(grid) = sim.plate_grid(element) {
            let nodes = |axis: usize, cells: usize| {
                let interior = (grid.intervals[axis] - 2 * grid.margin) as f64;
                let node = |cell: usize| grid.margin + (cell as f64 / (cells - 1) as f64 * interior).round() as usize;
                (0..cells).map(node).collect::<Vec<_>>()
            };
            let intervals = grid.intervals.map(|intervals| intervals - 2 * grid.margin);
            let view = sim.grid_view(element, &nodes(0, VIEW_COLUMNS), &nodes(1, VIEW_ROWS));
            return view.map(|view| Self::Plate(view, intervals));
        }
        let count = sim.displacements(element).len();
        let node = |column: usize| (column as f64 / (VIEW_COLUMNS - 1) as f64 * (count - 1) as f64).round() as usize;
        sim.line_view(element, &(0..VIEW_COLUMNS).map(node).collect::<Vec<_>>()).map(Self::Line)
    }

    /// Copies the displacements to the view.
    pub fn update(&mut self, sim: &Simulation, view: &DisplacementView) {
        match self {
            Self::Plate(grid_view, _) => {
                grid_view.refresh(sim);
                for (index, &value) in grid_view.values().iter().enumerate() {
                    view.set(index % VIEW_COLUMNS, index / VIEW_COLUMNS, value);
                }
                view.rows.store(VIEW_ROWS as u32, Relaxed);
            }
            Self::Line(line_view) => {
                line_view.refresh(sim);
                for (column, &value) in line_view.values().iter().enumerate() {
                    view.set(column, 0, value);
                }
                view.rows.store(1, Relaxed);
            }
        }
    }
}
