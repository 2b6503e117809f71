//! Writes a session file.

use super::{SESSION_HEADER, SceneSource};
use crate::command::{ALL_VOICES, EngineEvent};
use std::io::{self, Write};

/// Writes a session file during playback.
pub struct SessionWriter {
    out: Box<dyn Write + Send>,
    /// Names of the targets of every scene.
    target_names: Vec<Vec<String>>,
    /// Index of the scene that is playing.
    active_scene: usize,
    /// Time of the last line.
    last_time: u64,
}

impl SessionWriter {
    /// Starts a session file.
    ///
    /// # Errors
    /// An I/O error.
    pub fn new(mut out: Box<dyn Write + Send>, rate: f64, channels: usize) -> io::Result<Self> {
        writeln!(out, "{SESSION_HEADER}\nrate {rate}\nchannels {channels}")?;
        Ok(Self { out, target_names: Vec::new(), active_scene: 0, last_time: 0 })
    }

    /// Adds a scene; the first one plays at the start. The file can be replayed from here on.
    ///
    /// # Errors
    /// An I/O error.
    pub fn add_scene(&mut self, scene: &SceneSource, gain: f64, targets: Vec<String>) -> io::Result<()> {
        let lines = scene.text.lines().count();
        writeln!(self.out, "scene {lines} {gain:?} {}", scene.path)?;
        for line in scene.text.lines() {
            writeln!(self.out, "{line}")?;
        }
        self.target_names.push(targets);
        self.out.flush()
    }

    /// Writes that `samples` samples were played, and all that is buffered.
    pub(crate) fn mark(&mut self, samples: u64) -> io::Result<()> {
        // An event after this sample says the same.
        if samples > self.last_time {
            writeln!(self.out, "{samples} played")?;
            self.last_time = samples;
        }
        self.out.flush()
    }

    /// Writes an event of the audio engine.
    pub(crate) fn write_event(&mut self, event: &EngineEvent) -> io::Result<()> {
        if let EngineEvent::Set { time, .. }
        | EngineEvent::ImageSet { time, .. }
        | EngineEvent::SceneSwapped { time, .. } = event
        {
            self.last_time = *time;
        }
        let name = |target: u32| self.target_names.get(self.active_scene).and_then(|names| names.get(target as usize));
        match event {
            EngineEvent::Set { time, voice, target, value } => match name(*target) {
                Some(name) if *voice == ALL_VOICES => writeln!(self.out, "{time} set {value:?} {name}"),
                Some(name) => writeln!(self.out, "{time} set.{voice} {value:?} {name}"),
                None => Ok(()),
            },
            EngineEvent::ImageSet { time, target, image } => match name(*target) {
                Some(name) => {
                    let values: Vec<String> = image.values.iter().map(|value| format!("{value:?}")).collect();
                    writeln!(self.out, "{time} image {} {} {name}", image.width, values.join(","))
                }
                None => Ok(()),
            },
            EngineEvent::SceneSwapped { time, scene_index } => {
                self.active_scene = *scene_index as usize;
                writeln!(self.out, "{time} scene {scene_index}")
            }
            EngineEvent::PlayerRetired(_) | EngineEvent::CommandIgnored(_) => Ok(()),
        }
    }

    /// Ends the session; `samples` is the number of samples played.
    ///
    /// # Errors
    /// An I/O error.
    pub fn finish(mut self, samples: u64) -> io::Result<()> {
        writeln!(self.out, "end {samples}")?;
        self.out.flush()
    }
}
