//! The account of a string or bar, in the widest vectors the machine has.
//!
//! Energy      H = ½ρAh Σ m(du/k)² + ½T/h Σ s(Δ₁u)(Δ₁u⁻) + ½EI/h³ Σ w c c⁻ − ½ρAσ₁/(hk) Σ s(Δ₁du)²   (c second differences)
//!             at u⁻, which the state has between steps, and u = u⁻ + du
//! Loss        k·Q = ½(ρA/k)[σ₀h Σ m(du⁺ + du)² + σ₁/h Σ s(Δ₁(du⁺ + du))²]
//! Ends        a free one has m = ½ and w = 0; one that does not move adds the interval next to it, and 2u₁u₁⁻ where it is
//!             clamped
//! Allocates   only in `Weights::new`

use super::line::Line;
use super::vectors::{Divide, Field, Kernel, LANES, Shift, field, run, vectors, whole_blocks};
use super::{Balance, State};
use crate::model::End;
use pulp::Simd;

/// Weights of what begins at a moving node.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// m.
    mass: Field,
    /// s of the interval to the right.
    side: Field,
    /// w.
    curve: Field,
}

impl Weights {
    pub fn new(count: usize, ends: [End; 2]) -> Self {
        let [mut mass, mut side, mut curve] = [(); 3].map(|()| field(whole_blocks(count)));
        for weights in [&mut mass, &mut side, &mut curve] {
            weights[..count].fill(1.0);
        }
        for (node, end) in [0, count - 1].into_iter().zip(ends) {
            if end == End::Free {
                (mass[node], curve[node]) = (0.5, 0.0);
            }
        }
        if ends[1] == End::Free {
            side[count - 1] = 0.0;
        }
        Self { mass, side, curve }
    }
}

/// Sums over a line.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    kinetic: f64,
    friction: f64,
    stretch: f64,
    lag: f64,
    shear: f64,
    bend: f64,
}

/// What is to be summed.
struct Tally<'a> {
    weights: &'a Weights,
    /// u, du and the du before, with a block of zeros beside the nodes at either end.
    fields: [&'a [f64]; 3],
    sums: &'a mut Sums,
}

impl Kernel for Tally<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, _: H) {
        let nodes = self.weights.mass.len();
        let count = nodes / S::F64_LANES;
        let [left, here, right] =
            [LANES - 1, LANES, LANES + 1].map(|at| self.fields.map(|x| &vectors::<S>(&x[at..][..nodes])[..count]));
        let Weights { mass, side, curve } = self.weights;
        let [mass, side, curve] = [mass, side, curve].map(|of| &vectors::<S>(of)[..count]);
        let less = |a: S::f64s, b: S::f64s| simd.sub_f64s(a, b);
        let [mut kinetic, mut friction, mut stretch, mut lag, mut shear, mut bend] = [simd.splat_f64s(0.0); 6];
        let add = |sum: &mut S::f64s, weight: S::f64s, a: S::f64s, b: S::f64s| {
            *sum = simd.mul_add_f64s(simd.mul_f64s(weight, a), b, *sum);
        };
        for i in 0..count {
            let [u, du, old] = here.map(|x| x[i]);
            let both = simd.add_f64s(du, old);
            add(&mut kinetic, mass[i], du, du);
            add(&mut friction, mass[i], both, both);
            let [slope, step] = [less(right[0][i], u), less(right[1][i], du)];
            let sheared = less(simd.add_f64s(right[1][i], right[2][i]), both);
            add(&mut stretch, side[i], slope, simd.add_f64s(slope, step));
            add(&mut lag, side[i], step, step);
            add(&mut shear, side[i], sheared, sheared);
            let [bent, more] = [simd.add_f64s(less(left[0][i], u), slope), simd.add_f64s(less(left[1][i], du), step)];
            add(&mut bend, curve[i], bent, simd.add_f64s(bent, more));
        }
        let sums = [kinetic, friction, stretch, lag, shear, bend].map(|lanes| simd.reduce_sum_f64s(lanes));
        let [kinetic, friction, stretch, lag, shear, bend] = sums;
        *self.sums = Sums { kinetic, friction, stretch, lag, shear, bend };
    }
}

impl Line {
    fn sums(&self, state: &State) -> Sums {
        let around = self.start - LANES..self.start + whole_blocks(self.count) + LANES;
        let fields = [&state.u, &state.du, &state.du_before].map(|x| &x[around.clone()]);
        let mut sums = Sums::default();
        run(state.arch, Tally { weights: &self.weights, fields, sums: &mut sums });
        let [left, right] = self.material.ends;
        let [u, du, old] = fields.map(|x| x[LANES]);
        if left != End::Free {
            sums.stretch += u * (u + du);
            sums.lag += du * du;
            sums.shear += (du + old) * (du + old);
        }
        for (end, node) in [(left, LANES), (right, LANES + self.count - 1)] {
            if end == End::Clamped {
                sums.bend += 2.0 * fields[0][node] * (fields[0][node] + fields[1][node]);
            }
        }
        sums
    }

    /// The account after a step.
    pub fn balance(&self, state: &State, k: f64) -> Balance {
        let (m, h) = (&self.material, self.grid.spacing);
        let Sums { kinetic, friction, stretch, lag, shear, bend } = self.sums(state);
        let density = m.line_density;
        let parts = [
            0.5 * density * h / (k * k) * kinetic,
            0.5 * m.tension / h * stretch,
            0.5 * m.bending / h.powi(3) * bend,
            -0.5 * density * m.sigma1 / (h * k) * lag,
        ];
        Balance {
            stored: parts.iter().sum(),
            magnitude: parts.iter().map(|part| part.abs()).sum(),
            lost: 0.5 * density / k * (m.sigma0 * h * friction + m.sigma1 / h * shear),
            ..Balance::default()
        }
    }
}
