//! The impact laboratory: one mass, one wall, everything known about them.
//!
//! - [`Impact`] has the closed forms: compression, energy, exact exit velocity, contact time;
//! - [`integrate`] has the classical integrators AM1, Verlet, Heun and RK4, for any force law;
//! - [`correct`] has the two corrections of the study, [`forced`] the reference and a correction with an external force;
//! - [`study`] has the study's measures: deviations during contact, errors after it, sequences of rebounds.

mod closed_form;
pub mod correct;
mod error;
pub mod forced;
pub mod integrate;
pub mod study;

pub use closed_form::{Impact, VelocityApproximation};
pub use error::ImpactError;
