//! A strip of a plate, some rows high, stepped in one run along its rows.
//!
//! Run         three stages follow each other a vector apart: u ← u + du (`update_u`), q = d·du − b·Δu (`compute_q`), and, a
//!             row further down, du⁺ = a·du + Δq + e·Δu (`compute_increment`). What a stage needs of the one before it stays in
//!             registers
//! Slopes      Δu is the difference of slopes between neighbours: exact however far a plate has drifted
//! Symbols     as in `uniform`
//! Allocates   no

use crate::element::coefficients::UpdateCoefficients;
use crate::element::plate::stencil::operands::EdgeMaskSlices;
use crate::element::simd::{LANES, Shift, mul_add, vectors};
use pulp::Simd;
use std::cell::Cell;
use std::ops::Range;

/// The touches on a row of nodes, applied as soon as its du⁺ is known.
pub(crate) trait RowTouch<S: Simd>: Copy {
    /// So many vectors of the row, from one on.
    fn window(self, first: usize, length: usize) -> Self;

    /// du⁺ of vector i under touches, where u, du⁺ without them, and du are known.
    fn touch(&self, i: usize, fields: [S::f64s; 3]) -> S::f64s;
}

/// A row that nothing touches.
#[derive(Clone, Copy)]
pub(crate) struct Untouched;

impl<S: Simd> RowTouch<S> for Untouched {
    #[inline(always)]
    fn window(self, _: usize, _: usize) -> Self {
        self
    }

    #[inline(always)]
    fn touch(&self, _: usize, [_, next, _]: [S::f64s; 3]) -> S::f64s {
        next
    }
}

/// The touches on the rows whose du⁺ a strip computes, and the vectors within which they act.
pub(crate) struct TouchedRows<T, const R: usize> {
    pub rows: [T; R],
    pub within: Range<usize>,
}

impl<T, const R: usize> TouchedRows<T, R> {
    #[inline(always)]
    fn window<S: Simd>(&self, first: usize, length: usize) -> Self
    where
        T: RowTouch<S>,
    {
        // Written out: a closure here may not be inlined.
        let mut rows = self.rows;
        for row in &mut rows {
            *row = row.window(first, length);
        }
        let Range { start, end } = self.within;
        let (first, last) = (first, first + length);
        Self { rows, within: start.clamp(first, last) - first..end.clamp(first, last) - first }
    }
}

/// Where a strip lies on the plate.
pub(crate) mod position {
    /// Its first row is the one before the first that moves: no du⁺ to compute yet.
    pub const FIRST: u8 = 0;
    /// All its rows move, and so does the one before them.
    pub const INTERIOR: u8 = 1;
    /// Its last row is the one after the last that moves.
    pub const LAST: u8 = 2;
}

/// A field on the rows of a strip, on the one below them and on the one above.
pub(crate) struct StripRows<'a, T, const R: usize> {
    pub down: &'a [T],
    pub own: [&'a [T]; R],
    pub up: &'a [T],
}

impl<'a, T, const R: usize> StripRows<'a, T, R> {
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

    /// The row below that of an index.
    #[inline(always)]
    fn row_below(&self, row: usize) -> &'a [T] {
        if row == 0 { self.down } else { self.own[row - 1] }
    }
}

/// The fields of a strip.
pub(crate) struct StripFields<'a, S: Simd, const R: usize> {
    pub u: StripRows<'a, Cell<S::f64s>, R>,
    pub du: StripRows<'a, Cell<S::f64s>, R>,
    /// du⁺: other rows than those of du where these are kept.
    pub next: StripRows<'a, Cell<S::f64s>, R>,
    /// q of the last row but one and of the last row before the strip, and then of the strip itself.
    pub q: [&'a [Cell<S::f64s>]; 2],
}

impl<S: Simd, const R: usize> StripFields<'_, S, R> {
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
struct StripFactors<V> {
    decay: V,
    neg_bending: V,
    damping: V,
    tension: V,
    neg_four: V,
    /// s of the fixed row.
    q_scale: V,
}

/// A strip of `R` rows. `TENSE` where there is tension.
pub(crate) struct Strip<'a, S: Simd, H, const TENSE: bool, const POSITION: u8, const R: usize> {
    simd: S,
    shift: H,
    factors: StripFactors<S::f64s>,
    moves: &'a [S::f64s],
    q_scale: &'a [S::f64s],
}

/// u up to date at a vector, and du.
#[derive(Clone, Copy)]
struct UpdatedU<V, const R: usize> {
    u: [V; R],
    u_up: V,
    /// But for the first row.
    du: [V; R],
}

/// q at a vector, from two rows below the strip on, and du.
#[derive(Clone, Copy)]
struct ComputedQ<V, const R: usize> {
    q_down: V,
    q: [V; R],
    q_up: V,
    du: [V; R],
}

