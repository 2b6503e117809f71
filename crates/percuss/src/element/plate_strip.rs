//! A strip of a plate, some rows high, stepped in one run along its rows.
//!
//! Run         three stages follow each other a vector apart: u ← u + du (`enter`), q = d·du − b·Δu (`curve`), and, a row
//!             further down, du⁺ = a·du + Δq + e·Δu (`push`). What a stage needs of the one before it stays in registers
//! Slopes      Δu is the difference of slopes between neighbours: exact however far a plate has drifted
//! Symbols     as in `plate_kernel`
//! Allocates   no

use super::Rates;
use super::plate_kernel::Columns;
use super::vectors::{LANES, Shift, vectors};
use pulp::Simd;
use std::cell::Cell;

/// What a strip has beside it.
pub(super) mod place {
    /// Its first row is the one before the first that moves: nothing to push yet.
    pub const FIRST: u8 = 0;
    /// All its rows move, and so does the one before them.
    pub const WITHIN: u8 = 1;
    /// Its last row is the one after the last that moves.
    pub const LAST: u8 = 2;
}

/// A field on the rows of a strip, on the one below them and on the one above.
pub(super) struct Rows<'a, T, const R: usize> {
    pub down: &'a [T],
    pub own: [&'a [T]; R],
    pub up: &'a [T],
}

impl<'a, T, const R: usize> Rows<'a, T, R> {
    /// Rows of `count` vectors each, from one on.
    #[inline(always)]
    pub fn of(field: &'a [T], first: usize, count: usize) -> Self {
        let (down, mut rest) = field[first..].split_at(count);
        let mut own = [down; R];
        for row in &mut own {
            (*row, rest) = rest.split_at(count);
        }
        Self { down, own, up: &rest[..count] }
    }

    /// So many vectors of each row, from one on.
    #[inline(always)]
    pub fn window(&self, first: usize, length: usize) -> Self {
        // Written out: a closure here may not be inlined.
        let mut own = self.own;
        for row in &mut own {
            *row = &row[first..][..length];
        }
        Self { down: &self.down[first..][..length], own, up: &self.up[first..][..length] }
    }

    /// The rows one further down.
    #[inline(always)]
    fn back(&self, row: usize) -> &'a [T] {
        if row == 0 { self.down } else { self.own[row - 1] }
    }
}

/// The fields of a strip.
pub(super) struct Fields<'a, S: Simd, const R: usize> {
    pub u: Rows<'a, Cell<S::f64s>, R>,
    pub du: Rows<'a, Cell<S::f64s>, R>,
    /// du⁺: other rows than those of du where these are kept.
    pub next: Rows<'a, Cell<S::f64s>, R>,
    /// q of the last row but one and of the last row before the strip, and then of the strip itself.
    pub q: [&'a [Cell<S::f64s>]; 2],
}

impl<S: Simd, const R: usize> Fields<'_, S, R> {
    #[inline(always)]
    fn window(&self, first: usize, length: usize) -> Self {
        // Written out: a closure here may not be inlined, and then no register holds what it returns.
        Self {
            u: self.u.window(first, length),
            du: self.du.window(first, length),
            next: self.next.window(first, length),
            q: [&self.q[0][first..][..length], &self.q[1][first..][..length]],
        }
    }
}

/// Coefficients, a vector each.
struct Factors<V> {
    stay: V,
    minus_bend: V,
    drag: V,
    stretch: V,
    minus_four: V,
    /// s of the row that is held.
    curved: V,
}

/// A strip of `R` rows. `TENSE` where there is tension.
pub(super) struct Strip<'a, S: Simd, H, const TENSE: bool, const PLACE: u8, const R: usize> {
    simd: S,
    shift: H,
    factors: Factors<S::f64s>,
    moves: &'a [S::f64s],
    curved: &'a [S::f64s],
}

