//! Frees memory returned by the audio engine, and writes the session and the recording.

use crate::command::EngineEvent;
use crate::recording::Recording;
use crate::session::SessionWriter;
use rtrb::Consumer;
use std::io;

/// Files that the collector writes.
#[derive(Default)]
pub struct Sinks {
    /// Audio output.
    pub recording: Option<Recording>,
    /// Executed commands.
    pub session: Option<SessionWriter>,
}

/// Receives events and samples from the audio engine. Runs on any thread but the audio thread.
pub struct Collector {
    events: Consumer<EngineEvent>,
    samples: Option<Consumer<f32>>,
    sinks: Sinks,
}

impl Collector {
    pub(crate) fn new(events: Consumer<EngineEvent>, samples: Option<Consumer<f32>>, sinks: Sinks) -> Self {
        Self { events, samples, sinks }
    }

    /// Adds a scene to the session before the engine swaps to it.
    ///
    /// # Errors
    /// An I/O error of the session file.
    pub fn add_scene(
        &mut self,
        scene: &crate::session::SceneSource,
        gain: f64,
        targets: Vec<String>,
    ) -> io::Result<()> {
        self.sinks.session.as_mut().map_or(Ok(()), |session| session.add_scene(scene, gain, targets))
    }

    /// Processes pending events and samples. Call it hundreds of times a second.
    ///
    /// # Errors
    /// An I/O error of the files.
    pub fn collect(&mut self) -> io::Result<()> {
        while let Ok(event) = self.events.pop() {
            if let Some(session) = &mut self.sinks.session {
                session.write_event(&event)?;
            }
        }
        if let (Some(samples), Some(recording)) = (&mut self.samples, &mut self.sinks.recording) {
            while let Ok(sample) = samples.pop() {
                recording.write(sample)?;
            }
        }
        Ok(())
    }

    /// Processes what is pending and completes the files; `samples` is the number of samples played.
    ///
    /// # Errors
    /// An I/O error of the files.
    pub fn finish(mut self, samples: u64) -> io::Result<()> {
        self.collect()?;
        if let Some(session) = self.sinks.session.take() {
            session.finish(samples)?;
        }
        self.sinks.recording.take().map_or(Ok(()), Recording::finish)
    }
}
