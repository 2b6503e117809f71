//! Report of a run as JSON: `--report`.

use super::dc_block;
use super::energy_limits::EnergyLimits;
use super::level::LevelStats;
use super::render_loop::Ending;
use super::render_loop::RenderedScene;
use super::settings::RenderSettings;
use super::short_contacts::{mean_contact, shortest_contact};
use crate::error::Result;
use crate::output::OutputFile;
use percuss::{Account, ContactAccount, Grid, Scheme, Simulation, Total};
use percuss_scene::Scene;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// Results of a run. Energies in J, forces in N, impulses in N·s, lengths in m, rates in Hz.
#[derive(Serialize)]
pub struct Report {
    scene: String,
    scheme: &'static str,
    sample_rate: f64,
    physics_rate: f64,
    oversample: u32,
    steps: u64,
    grid: BTreeMap<String, GridReport>,
    energy: EnergyReport,
    elements: Vec<ElementReport>,
    contacts: Vec<ContactReport>,
    newton: NewtonReport,
    output: OutputReport,
    realtime_factor: f64,
}

/// Grid of an element.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub enum GridReport {
    /// A string or bar in its modes.
    Modes { modes: usize },
    /// A string or bar on its grid.
    Line { intervals: usize, spacing: f64, least_spacing: f64 },
    /// A plate or membrane; its actual size may differ slightly from the size in the scene.
    Plate { intervals: [usize; 2], spacing: f64, least_spacing: f64, size: [f64; 2] },
    /// Masses, modal elements and barriers.
    Nodes { nodes: usize },
}

#[derive(Serialize)]
struct EnergyReport {
    initial: f64,
    #[serde(rename = "final")]
    end: f64,
    dissipated: f64,
    supplied: f64,
    touch_work: f64,
    touch_stored: f64,
    touch_dissipated: f64,
    max_residual_relative: f64,
    open_energy: f64,
    worst_open_relative: f64,
    limits: EnergyLimits,
}

#[derive(Serialize)]
struct ElementReport {
    id: String,
    kind: &'static str,
    stored: f64,
    dissipated: f64,
    supplied: f64,
    touch_work: f64,
    touch_stored: f64,
    touch_dissipated: f64,
    received: f64,
    worst_residual: f64,
}

#[derive(Serialize)]
struct ContactReport {
    id: String,
    kind: &'static str,
    hits: u64,
    impulse: f64,
    adhesive_impulse: f64,
    adhesive_share: f64,
    peak_force: f64,
    dissipated: f64,
    supplied: f64,
    worst_residual: f64,
    open_energy: f64,
    mean_contact_steps: f64,
    shortest_contact_steps: f64,
    /// Of a plate that is stretched by bending.
    #[serde(skip_serializing_if = "Option::is_none")]
    drift: Option<f64>,
}

#[derive(Serialize)]
struct NewtonReport {
    mean_iterations: f64,
    max_iterations: u32,
    unconverged: u64,
}

#[derive(Serialize)]
struct OutputReport {
    file: String,
    channels: usize,
    bits: u16,
    frames: u64,
    peak: f64,
    gain_db: f64,
    loudness_lufs: Option<f64>,
    true_peak_dbtp: Option<f64>,
    clipped: u64,
    share_near_nyquist: f64,
    dc_block_hz: Option<f64>,
    ending: &'static str,
    fade_s: Option<f64>,
}

/// Measurements of the sound.
#[derive(Clone, Copy, Debug)]
pub struct SoundStats {
    /// Gain and level.
    pub level: LevelStats,
    /// Share of the energy near the Nyquist frequency.
    pub near_nyquist: f64,
    /// Number of samples that were clipped.
    pub clipped: u64,
}

impl Report {
    /// Collects the results.
    pub fn new(
        scene: &Scene,
        grids: &[GridReport],
        settings: &RenderSettings,
        rendered: &RenderedScene,
        sound: &SoundStats,
        file: &OutputFile,
    ) -> Self {
        let total = &rendered.ledger.total;
        let elements = scene.element_names.iter().zip(&rendered.ledger.elements).enumerate();
        let contacts =
            scene.interaction_names.iter().zip(scene.model.interactions()).zip(&rendered.ledger.interactions);
        let contacts = contacts.zip(&rendered.drifts);
        Self {
            scene: scene.name.clone(),
            scheme: scheme_name(scene.model.scheme),
            sample_rate: settings.rate,
            physics_rate: settings.physics_rate(),
            oversample: settings.oversample,
            steps: rendered.steps,
            grid: scene.element_names.iter().cloned().zip(grids.iter().copied()).collect(),
            energy: EnergyReport::new(total),
            elements: elements
                .map(|(index, (id, account))| ElementReport::new(id, scene.element_kind(index), account))
                .collect(),
            contacts: contacts
                .map(|(((id, it), account), drift)| ContactReport::new(id, it.law.kind(), account, *drift))
                .collect(),
            newton: NewtonReport {
                mean_iterations: rendered.newton_effort.mean_steps(),
                max_iterations: rendered.newton_effort.max_steps,
                unconverged: rendered.newton_effort.unconverged,
            },
            output: OutputReport::new(settings, rendered, sound, file),
            realtime_factor: rendered.realtime_factor,
        }
    }

