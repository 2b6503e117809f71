//! Modes of a string or bar in closed form.
//!
//! Equation    Tφ″ − EIφ⁗ + ρAω²φ = 0 on 0 ≤ x ≤ L
//! Shape       φ = A cos ax + B sin ax + C e^{−bx} + D e^{−b(L−x)}, b² = a² + T/EI, ω² = EI/ρA·a²b²
//! Ends        simply supported: φ = φ″ = 0. Clamped: φ = φ′ = 0. Free: φ″ = 0 and EIφ‴ − Tφ′ = 0. The four conditions have a
//!             solution where their determinant, as a function of a, is 0
//! Flexible    EI = 0: C = D = 0, ω² = T/ρA·a²; supported and clamped ends are held, a free one has φ′ = 0
//! Rigid       free bars: translation and rotation; a bar that is free and supported: rotation; a string between free ends:
//!             translation
//! Decay       σ = σ₀ + σ₁∫φ′²/∫φ², exact where the modes are sines, and of first order in σ₁ elsewhere
//! Allocates   in all of `modes`
//! Reference   Fletcher (1964); Leissa and Qatu (2011), Vibrations of Continuous Systems, ch. 4

use crate::element::line::grid::LineMaterial;
use crate::element::line::mode_shape::ModeShape;
use crate::element::oscillator::mode_group::ModeConstants;
use crate::model::End;
use std::f64::consts::PI;

/// Step of the search for roots, in aL: roots are about π apart, and never closer than about ½π.
const SEARCH_STEP: f64 = PI / 24.0;
/// The search begins here. Only strings with little tension and a free end have a mode below it.
const SEARCH_START: f64 = 0.05;
/// Smallest TL²/EI of a string with a free end for which no mode lies below that.
const MIN_TENSION_RATIO: f64 = 1e-2;

/// A mode of a string or bar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineMode {
    pub shape: ModeShape,
    pub constants: ModeConstants,
}

/// Most modes of a line that are found: more would take seconds.
const MAX_MODES: f64 = 5000.0;

/// The modes with ω below `max_omega`, in rising order; `None` where they are not known in this form, or are too many.
pub(crate) fn modes(material: &LineMaterial, max_omega: f64) -> Option<Vec<LineMode>> {
    let LineMaterial { length, line_density, tension, bending, ends, .. } = *material;
    let tension_ratio = tension / bending;
    let has_free_end = ends.contains(&End::Free);
    if bending > 0.0 && tension > 0.0 && has_free_end && tension_ratio * length * length < MIN_TENSION_RATIO {
        return None;
    }
    let rigid = rigid_shapes(material).into_iter().map(|shape| (shape, 0.0));
    let bent: Vec<_> = if bending > 0.0 {
        let scaled_omega = max_omega * (line_density / bending).sqrt();
        // The largest a with a²(a² + T/EI) = ω²ρA/EI.
        let max_wave_number = (2.0 * scaled_omega * scaled_omega
            / (tension_ratio + (tension_ratio * tension_ratio + 4.0 * scaled_omega * scaled_omega).sqrt()))
        .sqrt();
        if !has_few_modes(max_wave_number * length) {
            return None;
        }
        let omega = |shape: &ModeShape| (bending / line_density).sqrt() * shape.a * shape.b;
        stiff_shapes(length, tension_ratio, ends, max_wave_number).map(|shape| (shape, omega(&shape))).collect()
    } else {
        let speed = (tension / line_density).sqrt();
        if !has_few_modes(max_omega / speed * length) {
            return None;
        }
        flexible_shapes(length, ends, max_omega / speed).map(|shape| (shape, speed * shape.a)).collect()
    };
    let mode = |(shape, omega): (ModeShape, f64)| {
        let [square, slope] = [shape, shape.derivative()].map(|shape| shape.square_integral());
        let sigma = material.sigma0 + material.sigma1 * slope / square;
        LineMode { shape, constants: ModeConstants { omega, sigma, mass: line_density * square } }
    };
    Some(rigid.chain(bent).map(mode).collect())
}

/// Whether at most [`MAX_MODES`] modes lie below the largest aL; false for NaN.
fn has_few_modes(max_phase: f64) -> bool {
    max_phase <= MAX_MODES * PI
}

