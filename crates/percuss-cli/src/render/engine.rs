//! The run: step, mix, decimate, spool, and keep the books.

use super::decimate::Decimator;
use super::plan::Plan;
use super::probes::ProbeTable;
use super::progress::Progress;
use super::recorder::Recorder;
use super::spool::{Audio, Spool};
use crate::failure::{Failure, Result};
use crate::film::{Camera, Reel};
use percuss::{Ledger, NewtonEffort, PickupId, Simulation};
use percuss_scene::Scene;
use std::io;
use std::path::Path;

/// Steps between two looks at the clock.
const BLOCK: u64 = 1024;

/// The contact that held most, in the step in which open contacts held most together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpenPeak {
    /// Number of the interaction.
    pub interaction: usize,
    /// What it held \[J\].
    pub joules: f64,
}

/// What a run leaves.
pub struct Outcome {
    /// The sound.
    pub audio: Audio,
    /// The books, closed after the last sample.
    pub ledger: Ledger,
    /// Where open contacts held most energy, if they ever held any.
    pub open_peak: Option<OpenPeak>,
    /// How hard the iterative scheme had to work.
    pub effort: NewtonEffort,
    /// What the pictures need, if there are to be any.
    pub record: Option<Recorder>,
    /// The probe table, if there is to be one.
    pub probes: Option<ProbeTable>,
    /// What was filmed, if there is to be a film.
    pub reel: Option<Reel>,
    /// Simulated over real time.
    pub realtime_factor: f64,
}

/// What is written down during a run, besides the sound.
pub struct Notes {
    /// Whether there are to be pictures.
    pub pictures: bool,
    /// The probe table, if there is to be one.
    pub probes: Option<ProbeTable>,
    /// What films it, if it is to be filmed.
    pub camera: Option<Camera>,
}

/// Runs a scene. The sound is spooled in `folder`.
pub fn run(scene: &Scene, mut sim: Simulation, plan: &Plan, notes: Notes, folder: &Path) -> Result<Outcome> {
    sim.open_ledger();
    let spool_failed = |error: io::Error| Failure::file("cannot spool the sound", folder, &error);
    let record = notes.pictures.then(|| Recorder::new(plan.steps(), sim.time_step(), ledger(&sim)));
    let mut run = Run {
        mixer: Mixer::new(scene, plan.channels),
        decimator: Decimator::new(plan.oversample as usize, plan.channels),
        spool: Spool::new(folder, plan.channels).map_err(spool_failed)?,
        record,
        probes: notes.probes,
        camera: notes.camera,
        sim,
        frames: plan.frames,
        most_open: 0.0,
        open_peak: None,
    };
    run.film().map_err(spool_failed)?;
    let mut progress = Progress::new(plan.seconds());
    while run.sim.steps() < plan.steps() {
        run.block(BLOCK.min(plan.steps() - run.sim.steps()), true).map_err(spool_failed)?;
        run.check()?;
        progress.at(run.sim.steps() as f64 * run.sim.time_step());
    }
    let (ledger, effort) = (ledger(&run.sim).clone(), run.sim.newton_effort());
    // The filter looks ahead by half its length: that stretch is simulated, but neither booked nor heard.
    run.sim.close_ledger();
    while run.spool.frames() < plan.frames {
        run.block(BLOCK, false).map_err(spool_failed)?;
    }
    run.check()?;
    let realtime_factor = plan.seconds() / progress.finish().max(1e-9);
    let audio = run.spool.finish().map_err(spool_failed)?;
    let reel = run.camera.map(Camera::finish).transpose().map_err(spool_failed)?;
    let Run { record, probes, open_peak, .. } = run;
    Ok(Outcome { audio, ledger, open_peak, effort, record, probes, reel, realtime_factor })
}

fn ledger(sim: &Simulation) -> &Ledger {
    sim.ledger().expect("the ledger is open during a run")
}

struct Run {
    sim: Simulation,
    mixer: Mixer,
    decimator: Decimator,
    spool: Spool,
    record: Option<Recorder>,
    probes: Option<ProbeTable>,
    camera: Option<Camera>,
    /// Frames wanted.
    frames: u64,
    /// Most energy held by open contacts so far \[J\].
    most_open: f64,
    open_peak: Option<OpenPeak>,
}

impl Run {
    fn block(&mut self, steps: u64, noted: bool) -> io::Result<()> {
        self.mixer.frames.clear();
        for _ in 0..steps {
            self.sim.step();
            self.mixer.mix(&self.sim);
            if noted {
                self.note()?;
            }
        }
        self.decimator.push(&self.mixer.frames, |frames| self.spool.write(frames, self.frames))
    }

    fn note(&mut self) -> io::Result<()> {
        self.note_open_contacts();
        if let Some(record) = &mut self.record {
            record.observe(self.sim.steps(), ledger(&self.sim));
        }
        self.film()?;
        self.probes.as_mut().map_or(Ok(()), |probes| probes.row(&self.sim))
    }

    fn note_open_contacts(&mut self) {
        let ledger = ledger(&self.sim);
        if ledger.total.open_energy > self.most_open {
            self.most_open = ledger.total.open_energy;
            let held = ledger.interactions.iter().map(|account| account.open_energy).enumerate();
            let most = held.max_by(|a, b| a.1.total_cmp(&b.1));
            self.open_peak = most.map(|(interaction, joules)| OpenPeak { interaction, joules });
        }
    }

    fn film(&mut self) -> io::Result<()> {
        self.camera.as_mut().map_or(Ok(()), |camera| camera.watch(&self.sim))
    }

    /// Stops a run that has left the numbers, instead of writing a file of nothing.
    fn check(&self) -> Result<()> {
        let books_are_finite = self.sim.ledger().is_none_or(|ledger| ledger.total.stored.is_finite());
        if self.spool.is_finite() && books_are_finite {
            return Ok(());
        }
        let time = self.sim.steps() as f64 * self.sim.time_step();
        Err(Failure::hinted(
            format!("the simulation left the range of numbers before {time:.4} s; nothing was written"),
            "look for forces, stiffnesses or gains that are far too large; `percuss check` may tell which",
        ))
    }
}

/// Sums pickups into channels.
struct Mixer {
    /// For each channel, the pickups heard there and their gains.
    channels: Vec<Vec<(PickupId, f64)>>,
    /// Interleaved frames of the present block.
    frames: Vec<f64>,
}

impl Mixer {
    fn new(scene: &Scene, channels: usize) -> Self {
        let heard = |channel: usize| {
            let gains = scene.outputs.iter().map(|output| (output.pickup, scene.channel_gain(output, channel)));
            gains.filter(|&(_, gain)| gain != 0.0).collect()
        };
        Self { channels: (0..channels).map(heard).collect(), frames: Vec::with_capacity(BLOCK as usize * channels) }
    }

    fn mix(&mut self, sim: &Simulation) {
        for pickups in &self.channels {
            self.frames.push(pickups.iter().map(|&(pickup, gain)| gain * sim.read(pickup)).sum());
        }
    }
}
