//! The figures of a run, for programs: `--report`.

use super::engine::Outcome;
use super::plan::Plan;
use super::verdict::Limits;
use super::warnings::{mean_contact, shortest_contact};
use super::wav::Written;
use crate::failure::Result;
use crate::output::Target;
use percuss::{Account, ContactAccount, Element, Grid, Mass, Model, Scheme, Simulation, Total};
use percuss_scene::Scene;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// The figures of a run. Energies in J, forces in N, impulses in N·s, lengths in m, rates in Hz.
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

/// How an element is divided up.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub enum GridReport {
    /// A string or bar.
    Line { intervals: usize, spacing: f64, least_spacing: f64 },
    /// A plate or membrane; its true size may differ a little from the one asked for.
    Plate { intervals: [usize; 2], spacing: f64, least_spacing: f64, size: [f64; 2] },
    /// Anything else.
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
    max_residual_relative: f64,
    open_energy: f64,
    worst_open_relative: f64,
    limits: Limits,
}

#[derive(Serialize)]
struct ElementReport {
    id: String,
    kind: &'static str,
    stored: f64,
    dissipated: f64,
    supplied: f64,
    touch_work: f64,
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
}

#[derive(Serialize)]
struct NewtonReport {
    mean_steps: f64,
    most_steps: u32,
    unsettled: u64,
}

#[derive(Serialize)]
struct OutputReport {
    file: String,
    channels: usize,
    bits: u16,
    frames: u64,
    peak: f64,
    gain_db: f64,
}

impl Report {
    /// Gathers the figures.
    pub fn new(
        scene: &Scene,
        grids: &[GridReport],
        plan: &Plan,
        outcome: &Outcome,
        written: &Written,
        wav: &Target,
    ) -> Self {
        let total = &outcome.ledger.total;
        let elements = scene.element_names.iter().zip(scene.model.elements()).zip(&outcome.ledger.elements);
        let contacts = scene.interaction_names.iter().zip(scene.model.interactions()).zip(&outcome.ledger.interactions);
        Self {
            scene: scene.name.clone(),
            scheme: scheme_name(scene.model.scheme),
            sample_rate: plan.rate,
            physics_rate: plan.physics_rate(),
            oversample: plan.oversample,
            steps: plan.steps(),
            grid: scene.element_names.iter().cloned().zip(grids.iter().copied()).collect(),
            energy: EnergyReport::new(total),
            elements: elements.map(|((id, element), account)| ElementReport::new(id, element, account)).collect(),
            contacts: contacts.map(|((id, it), account)| ContactReport::new(id, it.law.kind(), account)).collect(),
            newton: NewtonReport {
                mean_steps: outcome.effort.mean_steps(),
                most_steps: outcome.effort.most_steps,
                unsettled: outcome.effort.unsettled,
            },
            output: OutputReport::new(plan, outcome, written, wav),
            realtime_factor: outcome.realtime_factor,
        }
    }

    /// Writes the figures.
    pub fn write(&self, target: &Target) -> Result<()> {
        target.write(|file| {
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
            max_residual_relative: total.worst_relative,
            open_energy: total.open_energy,
            worst_open_relative: total.worst_open_relative,
            limits: Limits::ALL,
        }
    }
}

impl ElementReport {
    fn new(id: &str, element: &Element, account: &Account) -> Self {
        Self {
            id: id.into(),
            kind: element.kind(),
            stored: account.stored,
            dissipated: account.dissipated,
            supplied: account.supplied,
            touch_work: account.touch_work,
            received: account.received,
            worst_residual: account.worst_residual,
        }
    }
}

impl ContactReport {
    fn new(id: &str, kind: &'static str, account: &ContactAccount) -> Self {
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
        }
    }
}

impl OutputReport {
    fn new(plan: &Plan, outcome: &Outcome, written: &Written, wav: &Target) -> Self {
        Self {
            file: wav.shown.display().to_string(),
            channels: plan.channels,
            bits: plan.bits.count(),
            frames: plan.frames,
            peak: outcome.audio.peak,
            gain_db: written.gain_db(),
        }
    }
}

/// The name of a scheme, as typed.
pub fn scheme_name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Plain => "plain",
        Scheme::Tracked => "tracked",
        Scheme::Newton => "newton",
    }
}

/// How every element is divided up, in the model's order.
pub fn grids(scene: &Scene, sim: &Simulation) -> Vec<GridReport> {
    // Handles are only given out by a model, numbered in the order of adding.
    let mut numbered = Model::new();
    let handles = scene.model.elements().iter().map(|_| numbered.add(Mass::default()));
    let of = |handle| {
        if let Some(Grid { intervals, spacing, least_spacing }) = sim.grid(handle) {
            GridReport::Line { intervals, spacing, least_spacing }
        } else if let Some(grid) = sim.plate_grid(handle) {
            let (intervals, size) = (grid.intervals, grid.size);
            GridReport::Plate { intervals, spacing: grid.spacing, least_spacing: grid.least_spacing, size }
        } else {
            GridReport::Nodes { nodes: sim.displacements(handle).len() }
        }
    };
    handles.map(of).collect()
}