/// u up to date at a vector, and du.
#[derive(Clone, Copy)]
struct Entered<V, const R: usize> {
    u: [V; R],
    u_up: V,
    /// But for the first row.
    du: [V; R],
}

/// q at a vector, from two rows below the strip on, and du.
#[derive(Clone, Copy)]
struct Curved<V, const R: usize> {
    q_down: V,
    q: [V; R],
    q_up: V,
    du: [V; R],
}

/// What stays in registers from vector to vector.
struct Carried<V, const R: usize> {
    entered: Entered<V, R>,
    slopes: [V; R],
    curved: Curved<V, R>,
    /// q a vector before `curved`.
    before: [V; R],
}

impl<'a, S: Simd, H: Shift<S>, const TENSE: bool, const PLACE: u8, const R: usize> Strip<'a, S, H, TENSE, PLACE, R> {
    #[inline(always)]
    pub fn new(simd: S, shift: H, rates: Rates, curved: f64, columns: Columns<'a>) -> Self {
        let splat = |x: f64| simd.splat_f64s(x);
        let factors = Factors {
            stay: splat(rates.stay),
            minus_bend: splat(-rates.bend),
            drag: splat(rates.drag),
            stretch: splat(rates.stretch),
            minus_four: splat(-4.0),
            curved: splat(curved),
        };
        Self { simd, shift, factors, moves: vectors::<S>(columns.moves), curved: vectors::<S>(columns.curved) }
    }

    /// Steps rows of `count` vectors, three blocks at least. Edges act on the first block and on the last.
    #[inline(always)]
    pub fn run(&self, fields: &Fields<'_, S, R>, count: usize) {
        let block = LANES / S::F64_LANES;
        assert!(count >= 3 * block && self.moves.len() >= count && self.curved.len() >= count, "rows of three blocks");
        let zero = self.simd.splat_f64s(0.0);
        let outside = Entered { u: [zero; R], u_up: zero, du: [zero; R] };
        let nothing = Curved { q_down: zero, q: [zero; R], q_up: zero, du: [zero; R] };
        let entered = self.enter(fields, 0);
        let mut carried = Carried { entered, slopes: [zero; R], curved: nothing, before: [zero; R] };
        carried.curved = self.curve::<true>(fields, &mut carried, 0, self.enter(fields, 1));
        for i in 2..2 + block {
            self.advance(fields, &mut carried, i);
        }
        let length = count - 1 - 2 * block;
        let pushed = fields.window(block, length);
        let curved = fields.window(block + 1, length);
        let entered = fields.window(block + 2, length);
        for i in 0..length {
            let next = self.enter(&entered, i);
            let next = self.curve::<false>(&curved, &mut carried, i, next);
            self.push::<false>(&pushed, &mut carried, i, next);
        }
        for i in count + 1 - block..count {
            self.advance(fields, &mut carried, i);
        }
        let next = self.curve::<true>(fields, &mut carried, count - 1, outside);
        self.push::<true>(fields, &mut carried, count - 2, next);
        self.push::<true>(fields, &mut carried, count - 1, nothing);
    }

    /// All three stages where edges act, the first of them at vector i.
    #[inline(always)]
    fn advance(&self, fields: &Fields<'_, S, R>, carried: &mut Carried<S::f64s, R>, i: usize) {
        let next = self.enter(fields, i);
        let next = self.curve::<true>(fields, carried, i - 1, next);
        self.push::<true>(fields, carried, i - 2, next);
    }

    /// Brings u up to date at vector i, in the rows above the first: that one was done with the strip before.
    #[inline(always)]
    fn enter(&self, fields: &Fields<'_, S, R>, i: usize) -> Entered<S::f64s, R> {
        let Fields { u, du, .. } = fields;
        let (mut now, mut steps) = ([u.own[0][i].get(); R], [self.simd.splat_f64s(0.0); R]);
        for row in 1..R {
            steps[row] = du.own[row][i].get();
            now[row] = self.simd.add_f64s(u.own[row][i].get(), steps[row]);
            u.own[row][i].set(now[row]);
        }
        let u_up = self.simd.add_f64s(u.up[i].get(), du.up[i].get());
        u.up[i].set(u_up);
        Entered { u: now, u_up, du: steps }
    }

