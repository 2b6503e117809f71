//! How much larger than at rest a membrane is, on its grid.
//!
//! Equation    e = ½∫|∇u|²dA = ½uᵀKu with K = K₀Sᵖ, uᵀK₀u = Σ s(u − u′)² over neighbours, S = 1 − ⅛h²M⁻¹K₀ρH, p even
//! Symbols     s weight of an interval, h spacing, M masses ρHh²·w; m = an eigenvalue of ⅛h²M⁻¹K₀ρH, from 0 to 1 (`disc`)
//! Stability   the scheme has sin²(ωk/2) = a·m + b·m² of a mode, with a + b + s ≤ 1 (a: tension, b: bending, s: loss σ₁). A tension that
//!             rises by rT adds r·a·m(1 − m)ᵖ. Up to r = 4 the sum stays below 1
//!             with p = 0 where 5a + b + s ≤ 1; otherwise with p = 2, since 4m(1 − m)² ≤ 1 − m.
//!             Where the pitch is corrected, modes have sin²(ωk/2) of the true ω instead, and p = 4 keeps the sum below 1
//!             (tested here for all directions)
//! Allocates   only in `new`

/// The form over the nodes of a grid, from the first one that moves to the last.
#[derive(Clone, Debug)]
pub(crate) struct AreaForm {
    /// Nodes from one row to the next.
    stride: usize,
    /// s of the interval to the right of a node, and of the one above it, a row before the first node on.
    sides: [Vec<f64>; 2],
    /// 1/(8w) of a node; 0 where it does not move.
    smoothing: Vec<f64>,
    /// p.
    smoothings: usize,
    /// 1 where a node moves: the part on nodes that are held does no work.
    moves: Vec<f64>,
    values: Vec<f64>,
    products: Vec<f64>,
}

impl AreaForm {
    /// For `count` nodes. `node` gives weight, and s to the right and above of a node counted from the first, which may lie a row before
    /// it; the weight is 0 where it does not move.
    pub fn new(count: usize, stride: usize, smoothings: usize, node: impl Fn(isize) -> (f64, [f64; 2])) -> Self {
        let length = count + 2 * stride;
        let nodes: Vec<_> = (0..length).map(|place| node(place as isize - stride as isize)).collect();
        let side = |axis: usize| nodes.iter().map(|(_, sides)| sides[axis]).collect();
        let inverse = |&(weight, _): &(f64, [f64; 2])| if weight > 0.0 { 0.125 / weight } else { 0.0 };
        let own = &nodes[stride..stride + count];
        Self {
            stride,
            sides: [side(0), side(1)],
            smoothing: own.iter().map(inverse).collect(),
            smoothings,
            moves: own.iter().map(|&(weight, _)| f64::from(weight > 0.0)).collect(),
            values: vec![0.0; length],
            products: vec![0.0; count],
        }
    }

    /// How often K₀ has to be smoothed: for a and b + s, and where the pitch of the grid is corrected.
    pub fn smoothings(tension: f64, others: f64, is_corrected: bool) -> usize {
        if is_corrected {
            4
        } else if 5.0 * tension + others <= 1.0 {
            0
        } else {
            2
        }
    }

    /// An upper bound of the eigenvalues of M⁻¹K, for k²/M of the nodes: that of 8m(1 − m)ᵖ over the smallest mass of a cell.
    pub fn largest_eigenvalue(&self, inverse_mass: &[f64]) -> f64 {
        let p = self.smoothings as f64;
        // At m = 1/(1 + p).
        let largest = 8.0 / (1.0 + p) * (p / (1.0 + p)).powi(self.smoothings as i32);
        let of_cells = inverse_mass.iter().zip(&self.smoothing).filter(|(_, smoothing)| **smoothing > 0.0);
        largest * of_cells.map(|(inverse, smoothing)| inverse * 0.125 / smoothing).fold(0.0, f64::max)
    }

    /// The displacements of the nodes, to be set before `gradient`.
    pub fn displacements(&mut self) -> &mut [f64] {
        &mut self.values[self.stride..self.stride + self.products.len()]
    }

    /// Writes Ku of the nodes.
    pub fn gradient(&mut self, gradient: &mut [f64]) {
        let moving = self.stride..self.stride + self.products.len();
        for _ in 0..self.smoothings {
            self.multiply();
            let values = self.values[moving.clone()].iter_mut().zip(&self.products).zip(&self.smoothing);
            values.for_each(|((value, product), smoothing)| *value -= smoothing * product);
        }
        self.multiply();
        let products = self.products.iter().zip(&self.moves);
        gradient.iter_mut().zip(products).for_each(|(entry, (product, moves))| *entry = product * moves);
    }

