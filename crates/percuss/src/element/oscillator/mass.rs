//! Mass on a spring, damped, under gravity.
//!
//! Equation    M ü = −Mω₀²u − MR u̇ − M·gravity
//! Update      u⁺(1 + Rk/2) = (2 − ω₀²k²)u − (1 − Rk/2)u⁻ − k²·gravity, as an `oscillator`
//! Stability   ω₀k < 2, checked here
//! Energy      H = ½M(δt−u)² + ½Mω₀²u u⁻ + M·gravity·½(u + u⁻),   Q = MR(δt·u)²
//! Symbols     M mass \[kg\], R damping \[1/s\], ω₀ angular frequency \[1/s\], k time step \[s\]
//! Allocates   only in `build` and `operators`
//! Reference   Willemsen (2019), Collisions, eqs. 19–21 (ω₀ squared in eq. 24)

use crate::element::balance::ElementEnergy;
use crate::element::body::{Body, Describe, NodeReader, Placement, Site, UsedPlace, WeightedNodes, scaled};
use crate::element::operators::Operators;
use crate::element::oscillator::bank::Oscillator;
use crate::element::oscillator::group::OscillatorGroup;
use crate::element::place_user::PlaceUser;
use crate::element::state::State;
use crate::error::{Check, CompileError};
use crate::model::{Mass, Place, Quantity};
use std::f64::consts::TAU;
use std::ops::Range;

/// A mass in the bank.
#[derive(Clone, Debug)]
pub(crate) struct PointMass {
    oscillator: OscillatorGroup,
    /// \[kg\].
    mass: f64,
    /// Whether it is there: one that has not yet entered has no energy.
    pub is_present: bool,
}

impl Describe for Mass {
    type Body = PointMass;

    fn placement(&self, _k: f64, _used_places: &[UsedPlace]) -> Placement {
        Placement::Bank
    }

    fn build(&self, site: &mut Site<'_>) -> Result<PointMass, CompileError> {
        let mut group = OscillatorGroup::new(site);
        let node = group.push(oscillator(self, site.check, site.k)?, site);
        let is_present = self.start <= 0.0;
        site.state.u[node] = self.position;
        site.state.du[node] = if is_present { self.velocity * site.k } else { 0.0 };
        Ok(PointMass { oscillator: group, mass: self.mass, is_present })
    }
}

impl Body for PointMass {
    fn predict(&mut self, _state: &mut State) {}

    fn is_in_bank(&self) -> bool {
        true
    }

    fn balance(&self, state: &State, _k: f64) -> ElementEnergy {
        if self.is_present { self.oscillator.balance(state) } else { ElementEnergy::default() }
    }

    fn set_present(&mut self, present: bool) {
        self.is_present = present;
    }

    fn nodes_at(&self, place: Place, user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        match place {
            Place::Whole => Ok(vec![(self.oscillator.nodes.start, 1.0)]),
            Place::Along(_) | Place::On(_) | Place::Listed(_) => user.naming("a mass").refuse("it is a single point"),
        }
    }

    fn reader(&self, place: Place, quantity: Quantity, k: f64, user: PlaceUser) -> Result<NodeReader, CompileError> {
        let nodes = self.nodes_at(place, user)?;
        Ok(match quantity {
            Quantity::Displacement => NodeReader::Displacement(nodes),
            Quantity::Velocity => NodeReader::Velocity(scaled(nodes, 1.0 / k)),
            Quantity::Force => NodeReader::Inertia(scaled(nodes, self.mass / (k * k))),
        })
    }

    fn nodes(&self) -> Range<usize> {
        self.oscillator.nodes.clone()
    }

    fn operators(&self, _state: &State, _k: f64) -> Option<Operators> {
        Some(self.oscillator.operators())
    }
}

fn oscillator(mass: &Mass, check: Check, k: f64) -> Result<Oscillator, CompileError> {
    check.positive("mass", mass.mass)?;
    check.finite("position", mass.position)?;
    check.finite("velocity", mass.velocity)?;
    check.not_negative("frequency", mass.frequency)?;
    check.not_negative("damping", mass.damping)?;
    check.finite("gravity", mass.gravity)?;
    check.not_negative("start", mass.start)?;
    let omega = TAU * mass.frequency;
    if omega * k >= 2.0 {
        return Err(CompileError::FrequencyTooHigh {
            subject: check.0,
            frequency: mass.frequency,
            maximum: 2.0 / (TAU * k),
            rate: 1.0 / k,
        });
    }
    Ok(Oscillator {
        mass: mass.mass,
        stiffness: mass.mass * omega * omega,
        resistance: mass.mass * mass.damping,
        gravity_force: mass.mass * mass.gravity,
    })
}
