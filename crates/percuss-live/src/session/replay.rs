//! Replaying a session: the same engine, fed by the file instead of by hands.

use super::read::{Event, Session, What};
use crate::controls::Controls;
use crate::engine::rig;
use crate::housekeeper::Outlets;
use crate::player::{Account, Player, PlayerError};
use percuss_scene::Diagnostic;
use percuss_scene::instrument::Instrument;
use std::io;

/// Frames and events that are handed over at once.
const BLOCK: u64 = 256;
const HANDFUL: usize = 4096;

/// Why a session cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// One of its scenes is wrong, as when a file it names has gone.
    #[error("{}", .0.first().map(ToString::to_string).unwrap_or_default())]
    Scene(Vec<Diagnostic>),
    /// A scene cannot be compiled.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// It sets what its scene does not have.
    #[error("at sample {time}: the scene has no {target}")]
    Target {
        /// The sample.
        time: u64,
        /// The name.
        target: String,
    },
    /// Its sound could not be written.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Replays a session; `take` is handed interleaved frames and how far it has come, from 0 to 1.
///
/// # Errors
/// A scene that is wrong, or whatever `take` says.
pub fn replay(session: &Session, mut take: impl FnMut(&[f32], f64) -> io::Result<()>) -> Result<(), ReplayError> {
    let (instrument, player) = prepare(session, 0)?;
    let mut rig = rig(instrument, player, session.rate, session.channels, Outlets::default());
    let (mut now, mut next) = (0, 0);
    let mut buffer = vec![0.0; BLOCK as usize * session.channels];
    while now < session.samples {
        let mut end = session.samples.min(now + BLOCK);
        let mut fed = 0;
        while let Some(event) = session.events.get(next).filter(|event| event.time < end) {
            if fed == HANDFUL {
                end = event.time.max(now + 1);
                break;
            }
            send(session, event, &rig.controls)?;
            (next, fed) = (next + 1, fed + 1);
        }
        let frames = &mut buffer[..(end - now) as usize * session.channels];
        rig.engine.process(frames);
        rig.housekeeper.clear()?;
        now = end;
        take(frames, now as f64 / session.samples as f64)?;
    }
    Ok(())
}

/// Compiles a scene of a session.
fn prepare(session: &Session, index: usize) -> Result<(Instrument, Player), ReplayError> {
    let (scene, level) = &session.scenes[index];
    let scene = percuss_scene::parse(&scene.text, &scene.path).map_err(ReplayError::Scene)?;
    let instrument = Instrument::new(&scene);
    let player = Player::new(&instrument, session.rate, session.channels, Some(*level), Account::Off)?;
    Ok((instrument, player))
}

fn send(session: &Session, event: &Event, controls: &Controls) -> Result<(), ReplayError> {
    let time = event.time;
    let find = |target: &String| {
        let found = controls.stage().instrument.find_target(target);
        found.ok_or_else(|| ReplayError::Target { time, target: target.clone() })
    };
    match &event.what {
        What::Set { voice, target, value } => {
            controls.set_voice_at(time, *voice, find(target)?, *value);
        }
        What::Press { target, picture } => {
            controls.press_at(time, find(target)?, picture.clone());
        }
        What::Scene(index) => {
            let (instrument, player) = prepare(session, *index)?;
            controls.swap_at(time, instrument, player);
        }
    }
    Ok(())
}
