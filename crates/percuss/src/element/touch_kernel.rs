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
        for row in rows {
            let fields = (u, &mut *next, du);
            match self.holds {
                [hold] if !TURN => self.press_row_once(simd, own, row, fields, hold),
                _ => self.press_row::<S, H, TURN>(simd, own, row, fields),
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

    /// u, du⁺ and du of the nodes of a row on which there is pressure.
    #[inline(always)]
    fn row<'s, S: Simd>(&self, row: usize, (u, next, du): Fields<'s>) -> Vectors<'s, S::f64s> {
        let within = self.within(row);
        let (nodes, count) = (self.start + within.start..self.start + within.end, within.len() / S::F64_LANES);
        let [u, du] = [u, du].map(|x| &vectors::<S>(&x[nodes.clone()])[..count]);
        (u, &mut vectors_mut::<S>(&mut next[nodes])[..count], du)
    }

    /// Corrects a row.
    #[inline(always)]
    fn press_row<S: Simd, H: Divide<S>, const TURN: bool>(&self, simd: S, own: H, row: usize, fields: Fields<'_>) {
        let ((u, next, du), c) = (self.row::<S>(row, fields), self.spread(simd));
        for i in 0..next.len() {
            let mut sums = Sums::nothing(simd);
            for hold in self.holds {
                let (constants, frames) = (spread(simd, &hold.strength, &self.moment), self.frames::<S>(hold, row));
                sums = add::<S, TURN>(simd, &frames, &constants, i, sums);
            }
            next[i] = correct(simd, own, &c, &sums, (u[i], next[i], du[i]));
        }
    }

    /// Corrects a row under a single touch between two control updates, as nearly always: then p̄ is a straight line, D a
    /// polynomial in it, and du⁺ = X/D − du with X = D₀(du⁺ + du) + p̄·(2(a_λ + a_k)du − 4a_k u), a_λ and a_k as in γ and κ.
    #[inline(always)]
    fn press_row_once<S: Simd, H: Divide<S>>(&self, simd: S, own: H, row: usize, fields: Fields<'_>, hold: &Hold) {
        let (u, next, du) = self.row::<S>(row, fields);
        let [_, start, end] = self.frames::<S>(hold, row);
        let Strength { mass, stiffness, damping } = hold.strength;
        let (both, half) = (mass + stiffness, self.moment.ahead - self.moment.now);
        let of = |x: f64| simd.splat_f64s(x / self.bare);
        let (linear, square) = (of(both + self.k * (damping + self.sigma0 * mass)), of(self.k * damping * mass));
        let (swing, keep, pull) = (of(both * half), of(2.0 * both), of(-4.0 * stiffness));
        let (one, now) = (simd.splat_f64s(1.0), simd.splat_f64s(self.moment.now));
        for i in 0..next.len() {
            let rise = simd.sub_f64s(end[i], start[i]);
            let pressure = simd.mul_add_f64s(now, rise, start[i]);
            let grown = simd.mul_add_f64s(swing, rise, one);
            let whole = simd.mul_add_f64s(pressure, simd.mul_add_f64s(square, pressure, linear), grown);
            let held = simd.mul_add_f64s(keep, du[i], simd.mul_f64s(pull, u[i]));
            let free = simd.mul_add_f64s(pressure, held, simd.add_f64s(next[i], du[i]));
            next[i] = simd.sub_f64s(own.divide(simd, free, whole), du[i]);
        }
    }

    #[inline(always)]
    fn spread<S: Simd>(&self, simd: S) -> Bare<S::f64s> {
        Bare { bare: simd.splat_f64s(self.bare), sigma0: simd.splat_f64s(self.sigma0), k: simd.splat_f64s(self.k) }
    }
}

/// Vectors of u, du⁺ and du.
type Vectors<'a, T> = (&'a [T], &'a mut [T], &'a [T]);

/// Constants of the plate, spread over vectors.
struct Bare<T> {
    bare: T,
    sigma0: T,
    k: T,
}

impl<T: Copy> Sums<T> {
    #[inline(always)]
    fn nothing<S: Simd<f64s = T>>(simd: S) -> Self {
        let zero = simd.splat_f64s(0.0);
        Self { mass: zero, damping: zero, stiffness: zero, mean: zero, swing: zero }
    }
}

/// What du⁺ becomes under all touches.
#[inline(always)]
fn correct<S: Simd, H: Divide<S>>(
    simd: S,
    own: H,
    c: &Bare<S::f64s>,
    sums: &Sums<S::f64s>,
    (u, next, du): (S::f64s, S::f64s, S::f64s),
) -> S::f64s {
    let Sums { mass, damping, stiffness, mean, swing } = *sums;
    // σ̄k, with σ̄ = Σa_σp̄ + ḡ(Σa_σp̄ + σ₀).
    let drag = simd.mul_f64s(c.k, simd.mul_add_f64s(mass, simd.add_f64s(damping, c.sigma0), damping));
    let rest = simd.add_f64s(swing, drag);
    let whole = simd.add_f64s(c.bare, simd.add_f64s(mean, rest));
    let held = simd.mul_add_f64s(stiffness, u, simd.mul_f64s(simd.sub_f64s(mean, rest), du));
    own.divide(simd, simd.mul_add_f64s(c.bare, next, held), whole)
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
