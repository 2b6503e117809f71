//! Orthonormal Jacobi polynomials and Gauss–Legendre quadrature on −1 ≤ x ≤ 1.
//!
//! Weight      (1 − x)^α (1 + x)^β
//! Recurrence  b_{k+1} p_{k+1} = (x − a_k) p_k − b_k p_{k−1}, and its derivatives
//! Allocates   in all of it
//! Reference   Gautschi (2004), Orthogonal Polynomials, sec. 1.5 and 3.1

use std::f64::consts::PI;

/// The polynomials of a weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jacobi {
    pub alpha: u32,
    pub beta: u32,
}

/// A polynomial and its first two derivatives at a point.
pub(crate) type Derivatives = [f64; 3];

impl Jacobi {
    /// a_k.
    fn shift(self, k: usize) -> f64 {
        let (alpha, beta, k) = (f64::from(self.alpha), f64::from(self.beta), k as f64);
        let sum = 2.0 * k + alpha + beta;
        if sum == 0.0 { 0.0 } else { (beta - alpha) * (beta + alpha) / (sum * (sum + 2.0)) }
    }

    /// b_k for k ≥ 1.
    fn scale(self, k: usize) -> f64 {
        let (alpha, beta, k) = (f64::from(self.alpha), f64::from(self.beta), k as f64);
        let sum = 2.0 * k + alpha + beta;
        let products = 4.0 * k * (k + alpha) * (k + beta) * (k + alpha + beta);
        (products / (sum * sum * (sum + 1.0) * (sum - 1.0))).sqrt()
    }

    /// ∫ of the weight, 2^{α+β+1} α!β!/(α+β+1)!.
    fn mass(self) -> f64 {
        let factors = (1..=self.alpha).map(|j| 2.0 * f64::from(j) / f64::from(self.beta + 1 + j));
        let power = 2_f64.powf(f64::from(self.beta) + 1.0) / (f64::from(self.beta) + 1.0);
        factors.product::<f64>() * power
    }

    /// The first `count` polynomials at x.
    pub fn at(self, x: f64, count: usize) -> Vec<Derivatives> {
        let mut values: Vec<Derivatives> = Vec::with_capacity(count);
        let mut previous = [0.0; 3];
        let mut current = [self.mass().sqrt().recip(), 0.0, 0.0];
        for k in 0..count {
            values.push(current);
            let (shift, next_scale) = (x - self.shift(k), self.scale(k + 1));
            let scale = if k == 0 { 0.0 } else { self.scale(k) };
            let next = std::array::from_fn(|order| {
                let lower = if order == 0 { 0.0 } else { order as f64 * current[order - 1] };
                (shift * current[order] + lower - scale * previous[order]) / next_scale
            });
            (previous, current) = (current, next);
        }
        values
    }
}

/// The product of two functions given with their first two derivatives.
pub(crate) fn product(f: Derivatives, g: Derivatives) -> Derivatives {
    [f[0] * g[0], f[1] * g[0] + f[0] * g[1], f[2] * g[0] + 2.0 * f[1] * g[1] + f[0] * g[2]]
}

/// A point of a quadrature rule and its weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuadraturePoint {
    pub x: f64,
    pub weight: f64,
}

/// The rule of Gauss and Legendre with `count` points, exact up to degree 2·`count` − 1.
pub(crate) fn gauss_legendre(count: usize) -> Vec<QuadraturePoint> {
    let point = |index: usize| {
        let mut x = (PI * (index as f64 + 0.75) / (count as f64 + 0.5)).cos();
        let mut slope = 1.0;
        // Newton's iteration from this guess doubles its digits from about four on.
        for _ in 0..5 {
            let (mut previous, mut current) = (1.0, x);
            for k in 2..=count {
                let k = k as f64;
                (previous, current) = (current, ((2.0 * k - 1.0) * x * current - (k - 1.0) * previous) / k);
            }
            slope = count as f64 * (x * current - previous) / (x * x - 1.0);
            x -= current / slope;
        }
        QuadraturePoint { x, weight: 2.0 / ((1.0 - x * x) * slope * slope) }
    };
    (0..count).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_orthonormal_under_their_weight() {
        for (alpha, beta) in [(0, 0), (2, 2), (4, 4), (0, 4), (4, 2), (0, 17), (4, 40)] {
            let jacobi = Jacobi { alpha, beta };
            let count = 30;
            let points = gauss_legendre(count + (alpha + beta) as usize / 2 + 1);
            let mut products = vec![vec![0.0; count]; count];
            for QuadraturePoint { x, weight } in points {
                let values = jacobi.at(x, count);
                let weight = weight * (1.0 - x).powi(alpha as i32) * (1.0 + x).powi(beta as i32);
                for (row, one) in products.iter_mut().zip(&values) {
                    row.iter_mut().zip(&values).for_each(|(sum, other)| *sum += weight * one[0] * other[0]);
                }
            }
            for (i, row) in products.iter().enumerate() {
                for (j, product) in row.iter().enumerate() {
                    let expected = if i == j { 1.0 } else { 0.0 };
                    assert!((product - expected).abs() < 1e-11, "{jacobi:?}, {i}, {j}: {product}");
                }
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_differences() {
        let (jacobi, x, h) = (Jacobi { alpha: 4, beta: 2 }, 0.3, 1e-5);
        let [before, here, after] = [x - h, x, x + h].map(|x| jacobi.at(x, 12));
        for ((before, here), after) in before.iter().zip(&here).zip(&after) {
            for order in 0..2 {
                let slope = (after[order] - before[order]) / (2.0 * h);
                assert!((slope - here[order + 1]).abs() < 1e-6 * (1.0 + here[order + 1].abs()));
            }
        }
    }
}
