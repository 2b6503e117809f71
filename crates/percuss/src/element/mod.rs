//! One numerical scheme per file. Each supplies a contact-free prediction, an inverse mass per node, and its energy.

pub(crate) mod balance;
pub(crate) mod barrier;
pub(crate) mod coefficients;
pub(crate) mod elements;
pub(crate) mod line;
pub(crate) mod oscillator;
pub(crate) mod plate;
pub(crate) mod simd;
pub(crate) mod state;