    /// K₀ times the values.
    fn multiply(&mut self) {
        let Self { stride, sides: [right, up], values, products, .. } = self;
        let (stride, count) = (*stride, products.len());
        let [left, own, next] = [stride - 1, stride, stride + 1].map(|start| &values[start..start + count]);
        let [below, above] = [0, 2 * stride].map(|start| &values[start..start + count]);
        let [to_left, to_right] = [stride - 1, stride].map(|start| &right[start..start + count]);
        let [to_below, to_above] = [0, stride].map(|start| &up[start..start + count]);
        for (n, product) in products.iter_mut().enumerate() {
            let along = to_right[n] * (own[n] - next[n]) + to_left[n] * (own[n] - left[n]);
            let across = to_above[n] * (own[n] - above[n]) + to_below[n] * (own[n] - below[n]);
            *product = along + across;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square grid of n × n nodes that move, held around.
    fn square(n: usize, smoothings: usize) -> AreaForm {
        let stride = n + 2;
        let moves = |i: isize| (1..=n as isize).contains(&i);
        let node = |place: isize| {
            // The first that moves is (1, 1).
            let place = place + stride as isize + 1;
            let (i, j) = (place.rem_euclid(stride as isize), place.div_euclid(stride as isize));
            let weight = if moves(i) && moves(j) { 1.0 } else { 0.0 };
            let inside = |i: isize, j: isize| i <= n as isize && moves(j);
            (weight, [f64::from(inside(i, j)), f64::from(inside(j, i))])
        };
        AreaForm::new((n - 1) * stride + n, stride, smoothings, node)
    }

    #[test]
    fn products_of_sines_are_eigenvectors() {
        let n = 9;
        let sine = |m: usize, i: usize| (std::f64::consts::PI * (m * i) as f64 / (n + 1) as f64).sin();
        let square_of = |m: usize| (0.5 * std::f64::consts::PI * m as f64 / (n + 1) as f64).sin().powi(2);
        for smoothings in [0, 2, 4] {
            let mut form = square(n, smoothings);
            for (m, l) in [(1, 1), (2, 5), (9, 9), (1, 9)] {
                let value = |place: usize| {
                    let place = place + n + 3;
                    sine(m, place % (n + 2)) * sine(l, place / (n + 2))
                };
                let nodes = form.products.len();
                let part = 0.5 * (square_of(m) + square_of(l));
                let eigenvalue = 8.0 * part * (1.0 - part).powi(smoothings as i32);
                assert!(eigenvalue <= form.largest_eigenvalue(&vec![1.0; nodes]) + 1e-12);
                form.displacements().iter_mut().enumerate().for_each(|(place, u)| *u = value(place));
                let mut gradient = vec![0.0; nodes];
                form.gradient(&mut gradient);
                for (place, found) in gradient.iter().enumerate() {
                    assert!((found - eigenvalue * value(place)).abs() < 1e-12, "{m} {l}: {found}");
                }
            }
        }
    }

    /// Over all waves, at the limit of the grid and coarser, on grids with and without a corrected pitch.
    #[test]
    fn five_times_the_tension_stays_below_the_limit() {
        let squares = || (0..=200).map(|n| (f64::from(n) / 400.0 * std::f64::consts::PI).sin().powi(2));
        for (tension, bending) in
            [(1.0, 0.0), (0.9, 0.1), (0.5, 0.5), (0.5, 0.0), (0.21, 0.0), (0.19, 0.0), (0.1, 0.9), (0.01, 0.9)]
        {
            for (x, y) in squares().flat_map(|x| squares().map(move |y| (x, y))) {
                let part = 0.5 * (x + y);
                let rise = |is_corrected| {
                    let smoothings = AreaForm::smoothings(tension, bending, is_corrected);
                    4.0 * tension * part * (1.0 - part).powi(smoothings as i32)
                };
                assert!(tension * part + bending * part * part + rise(false) <= 1.0 + 1e-12);
                let square = x.sqrt().asin().powi(2) + y.sqrt().asin().powi(2);
                let phase = (0.5 * tension * square + 0.25 * bending * square * square).sqrt();
                let true_part = phase.min(0.475 * std::f64::consts::PI).sin().powi(2);
                assert!(true_part + rise(true) <= 1.0 + 1e-12, "{tension} {bending}: {x} {y}");
            }
        }
    }
}
