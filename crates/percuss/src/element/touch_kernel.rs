//! The update of a plate under touches, in the widest vectors the machine has: see `touch` for the equations.
//!
//! Allocates   no

use super::touch::{Hold, Moment};
use super::vectors::{Divide, Kernel, Shift, vectors, vectors_mut};
use crate::model::Touch;
use pulp::Simd;
use std::ops::Range;

/// What a touch adds where it presses with all its might.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strength {
    /// To ḡ.
    pub mass: f64,
    /// To ¼(k²/ρH)k̄.
    pub stiffness: f64,
    /// To Σa_σp̄ \[1/s\].
    pub damping: f64,
}

impl Strength {
    pub fn new(touch: &Touch, density: f64, k: f64) -> Self {
        Self {
            mass: touch.mass / density,
            stiffness: k * k / (4.0 * density) * touch.stiffness,
            damping: touch.damping,
        }
    }
}

/// What the touches of a plate do at one moment.
#[derive(Clone, Copy)]
pub(super) struct Press<'a> {
    pub holds: &'a [Hold],
    pub moment: Moment,
    /// In every row, the blocks on which there is pressure, counted in nodes.
    pub pressed: &'a [Range<usize>],
    pub bare: f64,
    pub sigma0: f64,
    pub k: f64,
    /// State index of the first node, and nodes from one row to the next.
    pub start: usize,
    pub stride: usize,
}

/// u, du⁺ and du, as the state has them.
pub(super) type Fields<'a> = (&'a [f64], &'a mut [f64], &'a [f64]);

/// The correction of du⁺ in all rows.
pub(super) struct Pressing<'a> {
    pub press: Press<'a>,
    pub fields: Fields<'a>,
}

impl Kernel for Pressing<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, own: H) {
        self.press.rows(simd, own, 0..self.press.pressed.len(), self.fields);
    }
}

/// Pressures on the nodes of a vector.
pub(super) struct Pressure<T> {
    /// p̄ at n.
    pub now: T,
    /// Mean of p̄ at n ± ½, and half their difference.
    pub mean: T,
    pub swing: T,
}

/// What all touches make of the nodes of a vector.
#[derive(Clone, Copy)]
struct Sums<T> {
    /// ḡ and Σa_σp̄ at n.
    mass: T,
    damping: T,
    /// −2(κ⁺ + κ⁻).
    stiffness: T,
    /// Mean of γ + κ at n ± ½, and half the difference.
    mean: T,
    swing: T,
}

/// The constants of a touch at one moment, spread over vectors.
#[derive(Clone, Copy)]
pub(super) struct Spread<T> {
    pub mass: T,
    pub stiffness: T,
    pub damping: T,
    pull: T,
    both: T,
    now: T,
    half: T,
}

