//! The update of a plate under touches, in vectors: see `layer` for the equations.
//!
//! Allocates   no

use crate::element::plate::grid::GridNodes;
use crate::element::plate::layer::loads::{Frames, Loads, TouchCoefficients};
use crate::element::plate::layer::phase::ControlPhase;
use crate::element::plate::stencil::strip::{RowTouch, TouchedRows};
use crate::element::simd::{ByLane, Divide, Kernel, Shift, divides_fast, mul_add, vectors, vectors_mut};
use pulp::Simd;
use std::ops::Range;

/// The touches of a plate in one step.
#[derive(Clone, Copy)]
pub(crate) struct LayerStep<'a> {
    pub loads: &'a Loads,
    /// Of a single touch.
    pub single: SingleTouchCoefficients,
    pub phase: ControlPhase,
    /// In every row, the blocks on which there is pressure, counted in nodes.
    pub pressed: &'a [Range<usize>],
    pub constants: LayerConstants<f64>,
    pub nodes: GridNodes,
}

/// Constants of the plate, or the same spread over vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerConstants<T> {
    /// D₀ = 1 + σ₀k.
    pub free_diagonal: T,
    pub sigma0: T,
    pub k: T,
}

/// The coefficients of a single touch between two control updates, when p̄ is a straight line: D/D₀ is the polynomial
/// 1 + on_pressure_change·δp̄ + p̄·(linear + quadratic·p̄), δp̄ what p̄ grows by to the next update, and
/// du⁺ ← (du⁺ + du + p̄·(on_du·du + on_u·u))/(D/D₀) − du.
#[derive(Clone, Copy)]
pub(crate) struct SingleTouchCoefficients {
    linear: f64,
    quadratic: f64,
    on_pressure_change: f64,
    on_du: f64,
    on_u: f64,
}

impl SingleTouchCoefficients {
    pub fn new(coefficients: TouchCoefficients, phase: ControlPhase, constants: LayerConstants<f64>) -> Self {
        let LayerConstants { free_diagonal, sigma0, k } = constants;
        let TouchCoefficients { mass, stiffness, damping } = coefficients;
        let mass_and_stiffness = mass + stiffness;
        Self {
            linear: (mass_and_stiffness + k * (damping + sigma0 * mass)) / free_diagonal,
            quadratic: k * damping * mass / free_diagonal,
            on_pressure_change: mass_and_stiffness * (phase.ahead - phase.now) / free_diagonal,
            on_du: 2.0 * mass_and_stiffness / free_diagonal,
            on_u: -4.0 * stiffness / free_diagonal,
        }
    }
}

/// u, du⁺ and du of some nodes.
pub(crate) type LayerFields<'a> = (&'a [f64], &'a mut [f64], &'a [f64]);

/// The correction of du⁺ on all nodes of a plate.
pub(crate) struct ApplyLayer<'a> {
    pub layer_step: LayerStep<'a>,
    pub fields: LayerFields<'a>,
}

impl Kernel for ApplyLayer<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, division: H) {
        let Self { layer_step, fields } = self;
        match (layer_step.spans_update(), divides_fast()) {
            (true, _) => layer_step.apply::<S, H, true>(simd, division, fields),
            (false, true) => layer_step.apply::<S, ByLane, false>(simd, ByLane, fields),
            (false, false) => layer_step.apply::<S, H, false>(simd, division, fields),
        }
    }
}

/// A quantity on the nodes of a vector.
#[derive(Clone, Copy)]
pub(crate) struct TimeStencil<T> {
    /// At n.
    pub now: T,
    /// Mean of n ± ½, and half the difference.
    pub mean: T,
    pub half_difference: T,
}

/// Nodes on which there is pressure, counted from the first of the plate: those of rows that are pressed from end to end together,
/// others row by row.
struct PressedSpans<'a> {
    pressed: &'a [Range<usize>],
    stride: usize,
    rows: Range<usize>,
}

impl Iterator for PressedSpans<'_> {
    type Item = Range<usize>;

    #[inline(always)]
    fn next(&mut self) -> Option<Range<usize>> {
        let row = self.rows.next()?;
        let Range { start, mut end } = self.pressed[row];
        let mut last = row;
        if end - start == self.stride {
            while self.rows.start < self.rows.end && self.pressed[self.rows.start].len() == self.stride {
                last = self.rows.start;
                self.rows.start += 1;
            }
            end = self.stride;
        }
        Some(row * self.stride + start..last * self.stride + end)
    }
}

