//! Quantities that change in time: controls, signals and moving points.

pub(crate) mod cached_control;
pub(crate) mod moving_point;
pub(crate) mod signal;
