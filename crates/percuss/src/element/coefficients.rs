//! Coefficients of the explicit update of strings, membranes and plates.

/// Coefficients of the update away from edges: du⁺ = decay·du + Δ(damping·du − bending·Δu) + tension·Δu, with Δ the sum of the
/// neighbours' differences to the node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UpdateCoefficients {
    /// (1 − σ₀k)/(1 + σ₀k).
    pub decay: f64,
    /// κ²k²/h⁴(1 + σ₀k).
    pub bending: f64,
    /// 2σ₁k/h²(1 + σ₀k).
    pub damping: f64,
    /// c²k²/h²(1 + σ₀k).
    pub tension: f64,
}

impl UpdateCoefficients {
    /// Of a material with c² and κ², σ₀ and σ₁, on a grid of spacing h at time step k.
    pub fn new([c2, kappa2]: [f64; 2], [sigma0, sigma1]: [f64; 2], h: f64, k: f64) -> Self {
        let (h2, ahead) = (h * h, 1.0 + sigma0 * k);
        Self {
            decay: (1.0 - sigma0 * k) / ahead,
            bending: kappa2 * k * k / (h2 * h2 * ahead),
            damping: 2.0 * sigma1 * k / (h2 * ahead),
            tension: c2 * k * k / (h2 * ahead),
        }
    }
}
