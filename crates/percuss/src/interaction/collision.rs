//! One-sided collision with Hunt–Crossley loss.
//!
//! Equation    f = K[η]₊^α (1 + μη̇)
//! Law         p = gψ, q = g²/4 + r/2k with r = μK[ηⁿ]₊^α; g is chosen by the scheme (`contact::scheme`)
//! Energy      stored ½(ψ⁺)², dissipated r(δt·η)²
//! Symbols     η penetration \[m\], K \[N/m^α\], μ loss \[s/m\], r resistance \[N·s/m\]
//! Allocates   no
//! Reference   Hunt and Crossley (1975); Willemsen (2019), eqs. 1–18 (g in eq. 18)

use crate::interaction::hunt_crossley;
use crate::interaction::potential::Potential;
use crate::model::{AffineLaw, LawState, PotentialSample, SolvedStep};

#[derive(Clone, Debug)]
pub(crate) struct CollisionLaw {
    pub potential: Potential,
    pub loss: f64,
    /// Square of the motion per step from which on the contact is short \[m²\]: see `short_contact`.
    pub short_threshold: f64,
    /// Times that a motion of 1 m per step crosses the compression at rest.
    pub crossings_per_metre: f64,
}

impl LawState for CollisionLaw {
    #[inline(always)]
    fn affine(&mut self, eta: f64, _eta_prev: f64) -> AffineLaw {
        let here = self.potential.at(eta);
        AffineLaw { g: here.slope, r: self.loss * here.force, ..AffineLaw::default() }
    }

    fn boxed(&self) -> Box<dyn LawState> {
        Box::new(self.clone())
    }

    #[inline(always)]
    fn has_potential(&self) -> bool {
        true
    }

    #[inline(always)]
    fn is_one_sided(&self) -> bool {
        true
    }

    #[inline(always)]
    fn has_hysteresis_loss(&self) -> bool {
        self.loss > 0.0
    }

    #[inline(always)]
    fn sample(&self, eta: f64) -> PotentialSample {
        self.potential.at(eta)
    }

    #[inline(always)]
    fn work_ratio(&self, velocity: f64, _psi: f64, _target: f64) -> f64 {
        self.force_ratio(velocity)
    }

    /// In closed form: the impulse of the force changes the velocity from (d + Bf)/2k to (d − Bf)/2k.
    #[inline(always)]
    fn hysteresis_loss(&self, step: &SolvedStep) -> f64 {
        self.dissipated_by(step.force, step.d, step.compliance, step.half_rate)
    }

    fn discrete_gradient(&self, eta: f64, d: f64) -> (f64, f64) {
        self.potential.discrete_gradient(eta, d)
    }
}

impl CollisionLaw {
    /// 1 + μv, at least 0: factor of the force at a velocity v \[m/s\].
    #[inline(always)]
    pub fn force_ratio(&self, velocity: f64) -> f64 {
        (1.0 + self.loss * velocity).max(0.0)
    }

    /// Duration in samples of an impact that begins with v·k = `half` \[m\], for a compliance \[m/N\]: 2x/v·∫dy/√(1 − y^{α+1}) from
    /// 0 to 1, with x the compression at which all energy is stored; without the loss, which lengthens it.
    pub fn contact_samples(&self, half: f64, compliance: f64) -> f64 {
        let deepest = self.potential.penetration(half / compliance.sqrt());
        deepest / half * self.potential.contact_time_factor()
    }

    /// Energy dissipated by a force \[N\] over a step with motion d = η⁺ − η⁻ \[J\], for a compliance B \[m/N\]: its impulse
    /// changes the velocity from (d + Bf)/2k to (d − Bf)/2k. `half_rate` = 1/2k.
    #[inline(always)]
    pub fn dissipated_by(&self, force: f64, d: f64, compliance: f64, half_rate: f64) -> f64 {
        if self.loss == 0.0 || force <= 0.0 {
            return 0.0;
        }
        let scale = self.loss * half_rate;
        // J/μ with J = kf.
        force / (2.0 * scale) * hunt_crossley::mean_loss(scale * d, 2.0 * scale * compliance * force)
    }
}
