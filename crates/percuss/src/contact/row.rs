//! A row of the contact network: one scalar contact and its law.
//!
//! Law         f = p + q·d,  p = gψ + (constant),  q = g²/4 + r/2k + (slope)
//! Alone       f = (p + q·d₀)/(1 + Bq),  d = (d₀ − Bp)/(1 + Bq)
//! Symbols     d = η⁺ − η⁻ \[m\], d₀ the same without contact forces, B compliance \[m/N\], f force \[N\]

use crate::contact::stencil::{RowStencil, StencilPool};
use crate::element::state::{State, flush};
use crate::interaction::affine::Affine;
use crate::interaction::law::RowLaw;

/// Largest Bq of the slopes of collisions and connections. They are rigid within a step anyway; where stiffer ones push against
/// each other, the sum of their forces has no digits left. Rows that are coupled to no other are held to it too: a contact
/// moves alike whatever is beside it.
const STIFFEST_ROW: f64 = 2e3;
/// Compression against the motion of a step up to which a contact is short: what it would hold there is more than its energy.
pub(crate) const SHORT: f64 = 1.8;

/// Largest Bq of springs coupled to other rows, linear and cubic, whose law leaves no choice: stiffer ones are refused. The slope
/// of a cubic one is taken at η alone: where a step crosses a multiple of the elongation that holds all energy, its force is far
/// above any that belongs to that energy.
pub(crate) const STIFFEST_BESIDE_OTHERS: [f64; 2] = [1e5, 16.0];
/// The same for springs that are coupled to no other row: only their own digits are at stake.
pub(crate) const STIFFEST_ALONE: [f64; 2] = [f64::INFINITY, 1e6];

