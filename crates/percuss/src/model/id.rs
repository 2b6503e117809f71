//! Names of the parts of a model.

/// An element of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementId(pub(crate) usize);

impl ElementId {
    /// Position in the order of adding.
    pub fn index(self) -> usize {
        self.0
    }
}

/// An interaction of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InteractionId(pub(crate) usize);

impl InteractionId {
    /// Position in the order of adding.
    pub fn index(self) -> usize {
        self.0
    }
}

/// A pickup of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PickupId(pub(crate) usize);
