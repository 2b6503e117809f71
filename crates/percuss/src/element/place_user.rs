//! Who uses a place on an element, for messages.

use crate::error::{Check, CompileError, Subject};

/// A part of the model that uses a place on an element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaceUser {
    /// The part.
    pub subject: Subject,
    /// What the element is called.
    pub element: &'static str,
}

impl PlaceUser {
    pub fn check(self) -> Check {
        Check(self.subject)
    }

    /// The same with another name for the element.
    pub fn naming(self, element: &'static str) -> Self {
        Self { element, ..self }
    }

    /// The element has no such place.
    pub fn refuse<T>(self, expected: &'static str) -> Result<T, CompileError> {
        Err(CompileError::Place { subject: self.subject, element: self.element, expected })
    }
}
