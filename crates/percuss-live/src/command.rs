//! What goes into the engine and what comes back.

use crate::player::Player;

/// Instead of the number of a voice: all of them.
pub const ALL: u8 = u8::MAX;

/// A picture of pressures, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Number of columns.
    pub width: usize,
    /// Pressures from 0 to 1.
    pub values: Vec<f64>,
}

/// Something to be done, at a sample or as soon as possible.
pub(crate) struct Timed {
    /// Sample at which it is due; 0 for at once.
    pub time: u64,
    pub command: Command,
}

pub(crate) enum Command {
    /// Sets a target of the scene of a generation, for one voice or all.
    Set { generation: u32, voice: u8, target: u32, value: f64 },
    /// Lays a picture on a touch.
    Press { generation: u32, target: u32, picture: Box<Picture> },
    /// Goes over to another scene.
    Swap(Box<Player>),
}

/// Something that was done. What the engine no longer needs comes back with it, to be freed elsewhere.
pub enum Done {
    /// A target was set.
    Set {
        /// The sample from which on.
        time: u64,
        /// Which voice, or [`ALL`].
        voice: u8,
        /// Which target.
        target: u32,
        /// To what.
        value: f64,
    },
    /// A picture was laid on a touch.
    Pressed {
        /// The sample from which on.
        time: u64,
        /// Which target.
        target: u32,
        /// The picture.
        picture: Box<Picture>,
    },
    /// Another scene began.
    Swapped {
        /// The sample from which on.
        time: u64,
        /// Its number.
        generation: u32,
    },
    /// A scene has faded away.
    Retired(Box<Player>),
    /// Something came for a scene that is gone, or that its model would not take.
    Ignored(Option<Box<Picture>>),
}
