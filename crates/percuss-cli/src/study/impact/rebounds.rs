//! Table III: accumulated errors over a sequence of rebounds.
//!
//! Protocol    every contact starts at x = 0 with the exit speed of the contact before; gravity acts in flight only and
//!             does not change the speed. The largest deviation includes the release: |H_sim − H_τ|/|ΔH_τ| with the exact H_τ
//! Heun        the printed values are reproduced to the last digit if a rebound starts with the *predicted* velocity ṽ of
//!             the step that released the mass, while the remaining energy is that of the corrected velocity

use super::cases::{OVERSAMPLING, RATE, REBOUNDS, simulators};
use crate::study::impact::integration::error_measures::{Simulator, contact_errors};
use crate::study::impact::integration::integrators::{Method, Motion};
use percuss::impact::Impact;

/// Velocity at which the next contact starts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NextVelocity {
    /// Exit velocity of the contact.
    Exit,
    /// Heun's predicted velocity.
    Predicted,
}

/// Errors of one method over all rebounds.
pub struct ReboundErrors {
    /// Method.
    pub method: &'static str,
    /// Error of the remaining energy, with its sign \[%\].
    pub accumulated: f64,
    /// Largest deviation of the energy in contact \[% of ΔH_τ\].
    pub in_contact: f64,
    /// Largest deviation of the energy at a release \[% of ΔH_τ\].
    pub at_release: f64,
}

impl ReboundErrors {
    /// `max %dev` of the table. It excludes the release of corrected simulations, whose exit velocity is prescribed.
    pub fn largest_energy_deviation(&self) -> f64 {
        let corrected = matches!(self.method, "corrected" | "hybrid_exact");
        if corrected { self.in_contact } else { self.in_contact.max(self.at_release) }
    }
}

/// Errors of all methods.
pub struct ReboundTable {
    /// First impact.
    pub impact: Impact,
    /// One per method.
    pub rows: Vec<ReboundErrors>,
    /// Heun with rebounds that start with the exit velocity.
    pub heun_exit_velocity: ReboundErrors,
    /// RK4 at 16 times the rate, the study's reference.
    pub oversampled_rk4: ReboundErrors,
}

/// Simulates the rebounds with every method.
pub fn measure(impact: Impact) -> ReboundTable {
    let row = |simulator: Simulator| {
        let heun = simulator == Simulator::Classical(Method::Heun);
        run(&simulator, &impact, RATE, if heun { NextVelocity::Predicted } else { NextVelocity::Exit })
    };
    ReboundTable {
        impact,
        rows: simulators().into_iter().map(row).collect(),
        heun_exit_velocity: run(&Simulator::Classical(Method::Heun), &impact, RATE, NextVelocity::Exit),
        oversampled_rk4: run(&Simulator::Classical(Method::Rk4), &impact, OVERSAMPLING * RATE, NextVelocity::Exit),
    }
}

fn run(simulator: &Simulator, impact: &Impact, rate: f64, next_velocity: NextVelocity) -> ReboundErrors {
    let (mut simulated, mut exact) = (*impact, *impact);
    let mut result = ReboundErrors { method: simulator.name(), accumulated: -100.0, in_contact: 0.0, at_release: 0.0 };
    for rebound in 1..=REBOUNDS {
        let samples = simulator.contact(&simulated, rate, 0.0);
        let found = contact_errors(&simulated, &samples);
        let energy = |v: f64| 0.5 * impact.mass() * v * v;
        let release = energy(found.exit_velocity) - energy(simulated.exit_velocity());
        result.in_contact = result.in_contact.max(found.max_energy_deviation);
        result.at_release = result.at_release.max(100.0 * release.abs() / simulated.dissipated_energy());
        exact = exact.at_speed(-exact.exit_velocity());
        let next = match next_velocity {
            NextVelocity::Exit => found.exit_velocity,
            NextVelocity::Predicted => predicted(&simulated, &samples, rate),
        };
        if next >= 0.0 {
            return result;
        }
        if rebound == REBOUNDS {
            result.accumulated = 100.0 * ((found.exit_velocity / exact.speed()).powi(2) - 1.0);
        }
        simulated = simulated.at_speed(-next);
    }
    result
}

/// ṽ = v − h f/m of the step that released the mass, eq. 25.
fn predicted(impact: &Impact, samples: &[Motion], rate: f64) -> f64 {
    let before = match samples {
        [.., before, _] => *before,
        _ => Motion { x: 0.0, v: impact.speed(), f: 0.0 },
    };
    before.v - before.f / (rate * impact.mass())
}
