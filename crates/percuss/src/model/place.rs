//! Places on elements.

use crate::model::id::ElementId;

/// Where on an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// All of it: masses and barriers.
    Whole,
    /// A fraction of the length: strings and bars.
    Along(f64),
    /// Fractions of the sides: plates.
    On([f64; 2]),
    /// One of the listed points of a modal resonator.
    Listed(usize),
}

/// A place on an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The element.
    pub element: ElementId,
    /// The place on it.
    pub place: Place,
}

impl ElementId {
    /// The element itself, where it has only one place: a mass or a barrier.
    #[must_use]
    pub fn point(self) -> Point {
        Point { element: self, place: Place::Whole }
    }
    /// A place on a string or bar, as a fraction of its length.
    #[must_use]
    pub fn at(self, fraction: f64) -> Point {
        Point { element: self, place: Place::Along(fraction) }
    }
    /// A place on a plate, as fractions of its sides.
    #[must_use]
    pub fn on(self, fractions: [f64; 2]) -> Point {
        Point { element: self, place: Place::On(fractions) }
    }
    /// The i-th point of a modal resonator.
    #[must_use]
    pub fn point_at(self, index: usize) -> Point {
        Point { element: self, place: Place::Listed(index) }
    }
}
