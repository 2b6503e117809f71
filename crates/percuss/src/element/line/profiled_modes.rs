//! Modes of a bar whose thickness changes along its length, by the method of Ritz with high polynomials on every part.
//!
//! Equation    (EIφ″)″ = ρAω²φ, EI = EI₀r³, ρA = ρA₀r, r = thickness over that of the bar
//! Functions   on every part of the profile those of `ritz/segment`, which join φ and φ′ of neighbours. What is held at an end is left
//!             out; what ends ask of moments and forces, the lowest energy meets by itself
//! Problem     Kc = ω²Mc, K = ∫r³f″f″, M = ∫rff over fractions of the length, by Gauss's rule on every part
//! Convergence faster than any power of the number of functions: steps and kinks of the thickness are at ends of parts
//! Decay       σ = σ₀ + σ₁∫rφ′²/∫rφ², of first order in σ₁
//! Allocates   in all of it
//! Reference   Szabó and Babuška (1991), Finite Element Analysis, ch. 3

use crate::element::line::grid::LineMaterial;
use crate::element::line::piecewise::{Part, PiecewiseShapes, legendre};
use crate::element::oscillator::mode_group::ModeConstants;
use crate::element::ritz::eigen::{Eigenpairs, quadratic_form};
use crate::element::ritz::jacobi::gauss_legendre;
use crate::element::ritz::segment::{Segment, function_places};
use crate::model::{End, Profile};
use faer::Mat;
use std::f64::consts::PI;

/// Polynomials of a part beyond those that its waves need, and for waves an octave lower, as for plates.
const MARGIN: f64 = 12.0;
const LOW_MARGIN: f64 = 16.0;
/// Points of Gauss's rule beyond those for the polynomials alone, for the thickness.
const EXTRA_POINTS: usize = 12;
/// Largest number of functions: a tenth of a second.
const MAX_FUNCTIONS: f64 = 420.0;

/// One part of the bar, along fractions of its length.
struct BarPart {
    segment: Segment,
    /// For every function, its place among all; `None` where an end holds it.
    places: Vec<Option<usize>>,
}

/// Why no modes are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoModes {
    TooMany,
    NotFound,
}

/// The modes with ω below `max_omega`, in rising order.
pub(crate) fn profiled_modes(
    material: &LineMaterial,
    profile: &Profile,
    max_omega: f64,
) -> Result<(Vec<ModeConstants>, PiecewiseShapes), NoModes> {
    let parts = bar_parts(profile, material.ends, max_omega / omega_unit(material), 1.0)?;
    modes_of_parts(material, profile, &parts, max_omega)
}

/// √(EI₀/ρA₀)/L².
fn omega_unit(material: &LineMaterial) -> f64 {
    (material.bending / material.line_density).sqrt() / material.length.powi(2)
}

/// The modes with the functions of given parts.
fn modes_of_parts(
    material: &LineMaterial,
    profile: &Profile,
    parts: &[BarPart],
    max_omega: f64,
) -> Result<(Vec<ModeConstants>, PiecewiseShapes), NoModes> {
    let LineMaterial { length, line_density, ends, .. } = *material;
    let unit = omega_unit(material);
    let Matrices { stiffness, mass, gradient } = matrices(profile, parts);
    // About the lowest eigenvalue of supported ends.
    let shift = PI.powi(4) / profile.mean(|ratio| ratio.powi(-3));
    let eigen = Eigenpairs::of_pencil(&stiffness, &mass, shift).ok_or(NoModes::NotFound)?;
    let rigid = rigid_count(ends);
    let omega = |mode: usize| if mode < rigid { 0.0 } else { unit * eigen.values[mode].sqrt() };
    let count = (0..eigen.values.len()).take_while(|&mode| omega(mode) < max_omega).count();
    let vectors: Vec<Vec<f64>> = (0..count).map(|mode| eigen.vector(mode)).collect();
    let constants = |mode: usize| ModeConstants {
        omega: omega(mode),
        sigma: material.sigma0 + material.sigma1 * quadratic_form(&gradient, &vectors[mode]) / (length * length),
        mass: line_density * length,
    };
    let shapes = parts.iter().map(|part| part.shapes(&vectors)).collect();
    Ok(((0..count).map(constants).collect(), PiecewiseShapes { profile: profile.clone(), parts: shapes }))
}

fn rigid_count(ends: [End; 2]) -> usize {
    match ends {
        [End::Free, End::Free] => 2,
        [End::SimplySupported, End::Free] | [End::Free, End::SimplySupported] => 1,
        [End::Clamped, _] | [_, End::Clamped] | [End::SimplySupported, End::SimplySupported] => 0,
    }
}

