//! The update of a small plate with any edges, from the gradient of its energy, a whole row at a time in registers.
//!
//! Moments     m_x = b(1−ν)w_x x + bνw_n(x + y),  m_y likewise,  m_t = 2b(1−ν)w_c t: x, y second differences of u along the
//!             axes, t its twist in the cell above and to the right, weights as in `energy/sums`
//! Fluxes      f_x = s(d·Δ₁du + e·Δ₁u) of the interval to the right, f_y of the one above
//! Update      u ← u + du,  du⁺ = a·du + (Δf − F)/m,  Δf = f_x − f_x(left) + f_y − f_y(below),
//!             F = Δ_x m_x + Δ_y m_y + m_t − m_t(left) − m_t(below) + m_t(below, left): what edges do is in the weights
//! Order       row by row of terms; the row of nodes below it is done with it. Values that the row above needs stay in
//!             registers: loads and stores cost more than arithmetic
//! Symbols     a, b, d, e coefficients of the uniform update (`UpdateCoefficients`), m mass in cells
//! Allocates   only in `new`

use crate::element::coefficients::UpdateCoefficients;
use crate::element::plate::energy::weights::NodeWeights;
use crate::element::plate::grid::GridNodes;
use crate::element::plate::stencil::register_rows::{RowFields, RowKernel, forward_difference, run_by_row, update_u};
use crate::element::simd::{Divide, Kernel, LANES, Machine, Shift, mul_add, run, vectors, vectors_mut};
use crate::element::state::Increments;
use pulp::Simd;
use std::cell::Cell;

/// Coefficients of a block of nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
struct TermBlock {
    /// b(1−ν)w_x and b(1−ν)w_y.
    line: [[f64; LANES]; 2],
    /// bνw_n.
    node: [f64; LANES],
    /// 2b(1−ν)w_c.
    cell: [f64; LANES],
    /// d·s and e·s of the intervals to the right and up.
    damping: [[f64; LANES]; 2],
    tension: [[f64; LANES]; 2],
    /// 1/m, 0 for nodes that are held.
    inverse_mass: [f64; LANES],
}

/// The gradient of a plate's energy. Equal rows of nodes are stored once.
#[derive(Clone, Debug)]
pub(crate) struct WeightedStencil {
    coefficients: UpdateCoefficients,
    blocks: Vec<TermBlock>,
    /// Where the blocks of a row start: of the one before the first, of all, and of the one after the last.
    rows: Vec<usize>,
    nodes: GridNodes,
}

impl TermBlock {
    /// Of nodes that have these weights; `inverse_mass` is 0 for those that are held.
    fn new(weights: [(NodeWeights, f64); LANES], nu: f64, coefficients: UpdateCoefficients) -> Self {
        let of = |value: &dyn Fn(&NodeWeights) -> f64| weights.map(|(weight, _)| value(&weight));
        let bending = coefficients.bending * (1.0 - nu);
        Self {
            line: [0, 1].map(|axis| of(&|weight| bending * weight.line[axis])),
            node: of(&|weight| coefficients.bending * nu * weight.node),
            cell: of(&|weight| 2.0 * bending * weight.cell),
            damping: [0, 1].map(|axis| of(&|weight| coefficients.damping * weight.side[axis])),
            tension: [0, 1].map(|axis| of(&|weight| coefficients.tension * weight.side[axis])),
            inverse_mass: weights.map(|(_, inverse_mass)| inverse_mass),
        }
    }
}