/// What all touches add to the nodes of a vector.
pub(crate) struct VectorLoad<T> {
    /// ḡ.
    pub mass: TimeStencil<T>,
    /// ¼(k²/ρH)k̄.
    pub stiffness: TimeStencil<T>,
    /// Σa_σp̄ at n.
    pub damping: T,
}

/// The frames of some nodes, and where between them the present step is, spread over vectors.
pub(crate) struct LayerVectors<'a, S: Simd> {
    simd: S,
    coefficients: [S::f64s; 3],
    frames: [[&'a [S::f64s]; 3]; 3],
    now: S::f64s,
    half: S::f64s,
}

impl LayerStep<'_> {
    /// Whether n − ½ lies before the last control update, at which the slope of pressures changes.
    pub fn spans_update(&self) -> bool {
        self.phase.behind < 0.0
    }

    /// Corrects du⁺ in all blocks on which there is pressure.
    #[inline(always)]
    fn apply<S: Simd, H: Divide<S>, const ACROSS_UPDATE: bool>(
        &self,
        simd: S,
        division: H,
        (u, next, du): LayerFields<'_>,
    ) {
        // Chosen once, and not for every span.
        let spans = PressedSpans { pressed: self.pressed, stride: self.nodes.stride, rows: 0..self.pressed.len() };
        match self.loads {
            Loads::Single { .. } if !ACROSS_UPDATE => {
                for nodes in spans {
                    let fields = (&u[nodes.clone()], &mut next[nodes.clone()], &du[nodes.clone()]);
                    self.apply_single_touch(simd, division, nodes, fields);
                }
            }
            Loads::Single { .. } => {
                for nodes in spans {
                    let fields = (&u[nodes.clone()], &mut next[nodes.clone()], &du[nodes.clone()]);
                    self.apply_touches::<S, H, ACROSS_UPDATE, false>(simd, division, nodes, fields);
                }
            }
            Loads::Multiple(_) => {
                for nodes in spans {
                    let fields = (&u[nodes.clone()], &mut next[nodes.clone()], &du[nodes.clone()]);
                    self.apply_touches::<S, H, ACROSS_UPDATE, true>(simd, division, nodes, fields);
                }
            }
        }
    }

    /// Nodes of a row on which there is pressure, counted from the first of the plate.
    pub fn pressed_nodes(&self, row: usize) -> Range<usize> {
        let blocks = &self.pressed[row];
        row * self.nodes.stride + blocks.start..row * self.nodes.stride + blocks.end
    }

    /// The frames of some nodes in the present step.
    #[inline(always)]
    pub fn layer_vectors<S: Simd>(&self, simd: S, nodes: Range<usize>) -> LayerVectors<'_, S> {
        let (coefficients, frames) = match self.loads {
            Loads::Single { coefficients, pressure } => (*coefficients, [frames::<S>(&nodes, pressure); 3]),
            Loads::Multiple([mass, stiffness, damping]) => (
                TouchCoefficients { mass: 1.0, stiffness: 1.0, damping: 1.0 },
                [frames::<S>(&nodes, mass), frames::<S>(&nodes, stiffness), frames::<S>(&nodes, damping)],
            ),
        };
        let TouchCoefficients { mass, stiffness, damping } = coefficients;
        LayerVectors {
            simd,
            coefficients: [simd.splat_f64s(mass), simd.splat_f64s(stiffness), simd.splat_f64s(damping)],
            frames,
            now: simd.splat_f64s(self.phase.now),
            half: simd.splat_f64s(self.phase.ahead - self.phase.now),
        }
    }

    /// Corrects some nodes. `MULTIPLE` where there is more than one touch.
    #[inline(always)]
    fn apply_touches<S: Simd, H: Divide<S>, const ACROSS_UPDATE: bool, const MULTIPLE: bool>(
        &self,
        simd: S,
        division: H,
        nodes: Range<usize>,
        fields: LayerFields<'_>,
    ) {
        let ((u, next, du), c) = (in_vectors::<S>(fields), self.spread(simd));
        let layer_vectors = self.layer_vectors(simd, nodes);
        for i in 0..next.len() {
            let load = layer_vectors.load_at::<ACROSS_UPDATE, MULTIPLE>(i);
            next[i] = correct(simd, division, &c, &load, (u[i], next[i], du[i]));
        }
    }

    /// Corrects some nodes under a single touch whose pressure is linear in time.
    #[inline(always)]
    fn apply_single_touch<S: Simd, H: Divide<S>>(
        &self,
        simd: S,
        division: H,
        nodes: Range<usize>,
        fields: LayerFields<'_>,
    ) {
        let ((u, next, du), touch) = (in_vectors::<S>(fields), self.single_touch::<S, H>(simd, division, nodes));
        let touch = touch.window(0, next.len());
        for i in 0..next.len() {
            next[i] = touch.touch(i, [u[i], next[i], du[i]]);
        }
    }

    /// A single touch whose pressure is linear in time, on some nodes.
    #[inline(always)]
    fn single_touch<S: Simd, H: Divide<S>>(
        &self,
        simd: S,
        division: H,
        nodes: Range<usize>,
    ) -> SingleTouchRow<'_, S, H> {
        let (Loads::Single { pressure, .. } | Loads::Multiple([pressure, ..])) = self.loads;
        let [_, start, end] = frames::<S>(&nodes, pressure);
        let SingleTouchCoefficients { linear, quadratic, on_pressure_change, on_du, on_u } = self.single;
        SingleTouchRow {
            simd,
            division,
            start,
            end,
            now: simd.splat_f64s(self.phase.now),
            one: simd.splat_f64s(1.0),
            linear: simd.splat_f64s(linear),
            quadratic: simd.splat_f64s(quadratic),
            on_pressure_change: simd.splat_f64s(on_pressure_change),
            on_du: simd.splat_f64s(on_du),
            on_u: simd.splat_f64s(on_u),
        }
    }

    /// All nodes of a row, counted from the first of the plate.
    #[inline(always)]
    fn row_nodes(&self, row: usize) -> Range<usize> {
        row * self.nodes.stride..(row + 1) * self.nodes.stride
    }

    /// The touch on `R` rows, from `row` on.
    #[inline(always)]
    pub fn touch_rows<S: Simd, H: Divide<S>, const R: usize>(
        &self,
        simd: S,
        division: H,
        row: usize,
    ) -> TouchedRows<SingleTouchRow<'_, S, H>, R> {
        let mut rows = [self.single_touch(simd, division, self.row_nodes(row)); R];
        let Range { mut start, mut end } = self.pressed[row];
        // An iterator here may not be inlined, and then no register holds what it fills.
        let mut other = 1;
        while other < R {
            rows[other] = self.single_touch(simd, division, self.row_nodes(row + other));
            let within = &self.pressed[row + other];
            if !within.is_empty() {
                start = if end > start { start.min(within.start) } else { within.start };
                end = end.max(within.end);
            }
            other += 1;
        }
        TouchedRows { rows, within: start / S::F64_LANES..end / S::F64_LANES }
    }

    #[inline(always)]
    fn spread<S: Simd>(&self, simd: S) -> LayerConstants<S::f64s> {
        let LayerConstants { free_diagonal, sigma0, k } = self.constants;
        LayerConstants {
            free_diagonal: simd.splat_f64s(free_diagonal),
            sigma0: simd.splat_f64s(sigma0),
            k: simd.splat_f64s(k),
        }
    }
}

