//! Two-sided connection without play. (With play it is two collisions back to back.)
//!
//! Equation    f = K|η|^α sgn η
//! Law         p = gψ, q = g²/4, with the signed root ψ = sgn(η)√(2φ) and g = √(K(α+1)/2)|η|^{(α−1)/2} ≥ 0
//! Energy      stored ½(ψ⁺)²
//! Symbols     η elongation \[m\], K \[N/m^α\]
//! Allocates   no
//! Reference   Willemsen (2019), eqs. 72–76, with the sign in ψ instead of g

use crate::interaction::potential::Potential;
use crate::model::{AffineLaw, LawState, PotentialSample};

#[derive(Clone, Debug)]
pub(crate) struct ConnectionLaw {
    pub potential: Potential,
}

impl LawState for ConnectionLaw {
    #[inline(always)]
    fn affine(&mut self, eta: f64, _eta_prev: f64) -> AffineLaw {
        AffineLaw { g: self.potential.slope(eta.abs()), ..AffineLaw::default() }
    }

    fn boxed(&self) -> Box<dyn LawState> {
        Box::new(self.clone())
    }

    #[inline(always)]
    fn has_potential(&self) -> bool {
        true
    }

    #[inline(always)]
    fn sample(&self, eta: f64) -> PotentialSample {
        let there = self.potential.at(eta.abs());
        PotentialSample { psi: there.psi.copysign(eta), force: there.force.copysign(eta), ..there }
    }

    /// Discrete gradient of the even potential φ(|η|).
    fn discrete_gradient(&self, eta: f64, d: f64) -> (f64, f64) {
        let ahead = eta + d;
        if eta * ahead >= 0.0 {
            // Both on one side: mirror the negative side.
            let side = if eta + ahead < 0.0 { -1.0 } else { 1.0 };
            let (force, derivative) = self.potential.discrete_gradient(side * eta, side * d);
            return (side * force, derivative);
        }
        let energy = |x: f64| self.potential.energy(x.abs());
        let force = (energy(ahead) - energy(eta)) / d;
        let pull = self.potential.force(ahead.abs()).copysign(ahead);
        (force, ((pull - force) / d).max(0.0))
    }
}
