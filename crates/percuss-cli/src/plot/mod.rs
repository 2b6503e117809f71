//! Plots of a run: waveform, spectrogram, energy, contact forces, touches.

mod contacts;
mod energy;
pub mod heat_map;
pub mod mode_shapes;
mod panel;
mod power_spectrogram;
mod spectrogram;
pub mod style;
mod touches;
mod waveform;

use crate::args::{AxisScale, PlotArgs};
use crate::error::Result;
use crate::output::{OutputFile, OutputFolder};
use crate::render::plot_recorder::PlotRecorder;
use crate::render::settings::RenderSettings;
use crate::render::temp_audio::TempAudio;
use percuss_scene::Scene;
use std::path::Path;
use style::{Picture, draw_error, write_picture};

/// Files of the plots, checked to be writable before the run.
pub struct PlotFiles {
    waveform: OutputFile,
    spectrogram: OutputFile,
    energy: OutputFile,
    /// `None` if the scene has no interactions.
    contacts: Option<OutputFile>,
    /// `None` if it has no touches.
    touches: Option<OutputFile>,
    _folder: OutputFolder,
}

impl PlotFiles {
    /// Creates the folder if necessary and checks that the plots can be written.
    pub fn new(path: &Path, scene: &Scene, args: &PlotArgs) -> Result<Self> {
        let folder = OutputFolder::new(path, false)?;
        let extension = if args.svg { "svg" } else { "png" };
        let file = |name: &str| OutputFile::new(&path.join(format!("{name}.{extension}")));
        let has_contacts = !scene.interaction_names.is_empty();
        Ok(Self {
            waveform: file("waveform")?,
            spectrogram: file("spectrogram")?,
            energy: file("energy")?,
            contacts: has_contacts.then(|| file("contacts")).transpose()?,
            touches: touches::has_touches(scene).then(|| file("touches")).transpose()?,
            _folder: folder,
        })
    }

    /// All files.
    pub fn files(&self) -> impl Iterator<Item = &OutputFile> {
        [&self.waveform, &self.spectrogram, &self.energy].into_iter().chain(&self.contacts).chain(&self.touches)
    }
}

/// Draws all plots.
pub fn draw(
    files: &PlotFiles,
    scene: &Scene,
    (settings, args): (&RenderSettings, &PlotArgs),
    audio: &TempAudio,
    recorder: &PlotRecorder,
) -> Result<()> {
    style::register_fonts();
    files.waveform.write_by_path(|path| {
        write_picture(path, &waveform::Waveform::new(scene, settings, audio).map_err(draw_error)?)
    })?;
    files.spectrogram.write_by_path(|path| {
        write_picture(path, &spectrogram::Spectrogram::new(scene, settings, args, audio).map_err(draw_error)?)
    })?;
    write(&files.energy, &energy::EnergyPlot::new(scene, &recorder.energy, args.energy_axis))?;
    files.contacts.iter().try_for_each(|file| write(file, &contacts::ContactForces::new(scene, recorder)))?;
    files.touches.iter().try_for_each(|file| write(file, &touches::TouchChart::new(scene, recorder)))
}

fn write(file: &OutputFile, picture: &impl Picture) -> Result<()> {
    file.write_by_path(|path| write_picture(path, picture))
}
