//! The audio engine of a page, with all its ends on one thread.
//!
//! Allocates   in all functions but `process`, `set` and `poll`

use crate::description::{PlayableScene, Settings};
use crate::recent::Recent;
use crate::session_text::SessionText;
use percuss_live::midi::MidiHandler;
use percuss_live::session::{SceneSource, SessionWriter};
use percuss_live::{AudioEngine, EngineHandle, EngineParts, Sinks, VIEW_COLUMNS};

/// Largest number of frames of a buffer.
const MAX_FRAMES: usize = 4096;
/// Numbers that [`PlayerEngine::poll`] returns.
pub const STATUS_LENGTH: usize = 13;

/// Plays scenes.
pub struct PlayerEngine {
    parts: EngineParts,
    midi: MidiHandler,
    session: SessionText,
    recent: Recent,
    channels: usize,
    /// Output, interleaved.
    buffer: Vec<f32>,
    status: [f64; STATUS_LENGTH],
    /// Displacements, row by row.
    view: Vec<f32>,
}

/// Names of the targets of a scene, as sessions call them.
fn target_names(scene: &PlayableScene) -> Vec<String> {
    scene.instrument.targets.iter().map(|target| target.name.clone()).collect()
}

impl PlayerEngine {
    /// An engine that plays a scene from its start.
    pub(crate) fn new(scene: PlayableScene, source: &SceneSource, settings: Settings) -> Self {
        let Settings { sample_rate, channels, .. } = settings;
        let session = SessionText::default();
        let writer = SessionWriter::new(Box::new(session.clone()), sample_rate, channels).and_then(|mut writer| {
            writer.add_scene(source, scene.player.calibration_gain(), target_names(&scene))?;
            Ok(writer)
        });
        let sinks = Sinks { session: writer.ok(), ..Sinks::default() };
        let parts = AudioEngine::build(scene.instrument, scene.player, sample_rate, channels, sinks);
        Self {
            midi: MidiHandler::new(parts.handle.clone()),
            parts,
            session,
            recent: Recent::new(sample_rate, channels),
            channels,
            buffer: vec![0.0; MAX_FRAMES * channels],
            status: [0.0; STATUS_LENGTH],
            view: Vec::new(),
        }
    }

    /// Cross-fades to another scene. Returns whether there was room for the command.
    pub(crate) fn swap(&mut self, scene: PlayableScene, source: &SceneSource) -> bool {
        self.collect();
        // A session that is full ends; the sound goes on.
        let _ = self.parts.collector.add_scene(source, scene.player.calibration_gain(), target_names(&scene));
        self.parts.handle.swap_scene_at(0, scene.instrument, scene.player)
    }

    /// Plays up to 4096 frames and returns them, interleaved. Does not allocate.
    pub fn process(&mut self, frames: usize) -> &[f32] {
        let buffer = &mut self.buffer[..frames.min(MAX_FRAMES) * self.channels];
        self.parts.engine.process(buffer);
        self.recent.push(buffer);
        buffer
    }

    /// For commands.
    pub fn handle(&self) -> &EngineHandle {
        &self.parts.handle
    }

    /// Handles a MIDI message.
    pub fn midi(&mut self, message: &[u8]) -> bool {
        self.midi.handle_message(message)
    }

    /// Frees what the engine no longer needs and writes the session.
    pub fn collect(&mut self) {
        // A session that is full ends; the sound goes on.
        let _ = self.parts.collector.collect();
    }

    /// Samples played, peaks of two channels, limiter's gain, whether the ledger is open, energies \[J\] at the start, stored,
    /// dissipated, supplied and by touches, worst residual, restarts after numbers that are not finite, restarts after run-aways.
    pub fn poll(&mut self) -> &[f64; STATUS_LENGTH] {
        let reading = self.parts.meter.read();
        self.status = [
            reading.samples as f64,
            reading.peaks[0],
            reading.peaks[1],
            reading.limiter_gain,
            f64::from(u8::from(reading.has_ledger)),
            reading.initial,
            reading.stored,
            reading.dissipated,
            reading.supplied,
            reading.touch_work,
            reading.worst_residual,
            reading.nan_resets as f64,
            reading.cut_outs as f64,
        ];
        &self.status
    }

    /// Displacements of the element that is drawn, row by row \[m\]; as many rows as it has, 1 for a string or bar.
    pub fn view(&mut self) -> &[f32] {
        let view = &self.parts.view;
        self.view.clear();
        for row in 0..view.rows() {
            self.view.extend((0..VIEW_COLUMNS).map(|column| view.at(column, row)));
        }
        &self.view
    }

    /// The session so far, as a file that `percuss render --session` plays again.
    pub fn session(&mut self) -> Vec<u8> {
        self.collect();
        let mut text = self.session.bytes();
        text.extend(format!("end {}\n", self.parts.engine.sample_time()).bytes());
        text
    }

    /// The last minute of the output, interleaved, as bytes of 32-bit floats.
    pub fn recording(&self) -> Vec<u8> {
        self.recent.bytes()
    }
}
