//! Tension that rises with the length of a string or bar whose ends do not give way, or with the area of a membrane held all round.
//!
//! Equation    elongation e = ½∫(u′)²dx = ½uᵀKu, V = ½(EA/L)e²: the tension is T + (EA/L)e along the whole length.
//!             Membranes: e = ½∫|∇u|²dA, V = ½·EH/((1−ν²)·area)·e² in place of EA/L, T + EH/(1−ν²)·e/area in every place
//! Law         with the weights c = Ku of each step, η = c·u is twice the elongation between two steps, 2e⁻ = c·u⁻ and 2e⁺ = c·u⁺ exactly.
//!             f = (EA/L)·½(e⁺ + e⁻) = (EA/L)(½η⁻ + ¼d). Nothing has to be kept: ψ = √(2V) is a quadratic form, and never drifts
//! Energy      stored ½(EA/L)(e⁺)²
//! Symbols     EA axial stiffness \[N\], L length \[m\], H thickness \[m\], f the tension that is added \[N\], of a membrane \[N/m\]
//! Allocates   no
//! Reference   Kirchhoff (1876); Carrier (1945); Berger (1955) for areas; Bilbao (2009), sec. 8.1 and 13.2

use crate::model::{AffineLaw, LawState};

#[derive(Clone, Copy, Debug)]
pub(crate) struct TensionLaw {
    /// Tension per stretch: EA/L \[N/m\], or EH/((1−ν²)·area) \[N/m³\].
    pub stiffness: f64,
}

impl LawState for TensionLaw {
    #[inline(always)]
    fn affine(&mut self, _eta: f64, eta_prev: f64) -> AffineLaw {
        AffineLaw { p: 0.5 * self.stiffness * eta_prev, q: 0.25 * self.stiffness, ..AffineLaw::default() }
    }

    fn boxed(&self) -> Box<dyn LawState> {
        Box::new(*self)
    }

    fn energy(&self, eta_next: f64, _eta: f64) -> f64 {
        0.5 * self.stiffness * (0.5 * eta_next).powi(2)
    }
}
