//! One-sided collision with Hunt–Crossley loss.
//!
//! Equation    f = K[η]₊^α (1 + μη̇)
//! Law         p = gψ, q = g²/4 + r/2k with r = μK[ηⁿ]₊^α; how g is chosen is the scheme's (`solver::tracked`)
//! Energy      stored ½(ψ⁺)², lost r(δt·η)²
//! Symbols     η penetration \[m\], K \[N/m^α\], μ loss \[s/m\], r resistance \[N·s/m\]
//! Allocates   no
//! Reference   Hunt and Crossley (1975); Willemsen (2019), eqs. 1–18 (g in eq. 18)

use super::{Affine, Potential};

#[derive(Clone, Debug)]
pub(crate) struct Collision {
    pub potential: Potential,
    pub loss: f64,
}

impl Collision {
    #[inline(always)]
    pub fn affine(&self, eta: f64) -> Affine {
        let here = self.potential.at(eta);
        Affine { g: here.slope, r: self.loss * here.force, ..Affine::default() }
    }

    /// r at η \[N·s/m\].
    #[inline(always)]
    pub fn resistance(&self, eta: f64) -> f64 {
        if self.loss > 0.0 { self.loss * self.potential.force(eta) } else { 0.0 }
    }
}
