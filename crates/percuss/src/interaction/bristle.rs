//! Elasto-plastic friction: bristles that bend before they slip. Affine in the slip for one step.
//!
//! Equation    ż = v − βz,  f = s₀z + s₁ż + s₂v,  β = α(v, z)|v|/z_S(v),  z_S = F·μ(v)/s₀
//! Update      (z⁺ − z)/k = g·v − β_d z̄,  z̄ = ½(z⁺ + z),  x = βk/2, g = tanh(x)/x, β_d = gβ: the bend relaxes exactly
//! Law         f = f₀ + R·v,  f₀ = (s₀g − s₁β_d)z/D,  R = (½ks₀g² + s₁g)/D + s₂ + r_x,  D = 1 + kβ_d/2,  r_x = s₀(1 − g)/β
//! Energy      H = ½s₀z²,  Q = s₀β_d z̄² + s₁(gv − β_d z̄)v + (s₂ + r_x)v² ≥ 0 where s₁²β ≤ 4s₀(s₁ + s₂), to which s₁ is held
//! Symbols     z bend \[m\], v slip \[m/s\], α 0 below the bend that all bristles bear, 1 where all slip
//! Reference   Dupont, Hayward, Armstrong and Altpeter (2002); Willemsen, Bilbao and Serafin (2019)

use crate::interaction::friction::stribeck;

/// Breakaway bend as a share of the sliding bend: below it no bristle slips.
const BREAKAWAY: f64 = 0.7;
/// Lower limit of the sliding bend \[m\], for a bow force near 0.
const LEAST_BEND: f64 = 1e-15;

/// Constants of the bristles and their bend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bristle {
    pub sliding: f64,
    pub sticking: f64,
    pub velocity: f64,
    /// s₀ \[N/m\].
    pub stiffness: f64,
    /// s₁ \[N·s/m\].
    pub damping: f64,
    /// s₂ \[N·s/m\].
    pub viscous: f64,
    /// z at n − ½ \[m\], and one step before.
    pub bend: f64,
    pub before: f64,
    /// β for this step \[1/s\].
    pub rate: f64,
}

/// The law for one step.
struct Step {
    g: f64,
    rate: f64,
    damping: f64,
    /// r_x + s₂.
    extra: f64,
    whole: f64,
}

impl Bristle {
    /// β at a slip and a bend, under a bow force.
    pub fn rate_at(&self, force: f64, v: f64, bend: f64) -> f64 {
        let sliding =
            (stribeck(self.sliding, self.sticking, self.velocity, v) * force / self.stiffness).max(LEAST_BEND);
        let bearing = BREAKAWAY * self.sliding * force / self.stiffness;
        let bent = bend.abs();
        if v * bend <= 0.0 || bent <= bearing {
            return 0.0;
        }
        let middle = 0.5 * (sliding + bearing);
        let slipping = if bent >= sliding {
            1.0
        } else {
            0.5 + 0.5 * (std::f64::consts::PI * (bent - middle) / (sliding - bearing)).sin()
        };
        slipping * v.abs() / sliding
    }

    fn step(&self, k: f64) -> Step {
        let (s0, s1, s2, beta) = (self.stiffness, self.damping, self.viscous, self.rate);
        let x = 0.5 * k * beta;
        let (g, relax) = if x > 1e-3 {
            let g = x.tanh() / x;
            (g, s0 * (1.0 - g) / beta)
        } else {
            (1.0 - x * x / 3.0, s0 * 0.5 * k * x / 3.0)
        };
        let damping = if beta > 0.0 { s1.min((2.0 * s0 + 2.0 * (s0 * s0 + s0 * s2 * beta).sqrt()) / beta) } else { s1 };
        let rate = g * beta;
        Step { g, rate, damping, extra: s2 + relax, whole: 1.0 + 0.5 * k * rate }
    }

    /// (f₀ \[N\], R \[N·s/m\]).
    pub fn law(&self, k: f64) -> (f64, f64) {
        let Step { g, rate, damping, extra, whole } = self.step(k);
        let constant = (self.stiffness * g - damping * rate) * self.bend / whole;
        (constant, (0.5 * k * self.stiffness * g * g + damping * g) / whole + extra)
    }

    /// z̄ for a slip.
    pub fn mean_bend(&self, v: f64, k: f64) -> f64 {
        let Step { g, whole, .. } = self.step(k);
        (self.bend + 0.5 * k * g * v) / whole
    }

    /// Advances the bend by a slip; returns the energy dissipated \[J\].
    pub fn advance(&mut self, v: f64, k: f64) -> f64 {
        let Step { g, rate, damping, extra, .. } = self.step(k);
        let mean = self.mean_bend(v, k);
        self.before = self.bend;
        self.bend = 2.0 * mean - self.bend;
        k * (self.stiffness * rate * mean * mean + damping * (g * v - rate * mean) * v + extra * v * v)
    }

    /// Releases the bristles; returns the energy dissipated \[J\].
    pub fn lift(&mut self) -> f64 {
        let lost = self.energy();
        (self.bend, self.before) = (0.0, 0.0);
        lost
    }

    /// Energy of the bend \[J\].
    pub fn energy(&self) -> f64 {
        0.5 * self.stiffness * self.bend * self.bend
    }
}
