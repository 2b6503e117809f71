//! Shapes of modes that are polynomials on every part of a line.
//!
//! Shape       φ = Σ c_k P_k(ξ) on each part, −1 ≤ ξ ≤ 1 along it, P_k the polynomials of Legendre
//! Derivative  c′_{k−1} = (2k − 1)(c_k + c′_{k+1}/(2k + 3))
//! Integrals   by Gauss's rule between the ends of parts and the places where the other factor is not smooth
//! Allocates   in all but `weigh`

use crate::control::moving_point::ModeWeights;
use crate::element::line::grid::LineMaterial;
use crate::element::ritz::jacobi::gauss_legendre;
use crate::model::{Profile, Shape};
use std::ops::Range;

/// Points of Gauss's rule beyond half the degree of a shape, for the other factor of an integral.
const EXTRA_POINTS: usize = 24;

/// The shapes of all modes on one part of the line.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Ends, as fractions of the length.
    pub span: [f64; 2],
    /// Of every mode, the coefficients of the polynomials of Legendre.
    pub coefficients: Vec<Vec<f64>>,
}

/// The shapes of all modes of a bar with a profile, scaled so that ∫rφ² is 1 over fractions of the length.
#[derive(Clone, Debug)]
pub(crate) struct PiecewiseShapes {
    pub profile: Profile,
    pub parts: Vec<Part>,
}

/// The shapes at places that move.
#[derive(Clone, Debug)]
pub(crate) struct PiecewiseWeights {
    pub shapes: PiecewiseShapes,
    /// State nodes of the modes.
    pub nodes: Range<usize>,
}

impl ModeWeights for PiecewiseWeights {
    fn nodes(&self) -> Range<usize> {
        self.nodes.clone()
    }

    fn buffer_length(&self) -> usize {
        self.nodes.len()
    }

    fn weigh(&self, at: [f64; 2], weights: &mut [f64]) {
        let part = self.shapes.part(at[0]);
        for (weight, coefficients) in weights.iter_mut().zip(&part.coefficients) {
            let values = Legendre::new(part.coordinate(at[0]));
            *weight = coefficients.iter().zip(values).map(|(coefficient, value)| coefficient * value).sum();
        }
    }
}

impl Part {
    /// ξ at a fraction of the length.
    fn coordinate(&self, x: f64) -> f64 {
        (2.0 * x - self.span[0] - self.span[1]) / (self.span[1] - self.span[0])
    }

    /// The displacement of every mode at a fraction of the length.
    fn at(&self, x: f64) -> Vec<f64> {
        let degree = self.coefficients.first().map_or(0, Vec::len);
        let values = legendre(self.coordinate(x), degree);
        self.coefficients.iter().map(|coefficients| dot(coefficients, &values)).collect()
    }

    /// φ″ and φ‴ by fractions of the length, of one mode.
    fn bending(&self, coefficients: &[f64], x: f64) -> [f64; 2] {
        let stretch = 2.0 / (self.span[1] - self.span[0]);
        let second = derivative(&derivative(coefficients));
        let third = derivative(&second);
        let values = legendre(self.coordinate(x), second.len());
        [stretch.powi(2) * dot(&second, &values), stretch.powi(3) * dot(&third, &values)]
    }
}

impl PiecewiseShapes {
    fn part(&self, x: f64) -> &Part {
        let next = self.parts.partition_point(|part| part.span[1] < x);
        &self.parts[next.min(self.parts.len() - 1)]
    }

    /// The displacement of every mode at a fraction of the length.
    pub fn at(&self, x: f64) -> Vec<f64> {
        self.part(x).at(x)
    }

    /// Transverse force −(EIφ″)′ of every mode at a fraction of the length.
    pub fn force(&self, x: f64, material: &LineMaterial) -> Vec<f64> {
        let part = self.part(x);
        let [ratio, slope] = self.profile.ratio(x, part.span);
        let force = |coefficients: &Vec<f64>| {
            let [second, third] = part.bending(coefficients, x);
            -material.bending / material.length.powi(3) * (3.0 * ratio * ratio * slope * second + ratio.powi(3) * third)
        };
        part.coefficients.iter().map(force).collect()
    }

    /// ∫φf of every mode along the line, for a shape f.
    pub fn project(&self, shape: Shape, length: f64) -> Vec<f64> {
        self.integral(shape, |_, _| length)
    }

    /// Amplitude of every mode in a shape: ∫rφf over ∫rφ².
    pub fn amplitudes(&self, shape: Shape) -> Vec<f64> {
        self.integral(shape, |x, part| self.profile.ratio(x, part)[0])
    }

    /// ∫φfg by fractions of the length, of every mode.
    fn integral(&self, shape: Shape, weight: impl Fn(f64, [f64; 2]) -> f64) -> Vec<f64> {
        let mut sums = vec![0.0; self.parts.first().map_or(0, |part| part.coefficients.len())];
        for part in &self.parts {
            let degree = part.coefficients.first().map_or(0, Vec::len);
            let rule = gauss_legendre(degree / 2 + EXTRA_POINTS);
            for [from, to] in smooth_spans(shape, part.span) {
                for point in &rule {
                    let x = 0.5 * (from + to + point.x * (to - from));
                    let weight = 0.5 * (to - from) * point.weight * shape.at(x) * weight(x, part.span);
                    sums.iter_mut().zip(part.at(x)).for_each(|(sum, value)| *sum += weight * value);
                }
            }
        }
        sums
    }
}

/// The pieces of a span on which a shape is smooth and not 0.
fn smooth_spans(shape: Shape, [from, to]: [f64; 2]) -> Vec<[f64; 2]> {
    let places = match shape {
        Shape::Flat => return Vec::new(),
        Shape::Triangle { at, .. } => vec![0.0, at, 1.0],
        Shape::RaisedCosine { at, width, .. } => vec![at - 0.5 * width, at, at + 0.5 * width],
    };
    let pieces = places.windows(2).map(|pair| [pair[0].max(from), pair[1].min(to)]);
    pieces.filter(|[from, to]| from < to).collect()
}

/// The polynomials of Legendre at ξ, in rising order: (k + 1)P_{k+1} = (2k + 1)ξP_k − kP_{k−1}.
struct Legendre {
    x: f64,
    order: f64,
    previous: f64,
    current: f64,
}

impl Legendre {
    fn new(x: f64) -> Self {
        Self { x, order: 0.0, previous: 0.0, current: 1.0 }
    }
}

impl Iterator for Legendre {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        let Self { x, order, previous, current } = *self;
        let next = ((2.0 * order + 1.0) * x * current - order * previous) / (order + 1.0);
        *self = Self { x, order: order + 1.0, previous: current, current: next };
        Some(current)
    }
}

/// The first `count` polynomials of Legendre at ξ.
pub(crate) fn legendre(x: f64, count: usize) -> Vec<f64> {
    Legendre::new(x).take(count).collect()
}

/// Coefficients of the derivative by ξ, as many.
fn derivative(coefficients: &[f64]) -> Vec<f64> {
    let mut slope = vec![0.0; coefficients.len() + 2];
    for k in (1..coefficients.len()).rev() {
        let order = k as f64;
        slope[k - 1] = (2.0 * order - 1.0) * (coefficients[k] + slope[k + 1] / (2.0 * order + 3.0));
    }
    slope.truncate(coefficients.len());
    slope
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}
