//! The quadratic form b(w) of a plate's curvature on its grid, and its derivative.
//!
//! Equation    b(w) = [w, w] = 2(w_xx·w_yy − w_xy²), twice the Gaussian curvature
//! Grid        b = (2/h⁴)(δ_xx w·δ_yy w − ¼Σ(δ_xy w)² over the four cells around a node), at nodes whose neighbours all belong to the plate:
//!             no node beyond an edge is needed, whatever the edge
//! Derivative  (∂b/∂w)ᵀF = (2/h⁴)(δ_xx(F·δ_yy w) + δ_yy(F·δ_xx w) − ½Σ ±(δ_xy w·ΣF)), exactly that of b on the grid
//! Fields      rows of the plate one after the other, as in the state; differences reach into the next row, where F is 0
//! Symbols     δ second differences without 1/h², ΣF over the corners of a cell
//! Allocates   only in `new`
//! Reference   Bilbao, Thomas, Touzé and Ducceschi (2015), Numer. Methods Partial Differ. Equ. 31

use crate::element::simd::{Field, Machine, field, mul_add, vectors, vectors_mut};
use pulp::{Simd, WithSimd};

/// A field of the nodes of a plate with room for neighbours on either side.
#[derive(Clone, Debug)]
pub(super) struct Padded {
    values: Field,
    /// Values before the first node: more than a row.
    before: usize,
    count: usize,
}

impl Padded {
    fn new(count: usize, stride: usize) -> Self {
        let before = 2 * stride;
        Self { values: field(count + 2 * before), before, count }
    }

    /// The values `offset` nodes further on.
    #[inline(always)]
    fn at(&self, offset: isize) -> &[f64] {
        &self.values[self.before.wrapping_add_signed(offset)..][..self.count]
    }

    #[inline(always)]
    pub fn nodes_mut(&mut self) -> &mut [f64] {
        &mut self.values[self.before..][..self.count]
    }
}

/// Curvatures of a plate, and fields for their derivative.
#[derive(Clone, Debug)]
pub(super) struct Brackets {
    stride: isize,
    /// 1 at the nodes with b, else 0.
    mask: Field,
    /// Displacement.
    w: Padded,
    /// δ_xx w and δ_yy w; then F times the other.
    along_x: Padded,
    along_y: Padded,
    /// δ_xy w of the cell to the right of a node and above it; then times ΣF.
    twist: Padded,
    /// h⁴b/2, and F in its place.
    pub stress: Padded,
    pub b: Field,
}

impl Brackets {
    /// For rows of `stride` nodes; `has_bracket` tells at which nodes there is a b.
    pub fn new(count: usize, stride: usize, has_bracket: impl Fn(usize) -> bool) -> Self {
        let mut mask = field(count);
        mask.iter_mut().enumerate().for_each(|(node, mask)| *mask = f64::from(u8::from(has_bracket(node))));
        let padded = || Padded::new(count, stride);
        Self {
            stride: stride as isize,
            mask,
            w: padded(),
            along_x: padded(),
            along_y: padded(),
            twist: padded(),
            stress: padded(),
            b: field(count),
        }
    }

    /// Sets h⁴b/2 for displacements u + share·du.
    pub fn evaluate(&mut self, machine: Machine, displacements: [&[f64]; 2], share: f64) {
        machine.dispatch(Evaluate { brackets: self, displacements, share });
    }

    /// Writes h⁴/2·(∂b/∂w)ᵀF for the displacements of the last `evaluate` and the F in `stress`; uses up the curvatures.
    pub fn differentiate(&mut self, machine: Machine, gradient: &mut [f64]) {
        machine.dispatch(Differentiate { brackets: self, gradient });
    }
}

struct Evaluate<'a> {
    brackets: &'a mut Brackets,
    displacements: [&'a [f64]; 2],
    share: f64,
}

