//! The exact-v_out constraint on resonating bodies, which the study leaves to future work (sec. V).
//!
//! System      a striker of the study's mass strikes a body at rest, with free or oscillating masses mᵢ, at a point where all
//!             have weight 1: x = u − Σqᵢ, m·u″ = −f, mᵢqᵢ″ = f − mᵢωᵢ²qᵢ, f = kx^α(1 + µx′)
//! Constraint  when the contact ends, an impulse J along it, u′ += J/m, qᵢ′ −= J/mᵢ, sets x′ to the v_out of its x′ at first touch
//! Exactness   exact for free bodies: x alone follows the equation of the wall, with the reduced mass, and v_out does not
//!             depend on mass. The springs of an oscillating body also change x′, which v_out neglects
//! Reference   RK4 at 64 times the rate

use super::cases::{PHASES, RATE, case_1, case_2, hard};
use super::schemes::SCHEMES;
use crate::study::impact::integration::integrators::{ForceLaw, HuntCrossley};
use percuss::impact::Impact;
use percuss::{Collision, Mass, Modal, Mode, Model, Scheme};
use std::f64::consts::TAU;

/// Oversampling of the reference.
const OVERSAMPLING: f64 = 64.0;
/// Largest number of samples of a contact, at the study's rate.
const MAX_SAMPLES: usize = 10_000;

/// Masses \[kg\] and frequencies \[Hz\] of a body; 0 Hz is a free mass.
struct ResonantBody {
    name: &'static str,
    parts: &'static [(f64, f64)],
}

const BODIES: [ResonantBody; 3] = [
    ResonantBody { name: "mass of 20 g", parts: &[(0.02, 0.0)] },
    // Frequency ratios of a free bar.
    ResonantBody { name: "bar from 110 Hz", parts: &[(0.1, 110.0), (0.1, 303.2), (0.1, 594.5)] },
    ResonantBody { name: "bar from 440 Hz", parts: &[(0.1, 440.0), (0.1, 1212.9), (0.1, 2378.0)] },
];

/// State after a contact.
#[derive(Clone, Copy)]
struct ReboundState {
    /// Velocity of the striker \[m/s\].
    velocity: f64,
    /// Energy of the body \[J\].
    energy: f64,
}

/// Simulation method.
#[derive(Clone, Copy, PartialEq)]
enum BodyMethod {
    /// Verlet, with or without the constraint.
    Verlet { constrained: bool },
    /// RK4, with or without the constraint.
    Rk4 { constrained: bool },
    /// A scheme of the engine.
    Engine(Scheme),
}

/// Rms errors over contact phases.
pub struct BodyErrors {
    /// The method.
    pub method: String,
    /// Error of the striker's velocity after the contact \[% of v_in\].
    pub velocity: f64,
    /// Error of the energy of the body \[%\].
    pub energy: f64,
}

/// Errors of one impact on one body.
pub struct ResonatorResult {
    /// `case1`, `case2`, `hard`.
    pub case: &'static str,
    /// The body.
    pub body: &'static str,
    /// Contact time of the reference \[samples\].
    pub samples: f64,
    /// One per method.
    pub rows: Vec<BodyErrors>,
}

/// Measures all cases.
pub fn measure() -> Vec<ResonatorResult> {
    let cases = [("case1", case_1()), ("case2", case_2()), ("hard", hard())];
    cases.iter().flat_map(|(case, impact)| BODIES.iter().map(|body| resonator(case, impact, body))).collect()
}

