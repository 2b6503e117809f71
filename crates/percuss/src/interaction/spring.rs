//! Spring with a cubic part and damping.
//!
//! Equation    f = K₁η + K₃η³ + 2σ×η̇
//! Law         f = K₁μₜₜη + K₃η²μₜ·η + 2σ×δt·η, hence p = ½K₁(η + η⁻) + K₃η²η⁻, q = ¼K₁ + ½K₃η², r = 2σ×
//! Energy      stored ½K₁(½(η⁺ + η))² + ¼K₃η²(η⁺)², lost r(δt·η)²
//! Symbols     η elongation \[m\], K₁ \[N/m\], K₃ \[N/m³\], σ× \[kg/s\]
//! Allocates   no
//! Reference   Willemsen (2019), eqs. 38f, 49f, 50–51

use crate::model::{AffineLaw, LawState};

#[derive(Clone, Copy, Debug)]
pub(crate) struct SpringLaw {
    pub stiffness: f64,
    pub cubic: f64,
    pub damping: f64,
    /// Largest |η| seen \[m\].
    pub max_eta: f64,
}

impl LawState for SpringLaw {
    #[inline(always)]
    fn affine(&mut self, eta: f64, eta_prev: f64) -> AffineLaw {
        let cubic = self.cubic * eta * eta;
        AffineLaw {
            g: 0.0,
            r: 2.0 * self.damping,
            p: 0.5 * self.stiffness * (eta + eta_prev) + cubic * eta_prev,
            q: 0.25 * self.stiffness + 0.5 * cubic,
        }
    }

    fn boxed(&self) -> Box<dyn LawState> {
        Box::new(*self)
    }

    fn energy(&self, eta_next: f64, eta: f64) -> f64 {
        let mean = 0.5 * (eta_next + eta);
        0.5 * self.stiffness * mean * mean + 0.25 * self.cubic * (eta * eta_next).powi(2)
    }

    fn stiffness(&self, energy: f64, half_rate: f64) -> [f64; 2] {
        [self.stiffness + 8.0 * half_rate * self.damping, 4.0 * (energy * self.cubic).sqrt()]
    }

    fn reset(&mut self, _eta: f64, _eta_prev: f64) {
        self.max_eta = 0.0;
    }
}

impl SpringLaw {
    /// Whether η, known to be `eta` from the motion so far, may be read from the nodes as `place`. The energy follows from η: a
    /// change must not exceed the rounding of the largest η, or it would show in the ledger; the distance of
    /// bodies far from the origin has larger rounding errors than that.
    pub fn accepts_eta(&mut self, eta: f64, place: f64) -> bool {
        self.max_eta = self.max_eta.max(eta.abs());
        (place - eta).abs() <= 8.0 * f64::EPSILON * self.max_eta
    }
}
