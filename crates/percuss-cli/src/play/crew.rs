//! Those behind the stage: one thread clears away behind the engine, others compile the next scene.

use crate::failure::{Failure, Result};
use percuss_live::session::SceneText;
use percuss_live::{Account, Controls, Housekeeper, Player};
use percuss_scene::Scene;
use percuss_scene::instrument::Instrument;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often things are cleared away.
const ROUND: Duration = Duration::from_millis(4);

/// What the clearing thread is told.
enum Word {
    /// A scene may come on stage.
    Scene(SceneText, f64, Vec<String>),
    /// All is over after so many samples.
    End(u64),
}

/// The thread that clears away.
pub struct Crew {
    words: Sender<Word>,
    thread: JoinHandle<io::Result<()>>,
}

impl Crew {
    /// Sets to work.
    pub fn new(housekeeper: Housekeeper) -> Self {
        let (words, heard) = channel();
        Self { words, thread: std::thread::spawn(move || work(housekeeper, &heard)) }
    }

    /// Whether the files can no longer be written.
    pub fn has_given_up(&self) -> bool {
        self.thread.is_finished()
    }

    fn tell(&self, word: Word) {
        // One that has given up says why when all is over.
        let _ = self.words.send(word);
    }

    /// Completes the files after so many samples.
    pub fn finish(self, samples: u64) -> Result<()> {
        self.tell(Word::End(samples));
        match self.thread.join() {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(Failure::hinted(
                format!("the recording or the session could not be written: {error}"),
                "is the disk full?",
            )),
            Err(_) => Err(Failure::hinted("the thread that writes files broke down", "please report this")),
        }
    }
}

fn work(mut housekeeper: Housekeeper, words: &Receiver<Word>) -> io::Result<()> {
    loop {
        match words.recv_timeout(ROUND) {
            Ok(Word::Scene(text, level, targets)) => housekeeper.announce(&text, level, targets)?,
            Ok(Word::End(samples)) => return housekeeper.finish(samples),
            Err(RecvTimeoutError::Timeout) => housekeeper.clear()?,
            Err(RecvTimeoutError::Disconnected) => return housekeeper.clear(),
        }
    }
}

/// Names of an instrument's targets, for the session.
pub fn names(instrument: &Instrument) -> Vec<String> {
    instrument.targets.iter().map(|target| target.name.clone()).collect()
}

/// How players of this performance are made.
#[derive(Clone, Copy, Debug)]
pub struct Make {
    /// Rate of the device \[Hz\].
    pub rate: f64,
    /// Its channels.
    pub channels: usize,
    /// Whether the energy account is kept.
    pub account: Account,
}

impl Make {
    /// Compiles a scene.
    pub fn player(self, scene: &Scene) -> Result<(Instrument, Player)> {
        let instrument = Instrument::new(scene);
        let player = Player::new(&instrument, self.rate, self.channels, None, self.account)
            .map_err(|error| Failure::from(error.0))?;
        Ok((instrument, player))
    }
}

/// A scene that is being compiled.
pub struct Coming {
    thread: JoinHandle<Result<(Instrument, Player)>>,
    text: SceneText,
}

impl Coming {
    /// Begins to compile a scene, off every other thread.
    pub fn new(text: SceneText, make: Make) -> Self {
        let own = text.clone();
        let thread = std::thread::spawn(move || {
            let scene = percuss_scene::parse(&own.text, &own.path).map_err(Failure::Scene)?;
            make.player(&scene)
        });
        Self { thread, text }
    }

    /// Whether it is done.
    pub fn is_ready(&self) -> bool {
        self.thread.is_finished()
    }

    /// Brings it on stage; returns its name.
    pub fn enter(self, controls: &Controls, crew: &Crew) -> Result<String> {
        let broken = || Failure::hinted("the scene could not be compiled", "please report this");
        let (instrument, player) = self.thread.join().map_err(|_| broken())??;
        let name = instrument.scene.name.clone();
        crew.tell(Word::Scene(self.text, player.level(), names(&instrument)));
        if controls.swap_at(0, instrument, player) {
            Ok(name)
        } else {
            Err(Failure::hinted("the engine does not answer", "is the device still there?"))
        }
    }
}
