//! A row of the contact network: one scalar contact and its law.
//!
//! Law         f = p + q·d,  p = gψ + (constant),  q = g²/4 + r/2k + (slope)
//! Alone       f = (p + q·d₀)/(1 + Bq),  d = (d₀ − Bp)/(1 + Bq)
//! Symbols     d = η⁺ − η⁻ \[m\], d₀ the same without contact forces, B compliance \[m/N\], f force \[N\]

use crate::contact::stencil::{RowStencil, StencilPool};
use crate::element::state::{State, flush};
use crate::interaction::law::RowLaw;
use crate::model::{AffineLaw, SolvedStep};

/// Limit of Bq for the slopes of collisions and connections. Beyond it a contact is rigid within a step, and where several act
/// against each other rounding dominates the sum of their forces. It also applies to uncoupled rows, so that a contact does not
/// depend on what else is in the scene.
const MAX_ROW_STIFFNESS: f64 = 2e3;
/// Bg²/4 above which ψ follows from the work.
const WORK_STIFFNESS: f64 = 50.0;
/// A contact is short if its potential at `SHORT_CONTACT_RATIO` times its largest motion per step exceeds its energy.
const SHORT_CONTACT_RATIO: f64 = 1.8;

/// Limits of Bq for springs coupled to other rows, linear and cubic: their slope is given by the law, so stiffer ones are refused. The
/// slope of a cubic spring is taken at η: a step that crosses several times the elongation at which it stores all energy would
/// produce forces far above any physical one.
pub(crate) const MAX_COUPLED_STIFFNESS: [f64; 2] = [1e5, 16.0];
/// The same for uncoupled springs.
pub(crate) const MAX_UNCOUPLED_STIFFNESS: [f64; 2] = [f64::INFINITY, 1e6];

/// One scalar contact: its law and its kinematics. Three cache lines; an open contact uses only the first.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Row {
    /// ψ at n − ½.
    pub psi: f64,
    /// η at n \[m\].
    pub eta: f64,
    /// η at n − 1 \[m\].
    pub eta_prev: f64,
    /// η − η⁻ \[m\].
    pub eta_step: f64,
    /// η⁺ − η⁻ without contact forces \[m\].
    pub d_free: f64,
    /// η⁺ − η⁻ \[m\].
    pub d: f64,
    /// Force \[N\].
    pub force: f64,
    /// The contact is open for η up to this value \[m\]; −∞ for two-sided laws, ∞ for rows that are suspended.
    open_below: f64,
    /// Diagonal entry of B \[m/N\].
    pub compliance: f64,
    pub affine: AffineLaw,
    /// Energy dissipated in the step, without that of r \[J\].
    pub dissipated: f64,
    /// The d for which the slope was chosen \[m\]; infinite before the first correction.
    pub d_assumed: f64,
    pub law: RowLaw,
    /// Index of its block.
    pub block: u32,
    /// Largest slope g.
    slope_limit: f32,
}

impl Row {
    pub fn new(law: RowLaw, block: u32) -> Self {
        Self {
            psi: 0.0,
            eta: 0.0,
            eta_prev: 0.0,
            eta_step: 0.0,
            d_free: 0.0,
            d: 0.0,
            force: 0.0,
            open_below: open_below(&law),
            compliance: 0.0,
            affine: AffineLaw::default(),
            dissipated: 0.0,
            d_assumed: f64::INFINITY,
            law,
            block,
            slope_limit: f32::INFINITY,
        }
    }

    /// Reads d₀ after the prediction. Returns whether the row has to be solved; if not, force and d are set.
    #[inline(always)]
    pub fn predict(&mut self, stencil: &RowStencil, pool: &StencilPool, state: &State) -> bool {
        self.d_free = stencil.predict(self.eta_step, pool, state);
        let open = self.stays_separated_freely();
        if open {
            (self.force, self.d) = (0.0, self.d_free);
        }
        !open
    }

    /// Whether it stores nothing and stays open in this step without contact forces: most collisions, most of the time.
    #[inline(always)]
    pub fn stays_separated_freely(&self) -> bool {
        self.is_separated() && self.eta_prev + self.d_free <= self.open_below
    }

    /// Whether it stores nothing and is open at n and n − 1.
    #[inline(always)]
    pub fn is_separated(&self) -> bool {
        self.psi == 0.0 && self.eta <= self.open_below && self.eta_prev <= self.open_below
    }

    /// Whether it stores nothing and is open at n + 1 too, with d of the last solve.
    #[inline(always)]
    pub fn stays_separated(&self) -> bool {
        self.is_separated() && self.eta_prev + self.d <= self.open_below
    }

    /// Takes it out of the network: without energy and open at any η, it has no force.
    pub fn suspend(&mut self) {
        (self.psi, self.force, self.dissipated, self.open_below) = (0.0, 0.0, 0.0, f64::INFINITY);
    }

    /// Puts it back.
    pub fn resume(&mut self) {
        self.open_below = open_below(&self.law);
    }

    pub fn is_suspended(&self) -> bool {
        self.open_below == f64::INFINITY
    }

    /// Whether it is a bow whose friction is solved for the slip.
    #[inline(always)]
    pub fn has_friction_curve(&self) -> bool {
        matches!(&self.law, RowLaw::Bow(bow) if bow.has_friction_curve())
    }

    /// Whether it was inactive in the last step.
    #[inline(always)]
    pub fn is_idle(&self) -> bool {
        self.stays_separated() && self.force == 0.0
    }

