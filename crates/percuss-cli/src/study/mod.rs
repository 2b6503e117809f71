//! Published studies, repeated.

pub mod chart;
pub mod collisions;
pub mod impact;
pub mod nonlinear;
pub mod plate;
pub mod tromba;