/// The parts of a bar with enough functions for waves up to ω/`unit` = `max_omega`, times a factor.
fn bar_parts(profile: &Profile, ends: [End; 2], max_omega: f64, factor: f64) -> Result<Vec<BarPart>, NoModes> {
    let spans = profile.parts();
    let polynomials = |span: &[f64; 2]| {
        // β⁴ = ω²ρA/EI, largest where the bar is thinnest.
        let middle = 0.5 * (span[0] + span[1]);
        let thinnest =
            [span[0], middle, span[1]].map(|x| profile.ratio(x, *span)[0]).into_iter().fold(f64::MAX, f64::min);
        let half_phase = 0.5 * (max_omega / thinnest).sqrt() * (span[1] - span[0]);
        factor * (half_phase + MARGIN).max(0.7 * half_phase + LOW_MARGIN)
    };
    let counts: Vec<f64> = spans.iter().map(polynomials).collect();
    let total = counts.iter().sum::<f64>();
    if total.is_nan() || total > factor * MAX_FUNCTIONS {
        return Err(NoModes::TooMany);
    }
    let segments: Vec<Segment> =
        spans.into_iter().zip(counts).map(|(span, count)| Segment { span, bubbles: count as usize }).collect();
    let held = ends.map(|end| [end != End::Free, end == End::Clamped]);
    let places = function_places(&segments, held);
    Ok(segments.into_iter().zip(places).map(|(segment, places)| BarPart { segment, places }).collect())
}

impl BarPart {
    /// The shapes of modes given by their coefficients.
    fn shapes(&self, vectors: &[Vec<f64>]) -> Part {
        // Degree of the highest function, and one more for the number.
        let degree = self.segment.count();
        let rule = gauss_legendre(degree + 1);
        let samples: Vec<_> = rule.iter().map(|point| (self.segment.at(point.x), legendre(point.x, degree))).collect();
        let coefficients = |vector: &Vec<f64>| {
            let mut sums = vec![0.0; degree];
            for (point, (functions, polynomials)) in rule.iter().zip(&samples) {
                let terms = functions.iter().zip(&self.places);
                let value: f64 = terms.filter_map(|(f, place)| Some(f[0] * vector[(*place)?])).sum();
                for (k, (sum, polynomial)) in sums.iter_mut().zip(polynomials).enumerate() {
                    *sum += (k as f64 + 0.5) * point.weight * value * polynomial;
                }
            }
            sums
        };
        Part { span: self.segment.span, coefficients: vectors.iter().map(coefficients).collect() }
    }
}

/// ∫r³f″f″, ∫rff and ∫rf′f′ for all pairs of functions.
struct Matrices {
    stiffness: Mat<f64>,
    mass: Mat<f64>,
    gradient: Mat<f64>,
}

