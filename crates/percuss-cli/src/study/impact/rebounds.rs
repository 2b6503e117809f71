//! Table III: what errors add up to over a sequence of rebounds.
//!
//! Protocol    every contact starts at x = 0 with the speed the one before ended with; gravity acts in flight only and
//!             changes nothing. The largest deviation includes the release: |H_sim − H_τ|/|ΔH_τ| with the exact H_τ
//! Heun        the printed figures follow, to the last digit, if a rebound starts with the *predicted* velocity ṽ of the
//!             step that released the mass, while the energy left is that of the corrected velocity

use super::cases::{FINER, RATE, REBOUNDS, simulators};
use crate::study::impact::integration::integrate::{Method, Motion};
use crate::study::impact::integration::measures::{Simulator, errors};
use percuss::impact::Impact;

/// Which velocity starts the next contact.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HandedOn {
    /// The one after the contact.
    Own,
    /// Heun's predicted one.
    Predicted,
}

/// What a sequence came to.
pub struct Sequence {
    /// What simulated it.
    pub method: &'static str,
    /// Error of the energy left \[%\], with its sign.
    pub accumulated: f64,
    /// Largest deviation of the energy in contact \[% of ΔH_τ\].
    pub in_contact: f64,
    /// Largest deviation of the energy at a release \[% of ΔH_τ\].
    pub at_release: f64,
}

impl Sequence {
    /// `max %dev` of the table. A corrected simulation lies on the curve, and its release is what ṽ_out is judged by.
    pub fn max_dev_h(&self) -> f64 {
        let corrected = matches!(self.method, "corrected" | "hybrid_exact");
        if corrected { self.in_contact } else { self.in_contact.max(self.at_release) }
    }
}

/// A table of sequences.
pub struct Sequences {
    /// The first impact.
    pub impact: Impact,
    /// One per method.
    pub rows: Vec<Sequence>,
    /// Heun handing on its own velocity.
    pub heun_own: Sequence,
    /// RK4 at 16 times the rate: the study's reference.
    pub finer: Sequence,
}

/// Runs the sequence with every method.
pub fn measure(impact: Impact) -> Sequences {
    let row = |simulator: Simulator| {
        let heun = simulator == Simulator::Classical(Method::Heun);
        run(&simulator, &impact, RATE, if heun { HandedOn::Predicted } else { HandedOn::Own })
    };
    Sequences {
        impact,
        rows: simulators().into_iter().map(row).collect(),
        heun_own: run(&Simulator::Classical(Method::Heun), &impact, RATE, HandedOn::Own),
        finer: run(&Simulator::Classical(Method::Rk4), &impact, FINER * RATE, HandedOn::Own),
    }
}

fn run(simulator: &Simulator, impact: &Impact, rate: f64, handed_on: HandedOn) -> Sequence {
    let (mut simulated, mut exact) = (*impact, *impact);
    let mut result = Sequence { method: simulator.name(), accumulated: -100.0, in_contact: 0.0, at_release: 0.0 };
    for rebound in 1..=REBOUNDS {
        let samples = simulator.contact(&simulated, rate, 0.0);
        let found = errors(&simulated, &samples);
        let energy = |v: f64| 0.5 * impact.mass() * v * v;
        let release = energy(found.exit_velocity) - energy(simulated.exit_velocity());
        result.in_contact = result.in_contact.max(found.dev_h);
        result.at_release = result.at_release.max(100.0 * release.abs() / simulated.energy_lost());
        exact = exact.at_speed(-exact.exit_velocity());
        let next = match handed_on {
            HandedOn::Own => found.exit_velocity,
            HandedOn::Predicted => predicted(&simulated, &samples, rate),
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
