//! Elasto-plastic friction: bristles that deflect before they slip. Affine in the slip for one step.
//!
//! Equation    ż = v − βz,  f = s₀z + s₁ż + s₂v,  β = α(v, z)|v|/z_S(v),  z_S = F·μ(v)/s₀
//! Update      (z⁺ − z)/k = g·v − β_d z̄,  z̄ = ½(z⁺ + z),  x = βk/2, g = tanh(x)/x, β_d = gβ: the deflection relaxes exactly
//! Law         f = f₀ + R·v,  f₀ = (s₀g − s₁β_d)z/D,  R = (½ks₀g² + s₁g)/D + s₂ + r_x,  D = 1 + kβ_d/2,  r_x = s₀(1 − g)/β
//! Energy      H = ½s₀z²,  Q = s₀β_d z̄² + s₁(gv − β_d z̄)v + (s₂ + r_x)v² ≥ 0 where s₁²β ≤ 4s₀(s₁ + s₂), to which s₁ is held
//! Symbols     z deflection \[m\], v slip \[m/s\], α 0 below the deflection that all bristles bear, 1 where all slip
//! Reference   Dupont, Hayward, Armstrong and Altpeter (2002); Willemsen, Bilbao and Serafin (2019)

use crate::interaction::friction::stribeck;

/// Breakaway deflection as a share of the sliding deflection: below it no bristle slips.
const BREAKAWAY_RATIO: f64 = 0.7;
/// Lower limit of the sliding deflection \[m\], for a bow force near 0.
const MIN_DEFLECTION: f64 = 1e-15;

/// Constants of the bristles and their deflection.
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
    pub deflection: f64,
    pub previous_deflection: f64,
    /// β for this step \[1/s\].
    pub relaxation_rate: f64,
}

/// The law for one step.
struct BristleStep {
    g: f64,
    rate: f64,
    damping: f64,
    /// r_x + s₂.
    extra_resistance: f64,
    denominator: f64,
}

impl Bristle {
    /// β at a slip and a deflection, under a bow force.
    pub fn relaxation_rate_at(&self, force: f64, v: f64, deflection: f64) -> f64 {
        let sliding =
            (stribeck(self.sliding, self.sticking, self.velocity, v) * force / self.stiffness).max(MIN_DEFLECTION);
        let breakaway = BREAKAWAY_RATIO * self.sliding * force / self.stiffness;
        let deflected = deflection.abs();
        if v * deflection <= 0.0 || deflected <= breakaway {
            return 0.0;
        }
        let middle = 0.5 * (sliding + breakaway);
        let slipping = if deflected >= sliding {
            1.0
        } else {
            0.5 + 0.5 * (std::f64::consts::PI * (deflected - middle) / (sliding - breakaway)).sin()
        };
        slipping * v.abs() / sliding
    }

    fn coefficients(&self, k: f64) -> BristleStep {
        let (s0, s1, s2, beta) = (self.stiffness, self.damping, self.viscous, self.relaxation_rate);
        let x = 0.5 * k * beta;
        let (g, relax) = if x > 1e-3 {
            let g = x.tanh() / x;
            (g, s0 * (1.0 - g) / beta)
        } else {
            (1.0 - x * x / 3.0, s0 * 0.5 * k * x / 3.0)
        };
        let damping = if beta > 0.0 { s1.min((2.0 * s0 + 2.0 * (s0 * s0 + s0 * s2 * beta).sqrt()) / beta) } else { s1 };
        let rate = g * beta;
        BristleStep { g, rate, damping, extra_resistance: s2 + relax, denominator: 1.0 + 0.5 * k * rate }
    }

    /// (f₀ \[N\], R \[N·s/m\]).
    pub fn law(&self, k: f64) -> (f64, f64) {
        let BristleStep { g, rate, damping, extra_resistance, denominator } = self.coefficients(k);
        let constant = (self.stiffness * g - damping * rate) * self.deflection / denominator;
        (constant, (0.5 * k * self.stiffness * g * g + damping * g) / denominator + extra_resistance)
    }

    /// z̄ for a slip.
    pub fn mean_deflection(&self, v: f64, k: f64) -> f64 {
        let BristleStep { g, denominator, .. } = self.coefficients(k);
        (self.deflection + 0.5 * k * g * v) / denominator
    }

    /// Advances the deflection by a slip; returns the energy dissipated \[J\].
    pub fn advance(&mut self, v: f64, k: f64) -> f64 {
        let BristleStep { g, rate, damping, extra_resistance, .. } = self.coefficients(k);
        let mean = self.mean_deflection(v, k);
        self.previous_deflection = self.deflection;
        self.deflection = 2.0 * mean - self.deflection;
        k * (self.stiffness * rate * mean * mean + damping * (g * v - rate * mean) * v + extra_resistance * v * v)
    }

    /// Releases the bristles; returns the energy dissipated \[J\].
    pub fn release(&mut self) -> f64 {
        let dissipated = self.energy();
        (self.deflection, self.previous_deflection) = (0.0, 0.0);
        dissipated
    }

    /// Energy of the deflection \[J\].
    pub fn energy(&self) -> f64 {
        0.5 * self.stiffness * self.deflection * self.deflection
    }
}
