//! The sums of the energy of a plate, in vectors.
//!
//! Motion      Σ m du²,  Σ m du·du⁻;  Σ s(Δ₁du)²,  Σ s Δ₁du·Δ₁du⁻        (du⁻ the du before, Δ₁ differences of neighbours)
//! Shape       Σ sΔ₁u Δ₁u⁺,  Σ[(1−ν)(w_x xx⁺ + w_y yy⁺ + 2w_c tt⁺) + νw_n(x + y)(x⁺ + y⁺)], x, y second differences of u
//!             along the axes, t its twist in the cell above and to the right, ⁺ the same of u + du
//! Held edges  all round make it shorter (`energy/fixed_edges`)
//! Order       band by band of some rows, or two by two where edges are held, each summed by itself, so that large plates are summed as
//!             exactly as small ones
//! Allocates   no

use crate::element::plate::energy::bending::{
    PlateNeighbours, add_bending, bending_energy, forward_differences, second_differences,
};
use crate::element::plate::energy::fixed_edges::{FixedEdgeSums, SumLanes};
use crate::element::plate::energy::weights::PlateWeights;
use crate::element::plate::grid::GridNodes;
use crate::element::plate::stencil::strip::StripRows;
use crate::element::simd::{Divide, Field, Kernel, LANES, Shift, mul_add, vectors};
use pulp::Simd;

/// Sums over a plate.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlateSums {
    /// Σ m du², Σ m du·du⁻.
    pub motion: [f64; 2],
    /// Σ s(Δ₁du)², Σ s Δ₁du·Δ₁du⁻.
    pub slope: [f64; 2],
    pub stretch: f64,
    pub bend: f64,
}

/// The summation kernel.
pub(crate) struct PlateSumKernel<'a> {
    /// u, du and the du before.
    pub fields: [&'a [f64]; 3],
    pub weights: &'a PlateWeights,
    /// Whether all edges are held straight.
    pub fixed_edges: bool,
    pub nu: f64,
    /// Whether it resists bending, and whether it is under tension.
    pub bends: bool,
    pub tense: bool,
    pub nodes: GridNodes,
    pub sums: &'a mut PlateSums,
}

/// The weights of some rows, as in `NodeWeights`.
struct RowWeights<'a, T> {
    mass: &'a [T],
    line: [&'a [T]; 2],
    node: &'a [T],
    cell: &'a [T],
    side: [&'a [T]; 2],
}

impl Kernel for PlateSumKernel<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, shift: H) {
        *self.sums = match (self.bends, self.tense) {
            (true, false) => self.sum::<S, H, true, false>(simd, shift),
            (true, true) => self.sum::<S, H, true, true>(simd, shift),
            (false, _) => self.sum::<S, H, false, true>(simd, shift),
        };
    }
}

