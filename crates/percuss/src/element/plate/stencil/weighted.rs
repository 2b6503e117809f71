//! The update of a small plate with any edges, from the gradient of its energy, a whole row at a time in registers.
//!
//! Moments     m_x = b(1−ν)w_x x + bνw_n(x + y),  m_y likewise,  m_t = 2b(1−ν)w_c t: x, y second differences of u along the
//!             axes, t its twist in the cell above and to the right, weights as in `energy/sums`
//! Fluxes      f_x = s(d·Δ₁du + e·Δ₁u) of the interval to the right, f_y of the one above
//! Update      u ← u + du,  du⁺ = a·du + (Δf − F)/m,  Δf = f_x − f_x(left) + f_y − f_y(below),
//!             F = Δ_x m_x + Δ_y m_y + m_t − m_t(left) − m_t(below) + m_t(below, left): what edges do is in the weights
//! Order       row by row of terms; the row of nodes below it is done with it. What a row leaves to the one above stays in
//!             registers: vectors compute faster than they are read and written
//! Symbols     a, b, d, e coefficients of the uniform update (`UpdateCoefficients`), m mass in cells
//! Allocates   only in `new`

use crate::element::coefficients::UpdateCoefficients;
use crate::element::plate::energy::sums::Weight;
use crate::element::plate::grid::GridNodes;
use crate::element::plate::stencil::register_rows::{ByRow, Nodes, by_row, enter, rise};
use crate::element::simd::{Divide, Kernel, LANES, Shift, run, vectors, vectors_mut};
use crate::element::state::Increments;
use pulp::{Arch, Simd};
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
    self_loss: [[f64; LANES]; 2],
    pull: [[f64; LANES]; 2],
    /// 1/m, 0 for nodes that are held.
    give: [f64; LANES],
}

/// The gradient of a plate's energy. Rows of nodes that look alike are kept once.
#[derive(Clone, Debug)]
pub(crate) struct WeightedStencil {
    coefficients: UpdateCoefficients,
    blocks: Vec<TermBlock>,
    /// Where the blocks of a row start: of the one before the first, of all, and of the one after the last.
    rows: Vec<usize>,
    nodes: GridNodes,
}

impl TermBlock {
    /// Of nodes that have these weights; `give` is 0 for those that are held.
    fn new(weights: [(Weight, f64); LANES], nu: f64, coefficients: UpdateCoefficients) -> Self {
        let of = |value: &dyn Fn(&Weight) -> f64| weights.map(|(weight, _)| value(&weight));
        let bending = coefficients.bending * (1.0 - nu);
        Self {
            line: [0, 1].map(|axis| of(&|weight| bending * weight.line[axis])),
            node: of(&|weight| coefficients.bending * nu * weight.node),
            cell: of(&|weight| 2.0 * bending * weight.cell),
            self_loss: [0, 1].map(|axis| of(&|weight| coefficients.damping * weight.side[axis])),
            pull: [0, 1].map(|axis| of(&|weight| coefficients.tension * weight.side[axis])),
            give: weights.map(|(_, give)| give),
        }
    }
}

impl WeightedStencil {
    /// Of a plate of some columns and rows. `at` gives the weights of node (i, j), and 1/m, or 0 where it is held.
    pub fn new(
        [columns, rows]: [usize; 2],
        nodes: GridNodes,
        (nu, coefficients): (f64, UpdateCoefficients),
        at: impl Fn(usize, usize) -> (Weight, f64),
    ) -> Self {
        let width = nodes.stride / LANES;
        let mut gradient = Self { coefficients, blocks: Vec::new(), rows: Vec::new(), nodes };
        // Beyond the edges there is nothing.
        for row in 0..rows + 2 {
            let within = |i: usize| i < columns && (1..=rows).contains(&row);
            let update_masses = |i: usize| if within(i) { at(i, row - 1) } else { (Weight::default(), 0.0) };
            let block = |block: usize| {
                TermBlock::new(std::array::from_fn(|lane| update_masses(block * LANES + lane)), nu, coefficients)
            };
            let blocks: Vec<_> = (0..width).map(block).collect();
            let known = gradient.blocks.chunks_exact(width).rposition(|other| *other == blocks[..]);
            gradient.rows.push(known.map_or(gradient.blocks.len(), |kind| kind * width));
            if known.is_none() {
                gradient.blocks.extend(blocks);
            }
        }
        gradient
    }

