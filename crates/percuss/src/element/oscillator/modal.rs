//! A resonator given by its modes, each with exact pitch and decay.
//!
//! Equation    m q̈ = −mΩ²q − 2mς q̇ + F
//! Update      an `oscillator` whose roots are e^{(−σ ± jω_d)k}: ςk = tanh(σk), Ω²k² = 2 − 2e^{−σk}cos(ω_d k)(1 + ςk)
//! Stability   Ω²k² ≤ 2 + 2/cosh(σk) < 4 for ω_d k < π, checked here
//! Energy      H = ½m(δt−q)² + ½mΩ²q q⁻,   Q = 2mς(δt·q)²
//! Symbols     m modal mass \[kg\], σ = ln(1000)/T₆₀ \[1/s\], ω_d damped angular frequency \[1/s\], k time step \[s\]
//! Contacts    act between samples, where the increment of a mode is sin(ωk/2)/(ωk/2) times its velocity times the step; the weights
//!             of interactions compensate for that
//! Allocates   only in `build`, `attach` and `operators`
//! Reference   Bilbao (2009), Numerical Sound Synthesis, sec. 3.3.4 (exact scheme), with loss as above

use crate::element::balance::ElementEnergy;
use crate::element::body::{Attachment, Body, Describe, Placement, Site, UsedPlace, WeightedNodes};
use crate::element::operators::Operators;
use crate::element::oscillator::bank::Oscillator;
use crate::element::oscillator::group::OscillatorGroup;
use crate::element::place_user::PlaceUser;
use crate::element::state::State;
use crate::error::{Check, CompileError};
use crate::model::{Modal, Mode, Place};
use std::f64::consts::TAU;
use std::ops::Range;

/// A modal resonator in the bank.
#[derive(Clone, Debug)]
pub(crate) struct ModalResonator {
    oscillators: OscillatorGroup,
    /// For each point, the gain of every mode there.
    points: Vec<Vec<f64>>,
    /// ω_d of every mode \[1/s\].
    omegas: Vec<f64>,
    /// Of every mode, 1 over sin(ωk/2)/(ωk/2).
    contact_gains: Vec<f64>,
}

impl Describe for Modal {
    type Body = ModalResonator;

    fn placement(&self, _k: f64, _used_places: &[UsedPlace]) -> Placement {
        Placement::Bank
    }

    fn build(&self, site: &mut Site<'_>) -> Result<ModalResonator, CompileError> {
        let (check, k, modes) = (site.check, site.k, self.modes.len() as f64);
        check.require(modes > 0.0, "modes", modes, "at least one")?;
        for gains in &self.points {
            let count = gains.len() as f64;
            check.require(count == modes, "points", count, "one gain per mode")?;
            gains.iter().try_for_each(|&gain| check.finite("points", gain))?;
        }
        let mut oscillators = OscillatorGroup::new(site);
        for mode in &self.modes {
            oscillators.push(oscillator(mode, check, k)?, site);
        }
        let contact_gains = self.modes.iter().map(|mode| half_step_gain(TAU * mode.frequency, k).recip()).collect();
        let omegas = self.modes.iter().map(|mode| TAU * mode.frequency).collect();
        Ok(ModalResonator { oscillators, points: self.points.clone(), omegas, contact_gains })
    }
}

impl Body for ModalResonator {
    fn predict(&mut self, _state: &mut State) {}

    fn is_in_bank(&self) -> bool {
        true
    }

    fn balance(&self, state: &State, _k: f64) -> ElementEnergy {
        self.oscillators.balance(state)
    }

    fn nodes_at(&self, place: Place, user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        let gains = match place {
            Place::Listed(index) => self.points.get(index),
            Place::Whole | Place::Along(_) | Place::On(_) => None,
        };
        let Some(gains) = gains else { return user.naming("a modal resonator").refuse("name one of its points") };
        let nodes = self.oscillators.nodes.clone().zip(gains.iter().copied());
        Ok(nodes.filter(|&(_, gain)| gain != 0.0).collect())
    }

    fn attach(&self, place: Place, user: PlaceUser) -> Result<Attachment, CompileError> {
        let mut nodes = self.nodes_at(place, user)?;
        for (node, weight) in &mut nodes {
            *weight *= self.contact_gains[*node - self.oscillators.nodes.start];
        }
        Ok(Attachment::Nodes(nodes))
    }

    fn nodes(&self) -> Range<usize> {
        self.oscillators.nodes.clone()
    }

    fn operators(&self, _state: &State, k: f64) -> Option<Operators> {
        Some(self.oscillators.exact_operators(self.omegas.iter().copied(), k))
    }
}

fn oscillator(mode: &Mode, check: Check, k: f64) -> Result<Oscillator, CompileError> {
    check.positive("mass", mode.mass)?;
    check.positive("frequency", mode.frequency)?;
    if mode.decay != f64::INFINITY {
        check.positive("decay", mode.decay)?;
    }
    if mode.frequency * k >= 0.5 {
        return Err(CompileError::FrequencyTooHigh {
            subject: check.0,
            frequency: mode.frequency,
            maximum: 0.5 / k,
            rate: 1.0 / k,
        });
    }
    Ok(exact_oscillator(mode.mass, TAU * mode.frequency, 1000_f64.ln() / mode.decay, k))
}

/// The oscillator with the roots e^{(−σ ± jω_d)k}.
pub(crate) fn exact_oscillator(mass: f64, omega_d: f64, sigma: f64, k: f64) -> Oscillator {
    // 2 − 2e^{−σk}cos(x)(1 + tanh σk) = 2 − 2cos(x)/cosh(σk), written without cancellation for slow modes.
    let half_turn = (0.5 * omega_d * k).sin();
    let half_loss = (0.5 * sigma * k).sinh();
    let omega2 = 4.0 * (half_turn * half_turn + half_loss * half_loss) / (sigma * k).cosh();
    with_roots(mass, omega2, sigma, k)
}

/// The same for a mode that does not oscillate, σ > ω: the roots are e^{(−σ ± s)k}, s² = σ² − ω².
pub(crate) fn overdamped_oscillator(mass: f64, omega: f64, sigma: f64, k: f64) -> Oscillator {
    // 2 − 2cosh(sk)/cosh(σk) = 4·sinh(½(σ+s)k)·sinh(½(σ−s)k)/cosh(σk), written without cancellation and overflow.
    let sum = sigma + ((sigma - omega) * (sigma + omega)).sqrt();
    let half_difference = 0.5 * omega * (omega / sum) * k;
    let ratio = ((-half_difference).exp() - (-(0.5 * sum + sigma) * k).exp()) / (1.0 + (-2.0 * sigma * k).exp());
    with_roots(mass, 4.0 * half_difference.sinh() * ratio, sigma, k)
}

/// The oscillator with Ω²k² = `omega2` and ςk = tanh(σk).
fn with_roots(mass: f64, omega2: f64, sigma: f64, k: f64) -> Oscillator {
    let resistance = 2.0 * mass * (sigma * k).tanh() / k;
    Oscillator { mass, stiffness: mass * omega2 / (k * k), resistance, gravity_force: 0.0 }
}

/// sin(ωk/2)/(ωk/2): the increment of a mode over a step, over its velocity half-way times the step.
pub(crate) fn half_step_gain(omega: f64, k: f64) -> f64 {
    let half = 0.5 * omega * k;
    if half == 0.0 { 1.0 } else { half.sin() / half }
}
