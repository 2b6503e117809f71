//! Published studies, repeated.

pub mod impact;
mod progress;
