//! Data sets of physically modelled sounds.
//!
//! A [`Recipe`] names a scene, what varies in it, and what is kept of every clip. Clip i depends on the recipe and on i alone: random
//! numbers are drawn by counting, so that any clip, shard or part of a set can be made anywhere, in any order, and again. A
//! [`DataSet`] writes the clips to shards of Parquet or WebDataset in a folder, and continues where a killed run ended.
//!
//! The format of recipes and sets is described in `docs/datasets.md`.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::must_use_candidate)]

mod audio;
mod card;
mod clip;
mod distribution;
mod error;
mod flac;
mod parquet_file;
mod philox;
mod recipe;
mod set;
mod table;
mod tar_file;
mod whole_file;

pub use clip::{Clip, ENERGY_INTERVAL, Energy, ForceCurve, render};
pub use distribution::{Distribution, Value};
pub use error::{DataError, Result};
pub use recipe::{Audio, DrawnScene, Format, Invalid, Keep, Recipe, Variation};
pub use set::{DataSet, ShardRecord};
pub use table::column_name;

/// The code in this crate's README, compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
