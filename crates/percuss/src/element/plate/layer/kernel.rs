//! The update of a plate under touches, in vectors: see `layer` for the equations.
//!
//! Allocates   no

use crate::element::plate::grid::GridNodes;
use crate::element::plate::layer::loads::{Frames, Loads, Strength};
use crate::element::plate::layer::phase::ControlPhase;
use crate::element::plate::stencil::strip::{Touched, Touching};
use crate::element::simd::{ByLane, Divide, Kernel, Shift, divides_fast, vectors, vectors_mut};
use pulp::Simd;
use std::ops::Range;

/// What the touches of a plate do at one moment.
#[derive(Clone, Copy)]
pub(crate) struct LayerStep<'a> {
    pub loads: &'a Loads,
    /// Of a single touch.
    pub single: SingleTouch,
    pub moment: ControlPhase,
    /// In every row, the blocks on which there is pressure, counted in nodes.
    pub pressed: &'a [Range<usize>],
    pub constants: LayerConstants<f64>,
    pub nodes: GridNodes,
}

/// Constants of the plate, or the same spread over vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerConstants<T> {
    /// D₀ = 1 + σ₀k.
    pub bare: T,
    pub sigma0: T,
    pub k: T,
}

/// The coefficients of a single touch between two control updates, when p̄ is a straight line: D/D₀ is the polynomial
/// 1 + swing·δp̄ + p̄·(linear + square·p̄), δp̄ what p̄ grows by to the next update, and
/// du⁺ ← (du⁺ + du + p̄·(keep·du + pull·u))/(D/D₀) − du.
#[derive(Clone, Copy)]
pub(crate) struct SingleTouch {
    linear: f64,
    square: f64,
    swing: f64,
    keep: f64,
    pull: f64,
}

impl SingleTouch {
    pub fn new(strength: Strength, moment: ControlPhase, constants: LayerConstants<f64>) -> Self {
        let LayerConstants { bare, sigma0, k } = constants;
        let Strength { mass, stiffness, damping } = strength;
        let both = mass + stiffness;
        Self {
            linear: (both + k * (damping + sigma0 * mass)) / bare,
            square: k * damping * mass / bare,
            swing: both * (moment.ahead - moment.now) / bare,
            keep: 2.0 * both / bare,
            pull: -4.0 * stiffness / bare,
        }
    }
}

/// u, du⁺ and du of some nodes.
pub(crate) type LayerFields<'a> = (&'a [f64], &'a mut [f64], &'a [f64]);

/// The correction of du⁺ on all nodes of a plate.
pub(crate) struct ApplyLayer<'a> {
    pub press: LayerStep<'a>,
    pub fields: LayerFields<'a>,
}

impl Kernel for ApplyLayer<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, own: H) {
        let Self { press, fields } = self;
        match (press.turns(), divides_fast()) {
            (true, _) => press.press::<S, H, true>(simd, own, fields),
            (false, true) => press.press::<S, ByLane, false>(simd, ByLane, fields),
            (false, false) => press.press::<S, H, false>(simd, own, fields),
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
    pub swing: T,
}

/// Nodes on which there is pressure, counted from the first of the plate: those of rows that are pressed from end to end together,
/// others row by row.
struct Stretches<'a> {
    pressed: &'a [Range<usize>],
    stride: usize,
    rows: Range<usize>,
}

impl Iterator for Stretches<'_> {
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

