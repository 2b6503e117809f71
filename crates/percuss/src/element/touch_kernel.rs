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

/// The correction of du⁺ in all blocks on which there is pressure.
pub(super) struct Press<'a> {
    pub holds: &'a [Hold],
    pub moment: Moment,
    pub pressed: &'a [Range<usize>],
    pub bare: f64,
    pub sigma0: f64,
    pub k: f64,
    /// State index of the first node, and nodes from one row to the next.
    pub start: usize,
    pub stride: usize,
    /// u, du⁺ and du.
    pub fields: (&'a [f64], &'a mut [f64], &'a [f64]),
}

/// Pressures on the nodes of a vector.
struct Pressure<T> {
    /// p̄ at n.
    now: T,
    /// Mean of p̄ at n ± ½, and half their difference.
    mean: T,
    swing: T,
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
struct Spread<T> {
    mass: T,
    stiffness: T,
    damping: T,
    both: T,
    now: T,
    half: T,
}

impl Kernel for Press<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(mut self, simd: S, own: H) {
        if self.moment.behind < 0.0 {
            self.press::<S, H, true>(simd, own);
        } else {
            self.press::<S, H, false>(simd, own);
        }
    }
}

impl Press<'_> {
    /// Corrects all rows; `TURN` where n − ½ lies before the last control update, at which pressures turn.
    #[inline(always)]
    fn press<S: Simd, H: Divide<S>, const TURN: bool>(&mut self, simd: S, own: H) {
        let (holds, moment) = (self.holds, self.moment);
        for row in 0..self.pressed.len() {
            match holds {
                // Nearly always there is but one, whose constants need not be spread for every vector anew.
                [hold] => {
                    let constants = spread(simd, &hold.strength, &moment);
                    self.press_row(simd, own, row, |sums, i| add::<S, TURN>(simd, hold, &constants, i, sums));
                }
                holds => self.press_row(simd, own, row, |sums, i| {
                    let more =
                        |sums, hold: &Hold| add::<S, TURN>(simd, hold, &spread(simd, &hold.strength, &moment), i, sums);
                    holds.iter().fold(sums, more)
                }),
            }
        }
    }

    /// Corrects a row; `add` adds what the touches do to a vector of it.
    #[inline(always)]
    fn press_row<S: Simd, H: Divide<S>>(
        &mut self,
        simd: S,
        own: H,
        row: usize,
        add: impl Fn(Sums<S::f64s>, usize) -> Sums<S::f64s>,
    ) {
        let blocks = &self.pressed[row];
        let within = row * self.stride + blocks.start..row * self.stride + blocks.end;
        let nodes = self.start + within.start..self.start + within.end;
        let (first, (u, next, du)) = (within.start / S::F64_LANES, &mut self.fields);
        let next = vectors_mut::<S>(&mut next[nodes.clone()]);
        let (u, du) = (&vectors::<S>(&u[nodes.clone()])[..next.len()], &vectors::<S>(&du[nodes])[..next.len()]);
        let zero = simd.splat_f64s(0.0);
        let nothing = Sums { mass: zero, damping: zero, stiffness: zero, mean: zero, swing: zero };
        let [bare, sigma0, k] = [self.bare, self.sigma0, self.k].map(|x| simd.splat_f64s(x));
        for (i, next) in next.iter_mut().enumerate() {
            let Sums { mass, damping, stiffness, mean, swing } = add(nothing, first + i);
            // σ̄k, with σ̄ = Σa_σp̄ + ḡ(Σa_σp̄ + σ₀).
            let drag = simd.mul_f64s(k, simd.mul_add_f64s(mass, simd.add_f64s(damping, sigma0), damping));
            let rest = simd.add_f64s(swing, drag);
            let whole = simd.add_f64s(bare, simd.add_f64s(mean, rest));
            let held = simd.mul_add_f64s(stiffness, u[i], simd.mul_f64s(simd.sub_f64s(mean, rest), du[i]));
            *next = own.divide(simd, simd.mul_add_f64s(bare, *next, held), whole);
        }
    }
}

#[inline(always)]
fn spread<S: Simd>(simd: S, strength: &Strength, moment: &Moment) -> Spread<S::f64s> {
    let of = |x: f64| simd.splat_f64s(x);
    Spread {
        mass: of(strength.mass),
        stiffness: of(-4.0 * strength.stiffness),
        damping: of(strength.damping),
        both: of(strength.mass + strength.stiffness),
        now: of(moment.now),
        half: of(moment.ahead - moment.now),
    }
}

/// Adds what a touch does to vector i.
#[inline(always)]
fn add<S: Simd, const TURN: bool>(
    simd: S,
    hold: &Hold,
    c: &Spread<S::f64s>,
    i: usize,
    sums: Sums<S::f64s>,
) -> Sums<S::f64s> {
    let Pressure { now, mean, swing } = pressure::<S, TURN>(simd, hold, c, i);
    Sums {
        mass: simd.mul_add_f64s(c.mass, now, sums.mass),
        damping: simd.mul_add_f64s(c.damping, now, sums.damping),
        stiffness: simd.mul_add_f64s(c.stiffness, mean, sums.stiffness),
        mean: simd.mul_add_f64s(c.both, mean, sums.mean),
        swing: simd.mul_add_f64s(c.both, swing, sums.swing),
    }
}

/// How hard a touch presses on vector i.
#[inline(always)]
fn pressure<S: Simd, const TURN: bool>(simd: S, hold: &Hold, c: &Spread<S::f64s>, i: usize) -> Pressure<S::f64s> {
    let [past, start, end] = &hold.frames;
    let (start, end) = (vectors::<S>(start)[i], vectors::<S>(end)[i]);
    let rise = simd.sub_f64s(end, start);
    if TURN {
        let rise_before = simd.sub_f64s(start, vectors::<S>(past)[i]);
        let quarter = simd.mul_f64s(simd.splat_f64s(0.5), c.half);
        let mean = simd.mul_add_f64s(quarter, simd.sub_f64s(rise, rise_before), start);
        return Pressure { now: start, mean, swing: simd.mul_f64s(quarter, simd.add_f64s(rise, rise_before)) };
    }
    let now = simd.mul_add_f64s(c.now, rise, start);
    Pressure { now, mean: now, swing: simd.mul_f64s(c.half, rise) }
}