fn resonator(case: &'static str, impact: &Impact, body: &'static ResonantBody) -> ResonatorResult {
    let (reference, samples) = run(BodyMethod::Rk4 { constrained: false }, impact, body, OVERSAMPLING * RATE, 0.0);
    let named = |method: BodyMethod| {
        let (mut velocity, mut energy) = (0.0, 0.0);
        for i in 0..PHASES {
            let phase = (i as f64 + 0.5) / PHASES as f64;
            let (rebound_state, _) = run(method, impact, body, RATE, phase);
            velocity += ((rebound_state.velocity - reference.velocity) / impact.speed()).powi(2);
            energy += (rebound_state.energy / reference.energy - 1.0).powi(2);
        }
        let percent = |squares: f64| 100.0 * (squares / PHASES as f64).sqrt();
        BodyErrors { method: name(method), velocity: percent(velocity), energy: percent(energy) }
    };
    let classical = [false, true].map(|constrained| BodyMethod::Verlet { constrained });
    let finer = [false, true].map(|constrained| BodyMethod::Rk4 { constrained });
    let ours = SCHEMES.map(|(_, scheme)| BodyMethod::Engine(scheme));
    let rows = classical.into_iter().chain(finer).chain(ours).map(named).collect();
    ResonatorResult { case, body: body.name, samples: samples / OVERSAMPLING, rows }
}

fn name(method: BodyMethod) -> String {
    match method {
        BodyMethod::Verlet { constrained } => format!("verlet{}", if constrained { "_exact" } else { "" }),
        BodyMethod::Rk4 { constrained } => format!("rk4{}", if constrained { "_exact" } else { "" }),
        BodyMethod::Engine(scheme) => {
            SCHEMES.iter().find(|(_, other)| *other == scheme).map_or("", |(name, _)| name).to_string()
        }
    }
}

/// Simulates a contact that begins `phase` of a step after a sample; returns the state after it, and its samples.
fn run(method: BodyMethod, impact: &Impact, body: &ResonantBody, rate: f64, phase: f64) -> (ReboundState, f64) {
    let start = -phase * impact.speed() / rate;
    match method {
        BodyMethod::Verlet { constrained } => integrate(impact, body, rate, start, constrained, StrikerAndBody::verlet),
        BodyMethod::Rk4 { constrained } => {
            integrate(impact, body, rate, start, constrained, StrikerAndBody::runge_kutta)
        }
        BodyMethod::Engine(scheme) => (engine(scheme, impact, body, start), 0.0),
    }
}

/// State of striker (first) and parts of the body.
struct StrikerAndBody {
    law: HuntCrossley,
    /// 1/m.
    inverse: Vec<f64>,
    /// ω².
    stiffness: Vec<f64>,
    /// Displacements \[m\].
    u: Vec<f64>,
    /// Velocities \[m/s\].
    v: Vec<f64>,
    /// Accelerations of the last step, which Verlet reuses \[m/s²\].
    a: Vec<f64>,
    h: f64,
}

/// Relative value at the contact: striker minus body.
fn relative(parts: &[f64]) -> f64 {
    parts[0] - parts[1..].iter().sum::<f64>()
}

impl StrikerAndBody {
    fn new(impact: &Impact, body: &ResonantBody, rate: f64, start: f64) -> Self {
        let (mut inverse, mut stiffness) = (vec![1.0 / impact.mass()], vec![0.0]);
        for (mass, frequency) in body.parts {
            inverse.push(1.0 / mass);
            stiffness.push((TAU * frequency).powi(2));
        }
        let (mut u, mut v) = (vec![0.0; inverse.len()], vec![0.0; inverse.len()]);
        (u[0], v[0]) = (start, impact.speed());
        let a = vec![0.0; inverse.len()];
        Self { law: HuntCrossley::from_impact(impact), inverse, stiffness, u, v, a, h: 1.0 / rate }
    }

    fn accelerations(&self, u: &[f64], v: &[f64]) -> Vec<f64> {
        let force = self.law.force(relative(u), relative(v));
        let push = |i: usize| if i == 0 { -force } else { force };
        (0..u.len()).map(|i| push(i) * self.inverse[i] - self.stiffness[i] * u[i]).collect()
    }

