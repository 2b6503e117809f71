//! Pictures of a run: waveform, spectrogram, energy, contact forces.

mod contacts;
mod energy;
pub mod heat;
pub mod shapes;
mod spectrogram;
pub mod style;
mod waveform;

use crate::failure::Result;
use crate::output::{Folder, Target};
use crate::render::plan::Plan;
use crate::render::recorder::Recorder;
use crate::render::spool::Audio;
use percuss_scene::Scene;
use std::path::Path;

/// Where the pictures go, checked beforehand.
pub struct Pictures {
    waveform: Target,
    spectrogram: Target,
    energy: Target,
    /// Missing where the scene has no interactions.
    contacts: Option<Target>,
    _folder: Folder,
}

impl Pictures {
    /// Makes the folder if need be and checks that the pictures can be written.
    pub fn new(path: &Path, scene: &Scene) -> Result<Self> {
        let folder = Folder::new(path, false)?;
        let target = |name: &str| Target::new(&path.join(name));
        let has_contacts = !scene.interaction_names.is_empty();
        Ok(Self {
            waveform: target("waveform.png")?,
            spectrogram: target("spectrogram.png")?,
            energy: target("energy.png")?,
            contacts: has_contacts.then(|| target("contacts.png")).transpose()?,
            _folder: folder,
        })
    }

    /// The files.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        [&self.waveform, &self.spectrogram, &self.energy].into_iter().chain(&self.contacts)
    }
}

/// Draws all pictures.
pub fn draw(pictures: &Pictures, scene: &Scene, plan: &Plan, audio: &Audio, record: &Recorder) -> Result<()> {
    style::register_fonts();
    pictures.waveform.write_at(|path| waveform::draw(path, scene, plan, audio))?;
    pictures.spectrogram.write_at(|path| spectrogram::draw(path, scene, plan, audio))?;
    pictures.energy.write_at(|path| energy::draw(path, scene, record))?;
    if let Some(target) = &pictures.contacts {
        target.write_at(|path| contacts::draw(path, scene, record))?;
    }
    Ok(())
}
