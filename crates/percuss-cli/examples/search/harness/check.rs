//! Runs a scene and checks it after every step.
//!
//! finite         everything in the ledger is a finite number
//! residual       |H⁺ − H + lost − supplied| against the most energy the scene has held or lost so far: at most 1e-12 where the
//!                scene is of moderate stiffness, 1e-9 anywhere
//! balance        the same against what is stored, dissipated and supplied at either end of the step, in magnitudes: a mass that a force
//!                brings to rest has given back what it held
//! open energy    energy held by one-sided contacts that are open: at most 1e-12 of the scale
//! adhesion       impulse with which one-sided contacts pulled: exactly 0
//! dissipation    no interaction gives back what it has dissipated, beyond rounding of the scale
//! restitution    at most 1 + 1e-9 for every impact of a lone mass
//! panic          nothing panics; a scene may be refused with a message
//!
//! `plain` pulls and holds energy by design: only finite, residual and balance are asked of it, to 1e-11 in the moderate range and 1e-7 beyond. `newton` iterates, and does not
//! come to an end with every stiffness: nothing is asked of it but that it does not panic.

use super::class;
use super::document::Document;
use super::impact::Impacts;
use percuss::{Element, ElementId, Ledger, Model, Scheme, Simulation};
use percuss_scene::Scene;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// What is checked, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    Panic,
    Finite,
    Residual,
    Balance,
    Adhesion,
    OpenEnergy,
    Dissipation,
    Restitution,
}

/// All checks, in the order of [`Check`].
pub const CHECKS: [(Check, &str); 8] = [
    (Check::Panic, "panic"),
    (Check::Finite, "finite"),
    (Check::Residual, "residual"),
    (Check::Balance, "balance"),
    (Check::Adhesion, "adhesion"),
    (Check::OpenEnergy, "open energy"),
    (Check::Dissipation, "dissipation"),
    (Check::Restitution, "restitution"),
];

/// Longest scene that is run \[samples\].
const LONGEST: f64 = 10_000.0;

/// Rounding of what an interaction has dissipated, as a share of the scale.
const ROUNDING: f64 = 1e-14;

/// What a run of a scene showed.
#[derive(Clone, Debug)]
pub struct Figures {
    /// Whether its stiffness is moderate.
    pub moderate: bool,
    /// How its contacts were solved.
    pub scheme: Scheme,
    /// The worst of each check, in the order of [`CHECKS`]; infinite for what panicked or was not finite.
    pub worst: [f64; CHECKS.len()],
    /// Impacts of lone masses.
    pub impacts: u64,
    /// Times that a force set in.
    pub hits: u64,
    /// Rows of the largest block of coupled contacts.
    pub largest_block: usize,
    /// What it said, if it panicked.
    pub panic: Option<String>,
}

/// What became of a scene.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Refused with a message.
    Refused(String),
    /// Run.
    Ran(Box<Figures>),
}

/// A check that failed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    pub check: Check,
    pub figure: f64,
    pub limit: f64,
}

impl Figures {
    fn new(scheme: Scheme) -> Self {
        let (worst, panic) = ([0.0; CHECKS.len()], None);
        Self { moderate: true, scheme, worst, impacts: 0, hits: 0, largest_block: 0, panic }
    }

    fn note(&mut self, check: Check, figure: f64) {
        let worst = &mut self.worst[check as usize];
        *worst = if figure.is_nan() { f64::INFINITY } else { worst.max(figure) };
    }

    /// What a check may come to; nothing where it is not asked.
    pub fn limit(&self, check: Check) -> Option<f64> {
        let tracked = self.scheme == Scheme::Tracked;
        match check {
            Check::Panic => Some(0.0),
            _ if self.scheme == Scheme::Newton => None,
            Check::Finite => Some(0.0),
            Check::Residual | Check::Balance if self.moderate => Some(if tracked { 1e-12 } else { 1e-11 }),
            Check::Residual | Check::Balance => Some(if tracked { 1e-9 } else { 1e-7 }),
            Check::Adhesion => tracked.then_some(0.0),
            Check::OpenEnergy => tracked.then_some(1e-12),
            Check::Dissipation => tracked.then_some(ROUNDING),
            Check::Restitution => tracked.then_some(1e-9),
        }
    }

    /// A check, if it failed.
    pub fn finding(&self, check: Check) -> Option<Finding> {
        let (figure, limit) = (self.worst[check as usize], self.limit(check)?);
        (figure > limit).then_some(Finding { check, figure, limit })
    }

    /// Everything that failed, the gravest first. What is not finite fails everything else too, and what fails the residual
    /// fails the balance: that is told once.
    pub fn findings(&self) -> Vec<Finding> {
        let mut all: Vec<Finding> = CHECKS.iter().filter_map(|(check, _)| self.finding(*check)).collect();
        if all.first().is_some_and(|finding| finding.check <= Check::Finite) {
            all.truncate(1);
        }
        if all.iter().any(|finding| finding.check == Check::Residual) {
            all.retain(|finding| finding.check != Check::Balance);
        }
        all
    }
}

