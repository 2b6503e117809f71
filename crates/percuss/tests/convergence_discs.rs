//! Known answers: the modes of round plates and membranes against the literature, their order of convergence, and the
//! bound that makes them stable wherever the rim cuts the grid.
//!
//! Plates: λ = ωR²√(ρH/D), Leissa (1969), ν = 0.3 where the rim is free. Membranes: λ = ωR√(ρH/T), zeros of J_m and J_m′.

use nalgebra::DMatrix;
use percuss::*;

const DIAMETER: f64 = 0.3;

#[derive(Clone, Copy)]
struct DiscCase {
    name: &'static str,
    rim: Edge,
    is_membrane: bool,
    /// Modes at frequency 0, then the literature's.
    rigid: usize,
    modes: [f64; 6],
}

const CASES: [DiscCase; 4] = [
    DiscCase {
        name: "free plate",
        rim: Edge::Free,
        is_membrane: false,
        rigid: 3,
        modes: [5.358, 5.358, 9.003, 12.44, 12.44, 20.47],
    },
    DiscCase {
        name: "clamped plate",
        rim: Edge::Clamped,
        is_membrane: false,
        rigid: 0,
        modes: [10.2158, 21.260, 21.260, 34.877, 34.877, 39.771],
    },
    DiscCase {
        name: "held membrane",
        rim: Edge::SimplySupported,
        is_membrane: true,
        rigid: 0,
        modes: [2.40483, 3.83171, 3.83171, 5.13562, 5.13562, 5.52008],
    },
    DiscCase {
        name: "free membrane",
        rim: Edge::Free,
        is_membrane: true,
        rigid: 1,
        modes: [1.84118, 1.84118, 3.05424, 3.05424, 3.83171, 4.20119],
    },
];

fn plate(case: DiscCase, intervals: usize) -> Plate {
    let plate =
        if case.is_membrane { Plate::membrane([DIAMETER; 2], 0.3, 2000.0) } else { Plate::steel([DIAMETER; 2], 2e-3) };
    Plate { outline: Outline::Disc, edges: [case.rim; 4], grid: Some([intervals; 2]), ..plate }
}

/// √eigenvalues of M⁻¹K, rising.
fn frequencies(operators: &Operators) -> Vec<f64> {
    let count = operators.mass.len();
    let mut matrix = DMatrix::<f64>::zeros(count, count);
    for &(row, column, value) in &operators.stiffness {
        matrix[(row, column)] += value / (operators.mass[row] * operators.mass[column]).sqrt();
    }
    let mut frequencies: Vec<f64> =
        matrix.symmetric_eigenvalues().iter().map(|lambda| lambda.max(0.0).sqrt()).collect();
    frequencies.sort_unstable_by(f64::total_cmp);
    frequencies
}

/// λ of all modes, and the largest eigenvalue times h⁴ (plates) or h² (membranes), in units of κ² or c².
fn modes(case: DiscCase, intervals: usize) -> (Vec<f64>, f64) {
    let described = plate(case, intervals);
    let density = described.density * described.thickness;
    let bending =
        described.youngs_modulus * described.thickness.powi(3) / (12.0 * (1.0 - described.poisson * described.poisson));
    let h = DIAMETER / intervals as f64;
    let (unit, cell) = if case.is_membrane {
        ((density / described.tension).sqrt() * 0.5 * DIAMETER, (density / described.tension).sqrt() * h)
    } else {
        ((density / bending).sqrt() * 0.25 * DIAMETER * DIAMETER, (density / bending).sqrt() * h * h)
    };
    let mut model = Model::new();
    let handle = model.add(described);
    let operators = model.compile(200_000.0).unwrap().operators(handle).unwrap();
    let frequencies = frequencies(&operators);
    let top = frequencies.last().unwrap() * cell;
    (frequencies.iter().map(|omega| omega * unit).collect(), top * top)
}

