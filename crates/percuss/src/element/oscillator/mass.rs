//! Mass on a spring, damped, under gravity.
//!
//! Equation    M ü = −Mω₀²u − MR u̇ − M·gravity
//! Update      u⁺(1 + Rk/2) = (2 − ω₀²k²)u − (1 − Rk/2)u⁻ − k²·gravity, as an `oscillator`
//! Stability   ω₀k < 2, checked here
//! Energy      H = ½M(δt−u)² + ½Mω₀²u u⁻ + M·gravity·½(u + u⁻),   Q = MR(δt·u)²
//! Symbols     M mass \[kg\], R damping \[1/s\], ω₀ angular frequency \[1/s\], k time step \[s\]
//! Allocates   no
//! Reference   Willemsen (2019), Collisions, eqs. 19–21 (ω₀ squared in eq. 24)

use crate::element::oscillator::bank::Oscillator;
use crate::error::{Check, CompileError};
use crate::model::Mass;
use std::f64::consts::TAU;

pub(crate) fn oscillator(mass: &Mass, check: Check, k: f64) -> Result<Oscillator, CompileError> {
    check.positive("mass", mass.mass)?;
    check.finite("position", mass.position)?;
    check.finite("velocity", mass.velocity)?;
    check.not_negative("frequency", mass.frequency)?;
    check.not_negative("damping", mass.damping)?;
    check.finite("gravity", mass.gravity)?;
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
        weight: mass.mass * mass.gravity,
    })
}
