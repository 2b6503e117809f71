//! Films of strings and plates: what moves is spooled during the run, drawn and written after it.
//!
//! The pictures are drawn when the largest displacement is known, so that colours and axes mean the same throughout.
//! Memory does not grow with the length.

mod cast;
mod colours;
mod line;
mod output;
mod picture;
mod reel;
mod shots;
mod studio;
mod surface;
mod touch;

pub use reel::{Camera, Reel};

use crate::args::MovieArgs;
use crate::failure::{Failure, Result};
use crate::format::{plural, si, trimmed};
use crate::output::Target;
use crate::render::plan::Plan;
use cast::Actor;
use output::Output;
use percuss::Simulation;
use percuss_scene::Scene;
use picture::Picture;
use shots::Shots;
use std::path::Path;

/// A film to be made, and where it goes.
pub struct Film {
    shots: Shots,
    output: Output,
}

impl Film {
    /// Checks that the film can be made, before the run.
    pub fn new(args: &MovieArgs, path: &Path, plan: &Plan) -> Result<Self> {
        let shots = Shots::new(args, plan)?;
        let output = Output::new(path, shots.count)?;
        Ok(Self { shots, output })
    }

    /// The files.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        self.output.targets()
    }

    /// What watches the run.
    pub fn camera(&self, scene: &Scene, sim: &Simulation) -> Result<Camera> {
        let cast = Actor::all(scene, sim);
        if cast.is_empty() {
            return Err(Failure::hinted(
                format!("{}: the scene has no string, bar, plate or membrane to film", self.output.shown().display()),
                "add a [[string]] or a [[plate]] to the scene, or leave out --movie",
            ));
        }
        let folder = self.output.folder();
        Camera::new(cast, self.shots, folder).map_err(|error| Failure::file("cannot spool the film", folder, &error))
    }

    /// Draws and writes the film.
    pub fn write(&self, scene: &Scene, reel: &Reel) -> Result<()> {
        let picture = Picture::new(&scene.name, reel);
        self.output.write(&picture, reel)
    }

    /// What was written, in words.
    pub fn summary(&self, reel: &Reel) -> String {
        let shots = &self.shots;
        let (pictures, fps) = (plural(shots.count, "picture"), shots.fps);
        let (from, to) = (si(shots.time(0), "s"), si(shots.time(shots.count - 1), "s"));
        let mut words = format!(
            "film    {pictures}, {} s at {fps} per second: {from} to {to}, {} times slower than real\n",
            trimmed(shots.count as f64 / f64::from(fps)),
            trimmed(shots.slow),
        );
        if reel.is_still() {
            words += "        nothing moves in it; --from and --slow choose another part\n";
        } else if shots.is_cut {
            words += "        --frames makes it longer, --from and --slow choose another part\n";
        }
        words + &format!("wrote   {}\n", self.output.shown().display())
    }
}