impl PlateSumKernel<'_> {
    /// Sums up all rows.
    #[inline(always)]
    fn sum<S: Simd, H: Shift<S>, const BENDS: bool, const TENSE: bool>(&self, simd: S, shift: H) -> PlateSums {
        let mut total = [simd.splat_f64s(0.0); 6];
        let (mut j, rows) = (0, self.weights.rows);
        while j < rows {
            let (sums, height) = if !self.fixed_edges {
                let height = self.weights.height.min(rows - j);
                (self.weighted_rows::<S, H, BENDS, TENSE>(simd, shift, j, height), height)
            } else if j + 1 == rows || S::F64_LANES < LANES {
                // What two rows carry overflows the sixteen registers of narrower vectors.
                (self.fixed_edge_rows::<S, H, BENDS, TENSE, 1>(simd, shift, j), 1)
            } else {
                (self.fixed_edge_rows::<S, H, BENDS, TENSE, 2>(simd, shift, j), 2)
            };
            for (total, sum) in total.iter_mut().zip(sums) {
                *total = simd.add_f64s(*total, sum);
            }
            j += height;
        }
        PlateSums {
            motion: [simd.reduce_sum_f64s(total[0]), simd.reduce_sum_f64s(total[1])],
            slope: [simd.reduce_sum_f64s(total[2]), simd.reduce_sum_f64s(total[3])],
            stretch: simd.reduce_sum_f64s(total[4]),
            bend: simd.reduce_sum_f64s(total[5]),
        }
    }

    #[inline(always)]
    fn neighbours<'s, S: Simd>(&self, x: &'s [f64], j: usize, height: usize) -> PlateNeighbours<'s, S::f64s> {
        let GridNodes { stride, .. } = self.nodes;
        let (at, nodes) = (self.nodes.node(0, j), height * stride);
        PlateNeighbours {
            here: vectors_from::<S>(x, at, nodes + S::F64_LANES),
            up: vectors_from::<S>(x, at + stride, nodes + S::F64_LANES),
            down: vectors_from::<S>(x, at - stride, nodes),
        }
    }

    #[inline(always)]
    fn weights<'s, S: Simd>(&self, of: &'s Field, j: usize, height: usize) -> &'s [S::f64s] {
        vectors_from::<S>(of, self.weights.row(j), height * self.nodes.stride)
    }

    /// Some rows of a plate whose edges are all held.
    #[inline(always)]
    fn fixed_edge_rows<S: Simd, H: Shift<S>, const BENDS: bool, const TENSE: bool, const R: usize>(
        &self,
        simd: S,
        shift: H,
        j: usize,
    ) -> SumLanes<S::f64s> {
        let GridNodes { stride, .. } = self.nodes;
        let (count, below) = (stride / S::F64_LANES, (self.nodes.node(0, j) - stride) / S::F64_LANES);
        let [u, du, old] = self.fields;
        let (u, du, old) = (vectors::<S>(u), vectors::<S>(du), vectors::<S>(old));
        let (u, du, old) =
            (StripRows::of(u, below, count), StripRows::of(du, below, count), StripRows::of(old, below, count));
        let mut node = [self.weights::<S>(&self.weights.node, j, 1); R];
        for (row, node) in node.iter_mut().enumerate() {
            *node = self.weights::<S>(&self.weights.node, j + row, 1);
        }
        FixedEdgeSums { u, du, old, node }.sum::<H, BENDS, TENSE>(simd, shift, count)
    }

    #[inline(always)]
    fn row_weights<S: Simd>(&self, j: usize, height: usize) -> RowWeights<'_, S::f64s> {
        let PlateWeights { mass, line, node, cell, side, .. } = self.weights;
        RowWeights {
            mass: self.weights::<S>(mass, j, height),
            line: [self.weights::<S>(&line[0], j, height), self.weights::<S>(&line[1], j, height)],
            node: self.weights::<S>(node, j, height),
            cell: self.weights::<S>(cell, j, height),
            side: [self.weights::<S>(&side[0], j, height), self.weights::<S>(&side[1], j, height)],
        }
    }

    /// A band of any other plate, or what there is of it, as if it were one long row.
    #[inline(always)]
    fn weighted_rows<S: Simd, H: Shift<S>, const BENDS: bool, const TENSE: bool>(
        &self,
        simd: S,
        shift: H,
        j: usize,
        height: usize,
    ) -> SumLanes<S::f64s> {
        let [u, du, old] = self.fields;
        let (u, du, old) = (
            self.neighbours::<S>(u, j, height),
            self.neighbours::<S>(du, j, height),
            self.neighbours::<S>(old, j, height),
        );
        let RowWeights { mass, line: [line_x, line_y], node, cell, side: [side_x, side_y] } =
            self.row_weights::<S>(j, height);
        let [mut motion, mut motion_mixed, mut slope, mut slope_mixed, mut stretch] = [simd.splat_f64s(0.0); 5];
        let mut bending_sums = [simd.splat_f64s(0.0); 3];
        // Differences of u and du to the right in the vector to the left; irrelevant at the first node of a row.
        let [mut u_x_left, mut du_x_left] = [simd.splat_f64s(0.0); 2];
        for i in 0..mass.len() {
            let step = du.here[i];
            let weighted_du = simd.mul_f64s(mass[i], step);
            motion = mul_add(simd, weighted_du, step, motion);
            motion_mixed = mul_add(simd, weighted_du, old.here[i], motion_mixed);
            let [right, up] = forward_differences(simd, shift, &u, i);
            let [du_x, du_y] = forward_differences(simd, shift, &du, i);
            let [old_x, old_y] = forward_differences(simd, shift, &old, i);
            let weighted = [simd.mul_f64s(side_x[i], du_x), simd.mul_f64s(side_y[i], du_y)];
            slope = mul_add(simd, weighted[0], du_x, mul_add(simd, weighted[1], du_y, slope));
            slope_mixed = mul_add(simd, weighted[0], old_x, mul_add(simd, weighted[1], old_y, slope_mixed));
            if TENSE {
                let weighted_slope = [simd.mul_f64s(side_x[i], right), simd.mul_f64s(side_y[i], up)];
                stretch = mul_add(simd, weighted_slope[0], simd.add_f64s(right, du_x), stretch);
                stretch = mul_add(simd, weighted_slope[1], simd.add_f64s(up, du_y), stretch);
            }
            if BENDS {
                let now = second_differences(simd, shift, &u, i, [right, up], u_x_left);
                let step = second_differences(simd, shift, &du, i, [du_x, du_y], du_x_left);
                let weights = [line_x[i], line_y[i], cell[i], node[i]];
                bending_sums = add_bending(simd, now, step, weights, bending_sums);
                (u_x_left, du_x_left) = (right, du_x);
            }
        }
        [motion, motion_mixed, slope, slope_mixed, stretch, bending_energy(simd, self.nu, bending_sums)]
    }
}