impl WeightedStencil {
    /// Of a plate of positive columns and rows. `at` gives the weights of node (i, j), and 1/m, or 0 where it is held.
    pub fn new(
        [columns, rows]: [usize; 2],
        nodes: GridNodes,
        (nu, coefficients): (f64, UpdateCoefficients),
        at: impl Fn(usize, usize) -> (NodeWeights, f64),
    ) -> Self {
        let width = nodes.stride / LANES;
        let mut stencil = Self { coefficients, blocks: Vec::new(), rows: Vec::new(), nodes };
        // Beyond the edges there is nothing.
        for row in 0..rows + 2 {
            let within = |i: usize| i < columns && (1..=rows).contains(&row);
            let weights_at = |i: usize| if within(i) { at(i, row - 1) } else { (NodeWeights::default(), 0.0) };
            let block = |block: usize| {
                TermBlock::new(std::array::from_fn(|lane| weights_at(block * LANES + lane)), nu, coefficients)
            };
            let blocks: Vec<_> = (0..width).map(block).collect();
            let known = stencil.blocks.chunks_exact(width).rposition(|other| *other == blocks[..]);
            stencil.rows.push(known.map_or(stencil.blocks.len(), |index| index * width));
            if known.is_none() {
                stencil.blocks.extend(blocks);
            }
        }
        stencil
    }

    /// Brings u up to date and turns du into du⁺ in all rows.
    pub fn apply(&self, machine: Machine, u: &mut [f64], du: Increments<'_>) {
        run(machine, WeightedSweep { stencil: self, u, du });
    }
}

struct WeightedSweep<'a> {
    stencil: &'a WeightedStencil,
    u: &'a mut [f64],
    du: Increments<'a>,
}

impl Kernel for WeightedSweep<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, shift: H) {
        let WeightedStencil { coefficients: UpdateCoefficients { bending, tension, .. }, nodes, .. } = *self.stencil;
        match (bending != 0.0, tension != 0.0) {
            (true, false) => run_by_row(simd, shift, nodes.stride, WeightedKernel::<true, false>(self)),
            (true, true) => run_by_row(simd, shift, nodes.stride, WeightedKernel::<true, true>(self)),
            (false, _) => run_by_row(simd, shift, nodes.stride, WeightedKernel::<false, true>(self)),
        }
    }
}

/// The update kernel; `BENDS` with bending stiffness, `TENSE` with tension.
struct WeightedKernel<'a, const BENDS: bool, const TENSE: bool>(WeightedSweep<'a>);

impl<const BENDS: bool, const TENSE: bool> RowKernel for WeightedKernel<'_, BENDS, TENSE> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S>, const C: usize>(self, simd: S, shift: H) {
        let WeightedSweep { stencil, u, mut du } = self.0;
        let WeightedStencil { coefficients, blocks, rows, nodes: GridNodes { origin, stride } } = stencil;
        // The row before the first.
        let start = origin - stride;
        let (first, width, decay) = (start / S::F64_LANES, stride / LANES, simd.splat_f64s(coefficients.decay));
        let u = Cell::from_mut(vectors_mut::<S>(u)).as_slice_of_cells();
        let [du, next] = du.vectors::<S>();
        let [u, du, next] = [&u[first..], &du[first..], &next[first..]];
        let ((u, _), (du, _), (next, _)) = (u.as_chunks::<C>(), du.as_chunks::<C>(), next.as_chunks::<C>());
        let mut row = WeightedRow::first(simd, shift, update_u(simd, &u[1], &du[1]));
        let above = u[2..].iter().zip(&du[2..]).zip(du.iter().zip(next));
        for (starts, ((u, du), (du_below, next))) in rows.windows(2).zip(above) {
            let (below, blocks) = (&blocks[starts[0]..][..width], &blocks[starts[1]..][..width]);
            let above = update_u(simd, u, du);
            let mut terms = [RowTerm { sum: decay, flux_x: decay, moment_x: decay }; C];
            for i in 0..C {
                let (term, moment_y) = row.row_term::<S, H, BENDS, TENSE>(simd, shift, blocks, &above, i);
                let increment = simd.mul_f64s(
                    coefficient::<S>(below, i, |block| &block.inverse_mass),
                    simd.sub_f64s(row.sum[i], moment_y),
                );
                next[i].set(mul_add(simd, decay, du_below[i].get(), increment));
                terms[i] = term;
            }
            row.sum = sum_along_row(simd, shift, &terms);
            row.nodes = above;
        }
    }
}

