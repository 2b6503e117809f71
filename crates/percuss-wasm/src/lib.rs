//! percuss in a web page.
//!
//! A page makes a [`Host`] in the audio worklet, which plays, and one in a worker, which reads and judges scenes. Both are driven
//! through the functions in [`face`], which WebAssembly exports: numbers in and out, texts and lists through buffers. Compiled for
//! other machines they are the same functions, so that tests compare both.

mod description;
pub mod face;
mod host;
mod impact;
mod offline;
mod player_engine;
mod recent;
mod scene_text;
mod session_text;

pub use description::{Message, SceneDescription};
pub use host::Host;
pub use impact::{IMPACT_SCHEMES, ImpactRun};
pub use player_engine::{PlayerEngine, STATUS_LENGTH};
