//! Modes of a rectangular plate or membrane, by the method of Ritz.
//!
//! Energy      V = ½D∫[w_xx² + w_yy² + 2νw_xxw_yy + 2(1−ν)w_xy²] + ½T∫[w_x² + w_y²]
//! Shapes      w = Σ c_ij X_i(x)Y_j(y), X_i = (1−x)^a(1+x)^b·p_i(x) on −1 ≤ x ≤ 1: a is 0 at a free edge, 1 where the
//!             displacement and 2 where the slope too is held. p_i are the Jacobi polynomials that make X_i orthonormal, so that
//!             the mass matrix is the identity. What edges ask of moments and forces, the lowest V meets by itself
//! Supported   between two simply supported edges X_i = sin(iπx/L) instead, in which the problem is separable (Lévy)
//! Classes     where opposite edges are alike, even and odd functions do not mix: up to four smaller problems; where they are
//!             supported, none of the sines mix
//! Convergence faster than any power of the number of functions, since shapes of modes are smooth up to the edges, but for
//!             corners: there w_xx is of the order r^s with s > 0 at worst
//! Reference   Ritz (1909); Bhat (1985); Leissa (1973), The Free Vibration of Rectangular Plates

use crate::element::oscillator::mode_group::ModeConstants;
use crate::element::plate::grid::PlateMaterial;
use crate::element::ritz::eigen::{Eigenpairs, quadratic_form};
use crate::element::ritz::jacobi::{Jacobi, gauss_legendre, product};
use crate::model::Edge;
use faer::Mat;
use std::f64::consts::PI;

/// Functions of an axis beyond those that the largest wave number needs.
const MARGIN: f64 = 4.0;
/// The same for waves of 0.7 times that wave number, an octave lower.
const LOW_MARGIN: f64 = 10.0;

/// The functions X_i of one axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisBasis {
    length: f64,
    /// a and b.
    powers: [u32; 2],
    is_sine: bool,
    count: usize,
}

/// Integrals over an axis, of all pairs of functions.
struct AxisIntegrals {
    /// ∫X_i′X_j′.
    slope: Mat<f64>,
    /// ∫X_i″X_j.
    mixed: Mat<f64>,
    /// ∫X_i″X_j″.
    curvature: Mat<f64>,
}

impl AxisBasis {
    /// Of an axis with the given edges, for waves up to the wave number `max_wave_number` \[1/m\].
    pub fn new(length: f64, edges: [Edge; 2], bends: bool, max_wave_number: f64) -> Self {
        let power = |edge: Edge| match edge {
            Edge::Free | Edge::FreeFullCell => 0,
            Edge::Clamped if bends => 2,
            Edge::SimplySupported | Edge::Clamped => 1,
        };
        // Polynomials of degree z resolve waves e^{jβx} with βL/2 < z.
        let half_phase = 0.5 * max_wave_number * length;
        let polynomials = (half_phase + MARGIN).max(0.7 * half_phase + LOW_MARGIN);
        let axis = Self {
            length,
            powers: [power(edges[1]), power(edges[0])],
            is_sine: edges == [Edge::SimplySupported; 2],
            count: polynomials as usize,
        };
        if axis.is_sine { Self { count: (2.0 * half_phase / PI) as usize + 1, ..axis } } else { axis }
    }

    /// Number of kinds of functions that do not mix.
    fn kinds(&self) -> usize {
        if self.is_sine {
            self.count
        } else if self.powers[0] == self.powers[1] {
            2
        } else {
            1
        }
    }

    /// All functions and their first two derivatives by x, at a fraction of the length.
    fn at(&self, fraction: f64) -> Vec<[f64; 3]> {
        if self.is_sine {
            let scale = (2.0 / self.length).sqrt();
            let sine = |index: usize| {
                let wave = (index + 1) as f64 * PI / self.length;
                let (sin, cos) = (wave * fraction * self.length).sin_cos();
                [scale * sin, scale * wave * cos, -scale * wave * wave * sin]
            };
            return (0..self.count).map(sine).collect();
        }
        let [a, b] = self.powers;
        let x = 2.0 * fraction - 1.0;
        let power = |base: f64, power: u32, slope: f64| {
            let term = |order: u32| if power < order { 0.0 } else { base.powi((power - order) as i32) };
            let p = f64::from(power);
            [term(0), slope * p * term(1), p * (p - 1.0) * term(2)]
        };
        let (left, right) = (power(1.0 - x, a, -1.0), power(1.0 + x, b, 1.0));
        let factor = product(left, right);
        let stretch = 2.0 / self.length;
        let scales = [stretch.sqrt(), stretch.sqrt() * stretch, stretch.sqrt() * stretch * stretch];
        let polynomials = Jacobi { alpha: 2 * a, beta: 2 * b }.at(x, self.count);
        polynomials.into_iter().map(|p| multiply(product(factor, p), scales)).collect()
    }

