//! Functions of the radius of a round plate with n nodal diameters.
//!
//! Whole       f_i = ρⁿ(1 − ρ²)ᵉ·p_i(2ρ² − 1), ρ = 2r/diameter: e is 0 for a free rim, 1 where the displacement and 2 where the slope
//!             too is held; p_i are the Jacobi polynomials that make f_i orthonormal with the weight ρ
//! Loaded      where patches around the centre change the density at some radii: within the first the same functions with e = 2 and
//!             two that give the joint its value and its slope, further out those of `ritz/segment`. So f and f′ are continuous
//!             and f″ need not be
//! Allocates   in all of it

use crate::element::ritz::jacobi::{Jacobi, gauss_legendre};
use crate::element::ritz::segment::{Segment, function_places};
use faer::Mat;

/// Points of Gauss's rule beyond those for polynomials, for 1/ρ between radii.
const EXTRA_POINTS: usize = 12;

/// The functions f_i of n nodal diameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RadialBasis {
    pub diameters: u32,
    /// e.
    pub power: u32,
    pub count: usize,
}

/// A function of ρ and what its energy needs, at one radius.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RadialValues {
    pub value: f64,
    /// R′ and nR/ρ.
    pub slopes: [f64; 2],
    /// L, M and S.
    pub curvatures: [f64; 3],
}

impl RadialBasis {
    /// All functions at 0 < ρ ≤ 1.
    pub fn at(&self, rho: f64) -> Vec<RadialValues> {
        let (n, e) = (f64::from(self.diameters), self.power);
        let (x, square) = (2.0 * rho * rho - 1.0, rho * rho);
        let jacobi = Jacobi { alpha: 2 * e, beta: self.diameters };
        // dx = 4ρdρ, and 1 ∓ x are 2(1 − ρ²) and 2ρ².
        let scale = 2.0 * (0.5 * f64::from(2 * e + self.diameters)).exp2();
        let rim = 1.0 - square;
        let term = |order: u32| if e < order { 0.0 } else { rim.powi((e - order) as i32) };
        let p = f64::from(e);
        // (1 − ρ²)ᵉ and its derivatives by x.
        let held = [term(0), -0.5 * p * term(1), 0.25 * p * (p - 1.0) * term(2)];
        let power = rho.powi(self.diameters as i32) * scale;
        jacobi
            .at(x, self.count)
            .into_iter()
            .map(|q| {
                let g = power * held[0] * q[0];
                let g1 = power * (held[1] * q[0] + held[0] * q[1]);
                let g2 = power * (held[2] * q[0] + 2.0 * held[1] * q[1] + held[0] * q[2]);
                let over_square = |factor: f64| if factor == 0.0 { 0.0 } else { factor * g / square };
                RadialValues {
                    value: g,
                    slopes: [
                        if n == 0.0 { 0.0 } else { n * g / rho } + 4.0 * rho * g1,
                        if n == 0.0 { 0.0 } else { n * g / rho },
                    ],
                    curvatures: [
                        over_square(n * (n - 1.0)) + 4.0 * (2.0 * n + 1.0) * g1 + 16.0 * square * g2,
                        over_square(n - n * n) + 4.0 * g1,
                        over_square(n * (n - 1.0)) + 4.0 * n * g1,
                    ],
                }
            })
            .collect()
    }
}

impl RadialValues {
    /// The sum of this one times a factor and another one times a factor.
    fn combined(self, factor: f64, other: Self, other_factor: f64) -> Self {
        let sum = |one: f64, other: f64| factor * one + other_factor * other;
        Self {
            value: sum(self.value, other.value),
            slopes: std::array::from_fn(|i| sum(self.slopes[i], other.slopes[i])),
            curvatures: std::array::from_fn(|i| sum(self.curvatures[i], other.curvatures[i])),
        }
    }

    /// The function of ρ/`scale`.
    fn stretched(self, scale: f64) -> Self {
        Self {
            value: self.value,
            slopes: self.slopes.map(|slope| slope / scale),
            curvatures: self.curvatures.map(|curvature| curvature / (scale * scale)),
        }
    }

    /// Of a function given with its first two derivatives.
    fn of_derivatives([value, slope, bend]: [f64; 3], n: f64, rho: f64) -> Self {
        let around = n * value / rho;
        Self {
            value,
            slopes: [slope, around],
            curvatures: [bend, (slope - n * around) / rho, (n * slope - around) / rho],
        }
    }
}

/// The functions where the density changes at some radii.
#[derive(Clone, Debug)]
pub(crate) struct LoadedRadius {
    /// Radius within which the first functions are.
    cap: f64,
    /// Functions with the value and with the slope of the joint at the cap, and those that are 0 there.
    joint: [RadialBasis; 2],
    inner: RadialBasis,
    /// Place of the first inner function among all.
    first_inner: usize,
    /// Parts between radii from there to the rim, and the places of their functions.
    rings: Vec<(Segment, Vec<Option<usize>>)>,
    /// Surface density over that of the bare plate, of the cap and of every ring.
    densities: Vec<f64>,
}

/// A part of a round plate between two radii: its outer radius, its density over that of the bare plate, and the number of functions
/// that it needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RadialPart {
    pub outer: f64,
    pub density: f64,
    pub functions: usize,
}

impl LoadedRadius {
    /// With `power` as for [`RadialBasis`]; `parts` from the centre to the rim, two at least.
    pub fn new(diameters: u32, power: u32, parts: &[RadialPart]) -> Self {
        let basis = |power: u32, count: usize| RadialBasis { diameters, power, count };
        let segments: Vec<Segment> = parts
            .windows(2)
            .map(|pair| Segment { span: [pair[0].outer, pair[1].outer], bubbles: pair[1].functions })
            .collect();
        let places = function_places(&segments, [[false; 2], [power > 0, power > 1]]);
        let first_inner = places.iter().flatten().flatten().max().map_or(0, |last| last + 1);
        Self {
            cap: parts[0].outer,
            joint: [basis(0, 1), basis(1, 1)],
            inner: basis(2, parts[0].functions),
            first_inner,
            rings: segments.into_iter().zip(places).collect(),
            densities: parts.iter().map(|part| part.density).collect(),
        }
    }

