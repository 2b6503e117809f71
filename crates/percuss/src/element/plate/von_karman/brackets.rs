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

use crate::element::simd::{Field, field};
use pulp::{Arch, WithSimd};

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
    pub fn evaluate(&mut self, arch: Arch, [u, du]: [&[f64]; 2], share: f64) {
        for (w, (u, du)) in self.w.nodes_mut().iter_mut().zip(u.iter().zip(du)) {
            *w = u + share * du;
        }
        arch.dispatch(Evaluate(self));
    }

    /// Writes h⁴/2·(∂b/∂w)ᵀF for the displacements of the last `evaluate` and the F in `stress`; uses up the curvatures.
    pub fn differentiate(&mut self, arch: Arch, gradient: &mut [f64]) {
        arch.dispatch(Differentiate(self, gradient));
    }
}

struct Evaluate<'a>(&'a mut Brackets);

impl WithSimd for Evaluate<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _simd: S) {
        let Brackets { stride, mask, w, along_x, along_y, twist, b, .. } = self.0;
        let (row, count) = (*stride, mask.len());
        let [here, left, right, low, high, corner] =
            [0, -1, 1, -row, row, row + 1].map(|offset| &w.at(offset)[..count]);
        let [x, y] = [along_x, along_y].map(|field| &mut field.nodes_mut()[..count]);
        let t = &mut twist.nodes_mut()[..count];
        for i in 0..count {
            x[i] = (left[i] + right[i]) - 2.0 * here[i];
            y[i] = (low[i] + high[i]) - 2.0 * here[i];
            t[i] = (corner[i] + here[i]) - (right[i] + high[i]);
        }
        let cells = [0, -1, -row, -row - 1].map(|offset| &twist.at(offset)[..count]);
        let b = &mut b[..count];
        for i in 0..count {
            let [a, l, d, c] = [cells[0][i], cells[1][i], cells[2][i], cells[3][i]];
            b[i] = mask[i] * (x[i] * y[i] - 0.25 * ((a * a + l * l) + (d * d + c * c)));
        }
    }
}

struct Differentiate<'a>(&'a mut Brackets, &'a mut [f64]);

impl WithSimd for Differentiate<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _simd: S) {
        let Brackets { stride, along_x, along_y, twist, stress, .. } = self.0;
        let row = *stride;
        let count = self.1.len();
        {
            let corners = [0, 1, row, row + 1].map(|offset| &stress.at(offset)[..count]);
            let [x, y, t] = [&mut *along_x, &mut *along_y, &mut *twist].map(|field| &mut field.nodes_mut()[..count]);
            for i in 0..count {
                let f = corners[0][i];
                (x[i], y[i]) = (f * y[i], f * x[i]);
                t[i] *= (f + corners[1][i]) + (corners[2][i] + corners[3][i]);
            }
        }
        let [x, left, right] = [0, -1, 1].map(|offset| &along_x.at(offset)[..count]);
        let [y, low, high] = [0, -row, row].map(|offset| &along_y.at(offset)[..count]);
        let cells = [0, -1, -row, -row - 1].map(|offset| &twist.at(offset)[..count]);
        let gradient = &mut self.1[..count];
        for i in 0..count {
            let bend = (left[i] + right[i] - 2.0 * x[i]) + (low[i] + high[i] - 2.0 * y[i]);
            let turn = (cells[0][i] + cells[3][i]) - (cells[1][i] + cells[2][i]);
            gradient[i] = bend - 0.5 * turn;
        }
    }
}
