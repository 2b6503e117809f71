//! Plates and membranes in their own modes: true pitch and decay at any sample rate.

pub(crate) mod body;
mod disc;
pub(crate) mod modes;
mod patches;
mod radial;
mod rectangle;
mod separable;
mod swept_volume;
