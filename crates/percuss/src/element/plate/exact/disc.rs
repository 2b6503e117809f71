//! Modes of a round plate or membrane, by the method of Ritz for every number n of nodal diameters.
//!
//! Shapes      w = R(r)·cos nθ and R(r)·sin nθ, R = Σ c_i f_i, f_i = ρⁿ(1 − ρ²)ᵉ·p_i(2ρ² − 1), ρ = 2r/diameter: e is 0 for a free
//!             rim, 1 where the displacement and 2 where the slope too is held; p_i are the Jacobi polynomials that make f_i
//!             orthonormal with the weight ρ
//! Energy      V = ½D∫[L² + M² + 2νLM + 2(1−ν)S²] + ½T∫[R′² + n²R²/r²], L = R″, M = R′/r − n²R/r², S = n(R′/r − R/r²)
//! Convergence faster than any power of the number of functions
//! Reference   Leissa (1969), Vibration of Plates, ch. 2

use crate::element::oscillator::mode_group::ModeConstants;
use crate::element::plate::grid::PlateMaterial;
use crate::element::ritz::eigen::{Eigenpairs, quadratic_form};
use crate::element::ritz::jacobi::{Jacobi, gauss_legendre};
use crate::model::Edge;
use faer::Mat;
use std::f64::consts::PI;

/// Degree beyond that which the largest wave number needs.
const MARGIN: f64 = 12.0;

/// The functions f_i of n nodal diameters.
#[derive(Clone, Copy, Debug)]
struct RadialBasis {
    diameters: u32,
    /// e.
    power: u32,
    count: usize,
}

/// A function of ρ and what its energy needs, at one radius.
#[derive(Clone, Copy, Debug)]
struct RadialValues {
    value: f64,
    /// R′ and nR/ρ.
    slopes: [f64; 2],
    /// L, M and S.
    curvatures: [f64; 3],
}

impl RadialBasis {
    /// All functions at 0 < ρ ≤ 1.
    fn at(&self, rho: f64) -> Vec<RadialValues> {
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

    /// ∫[R′² + n²R²/ρ²]ρ and ∫[L² + M² + 2νLM + 2(1−ν)S²]ρ for all pairs of functions.
    fn matrices(&self, poisson: f64) -> [Mat<f64>; 2] {
        let mut matrices = [(); 2].map(|()| Mat::<f64>::zeros(self.count, self.count));
        let points = self.count + (self.diameters + 2 * self.power) as usize / 2 + 2;
        for point in gauss_legendre(points) {
            let values = self.at((0.5 * (1.0 + point.x)).sqrt());
            let weight = 0.25 * point.weight;
            for (j, other) in values.iter().enumerate() {
                for (i, one) in values.iter().enumerate() {
                    let ([s, t], [l, m, c]) = (one.slopes, one.curvatures);
                    let ([s2, t2], [l2, m2, c2]) = (other.slopes, other.curvatures);
                    matrices[0][(i, j)] += weight * (s * s2 + t * t2);
                    let coupled = poisson * (l * m2 + m * l2) + 2.0 * (1.0 - poisson) * c * c2;
                    matrices[1][(i, j)] += weight * (l * l2 + m * m2 + coupled);
                }
            }
        }
        matrices
    }
}

/// One mode's place among the functions.
#[derive(Clone, Debug)]
struct DiscMode {
    basis: usize,
    coefficients: Vec<f64>,
    /// Whether it is the one with sin nθ.
    is_sine: bool,
}

/// The shapes of a round plate.
#[derive(Clone, Debug)]
pub(crate) struct DiscShapes {
    bases: Vec<RadialBasis>,
    modes: Vec<DiscMode>,
}

impl DiscShapes {
    /// The modes with ω below `max_omega`, without order; `None` where the eigenvalues are not found.
    pub fn modes(
        material: &PlateMaterial,
        poisson: f64,
        (diameter, rim): (f64, Edge),
        max_wave_number: f64,
        max_omega: f64,
    ) -> Option<(Vec<ModeConstants>, Self)> {
        let radius = 0.5 * diameter;
        let power = match rim {
            Edge::Free | Edge::FreeFullCell => 0,
            Edge::Clamped if material.bending > 0.0 => 2,
            Edge::SimplySupported | Edge::Clamped => 1,
        };
        let degree = max_wave_number * radius + MARGIN;
        let [c2, kappa2] = [material.tension, material.bending].map(|x| x / material.surface_density);
        let min_wave_number_squared = radius.powi(-2);
        let eigenvalue_shift = min_wave_number_squared * (c2 + kappa2 * min_wave_number_squared);
        let (mut found, mut shapes) = (Vec::new(), Self { bases: Vec::new(), modes: Vec::new() });
        // Translation; without tension, rotation too.
        let rigid = |diameters: u32| power == 0 && (diameters == 0 || (diameters == 1 && material.tension == 0.0));
        for diameters in 0_u32.. {
            let count = (0.5 * (degree - f64::from(diameters))).max(3.0) as usize;
            let basis = RadialBasis { diameters, power, count };
            let [gradient, bending] = basis.matrices(poisson);
            let stiffness = Mat::from_fn(count, count, |i, j| {
                (c2 * gradient[(i, j)] + kappa2 * bending[(i, j)] / radius.powi(2)) / radius.powi(2)
            });
            let eigen = Eigenpairs::of(stiffness, eigenvalue_shift)?;
            let omega = |mode: usize| {
                if mode == 0 && rigid(diameters) { 0.0 } else { eigen.values[mode].sqrt() }
            };
            let below = (0..count).take_while(|&mode| omega(mode) < max_omega).count();
            if below == 0 {
                break;
            }
            for mode in 0..below {
                let coefficients = eigen.vector(mode);
                let slope = quadratic_form(&gradient, &coefficients);
                let around = if diameters == 0 { 2.0 * PI } else { PI };
                for is_sine in [false, true].into_iter().take(if diameters == 0 { 1 } else { 2 }) {
                    found.push(ModeConstants {
                        omega: omega(mode),
                        sigma: material.sigma0 + material.sigma1 * slope / radius.powi(2),
                        mass: material.surface_density * around * radius.powi(2),
                    });
                    let coefficients = coefficients.clone();
                    shapes.modes.push(DiscMode { basis: diameters as usize, coefficients, is_sine });
                }
            }
            shapes.bases.push(basis);
        }
        Some((found, shapes))
    }

    /// The displacement of every mode at fractions of the diameter.
    pub fn at(&self, place: [f64; 2]) -> Vec<f64> {
        let [x, y] = place.map(|fraction| 2.0 * fraction - 1.0);
        // In the centre itself slopes would be 0/0.
        let (rho, angle) = (x.hypot(y).clamp(1e-9, 1.0), y.atan2(x));
        let radial: Vec<_> = self.bases.iter().map(|basis| basis.at(rho)).collect();
        let value = |mode: &DiscMode| {
            let terms = mode.coefficients.iter().zip(&radial[mode.basis]);
            let phase = f64::from(self.bases[mode.basis].diameters) * angle;
            terms.map(|(c, f)| c * f.value).sum::<f64>() * if mode.is_sine { phase.sin() } else { phase.cos() }
        };
        self.modes.iter().map(value).collect()
    }

    /// Puts the modes in another order.
    pub fn reorder(&mut self, order: &[usize]) {
        self.modes = order.iter().map(|&mode| self.modes[mode].clone()).collect();
    }
}
