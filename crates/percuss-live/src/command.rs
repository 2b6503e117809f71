//! Commands to the audio engine, and the events it returns.

use crate::player::Player;

/// Voice index that stands for all voices.
pub const ALL_VOICES: u8 = u8::MAX;

/// An image of pressures for a touch, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct PressureImage {
    /// Number of columns.
    pub width: usize,
    /// Pressures from 0 to 1.
    pub values: Vec<f64>,
}

/// A command with its time.
pub(crate) struct TimedCommand {
    /// Sample at which it is executed; 0 for as soon as possible.
    pub time: u64,
    pub command: EngineCommand,
}

pub(crate) enum EngineCommand {
    /// Sets a target of a scene, for one voice or all.
    Set { scene_index: u32, voice: u8, target: u32, value: f64 },
    /// Sets the pressure image of a touch.
    SetImage { scene_index: u32, target: u32, image: Box<PressureImage> },
    /// Cross-fades to another scene.
    SwapScene(Box<Player>),
}

/// What the audio engine did. Returns memory that the engine no longer needs, to be freed on another thread.
pub enum EngineEvent {
    /// A target was set.
    Set {
        /// Sample.
        time: u64,
        /// Voice, or [`ALL_VOICES`].
        voice: u8,
        /// Index of the target.
        target: u32,
        /// New value.
        value: f64,
    },
    /// The pressure image of a touch was set.
    ImageSet {
        /// Sample.
        time: u64,
        /// Index of the target.
        target: u32,
        /// The image.
        image: Box<PressureImage>,
    },
    /// A cross-fade to another scene started.
    SceneSwapped {
        /// Sample.
        time: u64,
        /// Index of the scene in the session.
        scene_index: u32,
    },
    /// A cross-fade ended; this is the previous scene.
    PlayerRetired(Box<Player>),
    /// A command was for a previous scene or was rejected by the model.
    CommandIgnored(Option<Box<PressureImage>>),
}
