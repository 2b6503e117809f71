//! The uniform update of a plate, in vectors.
//!
//! Update      u ← u + du,  q = d·du − b·Δu,  du⁺ = a·du + Δq + e·Δu,  Δ the four neighbours less the node's own, each: a
//!             plate that drifts far while it rings bends by differences, which stay exact however far it is
//! Order       strips of two rows, one after the other (`strip`); q of the two rows before a strip is kept
//! Edges       a row of nodes held fast next to the first or the last that moves has q = −s·b·Δu, s = 0 where it is supported
//!             and 2 where it is clamped, and so has a column (`EdgeMask`); other edge corrections are applied afterwards
//!             (`boundary`)
//! Symbols     a, b, d, e coefficients of the update, grid spacing included
//! Allocates   no

use crate::element::plate::grid::GridNodes;
use crate::element::plate::layer::kernel::LayerStep;
use crate::element::plate::stencil::operands::{EdgeMask, EdgeMaskSlices, Uniform};
use crate::element::plate::stencil::register_rows::{are_short, run_by_row};
use crate::element::plate::stencil::short_rows::ShortRows;
use crate::element::plate::stencil::strip::{self as strip, Strip, StripRows, TouchedRows, Untouched, position};
use crate::element::simd::{ByLane, Divide, Kernel, LANES, Machine, Shift, divides_fast, run, vectors_mut};
use crate::element::state::Increments;
use pulp::Simd;
use std::cell::Cell;

/// The fields of the update, as the state has them.
pub(crate) struct UniformFields<'a> {
    pub u: &'a mut [f64],
    /// du and du⁺.
    pub du: Increments<'a>,
    /// A single touch with pressures linear in time, to be applied within the update of long rows without tension.
    pub layer_step: Option<LayerStep<'a>>,
    /// Scratch space for q, see [`Uniform::scratch`].
    pub q: &'a mut [f64],
}

struct PlateSweep<'a> {
    uniform: Uniform,
    columns: EdgeMaskSlices<'a>,
    fields: UniformFields<'a>,
}

impl Uniform {
    /// Brings u up to date and turns du into du⁺ in all rows that move, padding and held nodes among them included.
    pub fn apply(&self, machine: Machine, mask: &EdgeMask, fields: UniformFields<'_>) {
        run(machine, self.sweep(mask, fields));
    }

    /// All fields cut to the same length: what is checked of one holds of all.
    fn sweep<'a>(&self, mask: &'a EdgeMask, fields: UniformFields<'a>) -> PlateSweep<'a> {
        let UniformFields { u, du: Increments { next, previous }, layer_step, q } = fields;
        let GridNodes { stride, .. } = self.nodes;
        let end = self.start() + (self.rows + 3) * stride;
        let du = Increments { next: &mut next[..end], previous: previous.map(|du| &mut du[..end]) };
        let fields = UniformFields { u: &mut u[..end], du, layer_step, q: &mut q[..self.scratch()] };
        let columns = EdgeMaskSlices { moves: &mask.moves[..stride], q_scale: &mask.q_scale[..stride] };
        PlateSweep { uniform: *self, columns, fields }
    }
}

impl Kernel for PlateSweep<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(mut self, simd: S, shift: H) {
        let tense = self.uniform.coefficients.tension != 0.0;
        if are_short(self.uniform.nodes.stride) {
            let Self { uniform, columns, fields: UniformFields { u, du, .. } } = self;
            return if tense {
                run_by_row(simd, shift, uniform.nodes.stride, ShortRows::<true> { uniform, columns, u, du })
            } else {
                run_by_row(simd, shift, uniform.nodes.stride, ShortRows::<false> { uniform, columns, u, du })
            };
        }
        // A separate instance for touches: it needs more registers.
        match (tense, self.fields.layer_step.is_some()) {
            (false, true) if divides_fast() => self.strips::<S, H, ByLane, false, true>(simd, shift, ByLane),
            (false, true) => self.strips::<S, H, H, false, true>(simd, shift, shift),
            (false, false) => self.strips::<S, H, H, false, false>(simd, shift, shift),
            (true, _) => self.strips::<S, H, H, true, false>(simd, shift, shift),
        }
    }
}

