//! The update of a plate in its modes, in vectors. What is kept of a mode is U = λû, of which it needs no more, and dû.
//!
//! Push        dû ← dû + Σ pₛ·Xₛ(m)Yₛ(n)                          what has happened at the ports s since the update before
//! Update      U ← U + λ·dû,   dû⁺ = (a − dλ)·dû − (bλ + c)·U,   λ = λ(m) + λ(n): every coefficient is a part of the column and one of
//!             the row, which are added, since some machines add while they multiply
//! Predict     duₛ = Σ Xₛ(m)Yₛ(n)·dû⁺
//! Symbols     a, b, c, d: `decay`, `bending`, `tension` and `damping` of [`UpdateCoefficients`]; X, Y shapes of a port along and across rows
//! Allocates   no

use crate::element::coefficients::UpdateCoefficients;
use crate::element::simd::{Field, LANES, vectors, vectors_mut};
use crate::element::state::Increments;
use pulp::{Simd, WithSimd};
use std::cell::Cell;

/// Rows that are stepped side by side, where there are registers for them.
const ROWS_AT_ONCE: usize = 3;

/// The parts of the modes' coefficients that depend on the column alone, for every column; or on the row, for every row.
#[derive(Clone, Debug)]
pub(crate) struct AxisCoefficients {
    pub lambda: Field,
    /// Of a − dλ.
    decay: Field,
    /// Of −(bλ + c).
    stiffness: Field,
}

impl AxisCoefficients {
    /// Those of columns.
    pub fn of_columns(lambda: Field, coefficients: UpdateCoefficients) -> Self {
        Self::of_rows(lambda, UpdateCoefficients { decay: 0.0, tension: 0.0, ..coefficients })
    }

    /// Those of rows, with the part that is the same for all modes.
    pub fn of_rows(lambda: Field, UpdateCoefficients { decay, bending, damping, tension }: UpdateCoefficients) -> Self {
        let (mut decays, mut stiffnesses) = (lambda.clone(), lambda.clone());
        decays.iter_mut().for_each(|value| *value = decay - damping * *value);
        stiffnesses.iter_mut().for_each(|value| *value = -bending * *value - tension);
        Self { lambda, decay: decays, stiffness: stiffnesses }
    }

    fn fields(&self) -> [&[f64]; 3] {
        [&self.lambda, &self.decay, &self.stiffness]
    }
}

/// One update of all modes with S ports, at the first P of which forces act. Returns du⁺ at the ports.
pub(crate) struct ModalUpdate<'a, const S: usize, const P: usize> {
    /// Up to whole blocks.
    pub columns: &'a AxisCoefficients,
    pub rows: &'a AxisCoefficients,
    /// X, up to whole blocks, and Y of every port.
    pub shapes: [[&'a [f64]; 2]; S],
    pub pushes: [f64; P],
    /// U.
    pub u: &'a mut [f64],
    pub du: Increments<'a>,
}

impl<const S: usize, const P: usize> WithSimd for ModalUpdate<'_, S, P> {
    type Output = [f64; S];

    #[inline(always)]
    fn with_simd<V: Simd>(self, simd: V) -> [f64; S] {
        let Self { columns, rows, shapes, pushes, u, mut du } = self;
        let lambda = vectors::<V>(&columns.lambda);
        let cut = |field| &vectors::<V>(field)[..lambda.len()];
        let (mut along, mut pushed) = ([lambda; S], [simd.splat_f64s(0.0); P]);
        for s in 0..S {
            along[s] = cut(shapes[s][0]);
        }
        for p in 0..P {
            pushed[p] = simd.splat_f64s(pushes[p]);
        }
        let [old, new] = du.vectors::<V>();
        let mut work = ModalWork {
            simd,
            columns: [lambda, cut(&columns.decay), cut(&columns.stiffness)],
            rows: rows.fields(),
            along,
            shapes,
            pushes: pushed,
            u: Cell::from_mut(vectors_mut::<V>(u)).as_slice_of_cells(),
            old,
            new,
            port_du: [simd.splat_f64s(0.0); S],
        };
        let rows_at_once = if V::F64_LANES < LANES { 1 } else { ROWS_AT_ONCE };
        let (mut row, count) = (0, rows.lambda.len());
        while row + rows_at_once <= count {
            if rows_at_once == 1 {
                work.step::<1>(row)
            } else {
                work.step::<ROWS_AT_ONCE>(row)
            };
            row += rows_at_once;
        }
        for row in row..count {
            work.step::<1>(row);
        }
        let mut port_du = [0.0; S];
        for (port_du, sum) in port_du.iter_mut().zip(work.port_du) {
            *port_du = simd.reduce_sum_f64s(sum);
        }
        port_du
    }
}

