//! Felt, as on piano hammers and soft mallets: it compresses along one power law and relaxes along a steeper one.
//!
//! Equation    f = Kη^p while η exceeds the largest compression η_m of the contact so far; f = Kη_m^p (η/η_m)^q below it, q > p
//! Memory      η_m, by the largest energy the contact has stored, E_m = Kη_m^{p+1}/(q+1)
//! Energy      stored E = E_m (η/η_m)^{q+1} or Kη^{p+1}/(q+1); dissipated the share 1 − e² of the work along the first law, where
//!             e² = (p+1)/(q+1). Work that only restores E to E_m dissipates nothing
//! Restitution e at any speed, hence q = (p+1)/e² − 1. Felt that is compressed again before it has opened follows the steeper law
//! Symbols     η compression \[m\], K \[N/m^p\]
//! Allocates   only in `state`
//! Reference   Boutillon (1988), J. Acoust. Soc. Am. 83, 746–754, for two power laws; Walton and Braun (1986) for their linear form

use crate::model::{AffineLaw, BadParameter, CustomLaw, LawState, PotentialSample, SolvedStep};

/// A felt-covered contact that never pulls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Felt {
    /// Stiffness K of compression \[N/m^p\].
    pub stiffness: f64,
    /// Exponent p of compression, 1 to 10.
    pub exponent: f64,
    /// Restitution e: speed after an impact over speed before, above 0 and up to 1.
    pub restitution: f64,
    /// Distance left between the two while both displacements are equal \[m\].
    pub gap: f64,
}

impl Default for Felt {
    /// A piano hammer in the middle of the range.
    fn default() -> Self {
        Self { stiffness: 4e8, exponent: 2.3, restitution: 0.7, gap: 0.0 }
    }
}

impl CustomLaw for Felt {
    fn kind(&self) -> &'static str {
        "felt"
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        let Self { stiffness, exponent, restitution, gap } = *self;
        vec![("stiffness", stiffness), ("exponent", exponent), ("restitution", restitution), ("gap", gap)]
    }

    fn gap(&self) -> f64 {
        self.gap
    }

    fn check(&self) -> Result<(), BadParameter> {
        let Self { stiffness, exponent, restitution, .. } = *self;
        let check = |holds: bool, field, value, allowed| {
            if holds { Ok(()) } else { Err(BadParameter { field, value, allowed }) }
        };
        check(stiffness > 0.0, "stiffness", stiffness, "above 0")?;
        check((1.0..=10.0).contains(&exponent), "exponent", exponent, "between 1 and 10")?;
        check((0.1..=1.0).contains(&restitution), "restitution", restitution, "between 0.1 and 1")
    }

    fn state(&self, _k: f64) -> Box<dyn LawState> {
        let restitution_squared = self.restitution * self.restitution;
        Box::new(FeltState {
            stiffness: self.stiffness * restitution_squared / (self.exponent + 1.0),
            half_power: 0.5 * (self.exponent + 1.0),
            restitution_squared,
            max_compression: 0.0,
            max_energy: 0.0,
            stored: 0.0,
        })
    }
}

/// Felt with its memory.
#[derive(Clone, Copy, Debug)]
struct FeltState {
    /// K/(q+1) \[N/m^p\].
    stiffness: f64,
    /// (p+1)/2.
    half_power: f64,
    /// e².
    restitution_squared: f64,
    /// η_m \[m\] and E_m \[J\].
    max_compression: f64,
    max_energy: f64,
    /// E \[J\].
    stored: f64,
}

impl FeltState {
    /// Energy that compression dissipates where the velocity changes from and to these, times k \[m\], and the work it takes \[J\]. Within
    /// a step the bodies move like free masses k²/B.
    fn compression(&self, [before, after]: [f64; 2], stored: f64, compliance: f64) -> [f64; 2] {
        if before <= 0.0 || compliance <= 0.0 {
            return [0.0; 2];
        }
        let work = (before * before - after.max(0.0).powi(2)) / (2.0 * compliance);
        let along_first_law = (work - (self.max_energy - stored).max(0.0)).max(0.0);
        [(1.0 - self.restitution_squared) * along_first_law, work]
    }
}

impl LawState for FeltState {
    fn affine(&mut self, eta: f64, _eta_prev: f64) -> AffineLaw {
        AffineLaw { g: self.sample(eta).slope, ..AffineLaw::default() }
    }

    fn boxed(&self) -> Box<dyn LawState> {
        Box::new(*self)
    }

    fn has_potential(&self) -> bool {
        true
    }

    fn is_one_sided(&self) -> bool {
        true
    }

    fn has_hysteresis_loss(&self) -> bool {
        true
    }

    fn sample(&self, eta: f64) -> PotentialSample {
        if eta <= 0.0 {
            return PotentialSample::default();
        }
        let (psi, half_power) = if eta >= self.max_compression {
            ((2.0 * self.stiffness).sqrt() * eta.powf(self.half_power), self.half_power)
        } else {
            let relaxing = self.half_power / self.restitution_squared;
            ((2.0 * self.max_energy).sqrt() * (eta / self.max_compression).powf(relaxing), relaxing)
        };
        let slope = half_power * psi / eta;
        PotentialSample { psi, slope, force: psi * slope }
    }

    fn work_ratio(&self, _velocity: f64, psi: f64, target: f64) -> f64 {
        let [before, after] = [psi, target].map(|psi| 0.5 * psi * psi);
        let rise = after - before;
        if rise <= 0.0 {
            return 1.0;
        }
        // Of the rise, what lies above E_m takes 1/e² times as much work.
        let above = (after - self.max_energy.max(before)).max(0.0);
        1.0 + above / rise * (1.0 / self.restitution_squared - 1.0)
    }

    fn hysteresis_loss(&self, step: &SolvedStep) -> f64 {
        self.compression(step.velocities(), 0.5 * step.psi * step.psi, step.compliance)[0]
    }

    fn exit_velocity(&self, approach: f64, psi: f64, compliance: f64) -> Option<f64> {
        let [dissipated, _] = self.compression([approach, 0.0], 0.5 * psi * psi, compliance);
        let square = approach * approach + compliance * (psi * psi - 2.0 * dissipated);
        Some(-square.max(0.0).sqrt())
    }

    fn advance(&mut self, step: &SolvedStep) {
        let [dissipated, work] = self.compression(step.velocities(), self.stored, step.compliance);
        let peak = self.stored + work - dissipated;
        self.stored = 0.5 * step.psi * step.psi;
        if self.stored == 0.0 {
            (self.max_compression, self.max_energy) = (0.0, 0.0);
        } else if peak.max(self.stored) > self.max_energy {
            self.max_energy = peak.max(self.stored);
            self.max_compression = (self.max_energy / self.stiffness).powf(0.5 / self.half_power);
        }
    }

    fn reset(&mut self, eta: f64, eta_prev: f64) {
        (self.max_compression, self.max_energy, self.stored) = (0.0, 0.0, 0.0);
        let psi = self.sample(0.5 * (eta + eta_prev)).psi;
        self.advance(&SolvedStep { eta, eta_prev, d: 0.0, force: 0.0, psi, compliance: 0.0, half_rate: 0.0 });
    }
}
