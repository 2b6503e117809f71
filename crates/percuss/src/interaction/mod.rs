//! One law per file. For one sample each is affine in d = η⁺ − η⁻: f = p + q·d with q ≥ 0.

pub(crate) mod bow;
pub(crate) mod bristle;
pub(crate) mod collision;
pub(crate) mod connection;
pub(crate) mod damper;
pub(crate) mod finger;
pub(crate) mod friction;
pub(crate) mod hunt_crossley;
pub(crate) mod law;
pub mod laws;
pub(crate) mod potential;
pub(crate) mod power_table;
pub(crate) mod spring;
pub(crate) mod tension;
pub(crate) mod von_karman;
