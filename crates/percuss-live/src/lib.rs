//! Plays scenes in real time.
//!
//! A [`Player`] is a compiled scene. An [`AudioEngine`] runs it: [`AudioEngine::process`] fills buffers and never allocates,
//! locks or waits. Other threads do the rest: an [`EngineHandle`] sends commands to the engine; a [`Collector`] frees
//! memory that the engine returns and writes sessions and recordings.
//!
//! In WebAssembly there are no devices, no OSC and no clock: the page that calls [`AudioEngine::process`] measures its time.

mod audio_engine;
mod calibration;
mod collector;
mod command;
mod cpu_timer;
mod dc_block;
mod decimator;
#[cfg(not(target_family = "wasm"))]
pub mod device;
mod displacement_view;
mod engine_handle;
mod leveler;
mod limiter;
mod meter;
pub mod midi;
#[cfg(feature = "live")]
pub mod midi_port;
mod mixer;
#[cfg(not(target_family = "wasm"))]
pub mod osc;
#[cfg(not(target_family = "wasm"))]
mod osc_query;
mod player;
mod recording;
mod runaway;
pub mod session;
mod voice;
mod voice_bank;

pub use audio_engine::{AudioEngine, EngineParts};
pub use collector::{Collector, SinkError, SinkFile, Sinks};
pub use command::{ALL_VOICES, EngineEvent, PressureImage};
pub use cpu_timer::CpuTimer;
pub use displacement_view::{DisplacementView, VIEW_COLUMNS, VIEW_ROWS};
pub use engine_handle::{ActiveScene, EngineHandle};
pub use meter::{Meter, MeterReading};
pub use player::{LedgerMode, Player, PlayerError};
pub use recording::Recording;

/// The code in this crate's README, compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
