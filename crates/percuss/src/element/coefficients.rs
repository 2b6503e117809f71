//! Coefficients of the explicit update of strings, membranes and plates.

/// Coefficients of the update of a node that feels no edge: du⁺ = stay·du + Δ(drag·du − bend·Δu) + stretch·Δu, with Δ the
/// neighbours less the node's own, each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UpdateCoefficients {
    /// What is kept of du.
    pub stay: f64,
    pub bend: f64,
    /// Internal friction.
    pub drag: f64,
    /// Tension.
    pub stretch: f64,
}

impl UpdateCoefficients {
    /// Of a material with c² and κ², σ₀ and σ₁, on a grid of spacing h at time step k.
    pub fn new([c2, kappa2]: [f64; 2], [sigma0, sigma1]: [f64; 2], h: f64, k: f64) -> Self {
        let (h2, ahead) = (h * h, 1.0 + sigma0 * k);
        Self {
            stay: (1.0 - sigma0 * k) / ahead,
            bend: kappa2 * k * k / (h2 * h2 * ahead),
            drag: 2.0 * sigma1 * k / (h2 * ahead),
            stretch: c2 * k * k / (h2 * ahead),
        }
    }
}
