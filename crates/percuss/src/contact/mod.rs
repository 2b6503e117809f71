//! The contact network: rows, their coupling, and the solve.

pub(crate) mod active_set;
pub(crate) mod block;
pub(crate) mod bow_or_finger;
pub(crate) mod coupling;
pub(crate) mod dense_span;
pub(crate) mod network;
pub(crate) mod plan;
pub(crate) mod row;
pub(crate) mod scheme;
pub(crate) mod skyline;
pub(crate) mod small_dense;
pub(crate) mod solve;
pub(crate) mod stencil;
pub(crate) mod stretch;
pub(crate) mod von_karman;
