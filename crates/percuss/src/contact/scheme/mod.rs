//! Schemes: how the slopes of a block of rows are chosen in a step.

pub(crate) mod newton;
pub(crate) mod short_contact;
pub(crate) mod slope_correction;
pub(crate) mod tracked;