/// The frames of a row, and where between them the present moment is, spread over vectors.
pub(crate) struct Present<'a, S: Simd> {
    simd: S,
    strength: [S::f64s; 3],
    frames: [[&'a [S::f64s]; 3]; 3],
    now: S::f64s,
    half: S::f64s,
}

impl LayerStep<'_> {
    /// Whether n − ½ lies before the last control update, at which pressures turn.
    pub fn turns(&self) -> bool {
        self.moment.behind < 0.0
    }

    /// Corrects du⁺ in all blocks on which there is pressure.
    #[inline(always)]
    fn press<S: Simd, H: Divide<S>, const TURN: bool>(&self, simd: S, own: H, (u, next, du): LayerFields<'_>) {
        // Chosen once, and not for every stretch.
        let stretches = Stretches { pressed: self.pressed, stride: self.nodes.stride, rows: 0..self.pressed.len() };
        match self.loads {
            Loads::One { .. } if !TURN => {
                for nodes in stretches {
                    let fields = (&u[nodes.clone()], &mut next[nodes.clone()], &du[nodes.clone()]);
                    self.press_once(simd, own, nodes, fields);
                }
            }
            Loads::One { .. } => {
                for nodes in stretches {
                    let fields = (&u[nodes.clone()], &mut next[nodes.clone()], &du[nodes.clone()]);
                    self.press_nodes::<S, H, TURN, false>(simd, own, nodes, fields);
                }
            }
            Loads::Many(_) => {
                for nodes in stretches {
                    let fields = (&u[nodes.clone()], &mut next[nodes.clone()], &du[nodes.clone()]);
                    self.press_nodes::<S, H, TURN, true>(simd, own, nodes, fields);
                }
            }
        }
    }

    /// Nodes of a row on which there is pressure, counted from the first of the plate.
    pub fn within(&self, row: usize) -> Range<usize> {
        let blocks = &self.pressed[row];
        row * self.nodes.stride + blocks.start..row * self.nodes.stride + blocks.end
    }

    /// What touches do to some nodes at the present moment.
    #[inline(always)]
    pub fn present<S: Simd>(&self, simd: S, nodes: Range<usize>) -> Present<'_, S> {
        let (strength, frames) = match self.loads {
            Loads::One { strength, pressure } => (*strength, [frames::<S>(&nodes, pressure); 3]),
            Loads::Many([mass, stiffness, damping]) => (
                Strength { mass: 1.0, stiffness: 1.0, damping: 1.0 },
                [frames::<S>(&nodes, mass), frames::<S>(&nodes, stiffness), frames::<S>(&nodes, damping)],
            ),
        };
        let Strength { mass, stiffness, damping } = strength;
        Present {
            simd,
            strength: [simd.splat_f64s(mass), simd.splat_f64s(stiffness), simd.splat_f64s(damping)],
            frames,
            now: simd.splat_f64s(self.moment.now),
            half: simd.splat_f64s(self.moment.ahead - self.moment.now),
        }
    }

    /// Corrects some nodes. `MANY` where there is more than one touch.
    #[inline(always)]
    fn press_nodes<S: Simd, H: Divide<S>, const TURN: bool, const MANY: bool>(
        &self,
        simd: S,
        own: H,
        nodes: Range<usize>,
        fields: LayerFields<'_>,
    ) {
        let ((u, next, du), c) = (in_vectors::<S>(fields), self.spread(simd));
        let present = self.present(simd, nodes);
        for i in 0..next.len() {
            let load = present.load::<TURN, MANY>(i);
            next[i] = correct(simd, own, &c, &load, (u[i], next[i], du[i]));
        }
    }

    /// Corrects some nodes under a single touch that does not turn.
    #[inline(always)]
    fn press_once<S: Simd, H: Divide<S>>(&self, simd: S, own: H, nodes: Range<usize>, fields: LayerFields<'_>) {
        let ((u, next, du), touch) = (in_vectors::<S>(fields), self.once::<S, H>(simd, own, nodes));
        let touch = touch.window(0, next.len());
        for i in 0..next.len() {
            next[i] = touch.touch(i, [u[i], next[i], du[i]]);
        }
    }

    /// What a single touch that does not turn does to some nodes.
    #[inline(always)]
    fn once<S: Simd, H: Divide<S>>(&self, simd: S, own: H, nodes: Range<usize>) -> OneTouch<'_, S, H> {
        let (Loads::One { pressure, .. } | Loads::Many([pressure, ..])) = self.loads;
        let [_, start, end] = frames::<S>(&nodes, pressure);
        let SingleTouch { linear, square, swing, keep, pull } = self.single;
        OneTouch {
            simd,
            own,
            start,
            end,
            now: simd.splat_f64s(self.moment.now),
            one: simd.splat_f64s(1.0),
            linear: simd.splat_f64s(linear),
            square: simd.splat_f64s(square),
            swing: simd.splat_f64s(swing),
            keep: simd.splat_f64s(keep),
            pull: simd.splat_f64s(pull),
        }
    }

    /// All nodes of a row, counted from the first of the plate.
    #[inline(always)]
    fn whole(&self, row: usize) -> Range<usize> {
        row * self.nodes.stride..(row + 1) * self.nodes.stride
    }

    /// What it does to `R` rows, from one on.
    #[inline(always)]
    pub fn touched<S: Simd, H: Divide<S>, const R: usize>(
        &self,
        simd: S,
        own: H,
        row: usize,
    ) -> Touched<OneTouch<'_, S, H>, R> {
        let mut rows = [self.once(simd, own, self.whole(row)); R];
        let Range { mut start, mut end } = self.pressed[row];
        // An iterator here may not be inlined, and then no register holds what it fills.
        let mut other = 1;
        while other < R {
            rows[other] = self.once(simd, own, self.whole(row + other));
            let within = &self.pressed[row + other];
            if !within.is_empty() {
                start = if end > start { start.min(within.start) } else { within.start };
                end = end.max(within.end);
            }
            other += 1;
        }
        Touched { rows, within: start / S::F64_LANES..end / S::F64_LANES }
    }

    #[inline(always)]
    fn spread<S: Simd>(&self, simd: S) -> LayerConstants<S::f64s> {
        let LayerConstants { bare, sigma0, k } = self.constants;
        LayerConstants { bare: simd.splat_f64s(bare), sigma0: simd.splat_f64s(sigma0), k: simd.splat_f64s(k) }
    }
}

