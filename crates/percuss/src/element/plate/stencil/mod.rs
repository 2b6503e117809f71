//! The finite-difference updates of a plate.

pub(crate) mod boundary;
pub(crate) mod operands;
pub(crate) mod register_rows;
pub(crate) mod short_rows;
pub(crate) mod strip;
pub(crate) mod uniform;
pub(crate) mod weighted;
