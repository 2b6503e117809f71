//! Which scene comes next, and its compilation in the background.

use super::workers::{CollectorThread, PendingScene, PlayerConfig};
use crate::error::Result;
use percuss_live::EngineHandle;
use percuss_live::session::SceneSource;
use percuss_scene::presets;

/// Loads scenes, one at a time; of several requests the last one counts.
pub struct SceneLoader {
    /// The scene that plays.
    playing: SceneSource,
    /// The scene that was requested last.
    requested: SceneSource,
    pending: Option<PendingScene>,
}

/// A preset, by its place in the list.
fn preset(index: usize) -> SceneSource {
    let preset = &presets::all()[index];
    SceneSource { path: preset.name.into(), text: preset.text.into() }
}

impl SceneLoader {
    /// A loader for a performance that starts with a scene.
    pub fn new(playing: SceneSource) -> Self {
        Self { requested: playing.clone(), playing, pending: None }
    }

    /// The scene that plays.
    pub fn playing(&self) -> &SceneSource {
        &self.playing
    }

    /// Requests a scene; returns a message.
    fn request(&mut self, source: SceneSource) -> String {
        self.requested = source;
        format!("loading {}", self.requested.path)
    }

    /// Requests the preset that is `step` after the one that was requested last; the first or last one after a file.
    pub fn request_neighbour(&mut self, step: isize) -> String {
        let count = presets::all().len();
        let current = presets::all().iter().position(|preset| preset.name == self.requested.path);
        let start = current.unwrap_or(if step > 0 { count - 1 } else { 0 });
        self.request(preset((start + count).saturating_add_signed(step) % count))
    }

    /// Requests a preset by its number, as a program change does.
    pub fn request_preset(&mut self, number: usize) -> String {
        if number < presets::all().len() {
            self.request(preset(number))
        } else {
            format!("there is no preset {} of {}", number + 1, presets::all().len())
        }
    }

    /// Requests the scene again; a file may have changed, a preset has none.
    pub fn request_reload(&mut self, config: PlayerConfig) -> String {
        let path = self.requested.path.clone();
        let text = std::fs::read_to_string(&path).unwrap_or_else(|_| self.requested.text.clone());
        let message = self.request(SceneSource { path, text });
        self.pending = Some(PendingScene::new(self.requested.clone(), config));
        message
    }

    /// Goes on with loading. Returns the name of a scene that begins to play, or why it does not.
    pub fn poll(
        &mut self,
        config: PlayerConfig,
        handle: &EngineHandle,
        collector: &CollectorThread,
    ) -> Option<Result<String>> {
        let ready = self.pending.take_if(|pending| pending.is_ready());
        let outcome = ready.filter(|ready| *ready.source() == self.requested).map(|ready| {
            let swapped = ready.swap_in(handle, collector);
            match &swapped {
                Ok(_) => self.playing = self.requested.clone(),
                // It is not tried again.
                Err(_) => self.requested = self.playing.clone(),
            }
            swapped
        });
        if self.pending.is_none() && self.requested != self.playing {
            self.pending = Some(PendingScene::new(self.requested.clone(), config));
        }
        outcome
    }
}
