//! Model → points that move over strings, bars and plates.

use crate::compile::compiler::Compiler;
use crate::control::moving_point::{Axis, MovingPoint};
use crate::control::signal::check_control;
use crate::element::elements::Body;
use crate::error::{Check, CompileError, Subject};
use crate::model::{Control, Path, PathPlace};

impl Compiler<'_> {
    /// The moving point of a path over an element.
    pub(crate) fn moving_point(&self, path: &Path, subject: Subject) -> Result<MovingPoint, CompileError> {
        let index = path.element.index();
        let wrong = |element, expected| Err(CompileError::Place { subject, element, expected });
        let axis = |at: &Control, intervals, margin, stride| {
            check_fractions(at, Check(subject))?;
            Ok(Axis { at: at.clone(), intervals, margin, stride })
        };
        let moving_point = match (&self.elements.bodies[index], &path.place) {
            (Body::Line(line), PathPlace::Along(at)) => {
                let line = &self.elements.lines[*line];
                MovingPoint::new(line.start - line.first, [axis(at, line.grid.intervals, 0, 1)?, Axis::row()])
            }
            (Body::Plate(plate), PathPlace::On([x, y])) => {
                let plate = &self.elements.plates[*plate];
                let (grid, origin) = (plate.grid, plate.node(0, 0));
                let stride = plate.node(0, 1) - origin;
                let x = axis(x, grid.intervals[0], grid.margin, 1)?;
                let moving_point = MovingPoint::new(origin, [x, axis(y, grid.intervals[1], grid.margin, stride)?]);
                if !moving_point.stays_on(|at| plate.covers(at)) {
                    return wrong("a round plate", "its rim lies half a diameter away from [0.5, 0.5]");
                }
                moving_point
            }
            (Body::Line(_), _) => {
                return wrong(self.model.elements[index].kind(), "a place moves along it by one control");
            }
            (Body::Plate(_), _) => return wrong("a plate", "a place moves over it by two controls"),
            _ => return wrong(self.model.elements[index].kind(), "only on strings, bars and plates can a place move"),
        };
        if !moving_point.meets(|node| self.state.inverse_mass[node] > 0.0) {
            return Err(CompileError::Immovable { subject, reason: "the whole path is held fast" });
        }
        Ok(moving_point)
    }
}

/// Every breakpoint of a path must be on the element; the straight lines between them then are too.
fn check_fractions(at: &Control, check: Check) -> Result<(), CompileError> {
    check_control(at, "at", check)?;
    at.values().iter().try_for_each(|&value| check.fraction("at", value))
}