/// A coefficient at vector i of a row.
#[inline(always)]
fn coefficient<S: Simd>(blocks: &[TermBlock], i: usize, of: impl Fn(&TermBlock) -> &[f64; LANES]) -> S::f64s {
    let per = LANES / S::F64_LANES;
    vectors::<S>(of(&blocks[i / per]))[i % per]
}

/// A row of nodes, and the values that it needs of the row of terms below it.
struct WeightedRow<V, const C: usize> {
    nodes: RowFields<V, C>,
    /// Differences of u to the right; `slope_y` those from the row below.
    slope_x: [V; C],
    /// `slope_x` of the vector before.
    slope_x_left: V,
    slope_y: [V; C],
    /// f_y + m_y and m_t of the row below, and its sum so far.
    flux_y: [V; C],
    twist: [V; C],
    sum: [V; C],
}

/// Sums of a row of terms at a vector.
#[derive(Clone, Copy)]
struct RowTerm<V> {
    /// Without differences along the row.
    sum: V,
    /// f_x + m_x − m_t + m_t(below), and m_x: of f_x − Δm_x − m_t + m_t(below), Δ to the right, the difference to the left is
    /// to be added.
    flux_x: V,
    moment_x: V,
}

impl<V: Copy, const C: usize> WeightedRow<V, C> {
    /// Of the first row: below it there is nothing.
    #[inline(always)]
    fn first<S: Simd<f64s = V>, H: Shift<S>>(simd: S, shift: H, nodes: RowFields<V, C>) -> Self {
        let zero = [simd.splat_f64s(0.0); C];
        let mut row = Self {
            slope_x: zero,
            slope_x_left: zero[0],
            slope_y: nodes.u,
            flux_y: zero,
            twist: zero,
            sum: zero,
            nodes,
        };
        for i in 0..C {
            row.slope_x[i] = forward_difference(simd, shift, &row.nodes.u, i);
        }
        row
    }

    /// The terms of vector i of a row, and m_y.
    #[inline(always)]
    fn row_term<S: Simd<f64s = V>, H: Shift<S>, const BENDS: bool, const TENSE: bool>(
        &mut self,
        simd: S,
        shift: H,
        blocks: &[TermBlock],
        above: &RowFields<V, C>,
        i: usize,
    ) -> (RowTerm<V>, V) {
        let zero = simd.splat_f64s(0.0);
        let RowFields { u, du } = &self.nodes;
        let slope_y = simd.sub_f64s(above.u[i], u[i]);
        let mut flux_x = simd
            .mul_f64s(coefficient::<S>(blocks, i, |block| &block.damping[0]), forward_difference(simd, shift, du, i));
        let mut flux_y =
            simd.mul_f64s(coefficient::<S>(blocks, i, |block| &block.damping[1]), simd.sub_f64s(above.du[i], du[i]));
        if TENSE {
            flux_x = mul_add(simd, coefficient::<S>(blocks, i, |block| &block.tension[0]), self.slope_x[i], flux_x);
            flux_y = mul_add(simd, coefficient::<S>(blocks, i, |block| &block.tension[1]), slope_y, flux_y);
        }
        let (slope_x_above, mut moment_x, mut moment_y) = (forward_difference(simd, shift, &above.u, i), zero, zero);
        if BENDS {
            let before = if i > 0 { self.slope_x_left } else { zero };
            let x = simd.sub_f64s(self.slope_x[i], shift.left(before, self.slope_x[i]));
            let y = simd.sub_f64s(slope_y, self.slope_y[i]);
            let node_moment = simd.mul_f64s(coefficient::<S>(blocks, i, |block| &block.node), simd.add_f64s(x, y));
            moment_x = mul_add(simd, coefficient::<S>(blocks, i, |block| &block.line[0]), x, node_moment);
            moment_y = mul_add(simd, coefficient::<S>(blocks, i, |block| &block.line[1]), y, node_moment);
            let twist = simd.mul_f64s(
                coefficient::<S>(blocks, i, |block| &block.cell),
                simd.sub_f64s(slope_x_above, self.slope_x[i]),
            );
            flux_x = simd.add_f64s(simd.sub_f64s(flux_x, twist), simd.add_f64s(self.twist[i], moment_x));
            flux_y = simd.add_f64s(flux_y, moment_y);
            (self.slope_x_left, self.twist[i]) = (self.slope_x[i], twist);
        }
        let sum = simd.add_f64s(simd.sub_f64s(flux_y, self.flux_y[i]), moment_y);
        (self.slope_x[i], self.slope_y[i], self.flux_y[i]) = (slope_x_above, slope_y, flux_y);
        (RowTerm { sum, flux_x, moment_x }, moment_y)
    }
}

