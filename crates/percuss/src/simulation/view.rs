//! Displacements of a plate at selected columns and rows of its grid, for grid plates and modal plates.

use crate::element::plate::grid::PlateGrid;
use crate::element::plate::modal::view::ModalView;
use crate::element::state::NodeField;
use crate::model::ElementId;
use crate::simulation::{Body, Simulation};

/// Displacements at selected columns and rows of a plate's grid, refreshed without allocating.
#[derive(Clone, Debug)]
pub struct GridView {
    plate: ElementId,
    grid: PlateGrid,
    nodes: [Vec<usize>; 2],
    modal: Option<ModalView>,
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
        let Self { plate, grid, nodes: [columns, rows], modal, values } = self;
        let Simulation { elements, state, .. } = simulation;
        if simulation.plate_grid(*plate) != Some(*grid) {
            return false;
        }
        match (simulation.body(*plate), modal) {
            (Some(Body::ModalPlate(modal_plate)), Some(view)) => {
                view.refresh(&elements.modal_plates[*modal_plate], state, field, values);
                true
            }
            (Some(Body::Plate(plate)), None) => {
                let nodes = rows.iter().flat_map(|&j| columns.iter().map(move |&i| (i, j)));
                for (value, (i, j)) in values.iter_mut().zip(nodes) {
                    *value = elements.plates[*plate].value(state, field, i, j);
                }
                true
            }
            _ => false,
        }
    }
}

impl Simulation {
    /// A view of the given columns and rows of a plate's grid; `None` for other elements. Nodes outside the grid are 0. Allocates.
    #[must_use]
    pub fn grid_view(&self, plate: ElementId, columns: &[usize], rows: &[usize]) -> Option<GridView> {
        self.grid_view_of(plate, columns, rows, NodeField::Displacement)
    }

    fn grid_view_of(&self, plate: ElementId, columns: &[usize], rows: &[usize], field: NodeField) -> Option<GridView> {
        let grid = self.plate_grid(plate)?;
        let modal = match self.body(plate)? {
            Body::ModalPlate(modal_plate) => {
                Some(ModalView::new(&self.elements.modal_plates[*modal_plate], [columns, rows]))
            }
            Body::Plate(_) => None,
            Body::Oscillators(_) | Body::Line(_) | Body::Barrier => return None,
        };
        let (nodes, values) = ([columns.to_vec(), rows.to_vec()], vec![0.0; columns.len() * rows.len()]);
        let mut view = GridView { plate, grid, nodes, modal, values };
        view.refresh_field(self, field);
        Some(view)
    }

    /// Values of all nodes of a plate's grid, row by row.
    pub(crate) fn plate_values(&self, plate: ElementId, field: NodeField) -> Option<Vec<f64>> {
        let [columns, rows] = self.plate_grid(plate)?.intervals.map(|intervals| (0..=intervals).collect::<Vec<_>>());
        Some(self.grid_view_of(plate, &columns, &rows, field)?.values)
    }
}