/// Shapes that neither bend nor, under tension, tilt.
fn rigid_shapes(material: &LineMaterial) -> Vec<ModeShape> {
    let length = material.length;
    let straight = |offset: f64, slope: f64| ModeShape::straight(offset, slope, length);
    match (material.ends, material.tension > 0.0) {
        ([End::Free, End::Free], true) => vec![straight(1.0, 0.0)],
        ([End::Free, End::Free], false) => vec![straight(1.0, 0.0), straight(-1.0, 2.0 / length)],
        ([End::SimplySupported, End::Free], false) => vec![straight(0.0, 1.0 / length)],
        ([End::Free, End::SimplySupported], false) => vec![straight(1.0, -1.0 / length)],
        (_, true) | ([End::Clamped, _] | [_, End::Clamped] | [End::SimplySupported, End::SimplySupported], false) => {
            Vec::new()
        }
    }
}

/// Shapes of a flexible string up to a largest a.
fn flexible_shapes(length: f64, ends: [End; 2], max_wave_number: f64) -> impl Iterator<Item = ModeShape> {
    let [left, right] = ends.map(|end| end == End::Free);
    let coefficients = if left { [1.0, 0.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0, 0.0] };
    let offset = if left == right { 0.0 } else { 0.5 };
    let wave = move |n: u32| (f64::from(n) - offset) * PI / length;
    (1..).map(wave).take_while(move |&a| a < max_wave_number).map(move |a| ModeShape {
        coefficients,
        a,
        b: 0.0,
        length,
    })
}

/// Shapes of a stiff string or bar with T/EI = `tension_ratio`, up to a largest a.
fn stiff_shapes(
    length: f64,
    tension_ratio: f64,
    ends: [End; 2],
    max_wave_number: f64,
) -> impl Iterator<Item = ModeShape> {
    let matrix = move |a: f64| end_conditions(a, tension_ratio, length, ends);
    let determinant = move |a: f64| eliminate(matrix(a)).determinant;
    let at = move |step: u32| (SEARCH_START + SEARCH_STEP * f64::from(step)) / length;
    (0..)
        .map(move |step| [at(step), at(step + 1)])
        .take_while(move |[from, _]| *from < max_wave_number)
        .filter(move |span| {
            let [before, after] = span.map(determinant);
            before == 0.0 || before * after < 0.0
        })
        .map(move |span| bisect(determinant, span))
        .filter(move |&a| a < max_wave_number)
        .map(move |a| {
            let coefficients = eliminate(matrix(a)).kernel;
            ModeShape { coefficients, a, b: (a * a + tension_ratio).sqrt(), length }
        })
}

/// The conditions at both ends on A, B, C and D, each scaled to the order of 1.
fn end_conditions(a: f64, tension_ratio: f64, length: f64, ends: [End; 2]) -> [[f64; 4]; 4] {
    let b = (a * a + tension_ratio).sqrt();
    let far = (-b * length).exp();
    let (sin, cos) = (a * length).sin_cos();
    // φ, φ′, φ″ and φ‴ − (T/EI)φ′ at x = 0 and x = L.
    let conditions = [
        [
            [1.0, 0.0, 1.0, far],
            [0.0, a, -b, b * far],
            [-a * a, 0.0, b * b, b * b * far],
            [0.0, -a * b * b, -b * a * a, b * a * a * far],
        ],
        [
            [cos, sin, far, 1.0],
            [-a * sin, a * cos, -b * far, b],
            [-a * a * cos, -a * a * sin, b * b * far, b * b],
            [a * b * b * sin, -a * b * b * cos, -b * a * a * far, b * a * a],
        ],
    ];
    let mut rows = [[0.0; 4]; 4];
    for (side, (end, conditions)) in ends.iter().zip(conditions).enumerate() {
        let chosen = match end {
            End::SimplySupported => [0, 2],
            End::Clamped => [0, 1],
            End::Free => [2, 3],
        };
        for (row, condition) in rows[2 * side..].iter_mut().zip(chosen) {
            let scale = [1.0, b, b * b, a * b * b][condition];
            *row = conditions[condition].map(|entry| entry / scale);
        }
    }
    rows
}

/// The determinant of a matrix, and the vector that it takes to 0 where it is singular.
struct Elimination {
    determinant: f64,
    kernel: [f64; 4],
}

