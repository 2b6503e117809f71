//! Why an impact cannot be studied.

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