    /// Writes the report.
    pub fn write(&self, output: &OutputFile) -> Result<()> {
        output.write(|file| {
            serde_json::to_writer_pretty(&mut *file, self)?;
            file.write_all(b"\n")
        })
    }
}

impl EnergyReport {
    fn new(total: &Total) -> Self {
        Self {
            initial: total.initial,
            end: total.stored,
            dissipated: total.dissipated,
            supplied: total.supplied,
            touch_work: total.touch_work,
            touch_stored: total.touch_stored,
            touch_dissipated: total.touch_dissipated,
            max_residual_relative: total.worst_relative,
            open_energy: total.open_energy,
            worst_open_relative: total.worst_open_relative,
            limits: EnergyLimits::DEFAULT,
        }
    }
}

impl ElementReport {
    fn new(id: &str, kind: &'static str, account: &Account) -> Self {
        Self {
            id: id.into(),
            kind,
            stored: account.stored,
            dissipated: account.dissipated,
            supplied: account.supplied,
            touch_work: account.touch_work,
            touch_stored: account.touch_stored,
            touch_dissipated: account.touch_dissipated,
            received: account.received,
            worst_residual: account.worst_residual,
        }
    }
}

impl ContactReport {
    fn new(id: &str, kind: &'static str, account: &ContactAccount, drift: Option<f64>) -> Self {
        Self {
            id: id.into(),
            kind,
            hits: account.hits,
            impulse: account.impulse,
            adhesive_impulse: account.adhesive_impulse,
            adhesive_share: account.adhesive_share(),
            peak_force: account.peak_force,
            dissipated: account.dissipated,
            supplied: account.supplied,
            worst_residual: account.worst_residual,
            open_energy: account.open_energy,
            mean_contact_steps: mean_contact(account),
            shortest_contact_steps: shortest_contact(account).unwrap_or(0.0),
            drift,
        }
    }
}

impl OutputReport {
    fn new(settings: &RenderSettings, rendered: &RenderedScene, sound: &SoundStats, file: &OutputFile) -> Self {
        Self {
            file: file.given_path.display().to_string(),
            channels: settings.channels,
            bits: settings.bit_depth.bits(),
            frames: rendered.audio.frames,
            peak: rendered.audio.peak,
            gain_db: sound.level.gain_db(),
            loudness_lufs: sound.level.loudness,
            true_peak_dbtp: sound.level.true_peak,
            clipped: sound.clipped,
            share_near_nyquist: sound.near_nyquist,
            dc_block_hz: settings.dc_block.then_some(dc_block::CORNER),
            ending: match rendered.ending {
                Ending::Quiet => "quiet",
                Ending::Faded => "faded",
                Ending::Cut => "cut",
            },
            fade_s: (rendered.ending == Ending::Faded).then_some(settings.fade),
        }
    }
}

/// Name of a scheme on the command line.
pub fn scheme_name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Plain => "plain",
        Scheme::Tracked => "tracked",
        Scheme::Newton => "newton",
    }
}

/// Grids of all elements, in the order of the model.
pub fn grids(scene: &Scene, sim: &Simulation) -> Vec<GridReport> {
    let grid = |id| {
        if let Some(modes) = sim.mode_count(id) {
            GridReport::Modes { modes }
        } else if let Some(Grid { intervals, spacing, least_spacing, .. }) = sim.grid(id) {
            GridReport::Line { intervals, spacing, least_spacing }
        } else if let Some(grid) = sim.plate_grid(id) {
            let (intervals, size) = (grid.intervals, grid.size);
            GridReport::Plate { intervals, spacing: grid.spacing, least_spacing: grid.least_spacing, size }
        } else {
            GridReport::Nodes { nodes: sim.displacements(id).len() }
        }
    };
    scene.model.element_ids().map(grid).collect()
}