impl Press<'_> {
    /// Corrects du⁺ in some rows, in all blocks on which there is pressure.
    #[inline(always)]
    pub fn rows<S: Simd, H: Divide<S>>(&self, simd: S, own: H, rows: Range<usize>, fields: Fields<'_>) {
        if self.turns() {
            self.press::<S, H, true>(simd, own, rows, fields);
        } else {
            self.press::<S, H, false>(simd, own, rows, fields);
        }
    }

    /// Whether n − ½ lies before the last control update, at which pressures turn.
    pub fn turns(&self) -> bool {
        self.moment.behind < 0.0
    }

    #[inline(always)]
    fn press<S: Simd, H: Divide<S>, const TURN: bool>(
        &self,
        simd: S,
        own: H,
        rows: Range<usize>,
        (u, next, du): Fields<'_>,
    ) {
        let Self { holds, moment, .. } = *self;
        for row in rows {
            let fields = (u, &mut *next, du);
            match holds {
                // Nearly always there is but one, whose constants need not be spread for every vector anew.
                [hold] => {
                    let (constants, frames) = (spread(simd, &hold.strength, &moment), self.frames::<S>(hold, row));
                    let add = |sums, i| add::<S, TURN>(simd, &frames, &constants, i, sums);
                    self.press_row(simd, own, row, fields, add);
                }
                holds => self.press_row(simd, own, row, fields, |sums, i| {
                    let more = |sums, hold: &Hold| {
                        let constants = spread(simd, &hold.strength, &moment);
                        add::<S, TURN>(simd, &self.frames::<S>(hold, row), &constants, i, sums)
                    };
                    holds.iter().fold(sums, more)
                }),
            }
        }
    }

    /// Nodes of a row on which there is pressure, counted from the first of the plate.
    pub fn within(&self, row: usize) -> Range<usize> {
        let blocks = &self.pressed[row];
        row * self.stride + blocks.start..row * self.stride + blocks.end
    }

    /// The pressures of a touch on these.
    #[inline(always)]
    pub fn frames<'s, S: Simd>(&self, hold: &'s Hold, row: usize) -> [&'s [S::f64s]; 3] {
        let nodes = self.within(row);
        let count = nodes.len() / S::F64_LANES;
        hold.frames.each_ref().map(|frame| &vectors::<S>(&frame[nodes.clone()])[..count])
    }

    /// Corrects a row; `add` adds what the touches do to a vector of it.
    #[inline(always)]
    fn press_row<S: Simd, H: Divide<S>>(
        &self,
        simd: S,
        own: H,
        row: usize,
        (u, next, du): Fields<'_>,
        add: impl Fn(Sums<S::f64s>, usize) -> Sums<S::f64s>,
    ) {
        let within = self.within(row);
        let (nodes, count) = (self.start + within.start..self.start + within.end, within.len() / S::F64_LANES);
        let next = &mut vectors_mut::<S>(&mut next[nodes.clone()])[..count];
        let [u, du] = [u, du].map(|x| &vectors::<S>(&x[nodes.clone()])[..count]);
        let zero = simd.splat_f64s(0.0);
        let nothing = Sums { mass: zero, damping: zero, stiffness: zero, mean: zero, swing: zero };
        let [bare, sigma0, k] = [self.bare, self.sigma0, self.k].map(|x| simd.splat_f64s(x));
        for i in 0..count {
            let Sums { mass, damping, stiffness, mean, swing } = add(nothing, i);
            // σ̄k, with σ̄ = Σa_σp̄ + ḡ(Σa_σp̄ + σ₀).
            let drag = simd.mul_f64s(k, simd.mul_add_f64s(mass, simd.add_f64s(damping, sigma0), damping));
            let rest = simd.add_f64s(swing, drag);
            let whole = simd.add_f64s(bare, simd.add_f64s(mean, rest));
            let held = simd.mul_add_f64s(stiffness, u[i], simd.mul_f64s(simd.sub_f64s(mean, rest), du[i]));
            next[i] = own.divide(simd, simd.mul_add_f64s(bare, next[i], held), whole);
        }
    }
}

#[inline(always)]
pub(super) fn spread<S: Simd>(simd: S, strength: &Strength, moment: &Moment) -> Spread<S::f64s> {
    let of = |x: f64| simd.splat_f64s(x);
    Spread {
        mass: of(strength.mass),
        stiffness: of(strength.stiffness),
        damping: of(strength.damping),
        pull: of(-4.0 * strength.stiffness),
        both: of(strength.mass + strength.stiffness),
        now: of(moment.now),
        half: of(moment.ahead - moment.now),
    }
}

/// Adds what a touch does to vector i.
#[inline(always)]
fn add<S: Simd, const TURN: bool>(
    simd: S,
    frames: &[&[S::f64s]; 3],
    c: &Spread<S::f64s>,
    i: usize,
    sums: Sums<S::f64s>,
) -> Sums<S::f64s> {
    let Pressure { now, mean, swing } = pressure::<S, TURN>(simd, frames, c, i);
    Sums {
        mass: simd.mul_add_f64s(c.mass, now, sums.mass),
        damping: simd.mul_add_f64s(c.damping, now, sums.damping),
        stiffness: simd.mul_add_f64s(c.pull, mean, sums.stiffness),
        mean: simd.mul_add_f64s(c.both, mean, sums.mean),
        swing: simd.mul_add_f64s(c.both, swing, sums.swing),
    }
}

/// How hard a touch presses on vector i.
#[inline(always)]
pub(super) fn pressure<S: Simd, const TURN: bool>(
    simd: S,
    [past, start, end]: &[&[S::f64s]; 3],
    c: &Spread<S::f64s>,
    i: usize,
) -> Pressure<S::f64s> {
    let (start, end) = (start[i], end[i]);
    let rise = simd.sub_f64s(end, start);
    if TURN {
        let before = simd.sub_f64s(start, past[i]);
        let quarter = simd.mul_f64s(simd.splat_f64s(0.5), c.half);
        let mean = simd.mul_add_f64s(quarter, simd.sub_f64s(rise, before), start);
        return Pressure { now: start, mean, swing: simd.mul_f64s(quarter, simd.add_f64s(rise, before)) };
    }
    let now = simd.mul_add_f64s(c.now, rise, start);
    Pressure { now, mean: now, swing: simd.mul_f64s(c.half, rise) }
}
