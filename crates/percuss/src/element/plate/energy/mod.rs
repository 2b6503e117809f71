//! The energy of a plate: sums over its nodes, by rows and by edges.

pub(crate) mod balance;
pub(crate) mod bending;
pub(crate) mod fixed_edges;
pub(crate) mod sums;
pub(crate) mod weights;
