//! Displacements at selected nodes of plates, strings and bars, on grids and in modes.

use crate::element::body::GridSelection;
use crate::element::plate::grid::PlateGrid;
use crate::element::state::NodeField;
use crate::model::ElementId;
use crate::simulation::Simulation;

/// Displacements at selected columns and rows of a plate's grid, refreshed without allocating.
#[derive(Clone, Debug)]
pub struct GridView {
    plate: ElementId,
    grid: PlateGrid,
    columns: Vec<usize>,
    rows: Vec<usize>,
    /// What the plate needs to read these nodes.
    cache: Vec<f64>,
    values: Vec<f64>,
}

impl GridView {
    /// Displacements at the last refresh, row by row \[m\].
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Reads the displacements anew. Does not allocate. Returns false, and leaves the values, where the simulation does not have
    /// that plate with that grid: one of another model, or of another sample rate.
    pub fn refresh(&mut self, simulation: &Simulation) -> bool {
        self.refresh_field(simulation, NodeField::Displacement)
    }

    fn refresh_field(&mut self, simulation: &Simulation, field: NodeField) -> bool {
        let Self { plate, grid, columns, rows, cache, values } = self;
        simulation.body(*plate).filter(|body| body.plate_grid() == Some(*grid)).is_some_and(|body| {
            body.read_grid(GridSelection { columns, rows }, cache, (field, &simulation.state), values)
        })
    }
}

/// Displacements at selected moving nodes of a string or bar, refreshed without allocating.
#[derive(Clone, Debug)]
pub struct LineView {
    line: ElementId,
    count: usize,
    nodes: Vec<usize>,
    /// What the line needs to read these nodes.
    cache: Vec<f64>,
    values: Vec<f64>,
}

impl LineView {
    /// Displacements at the last refresh \[m\].
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Reads the displacements anew. Does not allocate. Returns false, and leaves the values, where the simulation does not have that
    /// line with as many nodes or modes.
    pub fn refresh(&mut self, simulation: &Simulation) -> bool {
        let Self { line, count, nodes, cache, values } = self;
        let body = simulation.body(*line).filter(|body| body.count() == *count);
        body.inspect(|body| body.read_line(nodes, cache, &simulation.state, values)).is_some()
    }
}

impl Simulation {
    /// A view of the given moving nodes of a string or bar, counted as [`displacements`](Self::displacements) has them; `None` for other
    /// elements, and where one is not there. Allocates.
    #[must_use]
    pub fn line_view(&self, line: ElementId, nodes: &[usize]) -> Option<LineView> {
        let body = self.body(line).filter(|body| body.grid().is_some())?;
        let moving = self.displacements(line).len();
        if nodes.iter().any(|&node| node >= moving) {
            return None;
        }
        let (nodes, cache, values) = (nodes.to_vec(), body.line_view_cache(nodes), vec![0.0; nodes.len()]);
        let mut view = LineView { line, count: body.count(), nodes, cache, values };
        view.refresh(self);
        Some(view)
    }

    /// A view of the given columns and rows of a plate's grid; `None` for other elements. Nodes outside the grid are 0. Allocates.
    #[must_use]
    pub fn grid_view(&self, plate: ElementId, columns: &[usize], rows: &[usize]) -> Option<GridView> {
        self.grid_view_of(plate, columns, rows, NodeField::Displacement)
    }

    fn grid_view_of(&self, plate: ElementId, columns: &[usize], rows: &[usize], field: NodeField) -> Option<GridView> {
        let body = self.body(plate)?;
        let mut view = GridView {
            plate,
            grid: body.plate_grid()?,
            columns: columns.to_vec(),
            rows: rows.to_vec(),
            cache: body.view_cache(GridSelection { columns, rows }),
            values: vec![0.0; columns.len() * rows.len()],
        };
        view.refresh_field(self, field);
        Some(view)
    }

    /// Values of all nodes of a plate's grid, row by row.
    pub(crate) fn plate_values(&self, plate: ElementId, field: NodeField) -> Option<Vec<f64>> {
        let [columns, rows] = self.plate_grid(plate)?.intervals.map(|intervals| (0..=intervals).collect::<Vec<_>>());
        Some(self.grid_view_of(plate, &columns, &rows, field)?.values)
    }
}
