//! The energy of stretching of a plate, quadratised as a whole.
//!
//! Law         with the weights g = ∇V/ψ of each step (`element/plate/von_karman`), d = g·(w⁺ − w⁻): ψ⁺ = ψ + ½d, f = ½(ψ⁺ + ψ) = ψ + ¼d
//! Energy      stored ½(ψ⁺)²
//! Symbols     ψ = √(2V) \[√J\]
//! Allocates   no

use crate::model::{AffineLaw, LawState};

#[derive(Clone, Copy, Debug)]
pub(crate) struct VonKarmanLaw;

impl LawState for VonKarmanLaw {
    #[inline(always)]
    fn affine(&mut self, _eta: f64, _eta_prev: f64) -> AffineLaw {
        AffineLaw { g: 1.0, ..AffineLaw::default() }
    }

    fn boxed(&self) -> Box<dyn LawState> {
        Box::new(*self)
    }
}