/// Gaussian elimination with full pivoting.
fn eliminate(mut rows: [[f64; 4]; 4]) -> Elimination {
    let mut columns = [0, 1, 2, 3];
    let mut determinant = 1.0;
    for step in 0..4 {
        let places = (step..4).flat_map(|row| (step..4).map(move |column| (row, column)));
        let size = |&(row, column): &(usize, usize)| rows[row][column].abs();
        let (row, column) = places.max_by(|one, other| size(one).total_cmp(&size(other))).unwrap_or((step, step));
        if row != step {
            rows.swap(row, step);
            determinant = -determinant;
        }
        if column != step {
            rows.iter_mut().for_each(|row| row.swap(column, step));
            columns.swap(column, step);
            determinant = -determinant;
        }
        let pivot = rows[step];
        determinant *= pivot[step];
        for row in rows.iter_mut().skip(step + 1).filter(|_| pivot[step] != 0.0) {
            let factor = row[step] / pivot[step];
            (step..4).for_each(|column| row[column] -= factor * pivot[column]);
        }
    }
    let mut kernel = [0.0; 4];
    kernel[columns[3]] = 1.0;
    for step in (0..3).rev() {
        let sum: f64 = (step + 1..4).map(|column| rows[step][column] * kernel[columns[column]]).sum();
        kernel[columns[step]] = -sum / rows[step][step];
    }
    Elimination { determinant, kernel }
}

