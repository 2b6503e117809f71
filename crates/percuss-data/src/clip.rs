//! A clip: the sound of one draw, and its labels.

use crate::distribution::Value;
use crate::error::{DataError, Result};
use crate::recipe::{Audio, DrawnScene, Keep, Recipe};
use percuss::{InteractionId, Simulation};
use percuss_scene::{ChannelMixer, Diagnostic, Scene};

/// Samples between two values of the stored energy.
pub const ENERGY_INTERVAL: usize = 64;

/// The force of an interaction, from its first sample that is not 0 to its last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForceCurve {
    /// Sample of the clip at which it starts.
    pub start: usize,
    /// Force \[N\].
    pub values: Vec<f32>,
}

/// Energy of a clip \[J\].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Energy {
    /// At the start.
    pub initial: f64,
    /// Work done from outside, touches included.
    pub supplied: f64,
    /// Dissipated by the end.
    pub dissipated: f64,
    /// Stored after every 64th sample.
    pub stored: Vec<f64>,
}

/// A clip with its labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// Number of the clip.
    pub index: u64,
    /// Draws before this one that could not be simulated.
    pub rejected: u32,
    /// The drawn values, in the order of the variations.
    pub values: Vec<Value>,
    /// Number of channels.
    pub channels: usize,
    /// Interleaved samples in the units of the pickups; empty if audio is not kept.
    pub samples: Vec<f64>,
    /// Of the interactions whose force is kept.
    pub forces: Vec<ForceCurve>,
    /// Times at which the forces of interactions began to act \[s\].
    pub hits: Vec<Vec<f64>>,
    /// Partials of elements \[Hz\]; empty where they are not known in closed form.
    pub partials: Vec<Vec<f64>>,
    /// Energy, if it is kept.
    pub energy: Option<Energy>,
}

/// Renders a clip; `None` if it is left out.
///
/// # Errors
/// See [`Recipe::draw`].
pub fn render(recipe: &Recipe, clip: u64) -> Result<Option<Clip>> {
    let Some(DrawnScene { values, rejected, scene, mut simulation }) = recipe.draw(clip)? else { return Ok(None) };
    let keep = &recipe.keep;
    let channels = if keep.audio == Audio::None { 0 } else { scene.channels() };
    let mut recorder = Recorder::new(&scene, keep, channels, recipe.samples());
    let partials = partials(&scene, keep, &simulation);
    recorder.run(&mut simulation, recipe.samples());
    if !recorder.samples.iter().all(|sample| sample.is_finite()) {
        let (message, hint) = ("the sound is not finite".to_owned(), "narrow the distributions".to_owned());
        let diagnostic = Diagnostic::error_at(&scene.name, "", None, message, hint);
        return Err(DataError::InvalidClip { clip, attempts: rejected + 1, diagnostic: Box::new(diagnostic) });
    }
    let energy = keep.energy.then(|| recorder.energy(&simulation));
    let forces = recorder.forces.into_iter().map(ForceRecorder::finish).collect();
    let (samples, hits) = (recorder.samples, recorder.hits.into_iter().map(|recorder| recorder.times).collect());
    Ok(Some(Clip { index: clip, rejected, values, channels, samples, forces, hits, partials, energy }))
}

fn partials(scene: &Scene, keep: &Keep, simulation: &Simulation) -> Vec<Vec<f64>> {
    let of = |name: &String| {
        let index = scene.element_names.iter().position(|own| own == name)?;
        simulation.partials(scene.model.element_ids().nth(index)?)
    };
    keep.partials.iter().map(|name| of(name).unwrap_or_default()).collect()
}

/// The interactions with these names.
fn interactions<'a>(scene: &'a Scene, names: &'a [String]) -> impl Iterator<Item = InteractionId> + 'a {
    names.iter().filter_map(|name| {
        let index = scene.interaction_names.iter().position(|own| own == name)?;
        scene.model.interaction_ids().nth(index)
    })
}

struct ForceRecorder {
    interaction: InteractionId,
    start: usize,
    values: Vec<f32>,
    /// Length of `values` up to the last that is not 0.
    end: usize,
}

impl ForceRecorder {
    fn observe(&mut self, force: f64, sample: usize) {
        if force != 0.0 && self.values.is_empty() {
            self.start = sample;
        }
        if force != 0.0 || !self.values.is_empty() {
            self.values.push(force as f32);
        }
        if force != 0.0 {
            self.end = self.values.len();
        }
    }

    fn finish(mut self) -> ForceCurve {
        self.values.truncate(self.end);
        ForceCurve { start: self.start, values: self.values }
    }
}

struct HitRecorder {
    interaction: InteractionId,
    times: Vec<f64>,
    is_closed: bool,
}

/// What is read after every sample.
struct Recorder {
    mixer: ChannelMixer,
    samples: Vec<f64>,
    forces: Vec<ForceRecorder>,
    hits: Vec<HitRecorder>,
    /// Stored energy, if it is kept.
    stored: Option<Vec<f64>>,
}

impl Recorder {
    fn new(scene: &Scene, keep: &Keep, channels: usize, samples: usize) -> Self {
        let force = |interaction| ForceRecorder { interaction, start: 0, values: Vec::new(), end: 0 };
        let hit = |interaction| HitRecorder { interaction, times: Vec::new(), is_closed: false };
        Self {
            mixer: ChannelMixer::new(scene, channels),
            samples: Vec::with_capacity(samples * channels),
            forces: interactions(scene, &keep.forces).map(force).collect(),
            hits: interactions(scene, &keep.hits).map(hit).collect(),
            stored: keep.energy.then(Vec::new),
        }
    }

    fn run(&mut self, simulation: &mut Simulation, samples: usize) {
        if self.stored.is_some() {
            simulation.open_ledger();
        }
        for sample in 0..samples {
            simulation.step();
            self.samples.extend(self.mixer.frame(simulation));
            for recorder in &mut self.forces {
                recorder.observe(simulation.force(recorder.interaction), sample);
            }
            for recorder in &mut self.hits {
                let is_closed = simulation.force(recorder.interaction) != 0.0;
                if is_closed && !recorder.is_closed {
                    recorder.times.push(sample as f64 * simulation.time_step());
                }
                recorder.is_closed = is_closed;
            }
            if let (Some(stored), 0) = (&mut self.stored, (sample + 1) % ENERGY_INTERVAL) {
                stored.extend(simulation.ledger().map(|ledger| ledger.total.stored));
            }
        }
    }

    fn energy(&mut self, simulation: &Simulation) -> Energy {
        let total = simulation.ledger().map(|ledger| ledger.total).unwrap_or_default();
        Energy {
            initial: total.initial,
            supplied: total.supplied + total.touch_work,
            dissipated: total.dissipated,
            stored: self.stored.take().unwrap_or_default(),
        }
    }
}