    /// Brings u up to date and turns du into du⁺ in all rows.
    pub fn apply(&self, arch: Arch, u: &mut [f64], du: Increments<'_>) {
        run(arch, WeightedSweep { gradient: self, u, du });
    }
}

struct WeightedSweep<'a> {
    gradient: &'a WeightedStencil,
    u: &'a mut [f64],
    du: Increments<'a>,
}

impl Kernel for WeightedSweep<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, shift: H) {
        let WeightedStencil { coefficients: UpdateCoefficients { bending, tension, .. }, nodes, .. } = *self.gradient;
        match (bending != 0.0, tension != 0.0) {
            (true, false) => by_row(simd, shift, nodes.stride, Terms::<true, false>(self)),
            (true, true) => by_row(simd, shift, nodes.stride, Terms::<true, true>(self)),
            (false, _) => by_row(simd, shift, nodes.stride, Terms::<false, true>(self)),
        }
    }
}

/// The update kernel; `BENDS` with bending stiffness, `TENSE` with tension.
struct Terms<'a, const BENDS: bool, const TENSE: bool>(WeightedSweep<'a>);

impl<const BENDS: bool, const TENSE: bool> ByRow for Terms<'_, BENDS, TENSE> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S>, const C: usize>(self, simd: S, shift: H) {
        let WeightedSweep { gradient, u, mut du } = self.0;
        let WeightedStencil { coefficients, blocks, rows, nodes: GridNodes { origin, stride } } = gradient;
        // The row before the first.
        let start = origin - stride;
        let (first, width, decay) = (start / S::F64_LANES, stride / LANES, simd.splat_f64s(coefficients.decay));
        let u = Cell::from_mut(vectors_mut::<S>(u)).as_slice_of_cells();
        let [du, next] = du.vectors::<S>();
        let [u, du, next] = [&u[first..], &du[first..], &next[first..]];
        let ((u, _), (du, _), (next, _)) = (u.as_chunks::<C>(), du.as_chunks::<C>(), next.as_chunks::<C>());
        let mut row = WeightedRow::first(simd, shift, enter(simd, &u[1], &du[1]));
        let above = u[2..].iter().zip(&du[2..]).zip(du.iter().zip(next));
        for (kinds, ((u, du), (du_below, next))) in rows.windows(2).zip(above) {
            let (below, blocks) = (&blocks[kinds[0]..][..width], &blocks[kinds[1]..][..width]);
            let above = enter(simd, u, du);
            let mut terms = [Term { sum: decay, flow: decay, moment: decay }; C];
            for i in 0..C {
                let (term, along) = row.take::<S, H, BENDS, TENSE>(simd, shift, blocks, &above, i);
                let pushed = simd.mul_f64s(part::<S>(below, i, |block| &block.give), simd.sub_f64s(row.sum[i], along));
                next[i].set(simd.mul_add_f64s(decay, du_below[i].get(), pushed));
                terms[i] = term;
            }
            row.sum = spread(simd, shift, &terms);
            row.nodes = above;
        }
    }
}

/// What is multiplied at vector i of a row.
#[inline(always)]
fn part<S: Simd>(blocks: &[TermBlock], i: usize, of: impl Fn(&TermBlock) -> &[f64; LANES]) -> S::f64s {
    let per = LANES / S::F64_LANES;
    vectors::<S>(of(&blocks[i / per]))[i % per]
}

/// A row of nodes, and what the row of terms below it leaves to it.
struct WeightedRow<V, const C: usize> {
    nodes: Nodes<V, C>,
    /// How much u rises to the right, and from the row below.
    rise: [V; C],
    /// The rise of the vector before.
    risen: V,
    climb: [V; C],
    /// f_y + m_y and m_t of the row below, and what is summed so far of it.
    rest: [V; C],
    twist: [V; C],
    sum: [V; C],
}

