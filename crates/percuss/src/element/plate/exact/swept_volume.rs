//! Volumes that the modes of a plate sweep: ∫φ dA.
//!
//! Quadrature  Gauss and Legendre along both sides of a rectangle and along the radius of a disc, evenly spaced angles around it. Both
//!             are exact but for rounding where shapes are smooth and the points many; modes with a diameter sweep nothing
//! Allocates   yes

use crate::element::plate::exact::modes::PlateModes;
use std::f64::consts::{PI, TAU};

/// Points along a side or a radius, and around.
const POINTS: usize = 64;
const ANGLES: usize = 96;

/// Volume that each mode sweeps per amplitude, for sides of these lengths \[m²\].
pub(super) fn swept_volumes(shapes: &PlateModes, size: [f64; 2], is_round: bool) -> Vec<f64> {
    let points = gauss_legendre(POINTS);
    let mut volumes = vec![0.0; shapes.modes.len()];
    let mut add = |at: [f64; 2], area: f64| {
        for (volume, shape) in volumes.iter_mut().zip(shapes.at(at)) {
            *volume += area * shape;
        }
    };
    for &(x, weight) in &points {
        if is_round {
            let (radius, ring) = (0.5 * x, 0.25 * size[0] * size[0] * x * weight * TAU / ANGLES as f64);
            for angle in (0..ANGLES).map(|n| TAU * (n as f64 + 0.5) / ANGLES as f64) {
                add([0.5 + radius * angle.cos(), 0.5 + radius * angle.sin()], ring);
            }
        } else {
            points.iter().for_each(|&(y, other)| add([x, y], size[0] * size[1] * weight * other));
        }
    }
    volumes
}

/// Points between 0 and 1, and their weights, which sum to 1 (Newton's method on the Legendre polynomial).
fn gauss_legendre(count: usize) -> Vec<(f64, f64)> {
    let point = |index: usize| {
        let mut x = (PI * (index as f64 + 0.75) / (count as f64 + 0.5)).cos();
        let mut slope = 1.0;
        for _ in 0..8 {
            let (mut value, mut previous) = (x, 1.0);
            for n in 2..=count {
                let n = n as f64;
                (value, previous) = (((2.0 * n - 1.0) * x * value - (n - 1.0) * previous) / n, value);
            }
            slope = count as f64 * (x * value - previous) / (x * x - 1.0);
            x -= value / slope;
        }
        (0.5 * (1.0 + x), 1.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..count).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quadrature_is_exact_for_polynomials() {
        let points = gauss_legendre(POINTS);
        for power in [0, 1, 2, 7, 40, 126] {
            let sum: f64 = points.iter().map(|&(x, weight)| weight * x.powi(power)).sum();
            assert!((sum * f64::from(power + 1) - 1.0).abs() < 1e-11, "x^{power}: {sum}");
        }
    }
}