    fn integrals(&self) -> AxisIntegrals {
        let n = self.count;
        let zeros = || Mat::<f64>::zeros(n, n);
        let mut integrals = AxisIntegrals { slope: zeros(), mixed: zeros(), curvature: zeros() };
        if self.is_sine {
            for i in 0..n {
                let square = ((i + 1) as f64 * PI / self.length).powi(2);
                integrals.slope[(i, i)] = square;
                integrals.mixed[(i, i)] = -square;
                integrals.curvature[(i, i)] = square * square;
            }
            return integrals;
        }
        let degree = n + (self.powers[0] + self.powers[1]) as usize;
        for point in gauss_legendre(degree + 1) {
            let values = self.at(0.5 * (point.x + 1.0));
            let weight = 0.5 * self.length * point.weight;
            for (j, other) in values.iter().enumerate() {
                for (i, one) in values.iter().enumerate() {
                    integrals.slope[(i, j)] += weight * one[1] * other[1];
                    integrals.mixed[(i, j)] += weight * one[2] * other[0];
                    integrals.curvature[(i, j)] += weight * one[2] * other[2];
                }
            }
        }
        integrals
    }
}

fn multiply(values: [f64; 3], scales: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| values[i] * scales[i])
}

/// The shapes of a rectangular plate as sums of products.
#[derive(Clone, Debug)]
pub(crate) struct RectangleShapes {
    axes: [AxisBasis; 2],
    /// The pairs (i, j) of every class.
    classes: Vec<Vec<[usize; 2]>>,
    /// Of every mode, its class and its coefficients there.
    modes: Vec<(usize, Vec<f64>)>,
}

impl RectangleShapes {
    /// The pairs of functions of every class: those whose wave numbers together do not exceed the largest.
    fn classes(axes: &[AxisBasis; 2]) -> Vec<Vec<[usize; 2]>> {
        let kinds = axes.map(|axis| axis.kinds());
        let class = |[x, y]: [usize; 2]| {
            let of_axis = |axis: usize, kind: usize| (kind..axes[axis].count).step_by(kinds[axis]);
            let pairs = of_axis(0, x).flat_map(move |i| of_axis(1, y).map(move |j| [i, j]));
            let relative_square = |axis: usize, index: usize| (index as f64 / axes[axis].count as f64).powi(2);
            pairs.filter(|&[i, j]| relative_square(0, i) + relative_square(1, j) < 1.0).collect()
        };
        let all = (0..kinds[0]).flat_map(|x| (0..kinds[1]).map(move |y| [x, y]));
        all.map(class).filter(|pairs: &Vec<[usize; 2]>| !pairs.is_empty()).collect()
    }

    /// Operations that finding the modes takes, about: for the integrals of both axes and for the eigenvalues of every class.
    pub fn work(axes: &[AxisBasis; 2]) -> f64 {
        let classes = Self::classes(axes);
        let sizes = axes.iter().map(|axis| axis.count).chain(classes.iter().map(Vec::len));
        sizes.map(|size| (size as f64).powi(3)).sum()
    }