fn matrices(profile: &Profile, parts: &[BarPart]) -> Matrices {
    let count = parts.iter().flat_map(|part| &part.places).flatten().max().map_or(0, |last| last + 1);
    let zeros = || Mat::<f64>::zeros(count, count);
    let mut matrices = Matrices { stiffness: zeros(), mass: zeros(), gradient: zeros() };
    for part in parts {
        let Segment { span, .. } = part.segment;
        for point in gauss_legendre(part.segment.count() + EXTRA_POINTS) {
            let functions = part.segment.at(point.x);
            let ratio = profile.ratio(part.segment.place(point.x), span)[0];
            let weight = 0.5 * part.segment.length() * point.weight * ratio;
            let placed = || functions.iter().zip(&part.places).filter_map(|(f, place)| Some((f, (*place)?)));
            for (other, j) in placed() {
                for (one, i) in placed() {
                    matrices.mass[(i, j)] += weight * one[0] * other[0];
                    matrices.gradient[(i, j)] += weight * one[1] * other[1];
                    matrices.stiffness[(i, j)] += weight * ratio * ratio * one[2] * other[2];
                }
            }
        }
    }
    matrices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::line::modes::modes;
    use crate::model::{Shape, Undercut};

    fn bar(ends: [End; 2]) -> LineMaterial {
        LineMaterial {
            length: 0.4,
            line_density: 0.3,
            tension: 0.0,
            bending: 5.0,
            stretching: 0.0,
            sigma0: 1.0,
            sigma1: 2e-3,
            ends,
        }
    }

    fn all_ends() -> impl Iterator<Item = [End; 2]> {
        let kinds = [End::SimplySupported, End::Clamped, End::Free];
        kinds.into_iter().flat_map(move |left| kinds.map(|right| [left, right]))
    }

    fn lines(at: &[f64], ratio: &[f64]) -> Profile {
        Profile::Lines { at: at.to_vec(), ratio: ratio.to_vec() }
    }

    fn undercut(at: f64, width: f64, depth: f64) -> Undercut {
        Undercut { at, width, depth }
    }

    fn profiles() -> [Profile; 6] {
        [
            Profile::Undercuts(vec![undercut(0.5, 0.6, 0.7)]),
            Profile::Undercuts(vec![undercut(0.5, 0.3, 0.4), undercut(0.45, 0.8, 0.3)]),
            Profile::Undercuts(vec![undercut(0.02, 0.3, 0.9)]),
            lines(&[0.0, 0.3, 1.0], &[1.0, 0.3, 1.4]),
            lines(&[0.0, 0.4, 0.4, 1.0], &[1.0, 1.0, 0.35, 0.5]),
            lines(&[0.0, 0.1, 0.5, 0.505, 1.0], &[0.05, 2.0, 1.0, 0.3, 1.0]),
        ]
    }

    /// Frequencies over √(EI₀/ρA₀)/L² below a largest, with more functions by a factor.
    fn frequencies(profile: &Profile, ends: [End; 2], max: f64, factor: f64) -> Vec<f64> {
        let material = bar(ends);
        let unit = omega_unit(&material);
        let parts = bar_parts(profile, ends, max, factor).unwrap();
        let (modes, _) = modes_of_parts(&material, profile, &parts, max * unit).unwrap();
        modes.iter().map(|mode| mode.omega / unit).collect()
    }

    #[test]
    fn a_bar_of_one_thickness_has_the_modes_in_closed_form() {
        let profile = lines(&[0.0, 0.37, 1.0], &[1.0; 3]);
        for material in all_ends().map(bar) {
            let max_omega = 400.0 * 100.0 * omega_unit(&material);
            let known = modes(&material, max_omega).unwrap();
            let (found, shapes) = profiled_modes(&material, &profile, max_omega).unwrap();
            assert_eq!(found.len(), known.len(), "{:?}", material.ends);
            let values = shapes.at(0.23);
            for (mode, known) in known.iter().enumerate() {
                let found = found[mode];
                // As exact as other profiles are, up to the highest of 400 modes.
                assert!((found.omega - known.constants.omega).abs() <= 1e-7 * known.constants.omega, "{found:?}");
                if known.constants.omega > 0.0 {
                    assert!((found.sigma / known.constants.sigma - 1.0).abs() < 1e-7, "{found:?}");
                    let effect = values[mode].powi(2) / found.mass;
                    let known_effect = known.shape.at(0.23 * material.length).powi(2) / known.constants.mass;
                    let size = (material.line_density * material.length).recip();
                    // Frequencies are of second order in the error of shapes: 1e-7 allows 3.2e-4 of φ, and 2φ·3.2e-4 of φ², where φ is 2
                    // at most and its mean square 1.
                    assert!((effect - known_effect).abs() < 1.3e-3 * size, "{found:?}: {effect}, {known_effect}");
                }
            }
        }
    }

    /// Cantilevers that taper to a half, a fifth and a tenth of their thickness: Wright, Smith, Thresher and Wang (1982), J. Appl. Mech.
    /// 49, at rest; Naguleswaran (1994), J. Sound Vib. 172.
    #[test]
    fn tapered_cantilevers_have_the_known_frequencies() {
        for (tip, known) in
            [(0.5, [3.8238, 18.3173, 47.2648]), (0.2, [4.2925, 15.7427, 36.8846]), (0.1, [4.6307, 14.9308, 32.8331])]
        {
            let found = frequencies(&lines(&[0.0, 1.0], &[1.0, tip]), [End::Clamped, End::Free], 60.0, 1.0);
            for (found, known) in found.iter().zip(known) {
                assert!((found - known).abs() < 6e-5, "{tip}: {found}, not {known}");
            }
        }
    }

    /// The determinant of what the right end asks, of φ, φ′, r³φ″ and (r³φ″)′ stepped from the left end by Runge and Kutta.
    fn determinant(profile: &Profile, ends: [End; 2], omega: f64) -> f64 {
        const STEPS: usize = 1500;
        let held = |end: End| match end {
            End::SimplySupported => [0, 2],
            End::Clamped => [0, 1],
            End::Free => [2, 3],
        };
        let start = (0..4).filter(|index| !held(ends[0]).contains(index));
        let columns: Vec<[f64; 2]> = start
            .map(|index| {
                let mut y = [0.0; 4];
                y[index] = 1.0;
                for part in profile.parts() {
                    let h = (part[1] - part[0]) / STEPS as f64;
                    let slope = |x: f64, y: [f64; 4]| {
                        let ratio = profile.ratio(x, part)[0];
                        [y[1], y[2] / ratio.powi(3), y[3], omega * omega * ratio * y[0]]
                    };
                    let add = |y: [f64; 4], k: [f64; 4], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
                    for n in 0..STEPS {
                        let x = part[0] + n as f64 * h;
                        let a = slope(x, y);
                        let b = slope(x + 0.5 * h, add(y, a, 0.5 * h));
                        let c = slope(x + 0.5 * h, add(y, b, 0.5 * h));
                        let d = slope(x + h, add(y, c, h));
                        y = std::array::from_fn(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
                    }
                }
                held(ends[1]).map(|index| y[index])
            })
            .collect();
        columns[0][0] * columns[1][1] - columns[0][1] * columns[1][0]
    }

    #[test]
    fn frequencies_solve_the_equation_stepped_along_the_bar() {
        for profile in profiles() {
            for ends in all_ends() {
                let found = frequencies(&profile, ends, 150.0, 1.0);
                for omega in found.into_iter().filter(|&omega| omega > 0.0) {
                    let [below, above] = [1.0 - 1e-7, 1.0 + 1e-7].map(|f| determinant(&profile, ends, f * omega));
                    assert!(below * above < 0.0, "{profile:?}, {ends:?}: {omega} ({below:e}, {above:e})");
                }
            }
        }
    }

    #[test]
    fn more_functions_change_nothing() {
        for profile in profiles() {
            for ends in [[End::Free; 2], [End::Clamped, End::SimplySupported]] {
                let [few, many] = [1.0, 1.6].map(|factor| frequencies(&profile, ends, 6000.0, factor));
                assert_eq!(few.len(), many.len());
                for (few, many) in few.iter().zip(&many) {
                    assert!((few - many).abs() <= 1e-7 * many, "{profile:?}, {ends:?}: {few} and {many}");
                }
            }
        }
    }

    /// Integrals over shapes against sums; the force along the bar against what it accelerates.
    #[test]
    fn shapes_are_orthonormal_and_carry_the_force_that_accelerates_them() {
        const POINTS: usize = 4000;
        for profile in profiles() {
            let material = bar([End::Free; 2]);
            let unit = omega_unit(&material);
            let (modes, shapes) = profiled_modes(&material, &profile, 800.0 * unit).unwrap();
            let place = |n: usize| (n as f64 + 0.5) / POINTS as f64;
            let ratio = |x: f64| shapes.profile.ratio(x, shapes.parts.iter().find(|p| p.span[1] >= x).unwrap().span)[0];
            let values: Vec<Vec<f64>> = (0..POINTS).map(|n| shapes.at(place(n))).collect();
            let sum = |f: &dyn Fn(usize) -> f64| (0..POINTS).map(f).sum::<f64>() / POINTS as f64;
            let bump = Shape::RaisedCosine { at: 0.4, width: 0.3, height: 2.0 };
            let (projected, amplitudes) = (shapes.project(bump, material.length), shapes.amplitudes(bump));
            let forces = shapes.force(0.52, &material);
            for (one, mode) in modes.iter().enumerate() {
                for other in 0..=one {
                    let product = sum(&|n| ratio(place(n)) * values[n][one] * values[n][other]);
                    let expected = if one == other { 1.0 } else { 0.0 };
                    assert!((product - expected).abs() < 2e-3, "{profile:?}, {one}, {other}: {product}");
                }
                let by_sum = material.length * sum(&|n| values[n][one] * bump.at(place(n)));
                assert!((projected[one] - by_sum).abs() < 1e-5, "{profile:?}: {} and {by_sum}", projected[one]);
                let by_sum = sum(&|n| ratio(place(n)) * values[n][one] * bump.at(place(n)));
                assert!((amplitudes[one] - by_sum).abs() < 2e-3, "{profile:?}: {} and {by_sum}", amplitudes[one]);
                // Left of the place nothing but the force there acts: F = −ω²∫ρAφ.
                let left = sum(&|n| if place(n) < 0.52 { ratio(place(n)) * values[n][one] } else { 0.0 });
                let force = mode.omega.powi(2) * material.line_density * material.length * left;
                let size = (unit * 800.0).powi(2) * material.line_density * material.length;
                assert!((forces[one] + force).abs() < 1e-4 * size, "{profile:?}, {one}: {} and {force}", forces[one]);
            }
        }
    }
}
