//! Displacements of a plate at selected columns and rows of its grid, for grid plates and modal plates.

use crate::element::plate::modal::view::ModalView;
use crate::element::state::NodeField;
use crate::model::ElementId;
use crate::simulation::{Body, Simulation};

/// Displacements at selected columns and rows of a plate's grid, refreshed without allocating.
#[derive(Clone, Debug)]
pub struct Picture {
    plate: usize,
    nodes: [Vec<usize>; 2],
    view: Option<ModalView>,
    values: Vec<f64>,
}

impl Picture {
    /// Displacements at the last refresh, row by row \[m\].
    pub fn values(&self) -> &[f64] {
        &self.values
    }
}

impl Simulation {
    /// A picture of the given columns and rows of a plate's grid; `None` for other elements. Nodes outside the grid are 0. Allocates.
    pub fn picture(&self, plate: ElementId, columns: &[usize], rows: &[usize]) -> Option<Picture> {
        let view = match self.elements.bodies.get(plate.0)? {
            Body::ModalPlate(modal_plate) => {
                Some(ModalView::new(&self.elements.modal_plates[*modal_plate], [columns, rows]))
            }
            Body::Plate(_) => None,
            Body::Oscillators(_) | Body::Line(_) | Body::Barrier => return None,
        };
        let nodes = [columns.to_vec(), rows.to_vec()];
        let mut picture = Picture { plate: plate.0, nodes, view, values: vec![0.0; columns.len() * rows.len()] };
        self.look_at(&mut picture);
        Some(picture)
    }

    /// Refreshes a picture of this simulation or a copy of it. Does not allocate.
    pub fn look_at(&self, picture: &mut Picture) {
        self.refresh_field(picture, NodeField::Displacement);
    }

    fn refresh_field(&self, picture: &mut Picture, field: NodeField) {
        let Picture { plate, nodes: [columns, rows], view, values } = picture;
        match (self.elements.bodies.get(*plate), view) {
            (Some(Body::ModalPlate(modal_plate)), Some(view)) => {
                view.refresh(&self.elements.modal_plates[*modal_plate], &self.state, field, values);
            }
            (Some(Body::Plate(plate)), None) => {
                let nodes = rows.iter().flat_map(|&j| columns.iter().map(move |&i| (i, j)));
                for (value, (i, j)) in values.iter_mut().zip(nodes) {
                    *value = self.elements.plates[*plate].value(&self.state, field, i, j);
                }
            }
            _ => {}
        }
    }

    /// Values of all nodes of a plate's grid, row by row.
    pub(crate) fn plate_values(&self, plate: ElementId, field: NodeField) -> Option<Vec<f64>> {
        let [columns, rows] = self.plate_grid(plate)?.intervals.map(|intervals| (0..=intervals).collect::<Vec<_>>());
        let mut picture = self.picture(plate, &columns, &rows)?;
        self.refresh_field(&mut picture, field);
        Some(picture.values)
    }
}