/// What a row of terms comes to at a vector.
#[derive(Clone, Copy)]
struct Term<V> {
    /// But for differences along the row.
    sum: V,
    /// f_x + m_x − m_t + m_t(below), and m_x: of f_x − Δm_x − m_t + m_t(below), Δ to the right, the difference to the left is
    /// to be added.
    flow: V,
    moment: V,
}

impl<V: Copy, const C: usize> WeightedRow<V, C> {
    /// Of the first row: below it there is nothing.
    #[inline(always)]
    fn first<S: Simd<f64s = V>, H: Shift<S>>(simd: S, shift: H, nodes: Nodes<V, C>) -> Self {
        let zero = [simd.splat_f64s(0.0); C];
        let mut row = Self { rise: zero, risen: zero[0], climb: nodes.u, rest: zero, twist: zero, sum: zero, nodes };
        for i in 0..C {
            row.rise[i] = rise(simd, shift, &row.nodes.u, i);
        }
        row
    }

    /// Takes vector i of a row of terms: what it comes to, and m_y.
    #[inline(always)]
    fn take<S: Simd<f64s = V>, H: Shift<S>, const BENDS: bool, const TENSE: bool>(
        &mut self,
        simd: S,
        shift: H,
        blocks: &[TermBlock],
        above: &Nodes<V, C>,
        i: usize,
    ) -> (Term<V>, V) {
        let zero = simd.splat_f64s(0.0);
        let Nodes { u, du } = &self.nodes;
        let climb = simd.sub_f64s(above.u[i], u[i]);
        let mut flow = simd.mul_f64s(part::<S>(blocks, i, |block| &block.self_loss[0]), rise(simd, shift, du, i));
        let mut rest =
            simd.mul_f64s(part::<S>(blocks, i, |block| &block.self_loss[1]), simd.sub_f64s(above.du[i], du[i]));
        if TENSE {
            flow = simd.mul_add_f64s(part::<S>(blocks, i, |block| &block.pull[0]), self.rise[i], flow);
            rest = simd.mul_add_f64s(part::<S>(blocks, i, |block| &block.pull[1]), climb, rest);
        }
        let (rise_up, mut moment, mut along) = (rise(simd, shift, &above.u, i), zero, zero);
        if BENDS {
            let before = if i > 0 { self.risen } else { zero };
            let x = simd.sub_f64s(self.rise[i], shift.left(before, self.rise[i]));
            let y = simd.sub_f64s(climb, self.climb[i]);
            let both = simd.mul_f64s(part::<S>(blocks, i, |block| &block.node), simd.add_f64s(x, y));
            moment = simd.mul_add_f64s(part::<S>(blocks, i, |block| &block.line[0]), x, both);
            along = simd.mul_add_f64s(part::<S>(blocks, i, |block| &block.line[1]), y, both);
            let twist = simd.mul_f64s(part::<S>(blocks, i, |block| &block.cell), simd.sub_f64s(rise_up, self.rise[i]));
            flow = simd.add_f64s(simd.sub_f64s(flow, twist), simd.add_f64s(self.twist[i], moment));
            rest = simd.add_f64s(rest, along);
            (self.risen, self.twist[i]) = (self.rise[i], twist);
        }
        let sum = simd.add_f64s(simd.sub_f64s(rest, self.rest[i]), along);
        (self.rise[i], self.climb[i], self.rest[i]) = (rise_up, climb, rest);
        (Term { sum, flow, moment }, along)
    }
}

