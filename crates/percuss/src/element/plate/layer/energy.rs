//! The energy of a plate's touches, in vectors: see `layer` for the equations.
//!
//! Sums        Σ m(4κ⁺μ₊u² + γ⁺du⁺²),  Σ mς(du⁺ + du)²,  Σ m[4(κ⁺ − κ⁻)μ₊u μ₋u − (γ⁺ − γ⁻)du⁺du], m the mass of a node in
//!             cells; all of them times ½ρHh²/k² are energies
//! Allocates   no

use crate::element::plate::energy::weights::PlateWeights;
use crate::element::plate::layer::kernel::{LayerStep, VectorLoad};
use crate::element::plate::layer::loads::Loads;
use crate::element::simd::{Divide, Kernel, Shift, mul_add, vectors};
use pulp::Simd;

/// Sums over all touches and nodes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LayerSums {
    pub stored: f64,
    pub dissipated: f64,
    pub touch_work: f64,
}

/// The summation kernel.
pub(crate) struct LayerSumKernel<'a> {
    pub layer_step: LayerStep<'a>,
    pub weights: &'a PlateWeights,
    /// u, du⁺ and du.
    pub fields: [&'a [f64]; 3],
    pub sums: &'a mut LayerSums,
}

impl Kernel for LayerSumKernel<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, _: H) {
        let mut total = [simd.splat_f64s(0.0); 3];
        for row in 0..self.layer_step.pressed.len() {
            let sums = match (self.layer_step.spans_update(), self.layer_step.loads) {
                (false, Loads::Single { .. }) => self.row::<S, false, false>(simd, row),
                (false, Loads::Multiple(_)) => self.row::<S, false, true>(simd, row),
                (true, Loads::Single { .. }) => self.row::<S, true, false>(simd, row),
                (true, Loads::Multiple(_)) => self.row::<S, true, true>(simd, row),
            };
            for (total, sum) in total.iter_mut().zip(sums) {
                *total = simd.add_f64s(*total, sum);
            }
        }
        let [stored, dissipated, touch_work] = total;
        *self.sums = LayerSums {
            stored: simd.reduce_sum_f64s(stored),
            dissipated: simd.reduce_sum_f64s(dissipated),
            touch_work: simd.reduce_sum_f64s(touch_work),
        };
    }
}

impl LayerSumKernel<'_> {
    /// Sums up a row: stored, lost, worked.
    #[inline(always)]
    fn row<S: Simd, const ACROSS_UPDATE: bool, const MULTIPLE: bool>(&self, simd: S, row: usize) -> [S::f64s; 3] {
        let (pressed_nodes, start) = (self.layer_step.pressed_nodes(row), self.layer_step.nodes.origin);
        let (nodes, count) =
            (start + pressed_nodes.start..start + pressed_nodes.end, pressed_nodes.len() / S::F64_LANES);
        let [u, du, old] = self.fields;
        let (u, du) = (&vectors::<S>(&u[nodes.clone()])[..count], &vectors::<S>(&du[nodes.clone()])[..count]);
        let old = &vectors::<S>(&old[nodes])[..count];
        let blocks = self.layer_step.pressed[row].clone();
        let mass = &vectors::<S>(&self.weights.mass(row)[blocks])[..count];
        let (two, neg_two) = (simd.splat_f64s(2.0), simd.splat_f64s(-2.0));
        let (sigma0, k) =
            (simd.splat_f64s(self.layer_step.constants.sigma0), simd.splat_f64s(self.layer_step.constants.k));
        let [mut stored, mut dissipated, mut touch_work] = [simd.splat_f64s(0.0); 3];
        let layer_vectors = self.layer_step.layer_vectors(simd, pressed_nodes);
        for i in 0..count {
            let VectorLoad { mass: added_mass, stiffness: added_stiffness, damping } =
                layer_vectors.load_at::<ACROSS_UPDATE, MULTIPLE>(i);
            let drag = mul_add(simd, added_mass.now, simd.add_f64s(damping, sigma0), damping);
            // Twice μ₊u, and minus twice μ₋u.
            let (twice_mean_next, neg_twice_mean_last) =
                (mul_add(simd, two, u[i], du[i]), mul_add(simd, neg_two, u[i], old[i]));
            let du_sum = simd.add_f64s(du[i], old[i]);
            let kinetic =
                simd.mul_f64s(simd.add_f64s(added_mass.mean, added_mass.half_difference), simd.mul_f64s(du[i], du[i]));
            let node_energy = mul_add(
                simd,
                simd.add_f64s(added_stiffness.mean, added_stiffness.half_difference),
                simd.mul_f64s(twice_mean_next, twice_mean_next),
                kinetic,
            );
            let mass_work = simd.mul_f64s(added_mass.half_difference, simd.mul_f64s(du[i], old[i]));
            let node_work = mul_add(
                simd,
                added_stiffness.half_difference,
                simd.mul_f64s(twice_mean_next, neg_twice_mean_last),
                mass_work,
            );
            stored = mul_add(simd, mass[i], node_energy, stored);
            let loss = simd.mul_f64s(drag, simd.mul_f64s(du_sum, du_sum));
            dissipated = mul_add(simd, simd.mul_f64s(k, mass[i]), loss, dissipated);
            touch_work = mul_add(simd, simd.mul_f64s(neg_two, mass[i]), node_work, touch_work);
        }
        [stored, dissipated, touch_work]
    }
}
