//! The update of a plate under touches, in the widest vectors the machine has: see `touch` for the equations.
//!
//! Allocates   no

use super::touch::{Hold, Moment};
use super::vectors::{vectors, vectors_mut};
use crate::model::Touch;
use pulp::{Simd, WithSimd};
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

/// What all touches make of the nodes of a vector.
struct Sums<T> {
    /// ḡ and Σa_σp̄ at n.
    mass: T,
    damping: T,
    /// (κ⁺ + κ⁻)/2.
    stiffness: T,
    /// γ + κ at n + ½ and at n − ½.
    ahead: T,
    behind: T,
}

/// The constants of a touch at one moment, spread over vectors.
#[derive(Clone, Copy)]
struct Spread<T> {
    mass: T,
    stiffness: T,
    damping: T,
    both: T,
    now: T,
    ahead: T,
    behind: T,
}

impl WithSimd for Press<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        for row in 0..self.pressed.len() {
            match self.holds {
                // Nearly always there is but one, whose constants need not be spread for every vector anew.
                [hold] => {
                    let constants = spread(simd, &hold.strength, &self.moment);
                    let earlier = self.moment.behind < 0.0;
                    self.press_row(simd, row, |sums, i| add(simd, hold, &constants, earlier, i, sums));
                }
                holds => {
                    let moment = self.moment;
                    self.press_row(simd, row, |mut sums, i| {
                        for hold in holds {
                            let constants = spread(simd, &hold.strength, &moment);
                            sums = add(simd, hold, &constants, moment.behind < 0.0, i, sums);
                        }
                        sums
                    });
                }
            }
        }
    }
}

impl Press<'_> {
    /// Corrects a row; `add` adds what the touches do to a vector of it.
    #[inline(always)]
    fn press_row<S: Simd>(&mut self, simd: S, row: usize, add: impl Fn(Sums<S::f64s>, usize) -> Sums<S::f64s>) {
        let blocks = &self.pressed[row];
        let within = row * self.stride + blocks.start..row * self.stride + blocks.end;
        let nodes = self.start + within.start..self.start + within.end;
        let (first, (u, next, du)) = (within.start / S::F64_LANES, &mut self.fields);
        let next = vectors_mut::<S>(&mut next[nodes.clone()]);
        let (u, du) = (&vectors::<S>(&u[nodes.clone()])[..next.len()], &vectors::<S>(&du[nodes])[..next.len()]);
        let (zero, minus_four) = (simd.splat_f64s(0.0), simd.splat_f64s(-4.0));
        let (bare, own, k) = (simd.splat_f64s(self.bare), simd.splat_f64s(self.sigma0), simd.splat_f64s(self.k));
        for (i, next) in next.iter_mut().enumerate() {
            let nothing = Sums { mass: zero, damping: zero, stiffness: zero, ahead: zero, behind: zero };
            let Sums { mass, damping, stiffness, ahead, behind } = add(nothing, first + i);
            // σ̄k, with σ̄ = Σa_σp̄ + ḡ(Σa_σp̄ + σ₀).
            let drag = simd.mul_f64s(k, simd.mul_add_f64s(mass, simd.add_f64s(damping, own), damping));
            let whole = simd.add_f64s(bare, simd.add_f64s(ahead, drag));
            let held = simd.mul_f64s(simd.mul_f64s(minus_four, stiffness), u[i]);
            let free = simd.mul_add_f64s(simd.sub_f64s(behind, drag), du[i], held);
            *next = simd.div_f64s(simd.mul_add_f64s(bare, *next, free), whole);
        }
    }
}

#[inline(always)]
fn spread<S: Simd>(simd: S, strength: &Strength, moment: &Moment) -> Spread<S::f64s> {
    let of = |x: f64| simd.splat_f64s(x);
    Spread {
        mass: of(strength.mass),
        stiffness: of(strength.stiffness),
        damping: of(strength.damping),
        both: of(strength.mass + strength.stiffness),
        now: of(moment.now),
        ahead: of(moment.ahead),
        behind: of(moment.behind),
    }
}

/// Adds what a touch does to vector i; `earlier` where n − ½ lies before the last control update.
#[inline(always)]
fn add<S: Simd>(
    simd: S,
    hold: &Hold,
    c: &Spread<S::f64s>,
    earlier: bool,
    i: usize,
    sums: Sums<S::f64s>,
) -> Sums<S::f64s> {
    let [past, start, end] = &hold.frames;
    let (start, end) = (vectors::<S>(start)[i], vectors::<S>(end)[i]);
    let rise = simd.sub_f64s(end, start);
    let now = simd.mul_add_f64s(c.now, rise, start);
    let ahead = simd.mul_add_f64s(c.ahead, rise, start);
    let before = if earlier { simd.sub_f64s(start, vectors::<S>(past)[i]) } else { rise };
    let behind = simd.mul_add_f64s(c.behind, before, start);
    let mean = simd.mul_f64s(simd.splat_f64s(0.5), simd.add_f64s(ahead, behind));
    Sums {
        mass: simd.mul_add_f64s(c.mass, now, sums.mass),
        damping: simd.mul_add_f64s(c.damping, now, sums.damping),
        stiffness: simd.mul_add_f64s(c.stiffness, mean, sums.stiffness),
        ahead: simd.mul_add_f64s(c.both, ahead, sums.ahead),
        behind: simd.mul_add_f64s(c.both, behind, sums.behind),
    }
}
