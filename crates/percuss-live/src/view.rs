//! How the scene looks, for a screen: a coarse picture of one element, written by the engine now and then.

use percuss::{Element, ElementId, GridView, Simulation};
use percuss_scene::Scene;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Size of the picture.
pub const COLUMNS: usize = 64;
/// Rows of it; a string uses the first.
pub const ROWS: usize = 24;

/// The picture: displacements \[m\], row by row from y = 0.
#[derive(Debug)]
pub struct View {
    cells: Vec<AtomicU32>,
    rows: AtomicU32,
}

impl Default for View {
    fn default() -> Self {
        Self { cells: (0..COLUMNS * ROWS).map(|_| AtomicU32::new(0)).collect(), rows: AtomicU32::new(0) }
    }
}

impl View {
    /// Rows that are in use: all for a plate, one for a string, none where there is nothing to see.
    pub fn rows(&self) -> usize {
        self.rows.load(Relaxed) as usize
    }

    /// Displacement \[m\]; 0 outside.
    pub fn at(&self, column: usize, row: usize) -> f32 {
        let cell = self.cells.get(row * COLUMNS + column);
        cell.map_or(0.0, |cell| f32::from_bits(cell.load(Relaxed)))
    }

    fn put(&self, column: usize, row: usize, value: f64) {
        self.cells[row * COLUMNS + column].store((value as f32).to_bits(), Relaxed);
    }
}

/// What the picture shows.
#[derive(Clone, Debug)]
pub(crate) enum Subject {
    Plate(GridView),
    Line { handle: ElementId, nodes: Vec<usize> },
}

impl Subject {
    /// The first plate, else the first string or bar.
    pub fn of(scene: &Scene, sim: &Simulation) -> Option<Self> {
        let elements = || scene.model.element_ids().zip(scene.model.elements());
        let plate = elements().find(|(_, element)| matches!(element, Element::Plate(_)));
        if let Some((handle, _)) = plate {
            let grid = sim.plate_grid(handle)?;
            let nodes = |axis: usize, cells: usize| {
                let inside = (grid.intervals[axis] - 2 * grid.margin) as f64;
                let node = |cell: usize| grid.margin + (cell as f64 / (cells - 1) as f64 * inside).round() as usize;
                (0..cells).map(node).collect::<Vec<_>>()
            };
            return sim.grid_view(handle, &nodes(0, COLUMNS), &nodes(1, ROWS)).map(Self::Plate);
        }
        let line = elements().find(|(_, element)| matches!(element, Element::String(_) | Element::Bar(_)));
        let (handle, _) = line?;
        let count = sim.displacements(handle).len();
        let node = |column: usize| (column as f64 / (COLUMNS - 1) as f64 * (count - 1) as f64).round() as usize;
        Some(Self::Line { handle, nodes: (0..COLUMNS).map(node).collect() })
    }

    pub fn show(&mut self, sim: &Simulation, view: &View) {
        match self {
            Self::Plate(picture) => {
                picture.refresh(sim);
                for (index, &value) in picture.values().iter().enumerate() {
                    view.put(index % COLUMNS, index / COLUMNS, value);
                }
                view.rows.store(ROWS as u32, Relaxed);
            }
            Self::Line { handle, nodes } => {
                for (column, &node) in nodes.iter().enumerate() {
                    view.put(column, 0, sim.displacement(*handle, node));
                }
                view.rows.store(1, Relaxed);
            }
        }
    }
}
