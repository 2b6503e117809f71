//! One numerical scheme per file or folder. Each supplies a contact-free prediction, an inverse mass per node, and its energy.

pub(crate) mod balance;
pub(crate) mod barrier;
pub(crate) mod bodies;
pub(crate) mod body;
pub(crate) mod coefficients;
pub(crate) mod line;
pub(crate) mod operators;
pub(crate) mod oscillator;
pub(crate) mod place_user;
pub(crate) mod plate;
pub(crate) mod ritz;
pub(crate) mod simd;
pub(crate) mod spectral;
pub(crate) mod state;
pub(crate) mod stretch;
pub(crate) mod weighted_span;

use crate::element::balance::ElementEnergy;
use crate::element::barrier::BarrierNode;
use crate::element::bodies::{Store, bodies, for_each_body};
use crate::element::body::{Body, Choice};
use crate::element::line::Line;
use crate::element::line::modal::ModalLine;
use crate::element::oscillator::mass::PointMass;
use crate::element::oscillator::modal::ModalResonator;
use crate::element::plate::GridPlate;
use crate::element::plate::exact::body::ExactPlate;
use crate::element::plate::modal::ModalPlate;
use crate::element::state::State;
use crate::model::Control;

// Every kind of body, in the order in which a step predicts them.
bodies! {
    masses: PointMass,
    resonators: ModalResonator,
    lines: Line,
    modal_lines: ModalLine,
    plates: GridPlate,
    modal_plates: ModalPlate,
    exact_plates: ExactPlate,
    barriers: BarrierNode,
}

impl Bodies {
    /// A plate that is stepped on its grid.
    pub fn grid_plate(&self, element: usize) -> Option<&GridPlate> {
        if let BodyIndex::GridPlate(index) = self.index[element] { Some(&self.plates[index]) } else { None }
    }
}
