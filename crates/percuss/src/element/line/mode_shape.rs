//! The shape of a mode of a string or bar, and its integrals.
//!
//! Shape       φ = A cos ax + B sin ax + C e^{−bx} + D e^{−b(L−x)}, or the straight line A + Bx where a is 0
//! Integrals   ∫φ², and ∫φf for a triangle or raised cosine f, in closed form: their cost does not grow with a or b

use crate::element::line::grid::LineMaterial;
use crate::element::line::piecewise::PiecewiseShapes;
use crate::model::Shape;
use std::f64::consts::PI;

/// The shapes of all modes of a line, in the order of its modes.
#[derive(Clone, Debug)]
pub(crate) enum LineShapes {
    /// In closed form, of a uniform line.
    Waves(Vec<ModeShape>),
    /// Polynomials on parts, of a bar whose thickness changes.
    Piecewise(PiecewiseShapes),
}

impl LineShapes {
    /// φ of every mode at a fraction of the length.
    pub fn at(&self, at: f64) -> Vec<f64> {
        match self {
            Self::Waves(shapes) => shapes.iter().map(|shape| shape.at(at * shape.length)).collect(),
            Self::Piecewise(shapes) => shapes.at(at),
        }
    }

    /// Transverse force Tφ′ − (EIφ″)′ of every mode at a fraction of the length \[N/m\].
    pub fn force(&self, at: f64, material: &LineMaterial) -> Vec<f64> {
        let LineMaterial { tension, bending, length, .. } = *material;
        let wave_force = |shape: &ModeShape| {
            let slope = shape.derivative();
            tension * slope.at(at * length) - bending * slope.derivative().derivative().at(at * length)
        };
        match self {
            Self::Waves(shapes) => shapes.iter().map(wave_force).collect(),
            Self::Piecewise(shapes) => shapes.force(at, material),
        }
    }

    /// ∫φf of every mode for a shape f along the length.
    pub fn project(&self, shape: Shape, length: f64) -> Vec<f64> {
        match self {
            Self::Waves(shapes) => shapes.iter().map(|mode| mode.project(shape)).collect(),
            Self::Piecewise(shapes) => shapes.project(shape, length),
        }
    }

    /// Amplitude of every mode in a line that has the shape f: ∫ρAφf/∫ρAφ².
    pub fn amplitudes(&self, shape: Shape) -> Vec<f64> {
        match self {
            Self::Waves(shapes) => shapes.iter().map(|mode| mode.project(shape) / mode.square_integral()).collect(),
            Self::Piecewise(shapes) => shapes.amplitudes(shape),
        }
    }
}

/// A shape A cos ax + B sin ax + C e^{−bx} + D e^{−b(L−x)}, or a straight line A + Bx where a is 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModeShape {
    pub coefficients: [f64; 4],
    pub a: f64,
    pub b: f64,
    pub length: f64,
}

impl ModeShape {
    /// φ(x).
    pub fn at(&self, x: f64) -> f64 {
        let [cos, sin, near, far] = self.coefficients;
        if self.a == 0.0 {
            return cos + sin * x;
        }
        let (s, c) = (self.a * x).sin_cos();
        let waves = cos * c + sin * s;
        if near == 0.0 && far == 0.0 {
            return waves;
        }
        waves + near * (-self.b * x).exp() + far * (-self.b * (self.length - x)).exp()
    }

    /// φ = `offset` + `slope`·x.
    pub fn straight(offset: f64, slope: f64, length: f64) -> Self {
        Self { coefficients: [offset, slope, 0.0, 0.0], a: 0.0, b: 0.0, length }
    }

    /// φ′.
    pub fn derivative(&self) -> Self {
        let ([cos, sin, near, far], Self { a, b, .. }) = (self.coefficients, *self);
        let coefficients = if a == 0.0 { [sin, 0.0, 0.0, 0.0] } else { [a * sin, -a * cos, -b * near, b * far] };
        Self { coefficients, ..*self }
    }

    /// ∫∫φ, up to a straight line.
    fn second_integral(&self) -> impl Fn(f64) -> f64 {
        let ([cos, sin, near, far], Self { a, b, .. }) = (self.coefficients, *self);
        let bent = |coefficient: f64| if coefficient == 0.0 { 0.0 } else { coefficient / (b * b) };
        let coefficients = [-cos / (a * a), -sin / (a * a), bent(near), bent(far)];
        let (straight, shape) = (a == 0.0, Self { coefficients, ..*self });
        move |x| if straight { x * x * (cos / 2.0 + sin * x / 6.0) } else { shape.at(x) }
    }

