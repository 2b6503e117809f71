//! The study's measures: how far a simulation strays from the closed forms, in one contact and over many.
//!
//! dev(x) = 100·max|xₙ − x(vₙ)|/x_max (eq. 28), dev(H) = 100·max|H(xₙ,vₙ) − H(vₙ)|/|ΔH_τ| (eq. 27), over samples with x > 0
//! err(v_out) = 100·(v_sim/v_ref − 1)
//! Reference   Papetti, Avanzini and Rocchesso (2010), sec. III-B, IV-B

use super::correct::{ExitVelocity, corrected_contact};
use super::integrate::{Integrator, Method, Motion, until_released};
use percuss::impact::Impact;
use percuss::{Barrier, Collision, Mass, Model, Quantity, Scheme};

/// What simulates the impact.
#[derive(Clone, Debug, PartialEq)]
pub enum Simulator {
    /// One of the classical integrators.
    Classical(Method),
    /// One of them with both corrections: hybrid compression, and the exit velocity forced.
    Corrected(Method, ExitVelocity),
    /// One of this engine's schemes.
    Engine(Scheme),
}

impl Simulator {
    /// The study's four, then ours.
    pub const PLAIN: [Self; 7] = [
        Self::Classical(Method::Am1),
        Self::Classical(Method::Verlet),
        Self::Classical(Method::Heun),
        Self::Classical(Method::Rk4),
        Self::Engine(Scheme::Plain),
        Self::Engine(Scheme::Tracked),
        Self::Engine(Scheme::Newton),
    ];

    /// Short name: `am1`, …, `plain`, `tracked`, `newton`, `corrected`, `hybrid_exact`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Classical(method) => method.name(),
            Self::Corrected(_, ExitVelocity::Exact) => "hybrid_exact",
            Self::Corrected(_, ExitVelocity::Approximate { .. }) => "corrected",
            Self::Engine(Scheme::Plain) => "plain",
            Self::Engine(Scheme::Tracked) => "tracked",
            Self::Engine(Scheme::Newton) => "newton",
        }
    }

    /// The samples of one contact and the first after it; the mass meets the wall `phase` of a step after a sample.
    ///
    /// The velocity of the last sample is the exit velocity. A mass that never leaves has exit velocity 0.
    pub fn contact(&self, impact: &Impact, rate: f64, phase: f64) -> Vec<Motion> {
        let start = Motion { x: -phase * impact.speed() / rate, v: impact.speed(), f: 0.0 };
        match self {
            Self::Classical(method) => {
                let mut integrator = Integrator::of(*method, impact, rate);
                until_released(start, |motion| integrator.advance(motion))
            }
            Self::Corrected(method, exit) => {
                corrected_contact(&mut Integrator::of(*method, impact, rate), impact, start, exit)
            }
            Self::Engine(scheme) => engine_contact(*scheme, impact, rate, start),
        }
    }
}

/// The same impact on the engine: a mass below a barrier, velocities centred on the samples.
fn engine_contact(scheme: Scheme, impact: &Impact, rate: f64, start: Motion) -> Vec<Motion> {
    let mut model = Model::new();
    model.scheme = scheme;
    let mass = model.add(Mass { mass: impact.mass(), position: start.x, velocity: start.v, ..Mass::default() });
    let wall = model.add(Barrier::at(0.0));
    let law = Collision { stiffness: impact.stiffness(), exponent: impact.exponent(), loss: impact.loss(), gap: 0.0 };
    let touch = model.collide(mass.point(), wall.point(), law);
    let place = model.pickup(mass.point(), Quantity::Displacement);
    let speed = model.pickup(mass.point(), Quantity::Velocity);
    let mut simulation = model.compile(rate).expect("an impact within range compiles");
    // The velocity read is that of the last half step; a sample's own is the mean of those around it.
    let mut samples: Vec<Motion> = Vec::new();
    let (mut x, mut before, mut touched) = (start.x, start.v, false);
    for _ in 0..100_000 {
        simulation.step();
        let (next, after, f) = (simulation.read(place), simulation.read(speed), simulation.force(touch));
        touched |= f != 0.0 || x > 0.0;
        if touched {
            samples.push(Motion { x, v: 0.5 * (before + after), f });
        }
        let off = touched && f == 0.0 && x <= 0.0 && next <= 0.0 && after < 0.0;
        if off {
            samples.push(Motion { x: next, v: after, f: 0.0 });
            return samples;
        }
        (x, before) = (next, after);
    }
    samples.push(Motion::default());
    samples
}

/// How far one contact strays from the closed forms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errors {
    /// Largest deviation of the compression, eq. 28 \[% of x_max\].
    pub dev_x: f64,
    /// Largest deviation of the energy, eq. 27 \[% of ΔH_τ\].
    pub dev_h: f64,
    /// Error of the exit velocity against the reference \[%\].
    pub exit: f64,
    /// Samples in contact.
    pub samples: usize,
    /// Velocity after the contact \[m/s\].
    pub exit_velocity: f64,
}

/// Measures one contact against the closed forms.
pub fn errors(impact: &Impact, samples: &[Motion]) -> Errors {
    errors_against(impact, samples, impact.exit_velocity())
}

/// Measures one contact with another reference for the exit velocity and so for ΔH_τ: the study's is ṽ_out of eq. 7.
pub fn errors_against(impact: &Impact, samples: &[Motion], reference: f64) -> Errors {
    let contact = || samples.iter().filter(|motion| motion.x > 0.0);
    // Beyond the ends of the analytical curve there is nothing to compare with but the ends themselves.
    let on_curve = |v: f64| v.clamp(impact.exit_velocity(), impact.speed());
    let strayed_x = contact().map(|motion| (motion.x - impact.compression(on_curve(motion.v))).abs());
    let strayed_h = contact().map(|motion| {
        let elastic = impact.stiffness() / (impact.exponent() + 1.0) * motion.x.powf(impact.exponent() + 1.0);
        (0.5 * impact.mass() * motion.v * motion.v + elastic - impact.energy(on_curve(motion.v))).abs()
    });
    let exit_velocity = samples.last().map_or(0.0, |motion| motion.v);
    // How much less energy is lost if the mass leaves at the reference velocity.
    let shift = 0.5 * impact.mass() * (impact.exit_velocity().powi(2) - reference.powi(2));
    Errors {
        dev_x: 100.0 * strayed_x.fold(0.0, f64::max) / impact.max_compression(),
        dev_h: 100.0 * strayed_h.fold(0.0, f64::max) / (impact.energy_lost() + shift),
        exit: 100.0 * (exit_velocity / reference - 1.0),
        samples: contact().count(),
        exit_velocity,
    }
}

/// Root mean square error of the exit velocity over evenly spread contact phases \[%\].
pub fn random_phase(simulator: &Simulator, impact: &Impact, rate: f64, phases: usize) -> f64 {
    let square = |i: usize| {
        let phase = (i as f64 + 0.5) / phases as f64;
        errors(impact, &simulator.contact(impact, rate, phase)).exit.powi(2)
    };
    ((0..phases).map(square).sum::<f64>() / phases as f64).sqrt()
}