/// A root of a function that changes its sign over a span, to rounding.
fn bisect(function: impl Fn(f64) -> f64, [mut from, mut to]: [f64; 2]) -> f64 {
    let at_from = function(from);
    if at_from == 0.0 {
        return from;
    }
    loop {
        let middle = 0.5 * (from + to);
        if middle <= from || middle >= to {
            return middle;
        }
        if function(middle) * at_from > 0.0 { from = middle } else { to = middle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Shape;

    fn bar(ends: [End; 2]) -> LineMaterial {
        LineMaterial {
            length: 0.4,
            line_density: 0.3,
            tension: 0.0,
            bending: 5.0,
            stretching: 0.0,
            sigma0: 0.0,
            sigma1: 0.0,
            ends,
        }
    }

    /// aL of the modes of bars, to ten digits: Blevins (1979), table 8-1, with more digits from cos·cosh = ±1 and tan = tanh.
    #[test]
    fn bars_have_the_known_wave_numbers() {
        use End::{Clamped, Free, SimplySupported};
        let free = [4.730_040_744_9, 7.853_204_624_1, 10.995_607_838_0, 14.137_165_491_3];
        let cantilever = [1.875_104_068_7, 4.694_091_133_0, 7.854_757_438_2, 10.995_540_734_9];
        let propped = [3.926_602_312_0, 7.068_582_745_6, 10.210_176_122_8, 13.351_768_777_8];
        let supported = [PI, 2.0 * PI, 3.0 * PI, 4.0 * PI];
        for (ends, rigid, known) in [
            ([Free, Free], 2, free),
            ([Clamped, Clamped], 0, free),
            ([Clamped, Free], 0, cantilever),
            ([Free, Clamped], 0, cantilever),
            ([Clamped, SimplySupported], 0, propped),
            ([SimplySupported, Free], 1, propped),
            ([Free, SimplySupported], 1, propped),
            ([SimplySupported, SimplySupported], 0, supported),
        ] {
            let material = bar(ends);
            let scale = (material.bending / material.line_density).sqrt();
            let found = modes(&material, scale * (15.0_f64 / material.length).powi(2)).unwrap();
            assert!(found[..rigid].iter().all(|mode| mode.constants.omega == 0.0), "{ends:?}");
            assert!(found.len() >= rigid + known.len(), "{ends:?}");
            for (mode, known) in found[rigid..].iter().zip(known) {
                let wave = (mode.constants.omega / scale).sqrt() * material.length;
                assert!((wave - known).abs() < 1e-9, "{ends:?}: {wave} instead of {known}");
            }
        }
    }

    /// Fletcher (1964): f_n = n f₁√(1 + Bn²) with supported ends.
    #[test]
    fn stiff_string_with_supported_ends_has_the_known_partials() {
        let (length, line_density, tension, bending) = (0.7_f64, 6e-3_f64, 200.0_f64, 0.02_f64);
        let material = LineMaterial {
            length,
            line_density,
            tension,
            bending,
            stretching: 0.0,
            sigma0: 1.0,
            sigma1: 2e-3,
            ends: [End::SimplySupported; 2],
        };
        let inharmonicity = PI.powi(2) * bending / (tension * length * length);
        let found = modes(&material, 2.0 * PI * 22_050.0).unwrap();
        assert!(found.len() > 40);
        for (index, mode) in found.iter().enumerate() {
            let n = (index + 1) as f64;
            let wave = n * PI / length;
            let known = wave * (tension / line_density).sqrt() * (1.0 + inharmonicity * n * n).sqrt();
            assert!((mode.constants.omega / known - 1.0).abs() < 1e-12, "{n}: {}", mode.constants.omega / known);
            assert!((mode.constants.sigma / (1.0 + 2e-3 * wave * wave) - 1.0).abs() < 1e-9);
        }
    }

    fn all_materials() -> impl Iterator<Item = LineMaterial> {
        let kinds = [End::SimplySupported, End::Clamped, End::Free];
        let ends = kinds.into_iter().flat_map(move |left| kinds.map(|right| [left, right]));
        let stiffness = [(0.0, 5.0), (80.0, 5.0), (200.0, 0.02), (100.0, 1e-4), (100.0, 0.0)];
        ends.flat_map(move |ends| stiffness.map(|(tension, bending)| LineMaterial { tension, bending, ..bar(ends) }))
    }

    /// Integrals against the midpoint rule, and orthogonality, which holds for the exact shapes only.
    #[test]
    fn shapes_are_orthogonal_and_their_integrals_are_those_of_sums() {
        const POINTS: usize = 4000;
        for material in all_materials() {
            let speed = ((material.tension * 100.0 + material.bending * 1e4) / material.line_density).sqrt();
            let found = modes(&material, 10.0 * speed).unwrap();
            let shapes: Vec<_> = found.iter().map(|mode| mode.shape).collect();
            let points = |n: usize| (n as f64 + 0.5) * material.length / POINTS as f64;
            let sum = |f: &dyn Fn(f64) -> f64| {
                (0..POINTS).map(|n| f(points(n))).sum::<f64>() * material.length / POINTS as f64
            };
            assert!(shapes.len() > 1, "{material:?}");
            for (index, one) in shapes.iter().enumerate() {
                let square = one.square_integral();
                assert!((sum(&|x| one.at(x).powi(2)) / square - 1.0).abs() < 1e-5, "{material:?}");
                let slope = one.derivative();
                let by_difference = (one.at(0.15 + 1e-6) - one.at(0.15 - 1e-6)) / 2e-6;
                assert!((slope.at(0.15) - by_difference).abs() < 1e-6 * (1.0 + slope.square_integral().sqrt()));
                let peak = 0.13;
                let triangle =
                    |x: f64| if x < peak { x / peak } else { (material.length - x) / (material.length - peak) };
                let size = square.sqrt();
                let difference = one.triangle_integral(peak) - sum(&|x| one.at(x) * triangle(x));
                assert!(difference.abs() < 1e-5 * size, "{material:?}: {difference:e}");
                for (at, width) in [(0.4, 0.2), (0.1, 0.5), (0.95, 0.03), (0.5, 2.0)] {
                    let bump = Shape::RaisedCosine { at, width, height: -2.0 };
                    let difference = one.project(bump) - sum(&|x| one.at(x) * bump.at(x / material.length));
                    assert!(difference.abs() < 1e-5 * size, "{material:?}, {bump:?}: {difference:e}");
                }
                for other in &shapes[..index] {
                    let overlap = sum(&|x| one.at(x) * other.at(x));
                    let size = size * other.square_integral().sqrt();
                    assert!(overlap.abs() < 1e-5 * size, "{material:?}: {overlap:e} of {size:e}");
                }
            }
        }
    }

    /// Between neighbours of a clamped or supported line, or with T or EI in between, no root is left out: the count of modes
    /// below ω differs by at most two from that of supported ends.
    #[test]
    fn no_mode_is_left_out() {
        for material in all_materials() {
            let speed = ((material.tension * 1e4 + material.bending * 1e8) / material.line_density).sqrt();
            let [count, supported] = [material.ends, [End::SimplySupported; 2]]
                .map(|ends| modes(&LineMaterial { ends, ..material }, speed).unwrap().len());
            assert!(count.abs_diff(supported) <= 2, "{material:?}: {count} and {supported}");
        }
    }
}
