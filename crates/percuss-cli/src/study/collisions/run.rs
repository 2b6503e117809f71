//! One system under one scheme.

use super::RATE;
use super::psi_drift::{Drift, Watch};
use super::systems::System;
use percuss::*;

/// What is told apart.
pub const SCHEMES: [(Scheme, &str); 3] =
    [(Scheme::Plain, "plain"), (Scheme::Tracked, "tracked"), (Scheme::Newton, "newton")];

/// A run at 44.1 kHz, with its books.
pub struct Run {
    /// Its scheme.
    pub scheme: &'static str,
    /// What moved.
    pub track: Track,
    /// The account of the whole.
    pub total: Total,
    /// Accounts of the contacts that were watched.
    pub contacts: Vec<ContactAccount>,
    /// How far ψ strayed; nothing where there is no ψ.
    pub drift: Option<Drift>,
    /// Newton steps.
    pub effort: NewtonEffort,
    /// ψ − ψ(½(η⁺ + η)) of the contact shown, over the largest ψ, after every step.
    pub strayed: Vec<f64>,
    /// Stored, dissipated and supplied after every step \[J\].
    pub energy: Vec<[f64; 3]>,
    /// Residual of every step over the energy.
    pub residual: Vec<f64>,
}

/// What moved.
pub struct Track {
    /// Displacement after every step of 44.1 kHz \[m\].
    pub motion: Vec<f64>,
    /// Force in the contact shown, in every step taken \[N\].
    pub force: Vec<f64>,
    /// Steps in one of 44.1 kHz.
    pub oversampling: usize,
}

impl Track {
    /// Follows a system without its books.
    pub fn new(system: &System, scheme: Scheme, oversampling: usize) -> Self {
        let mut model = system.model.clone();
        model.scheme = scheme;
        let ear = model.pickup(system.ear.0, Quantity::Displacement);
        let mut simulation =
            model.compile(RATE * oversampling as f64).expect("grids of 44.1 kHz are stable at higher rates");
        let samples = (system.compared * RATE).round() as usize;
        let (mut motion, mut force) = (Vec::with_capacity(samples), Vec::with_capacity(samples * oversampling));
        for _ in 0..samples {
            for _ in 0..oversampling {
                simulation.step();
                force.push(simulation.force(system.contacts[0]));
            }
            motion.push(simulation.read(ear));
        }
        Self { motion, force, oversampling }
    }

    /// Root mean square of the difference to a reference, over that of the reference.
    pub fn error(&self, reference: &Self) -> f64 {
        let square = |sum: f64, x: f64| sum + x * x;
        let pairs = self.motion.iter().zip(&reference.motion);
        let off = pairs.map(|(own, other)| own - other).fold(0.0, square);
        (off / reference.motion.iter().copied().fold(0.0, square)).sqrt()
    }

    /// With which impulse the bodies pushed each other in the first so many seconds \[N·s\].
    pub fn impulse(&self, seconds: f64) -> f64 {
        let rate = RATE * self.oversampling as f64;
        let pushes = self.force.iter().take((seconds * rate).round() as usize).filter(|force| **force > 0.0);
        pushes.sum::<f64>() / rate
    }
}

impl Run {
    /// Follows a system with its books open.
    pub fn new(system: &System, (scheme, name): (Scheme, &'static str)) -> Self {
        let mut model = system.model.clone();
        model.scheme = scheme;
        let ear = model.pickup(system.ear.0, Quantity::Displacement);
        let mut watches: Vec<_> = system.contacts.iter().map(|&contact| Watch::new(&mut model, contact)).collect();
        let mut simulation = model.compile(RATE).expect("the study's systems are sound");
        watches.iter_mut().for_each(|watch| watch.start(&simulation));
        simulation.open_ledger();
        let mut run = Self::empty(name);
        for _ in 0..(system.seconds * RATE).round() as usize {
            simulation.step();
            run.note(&simulation);
            run.track.motion.push(simulation.read(ear));
            run.track.force.push(simulation.force(system.contacts[0]));
            let strayed = watches.iter_mut().map(|watch| watch.note(&simulation)).collect::<Vec<_>>();
            run.strayed.push(strayed[0]);
        }
        let largest = watches[0].largest().max(f64::MIN_POSITIVE);
        run.strayed.iter_mut().for_each(|strayed| *strayed /= largest);
        if scheme != Scheme::Newton {
            run.drift = watches.iter().map(Watch::drift).reduce(Drift::worse);
        }
        run.effort = simulation.newton_effort();
        let ledger = simulation.ledger().expect("open");
        run.contacts = system.contacts.iter().map(|contact| ledger.interactions[contact.index()]).collect();
        run
    }

    fn empty(scheme: &'static str) -> Self {
        Self {
            scheme,
            track: Track { motion: Vec::new(), force: Vec::new(), oversampling: 1 },
            total: Total::default(),
            contacts: Vec::new(),
            drift: None,
            effort: NewtonEffort::default(),
            strayed: Vec::new(),
            energy: Vec::new(),
            residual: Vec::new(),
        }
    }

    fn note(&mut self, simulation: &Simulation) {
        self.total = simulation.ledger().expect("open").total;
        let Total { stored, dissipated, supplied, residual, scale, .. } = self.total;
        self.energy.push([stored, dissipated, supplied]);
        self.residual.push(if scale > 0.0 { residual.abs() / scale } else { 0.0 });
    }

    /// The adhesive share of the impulse, of the contact where it is largest.
    pub fn adhesive_share(&self) -> f64 {
        self.contacts.iter().map(ContactAccount::adhesive_share).fold(0.0, f64::max)
    }

    /// Newton steps per sample.
    pub fn steps_per_sample(&self) -> f64 {
        self.effort.steps as f64 / self.track.motion.len() as f64
    }
}
