//! A recipe: a scene, what varies in it, and what is kept of every clip.

mod file;
mod template;

use crate::distribution::{Distribution, Value};
use crate::error::{DataError, Result};
use percuss_scene::{Diagnostic, Scene};
use std::path::Path;
use template::Template;

/// What becomes of a draw that cannot be simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Invalid {
    /// It is drawn again.
    #[default]
    Replace,
    /// The clip is left out.
    Skip,
    /// The set is not made.
    Refuse,
}

/// How shards are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// A table with the audio in a column.
    #[default]
    Parquet,
    /// A tar archive with a few files for every clip.
    WebDataset,
}

/// How audio is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Audio {
    /// 24-bit FLAC, every clip scaled to full scale; the scale is kept.
    #[default]
    Flac,
    /// 32-bit float WAV, in the units of the pickups.
    Wav,
    /// Not at all.
    None,
}

/// What is kept of every clip besides its parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keep {
    /// The sound.
    #[serde(default)]
    pub audio: Audio,
    /// Interactions whose force is kept.
    #[serde(default)]
    pub forces: Vec<String>,
    /// Interactions whose times of impact are kept.
    #[serde(default)]
    pub hits: Vec<String>,
    /// Elements whose partials are kept.
    #[serde(default)]
    pub partials: Vec<String>,
    /// Whether the energy is kept.
    #[serde(default)]
    pub energy: bool,
}

/// A parameter that varies.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// Its place in the scene, as in `plate.thickness`.
    pub path: String,
    /// What it is drawn from.
    pub distribution: Distribution,
}

/// A recipe for a set of clips. Clip i depends on the recipe and on i alone.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Name of the set.
    pub name: String,
    /// Key of all random numbers.
    pub seed: u64,
    /// Number of clips.
    pub clips: u64,
    /// Clips in a shard; the last one may have fewer.
    pub clips_per_shard: u64,
    /// Length of a clip \[s\].
    pub duration: f64,
    /// Sample rate \[Hz\].
    pub rate: u32,
    /// Whether sums have one order on all processors, see [`percuss::Model::portable`].
    pub portable: bool,
    /// What becomes of invalid draws.
    pub invalid: Invalid,
    /// How shards are written.
    pub format: Format,
    /// What is kept.
    pub keep: Keep,
    /// What varies.
    pub variations: Vec<Variation>,
    /// Name of the file of the recipe, as it was given.
    pub file: String,
    /// Text of the recipe.
    pub text: String,
    /// Text of its scene.
    pub scene_text: String,
    template: Template,
}

/// The scene of a clip, and how it came about.
pub struct DrawnScene {
    /// The drawn values, in the order of the variations.
    pub values: Vec<Value>,
    /// Draws before this one that could not be simulated.
    pub rejected: u32,
    /// The scene.
    pub scene: Scene,
    /// The scene at the recipe's rate.
    pub simulation: percuss::Simulation,
}

/// Draws after which a clip is given up.
const MAX_ATTEMPTS: u32 = 1000;

impl Recipe {
    /// Reads a recipe file.
    ///
    /// # Errors
    /// All errors of the recipe, or those of its scene.
    pub fn load(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(DataError::file(path))?;
        Self::parse(&text, &path.display().to_string())
    }

    /// Reads a recipe from text. `file` is its name in messages; its scene is looked for in the folder of `file`.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn parse(text: &str, file: &str) -> Result<Self> {
        let recipe = file::read(text, file)?;
        recipe.check_scene(text, file)?;
        Ok(recipe)
    }

    /// Number of samples of a clip.
    #[must_use]
    pub fn samples(&self) -> usize {
        (self.duration * f64::from(self.rate)).round() as usize
    }

    /// Number of shards.
    #[must_use]
    pub fn shards(&self) -> u64 {
        self.clips.div_ceil(self.clips_per_shard)
    }

    /// Numbers of the clips of a shard.
    #[must_use]
    pub fn clips_of(&self, shard: u64) -> std::ops::Range<u64> {
        let start = (shard * self.clips_per_shard).min(self.clips);
        start..(start + self.clips_per_shard).min(self.clips)
    }

    /// The values of a draw.
    #[must_use]
    pub fn values(&self, clip: u64, attempt: u32) -> Vec<Value> {
        let draw = |(index, variation): (usize, &Variation)| {
            variation.distribution.draw([clip as u32, (clip >> 32) as u32, attempt, index as u32], self.seed)
        };
        self.variations.iter().enumerate().map(draw).collect()
    }

    /// The text of the scene with these values.
    #[must_use]
    pub fn scene_with(&self, values: &[Value]) -> String {
        self.template.fill(values)
    }

    fn build(&self, values: &[Value]) -> std::result::Result<(Scene, percuss::Simulation), Box<Diagnostic>> {
        let first = |mut diagnostics: Vec<Diagnostic>| Box::new(diagnostics.swap_remove(0));
        let mut scene = percuss_scene::parse(&self.scene_with(values), &self.template.file).map_err(first)?;
        scene.model.portable |= self.portable;
        let simulation = scene.compile(f64::from(self.rate))?;
        Ok((scene, simulation))
    }

    /// The scene of a clip; `None` if it is left out.
    ///
    /// # Errors
    /// Draws that cannot be simulated, if the recipe refuses them or if there are too many.
    pub fn draw(&self, clip: u64) -> Result<Option<DrawnScene>> {
        for attempt in 0..MAX_ATTEMPTS {
            let values = self.values(clip, attempt);
            match (self.build(&values), self.invalid) {
                (Ok((scene, simulation)), _) => {
                    return Ok(Some(DrawnScene { values, rejected: attempt, scene, simulation }));
                }
                (Err(_), Invalid::Skip) => return Ok(None),
                (Err(_), Invalid::Replace) if attempt + 1 < MAX_ATTEMPTS => {}
                (Err(diagnostic), _) => return Err(DataError::InvalidClip { clip, attempts: attempt + 1, diagnostic }),
            }
        }
        unreachable!("the last attempt returns")
    }
}