/// A single touch that does not turn, on some nodes, spread over vectors.
#[derive(Clone, Copy)]
pub(crate) struct OneTouch<'a, S: Simd, H> {
    simd: S,
    own: H,
    /// Pressures at the last update and at the next.
    start: &'a [S::f64s],
    end: &'a [S::f64s],
    now: S::f64s,
    one: S::f64s,
    linear: S::f64s,
    square: S::f64s,
    swing: S::f64s,
    keep: S::f64s,
    pull: S::f64s,
}

impl<S: Simd, H: Divide<S>> Touching<S> for OneTouch<'_, S, H> {
    #[inline(always)]
    fn window(self, first: usize, length: usize) -> Self {
        Self { start: &self.start[first..][..length], end: &self.end[first..][..length], ..self }
    }

    #[inline(always)]
    fn touch(&self, i: usize, [u, next, du]: [S::f64s; 3]) -> S::f64s {
        let simd = self.simd;
        let rise = simd.sub_f64s(self.end[i], self.start[i]);
        let pressure = simd.mul_add_f64s(self.now, rise, self.start[i]);
        let grown = simd.mul_add_f64s(self.swing, rise, self.one);
        let whole = simd.mul_add_f64s(pressure, simd.mul_add_f64s(self.square, pressure, self.linear), grown);
        let held = simd.mul_add_f64s(self.keep, du, simd.mul_f64s(self.pull, u));
        let free = simd.mul_add_f64s(pressure, held, simd.add_f64s(next, du));
        simd.sub_f64s(self.own.divide(simd, free, whole), du)
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
    own: H,
    c: &LayerConstants<S::f64s>,
    load: &VectorLoad<S::f64s>,
    (u, next, du): (S::f64s, S::f64s, S::f64s),
) -> S::f64s {
    let VectorLoad { mass, stiffness, damping } = load;
    // σ̄k, with σ̄ = Σa_σp̄ + ḡ(Σa_σp̄ + σ₀).
    let drag = simd.mul_f64s(c.k, simd.mul_add_f64s(mass.now, simd.add_f64s(*damping, c.sigma0), *damping));
    let mean = simd.add_f64s(mass.mean, stiffness.mean);
    let rest = simd.add_f64s(simd.add_f64s(mass.swing, stiffness.swing), drag);
    let whole = simd.add_f64s(c.bare, simd.add_f64s(mean, rest));
    let pull = simd.mul_f64s(simd.mul_f64s(simd.splat_f64s(-4.0), stiffness.mean), u);
    let held = simd.mul_add_f64s(simd.sub_f64s(mean, rest), du, pull);
    own.divide(simd, simd.mul_add_f64s(c.bare, next, held), whole)
}

impl<S: Simd> Present<'_, S> {
    /// What is added to vector i. `TURN` where n − ½ lies before the last update, `MANY` where there is more than one touch.
    #[inline(always)]
    pub fn load<const TURN: bool, const MANY: bool>(&self, i: usize) -> VectorLoad<S::f64s> {
        let [mass, stiffness, damping] = self.strength;
        let pressure = self.course::<TURN>(0, i);
        if MANY {
            let damping = self.course::<TURN>(2, i).now;
            return VectorLoad { mass: pressure, stiffness: self.course::<TURN>(1, i), damping };
        }
        VectorLoad {
            mass: self.times(mass, pressure),
            stiffness: self.times(stiffness, pressure),
            damping: self.simd.mul_f64s(damping, pressure.now),
        }
    }

    #[inline(always)]
    fn times(&self, factor: S::f64s, course: TimeStencil<S::f64s>) -> TimeStencil<S::f64s> {
        let simd = self.simd;
        TimeStencil {
            now: simd.mul_f64s(factor, course.now),
            mean: simd.mul_f64s(factor, course.mean),
            swing: simd.mul_f64s(factor, course.swing),
        }
    }

    /// How one of the quantities goes at vector i.
    #[inline(always)]
    fn course<const TURN: bool>(&self, part: usize, i: usize) -> TimeStencil<S::f64s> {
        let simd = self.simd;
        let [past, start, end] = self.frames[part];
        let (start, end) = (start[i], end[i]);
        let rise = simd.sub_f64s(end, start);
        if TURN {
            let before = simd.sub_f64s(start, past[i]);
            let quarter = simd.mul_f64s(simd.splat_f64s(0.5), self.half);
            let mean = simd.mul_add_f64s(quarter, simd.sub_f64s(rise, before), start);
            return TimeStencil { now: start, mean, swing: simd.mul_f64s(quarter, simd.add_f64s(rise, before)) };
        }
        let now = simd.mul_add_f64s(self.now, rise, start);
        TimeStencil { now, mean: now, swing: simd.mul_f64s(self.half, rise) }
    }
}