    /// Sets q at vector i; `next` is what was entered at the one after it. `EDGE` where edges act.
    #[inline(always)]
    fn curve<const EDGE: bool>(
        &self,
        fields: &Fields<'_, S, R>,
        carried: &mut Carried<S::f64s, R>,
        i: usize,
        next: Entered<S::f64s, R>,
    ) -> Curved<S::f64s, R> {
        let (simd, factors) = (self.simd, &self.factors);
        let Entered { u, u_up, mut du } = carried.entered;
        du[0] = fields.du.own[0][i].get();
        let [below, above] = fields.q;
        let (q_down, mut q_here) = (below[i].get(), above[i].get());
        let mut q = [q_here; R];
        let mut down = simd.sub_f64s(u[0], fields.u.down[i].get());
        for row in 0..R {
            let here = u[row];
            let slope = simd.sub_f64s(self.shift.right(here, next.u[row]), here);
            let across = simd.sub_f64s(slope, self.shift.left(carried.slopes[row], slope));
            let up = simd.sub_f64s(if row + 1 < R { u[row + 1] } else { u_up }, here);
            let curve = simd.add_f64s(across, simd.sub_f64s(up, down));
            (carried.slopes[row], down) = (slope, up);
            q[row] = q_here;
            q_here = simd.mul_add_f64s(factors.minus_bend, curve, simd.mul_f64s(factors.drag, du[row]));
            if EDGE {
                q_here = simd.mul_f64s(self.curved[i], q_here);
            }
            if (PLACE == place::FIRST && row == 0) || (PLACE == place::LAST && row + 1 == R) {
                q_here = simd.mul_f64s(q_here, factors.curved);
            } else if TENSE {
                du[row] = simd.mul_add_f64s(factors.stretch, curve, simd.mul_f64s(factors.stay, du[row]));
                if row + 1 == R {
                    // Pushed with the next strip.
                    fields.next.own[row][i].set(du[row]);
                }
            }
        }
        below[i].set(q[R - 1]);
        above[i].set(q_here);
        carried.entered = next;
        Curved { q_down, q, q_up: q_here, du }
    }

    /// Sets du⁺ at vector i of the rows one further down; `next` is q at the one after it. `EDGE` where edges act.
    #[inline(always)]
    fn push<const EDGE: bool>(
        &self,
        fields: &Fields<'_, S, R>,
        carried: &mut Carried<S::f64s, R>,
        i: usize,
        next: Curved<S::f64s, R>,
    ) {
        let (simd, factors) = (self.simd, &self.factors);
        let Curved { q_down, q, q_up, du } = carried.curved;
        if PLACE != place::FIRST {
            let mut down = q_down;
            for row in 0..R {
                let here = q[row];
                let [left, right] = [self.shift.left(carried.before[row], here), self.shift.right(here, next.q[row])];
                let up = if row + 1 < R { q[row + 1] } else { q_up };
                let around = simd.add_f64s(simd.add_f64s(left, right), simd.add_f64s(down, up));
                let spread = simd.mul_add_f64s(factors.minus_four, here, around);
                let pushed = if TENSE {
                    simd.add_f64s(if row == 0 { fields.next.down[i].get() } else { du[row - 1] }, spread)
                } else {
                    let step = if row == 0 { fields.du.down[i].get() } else { du[row - 1] };
                    simd.mul_add_f64s(factors.stay, step, spread)
                };
                fields.next.back(row)[i].set(if EDGE { simd.mul_f64s(self.moves[i], pushed) } else { pushed });
                down = here;
            }
        }
        (carried.before, carried.curved) = (q, next);
    }
}