    fn verlet(&mut self) {
        let h = self.h;
        for i in 0..self.u.len() {
            self.v[i] += 0.5 * h * self.a[i];
            self.u[i] += h * self.v[i];
        }
        self.a = self.accelerations(&self.u, &self.v);
        for i in 0..self.u.len() {
            self.v[i] += 0.5 * h * self.a[i];
        }
    }

    fn runge_kutta(&mut self) {
        let h = self.h;
        let along = |from: &[f64], slope: &[f64], step: f64| -> Vec<f64> {
            from.iter().zip(slope).map(|(x, s)| x + step * s).collect()
        };
        let (mut u, mut v) = (self.u.clone(), self.v.clone());
        let (mut us, mut vs) = (self.u.clone(), self.v.clone());
        for (step, weight) in [(0.5, 1.0), (0.5, 2.0), (1.0, 2.0), (0.0, 1.0)] {
            let a = self.accelerations(&us, &vs);
            u = along(&u, &vs, h * weight / 6.0);
            v = along(&v, &a, h * weight / 6.0);
            (us, vs) = (along(&self.u, &vs, h * step), along(&self.v, &a, h * step));
        }
        (self.u, self.v) = (u, v);
    }

    /// Sets x′ by an impulse along the contact.
    fn constrain(&mut self, velocity: f64) {
        let impulse = (velocity - relative(&self.v)) / self.inverse.iter().sum::<f64>();
        self.v[0] += impulse * self.inverse[0];
        for i in 1..self.v.len() {
            self.v[i] -= impulse * self.inverse[i];
        }
    }

    fn rebound_state(&self) -> ReboundState {
        let part = |i: usize| 0.5 / self.inverse[i] * (self.v[i].powi(2) + self.stiffness[i] * self.u[i].powi(2));
        ReboundState { velocity: self.v[0], energy: (1..self.u.len()).map(part).sum() }
    }
}

fn integrate(
    impact: &Impact,
    body: &ResonantBody,
    rate: f64,
    start: f64,
    constrained: bool,
    step: fn(&mut StrikerAndBody),
) -> (ReboundState, f64) {
    let mut system = StrikerAndBody::new(impact, body, rate, start);
    let mut touched = 0_u32;
    for _ in 0..MAX_SAMPLES * (rate / RATE) as usize {
        step(&mut system);
        let x = relative(&system.u);
        touched += u32::from(x > 0.0);
        if x <= 0.0 && touched > 0 {
            break;
        }
    }
    if constrained {
        system.constrain(impact.exit_velocity());
    }
    (system.rebound_state(), f64::from(touched))
}

fn engine(scheme: Scheme, impact: &Impact, body: &ResonantBody, start: f64) -> ReboundState {
    let mut model = Model::new();
    model.scheme = scheme;
    let velocity = impact.speed();
    let striker = model.add(Mass { mass: impact.mass(), position: start, velocity, ..Mass::default() });
    let point = match body.parts {
        [(mass, 0.0)] => model.add(Mass { mass: *mass, ..Mass::default() }).point(),
        parts => {
            let modes = parts.iter().map(|&(mass, frequency)| Mode { frequency, decay: f64::INFINITY, mass }).collect();
            model.add(Modal { modes, points: vec![vec![1.0; parts.len()]] }).point_at(0)
        }
    };
    let law = Collision { stiffness: impact.stiffness(), exponent: impact.exponent(), loss: impact.loss(), gap: 0.0 };
    let touch = model.collide(striker.point(), point, law);
    let speed = model.pickup(striker.point(), percuss::Quantity::Velocity);
    let mut simulation = model.compile(RATE).expect("the study's bodies compile");
    simulation.open_ledger();
    let mut touched = false;
    for _ in 0..MAX_SAMPLES {
        simulation.step();
        let force = simulation.force(touch);
        if touched && force == 0.0 {
            break;
        }
        touched |= force != 0.0;
    }
    let energy = simulation.ledger().map_or(f64::NAN, |ledger| ledger.elements[1].stored);
    ReboundState { velocity: simulation.read(speed), energy }
}
