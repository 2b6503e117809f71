//! The shapes of all modes of a string or bar at a place that moves, in vectors and without a library function.
//!
//! Shape       φ = R sin π(px + q) + C e^{−bx} + D e^{−b(1−x)} with x as a fraction of the length, or the straight line A + Bx
//! Sine        sin πy = (−1)ⁿ sin πr, r = y − n for the nearest whole n, by its series up to r¹⁹: within 5e-16
//! Exponential e^{−z} = (e^{−z/64})⁶⁴, by its series up to the power of 15: within 2e-14; 0 beyond z = 45
//! Allocates   only in `new`
//! Reference   `mode_shape`, of which these are the values

use crate::control::moving_point::ModeWeights;
use crate::element::line::mode_shape::ModeShape;
use crate::element::simd::{Field, Machine, field, mul_add, vectors, vectors_mut, whole_blocks};
use pulp::{Simd, WithSimd};
use std::f64::consts::PI;
use std::ops::Range;

/// Added to and subtracted from a number, this leaves the nearest whole one.
const ROUNDING: f64 = 6_755_399_441_055_744.0;
/// Beyond it e^{−z} is far below rounding.
const MAX_EXPONENT: f64 = 45.0;
/// A power of two, by squaring.
const SQUARINGS: i32 = 6;

/// (−1)ʲ π²ʲ⁺¹/(2j+1)!.
const SINE: [f64; 10] = sine_series();
/// (−1)ʲ/j!.
const EXPONENTIAL: [f64; 16] = exponential_series();

const fn sine_series() -> [f64; 10] {
    let (mut terms, mut term, mut j) = ([0.0; 10], PI, 0);
    while j < terms.len() {
        terms[j] = term;
        j += 1;
        term *= -PI * PI / ((2 * j) * (2 * j + 1)) as f64;
    }
    terms
}

const fn exponential_series() -> [f64; 16] {
    let (mut terms, mut term, mut j) = ([0.0; 16], 1.0, 0);
    while j < terms.len() {
        terms[j] = term;
        j += 1;
        term *= -1.0 / j as f64;
    }
    terms
}

/// The shapes of all modes, each constant in an array over the modes.
#[derive(Clone, Debug)]
pub(crate) struct LineWaves {
    machine: Machine,
    nodes: Range<usize>,
    /// R, p and q.
    waves: [Field; 3],
    /// C, D and b; `None` where they are 0 but for rounding.
    exponentials: Option<[Field; 3]>,
    /// A and B of the first modes.
    straight: Vec<[f64; 2]>,
}

impl LineWaves {
    /// Of modes of a line, whose state nodes are `nodes`. Straight ones come first.
    pub fn new(shapes: &[ModeShape], nodes: Range<usize>, machine: Machine) -> Self {
        let column = |value: &dyn Fn(&ModeShape) -> f64| {
            let mut values = field(whole_blocks(shapes.len()));
            values.iter_mut().zip(shapes).for_each(|(to, shape)| *to = value(shape));
            values
        };
        let coefficient = |index: usize| move |shape: &ModeShape| shape.coefficients[index];
        let bends = |shape: &ModeShape| shape.coefficients[2..].iter().any(|c| c.abs() > f64::EPSILON);
        let is_straight = |shape: &&ModeShape| shape.a == 0.0;
        Self {
            machine,
            nodes,
            waves: [
                column(&|shape| shape.coefficients[0].hypot(shape.coefficients[1])),
                column(&|shape| shape.a * shape.length / PI),
                column(&|shape| shape.coefficients[0].atan2(shape.coefficients[1]) / PI),
            ],
            exponentials: shapes
                .iter()
                .any(bends)
                .then(|| [column(&coefficient(2)), column(&coefficient(3)), column(&|shape| shape.b * shape.length)]),
            straight: shapes
                .iter()
                .take_while(is_straight)
                .map(|shape| [shape.coefficients[0], shape.coefficients[1] * shape.length])
                .collect(),
        }
    }
}

impl ModeWeights for LineWaves {
    fn nodes(&self) -> Range<usize> {
        self.nodes.clone()
    }

    fn buffer_length(&self) -> usize {
        self.waves[0].len()
    }

    fn weigh(&self, [at, _]: [f64; 2], weights: &mut [f64]) {
        self.machine.dispatch(WavesAt { waves: &self.waves, at, weights });
        if let Some(exponentials) = &self.exponentials {
            self.machine.dispatch(ExponentialsAt { exponentials, at, weights });
        }
        for (weight, [offset, slope]) in weights.iter_mut().zip(&self.straight) {
            *weight = offset + slope * at;
        }
    }
}

/// Writes R sin π(px + q).
struct WavesAt<'a> {
    waves: &'a [Field; 3],
    at: f64,
    weights: &'a mut [f64],
}

impl WithSimd for WavesAt<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let [r, p, q] = self.waves;
        let at = simd.splat_f64s(self.at);
        let modes = vectors::<S>(r).iter().zip(vectors::<S>(p).iter().zip(vectors::<S>(q)));
        for (weight, (r, (p, q))) in vectors_mut::<S>(self.weights).iter_mut().zip(modes) {
            *weight = simd.mul_f64s(*r, sine_of_pi(simd, mul_add(simd, *p, at, *q)));
        }
    }
}

