//! All elements of a model, each kind in an array of its own.

use crate::element::barrier::BarrierNode;
use crate::element::line::Line;
use crate::element::oscillator::bank::Bank;
use crate::element::plate::GridPlate;
use crate::element::plate::modal::ModalPlate;
use std::ops::Range;

/// Where an element's nodes are.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Oscillators(Range<usize>),
    Line(usize),
    Plate(usize),
    /// A modal plate.
    ModalPlate(usize),
    Barrier,
}

/// All elements of a model.
#[derive(Clone, Debug)]
pub(crate) struct Elements {
    /// One for each element, in the order of adding.
    pub bodies: Vec<Body>,
    pub bank: Bank,
    pub lines: Vec<Line>,
    pub plates: Vec<GridPlate>,
    pub modal_plates: Vec<ModalPlate>,
    pub barriers: Vec<BarrierNode>,
}

impl Elements {
    /// For a number of elements, all still missing.
    pub fn new(count: usize) -> Self {
        Self {
            bodies: vec![Body::Barrier; count],
            bank: Bank::new(),
            lines: Vec::new(),
            plates: Vec::new(),
            modal_plates: Vec::new(),
            barriers: Vec::new(),
        }
    }

    /// Whether there are only masses and modes.
    pub fn has_only_oscillators(&self) -> bool {
        self.lines.is_empty() && self.plates.is_empty() && self.modal_plates.is_empty() && self.barriers.is_empty()
    }
}
