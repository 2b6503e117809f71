//! A place that may move while a scene sounds.

use crate::model::control::Control;
use crate::model::id::ElementId;
use crate::model::place::{Place, Point};

/// A place on an element, still or moving.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The element.
    pub element: ElementId,
    /// The place on it.
    pub place: PathPlace,
}

/// Where on an element, in the course of time.
#[derive(Clone, Debug, PartialEq)]
pub enum PathPlace {
    /// The same place at all times.
    Still(Place),
    /// A fraction of the length of a string or bar.
    Along(Control),
    /// Fractions of the sides of a plate.
    On([Control; 2]),
}

impl From<Point> for Path {
    fn from(point: Point) -> Self {
        Self { element: point.element, place: PathPlace::Still(point.place) }
    }
}

impl ElementId {
    /// A place that moves along a string or bar, as a fraction of its length.
    #[must_use]
    pub fn along(self, fraction: Control) -> Path {
        Path { element: self, place: PathPlace::Along(fraction) }
    }

    /// A place that moves over a plate, as fractions of its sides.
    #[must_use]
    pub fn over(self, fractions: [Control; 2]) -> Path {
        Path { element: self, place: PathPlace::On(fractions) }
    }
}

impl Path {
    /// The place, where it is the same at all times.
    #[must_use]
    pub fn point(&self) -> Option<Point> {
        match self.place {
            PathPlace::Still(place) => Some(Point { element: self.element, place }),
            PathPlace::Along(_) | PathPlace::On(_) => None,
        }
    }

    /// Whether it moves, or is at least described so.
    #[must_use]
    pub fn moves(&self) -> bool {
        !matches!(self.place, PathPlace::Still(_))
    }
}