#[test]
fn discs_have_the_modes_of_the_literature_to_second_order() {
    for case in CASES {
        let [coarse, fine] = [18, 36].map(|intervals| modes(case, intervals).0);
        assert!(coarse[..case.rigid].iter().all(|lambda| lambda.abs() < 1e-3), "{}: {:?}", case.name, &coarse[..4]);
        let error = |found: &[f64], mode: usize| 100.0 * (found[case.rigid + mode] / case.modes[mode] - 1.0);
        for mode in 0..6 {
            let (first, second) = (error(&coarse, mode), error(&fine, mode));
            println!(
                "{} {}: {}, off by {first:+.3} % on 18, {second:+.3} % on 36",
                case.name,
                mode + 1,
                case.modes[mode]
            );
            assert!(first.abs() < 6.0 && second.abs() < 1.5, "{} {}: {first} %, {second} %", case.name, mode + 1);
            let order = (first / second).log2();
            assert!((1.6..2.5).contains(&order), "{} {}: order {order}", case.name, mode + 1);
        }
    }
}

#[test]
fn no_eigenvalue_exceeds_that_of_the_grid() {
    for case in CASES {
        let limit = if case.is_membrane { 8.0 } else { 64.0 };
        for intervals in [5, 8, 11, 14, 19, 23, 30] {
            let top = modes(case, intervals).1;
            assert!(top <= limit * (1.0 + 1e-9), "{} on {intervals}: {top}", case.name);
        }
    }
}

#[test]
fn a_free_disc_weighs_what_it_should_and_hangs_together() {
    let case = CASES[0];
    for intervals in [9, 16, 33] {
        let described = plate(case, intervals);
        let expected = described.density * described.thickness * std::f64::consts::PI * DIAMETER * DIAMETER / 4.0;
        let mut model = Model::new();
        let handle = model.add(described);
        let operators = model.compile(200_000.0).unwrap().operators(handle).unwrap();
        let mass: f64 = operators.mass.iter().sum();
        assert!((mass / expected - 1.0).abs() < 1e-3, "{mass} kg instead of {expected} kg");
        // Moving and tilting it as a whole takes no force.
        let mut force = vec![0.0; operators.mass.len()];
        for &(row, column, value) in &operators.stiffness {
            let Place::On([x, y]) = operators.places[column] else { panic!("a plate's nodes lie on it") };
            force[row] += value * (0.3 + 0.7 * x - 0.2 * y);
        }
        let largest = operators.stiffness.iter().fold(0.0_f64, |top, entry| top.max(entry.2.abs()));
        assert!(force.iter().all(|force| force.abs() < 1e-12 * largest));
    }
}

#[test]
fn discs_at_the_stability_limit_stay_bounded() {
    for case in CASES {
        let described = Plate { sigma0: 0.0, sigma1: 0.0, grid: None, ..plate(case, 8) };
        let density = described.density * described.thickness;
        let kappa = (described.youngs_modulus * described.thickness.powi(3) / (12.0 * 0.91 * density)).sqrt();
        let c = (described.tension / density).sqrt();
        let margin = if case.rim == Edge::Free { 1.001 } else { 1.0 };
        let h = DIAMETER / 10.0 / margin;
        let rate = (1.0 + 1e-9) * (2.0 * c * c * h * h + 16.0 * kappa * kappa).sqrt() / (h * h);
        let mut model = Model::new();
        let disc = model.add(described);
        model.pulse(disc.on([0.4, 0.3]), Pulse { duration: 2.0 / rate, peak: 1.0, ..Pulse::default() });
        // A free disc drifts; what is told from that is whether it shakes.
        let mut simulation = model.compile(rate).unwrap();
        assert_eq!(simulation.plate_grid(disc).unwrap().size, [DIAMETER; 2]);
        assert_eq!(simulation.plate_grid(disc).unwrap().intervals, [12; 2]);
        (0..1000).for_each(|_| simulation.step());
        let mut fastest = [0.0_f64; 2];
        for (part, fastest) in fastest.iter_mut().enumerate() {
            for n in 0..500_000 {
                simulation.step();
                if n % 97 == part {
                    *fastest = simulation.increments(disc).iter().fold(*fastest, |top, du| top.max(du.abs()));
                }
            }
        }
        assert!(fastest[1].is_finite() && fastest[1] < 1.5 * fastest[0], "{}: {fastest:?}", case.name);
    }
}
