//! Sessions: all commands with their samples, in a text file that can be replayed bit for bit.
//!
//! ```text
//! percuss session 3
//! rate 48000
//! channels 2
//! scene 71 0.0125 /home/me/tromba.toml      number of lines that follow, calibration gain, path
//! …
//! 4800 set 0.4 bow.force                    sample, value, target
//! 4800 set.2 0.7 string.strike              the same for one voice, counted from 0
//! 9600 image 2 0,0.5,1,0.5 gong.touch.1.image   width, pressures, target
//! 96000 scene 1                             cross-fade to the second scene of the file
//! 120000 played                             nothing else happened up to this sample; twice a second
//! end 2880000                               number of samples played
//! ```
//!
//! A file without an end line, as after a crash, ends with its last complete line.

mod reader;
mod replay;
mod writer;

pub use reader::{EventKind, Session, SessionError, SessionEvent};
pub use replay::{ReplayError, replay};
pub use writer::SessionWriter;

/// First line of a session file.
const SESSION_HEADER: &str = "percuss session 3";

/// Text and path of a scene. Files that the scene names are relative to the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneSource {
    /// Path of the scene file, or name of the preset.
    pub path: String,
    /// Text of the scene file.
    pub text: String,
}