    /// Functions with the value 1 and with the slope 1 where the cap ends, at a fraction of its radius.
    fn joints(&self, rho: f64) -> [RadialValues; 2] {
        let [value, slope] = self.joint.map(|basis| (basis.at(rho)[0], basis.at(1.0)[0]));
        let value_one = value.0.combined(value.1.value.recip(), slope.0, 0.0);
        let slope_one = slope.0.combined(slope.1.slopes[0].recip(), value.0, 0.0);
        let n = f64::from(self.inner.diameters);
        [
            value_one.combined(1.0, slope_one, -n).stretched(self.cap),
            slope_one.combined(self.cap, value_one, 0.0).stretched(self.cap),
        ]
    }

    /// The functions that are not 0 at a radius, with their places.
    fn at(&self, rho: f64) -> Vec<(usize, RadialValues)> {
        if rho <= self.cap {
            let scaled = rho / self.cap;
            let inner = self.inner.at(scaled).into_iter().map(|values| values.stretched(self.cap));
            return self.joints(scaled).into_iter().enumerate().chain((self.first_inner..).zip(inner)).collect();
        }
        let next = self.rings.partition_point(|(segment, _)| segment.span[1] < rho);
        let (segment, places) = &self.rings[next.min(self.rings.len() - 1)];
        let n = f64::from(self.inner.diameters);
        let values = segment.at(segment.coordinate(rho)).into_iter().zip(places);
        values
            .filter_map(|(derivatives, place)| Some(((*place)?, RadialValues::of_derivatives(derivatives, n, rho))))
            .collect()
    }

    /// Radii, weights for integrals ∫…ρdρ, and densities.
    fn quadrature(&self) -> Vec<[f64; 3]> {
        let cap = self
            .inner
            .quadrature()
            .into_iter()
            .map(|[rho, weight, _]| [self.cap * rho, self.cap * self.cap * weight, self.densities[0]]);
        let ring = |((segment, _), density): (&(Segment, Vec<Option<usize>>), &f64)| {
            let point = |point: &crate::element::ritz::jacobi::QuadraturePoint| {
                let rho = segment.place(point.x);
                [rho, 0.5 * segment.length() * point.weight * rho, *density]
            };
            gauss_legendre(segment.count() + EXTRA_POINTS).iter().map(point).collect::<Vec<_>>()
        };
        cap.chain(self.rings.iter().zip(&self.densities[1..]).flat_map(ring)).collect()
    }
}

impl RadialBasis {
    fn quadrature(&self) -> Vec<[f64; 3]> {
        let points = self.count + (self.diameters + 2 * self.power) as usize / 2 + 2;
        let point = |point: crate::element::ritz::jacobi::QuadraturePoint| {
            [(0.5 * (1.0 + point.x)).sqrt(), 0.25 * point.weight, 1.0]
        };
        gauss_legendre(points).into_iter().map(point).collect()
    }
}

/// The functions of n nodal diameters.
#[derive(Clone, Debug)]
pub(crate) enum RadialFunctions {
    Whole(RadialBasis),
    Loaded(LoadedRadius),
}

/// ∫[R′² + n²R²/ρ²]ρ, ∫[L² + M² + 2νLM + 2(1−ν)S²]ρ and ∫R²ρ times the density ratio, for all pairs of functions.
pub(crate) struct RadialMatrices {
    pub gradient: Mat<f64>,
    pub bending: Mat<f64>,
    pub mass: Mat<f64>,
}

impl RadialFunctions {
    pub fn diameters(&self) -> u32 {
        match self {
            Self::Whole(basis) => basis.diameters,
            Self::Loaded(loaded) => loaded.inner.diameters,
        }
    }

    pub fn count(&self) -> usize {
        match self {
            Self::Whole(basis) => basis.count,
            Self::Loaded(loaded) => loaded.first_inner + loaded.inner.count,
        }
    }

    /// The functions that are not 0 at 0 < ρ ≤ 1, with their places among all.
    pub fn at(&self, rho: f64) -> Vec<(usize, RadialValues)> {
        match self {
            Self::Whole(basis) => basis.at(rho).into_iter().enumerate().collect(),
            Self::Loaded(loaded) => loaded.at(rho),
        }
    }

    pub fn matrices(&self, poisson: f64) -> RadialMatrices {
        let zeros = || Mat::<f64>::zeros(self.count(), self.count());
        let mut matrices = RadialMatrices { gradient: zeros(), bending: zeros(), mass: zeros() };
        let quadrature = match self {
            Self::Whole(basis) => basis.quadrature(),
            Self::Loaded(loaded) => loaded.quadrature(),
        };
        for [rho, weight, density] in quadrature {
            let values = self.at(rho);
            for &(j, other) in &values {
                for &(i, one) in &values {
                    let ([s, t], [l, m, c]) = (one.slopes, one.curvatures);
                    let ([s2, t2], [l2, m2, c2]) = (other.slopes, other.curvatures);
                    matrices.gradient[(i, j)] += weight * (s * s2 + t * t2);
                    let coupled = poisson * (l * m2 + m * l2) + 2.0 * (1.0 - poisson) * c * c2;
                    matrices.bending[(i, j)] += weight * (l * l2 + m * m2 + coupled);
                    matrices.mass[(i, j)] += weight * density * one.value * other.value;
                }
            }
        }
        matrices
    }
}
