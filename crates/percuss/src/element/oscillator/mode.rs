//! One mode with exact pitch and decay.
//!
//! Equation    m q̈ = −mΩ²q − 2mς q̇ + F
//! Update      an `oscillator` whose roots are e^{(−σ ± jω_d)k}: ςk = tanh(σk), Ω²k² = 2 − 2e^{−σk}cos(ω_d k)(1 + ςk)
//! Stability   Ω²k² ≤ 2 + 2/cosh(σk) < 4 for ω_d k < π, checked here
//! Energy      H = ½m(δt−q)² + ½mΩ²q q⁻,   Q = 2mς(δt·q)²
//! Symbols     m modal mass \[kg\], σ = ln(1000)/T₆₀ \[1/s\], ω_d damped angular frequency \[1/s\], k time step \[s\]
//! Allocates   no
//! Reference   Bilbao (2009), Numerical Sound Synthesis, sec. 3.3.4 (exact scheme), with loss as above

use crate::element::oscillator::bank::Oscillator;
use crate::error::{Check, CompileError};
use crate::model::Mode;
use std::f64::consts::TAU;

pub(crate) fn oscillator(mode: &Mode, check: Check, k: f64) -> Result<Oscillator, CompileError> {
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
    let sigma_k = 1000_f64.ln() / mode.decay * k;
    let loss = sigma_k.tanh();
    // 2 − 2e^{−σk}cos(x)(1 + tanh σk) = 2 − 2cos(x)/cosh(σk), written without cancellation for slow modes.
    let half_turn = (0.5 * TAU * mode.frequency * k).sin();
    let half_loss = (0.5 * sigma_k).sinh();
    let omega2 = 4.0 * (half_turn * half_turn + half_loss * half_loss) / sigma_k.cosh();
    Ok(Oscillator {
        mass: mode.mass,
        stiffness: mode.mass * omega2 / (k * k),
        resistance: 2.0 * mode.mass * loss / k,
        weight: 0.0,
    })
}

/// sin(ωk/2)/(ωk/2): the increment of a mode over a step, over its velocity half-way times the step.
pub(crate) fn half_step_gain(mode: &Mode, k: f64) -> f64 {
    let half = 0.5 * TAU * mode.frequency * k;
    half.sin() / half
}
