//! How a block of rows is taken through a step.

pub(crate) mod newton;
pub(crate) mod short_contact;
pub(crate) mod slope_correction;
pub(crate) mod tracked;
