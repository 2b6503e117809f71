//! How a block of rows is taken through a step.

pub(crate) mod aim;
pub(crate) mod newton;
pub(crate) mod short_contact;
pub(crate) mod tracked;
