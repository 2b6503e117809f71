//! Simulation of one system under one scheme.

use super::RATE;
use super::psi_drift::{PsiDrift, PsiDriftMonitor};
use super::systems::System;
use percuss::*;

/// Schemes and their names.
pub const SCHEMES: [(Scheme, &str); 3] =
    [(Scheme::Plain, "plain"), (Scheme::Tracked, "tracked"), (Scheme::Newton, "newton")];

/// A run at 44.1 kHz with the ledger open.
pub struct SchemeRun {
    /// Name of the scheme.
    pub scheme: &'static str,
    /// Displacement and force.
    pub trajectory: Trajectory,
    /// Totals of the ledger.
    pub total: Total,
    /// Ledger accounts of the contacts.
    pub contacts: Vec<ContactAccount>,
    /// Drift of ψ; `None` under newton, which has no ψ.
    pub drift: Option<PsiDrift>,
    /// Iteration counts of newton.
    pub newton_effort: NewtonEffort,
    /// ψ − ψ(½(η⁺ + η)) of the first contact over the largest ψ, after every step.
    pub psi_error: Vec<f64>,
    /// Stored, dissipated and supplied energy after every step \[J\].
    pub energy: Vec<[f64; 3]>,
    /// Residual of every step over the energy.
    pub residual: Vec<f64>,
}

/// Displacement and contact force over time.
pub struct Trajectory {
    /// Displacement after every step of 44.1 kHz \[m\].
    pub displacement: Vec<f64>,
    /// Force of the first contact in every step, oversampled ones included \[N\].
    pub force: Vec<f64>,
    /// Steps per step of 44.1 kHz.
    pub oversampling: usize,
}

impl Trajectory {
    /// Simulates a system with the ledger closed.
    pub fn new(system: &System, scheme: Scheme, oversampling: usize) -> Self {
        let mut model = system.model.clone();
        model.scheme = scheme;
        let output = model.pickup(system.output.0, Quantity::Displacement);
        let mut simulation =
            model.compile(RATE * oversampling as f64).expect("grids of 44.1 kHz are stable at higher rates");
        let samples = (system.compared_seconds * RATE).round() as usize;
        let (mut displacement, mut force) = (Vec::with_capacity(samples), Vec::with_capacity(samples * oversampling));
        for _ in 0..samples {
            for _ in 0..oversampling {
                simulation.step();
                force.push(simulation.force(system.contacts[0]));
            }
            displacement.push(simulation.read(output));
        }
        Self { displacement, force, oversampling }
    }

    /// Root mean square of the difference from a reference, over that of the reference.
    pub fn relative_error(&self, reference: &Self) -> f64 {
        let square = |sum: f64, x: f64| sum + x * x;
        let pairs = self.displacement.iter().zip(&reference.displacement);
        let difference = pairs.map(|(own, other)| own - other).fold(0.0, square);
        (difference / reference.displacement.iter().copied().fold(0.0, square)).sqrt()
    }

    /// Repulsive impulse of the contact in the first `seconds` seconds \[N·s\].
    pub fn impulse(&self, seconds: f64) -> f64 {
        let rate = RATE * self.oversampling as f64;
        let pushes = self.force.iter().take((seconds * rate).round() as usize).filter(|force| **force > 0.0);
        pushes.sum::<f64>() / rate
    }
}

impl SchemeRun {
    /// Simulates a system with the ledger open.
    pub fn new(system: &System, (scheme, name): (Scheme, &'static str)) -> Self {
        let mut model = system.model.clone();
        model.scheme = scheme;
        let output = model.pickup(system.output.0, Quantity::Displacement);
        let mut monitors: Vec<_> =
            system.contacts.iter().map(|&contact| PsiDriftMonitor::new(&mut model, contact)).collect();
        let mut simulation = model.compile(RATE).expect("the study's systems compile");
        monitors.iter_mut().for_each(|monitor| monitor.record_start(&simulation));
        simulation.open_ledger();
        let mut run = Self::empty(name);
        for _ in 0..(system.seconds * RATE).round() as usize {
            simulation.step();
            run.record_step(&simulation);
            run.trajectory.displacement.push(simulation.read(output));
            run.trajectory.force.push(simulation.force(system.contacts[0]));
            let psi_error = monitors.iter_mut().map(|monitor| monitor.record_step(&simulation)).collect::<Vec<_>>();
            run.psi_error.push(psi_error[0]);
        }
        let largest = monitors[0].max_psi().max(f64::MIN_POSITIVE);
        run.psi_error.iter_mut().for_each(|psi_error| *psi_error /= largest);
        if scheme != Scheme::Newton {
            run.drift = monitors.iter().map(PsiDriftMonitor::drift).reduce(PsiDrift::max);
        }
        run.newton_effort = simulation.newton_effort();
        let ledger = simulation.ledger().expect("open");
        run.contacts = system.contacts.iter().map(|contact| ledger.interactions[contact.index()]).collect();
        run
    }

    fn empty(scheme: &'static str) -> Self {
        Self {
            scheme,
            trajectory: Trajectory { displacement: Vec::new(), force: Vec::new(), oversampling: 1 },
            total: Total::default(),
            contacts: Vec::new(),
            drift: None,
            newton_effort: NewtonEffort::default(),
            psi_error: Vec::new(),
            energy: Vec::new(),
            residual: Vec::new(),
        }
    }

    fn record_step(&mut self, simulation: &Simulation) {
        self.total = simulation.ledger().expect("open").total;
        let Total { stored, dissipated, supplied, residual, scale, .. } = self.total;
        self.energy.push([stored, dissipated, supplied]);
        self.residual.push(if scale > 0.0 { residual.abs() / scale } else { 0.0 });
    }

    /// Largest adhesive share of the impulse of any contact.
    pub fn adhesive_share(&self) -> f64 {
        self.contacts.iter().map(ContactAccount::adhesive_share).fold(0.0, f64::max)
    }

    /// Newton iterations per sample.
    pub fn iterations_per_sample(&self) -> f64 {
        self.newton_effort.steps as f64 / self.trajectory.displacement.len() as f64
    }
}