/// Reads, compiles and runs a scene; `folder` holds the files it names.
pub fn run(document: &Document, folder: &Path) -> Outcome {
    let text = document.to_string();
    let file = folder.join("search.toml");
    let attempt = catch_unwind(AssertUnwindSafe(|| {
        let scene = percuss_scene::parse(&text, &file.to_string_lossy()).map_err(|wrong| wrong[0].to_string())?;
        if scene.duration * scene.sample_rate > LONGEST {
            return Err("longer than is searched".to_owned());
        }
        let simulation = scene.compile(scene.sample_rate).map_err(|wrong| wrong.to_string())?;
        Ok(watch(document, &scene, simulation))
    }));
    match attempt {
        Ok(Ok(figures)) => Outcome::Ran(Box::new(figures)),
        Ok(Err(message)) => Outcome::Refused(message),
        Err(payload) => {
            let said = payload.downcast_ref::<String>().cloned();
            let said = said.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            let mut figures = Figures::new(Scheme::Tracked);
            figures.note(Check::Panic, f64::INFINITY);
            figures.panic = Some(said.unwrap_or_default());
            Outcome::Ran(Box::new(figures))
        }
    }
}

fn watch(document: &Document, scene: &Scene, mut simulation: Simulation) -> Figures {
    let mut figures = Figures::new(scene.model.scheme);
    let mut impacts = Impacts::new(document, scene);
    let weights = weights(&scene.model);
    simulation.open_ledger();
    figures.largest_block = simulation.contact_blocks().max().unwrap_or(0);
    let mut before = 0.0;
    let mut dissipated = vec![0.0; scene.model.interactions().len()];
    let steps = (scene.duration * scene.sample_rate).round() as u64;
    for _ in 0..steps {
        simulation.step();
        let Some(ledger) = simulation.ledger() else { break };
        if !is_finite(ledger) {
            figures.note(Check::Finite, f64::INFINITY);
            break;
        }
        let weight: f64 = weights.iter().map(|&(mass, weight)| weight * simulation.displacement(mass, 0).abs()).sum();
        before = note_balance(&mut figures, ledger, weight, before);
        note_contacts(&mut figures, ledger, &mut dissipated);
        impacts.look(&simulation, ledger);
    }
    let heard = scene.outputs.iter().map(|output| output.pickup).chain(scene.probes.iter().map(|probe| probe.pickup));
    if heard.into_iter().any(|pickup| !simulation.read(pickup).is_finite()) {
        figures.note(Check::Finite, f64::INFINITY);
    }
    figures.note(Check::Restitution, impacts.worst);
    figures.impacts = impacts.count;
    let energy = simulation.ledger().map_or(0.0, |ledger| ledger.total.scale);
    figures.moderate = class::is_moderate(&scene.model, &simulation, energy);
    figures.hits = simulation.ledger().map_or(0, |ledger| ledger.interactions.iter().map(|contact| contact.hits).sum());
    figures
}

/// Masses that have a weight \[N\].
fn weights(model: &Model) -> Vec<(ElementId, f64)> {
    let weight = |(handle, element): (ElementId, &Element)| match element {
        Element::Mass(mass) if mass.gravity != 0.0 => Some((handle, (mass.mass * mass.gravity).abs())),
        _ => None,
    };
    model.element_ids().zip(model.elements()).filter_map(weight).collect()
}

fn is_finite(ledger: &Ledger) -> bool {
    let total = &ledger.total;
    let sums = [total.stored, total.dissipated, total.supplied, total.touch_work, total.residual, total.scale];
    let contact =
        |contact: &percuss::ContactAccount| (contact.force + contact.impulse + contact.adhesive_impulse).is_finite();
    sums.iter().all(|sum| sum.is_finite()) && ledger.interactions.iter().all(contact)
}

/// `weight`: magnitude of the potential energy of weights \[J\]. `before`: what the balance was judged against one step ago, which
/// is returned for this one: a step that ends with next to no energy may have begun with more.
fn note_balance(figures: &mut Figures, ledger: &Ledger, weight: f64, before: f64) -> f64 {
    let total = &ledger.total;
    if total.scale <= 0.0 {
        return 0.0;
    }
    figures.note(Check::Residual, total.residual.abs() / total.scale);
    figures.note(Check::OpenEnergy, total.open_energy / total.scale);
    let stored = ledger.elements.iter().map(|account| account.stored.abs()).sum::<f64>()
        + ledger.interactions.iter().map(|account| account.stored.abs()).sum::<f64>();
    let now = stored + total.dissipated.abs() + total.supplied.abs() + total.touch_work.abs() + weight;
    if now.max(before) > 0.0 {
        figures.note(Check::Balance, total.residual.abs() / now.max(before));
    }
    now
}

fn note_contacts(figures: &mut Figures, ledger: &Ledger, dissipated: &mut [f64]) {
    for (account, before) in ledger.interactions.iter().zip(dissipated) {
        figures.note(Check::Adhesion, account.adhesive_impulse);
        if ledger.total.scale > 0.0 {
            figures.note(Check::Dissipation, (*before - account.dissipated) / ledger.total.scale);
        }
        *before = account.dissipated;
    }
}
