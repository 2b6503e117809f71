//! The row of a plate's energy of stretching: its weights are the gradient of a potential, new in every step.

use crate::element::plate::von_karman::VonKarmanForm;

/// A row and the energy that gives its weights.
#[derive(Clone, Debug)]
pub(crate) struct VonKarmanRow {
    pub row: usize,
    pub form: Box<VonKarmanForm>,
}

impl VonKarmanRow {
    pub fn new(row: usize, form: Box<VonKarmanForm>) -> Self {
        Self { row, form }
    }
}
