//! Names of the parts of a model.

/// An element of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle(pub(crate) usize);

impl Handle {
    /// Position in the order of adding.
    pub fn index(self) -> usize {
        self.0
    }
}

/// An interaction of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact(pub(crate) usize);

impl Contact {
    /// Position in the order of adding.
    pub fn index(self) -> usize {
        self.0
    }
}

/// A pickup of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pickup(pub(crate) usize);