/// A single touch whose pressure is linear in time, on some nodes, spread over vectors.
#[derive(Clone, Copy)]
pub(crate) struct SingleTouchRow<'a, S: Simd, H> {
    simd: S,
    division: H,
    /// Pressures at the last update and at the next.
    start: &'a [S::f64s],
    end: &'a [S::f64s],
    now: S::f64s,
    one: S::f64s,
    linear: S::f64s,
    quadratic: S::f64s,
    on_pressure_change: S::f64s,
    on_du: S::f64s,
    on_u: S::f64s,
}

impl<S: Simd, H: Divide<S>> RowTouch<S> for SingleTouchRow<'_, S, H> {
    #[inline(always)]
    fn window(self, first: usize, length: usize) -> Self {
        Self { start: &self.start[first..][..length], end: &self.end[first..][..length], ..self }
    }

    #[inline(always)]
    fn touch(&self, i: usize, [u, next, du]: [S::f64s; 3]) -> S::f64s {
        let simd = self.simd;
        let pressure_change = simd.sub_f64s(self.end[i], self.start[i]);
        let pressure = mul_add(simd, self.now, pressure_change, self.start[i]);
        let growth_term = mul_add(simd, self.on_pressure_change, pressure_change, self.one);
        let diagonal = mul_add(simd, pressure, mul_add(simd, self.quadratic, pressure, self.linear), growth_term);
        let touch_term = mul_add(simd, self.on_du, du, simd.mul_f64s(self.on_u, u));
        let numerator = mul_add(simd, pressure, touch_term, simd.add_f64s(next, du));
        simd.sub_f64s(self.division.divide(simd, numerator, diagonal), du)
    }
}

/// Vectors of u, du⁺ and du.
type Vectors<'a, T> = (&'a [T], &'a mut [T], &'a [T]);

