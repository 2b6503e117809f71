//! Viscous damper.
//!
//! Equation    f = r·η̇
//! Law         q = r/2k
//! Energy      dissipated r(δt·η)²
//! Symbols     r resistance \[N·s/m\]

use crate::model::{AffineLaw, LawState};

#[derive(Clone, Copy, Debug)]
pub(crate) struct DamperLaw {
    pub resistance: f64,
}

impl LawState for DamperLaw {
    #[inline(always)]
    fn affine(&mut self, _eta: f64, _eta_prev: f64) -> AffineLaw {
        AffineLaw { r: self.resistance, ..AffineLaw::default() }
    }

    fn boxed(&self) -> Box<dyn LawState> {
        Box::new(*self)
    }

    fn stiffness(&self, _energy: f64, half_rate: f64) -> [f64; 2] {
        [4.0 * half_rate * self.resistance, 0.0]
    }
}
