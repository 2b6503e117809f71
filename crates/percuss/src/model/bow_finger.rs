//! A bow or a finger on a string, bar or plate.

use crate::model::control::Control;

/// A bow drawn across: friction f = F·φ(v) with the force F of the bow and v = string − bow velocity.
#[derive(Clone, Debug, PartialEq)]
pub struct Bow {
    /// Force with which the bow is pressed on F \[N\]; 0 lifts it.
    pub force: Control,
    /// Velocity of the bow \[m/s\].
    pub velocity: Control,
    /// Friction between hair and string.
    pub friction: Friction,
}

impl Default for Bow {
    /// A rosined bow at rest.
    fn default() -> Self {
        Self { force: 0.2.into(), velocity: 0.0.into(), friction: Friction::default() }
    }
}

/// A law of dry friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// φ(v) = √(2a)·v·exp(½ − av²), at most 1. Soft: there is always some slip.
    Exponential {
        /// Sharpness a \[s²/m²\]; it grips best at the slip 1/√(2a).
        sharpness: f64,
    },
    /// φ(v) = (μ_C + (μ_S − μ_C)·exp(−(v/v_S)²))·v/√(v² + ε²).
    Stribeck {
        /// Sliding friction μ_C.
        sliding: f64,
        /// Sticking friction μ_S.
        sticking: f64,
        /// Stribeck velocity v_S: slip at which sticking turns into sliding \[m/s\].
        velocity: f64,
        /// Slip below which it sticks ε \[m/s\].
        creep: f64,
    },
    /// Bristles that bend by z before they slip: ż = v − α(v, z)·v·z/z_S(v), f = s₀z + s₁ż + s₂v, with z_S = F·μ(v)/s₀ and μ(v) as above.
    Bristle {
        /// Sliding friction μ_C.
        sliding: f64,
        /// Sticking friction μ_S.
        sticking: f64,
        /// Stribeck velocity v_S: slip at which sticking turns into sliding \[m/s\].
        velocity: f64,
        /// Stiffness of the bristles s₀ \[N/m\].
        stiffness: f64,
        /// Damping of the bristles s₁ \[N·s/m\].
        damping: f64,
        /// Viscous friction s₂ \[N·s/m\].
        viscous: f64,
    },
}

impl Default for Friction {
    fn default() -> Self {
        Self::Exponential { sharpness: 100.0 }
    }
}

/// A finger: a spring and a damper that hold the place they touch, in proportion to the pressure.
#[derive(Clone, Debug, PartialEq)]
pub struct Finger {
    /// Pressure, 0 lifted, 1 full.
    pub pressure: Control,
    /// Stiffness at full pressure \[N/m\].
    pub stiffness: f64,
    /// Damping at full pressure \[N·s/m\].
    pub damping: f64,
}

impl Default for Finger {
    /// A fingertip laid on lightly, as for harmonics.
    fn default() -> Self {
        Self { pressure: 1.0.into(), stiffness: 20.0, damping: 1.0 }
    }
}
