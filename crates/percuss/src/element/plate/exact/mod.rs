//! Plates and membranes in their own modes: true pitch and decay at any sample rate.

pub(crate) mod body;
mod disc;
mod eigen;
mod jacobi;
pub(crate) mod modes;
mod rectangle;
mod separable;
