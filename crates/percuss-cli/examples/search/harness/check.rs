//! Runs a scene and checks it after every step.
//!
//! finite         all values of the ledger are finite
//! residual       |H⁺ − H + lost − supplied| over the largest energy stored or lost so far: at most 1e-12 for moderate stiffness,
//!                1e-9 otherwise
//! balance        the same over the magnitudes of stored, dissipated and supplied energy at either end of the step, which is
//!                smaller after a force has brought a mass to rest
//! open energy    energy stored in open one-sided contacts: at most 1e-12 of the scale
//! adhesion       adhesive impulse of one-sided contacts: exactly 0
//! dissipation    the dissipated energy of an interaction never decreases, beyond rounding of the scale
//! touch work     passive touches without mass never supply energy, beyond rounding of the scale
//! restitution    at most 1 + 1e-9 for every impact of an isolated mass
//! panic          no panic; a scene may be rejected with a message
//!
//! Contacts under `plain` pull and store energy while open by design: only finite, residual and balance are checked, to 1e-11
//! for moderate stiffness and 1e-7 otherwise. `newton` does not converge for every stiffness: only panic is checked.

use super::document::SceneDocument;
use super::restitution::RestitutionMonitor;
use super::stiffness_class;
use percuss::{Element, ElementId, Ledger, Model, Scheme, Simulation, Total, TouchLaw};
use percuss_scene::Scene;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Checks, the most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SceneCheck {
    Panic,
    Finite,
    Residual,
    Balance,
    Adhesion,
    OpenEnergy,
    Dissipation,
    TouchWork,
    Restitution,
}

/// All checks, in the order of [`SceneCheck`].
pub const CHECKS: [(SceneCheck, &str); 9] = [
    (SceneCheck::Panic, "panic"),
    (SceneCheck::Finite, "finite"),
    (SceneCheck::Residual, "residual"),
    (SceneCheck::Balance, "balance"),
    (SceneCheck::Adhesion, "adhesion"),
    (SceneCheck::OpenEnergy, "open energy"),
    (SceneCheck::Dissipation, "dissipation"),
    (SceneCheck::TouchWork, "touch work"),
    (SceneCheck::Restitution, "restitution"),
];

/// Longest scene that is run \[samples\].
const MAX_SAMPLES: f64 = 10_000.0;

/// Rounding of the dissipated energy of an interaction, and of the work of touches, over the scale.
const ROUNDING: f64 = 1e-14;

/// Results of a run.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// Whether the scene has moderate stiffness.
    pub moderate: bool,
    /// Contact scheme.
    pub scheme: Scheme,
    /// Largest value of each check, in the order of [`CHECKS`]; infinite after a panic or a value that is not finite.
    pub worst: [f64; CHECKS.len()],
    /// Number of impacts of isolated masses.
    pub impacts: u64,
    /// Number of hits of all interactions.
    pub hits: u64,
    /// Rows of the largest contact block.
    pub largest_block: usize,
    /// Panic message, if any.
    pub panic: Option<String>,
}

/// Outcome of a scene.
#[derive(Clone, Debug)]
pub enum SceneOutcome {
    /// Rejected with a message.
    Rejected(String),
    /// Run to its end, or to a panic.
    Completed(Box<RunResult>),
}

/// A failed check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Violation {
    pub check: SceneCheck,
    pub value: f64,
    pub limit: f64,
}

impl RunResult {
    fn new(scheme: Scheme) -> Self {
        let (worst, panic) = ([0.0; CHECKS.len()], None);
        Self { moderate: true, scheme, worst, impacts: 0, hits: 0, largest_block: 0, panic }
    }

    fn record(&mut self, check: SceneCheck, value: f64) {
        let worst = &mut self.worst[check as usize];
        *worst = if value.is_nan() { f64::INFINITY } else { worst.max(value) };
    }

