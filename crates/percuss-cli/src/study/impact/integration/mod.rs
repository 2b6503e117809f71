//! Integrators, corrections and error measures of the study.

pub mod approximation;
pub mod corrections;
pub mod error_measures;
pub mod forced_contact;
pub mod integrators;

#[cfg(test)]
mod forced_contact_tests;
#[cfg(test)]
mod published_tables;
