//! Plots of a run: waveform, spectrogram, energy, contact forces.

mod contacts;
mod energy;
pub mod heat_map;
pub mod mode_shapes;
mod spectrogram;
pub mod style;
mod waveform;

use crate::error::Result;
use crate::output::{OutputFile, OutputFolder};
use crate::render::plot_recorder::PlotRecorder;
use crate::render::settings::RenderSettings;
use crate::render::temp_audio::TempAudio;
use percuss_scene::Scene;
use std::path::Path;

/// Files of the plots, checked to be writable before the run.
pub struct PlotFiles {
    waveform: OutputFile,
    spectrogram: OutputFile,
    energy: OutputFile,
    /// `None` if the scene has no interactions.
    contacts: Option<OutputFile>,
    _folder: OutputFolder,
}

impl PlotFiles {
    /// Creates the folder if necessary and checks that the plots can be written.
    pub fn new(path: &Path, scene: &Scene) -> Result<Self> {
        let folder = OutputFolder::new(path, false)?;
        let file = |name: &str| OutputFile::new(&path.join(name));
        let has_contacts = !scene.interaction_names.is_empty();
        Ok(Self {
            waveform: file("waveform.png")?,
            spectrogram: file("spectrogram.png")?,
            energy: file("energy.png")?,
            contacts: has_contacts.then(|| file("contacts.png")).transpose()?,
            _folder: folder,
        })
    }

    /// All files.
    pub fn files(&self) -> impl Iterator<Item = &OutputFile> {
        [&self.waveform, &self.spectrogram, &self.energy].into_iter().chain(&self.contacts)
    }
}

/// Draws all plots.
pub fn draw(
    pictures: &PlotFiles,
    scene: &Scene,
    settings: &RenderSettings,
    audio: &TempAudio,
    recorder: &PlotRecorder,
) -> Result<()> {
    style::register_fonts();
    pictures.waveform.write_by_path(|path| waveform::draw(path, scene, settings, audio))?;
    pictures.spectrogram.write_by_path(|path| spectrogram::draw(path, scene, settings, audio))?;
    pictures.energy.write_by_path(|path| energy::draw(path, scene, recorder))?;
    if let Some(file) = &pictures.contacts {
        file.write_by_path(|path| contacts::draw(path, scene, recorder))?;
    }
    Ok(())
}
