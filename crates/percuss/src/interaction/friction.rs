//! Dry friction as a resistance: f = r(v)·v with r = F·φ(v)/v ≥ 0, so that it never does work on what it rubs.
//!
//! Exponential   r = F√(2a)·exp(½ − av²)
//! Stribeck      r = F(μ_C + (μ_S − μ_C)exp(−(v/v_S)²))/√(v² + ε²)
//! Symbols       F force of the bow \[N\], v slip \[m/s\]
//! Both fall as |v| grows: putting the slip found back into r moves it one way only, towards the nearest solution.
//! Reference     Bilbao (2009), ch. 4; Serafin (2004)

/// Friction without a memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Curve {
    /// `peak` = √(2a)·e^½ \[s/m\].
    Exponential {
        sharpness: f64,
        peak: f64,
    },
    Stribeck {
        sliding: f64,
        sticking: f64,
        velocity: f64,
        creep: f64,
    },
}

impl Curve {
    pub fn exponential(sharpness: f64) -> Self {
        Self::Exponential { sharpness, peak: (2.0 * sharpness).sqrt() * 0.5_f64.exp() }
    }

    /// φ(v)/v \[s/m\].
    #[inline]
    pub fn resistance(&self, v: f64) -> f64 {
        match *self {
            Self::Exponential { sharpness, peak } => peak * (-sharpness * v * v).exp(),
            Self::Stribeck { sliding, sticking, velocity, creep } => {
                stribeck(sliding, sticking, velocity, v) / v.hypot(creep)
            }
        }
    }
}

/// μ(v) = μ_C + (μ_S − μ_C)·exp(−(v/v_S)²).
#[inline]
pub(crate) fn stribeck(sliding: f64, sticking: f64, velocity: f64, v: f64) -> f64 {
    sliding + (sticking - sliding) * (-(v / velocity).powi(2)).exp()
}