impl PlateSweep<'_> {
    /// Strip by strip. Rows are counted from the one before the first that moves to the one after the last.
    #[inline(always)]
    fn strips<S: Simd, H: Shift<S>, D: Divide<S>, const TENSE: bool, const TOUCHED: bool>(
        &mut self,
        simd: S,
        shift: H,
        divide: D,
    ) {
        self.strip::<S, H, D, TENSE, TOUCHED, { position::FIRST }, 2>(simd, shift, divide, 0);
        let last = self.uniform.rows + 1;
        let mut row = 2;
        while row + 2 <= last {
            // What two rows carry overflows the sixteen registers of narrower vectors.
            if S::F64_LANES == LANES {
                self.strip::<S, H, D, TENSE, TOUCHED, { position::INTERIOR }, 2>(simd, shift, divide, row);
                row += 2;
            } else {
                self.strip::<S, H, D, TENSE, TOUCHED, { position::INTERIOR }, 1>(simd, shift, divide, row);
                row += 1;
            }
        }
        if row == last {
            self.strip::<S, H, D, TENSE, TOUCHED, { position::LAST }, 1>(simd, shift, divide, row);
        } else {
            self.strip::<S, H, D, TENSE, TOUCHED, { position::LAST }, 2>(simd, shift, divide, row);
        }
    }

    /// The strip of `R` rows that starts with one.
    #[inline(always)]
    fn strip<
        S: Simd,
        H: Shift<S>,
        D: Divide<S>,
        const TENSE: bool,
        const TOUCHED: bool,
        const POSITION: u8,
        const R: usize,
    >(
        &mut self,
        simd: S,
        shift: H,
        divide: D,
        row: usize,
    ) {
        let Uniform { coefficients, nodes: GridNodes { stride, .. }, edges, first, .. } = self.uniform;
        let count = stride / S::F64_LANES;
        let below = (self.uniform.start() + row * stride - stride) / S::F64_LANES;
        let u = Cell::from_mut(vectors_mut::<S>(self.fields.u)).as_slice_of_cells();
        let [du, next] = self.fields.du.vectors::<S>();
        let (low, high) = Cell::from_mut(vectors_mut::<S>(self.fields.q)).as_slice_of_cells().split_at(count);
        let fields = strip::StripFields {
            u: StripRows::of(u, below, count),
            du: StripRows::of(du, below, count),
            next: StripRows::of(next, below, count),
            q: [low, &high[..count]],
        };
        let q_scale = edges[usize::from(POSITION == position::LAST)];
        let strip = Strip::<S, H, TENSE, POSITION, R>::new(simd, shift, coefficients, q_scale, self.columns);
        match self.fields.layer_step {
            Some(layer_step) if TOUCHED && POSITION != position::FIRST => {
                let updated_row = first + row - 2;
                strip.run(&fields, &layer_step.touch_rows::<S, D, R>(simd, divide, updated_row), count);
            }
            _ => strip.run(&fields, &TouchedRows { rows: [Untouched; R], within: 0..0 }, count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::coefficients::UpdateCoefficients;
    use crate::element::simd::field;
    use crate::element::simd::whole_blocks;
    use proptest::prelude::*;

    /// The fields of a plate of some rows and columns, rows 0 and `rows` + 1 held, at random inside.
    struct UniformCase {
        uniform: Uniform,
        mask: EdgeMask,
        columns: usize,
        u: Vec<f64>,
        du: Vec<f64>,
    }

    impl UniformCase {
        fn new(columns: usize, rows: usize, tense: bool, edges: [f64; 2], seed: u64) -> Self {
            let mut noise = seed;
            let mut random = || {
                noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (noise >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
            };
            let stride = whole_blocks(columns + 2).max(3 * LANES);
            let start = LANES + stride;
            let tension = if tense { random() } else { 0.0 };
            let (decay, bending, damping) = (random(), random(), random());
            let uniform = Uniform {
                coefficients: UpdateCoefficients { decay, bending, damping, tension },
                nodes: GridNodes { origin: start, stride },
                first: 1,
                rows,
                edges,
            };
            let mut mask = EdgeMask::none(stride);
            for node in (0..LANES).chain(stride - LANES..stride) {
                (mask.moves[node], mask.q_scale[node]) = (f64::from(random() > -0.9), random());
            }
            let u = vec![0.0; start + (rows + 4) * stride + LANES];
            let mut case = Self { uniform, mask, columns, u, du: Vec::new() };
            case.du = case.u.clone();
            for (i, j) in case.nodes() {
                let node = case.node(i, j);
                (case.u[node], case.du[node]) = (random(), random());
            }
            case
        }

        /// Nodes that move: columns 1 to `columns`, rows 1 to `rows`.
        fn nodes(&self) -> Vec<(usize, usize)> {
            let all = (1..=self.uniform.rows).flat_map(|j| (1..=self.columns).map(move |i| (i, j)));
            all.filter(|&(i, _)| i < self.uniform.nodes.stride - 1).collect()
        }

        fn node(&self, i: usize, j: usize) -> usize {
            self.uniform.nodes.node(i, j)
        }

        /// The equations of the head of this file, node by node.
        fn plain(&self) -> Vec<f64> {
            let Uniform {
                coefficients: UpdateCoefficients { decay, bending, damping, tension },
                nodes: GridNodes { stride, .. },
                rows,
                edges,
                ..
            } = self.uniform;
            let u: Vec<f64> = self.u.iter().zip(&self.du).map(|(u, du)| u + du).collect();
            let laplacian =
                |x: &[f64], at: usize| x[at - 1] + x[at + 1] + x[at - stride] + x[at + stride] - 4.0 * x[at];
            let mut q = vec![0.0; u.len()];
            for j in 0..=rows + 1 {
                let q_scale = if j == 0 {
                    edges[0]
                } else if j == rows + 1 {
                    edges[1]
                } else {
                    1.0
                };
                let row = self.node(0, j)..self.node(0, j + 1);
                for ((at, q), own) in row.clone().zip(&mut q[row]).zip(&self.mask.q_scale[..]) {
                    *q = own * q_scale * (damping * self.du[at] - bending * laplacian(&u, at));
                }
            }
            let next = |(i, j): (usize, usize)| {
                let at = self.node(i, j);
                let du_next = decay * self.du[at] + laplacian(&q, at) + tension * laplacian(&u, at);
                self.mask.moves[i] * du_next
            };
            self.nodes().into_iter().map(next).collect()
        }

        /// The same by a kernel, in place or beside du.
        fn by_kernel(&self, keep_previous: bool, run: impl FnOnce(PlateSweep<'_>)) -> Vec<f64> {
            let (mut u, mut du, mut q) = (field(0), field(0), field(self.uniform.scratch()));
            self.u.iter().for_each(|&x| u.push(x));
            self.du.iter().for_each(|&x| du.push(x));
            let mut previous = du.clone();
            if keep_previous {
                self.nodes().into_iter().for_each(|(i, j)| du[self.node(i, j)] = f64::NAN);
            }
            let increments = Increments { next: &mut du, previous: keep_previous.then_some(&mut previous[..]) };
            let fields = UniformFields { u: &mut u, du: increments, layer_step: None, q: &mut q };
            run(self.uniform.sweep(&self.mask, fields));
            assert!(!keep_previous || previous[..] == self.du[..], "du was to be kept");
            self.nodes().into_iter().map(|(i, j)| du[self.node(i, j)]).collect()
        }
    }

    proptest! {
        #[test]
        fn vectors_of_every_width_agree_with_the_equations(
            columns in 1..70_usize,
            rows in 1..40_usize,
            tense in any::<bool>(),
            edges in [0..3_u8, 0..3_u8],
            seed in any::<u64>(),
        ) {
            let case = UniformCase::new(columns, rows, tense, edges.map(f64::from), seed);
            let plain = case.plain();
            let widest = case.by_kernel(false, |sweep| run(Machine::new(false), sweep));
            let beside = case.by_kernel(true, |sweep| run(Machine::new(false), sweep));
            let narrowest = case.by_kernel(false, |sweep| sweep.run(pulp::Scalar, ByLane));
            prop_assert_eq!(&beside, &widest);
            for ((a, b), c) in plain.iter().zip(&widest).zip(&narrowest) {
                // Sums of thirty terms, of which none exceeds 40.
                prop_assert!((a - b).abs() <= 1e-13 * 40.0 && (a - c).abs() <= 1e-13 * 40.0, "{a} {b} {c}");
            }
        }
    }
}