/// Values carried in registers from vector to vector.
struct StripCarry<V, const R: usize> {
    updated_u: UpdatedU<V, R>,
    slopes: [V; R],
    computed_q: ComputedQ<V, R>,
    /// q in the vector before `computed_q`.
    q_left: [V; R],
}

impl<'a, S: Simd, H: Shift<S>, const TENSE: bool, const POSITION: u8, const R: usize>
    Strip<'a, S, H, TENSE, POSITION, R>
{
    #[inline(always)]
    pub fn new(simd: S, shift: H, coefficients: UpdateCoefficients, q_scale: f64, columns: EdgeMaskSlices<'a>) -> Self {
        let splat = |x: f64| simd.splat_f64s(x);
        let factors = StripFactors {
            decay: splat(coefficients.decay),
            neg_bending: splat(-coefficients.bending),
            damping: splat(coefficients.damping),
            tension: splat(coefficients.tension),
            neg_four: splat(-4.0),
            q_scale: splat(q_scale),
        };
        Self { simd, shift, factors, moves: vectors::<S>(columns.moves), q_scale: vectors::<S>(columns.q_scale) }
    }

    /// Steps rows of `count` vectors, three blocks at least. Edges act on the first block and on the last.
    #[inline(always)]
    pub fn run<T: RowTouch<S>>(&self, fields: &StripFields<'_, S, R>, touched: &TouchedRows<T, R>, count: usize) {
        let block = LANES / S::F64_LANES;
        assert!(count >= 3 * block && self.moves.len() >= count && self.q_scale.len() >= count, "rows of three blocks");
        let zero = self.simd.splat_f64s(0.0);
        let outside = UpdatedU { u: [zero; R], u_up: zero, du: [zero; R] };
        let zero_q = ComputedQ { q_down: zero, q: [zero; R], q_up: zero, du: [zero; R] };
        let updated_u = self.update_u(fields, 0);
        let mut carry = StripCarry { updated_u, slopes: [zero; R], computed_q: zero_q, q_left: [zero; R] };
        carry.computed_q = self.compute_q::<true>(fields, &mut carry, 0, self.update_u(fields, 1));
        for i in 2..2 + block {
            self.advance(fields, touched, &mut carry, i);
        }
        let length = count - 1 - 2 * block;
        let windows =
            [fields.window(block, length), fields.window(block + 1, length), fields.window(block + 2, length)];
        let within = touched.window(block, length);
        let Range { start, end } = within.within;
        self.run_interior::<T, false>(&windows, &within.rows, &mut carry, 0..start);
        self.run_interior::<T, true>(&windows, &within.rows, &mut carry, start..end);
        self.run_interior::<T, false>(&windows, &within.rows, &mut carry, end..length);
        for i in count + 1 - block..count {
            self.advance(fields, touched, &mut carry, i);
        }
        let next = self.compute_q::<true>(fields, &mut carry, count - 1, outside);
        self.compute_edge_increment(fields, touched, &mut carry, count - 2, next);
        self.compute_edge_increment(fields, touched, &mut carry, count - 1, zero_q);
    }

    /// All three stages where no edges act: the fields as `compute_increment`, `compute_q` and `update_u` see them.
    #[inline(always)]
    fn run_interior<T: RowTouch<S>, const TOUCHED: bool>(
        &self,
        [increment_fields, q_fields, u_fields]: &[StripFields<'_, S, R>; 3],
        touches: &[T; R],
        carry: &mut StripCarry<S::f64s, R>,
        vectors: Range<usize>,
    ) {
        for i in vectors {
            let next = self.update_u(u_fields, i);
            let next = self.compute_q::<false>(q_fields, carry, i, next);
            self.compute_increment::<T, false, TOUCHED>(increment_fields, touches, carry, i, next);
        }
    }

    /// All three stages where edges act, the first of them at vector i.
    #[inline(always)]
    fn advance<T: RowTouch<S>>(
        &self,
        fields: &StripFields<'_, S, R>,
        touched: &TouchedRows<T, R>,
        carry: &mut StripCarry<S::f64s, R>,
        i: usize,
    ) {
        let next = self.update_u(fields, i);
        let next = self.compute_q::<true>(fields, carry, i - 1, next);
        self.compute_edge_increment(fields, touched, carry, i - 2, next);
    }

    /// Sets du⁺ at vector i where edges act.
    #[inline(always)]
    fn compute_edge_increment<T: RowTouch<S>>(
        &self,
        fields: &StripFields<'_, S, R>,
        touched: &TouchedRows<T, R>,
        carry: &mut StripCarry<S::f64s, R>,
        i: usize,
        next: ComputedQ<S::f64s, R>,
    ) {
        if touched.within.contains(&i) {
            self.compute_increment::<T, true, true>(fields, &touched.rows, carry, i, next);
        } else {
            self.compute_increment::<T, true, false>(fields, &touched.rows, carry, i, next);
        }
    }

    /// Brings u up to date at vector i, in the rows above the first: that one was done with the strip before.
    #[inline(always)]
    fn update_u(&self, fields: &StripFields<'_, S, R>, i: usize) -> UpdatedU<S::f64s, R> {
        let StripFields { u, du, .. } = fields;
        let (mut now, mut steps) = ([u.own[0][i].get(); R], [self.simd.splat_f64s(0.0); R]);
        for row in 1..R {
            steps[row] = du.own[row][i].get();
            now[row] = self.simd.add_f64s(u.own[row][i].get(), steps[row]);
            u.own[row][i].set(now[row]);
        }
        let u_up = self.simd.add_f64s(u.up[i].get(), du.up[i].get());
        u.up[i].set(u_up);
        UpdatedU { u: now, u_up, du: steps }
    }

    /// Sets q at vector i; `next` is the updated u of the one after it. `AT_EDGE` where edges act.
    #[inline(always)]
    fn compute_q<const AT_EDGE: bool>(
        &self,
        fields: &StripFields<'_, S, R>,
        carry: &mut StripCarry<S::f64s, R>,
        i: usize,
        next: UpdatedU<S::f64s, R>,
    ) -> ComputedQ<S::f64s, R> {
        let (simd, factors) = (self.simd, &self.factors);
        let UpdatedU { u, u_up, mut du } = carry.updated_u;
        du[0] = fields.du.own[0][i].get();
        let [below, above] = fields.q;
        let (q_down, mut q_here) = (below[i].get(), above[i].get());
        let mut q = [q_here; R];
        let mut down = simd.sub_f64s(u[0], fields.u.down[i].get());
        for row in 0..R {
            let here = u[row];
            let slope = simd.sub_f64s(self.shift.right(here, next.u[row]), here);
            let across = simd.sub_f64s(slope, self.shift.left(carry.slopes[row], slope));
            let up = simd.sub_f64s(if row + 1 < R { u[row + 1] } else { u_up }, here);
            let laplacian = simd.add_f64s(across, simd.sub_f64s(up, down));
            (carry.slopes[row], down) = (slope, up);
            q[row] = q_here;
            q_here = mul_add(simd, factors.neg_bending, laplacian, simd.mul_f64s(factors.damping, du[row]));
            if AT_EDGE {
                q_here = simd.mul_f64s(self.q_scale[i], q_here);
            }
            if (POSITION == position::FIRST && row == 0) || (POSITION == position::LAST && row + 1 == R) {
                q_here = simd.mul_f64s(q_here, factors.q_scale);
            } else if TENSE {
                du[row] = mul_add(simd, factors.tension, laplacian, simd.mul_f64s(factors.decay, du[row]));
                if row + 1 == R {
                    // Completed with the next strip.
                    fields.next.own[row][i].set(du[row]);
                }
            }
        }
        below[i].set(q[R - 1]);
        above[i].set(q_here);
        carry.updated_u = next;
        ComputedQ { q_down, q, q_up: q_here, du }
    }

    /// Sets du⁺ at vector i of the rows one further down; `next` is q at the one after it. `AT_EDGE` where edges act, `TOUCHED`
    /// where touches do, and then there is no tension.
    #[inline(always)]
    fn compute_increment<T: RowTouch<S>, const AT_EDGE: bool, const TOUCHED: bool>(
        &self,
        fields: &StripFields<'_, S, R>,
        touches: &[T; R],
        carry: &mut StripCarry<S::f64s, R>,
        i: usize,
        next: ComputedQ<S::f64s, R>,
    ) {
        let (simd, factors) = (self.simd, &self.factors);
        let ComputedQ { q_down, q, q_up, du } = carry.computed_q;
        if POSITION != position::FIRST {
            let mut down = q_down;
            for row in 0..R {
                let here = q[row];
                let [left, right] = [self.shift.left(carry.q_left[row], here), self.shift.right(here, next.q[row])];
                let up = if row + 1 < R { q[row + 1] } else { q_up };
                let neighbours = simd.add_f64s(simd.add_f64s(left, right), simd.add_f64s(down, up));
                let q_laplacian = mul_add(simd, factors.neg_four, here, neighbours);
                let of = if TENSE { &fields.next } else { &fields.du };
                let step = if row == 0 { of.down[i].get() } else { du[row - 1] };
                let mut du_next = if TENSE {
                    simd.add_f64s(step, q_laplacian)
                } else {
                    mul_add(simd, factors.decay, step, q_laplacian)
                };
                if AT_EDGE {
                    du_next = simd.mul_f64s(self.moves[i], du_next);
                }
                if TOUCHED {
                    du_next = touches[row].touch(i, [fields.u.row_below(row)[i].get(), du_next, step]);
                }
                fields.next.row_below(row)[i].set(du_next);
                down = here;
            }
        }
        (carry.q_left, carry.computed_q) = (q, next);
    }
}