    /// Whether it is open at n + ½, the time of ψ⁺: ½(η⁺ + η) ≤ 0.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.eta + (self.eta_prev + self.d) <= 2.0 * self.open_below
    }

    /// If it closed in the last step: the number of samples the contact would last without other forces.
    pub fn contact_samples(&self) -> Option<f64> {
        let RowLaw::Collision(law) = &self.law else { return None };
        let half = 0.5 * (self.d + self.compliance * self.force);
        let closes = self.force > 0.0 && self.eta_prev <= self.open_below && half > 0.0;
        closes.then(|| law.contact_samples(half, self.compliance))
    }

    /// Begins a step: η becomes η⁻, and η follows from d of the last step.
    #[inline(always)]
    pub fn begin_step(&mut self) {
        let (eta_prev, eta_step) = (self.eta, self.d - self.eta_step);
        (self.eta, self.eta_prev, self.eta_step) = (eta_prev + eta_step, eta_prev, eta_step);
    }

    /// Sets the law for this sample with the plain slope.
    #[inline(always)]
    pub fn prepare_law(&mut self, half_rate: f64) {
        self.affine = if self.is_separated() { AffineLaw::default() } else { self.law.affine(self.eta, self.eta_prev) };
        // `plain` and `newton` get a wider limit: they do not choose their slopes.
        let limit = 20.0 * self.slope_limit();
        self.affine.g = self.affine.g.min(limit);
        if self.law.is_one_sided() {
            self.affine.r = self.affine.r.min(0.25 * limit * limit / half_rate);
        }
    }

    /// (p, q) of this sample.
    #[inline]
    pub fn constant_and_slope(&self, half_rate: f64) -> (f64, f64) {
        let AffineLaw { g, r, p, q } = self.affine;
        (g * self.psi + p, 0.25 * g * g + half_rate * r + q)
    }

    /// Force and displacement of a row that is coupled to no other.
    #[inline(always)]
    pub fn solve_uncoupled(&mut self, half_rate: f64) {
        let (p, q) = self.constant_and_slope(half_rate);
        let AffineLaw { g, r, q: other, .. } = self.affine;
        // 1 + Bq, summed in the order in which the terms become available.
        let stiffness = (1.0 + self.compliance * (half_rate * r + other)) + g * g * (0.25 * self.compliance);
        // Independent of d₀ of this sample.
        let share = 1.0 / stiffness;
        self.force = (p + q * self.d_free) * share;
        self.d = (self.d_free - self.compliance * p) * share;
    }

    /// Updates the limits that depend on its compliance.
    pub fn set_limits(&mut self) {
        let limit = (2.0 * (MAX_ROW_STIFFNESS / self.compliance).sqrt()) as f32;
        if limit == self.slope_limit {
            return;
        }
        self.slope_limit = limit;
        if let RowLaw::Collision(law) = &mut self.law {
            let root = self.compliance.sqrt();
            law.short_threshold = law.potential.short_contact_motion(SHORT_CONTACT_RATIO, root).powi(2);
            law.crossings_per_metre = law.potential.crossings_per_metre(root);
        }
    }

    /// Largest slope g.
    #[inline(always)]
    pub fn slope_limit(&self) -> f64 {
        f64::from(self.slope_limit)
    }

    /// Residual of its law, p + q·d − f \[N\].
    #[inline]
    pub fn law_residual(&self, half_rate: f64) -> f64 {
        let (p, q) = self.constant_and_slope(half_rate);
        (p + q * self.d) - self.force
    }

    /// The last solve, for its law.
    #[inline(always)]
    pub fn solved_step(&self, half_rate: f64) -> SolvedStep {
        let Self { eta, eta_prev, d, force, psi, compliance, .. } = *self;
        SolvedStep { eta, eta_prev, d, force, psi, compliance, half_rate }
    }

    /// ψ⁺ = ψ + g d/2.
    #[inline]
    pub fn psi_next(&self) -> f64 {
        self.psi + 0.5 * self.affine.g * self.d
    }

    /// ψ⁺ of the last solve; of stiff rows by ψ⁺² = ψ² + f·d. Where their forces oppose each other d has digits that the forces do not
    /// resolve, and by ψ + gd/2 a row would store what no force has done.
    #[inline(always)]
    pub fn psi_after_work(&self) -> f64 {
        let AffineLaw { g, r, p, q } = self.affine;
        let is_stiff = 0.25 * g * g * self.compliance > WORK_STIFFNESS;
        let ahead = self.psi_next();
        if is_stiff && [r, p, q] == [0.0; 3] { root_of_work(self, ahead) } else { ahead }
    }

    /// Applies its force and advances ψ: for schemes that do not correct ψ.
    #[inline(always)]
    pub fn apply_force(&mut self, stencil: &RowStencil, pool: &StencilPool, state: &mut State, half_rate: f64) {
        stencil.apply_force(self.force, pool, state);
        self.psi = flush(self.psi_next());
        let step = self.solved_step(half_rate);
        self.law.advance(&step);
    }
}

/// The largest η at which a contact with this law is open \[m\].
fn open_below(law: &RowLaw) -> f64 {
    if law.is_one_sided() { 0.0 } else { f64::NEG_INFINITY }
}

#[cold]
fn root_of_work(row: &Row, ahead: f64) -> f64 {
    (row.psi * row.psi + row.force * row.d).max(0.0).sqrt().copysign(ahead)
}

#[cfg(test)]
mod tests {
    use crate::contact::row::Row;

    #[test]
    fn a_row_takes_three_cache_lines() {
        assert_eq!(std::mem::size_of::<Row>(), 192);
    }
}
