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
    let forces = recorder.of_contacts(&keep.forces, |contact| contact.force.clone());
    let hits = recorder.of_contacts(&keep.hits, |contact| contact.hits.clone());
    let samples = recorder.samples;
    Ok(Some(Clip { index: clip, rejected, values, channels, samples, forces, hits, partials, energy }))
}

fn partials(scene: &Scene, keep: &Keep, simulation: &Simulation) -> Vec<Vec<f64>> {
    let of = |name: &String| {
        let index = scene.element_names.iter().position(|own| own == name)?;
        simulation.partials(scene.model.element_ids().nth(index)?)
    };
    keep.partials.iter().map(|name| of(name).unwrap_or_default()).collect()
}

/// What is kept of the force of an interaction.
struct ContactRecorder<'a> {
    name: &'a str,
    interaction: InteractionId,
    keeps_force: bool,
    force: ForceCurve,
    hits: Vec<f64>,
    is_closed: bool,
}

impl ContactRecorder<'_> {
    fn observe(&mut self, force: f64, sample: usize, time_step: f64) {
        let is_closed = force != 0.0;
        if is_closed && !self.is_closed {
            self.hits.push(sample as f64 * time_step);
        }
        self.is_closed = is_closed;
        if !(is_closed && self.keeps_force) {
            return;
        }
        if self.force.values.is_empty() {
            self.force.start = sample;
        }
        // Zeros since the last value that is not.
        self.force.values.resize(sample - self.force.start, 0.0);
        self.force.values.push(force as f32);
    }
}

/// What is read after every sample.
struct Recorder<'a> {
    mixer: ChannelMixer,
    samples: Vec<f64>,
    /// The interactions whose forces or hits are kept, each once: reading a force takes time.
    contacts: Vec<ContactRecorder<'a>>,
    /// Stored energy, if it is kept.
    stored: Option<Vec<f64>>,
}

impl<'a> Recorder<'a> {
    fn new(scene: &'a Scene, keep: &Keep, channels: usize, samples: usize) -> Self {
        let contact = |(name, interaction): (&'a String, InteractionId)| {
            let keeps_force = keep.forces.contains(name);
            let is_kept = keeps_force || keep.hits.contains(name);
            is_kept.then(|| ContactRecorder {
                name,
                interaction,
                keeps_force,
                force: ForceCurve::default(),
                hits: Vec::new(),
                is_closed: false,
            })
        };
        Self {
            mixer: ChannelMixer::new(scene, channels),
            samples: Vec::with_capacity(samples * channels),
            contacts: scene.interaction_names.iter().zip(scene.model.interaction_ids()).filter_map(contact).collect(),
            stored: keep.energy.then(Vec::new),
        }
    }

    fn run(&mut self, simulation: &mut Simulation, samples: usize) {
        if self.stored.is_some() {
            simulation.open_ledger();
        }
        let time_step = simulation.time_step();
        for sample in 0..samples {
            simulation.step();
            self.samples.extend(self.mixer.frame(simulation));
            for contact in &mut self.contacts {
                contact.observe(simulation.force(contact.interaction), sample, time_step);
            }
            if let (Some(stored), 0) = (&mut self.stored, (sample + 1) % ENERGY_INTERVAL) {
                stored.extend(simulation.ledger().map(|ledger| ledger.total.stored));
            }
        }
    }

    /// What the contacts with these names kept, in the order of the names.
    fn of_contacts<T>(&self, names: &[String], kept: impl Fn(&ContactRecorder<'_>) -> T) -> Vec<T> {
        names.iter().filter_map(|name| self.contacts.iter().find(|contact| contact.name == name).map(&kept)).collect()
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