    /// The modes with ω below `max_omega`, without order; `None` where the eigenvalues are not found.
    pub fn modes(
        material: &PlateMaterial,
        poisson: f64,
        axes: [AxisBasis; 2],
        max_omega: f64,
    ) -> Option<(Vec<ModeConstants>, Self)> {
        let integrals = axes.map(|axis| axis.integrals());
        let classes = Self::classes(&axes);
        let rigid = rigid_pairs(axes, material.tension > 0.0);
        let [c2, kappa2] = [material.tension, material.bending].map(|x| x / material.surface_density);
        let min_wave_number_squared = (PI / axes[0].length.max(axes[1].length)).powi(2);
        let eigenvalue_shift = min_wave_number_squared * (c2 + kappa2 * min_wave_number_squared);
        let (mut modes, mut shapes) = (Vec::new(), Vec::new());
        for (index, pairs) in classes.iter().enumerate() {
            let [gradient, bending] = matrices(&integrals, pairs, poisson);
            let stiffness =
                Mat::from_fn(pairs.len(), pairs.len(), |i, j| c2 * gradient[(i, j)] + kappa2 * bending[(i, j)]);
            let eigen = Eigenpairs::of(stiffness, eigenvalue_shift)?;
            let rigid_count = pairs.iter().filter(|pair| rigid.contains(pair)).count();
            for mode in 0..pairs.len() {
                let omega = if mode < rigid_count { 0.0 } else { eigen.values[mode].sqrt() };
                if omega >= max_omega {
                    break;
                }
                let coefficients = eigen.vector(mode);
                let slope = quadratic_form(&gradient, &coefficients);
                modes.push(ModeConstants {
                    omega,
                    sigma: material.sigma0 + material.sigma1 * slope,
                    mass: material.surface_density,
                });
                shapes.push((index, coefficients));
            }
        }
        Some((modes, Self { axes, classes, modes: shapes }))
    }

    /// The displacement of every mode at fractions of the sides.
    pub fn at(&self, place: [f64; 2]) -> Vec<f64> {
        let [x, y] = [0, 1].map(|axis| self.axes[axis].at(place[axis]));
        let products = |pairs: &Vec<[usize; 2]>| pairs.iter().map(|&[i, j]| x[i][0] * y[j][0]).collect();
        let products: Vec<Vec<f64>> = self.classes.iter().map(products).collect();
        let value = |(class, coefficients): &(usize, Vec<f64>)| {
            coefficients.iter().zip(&products[*class]).map(|(c, value)| c * value).sum()
        };
        self.modes.iter().map(value).collect()
    }

    /// The same at all crossings of columns and rows, row by row, mode by mode at each. Along every column the sum over j is the same
    /// for all rows, so that it is made once.
    pub fn on_grid(&self, columns: &[f64], rows: &[f64]) -> Vec<f64> {
        let values = |axis: usize, places: &[f64]| -> Vec<Vec<[f64; 3]>> {
            places.iter().map(|&place| self.axes[axis].at(place)).collect()
        };
        let (x, y) = (values(0, columns), values(1, rows));
        let mut shapes = vec![0.0; columns.len() * rows.len() * self.modes.len()];
        let mut sums = vec![0.0; self.axes[1].count];
        for (mode, (class, coefficients)) in self.modes.iter().enumerate() {
            for (column, x) in x.iter().enumerate() {
                sums.fill(0.0);
                for (&[i, j], c) in self.classes[*class].iter().zip(coefficients) {
                    sums[j] += c * x[i][0];
                }
                for (row, y) in y.iter().enumerate() {
                    let sum = sums.iter().zip(y).map(|(sum, y)| sum * y[0]).sum();
                    shapes[(row * columns.len() + column) * self.modes.len() + mode] = sum;
                }
            }
        }
        shapes
    }

    /// Puts the modes in another order.
    pub fn reorder(&mut self, order: &[usize]) {
        self.modes = order.iter().map(|&mode| self.modes[mode].clone()).collect();
    }
}

/// ∫∇w·∇w′ and ∫[w_xxw′_xx + …] for all pairs of products of functions.
fn matrices([x, y]: &[AxisIntegrals; 2], pairs: &[[usize; 2]], poisson: f64) -> [Mat<f64>; 2] {
    let equal = |i: usize, k: usize| if i == k { 1.0 } else { 0.0 };
    let gradient =
        |[i, j]: [usize; 2], [k, l]: [usize; 2]| x.slope[(i, k)] * equal(j, l) + equal(i, k) * y.slope[(j, l)];
    let bending = |[i, j]: [usize; 2], [k, l]: [usize; 2]| {
        x.curvature[(i, k)] * equal(j, l)
            + equal(i, k) * y.curvature[(j, l)]
            + poisson * (x.mixed[(i, k)] * y.mixed[(l, j)] + x.mixed[(k, i)] * y.mixed[(j, l)])
            + 2.0 * (1.0 - poisson) * x.slope[(i, k)] * y.slope[(j, l)]
    };
    let count = pairs.len();
    [
        Mat::from_fn(count, count, |one, other| gradient(pairs[one], pairs[other])),
        Mat::from_fn(count, count, |one, other| bending(pairs[one], pairs[other])),
    ]
}

