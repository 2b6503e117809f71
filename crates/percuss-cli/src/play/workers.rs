//! Worker threads of a performance: one writes files and frees memory for the engine, others compile scenes.

use crate::error::{CliError, Result};
use percuss_live::session::SceneSource;
use percuss_live::{Collector, EngineHandle, LedgerMode, Player, SinkError};
use percuss_scene::Scene;
use percuss_scene::instrument::Instrument;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Time between two runs of the collector.
const COLLECT_INTERVAL: Duration = Duration::from_millis(4);

/// Messages to the collector thread.
enum CollectorMessage {
    /// A new scene: its text, level and the names of its targets, for the session file.
    Scene(SceneSource, f64, Vec<String>),
    /// The performance ended after this number of samples.
    End(u64),
}

/// Thread that writes recording and session, and drops what the engine no longer needs.
pub struct CollectorThread {
    messages: Sender<CollectorMessage>,
    /// Errors of the files since the last look.
    errors: Receiver<SinkError>,
    thread: JoinHandle<()>,
}

impl CollectorThread {
    /// Starts the thread.
    pub fn new(collector: Collector) -> Self {
        let (messages, receiver) = channel();
        let (report, errors) = channel();
        Self { messages, errors, thread: std::thread::spawn(move || collect(collector, &receiver, &report)) }
    }

    /// A file that could not be written, since the last call. The performance goes on without it.
    pub fn next_error(&self) -> Option<SinkError> {
        self.errors.try_recv().ok()
    }

    fn send(&self, message: CollectorMessage) {
        // Fails if the thread has panicked; `finish` reports that.
        let _ = self.messages.send(message);
    }

    /// Completes the files of a performance of `samples` samples; returns the errors since the last call of `next_error`.
    pub fn finish(self, samples: u64) -> Result<Vec<SinkError>> {
        self.send(CollectorMessage::End(samples));
        match self.thread.join() {
            Ok(()) => Ok(self.errors.try_iter().collect()),
            Err(_) => Err(CliError::with_hint("the thread that writes files panicked", "please report this")),
        }
    }
}

/// Collects until the end, also after a file could not be written: then events and samples are only taken from the engine.
fn collect(mut collector: Collector, messages: &Receiver<CollectorMessage>, errors: &Sender<SinkError>) {
    // Nobody may be left to be told.
    let report = |result: std::result::Result<(), SinkError>| drop(result.map_err(|error| errors.send(error)));
    loop {
        match messages.recv_timeout(COLLECT_INTERVAL) {
            Ok(CollectorMessage::Scene(text, level, targets)) => report(collector.add_scene(&text, level, targets)),
            Ok(CollectorMessage::End(samples)) => return report(collector.finish(samples)),
            Err(RecvTimeoutError::Timeout) => report(collector.collect()),
            Err(RecvTimeoutError::Disconnected) => return report(collector.collect()),
        }
    }
}

/// Names of an instrument's targets, for the session.
pub fn target_names(instrument: &Instrument) -> Vec<String> {
    instrument.targets.iter().map(|target| target.name.clone()).collect()
}

/// Configuration of the players of a performance.
#[derive(Clone, Copy, Debug)]
pub struct PlayerConfig {
    /// Sample rate of the device \[Hz\].
    pub rate: f64,
    /// Channels of the device.
    pub channels: usize,
    /// Whether the energy ledger is open.
    pub ledger_mode: LedgerMode,
}

impl PlayerConfig {
    /// Compiles a scene into a player.
    pub fn build_player(self, scene: &Scene) -> Result<(Instrument, Player)> {
        let instrument = Instrument::new(scene);
        let player = Player::new(&instrument, self.rate, self.channels, None, self.ledger_mode)
            .map_err(|error| CliError::from(error.0))?;
        Ok((instrument, player))
    }
}

/// A scene that is being compiled.
pub struct PendingScene {
    thread: JoinHandle<Result<(Instrument, Player)>>,
    source: SceneSource,
}

impl PendingScene {
    /// Starts to compile a scene in a thread of its own.
    pub fn new(source: SceneSource, config: PlayerConfig) -> Self {
        let parsed = source.clone();
        let thread = std::thread::spawn(move || {
            let scene = percuss_scene::parse(&parsed.text, &parsed.path).map_err(CliError::Scene)?;
            config.build_player(&scene)
        });
        Self { thread, source }
    }

    /// The scene.
    pub fn source(&self) -> &SceneSource {
        &self.source
    }

    /// Whether compilation has ended.
    pub fn is_ready(&self) -> bool {
        self.thread.is_finished()
    }

    /// Replaces the scene that is playing; returns the name of the new one.
    pub fn swap_in(self, handle: &EngineHandle, collector: &CollectorThread) -> Result<String> {
        let panicked = || CliError::with_hint("the scene could not be compiled", "please report this");
        let (instrument, player) = self.thread.join().map_err(|_| panicked())??;
        let name = instrument.scene.name.clone();
        collector.send(CollectorMessage::Scene(self.source, player.calibration_gain(), target_names(&instrument)));
        if handle.swap_scene_at(0, instrument, player) {
            Ok(name)
        } else {
            Err(CliError::with_hint("the engine does not answer", "is the device still there?"))
        }
    }
}