/// Sums of a row of terms, differences along it included.
#[inline(always)]
fn sum_along_row<S: Simd, H: Shift<S>, const C: usize>(
    simd: S,
    shift: H,
    terms: &[RowTerm<S::f64s>; C],
) -> [S::f64s; C] {
    let zero = simd.splat_f64s(0.0);
    let (mut sums, mut before) = ([zero; C], zero);
    for i in 0..C {
        let after = if i + 1 < C { terms[i + 1].moment_x } else { zero };
        let flux_x = simd.sub_f64s(terms[i].flux_x, shift.right(terms[i].moment_x, after));
        sums[i] = simd.add_f64s(terms[i].sum, simd.sub_f64s(flux_x, shift.left(before, flux_x)));
        before = flux_x;
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::simd::{ByLane, Field, field, whole_blocks};
    use proptest::prelude::*;

    /// A plate of positive columns and rows, u, du, weights and 1/m at random on its nodes.
    struct WeightedCase {
        size: [usize; 2],
        stencil: WeightedStencil,
        nu: f64,
        weights: Vec<(NodeWeights, f64)>,
        u: Field,
        du: Field,
    }

    impl WeightedCase {
        fn new(size: [usize; 2], [bends, tense]: [bool; 2], nu: f64, seed: u64) -> Self {
            let mut noise = seed;
            let mut random = || {
                noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (noise >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
            };
            let stride = whole_blocks(size[0] + 1).max(3 * LANES);
            let origin = LANES + 2 * stride;
            let on = |wanted: bool, value: f64| if wanted { value } else { 0.0 };
            let (bending, tension) = (on(bends, 0.1), on(tense || !bends, 0.3));
            let coefficients = UpdateCoefficients { decay: 0.9, bending, damping: 0.2, tension };
            let mut weights = Vec::new();
            for (i, j) in nodes(size) {
                let moves = random() > -0.8;
                let mut positive = || random().abs();
                let (right, top) = (i + 1 == size[0], j + 1 == size[1]);
                // What would reach beyond the edges weighs nothing, but for bends of what is held.
                let has_curvature = i > 0 || !moves;
                let weight = NodeWeights {
                    mass: 0.0,
                    line: [on(has_curvature, positive()), positive()],
                    node: on(has_curvature, positive()),
                    cell: on(!right && !top, positive()),
                    side: [on(!right, positive()), on(!top, positive())],
                };
                weights.push((weight, on(moves, positive())));
            }
            let [mut u, mut du] = [(); 2].map(|()| field(origin + (size[1] + 2) * stride + LANES));
            for ((i, j), (_, inverse_mass)) in nodes(size).zip(&weights) {
                let at = origin + j * stride + i;
                (u[at], du[at]) = (on(*inverse_mass > 0.0, random()), on(*inverse_mass > 0.0, random()));
            }
            let stencil = WeightedStencil::new(size, GridNodes { origin, stride }, (nu, coefficients), |i, j| {
                weights[j * size[0] + i]
            });
            Self { size, stencil, nu, weights, u, du }
        }

        /// The equations of the head of this file, term by term: what each does to the nodes it sees.
        fn plain(&self) -> Vec<f64> {
            let WeightedStencil {
                coefficients: UpdateCoefficients { decay, bending, damping, tension },
                nodes: grid,
                ..
            } = self.stencil;
            let stride = grid.stride;
            let u: Vec<f64> = self.u.iter().zip(self.du.iter()).map(|(u, du)| u + du).collect();
            let mut force = vec![0.0; u.len()];
            for ((i, j), (weight, _)) in nodes(self.size).zip(&self.weights) {
                let at = grid.node(i, j);
                let line = |step: usize| [(at - step, 1.0), (at, -2.0), (at + step, 1.0)];
                let (across, up) = (line(1), line(stride));
                let cell = [(at, 1.0), (at + 1, -1.0), (at + stride, -1.0), (at + stride + 1, 1.0)];
                let mut push = |form: &[(usize, f64)], field: &[f64], factor: f64| {
                    let value: f64 = form.iter().map(|&(node, of)| of * field[node]).sum();
                    form.iter().for_each(|&(node, of)| force[node] -= factor * of * value);
                };
                push(&across, &u, bending * (1.0 - self.nu) * weight.line[0]);
                push(&up, &u, bending * (1.0 - self.nu) * weight.line[1]);
                push(&[across, up].concat(), &u, bending * self.nu * weight.node);
                push(&cell, &u, 2.0 * bending * (1.0 - self.nu) * weight.cell);
                for (side, next) in weight.side.into_iter().zip([at + 1, at + stride]) {
                    push(&[(at, -1.0), (next, 1.0)], &u, tension * side);
                    push(&[(at, -1.0), (next, 1.0)], &self.du, damping * side);
                }
            }
            let next = |((i, j), (_, inverse_mass)): ((usize, usize), &(NodeWeights, f64))| {
                let at = grid.node(i, j);
                decay * self.du[at] + inverse_mass * force[at]
            };
            nodes(self.size).zip(&self.weights).map(next).collect()
        }

        /// The same by a kernel, in place or beside du.
        fn by_kernel(&self, keep_previous: bool, run: impl FnOnce(WeightedSweep<'_>)) -> Vec<f64> {
            let (mut u, mut du, mut previous) = (self.u.clone(), self.du.clone(), self.du.clone());
            let increments = Increments { next: &mut du, previous: keep_previous.then_some(&mut previous[..]) };
            run(WeightedSweep { stencil: &self.stencil, u: &mut u, du: increments });
            assert!(!keep_previous || previous[..] == self.du[..], "du was to be kept");
            let at = |(i, j): (usize, usize)| du[self.stencil.nodes.node(i, j)];
            nodes(self.size).map(at).collect()
        }
    }

    fn nodes([columns, rows]: [usize; 2]) -> impl Iterator<Item = (usize, usize)> {
        (0..rows).flat_map(move |j| (0..columns).map(move |i| (i, j)))
    }

    proptest! {
        #[test]
        fn vectors_of_every_width_agree_with_the_equations(
            size in [1..31_usize, 1..20_usize],
            terms_present in any::<[bool; 2]>(),
            nu in 0.0..1.0,
            seed in any::<u64>(),
        ) {
            let case = WeightedCase::new(size, terms_present, nu, seed);
            let plain = case.plain();
            let widest = case.by_kernel(false, |kernel| run(Machine::new(false), kernel));
            let beside = case.by_kernel(true, |kernel| run(Machine::new(false), kernel));
            let narrowest = case.by_kernel(false, |kernel| kernel.run(pulp::Scalar, ByLane));
            prop_assert_eq!(&beside, &widest);
            for ((a, b), c) in plain.iter().zip(&widest).zip(&narrowest) {
                // Sums of thirty terms, of which none exceeds 10.
                prop_assert!((a - b).abs() <= 1e-13 * 10.0 && (a - c).abs() <= 1e-13 * 10.0, "{a} {b} {c}");
            }
        }
    }
}
