//! `percuss play`: plays a scene in real time, controlled by keyboard, mouse, MIDI and OSC.

mod args;
#[cfg(feature = "live")]
mod midi_input;
mod performance;
mod scene_loader;
mod screen;
mod self_test;
mod summary;
mod workers;

pub use args::PlayArgs;
pub use performance::run as perform;
pub use self_test::run as self_test;
