//! The modes of a body in continuous time, as oscillators with their exact roots.
//!
//! Update      one exact oscillator for each (`oscillator/modal`), stepped with the bank
//! Places      weigh every mode with its shape there, so that all rows of the body are coupled
//! Energy      H = Σ ½m(δt−q)² + ½mΩ²q q⁻,   Q = Σ 2mς(δt·q)²
//! Allocates   in all but `balance`

use crate::element::balance::ElementEnergy;
use crate::element::body::{Site, WeightedNodes};
use crate::element::operators::Operators;
use crate::element::oscillator::bank::Oscillator;
use crate::element::oscillator::group::OscillatorGroup;
use crate::element::oscillator::modal::{exact_oscillator, half_step_gain, overdamped_oscillator};
use crate::element::state::{NodeField, State};
use crate::element::stretch::StretchMode;
use std::f64::consts::PI;
use std::ops::Range;

/// Frequency of the highest mode over half the sample rate. Towards 1, kinetic and potential energy of a mode become opposite
/// numbers, whose sum loses digits: here two.
pub(crate) const MAX_NYQUIST_FRACTION: f64 = 0.95;

/// The constants of a mode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModeConstants {
    /// ω without damping \[1/s\].
    pub omega: f64,
    /// σ \[1/s\].
    pub sigma: f64,
    /// Modal mass for the shape as it is given \[kg\].
    pub mass: f64,
}

impl ModeConstants {
    /// ω_d; 0 where the mode does not oscillate \[1/s\].
    pub fn damped(&self) -> f64 {
        ((self.omega - self.sigma) * (self.omega + self.sigma)).max(0.0).sqrt()
    }

    fn oscillator(&self, k: f64) -> Oscillator {
        let Self { mass, omega, sigma } = *self;
        // A rigid motion without loss has σ = ω = 0.
        if sigma > omega {
            overdamped_oscillator(mass, omega, sigma, k)
        } else {
            exact_oscillator(mass, self.damped(), sigma, k)
        }
    }
}

/// Frequencies of the modes that oscillate \[Hz\].
pub(crate) fn partials<'a>(modes: impl IntoIterator<Item = &'a ModeConstants>) -> Vec<f64> {
    let frequencies = modes.into_iter().map(|mode| mode.damped() / (2.0 * PI));
    frequencies.filter(|&frequency| frequency > 0.0).collect()
}

/// The modes of one body.
#[derive(Clone, Debug)]
pub(crate) struct ModeGroup {
    modes: Vec<ModeConstants>,
    oscillators: OscillatorGroup,
    /// Of every mode, 1 over sin(ωk/2)/(ωk/2): see `oscillator/modal`.
    contact_gains: Vec<f64>,
    /// Mass of the body \[kg\].
    body_mass: f64,
}

impl ModeGroup {
    /// Of a body of a given mass \[kg\].
    pub fn new(modes: Vec<ModeConstants>, body_mass: f64, site: &mut Site<'_>) -> Self {
        let k = site.k;
        let mut oscillators = OscillatorGroup::new(site);
        for mode in &modes {
            oscillators.push(mode.oscillator(k), site);
        }
        let contact_gains = modes.iter().map(|mode| half_step_gain(mode.omega, k).recip()).collect();
        Self { modes, oscillators, contact_gains, body_mass }
    }

    pub fn nodes(&self) -> Range<usize> {
        self.oscillators.nodes.clone()
    }

    /// The nodes of the modes with a weight for each; none where all weights are rounding.
    pub fn weighted(&self, weights: Vec<f64>) -> WeightedNodes {
        let is_held = |(mode, weight): (&ModeConstants, &f64)| weight.powi(2) * self.body_mass <= 1e-24 * mode.mass;
        if self.modes.iter().zip(&weights).all(is_held) {
            return Vec::new();
        }
        self.nodes().zip(weights).collect()
    }

    /// The same for contacts, which act between samples.
    pub fn weighted_for_contacts(&self, weights: Vec<f64>) -> WeightedNodes {
        let mut nodes = self.weighted(weights);
        nodes.iter_mut().zip(&self.contact_gains).for_each(|((_, weight), gain)| *weight *= gain);
        nodes
    }

    /// Amplitude of every mode, or its increment over the last step.
    pub fn amplitudes(&self, field: NodeField, state: &State) -> impl Iterator<Item = f64> {
        self.nodes().map(move |node| match field {
            NodeField::Displacement => state.displacement(node),
            NodeField::Increment => state.du[node],
        })
    }

    pub fn balance(&self, state: &State) -> ElementEnergy {
        self.oscillators.balance(state)
    }

    /// The modes and their slopes.
    pub fn stretched(&self, slopes: impl Iterator<Item = f64>) -> impl Iterator<Item = StretchMode> {
        self.modes.iter().zip(slopes).map(|(mode, slope)| StretchMode { omega: mode.omega, mass: mode.mass, slope })
    }

    pub fn partials(&self) -> Vec<f64> {
        partials(&self.modes)
    }

    pub fn len(&self) -> usize {
        self.modes.len()
    }

    pub fn operators(&self, k: f64) -> Operators {
        self.oscillators.exact_operators(self.modes.iter().map(ModeConstants::damped), k)
    }
}
