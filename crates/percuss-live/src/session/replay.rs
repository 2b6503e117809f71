//! Replays a session: runs the audio engine with the commands of the file.

use super::reader::{EventKind, Session, SessionEvent};
use crate::audio_engine::AudioEngine;
use crate::collector::Sinks;
use crate::engine_handle::EngineHandle;
use crate::player::{LedgerMode, Player, PlayerError};
use percuss_scene::Diagnostic;
use percuss_scene::instrument::Instrument;
use std::io;

/// Frames per buffer.
const BUFFER_FRAMES: u64 = 256;
/// Maximum number of events sent before a buffer.
const MAX_EVENTS: usize = 4096;

/// Error while replaying a session.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// A scene is invalid, for instance because a file it names is missing.
    #[error("{}", .0.first().map(ToString::to_string).unwrap_or_default())]
    Scene(Vec<Diagnostic>),
    /// A scene does not compile.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// An event sets a target that the scene does not have.
    #[error("at sample {time}: the scene has no {target}")]
    Target {
        /// Sample.
        time: u64,
        /// Name of the target.
        target: String,
    },
    /// The output could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Replays a session. Calls `write` with interleaved frames and the progress from 0 to 1.
///
/// # Errors
/// An invalid scene or target, or an error of `write`.
pub fn replay(session: &Session, mut write: impl FnMut(&[f32], f64) -> io::Result<()>) -> Result<(), ReplayError> {
    let (instrument, player) = compile_scene(session, 0)?;
    let mut parts = AudioEngine::build(instrument, player, session.sample_rate, session.channels, Sinks::default());
    let (mut time, mut next_event) = (0, 0);
    let mut buffer = vec![0.0; BUFFER_FRAMES as usize * session.channels];
    while time < session.samples {
        let mut end = session.samples.min(time + BUFFER_FRAMES);
        let mut sent = 0;
        while let Some(event) = session.events.get(next_event).filter(|event| event.time < end) {
            if sent == MAX_EVENTS {
                end = event.time.max(time + 1);
                break;
            }
            send(session, event, &parts.handle)?;
            (next_event, sent) = (next_event + 1, sent + 1);
        }
        let frames = &mut buffer[..(end - time) as usize * session.channels];
        parts.engine.process(frames);
        parts.collector.collect().map_err(|failed| failed.error)?;
        time = end;
        write(frames, time as f64 / session.samples as f64)?;
    }
    Ok(())
}

/// Compiles a scene of a session.
fn compile_scene(session: &Session, index: usize) -> Result<(Instrument, Player), ReplayError> {
    let (scene, gain) = &session.scenes[index];
    let scene = percuss_scene::parse(&scene.text, &scene.path).map_err(ReplayError::Scene)?;
    let instrument = Instrument::new(&scene);
    let player = Player::new(&instrument, session.sample_rate, session.channels, Some(*gain), LedgerMode::Off)?;
    Ok((instrument, player))
}

/// Sends the command of an event.
fn send(session: &Session, event: &SessionEvent, handle: &EngineHandle) -> Result<(), ReplayError> {
    let time = event.time;
    let find = |target: &String| {
        let found = handle.active_scene().instrument.find_target(target);
        found.ok_or_else(|| ReplayError::Target { time, target: target.clone() })
    };
    match &event.kind {
        EventKind::Set { voice, target, value } => {
            handle.set_voice_at(time, *voice, find(target)?, *value);
        }
        EventKind::SetImage { target, image } => {
            handle.set_image_at(time, find(target)?, image.clone());
        }
        EventKind::SwapScene(index) => {
            let (instrument, player) = compile_scene(session, *index)?;
            handle.swap_scene_at(time, instrument, player);
        }
    }
    Ok(())
}