/// What a row of terms comes to, differences along it included.
#[inline(always)]
fn spread<S: Simd, H: Shift<S>, const C: usize>(simd: S, shift: H, terms: &[Term<S::f64s>; C]) -> [S::f64s; C] {
    let zero = simd.splat_f64s(0.0);
    let (mut sums, mut before) = ([zero; C], zero);
    for i in 0..C {
        let after = if i + 1 < C { terms[i + 1].moment } else { zero };
        let flow = simd.sub_f64s(terms[i].flow, shift.right(terms[i].moment, after));
        sums[i] = simd.add_f64s(terms[i].sum, simd.sub_f64s(flow, shift.left(before, flow)));
        before = flow;
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::simd::{ByLane, Field, field, whole_blocks};
    use proptest::prelude::*;

    /// A plate of some columns and rows, u, du, weights and 1/m at random on its nodes.
    struct WeightedCase {
        size: [usize; 2],
        gradient: WeightedStencil,
        nu: f64,
        weights: Vec<(Weight, f64)>,
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
                let mut some = || random().abs();
                let (right, top) = (i + 1 == size[0], j + 1 == size[1]);
                // What would reach beyond the edges weighs nothing, but for bends of what is held.
                let bent = i > 0 || !moves;
                let weight = Weight {
                    mass: 0.0,
                    line: [on(bent, some()), some()],
                    node: on(bent, some()),
                    cell: on(!right && !top, some()),
                    side: [on(!right, some()), on(!top, some())],
                };
                weights.push((weight, on(moves, some())));
            }
            let [mut u, mut du] = [(); 2].map(|()| field(origin + (size[1] + 2) * stride + LANES));
            for ((i, j), (_, give)) in nodes(size).zip(&weights) {
                let at = origin + j * stride + i;
                (u[at], du[at]) = (on(*give > 0.0, random()), on(*give > 0.0, random()));
            }
            let gradient = WeightedStencil::new(size, GridNodes { origin, stride }, (nu, coefficients), |i, j| {
                weights[j * size[0] + i]
            });
            Self { size, gradient, nu, weights, u, du }
        }

        /// The equations of the head of this file, term by term: what each does to the nodes it sees.
        fn plain(&self) -> Vec<f64> {
            let WeightedStencil {
                coefficients: UpdateCoefficients { decay, bending, damping, tension },
                nodes: grid,
                ..
            } = self.gradient;
            let stride = grid.stride;
            let u: Vec<f64> = self.u.iter().zip(self.du.iter()).map(|(u, du)| u + du).collect();
            let mut pushed = vec![0.0; u.len()];
            for ((i, j), (weight, _)) in nodes(self.size).zip(&self.weights) {
                let at = grid.node(i, j);
                let line = |step: usize| [(at - step, 1.0), (at, -2.0), (at + step, 1.0)];
                let (across, up) = (line(1), line(stride));
                let cell = [(at, 1.0), (at + 1, -1.0), (at + stride, -1.0), (at + stride + 1, 1.0)];
                let mut push = |form: &[(usize, f64)], field: &[f64], factor: f64| {
                    let value: f64 = form.iter().map(|&(node, of)| of * field[node]).sum();
                    form.iter().for_each(|&(node, of)| pushed[node] -= factor * of * value);
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
            let next = |((i, j), (_, give)): ((usize, usize), &(Weight, f64))| {
                let at = grid.node(i, j);
                decay * self.du[at] + give * pushed[at]
            };
            nodes(self.size).zip(&self.weights).map(next).collect()
        }

        /// The same by a kernel, in place or beside du.
        fn descended(&self, keep_previous: bool, run: impl FnOnce(WeightedSweep<'_>)) -> Vec<f64> {
            let (mut u, mut du, mut previous) = (self.u.clone(), self.du.clone(), self.du.clone());
            let increments = Increments { next: &mut du, previous: keep_previous.then_some(&mut previous[..]) };
            run(WeightedSweep { gradient: &self.gradient, u: &mut u, du: increments });
            assert!(!keep_previous || previous[..] == self.du[..], "du was to be kept");
            let at = |(i, j): (usize, usize)| du[self.gradient.nodes.node(i, j)];
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
            forces in any::<[bool; 2]>(),
            nu in 0.0..1.0,
            seed in any::<u64>(),
        ) {
            let case = WeightedCase::new(size, forces, nu, seed);
            let plain = case.plain();
            let widest = case.descended(false, |descent| run(Arch::new(), descent));
            let beside = case.descended(true, |descent| run(Arch::new(), descent));
            let narrowest = case.descended(false, |descent| descent.run(pulp::Scalar, ByLane));
            prop_assert_eq!(&beside, &widest);
            for ((a, b), c) in plain.iter().zip(&widest).zip(&narrowest) {
                // Sums of thirty terms, of which none exceeds 10.
                prop_assert!((a - b).abs() <= 1e-13 * 10.0 && (a - c).abs() <= 1e-13 * 10.0, "{a} {b} {c}");
            }
        }
    }
}
