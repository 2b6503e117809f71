//! What changes in the course of time: controls, signals and points that move.

pub(crate) mod cached_control;
pub(crate) mod moving_point;
pub(crate) mod signal;
