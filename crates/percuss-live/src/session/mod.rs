//! Sessions: everything that was played, with its sample, in a text file that can be read and replayed to the last bit.
//!
//! ```text
//! percuss session 1
//! rate 48000
//! channels 2
//! scene 71 0.0125 /home/me/tromba.toml      number of lines that follow, level, where its files are
//! …
//! 4800 set 0.4 bow.force                    sample, value, target
//! 4800 set.2 0.7 string.strike              the same for one voice, from 0
//! 9600 press 2 0,0.5,1,0.5 gong.touch.1.image
//! 96000 scene 1                             the scene that was told of second begins
//! end 2880000                               how many samples were played
//! ```

mod log;
mod read;
mod replay;

pub use log::Log;
pub use read::{Event, Session, SessionError, What};
pub use replay::{ReplayError, replay};

/// First line of every session.
const HEADING: &str = "percuss session 1";

/// The text of a scene, and where the files it names are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneText {
    /// Path of the file, or name of the preset.
    pub path: String,
    /// The file.
    pub text: String,
}
