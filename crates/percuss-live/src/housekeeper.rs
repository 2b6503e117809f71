//! Clears away behind the engine: frees what it has done with, notes what it did, records what it played.

use crate::command::Done;
use crate::record::Recording;
use crate::session::Log;
use rtrb::Consumer;
use std::io;

/// Where things go that are kept.
#[derive(Default)]
pub struct Outlets {
    /// The sound.
    pub recording: Option<Recording>,
    /// What was done.
    pub session: Option<Log>,
}

/// Runs on any thread but the engine's.
pub struct Housekeeper {
    done: Consumer<Done>,
    recorded: Option<Consumer<f32>>,
    outlets: Outlets,
}

impl Housekeeper {
    pub(crate) fn new(done: Consumer<Done>, recorded: Option<Consumer<f32>>, outlets: Outlets) -> Self {
        Self { done, recorded, outlets }
    }

    /// Makes known a scene that the engine may go over to.
    ///
    /// # Errors
    /// Whatever the system says about the session file.
    pub fn announce(&mut self, scene: &crate::session::SceneText, level: f64, targets: Vec<String>) -> io::Result<()> {
        self.outlets.session.as_mut().map_or(Ok(()), |log| log.announce(scene, level, targets))
    }

    /// Clears away what has gathered. To be called often: hundreds of times a second.
    ///
    /// # Errors
    /// Whatever the system says about the files.
    pub fn clear(&mut self) -> io::Result<()> {
        while let Ok(done) = self.done.pop() {
            if let Some(log) = &mut self.outlets.session {
                log.note(&done)?;
            }
        }
        if let (Some(recorded), Some(recording)) = (&mut self.recorded, &mut self.outlets.recording) {
            while let Ok(sample) = recorded.pop() {
                recording.write(sample)?;
            }
        }
        Ok(())
    }

    /// Clears away the rest and completes the files; `samples` is how many were played.
    ///
    /// # Errors
    /// Whatever the system says about the files.
    pub fn finish(mut self, samples: u64) -> io::Result<()> {
        self.clear()?;
        if let Some(log) = self.outlets.session.take() {
            log.finish(samples)?;
        }
        self.outlets.recording.take().map_or(Ok(()), Recording::finish)
    }
}
