//! Error measures of the study: deviations of a simulation from the closed forms.
//!
//! dev(x) = 100·max|xₙ − x(vₙ)|/x_max (eq. 28), dev(H) = 100·max|H(xₙ,vₙ) − H(vₙ)|/|ΔH_τ| (eq. 27), over samples with x > 0
//! err(v_out) = 100·(v_sim/v_ref − 1)
//! Reference   Papetti, Avanzini and Rocchesso (2010), sec. III-B, IV-B

use super::corrections::{ExitVelocity, corrected_contact};
use super::integrators::{Integrator, Method, Motion, integrate_until_release};
use percuss::impact::Impact;
use percuss::{Barrier, Collision, Mass, Model, Quantity, Scheme};

/// Method that simulates the impact.
#[derive(Clone, Debug, PartialEq)]
pub enum Simulator {
    /// A classical integrator.
    Classical(Method),
    /// A classical integrator with both corrections: hybrid compression, and prescribed exit velocity.
    Corrected(Method, ExitVelocity),
    /// A scheme of percuss.
    Engine(Scheme),
}

impl Simulator {
    /// The four integrators of the study, then the schemes of percuss.
    pub const UNCORRECTED: [Self; 7] = [
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

    /// The samples of one contact and the first after it; the mass touches the wall `phase` of a step after a sample.
    ///
    /// The velocity of the last sample is the exit velocity. A mass that never leaves has exit velocity 0.
    pub fn contact(&self, impact: &Impact, rate: f64, phase: f64) -> Vec<Motion> {
        let start = Motion { x: -phase * impact.speed() / rate, v: impact.speed(), f: 0.0 };
        match self {
            Self::Classical(method) => {
                let mut integrator = Integrator::for_impact(*method, impact, rate);
                integrate_until_release(start, |motion| integrator.advance(motion))
            }
            Self::Corrected(method, exit) => {
                corrected_contact(&mut Integrator::for_impact(*method, impact, rate), impact, start, exit)
            }
            Self::Engine(scheme) => engine_contact(*scheme, impact, rate, start),
        }
    }
}

/// The impact in the engine: a mass below a barrier, with velocities centred on the samples.
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
    // A pickup reads the velocity of the last half step; that at a sample is the mean of two.
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

/// Deviations of one contact from the closed forms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactErrors {
    /// Largest deviation of the compression, eq. 28 \[% of x_max\].
    pub max_compression_deviation: f64,
    /// Largest deviation of the energy, eq. 27 \[% of ΔH_τ\].
    pub max_energy_deviation: f64,
    /// Error of the exit velocity relative to the reference \[%\].
    pub exit_error: f64,
    /// Samples in contact.
    pub samples: usize,
    /// Velocity after the contact \[m/s\].
    pub exit_velocity: f64,
}

/// Deviations of one contact from the closed forms.
pub fn contact_errors(impact: &Impact, samples: &[Motion]) -> ContactErrors {
    contact_errors_against(impact, samples, impact.exit_velocity())
}

/// The same with another reference for the exit velocity and thus for ΔH_τ, such as ṽ_out of eq. 7.
pub fn contact_errors_against(impact: &Impact, samples: &[Motion], reference: f64) -> ContactErrors {
    let contact = || samples.iter().filter(|motion| motion.x > 0.0);
    // Velocities beyond the ends of the analytical curve are compared with its ends.
    let on_curve = |v: f64| v.clamp(impact.exit_velocity(), impact.speed());
    let deviations_x = contact().map(|motion| (motion.x - impact.compression(on_curve(motion.v))).abs());
    let deviations_h = contact().map(|motion| {
        let elastic = impact.stiffness() / (impact.exponent() + 1.0) * motion.x.powf(impact.exponent() + 1.0);
        (0.5 * impact.mass() * motion.v * motion.v + elastic - impact.energy(on_curve(motion.v))).abs()
    });
    let exit_velocity = samples.last().map_or(0.0, |motion| motion.v);
    // Difference in energy lost if the mass leaves at the reference velocity.
    let shift = 0.5 * impact.mass() * (impact.exit_velocity().powi(2) - reference.powi(2));
    ContactErrors {
        max_compression_deviation: 100.0 * deviations_x.fold(0.0, f64::max) / impact.max_compression(),
        max_energy_deviation: 100.0 * deviations_h.fold(0.0, f64::max) / (impact.dissipated_energy() + shift),
        exit_error: 100.0 * (exit_velocity / reference - 1.0),
        samples: contact().count(),
        exit_velocity,
    }
}

/// Root mean square error of the exit velocity over evenly spread contact phases \[%\].
pub fn random_phase_error(simulator: &Simulator, impact: &Impact, rate: f64, phases: usize) -> f64 {
    let square = |i: usize| {
        let phase = (i as f64 + 0.5) / phases as f64;
        contact_errors(impact, &simulator.contact(impact, rate, phase)).exit_error.powi(2)
    };
    ((0..phases).map(square).sum::<f64>() / phases as f64).sqrt()
}
