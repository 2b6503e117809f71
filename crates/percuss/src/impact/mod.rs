//! The impact laboratory: one mass, one wall, everything known about them.
//!
//! - [`Impact`] has the closed forms: compression, energy, exact exit velocity, contact time;
//! - [`integrate`] has the classical integrators AM1, Verlet, Heun and RK4, for any force law;
//! - [`correct`] has the two corrections of the study, [`forced`] the reference and a correction with an external force;
//! - [`study`] has the study's measures: deviations during contact, errors after it, sequences of rebounds.

mod closed_form;
pub mod correct;
pub mod forced;
pub mod integrate;
pub mod study;

pub use crate::impact::closed_form::{Impact, VelocityApproximation};

use thiserror::Error;

/// Why an impact cannot be studied. Cause and remedy are on each variant.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum ImpactError {
    /// A parameter is not finite or outside its range. Remedy: bring it into the range.
    #[error("{field} is {value}, must be {allowed}")]
    Parameter {
        /// Name of the parameter.
        field: &'static str,
        /// What was found.
        value: f64,
        /// What is allowed, in words.
        allowed: &'static str,
    },
    /// The contact is too short for the rate to describe. Remedy: a higher rate, a softer wall, a slower mass.
    #[error("the contact lasts {samples:.2} samples at {rate} Hz, must last at least 2")]
    TooShort {
        /// Contact time \[samples\].
        samples: f64,
        /// Sample rate \[Hz\].
        rate: f64,
    },
}
