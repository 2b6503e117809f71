//! Playing scenes in real time.
//!
//! A [`Player`] is a scene compiled for playing. An [`Engine`] runs it: its [`process`](Engine::process) fills buffers
//! and neither allocates, locks nor waits. Everything else happens on other threads: [`Controls`] send it what
//! controllers do, a [`Housekeeper`] takes back what it has done with, writes sessions and records.

mod calibrate;
mod clock;
mod command;
mod controls;
mod decimate;
pub mod device;
mod engine;
mod housekeeper;
mod meter;
pub mod midi;
#[cfg(feature = "live")]
pub mod midi_port;
mod mixer;
pub mod osc;
mod player;
mod record;
pub mod session;
mod view;

pub use clock::Stopwatch;
pub use command::{ALL, Done, Picture};
pub use controls::{Controls, Stage};
pub use engine::{Engine, Rig, rig};
pub use housekeeper::{Housekeeper, Outlets};
pub use meter::{Meter, Reading};
pub use player::{Account, Player, PlayerError};
pub use record::Recording;
pub use view::{COLUMNS, ROWS, View};

/// The code in this crate's README, compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
