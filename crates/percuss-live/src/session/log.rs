//! Writing a session.

use super::{HEADING, SceneText};
use crate::command::{ALL, Done};
use std::io::{self, Write};

/// A session file that grows.
pub struct Log {
    out: Box<dyn Write + Send>,
    /// Names of the targets of every scene told of.
    scenes: Vec<Vec<String>>,
    on_stage: usize,
}

impl Log {
    /// Begins a session.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn begin(mut out: Box<dyn Write + Send>, rate: f64, channels: usize) -> io::Result<Self> {
        writeln!(out, "{HEADING}\nrate {rate}\nchannels {channels}")?;
        Ok(Self { out, scenes: Vec::new(), on_stage: 0 })
    }

    /// Tells of a scene, the first of which is on stage at the beginning.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn announce(&mut self, scene: &SceneText, level: f64, targets: Vec<String>) -> io::Result<()> {
        let lines = scene.text.lines().count();
        writeln!(self.out, "scene {lines} {level:?} {}", scene.path)?;
        for line in scene.text.lines() {
            writeln!(self.out, "{line}")?;
        }
        self.scenes.push(targets);
        Ok(())
    }

    /// Notes what the engine did.
    pub(crate) fn note(&mut self, done: &Done) -> io::Result<()> {
        let name = |target: u32| self.scenes.get(self.on_stage).and_then(|names| names.get(target as usize));
        match done {
            Done::Set { time, voice, target, value } => match name(*target) {
                Some(name) if *voice == ALL => writeln!(self.out, "{time} set {value:?} {name}"),
                Some(name) => writeln!(self.out, "{time} set.{voice} {value:?} {name}"),
                None => Ok(()),
            },
            Done::Pressed { time, target, picture } => match name(*target) {
                Some(name) => {
                    let values: Vec<String> = picture.values.iter().map(|value| format!("{value:?}")).collect();
                    writeln!(self.out, "{time} press {} {} {name}", picture.width, values.join(","))
                }
                None => Ok(()),
            },
            Done::Swapped { time, generation } => {
                self.on_stage = *generation as usize;
                writeln!(self.out, "{time} scene {generation}")
            }
            Done::Retired(_) | Done::Ignored(_) => Ok(()),
        }
    }

    /// Ends the session after so many samples.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn finish(mut self, samples: u64) -> io::Result<()> {
        writeln!(self.out, "end {samples}")?;
        self.out.flush()
    }
}