/// Adds C e^{−bx} + D e^{−b(1−x)}.
struct ExponentialsAt<'a> {
    exponentials: &'a [Field; 3],
    at: f64,
    weights: &'a mut [f64],
}

impl WithSimd for ExponentialsAt<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let [near, far, rate] = self.exponentials;
        let (from_near, from_far) = (simd.splat_f64s(self.at), simd.splat_f64s(1.0 - self.at));
        let modes = vectors::<S>(near).iter().zip(vectors::<S>(far).iter().zip(vectors::<S>(rate)));
        for (weight, (near, (far, rate))) in vectors_mut::<S>(self.weights).iter_mut().zip(modes) {
            let [at_near, at_far] =
                [decay(simd, simd.mul_f64s(*rate, from_near)), decay(simd, simd.mul_f64s(*rate, from_far))];
            *weight = mul_add(simd, *near, at_near, mul_add(simd, *far, at_far, *weight));
        }
    }
}

/// The nearest whole number.
#[inline(always)]
fn round<S: Simd>(simd: S, x: S::f64s) -> S::f64s {
    let rounding = simd.splat_f64s(ROUNDING);
    simd.sub_f64s(simd.add_f64s(x, rounding), rounding)
}

/// sin πy.
#[inline(always)]
fn sine_of_pi<S: Simd>(simd: S, y: S::f64s) -> S::f64s {
    let whole = round(simd, y);
    let rest = simd.sub_f64s(y, whole);
    let half = simd.mul_f64s(whole, simd.splat_f64s(0.5));
    // 0 where `whole` is even, ½ where it is odd.
    let parity = simd.abs_f64s(simd.sub_f64s(half, round(simd, half)));
    let sign = mul_add(simd, parity, simd.splat_f64s(-4.0), simd.splat_f64s(1.0));
    let sum = series(simd, &SINE, simd.mul_f64s(rest, rest));
    simd.mul_f64s(simd.mul_f64s(rest, sign), sum)
}

/// e^{−z} for z ≥ 0.
#[inline(always)]
fn decay<S: Simd>(simd: S, z: S::f64s) -> S::f64s {
    let small =
        simd.mul_f64s(simd.min_f64s(z, simd.splat_f64s(MAX_EXPONENT)), simd.splat_f64s(0.5_f64.powi(SQUARINGS)));
    let mut power = series(simd, &EXPONENTIAL, small);
    for _ in 0..SQUARINGS {
        power = simd.mul_f64s(power, power);
    }
    power
}

/// Σ terms[j]·xʲ.
#[inline(always)]
fn series<S: Simd, const N: usize>(simd: S, terms: &[f64; N], x: S::f64s) -> S::f64s {
    let mut sum = simd.splat_f64s(terms[N - 1]);
    for term in terms[..N - 1].iter().rev() {
        sum = mul_add(simd, sum, x, simd.splat_f64s(*term));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::line::grid::LineMaterial;
    use crate::element::line::modes::modes;
    use crate::model::End;

    fn materials() -> impl Iterator<Item = LineMaterial> {
        let kinds = [End::SimplySupported, End::Clamped, End::Free];
        let ends = kinds.into_iter().flat_map(move |left| kinds.map(|right| [left, right]));
        let stiffness = [(0.0, 5.0), (80.0, 5.0), (100.0, 1e-4), (100.0, 0.0)];
        ends.flat_map(move |ends| {
            let of = move |(tension, bending)| LineMaterial {
                length: 0.4,
                line_density: 0.3,
                tension,
                bending,
                stretching: 0.0,
                sigma0: 0.0,
                sigma1: 0.0,
                ends,
            };
            stiffness.map(of)
        })
    }

    /// Those of hundreds of modes, from one end to the other.
    #[test]
    fn shapes_in_vectors_are_those_of_the_library() {
        for material in materials() {
            let speed = ((material.tension * 1e6 + material.bending * 1e12) / material.line_density).sqrt();
            let shapes: Vec<_> = modes(&material, speed).unwrap().iter().map(|mode| mode.shape).collect();
            assert!(shapes.len() > 50, "{material:?}");
            let waves = LineWaves::new(&shapes, 0..shapes.len(), Machine::new(false));
            let mut weights = vec![f64::NAN; waves.buffer_length()];
            for at in (0..=1000).map(|n| f64::from(n) / 1000.0).chain([1e-9, 1e-5, 0.123_456_789, 1.0 - 1e-7]) {
                waves.weigh([at, 0.0], &mut weights);
                for (shape, weight) in shapes.iter().zip(&weights) {
                    let size = (shape.square_integral() / material.length).sqrt();
                    // A phase of aL is known to its rounding.
                    let rounding = 1e-15 * (20.0 + shape.a * material.length) * size;
                    let exact = shape.at(at * material.length);
                    assert!((weight - exact).abs() < rounding, "{material:?} at {at}: {weight} instead of {exact}");
                }
            }
        }
    }
}