    /// ∫φ·f for a shape f along the length.
    pub fn project(&self, shape: Shape) -> f64 {
        match shape {
            Shape::Flat => 0.0,
            Shape::Triangle { at, height } => height * self.triangle_integral(at * self.length),
            Shape::RaisedCosine { at, width, height } => {
                height * self.bump_integral(at * self.length, width * self.length)
            }
        }
    }

    /// ∫φ·f for f = ½ + ½cos c(x − x₀), c = 2π/`width`, within half that width of x₀ = `middle`, and 0 elsewhere.
    pub fn bump_integral(&self, middle: f64, width: f64) -> f64 {
        let ([cos, sin, near, far], Self { a, b, length, .. }) = (self.coefficients, *self);
        let c = 2.0 * PI / width;
        let [from, to] = [middle - 0.5 * width, middle + 0.5 * width].map(|x| x.clamp(0.0, length));
        if a == 0.0 {
            let primitive = |x: f64| {
                let (s, c_x) = (c * (x - middle)).sin_cos();
                0.5 * (cos * (x + s / c) + sin * (0.5 * x * x + x * s / c + c_x / (c * c)))
            };
            return primitive(to) - primitive(from);
        }
        // ∫cos(px + q) is (to − from)·sinc(½p(to − from)) times the value in the middle; likewise the sine.
        let span = to - from;
        let wave = |factor: f64, sideband: f64| {
            let wave_number = a + sideband * c;
            let (s, c) = (0.5 * wave_number * (from + to) - sideband * c * middle).sin_cos();
            factor * span * sinc(0.5 * wave_number * span) * (cos * c + sin * s)
        };
        let waves = wave(0.5, 0.0) + wave(0.25, 1.0) + wave(0.25, -1.0);
        if near == 0.0 && far == 0.0 {
            return waves;
        }
        // −2∫e^{−by}f dy, for y from one end and f's middle there.
        let primitive = |y: f64, middle: f64| {
            let (s, c_y) = (c * (y - middle)).sin_cos();
            (-b * y).exp() * (1.0 / b + (b * c_y - c * s) / (b * b + c * c))
        };
        let exponential = |from: f64, to: f64, middle: f64| 0.5 * (primitive(from, middle) - primitive(to, middle));
        waves + near * exponential(from, to, middle) + far * exponential(length - to, length - from, length - middle)
    }

    /// ∫φ·f for f that rises straight from 0 at x = 0 to 1 at `peak` and falls straight to 0 at x = L.
    pub fn triangle_integral(&self, peak: f64) -> f64 {
        let twice = self.second_integral();
        // By parts: f is 0 at both ends, so only its slopes are left.
        let [left, middle, right] = [0.0, peak, self.length].map(twice);
        (right - middle) / (self.length - peak) - (middle - left) / peak
    }

    /// ∫φ².
    pub fn square_integral(&self) -> f64 {
        let ([cos, sin, near, far], Self { a, b, length, .. }) = (self.coefficients, *self);
        if a == 0.0 {
            return length * (cos * cos + cos * sin * length + sin * sin * length * length / 3.0);
        }
        let (s, c) = (a * length).sin_cos();
        let waves = cos * cos * (0.5 * length + s * c / (2.0 * a))
            + sin * sin * (0.5 * length - s * c / (2.0 * a))
            + cos * sin * s * s / a;
        if near == 0.0 && far == 0.0 {
            return waves;
        }
        let (decay, both) = ((-b * length).exp(), a * a + b * b);
        let with_near = cos * (b + decay * (a * s - b * c)) + sin * (a - decay * (a * c + b * s));
        let with_far = cos * (b * c + a * s - b * decay) + sin * (b * s - a * c + a * decay);
        let exponentials =
            (near * near + far * far) * (1.0 - decay * decay) / (2.0 * b) + 2.0 * near * far * length * decay;
        waves + exponentials + 2.0 * (near * with_near + far * with_far) / both
    }
}

/// sin(x)/x.
pub(crate) fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { x.sin() / x }
}