/// One scalar contact: a law and what it sees of the elements. Three cache lines, of which an open contact needs the first.
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
    /// The η up to which it is open \[m\]: below all others for a law that holds on both sides.
    open_below: f64,
    /// Own entry of B \[m/N\].
    pub compliance: f64,
    pub affine: Affine,
    /// Energy lost to the law's own loss in the step, beside that of r \[J\].
    pub lost: f64,
    /// The d at which the slope was aimed \[m\]; infinite before.
    pub aimed_at: f64,
    pub law: RowLaw,
    /// Its block.
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
            open_below: if law.is_one_sided() { 0.0 } else { f64::NEG_INFINITY },
            compliance: 0.0,
            affine: Affine::default(),
            lost: 0.0,
            aimed_at: f64::INFINITY,
            law,
            block,
            slope_limit: f32::INFINITY,
        }
    }

    /// Reads d₀, after the prediction, and says whether there may be something to solve: an open row has force and d.
    #[inline(always)]
    pub fn predict(&mut self, stencil: &RowStencil, pool: &StencilPool, state: &State) -> bool {
        self.d_free = stencil.predict(self.eta_step, pool, state);
        let open = self.stays_open();
        if open {
            (self.force, self.d) = (0.0, self.d_free);
        }
        !open
    }

    /// Whether it holds nothing and, if nothing pushes it, meets nothing this step: most collisions, most of the time.
    #[inline(always)]
    pub fn stays_open(&self) -> bool {
        self.is_clear() && self.eta_prev + self.d_free <= self.open_below
    }

    /// Whether it holds nothing and has been open since the step before: its law is void, for now.
    #[inline(always)]
    pub fn is_clear(&self) -> bool {
        self.psi == 0.0 && self.eta <= self.open_below && self.eta_prev <= self.open_below
    }

    /// Whether it holds nothing and meets nothing by the end of the step, with d as it was solved last.
    #[inline(always)]
    pub fn stays_clear(&self) -> bool {
        self.is_clear() && self.eta_prev + self.d <= self.open_below
    }

    /// Whether it held, met and did nothing in the step just taken.
    #[inline(always)]
    pub fn is_idle(&self) -> bool {
        self.stays_clear() && self.force == 0.0
    }

    /// Whether it is open half-way through the step just taken, where ψ⁺ belongs: ½(η⁺ + η) ≤ 0.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.eta + (self.eta_prev + self.d) <= 2.0 * self.open_below
    }

    /// Where it closes in the step just taken, how many samples it would last undisturbed.
    pub fn contact_length(&self) -> Option<f64> {
        let RowLaw::Collision(law) = &self.law else { return None };
        let half = 0.5 * (self.d + self.compliance * self.force);
        let closes = self.force > 0.0 && self.eta_prev <= self.open_below && half > 0.0;
        closes.then(|| law.contact_length(half, self.compliance))
    }

    /// Moves on to this step: η is now η⁻, and of d = η⁺ − η⁻ the part up to η is known.
    #[inline(always)]
    pub fn begin_step(&mut self) {
        let (eta_prev, eta_step) = (self.eta, self.d - self.eta_step);
        (self.eta, self.eta_prev, self.eta_step) = (eta_prev + eta_step, eta_prev, eta_step);
    }

    /// Sets the law for this sample, with the plain slope.
    #[inline(always)]
    pub fn prepare(&mut self, half_rate: f64) {
        self.affine = if self.is_clear() { Affine::default() } else { self.law.affine(self.eta, self.eta_prev) };
        // The schemes of the literature keep their slopes as long as there are digits.
        let limit = 20.0 * self.slope_limit();
        self.affine.g = self.affine.g.min(limit);
        if self.law.is_one_sided() {
            self.affine.r = self.affine.r.min(0.25 * limit * limit / half_rate);
        }
    }

    /// (p, q) of this sample.
    #[inline]
    pub fn law_at(&self, half_rate: f64) -> (f64, f64) {
        let Affine { g, r, p, q } = self.affine;
        (g * self.psi + p, 0.25 * g * g + half_rate * r + q)
    }

    /// Force and displacement of a row that is coupled to no other.
    #[inline(always)]
    pub fn solve_alone(&mut self, half_rate: f64) {
        let (p, q) = self.law_at(half_rate);
        let Affine { g, r, q: other, .. } = self.affine;
        // 1 + Bq, in the order in which its parts are known: the slope comes last.
        let stiffness = (1.0 + self.compliance * (half_rate * r + other)) + g * g * (0.25 * self.compliance);
        // A factor that does not wait for d₀ of this sample.
        let share = 1.0 / stiffness;
        self.force = (p + q * self.d_free) * share;
        self.d = (self.d_free - self.compliance * p) * share;
    }

    /// Sets what follows from its compliance: the largest slope, and when a contact is short.
    pub fn set_limits(&mut self) {
        let limit = (2.0 * (STIFFEST_ROW / self.compliance).sqrt()) as f32;
        if limit == self.slope_limit {
            return;
        }
        self.slope_limit = limit;
        if let RowLaw::Collision(law) = &mut self.law {
            law.short_above = law.potential.reach_above(SHORT, self.compliance.sqrt()).powi(2);
        }
    }

    /// Largest slope g.
    #[inline(always)]
    pub fn slope_limit(&self) -> f64 {
        f64::from(self.slope_limit)
    }

    /// p + q·d − f: what its force misses of its law \[N\].
    #[inline]
    pub fn missing_force(&self, half_rate: f64) -> f64 {
        let (p, q) = self.law_at(half_rate);
        (p + q * self.d) - self.force
    }

    /// ψ⁺ = ψ + g d/2.
    #[inline]
    pub fn psi_next(&self) -> f64 {
        self.psi + 0.5 * self.affine.g * self.d
    }

    /// Pushes the nodes and moves on, for a scheme that leaves ψ where the slope has taken it.
    #[inline(always)]
    pub fn push(&mut self, stencil: &RowStencil, pool: &StencilPool, state: &mut State) {
        stencil.push(self.force, pool, state);
        self.law.advance(self.eta, self.eta_prev, self.d, self.force);
        self.psi = flush(self.psi_next());
    }
}

#[cfg(test)]
mod tests {
    use crate::contact::row::Row;

    #[test]
    fn a_row_takes_three_cache_lines() {
        assert_eq!(std::mem::size_of::<Row>(), 192);
    }
}