/// Values of so many nodes, from one on.
#[inline(always)]
fn vectors_from<S: Simd>(x: &[f64], from: usize, nodes: usize) -> &[S::f64s] {
    &vectors::<S>(&x[from..][..nodes])[..nodes / S::F64_LANES]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::plate::energy::weights::NodeWeights;
    use crate::element::simd::Machine;
    use crate::element::simd::{ByLane, field, run, whole_blocks};
    use proptest::prelude::*;

    /// A plate of some columns and rows: u, du and the du before at random on its nodes, and weights at random.
    struct SumsCase {
        size: [usize; 2],
        stride: usize,
        start: usize,
        fields: [Field; 3],
        weights: Vec<NodeWeights>,
        fixed_edges: bool,
    }

    impl SumsCase {
        fn new(size: [usize; 2], fixed_edges: bool, seed: u64) -> Self {
            let mut noise = seed;
            let mut random = || {
                noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (noise >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
            };
            let stride = whole_blocks(size[0] + 1);
            let start = LANES + 2 * stride;
            let mut fields = [(); 3].map(|()| field(start + (size[1] + 2) * stride + LANES));
            let mut weights = Vec::new();
            for (i, j) in nodes(size) {
                let edge = i == 0 || j == 0 || i + 1 == size[0] || j + 1 == size[1];
                if !(fixed_edges && edge) {
                    fields.iter_mut().for_each(|field| field[start + j * stride + i] = random());
                }
                let mut positive = || random().abs();
                let weight = NodeWeights {
                    mass: positive(),
                    line: [positive(), positive()],
                    node: positive(),
                    cell: positive(),
                    side: [positive(), positive()],
                };
                // What would reach beyond the edges weighs nothing.
                let within = |weight: f64, is_beyond: bool| if is_beyond { 0.0 } else { weight };
                let (right, top) = (i + 1 == size[0], j + 1 == size[1]);
                weights.push(if fixed_edges {
                    NodeWeights { mass: 1.0, line: [0.0; 2], node: weight.node, cell: 0.0, side: [1.0; 2] }
                } else {
                    NodeWeights {
                        line: weight.line.map(|line| within(line, edge)),
                        node: within(weight.node, edge),
                        cell: within(weight.cell, right || top),
                        side: [within(weight.side[0], right), within(weight.side[1], top)],
                        ..weight
                    }
                });
            }
            Self { size, stride, start, fields, weights, fixed_edges }
        }

        /// The sums of the head of this file, node by node.
        fn plain(&self, nu: f64) -> [f64; 6] {
            let [u, du, old] = [0, 1, 2].map(|of| &self.fields[of][..]);
            let mut sums = [0.0; 6];
            for ((i, j), weight) in nodes(self.size).zip(&self.weights) {
                let at = self.start + j * self.stride + i;
                sums[0] += weight.mass * du[at] * du[at];
                sums[1] += weight.mass * du[at] * old[at];
                for (side, next) in weight.side.into_iter().zip([at + 1, at + self.stride]) {
                    let difference = |x: &[f64]| x[next] - x[at];
                    sums[2] += side * difference(du) * difference(du);
                    sums[3] += side * difference(du) * difference(old);
                    sums[4] += side * difference(u) * (difference(u) + difference(du));
                }
                let curve = |x: &[f64], step: usize| x[at - step] - 2.0 * x[at] + x[at + step];
                let twist = |x: &[f64]| x[at] - x[at + 1] - x[at + self.stride] + x[at + self.stride + 1];
                let [x, y] = [1, self.stride].map(|step| [curve(u, step), curve(u, step) + curve(du, step)]);
                sums[5] += (1.0 - nu)
                    * (weight.line[0] * x[0] * x[1]
                        + weight.line[1] * y[0] * y[1]
                        + 2.0 * weight.cell * twist(u) * (twist(u) + twist(du)))
                    + nu * weight.node * (x[0] + y[0]) * (x[1] + y[1]);
            }
            sums
        }

        /// The same by a kernel.
        fn by_kernel(&self, nu: f64, run: impl FnOnce(PlateSumKernel<'_>)) -> [f64; 6] {
            let weights = PlateWeights::new(self.size, self.stride, |i, j| self.weights[j * self.size[0] + i]);
            let mut sums = PlateSums::default();
            run(PlateSumKernel {
                fields: self.fields.each_ref().map(|field| &field[..]),
                weights: &weights,
                fixed_edges: self.fixed_edges,
                nu,
                bends: true,
                tense: true,
                nodes: GridNodes { origin: self.start, stride: self.stride },
                sums: &mut sums,
            });
            let PlateSums { motion, slope, stretch, bend } = sums;
            [motion[0], motion[1], slope[0], slope[1], stretch, bend]
        }
    }

    fn nodes([columns, rows]: [usize; 2]) -> impl Iterator<Item = (usize, usize)> {
        (0..rows).flat_map(move |j| (0..columns).map(move |i| (i, j)))
    }

    proptest! {
        #[test]
        fn vectors_of_every_width_sum_as_the_equations_do(
            size in [3..40_usize, 3..20_usize],
            fixed_edges in any::<bool>(),
            nu in 0.0..0.5,
            seed in any::<u64>(),
        ) {
            let case = SumsCase::new(size, fixed_edges, seed);
            let nu = if fixed_edges { 1.0 } else { nu };
            let plain = case.plain(nu);
            let widest = case.by_kernel(nu, |kernel| run(Machine::new(false), kernel));
            let narrowest = case.by_kernel(nu, |kernel| kernel.run(pulp::Scalar, ByLane));
            for part in 0..6 {
                // Sums of as many terms as there are nodes, of which none exceeds 200.
                let most = 1e-13 * 200.0 * (size[0] * size[1]) as f64;
                prop_assert!((plain[part] - widest[part]).abs() <= most, "{part}: {} {}", plain[part], widest[part]);
                prop_assert!((plain[part] - narrowest[part]).abs() <= most, "{part}: {}", narrowest[part]);
            }
        }
    }
}