/// The products of functions that neither bend nor, under tension, tilt the plate.
fn rigid_pairs(axes: [AxisBasis; 2], is_tense: bool) -> Vec<[usize; 2]> {
    match (axes.map(|axis| axis.powers.iter().sum::<u32>()), is_tense) {
        ([0, 0], true) => vec![[0, 0]],
        ([0, 0], false) => vec![[0, 0], [1, 0], [0, 1]],
        // The first function of an axis with one supported edge is straight.
        ([0, _] | [_, 0], false) if axes.iter().all(|axis| axis.powers.iter().sum::<u32>() <= 1) => vec![[0, 0]],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ωa²√(ρH/D) of a square with ν = 0.3, its first modes; with sines between supported edges, or with polynomials.
    fn square(edges: [Edge; 4], with_sines: bool) -> Vec<f64> {
        let [left, right, bottom, top] = edges;
        let axis = |edges: [Edge; 2]| {
            let axis = AxisBasis::new(1.0, edges, true, 40.0);
            let polynomials = AxisBasis { is_sine: false, count: 32, ..axis };
            if with_sines { axis } else { polynomials }
        };
        let material = PlateMaterial {
            surface_density: 1.0,
            tension: 0.0,
            bending: 1.0,
            stretching: 0.0,
            sigma0: 0.0,
            sigma1: 0.0,
        };
        let axes = [axis([left, right]), axis([bottom, top])];
        let (modes, _) = RectangleShapes::modes(&material, 0.3, axes, 300.0).unwrap();
        let mut omegas: Vec<f64> = modes.iter().map(|mode| mode.omega).filter(|&omega| omega > 0.0).collect();
        omegas.sort_by(f64::total_cmp);
        omegas
    }

    /// Leissa (1973), The Free Vibration of Rectangular Plates, tables of the exact solutions with two opposite edges supported.
    #[test]
    fn plates_between_supported_edges_have_the_known_frequencies() {
        use Edge::{Clamped as C, Free as F, SimplySupported as S};
        for (edges, known) in [
            ([C, C, S, S], [28.9509, 54.7431, 69.3270, 94.5853, 102.2162, 129.0955]),
            ([S, S, S, C], [23.6463, 51.6743, 58.6464, 86.1345, 100.2698, 113.2281]),
            ([S, S, C, F], [12.6874, 33.0651, 41.7019, 63.0148, 72.3976, 90.6114]),
            ([S, F, S, S], [11.6845, 27.7563, 41.1967, 59.0655, 61.8606, 90.2941]),
            ([F, F, S, S], [9.6314, 16.1348, 36.7256, 38.9450, 46.7381, 70.7401]),
        ] {
            let [sines, polynomials] = [true, false].map(|with_sines| square(edges, with_sines));
            for (index, known) in known.into_iter().enumerate() {
                assert!((sines[index] - known).abs() < 1e-4, "{edges:?}: {} instead of {known}", sines[index]);
            }
            for (one, other) in sines.iter().zip(&polynomials).take(12) {
                assert!((one / other - 1.0).abs() < 1e-6, "{edges:?}: {one} and {other}");
            }
        }
    }

    /// A rigid motion has no frequency, and nothing else has none.
    #[test]
    fn free_plates_have_their_rigid_motions() {
        use Edge::{Clamped as C, Free as F, SimplySupported as S};
        let material = PlateMaterial {
            surface_density: 1.0,
            tension: 0.0,
            bending: 1.0,
            stretching: 0.0,
            sigma0: 0.0,
            sigma1: 0.0,
        };
        for (edges, tension, rigid) in [
            ([F; 4], 0.0, 3),
            ([F; 4], 1.0, 1),
            ([S, F, F, F], 0.0, 1),
            ([F, F, F, S], 0.0, 1),
            ([S, F, F, F], 1.0, 0),
            ([S, F, S, F], 0.0, 0),
            ([S, S, F, F], 0.0, 0),
            ([C, F, F, F], 0.0, 0),
        ] {
            let [left, right, bottom, top] = edges;
            let axes = [[left, right], [bottom, top]].map(|edges| AxisBasis::new(1.0, edges, true, 20.0));
            let material = PlateMaterial { tension, ..material };
            let (modes, _) = RectangleShapes::modes(&material, 0.3, axes, 100.0).unwrap();
            assert_eq!(modes.iter().filter(|mode| mode.omega == 0.0).count(), rigid, "{edges:?}, {tension}");
            assert!(modes.iter().all(|mode| mode.omega == 0.0 || mode.omega > 0.5), "{edges:?}, {tension}");
        }
    }
}