/// As many of each as there are of du⁺.
#[inline(always)]
fn in_vectors<S: Simd>((u, next, du): LayerFields<'_>) -> Vectors<'_, S::f64s> {
    let next = vectors_mut::<S>(next);
    let count = next.len();
    (&vectors::<S>(u)[..count], next, &vectors::<S>(du)[..count])
}

/// The values of some frames on some nodes. Written out: functions handed to others may not be inlined here.
#[inline(always)]
fn frames<'a, S: Simd>(nodes: &Range<usize>, [past, start, end]: &'a Frames) -> [&'a [S::f64s]; 3] {
    [on::<S>(nodes, past), on::<S>(nodes, start), on::<S>(nodes, end)]
}

#[inline(always)]
fn on<'a, S: Simd>(nodes: &Range<usize>, field: &'a [f64]) -> &'a [S::f64s] {
    &vectors::<S>(&field[nodes.clone()])[..nodes.len() / S::F64_LANES]
}

/// What du⁺ becomes under all touches.
#[inline(always)]
fn correct<S: Simd, H: Divide<S>>(
    simd: S,
    division: H,
    c: &LayerConstants<S::f64s>,
    load: &VectorLoad<S::f64s>,
    (u, next, du): (S::f64s, S::f64s, S::f64s),
) -> S::f64s {
    let VectorLoad { mass, stiffness, damping } = load;
    // σ̄k, with σ̄ = Σa_σp̄ + ḡ(Σa_σp̄ + σ₀).
    let drag = simd.mul_f64s(c.k, mul_add(simd, mass.now, simd.add_f64s(*damping, c.sigma0), *damping));
    let mean = simd.add_f64s(mass.mean, stiffness.mean);
    let odd_part = simd.add_f64s(simd.add_f64s(mass.half_difference, stiffness.half_difference), drag);
    let diagonal = simd.add_f64s(c.free_diagonal, simd.add_f64s(mean, odd_part));
    let on_u = simd.mul_f64s(simd.mul_f64s(simd.splat_f64s(-4.0), stiffness.mean), u);
    let touch_term = mul_add(simd, simd.sub_f64s(mean, odd_part), du, on_u);
    division.divide(simd, mul_add(simd, c.free_diagonal, next, touch_term), diagonal)
}

impl<S: Simd> LayerVectors<'_, S> {
    /// What is added to vector i. `ACROSS_UPDATE` where n − ½ lies before the last update, `MULTIPLE` where there is more than
    /// one touch.
    #[inline(always)]
    pub fn load_at<const ACROSS_UPDATE: bool, const MULTIPLE: bool>(&self, i: usize) -> VectorLoad<S::f64s> {
        let [mass, stiffness, damping] = self.coefficients;
        let pressure = self.time_stencil::<ACROSS_UPDATE>(0, i);
        if MULTIPLE {
            let damping = self.time_stencil::<ACROSS_UPDATE>(2, i).now;
            return VectorLoad { mass: pressure, stiffness: self.time_stencil::<ACROSS_UPDATE>(1, i), damping };
        }
        VectorLoad {
            mass: self.scaled(mass, pressure),
            stiffness: self.scaled(stiffness, pressure),
            damping: self.simd.mul_f64s(damping, pressure.now),
        }
    }

    #[inline(always)]
    fn scaled(&self, factor: S::f64s, time_stencil: TimeStencil<S::f64s>) -> TimeStencil<S::f64s> {
        let simd = self.simd;
        TimeStencil {
            now: simd.mul_f64s(factor, time_stencil.now),
            mean: simd.mul_f64s(factor, time_stencil.mean),
            half_difference: simd.mul_f64s(factor, time_stencil.half_difference),
        }
    }

    /// One of the three quantities at vector i, at n and n ± ½.
    #[inline(always)]
    fn time_stencil<const ACROSS_UPDATE: bool>(&self, part: usize, i: usize) -> TimeStencil<S::f64s> {
        let simd = self.simd;
        let [past, start, end] = self.frames[part];
        let (start, end) = (start[i], end[i]);
        let pressure_change = simd.sub_f64s(end, start);
        if ACROSS_UPDATE {
            let change_before = simd.sub_f64s(start, past[i]);
            let quarter = simd.mul_f64s(simd.splat_f64s(0.5), self.half);
            let mean = mul_add(simd, quarter, simd.sub_f64s(pressure_change, change_before), start);
            return TimeStencil {
                now: start,
                mean,
                half_difference: simd.mul_f64s(quarter, simd.add_f64s(pressure_change, change_before)),
            };
        }
        let now = mul_add(simd, self.now, pressure_change, start);
        TimeStencil { now, mean: now, half_difference: simd.mul_f64s(self.half, pressure_change) }
    }
}