impl WithSimd for Evaluate<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { brackets: Brackets { stride, mask, w, along_x, along_y, twist, b, .. }, .. } = self;
        let (row, share) = (*stride, simd.splat_f64s(self.share));
        let mask = vectors::<S>(mask);
        let count = mask.len();
        {
            let w = &mut vectors_mut::<S>(w.nodes_mut())[..count];
            let [u, du] = self.displacements;
            let (u, du) = (&vectors::<S>(u)[..count], &vectors::<S>(du)[..count]);
            for i in 0..count {
                w[i] = mul_add(simd, share, du[i], u[i]);
            }
        }
        let here = &vectors::<S>(w.at(0))[..count];
        let (left, right) = (&vectors::<S>(w.at(-1))[..count], &vectors::<S>(w.at(1))[..count]);
        let (low, high) = (&vectors::<S>(w.at(-row))[..count], &vectors::<S>(w.at(row))[..count]);
        let corner = &vectors::<S>(w.at(row + 1))[..count];
        let x = &mut vectors_mut::<S>(along_x.nodes_mut())[..count];
        let y = &mut vectors_mut::<S>(along_y.nodes_mut())[..count];
        let t = &mut vectors_mut::<S>(twist.nodes_mut())[..count];
        let minus_two = simd.splat_f64s(-2.0);
        for i in 0..count {
            x[i] = mul_add(simd, minus_two, here[i], simd.add_f64s(left[i], right[i]));
            y[i] = mul_add(simd, minus_two, here[i], simd.add_f64s(low[i], high[i]));
            t[i] = simd.sub_f64s(simd.add_f64s(corner[i], here[i]), simd.add_f64s(right[i], high[i]));
        }
        let (above, before) = (&vectors::<S>(twist.at(0))[..count], &vectors::<S>(twist.at(-1))[..count]);
        let (below, behind) = (&vectors::<S>(twist.at(-row))[..count], &vectors::<S>(twist.at(-row - 1))[..count]);
        let b = &mut vectors_mut::<S>(b)[..count];
        let minus_quarter = simd.splat_f64s(-0.25);
        for i in 0..count {
            let upper = mul_add(simd, above[i], above[i], simd.mul_f64s(before[i], before[i]));
            let lower = mul_add(simd, below[i], below[i], simd.mul_f64s(behind[i], behind[i]));
            let twists = simd.mul_f64s(minus_quarter, simd.add_f64s(upper, lower));
            b[i] = simd.mul_f64s(mask[i], mul_add(simd, x[i], y[i], twists));
        }
    }
}

struct Differentiate<'a> {
    brackets: &'a mut Brackets,
    gradient: &'a mut [f64],
}

impl WithSimd for Differentiate<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Brackets { stride, along_x, along_y, twist, stress, .. } = self.brackets;
        let row = *stride;
        let gradient = vectors_mut::<S>(self.gradient);
        let count = gradient.len();
        {
            let (f, right) = (&vectors::<S>(stress.at(0))[..count], &vectors::<S>(stress.at(1))[..count]);
            let (high, corner) = (&vectors::<S>(stress.at(row))[..count], &vectors::<S>(stress.at(row + 1))[..count]);
            let x = &mut vectors_mut::<S>(along_x.nodes_mut())[..count];
            let y = &mut vectors_mut::<S>(along_y.nodes_mut())[..count];
            let t = &mut vectors_mut::<S>(twist.nodes_mut())[..count];
            for i in 0..count {
                (x[i], y[i]) = (simd.mul_f64s(f[i], y[i]), simd.mul_f64s(f[i], x[i]));
                let corners = simd.add_f64s(simd.add_f64s(f[i], right[i]), simd.add_f64s(high[i], corner[i]));
                t[i] = simd.mul_f64s(t[i], corners);
            }
        }
        let (x, y) = (&vectors::<S>(along_x.at(0))[..count], &vectors::<S>(along_y.at(0))[..count]);
        let (left, right) = (&vectors::<S>(along_x.at(-1))[..count], &vectors::<S>(along_x.at(1))[..count]);
        let (low, high) = (&vectors::<S>(along_y.at(-row))[..count], &vectors::<S>(along_y.at(row))[..count]);
        let (above, before) = (&vectors::<S>(twist.at(0))[..count], &vectors::<S>(twist.at(-1))[..count]);
        let (below, behind) = (&vectors::<S>(twist.at(-row))[..count], &vectors::<S>(twist.at(-row - 1))[..count]);
        let (minus_two, minus_half) = (simd.splat_f64s(-2.0), simd.splat_f64s(-0.5));
        for i in 0..count {
            let around = simd.add_f64s(simd.add_f64s(left[i], right[i]), simd.add_f64s(low[i], high[i]));
            let bend = mul_add(simd, minus_two, simd.add_f64s(x[i], y[i]), around);
            let turn = simd.sub_f64s(simd.add_f64s(above[i], behind[i]), simd.add_f64s(before[i], below[i]));
            gradient[i] = mul_add(simd, minus_half, turn, bend);
        }
    }
}