/// The update on its way through the rows.
struct ModalWork<'a, V: Simd, const S: usize, const P: usize> {
    simd: V,
    columns: [&'a [V::f64s]; 3],
    rows: [&'a [f64]; 3],
    along: [&'a [V::f64s]; S],
    shapes: [[&'a [f64]; 2]; S],
    pushes: [V::f64s; P],
    u: &'a [Cell<V::f64s>],
    old: &'a [Cell<V::f64s>],
    new: &'a [Cell<V::f64s>],
    port_du: [V::f64s; S],
}

impl<V: Simd, const S: usize, const P: usize> ModalWork<'_, V, S, P> {
    /// R rows side by side, which share what they read.
    #[inline(always)]
    fn step<const R: usize>(&mut self, row: usize) {
        let Self { simd, columns, along, pushes, mut port_du, .. } = *self;
        let (width, zero) = (columns[0].len(), simd.splat_f64s(0.0));
        let (mut u, mut old, mut new) = ([self.u; R], [self.old; R], [self.new; R]);
        let (mut parts, mut across) = ([[zero; 3]; R], [[zero; S]; R]);
        for r in 0..R {
            let from = (row + r) * width;
            u[r] = &self.u[from..][..width];
            old[r] = &self.old[from..][..width];
            new[r] = &self.new[from..][..width];
            for (part, rows) in parts[r].iter_mut().zip(self.rows) {
                *part = simd.splat_f64s(rows[row + r]);
            }
            for (across, shape) in across[r].iter_mut().zip(&self.shapes) {
                *across = simd.splat_f64s(shape[1][row + r]);
            }
        }
        for i in 0..width {
            // Read once: what is written below might be the same, for all the compiler knows.
            let ([lambda, decay, stiffness], mut shape) = ([columns[0][i], columns[1][i], columns[2][i]], [zero; S]);
            for s in 0..S {
                shape[s] = along[s][i];
            }
            let (mut pushed, mut row_sums) = ([zero; P], [zero; S]);
            for p in 0..P {
                pushed[p] = simd.mul_f64s(pushes[p], shape[p]);
            }
            for r in 0..R {
                let mut du = old[r][i].get();
                for p in 0..P {
                    du = simd.mul_add_e_f64s(across[r][p], pushed[p], du);
                }
                let displacement = simd.mul_add_e_f64s(simd.add_f64s(parts[r][0], lambda), du, u[r][i].get());
                u[r][i].set(displacement);
                let decayed = simd.mul_f64s(simd.add_f64s(parts[r][1], decay), du);
                let du_next = simd.mul_add_e_f64s(simd.add_f64s(parts[r][2], stiffness), displacement, decayed);
                new[r][i].set(du_next);
                for s in 0..S {
                    row_sums[s] = simd.mul_add_e_f64s(across[r][s], du_next, row_sums[s]);
                }
            }
            for s in 0..S {
                port_du[s] = simd.mul_add_e_f64s(shape[s], row_sums[s], port_du[s]);
            }
        }
        self.port_du = port_du;
    }
}

/// Applies the pending force of one port to the modes.
pub(crate) struct ApplyPending<'a> {
    pub shape: [&'a [f64]; 2],
    pub push: f64,
    pub du: &'a mut [f64],
}

impl WithSimd for ApplyPending<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<V: Simd>(self, simd: V) {
        let (along, across) = (vectors::<V>(self.shape[0]), self.shape[1]);
        for (du, across) in vectors_mut::<V>(self.du).chunks_exact_mut(along.len()).zip(across) {
            let push = simd.splat_f64s(self.push * across);
            for (du, &along) in du.iter_mut().zip(along) {
                *du = simd.mul_add_e_f64s(push, along, *du);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::simd::Machine;
    use crate::element::simd::{field, whole_blocks};
    use proptest::prelude::*;

    /// Random modes and two ports, of which one is pushed.
    struct ModalCase {
        coefficients: UpdateCoefficients,
        lambda: [Field; 2],
        shapes: [[Field; 2]; 2],
        u: Field,
        du: Field,
    }

    impl ModalCase {
        fn new([columns, rows]: [usize; 2], seed: u64) -> Self {
            let mut state = seed | 1;
            let mut noise = |length: usize, padded_length: usize| {
                let mut noise = field(padded_length);
                for value in noise.iter_mut().take(length) {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    *value = (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
                }
                noise
            };
            let padded_length = whole_blocks(columns);
            Self {
                coefficients: UpdateCoefficients { decay: 0.99, bending: 0.05, damping: 0.02, tension: 0.03 },
                lambda: [noise(columns, padded_length), noise(rows, rows)],
                shapes: [(); 2].map(|()| [noise(columns, padded_length), noise(rows, rows)]),
                u: noise(padded_length * rows, padded_length * rows),
                du: noise(padded_length * rows, padded_length * rows),
            }
        }

        const PUSH: f64 = 0.7;

        /// u, du and what the ports see, by the equations, mode by mode.
        fn plain(&self) -> Vec<f64> {
            let (UpdateCoefficients { decay, bending, damping, tension }, width) =
                (self.coefficients, self.lambda[0].len());
            let (mut u, mut du, mut port_du) = (self.u.to_vec(), self.du.to_vec(), [0.0; 2]);
            for mode in 0..u.len() {
                let (m, n) = (mode % width, mode / width);
                let shape = |port: usize| self.shapes[port][0][m] * self.shapes[port][1][n];
                let lambda = self.lambda[0][m] + self.lambda[1][n];
                let step = du[mode] + Self::PUSH * shape(0);
                u[mode] += lambda * step;
                du[mode] = (decay - damping * lambda) * step - (bending * lambda + tension) * u[mode];
                (0..2).for_each(|port| port_du[port] += shape(port) * du[mode]);
            }
            [u, du, port_du.to_vec()].concat()
        }

        /// The same by the kernel, in place or beside du.
        fn by_kernel(&self, keep_previous: bool, run: impl FnOnce(ModalUpdate<'_, 2, 1>) -> [f64; 2]) -> Vec<f64> {
            let (mut u, mut next, mut previous) = (self.u.clone(), self.du.clone(), self.du.clone());
            if keep_previous {
                next.fill(f64::NAN);
            }
            let port_du = run(ModalUpdate {
                columns: &AxisCoefficients::of_columns(self.lambda[0].clone(), self.coefficients),
                rows: &AxisCoefficients::of_rows(self.lambda[1].clone(), self.coefficients),
                shapes: self.shapes.each_ref().map(|[along, across]| [&along[..], &across[..]]),
                pushes: [Self::PUSH],
                u: &mut u,
                du: Increments { next: &mut next, previous: keep_previous.then_some(&mut previous[..]) },
            });
            assert!(previous[..] == self.du[..], "du was to be kept");
            [&u[..], &next[..], &port_du].concat()
        }
    }

    proptest! {
        #[test]
        fn vectors_of_every_width_agree_with_the_equations(
            columns in 1..40_usize,
            rows in 1..14_usize,
            seed in any::<u64>(),
        ) {
            let case = ModalCase::new([columns, rows], seed);
            let widest = case.by_kernel(false, |update| Machine::new(false).dispatch(update));
            let beside = case.by_kernel(true, |update| Machine::new(false).dispatch(update));
            let narrowest = case.by_kernel(false, |update| update.with_simd(pulp::Scalar));
            prop_assert_eq!(&beside, &widest);
            for ((a, b), c) in case.plain().iter().zip(&widest).zip(&narrowest) {
                // Sums of up to 520 terms, of which none exceeds 4.
                prop_assert!((a - b).abs() <= 1e-13 * 40.0 && (a - c).abs() <= 1e-13 * 40.0, "{a} {b} {c}");
            }
        }
    }
}
