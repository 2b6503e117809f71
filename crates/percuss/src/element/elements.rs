//! All elements of a model, each kind in an array of its own.

use crate::element::barrier::Obstacle;
use crate::element::line::Line;
use crate::element::oscillator::bank::Bank;
use crate::element::plate::PlateBody;
use crate::element::plate::modal::Spectrum;
use std::ops::Range;

/// Where an element's nodes are.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Oscillators(Range<usize>),
    Line(usize),
    Plate(usize),
    /// A plate in its modes.
    Spectrum(usize),
    Barrier,
}

/// All elements of a model.
#[derive(Clone, Debug)]
pub(crate) struct Elements {
    /// One for each element, in the order of adding.
    pub bodies: Vec<Body>,
    pub bank: Bank,
    pub lines: Vec<Line>,
    pub plates: Vec<PlateBody>,
    pub spectra: Vec<Spectrum>,
    pub obstacles: Vec<Obstacle>,
}

impl Elements {
    /// Of a model of so many elements, none of which is there yet.
    pub fn new(count: usize) -> Self {
        Self {
            bodies: vec![Body::Barrier; count],
            bank: Bank::new(),
            lines: Vec::new(),
            plates: Vec::new(),
            spectra: Vec::new(),
            obstacles: Vec::new(),
        }
    }

    /// Whether there are only masses and modes.
    pub fn has_only_oscillators(&self) -> bool {
        self.lines.is_empty() && self.plates.is_empty() && self.spectra.is_empty() && self.obstacles.is_empty()
    }
}
