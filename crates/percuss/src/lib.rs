#![doc = include_str!("../README.md")]

mod element;
mod energy;
mod error;
mod interaction;
mod model;
mod solver;

pub use element::line::Grid;
pub use energy::{Account, ContactAccount, Ledger, Total};
pub use error::{CompileError, Subject};
pub use model::*;
pub use solver::{NewtonEffort, Simulation};
