//! What the study simulates the impact with, and how it measures the result.

pub mod approximation;
pub mod correct;
pub mod forced;
pub mod integrate;
pub mod measures;

#[cfg(test)]
mod forced_tests;
#[cfg(test)]
mod published_tables;
