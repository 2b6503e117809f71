//! A law for one sample, and a potential at one place.

/// A law for one sample, affine in d = η⁺ − η⁻ \[m\]: f = gψ + p + (g²/4 + r/2k + q)·d.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AffineLaw {
    /// Slope g of the quadratised potential ψ, 0 or more \[√(N/m)\].
    pub g: f64,
    /// Resistance r \[N·s/m\], 0 or more.
    pub r: f64,
    /// Constant part p beside the potential \[N\].
    pub p: f64,
    /// Slope q beside potential and resistance \[N/m\], 0 or more.
    pub q: f64,
}

impl AffineLaw {
    /// The same with numbers that are not finite, and slopes below 0, replaced by 0: what a law from outside may return.
    pub(crate) fn sanitised(self) -> Self {
        let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
        let slope = |x: f64| finite(x).max(0.0);
        Self { g: slope(self.g), r: slope(self.r), p: finite(self.p), q: slope(self.q) }
    }
}

/// A potential φ at one place, quadratised: ψ = √(2φ).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PotentialSample {
    /// ψ, with the sign of η for two-sided laws.
    pub psi: f64,
    /// ψ′.
    pub slope: f64,
    /// φ′ = ψψ′ \[N\].
    pub force: f64,
}
