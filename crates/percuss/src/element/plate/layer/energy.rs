//! The energy of a plate's touches, in vectors: see `layer` for the equations.
//!
//! Sums        Σ m(4κ⁺μ₊u² + γ⁺du⁺²),  Σ mς(du⁺ + du)²,  Σ m[4(κ⁺ − κ⁻)μ₊u μ₋u − (γ⁺ − γ⁻)du⁺du], m the mass of a node in
//!             cells; all of them times ½ρHh²/k² are energies
//! Allocates   no

use crate::element::plate::energy::sums::PlateWeights;
use crate::element::plate::layer::kernel::{LayerStep, VectorLoad};
use crate::element::plate::layer::loads::Loads;
use crate::element::simd::{Divide, Kernel, Shift, vectors};
use pulp::Simd;

/// Sums over all touches and nodes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LayerSums {
    pub stored: f64,
    pub lost: f64,
    pub touch_work: f64,
}

/// The summation kernel.
pub(crate) struct LayerSumKernel<'a> {
    pub press: LayerStep<'a>,
    pub weights: &'a PlateWeights,
    /// u, du⁺ and du.
    pub fields: [&'a [f64]; 3],
    pub sums: &'a mut LayerSums,
}

impl Kernel for LayerSumKernel<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, _: H) {
        let mut total = [simd.splat_f64s(0.0); 3];
        for row in 0..self.press.pressed.len() {
            let sums = match (self.press.turns(), self.press.loads) {
                (false, Loads::One { .. }) => self.row::<S, false, false>(simd, row),
                (false, Loads::Many(_)) => self.row::<S, false, true>(simd, row),
                (true, Loads::One { .. }) => self.row::<S, true, false>(simd, row),
                (true, Loads::Many(_)) => self.row::<S, true, true>(simd, row),
            };
            for (total, sum) in total.iter_mut().zip(sums) {
                *total = simd.add_f64s(*total, sum);
            }
        }
        let [stored, lost, touch_work] = total;
        *self.sums = LayerSums {
            stored: simd.reduce_sum_f64s(stored),
            lost: simd.reduce_sum_f64s(lost),
            touch_work: simd.reduce_sum_f64s(touch_work),
        };
    }
}

impl LayerSumKernel<'_> {
    /// Sums up a row: stored, lost, worked.
    #[inline(always)]
    fn row<S: Simd, const TURN: bool, const MANY: bool>(&self, simd: S, row: usize) -> [S::f64s; 3] {
        let (within, start) = (self.press.within(row), self.press.nodes.origin);
        let (nodes, count) = (start + within.start..start + within.end, within.len() / S::F64_LANES);
        let [u, du, old] = self.fields;
        let (u, du) = (&vectors::<S>(&u[nodes.clone()])[..count], &vectors::<S>(&du[nodes.clone()])[..count]);
        let old = &vectors::<S>(&old[nodes])[..count];
        let blocks = self.press.pressed[row].clone();
        let mass = &vectors::<S>(&self.weights.mass(row)[blocks])[..count];
        let (two, minus_two) = (simd.splat_f64s(2.0), simd.splat_f64s(-2.0));
        let (sigma0, k) = (simd.splat_f64s(self.press.constants.sigma0), simd.splat_f64s(self.press.constants.k));
        let [mut stored, mut lost, mut touch_work] = [simd.splat_f64s(0.0); 3];
        let present = self.press.present(simd, within);
        for i in 0..count {
            let VectorLoad { mass: heavy, stiffness: stiff, damping } = present.load::<TURN, MANY>(i);
            let drag = simd.mul_add_f64s(heavy.now, simd.add_f64s(damping, sigma0), damping);
            // Twice μ₊u, and minus twice μ₋u.
            let (ahead, behind) = (simd.mul_add_f64s(two, u[i], du[i]), simd.mul_add_f64s(minus_two, u[i], old[i]));
            let both = simd.add_f64s(du[i], old[i]);
            let moving = simd.mul_f64s(simd.add_f64s(heavy.mean, heavy.swing), simd.mul_f64s(du[i], du[i]));
            let held = simd.mul_add_f64s(simd.add_f64s(stiff.mean, stiff.swing), simd.mul_f64s(ahead, ahead), moving);
            let given = simd.mul_f64s(heavy.swing, simd.mul_f64s(du[i], old[i]));
            let taken = simd.mul_add_f64s(stiff.swing, simd.mul_f64s(ahead, behind), given);
            stored = simd.mul_add_f64s(mass[i], held, stored);
            let rubbed = simd.mul_f64s(drag, simd.mul_f64s(both, both));
            lost = simd.mul_add_f64s(simd.mul_f64s(k, mass[i]), rubbed, lost);
            touch_work = simd.mul_add_f64s(simd.mul_f64s(minus_two, mass[i]), taken, touch_work);
        }
        [stored, lost, touch_work]
    }
}
