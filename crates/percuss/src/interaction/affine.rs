//! A law for one sample.

/// A law for one sample: f = gψ + p + (g²/4 + r/2k + q)·d.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Affine {
    /// Slope of the quadratised potential.
    pub g: f64,
    /// Resistance \[N·s/m\].
    pub r: f64,
    /// Constant part beside the potential \[N\].
    pub p: f64,
    /// Slope beside potential and resistance \[N/m\].
    pub q: f64,
}
