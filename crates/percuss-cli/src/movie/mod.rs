//! Movies of strings, plates and modal bodies: displacements are recorded on disk during the run, and drawn and encoded after it.
//!
//! Frames are drawn after the run, when the largest displacement is known: colours and axes have one scale throughout.
//! Memory use does not depend on the length.

mod encoder;
mod frame_data;
mod frame_renderer;
mod line_panel;
mod met_barrier;
mod modes_panel;
mod output;
mod palette;
mod schedule;
mod subjects;
mod surface_panel;
mod touch_footprint;
mod video;

pub use frame_data::{FrameRecorder, RecordedFrames};
pub use video::MovieSound;

use crate::args::MovieArgs;
use crate::error::{CliError, Result};
use crate::format::{plural, si, trimmed_decimal};
use crate::output::OutputFile;
use crate::render::settings::RenderSettings;
use frame_renderer::FrameRenderer;
use output::MovieOutput;
use percuss::Simulation;
use percuss_scene::Scene;
use schedule::FrameSchedule;
use std::path::Path;
use subjects::MovieSubject;

/// A movie of a run: its frame times and its output.
pub struct Movie {
    schedule: FrameSchedule,
    output: MovieOutput,
}

impl Movie {
    /// Checks, before the run, that the movie can be written.
    pub fn new(args: &MovieArgs, path: &Path, settings: &RenderSettings) -> Result<Self> {
        let schedule = FrameSchedule::new(args, settings)?;
        let output = MovieOutput::new(path, schedule.count)?;
        Ok(Self { schedule, output })
    }

    /// Output files.
    pub fn files(&self) -> impl Iterator<Item = &OutputFile> {
        self.output.files()
    }

    /// Recorder of the frames during the run.
    pub fn frame_recorder(&self, scene: &Scene, sim: &Simulation) -> Result<FrameRecorder> {
        let subjects = MovieSubject::all(scene, sim);
        if subjects.is_empty() {
            return Err(CliError::with_hint(
                format!(
                    "{}: the scene has no string, bar, plate, membrane or modal body to show",
                    self.output.given_path().display()
                ),
                "add a [[string]] or a [[plate]] to the scene, or leave out --movie",
            ));
        }
        let folder = self.output.folder();
        FrameRecorder::new(subjects, self.schedule, folder)
            .map_err(|error| CliError::io("cannot write temporary movie data", folder, &error))
    }

    /// Draws and writes the movie.
    pub fn write(&self, scene: &Scene, frames: &RecordedFrames, sound: &MovieSound<'_>) -> Result<()> {
        self.output.write(&FrameRenderer::new(&scene.name, frames), frames, sound)
    }

    /// Description of the written movie, for the terminal.
    pub fn summary(&self, frames: &RecordedFrames) -> String {
        let schedule = &self.schedule;
        let (frame_count, fps) = (plural(schedule.count, "frame"), schedule.fps);
        let (from, to) = (si(schedule.time(0), "s"), si(schedule.time(schedule.count - 1), "s"));
        let mut summary = format!(
            "movie   {frame_count}, {} s at {fps} per second: {from} to {to}, {} times slower than real time\n",
            trimmed_decimal(schedule.count as f64 / f64::from(fps)),
            trimmed_decimal(schedule.slow_down),
        );
        if frames.is_motionless() {
            summary += "        nothing moves in it; --from and --slow choose another part\n";
        } else if schedule.is_truncated {
            summary += "        --frames makes it longer, --from and --slow choose another part\n";
        }
        summary + &format!("wrote   {}\n", self.output.given_path().display())
    }
}