    /// Limit of a check; `None` if it does not apply.
    pub fn limit(&self, check: SceneCheck) -> Option<f64> {
        let tracked = self.scheme == Scheme::Tracked;
        match check {
            SceneCheck::Panic => Some(0.0),
            _ if self.scheme == Scheme::Newton => None,
            SceneCheck::Finite => Some(0.0),
            SceneCheck::Residual | SceneCheck::Balance if self.moderate => Some(if tracked { 1e-12 } else { 1e-11 }),
            SceneCheck::Residual | SceneCheck::Balance => Some(if tracked { 1e-9 } else { 1e-7 }),
            SceneCheck::Adhesion => tracked.then_some(0.0),
            SceneCheck::OpenEnergy => tracked.then_some(1e-12),
            SceneCheck::Dissipation | SceneCheck::TouchWork => tracked.then_some(ROUNDING),
            SceneCheck::Restitution => tracked.then_some(1e-9),
        }
    }

    /// The violation of a check, if it failed.
    pub fn violation(&self, check: SceneCheck) -> Option<Violation> {
        let (value, limit) = (self.worst[check as usize], self.limit(check)?);
        (value > limit).then_some(Violation { check, value, limit })
    }

    /// All violations, the most severe first. A value that is not finite violates all other checks, and a residual violates the
    /// balance: these are reported once.
    pub fn violations(&self) -> Vec<Violation> {
        let mut all: Vec<Violation> = CHECKS.iter().filter_map(|(check, _)| self.violation(*check)).collect();
        if all.first().is_some_and(|violation| violation.check <= SceneCheck::Finite) {
            all.truncate(1);
        }
        if all.iter().any(|violation| violation.check == SceneCheck::Residual) {
            all.retain(|violation| violation.check != SceneCheck::Balance);
        }
        all
    }
}

/// Parses, compiles and runs a scene; `folder` contains the files that it names.
pub fn run(document: &SceneDocument, folder: &Path) -> SceneOutcome {
    let text = document.to_string();
    let file = folder.join("search.toml");
    let attempt = catch_unwind(AssertUnwindSafe(|| {
        let scene = percuss_scene::parse(&text, &file.to_string_lossy()).map_err(|wrong| wrong[0].to_string())?;
        if scene.duration * scene.sample_rate > MAX_SAMPLES {
            return Err("longer than the search runs".to_owned());
        }
        let simulation = scene.compile(scene.sample_rate).map_err(|wrong| wrong.to_string())?;
        Ok(run_checked(document, &scene, simulation))
    }));
    match attempt {
        Ok(Ok(result)) => SceneOutcome::Completed(Box::new(result)),
        Ok(Err(message)) => SceneOutcome::Rejected(message),
        Err(payload) => {
            let message = payload.downcast_ref::<String>().cloned();
            let message = message.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            let mut result = RunResult::new(Scheme::Tracked);
            result.record(SceneCheck::Panic, f64::INFINITY);
            result.panic = Some(message.unwrap_or_default());
            SceneOutcome::Completed(Box::new(result))
        }
    }
}

fn run_checked(document: &SceneDocument, scene: &Scene, mut simulation: Simulation) -> RunResult {
    let mut result = RunResult::new(scene.model.scheme);
    let mut impacts = RestitutionMonitor::new(document, scene);
    let weights = weights(&scene.model);
    simulation.open_ledger();
    result.largest_block = simulation.contact_blocks().max().unwrap_or(0);
    let mut before = 0.0;
    let mut dissipated = vec![0.0; scene.model.interactions().len()];
    let mut touch_work = touches_only_lose_energy(&scene.model).then_some(0.0);
    let steps = (scene.duration * scene.sample_rate).round() as u64;
    for _ in 0..steps {
        simulation.step();
        let Some(ledger) = simulation.ledger() else { break };
        if !is_finite(ledger) {
            result.record(SceneCheck::Finite, f64::INFINITY);
            break;
        }
        let weight: f64 = weights.iter().map(|&(mass, weight)| weight * simulation.displacement(mass, 0).abs()).sum();
        before = record_balance(&mut result, ledger, weight, before);
        record_contacts(&mut result, ledger, &mut dissipated);
        record_touch_work(&mut result, ledger, &mut touch_work);
        impacts.record_step(&simulation, ledger);
    }
    let pickups = scene.outputs.iter().map(|output| output.pickup).chain(scene.probes.iter().map(|probe| probe.pickup));
    if pickups.into_iter().any(|pickup| !simulation.read(pickup).is_finite()) {
        result.record(SceneCheck::Finite, f64::INFINITY);
    }
    result.record(SceneCheck::Restitution, impacts.worst);
    result.impacts = impacts.count;
    let energy = simulation.ledger().map_or(0.0, |ledger| ledger.total.scale);
    result.moderate = stiffness_class::is_moderate(&scene.model, &simulation, energy);
    result.hits = simulation.ledger().map_or(0, |ledger| ledger.interactions.iter().map(|contact| contact.hits).sum());
    result
}

