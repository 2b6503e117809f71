//! A finger: a spring and a damper to a fixed point, with stiffness, damping and place that change in time.
//!
//! Law         f = ½(K⁺μ₊η + K⁻μ₋η) + R·δt·η: p = ¼(K⁺ + K⁻)(η + η⁻), q = ¼K⁺, r = R; K± at n ± ½
//! Energy      H = ½K⁺(μ₊η)², lost R(δt·η)²; supplied by the player ½(K⁺ − K⁻)μ₊η·μ₋η per step for pressing, and
//!             ½K⁻((μ₋η)² − (μ₋η before)²) for moving to another place, −½K⁻(μ₋η)² for leaving
//! Symbols     K stiffness \[N/m\], R resistance \[N·s/m\], μ± mean of η over the step ahead or behind

use crate::model::{AffineLaw, LawState, SolvedStep};

/// A finger on one row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FingerLaw {
    /// K⁺ and K⁻ \[N/m\].
    pub stiffness_next: f64,
    pub stiffness_prev: f64,
    /// R \[N·s/m\].
    pub resistance: f64,
    /// μ₊η of the last step \[m\], at the place of that step.
    mean_eta: f64,
    /// Work done by moving, this step \[J\].
    moving_work: f64,
    /// Work of the player in the last step \[J\].
    pub supplied: f64,
}

impl LawState for FingerLaw {
    #[inline(always)]
    fn affine(&mut self, eta: f64, eta_prev: f64) -> AffineLaw {
        let mean = 0.5 * (eta + eta_prev);
        self.moving_work = 0.5 * self.stiffness_prev * (mean - self.mean_eta) * (mean + self.mean_eta);
        let p = if self.is_lifted() { 0.0 } else { 0.5 * (self.stiffness_next + self.stiffness_prev) * mean };
        AffineLaw { r: self.resistance, p, q: 0.25 * self.stiffness_next, ..AffineLaw::default() }
    }

    fn boxed(&self) -> Box<dyn LawState> {
        Box::new(*self)
    }

    fn advance(&mut self, step: &SolvedStep) {
        let sum = step.eta + step.eta_prev;
        let (behind, ahead) = (0.5 * sum, 0.5 * (sum + step.d));
        let pressed = (self.stiffness_next - self.stiffness_prev) * if self.is_lifted() { behind } else { ahead };
        self.supplied = self.moving_work + 0.5 * pressed * behind;
        self.mean_eta = ahead;
    }

    fn energy(&self, _eta_next: f64, _eta: f64) -> f64 {
        0.5 * self.stiffness_next * self.mean_eta * self.mean_eta
    }

    /// The pressure stays.
    fn reset(&mut self, eta: f64, eta_prev: f64) {
        (self.mean_eta, self.moving_work, self.supplied) = (0.5 * (eta + eta_prev), 0.0, 0.0);
    }
}

impl FingerLaw {
    /// Whether it is lifted in this step: its force is then 0 and its energy leaves with it.
    fn is_lifted(&self) -> bool {
        self.stiffness_next == 0.0 && self.resistance == 0.0
    }
}
