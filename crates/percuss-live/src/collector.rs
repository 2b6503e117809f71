//! Frees memory returned by the audio engine, and writes the session and the recording.
//!
//! Crash       Every half second of audio both files are flushed, and the session gets a line with the time reached
//! Full disk   A file that cannot be written is closed with what it holds. The other one goes on, and so does the engine

use crate::command::EngineEvent;
use crate::meter::Meter;
use crate::recording::Recording;
use crate::session::SessionWriter;
use rtrb::Consumer;
use std::io;
use std::sync::Arc;

/// Files that the collector writes.
#[derive(Default)]
pub struct Sinks {
    /// Audio output.
    pub recording: Option<Recording>,
    /// Executed commands.
    pub session: Option<SessionWriter>,
}

/// A file that the collector writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinkFile {
    /// Audio output.
    Recording,
    /// Executed commands.
    Session,
}

/// A file could not be written. It is closed; everything else goes on.
#[derive(Debug, thiserror::Error)]
#[error("the {} ends here: {error}", match .file { SinkFile::Recording => "recording", SinkFile::Session => "session" })]
pub struct SinkError {
    /// Which file.
    pub file: SinkFile,
    /// Cause.
    pub error: io::Error,
}

/// Receives events and samples from the audio engine. Runs on any thread but the audio thread.
pub struct Collector {
    events: Consumer<EngineEvent>,
    samples: Option<Consumer<f32>>,
    sinks: Sinks,
    meter: Arc<Meter>,
    /// Samples between flushes.
    flush_interval: u64,
    /// Samples played at the last flush.
    flushed_at: u64,
}

/// Audio between two flushes \[s\].
const FLUSH_INTERVAL: f64 = 0.5;

impl Collector {
    pub(crate) fn new(
        events: Consumer<EngineEvent>,
        samples: Option<Consumer<f32>>,
        sinks: Sinks,
        meter: Arc<Meter>,
        sample_rate: f64,
    ) -> Self {
        Self { events, samples, sinks, meter, flush_interval: (FLUSH_INTERVAL * sample_rate) as u64, flushed_at: 0 }
    }

    /// Adds a scene to the session before the engine swaps to it.
    ///
    /// # Errors
    /// The session could not be written.
    pub fn add_scene(
        &mut self,
        scene: &crate::session::SceneSource,
        gain: f64,
        targets: Vec<String>,
    ) -> Result<(), SinkError> {
        self.write_session(|session| session.add_scene(scene, gain, targets))
    }

    /// Processes pending events and samples. Call it hundreds of times a second.
    ///
    /// # Errors
    /// A file could not be written. All events and samples were taken nevertheless, and the next call works as before.
    pub fn collect(&mut self) -> Result<(), SinkError> {
        // Read first: all events before this sample are in the queue.
        let played = self.meter.samples();
        let session = self.collect_events();
        let recording = self.collect_samples();
        session.and(recording)?;
        if played - self.flushed_at < self.flush_interval {
            return Ok(());
        }
        self.flushed_at = played;
        self.write_session(|session| session.mark(played))?;
        self.write_recording(Recording::flush)
    }

    /// Processes what is pending and completes the files; `samples` is the number of samples played.
    ///
    /// # Errors
    /// A file could not be written; the other one is complete.
    pub fn finish(mut self, samples: u64) -> Result<(), SinkError> {
        let collected = self.collect();
        let error = |file| move |error| SinkError { file, error };
        let session = self.sinks.session.take().map_or(Ok(()), |session| session.finish(samples));
        let recording = self.sinks.recording.take().map_or(Ok(()), Recording::finish);
        collected.and(session.map_err(error(SinkFile::Session))).and(recording.map_err(error(SinkFile::Recording)))
    }

    /// Writes events to the session, and frees what they carry.
    fn collect_events(&mut self) -> Result<(), SinkError> {
        let mut result = Ok(());
        while let Ok(event) = self.events.pop() {
            result = result.and(self.write_session(|session| session.write_event(&event)));
        }
        result
    }

    /// Writes samples to the recording; without one they are dropped, so that the engine does not count them as missing.
    fn collect_samples(&mut self) -> Result<(), SinkError> {
        let mut result = Ok(());
        while let Some(Ok(sample)) = self.samples.as_mut().map(Consumer::pop) {
            result = result.and(self.write_recording(|recording| recording.write(sample)));
        }
        result
    }

    /// Writes to the session, if there is one; closes it if that fails.
    fn write_session(&mut self, write: impl FnOnce(&mut SessionWriter) -> io::Result<()>) -> Result<(), SinkError> {
        let result = self.sinks.session.as_mut().map_or(Ok(()), write);
        result.map_err(|error| {
            self.sinks.session = None;
            SinkError { file: SinkFile::Session, error }
        })
    }

    /// Writes to the recording, if there is one; closes it if that fails.
    fn write_recording(&mut self, write: impl FnOnce(&mut Recording) -> io::Result<()>) -> Result<(), SinkError> {
        let result = self.sinks.recording.as_mut().map_or(Ok(()), write);
        result.map_err(|error| {
            self.sinks.recording = None;
            SinkError { file: SinkFile::Recording, error }
        })
    }
}