/// Masses with gravity, and their weights \[N\].
fn weights(model: &Model) -> Vec<(ElementId, f64)> {
    let weight = |(handle, element): (ElementId, &Element)| match element {
        Element::Mass(mass) if mass.gravity != 0.0 => Some((handle, (mass.mass * mass.gravity).abs())),
        _ => None,
    };
    model.element_ids().zip(model.elements()).filter_map(weight).collect()
}

/// Whether no touch of a model may supply energy. A passive touch with mass may, where a force turns a node round in the step in
/// which the mass arrives.
fn touches_only_lose_energy(model: &Model) -> bool {
    model.elements().iter().all(|element| match element {
        Element::Plate(plate) => {
            plate.touches.is_empty()
                || plate.touch_law == TouchLaw::Passive && plate.touches.iter().all(|touch| touch.mass == 0.0)
        }
        _ => true,
    })
}

fn is_finite(ledger: &Ledger) -> bool {
    let total = &ledger.total;
    let sums = [total.stored, total.dissipated, total.supplied, total.touch_work, total.residual, total.scale];
    let contact =
        |contact: &percuss::ContactAccount| (contact.force + contact.impulse + contact.adhesive_impulse).is_finite();
    sums.iter().all(|sum| sum.is_finite()) && ledger.interactions.iter().all(contact)
}

/// `weight` is the magnitude of the gravitational energy \[J\], `before` the scale of the balance one step earlier \[J\]. Returns
/// the scale of this step: a step may end with much less energy than it began with.
fn record_balance(result: &mut RunResult, ledger: &Ledger, weight: f64, before: f64) -> f64 {
    let total = &ledger.total;
    if total.scale <= 0.0 {
        return 0.0;
    }
    result.record(SceneCheck::Residual, total.residual.abs() / total.scale);
    result.record(SceneCheck::OpenEnergy, total.open_energy / total.scale);
    let stored = ledger.elements.iter().map(|account| account.stored.abs()).sum::<f64>()
        + ledger.interactions.iter().map(|account| account.stored.abs()).sum::<f64>();
    let now = stored + total.dissipated.abs() + total.supplied.abs() + total.touch_work.abs() + weight;
    if now.max(before) > 0.0 {
        result.record(SceneCheck::Balance, total.residual.abs() / now.max(before));
    }
    now
}

fn record_contacts(result: &mut RunResult, ledger: &Ledger, dissipated: &mut [f64]) {
    for (account, before) in ledger.interactions.iter().zip(dissipated) {
        result.record(SceneCheck::Adhesion, account.adhesive_impulse);
        if ledger.total.scale > 0.0 {
            result.record(SceneCheck::Dissipation, (*before - account.dissipated) / ledger.total.scale);
        }
        *before = account.dissipated;
    }
}

/// `before` is the work of touches one step earlier; `None` where they may supply energy.
fn record_touch_work(result: &mut RunResult, ledger: &Ledger, before: &mut Option<f64>) {
    let Total { touch_work, scale, .. } = ledger.total;
    if let Some(before) = before {
        if scale > 0.0 {
            result.record(SceneCheck::TouchWork, (touch_work - *before) / scale);
        }
        *before = touch_work;
    }
}
