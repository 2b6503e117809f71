//! Known answers: the modes of square plates against the literature, with the observed order of convergence.
//!
//! λ = ωL²√(ρH/D). Leissa (1973); free edges after Gorman and others, ν = 0.3, to five digits.

use percuss::*;
use std::f64::consts::TAU;

const SIDE: f64 = 0.3;
const THICKNESS: f64 = 2e-3;

/// √(D/ρH) of the steel of `Plate::steel` \[m²/s\].
fn kappa() -> f64 {
    (2e11 * THICKNESS.powi(2) / (12.0 * (1.0 - 0.3 * 0.3) * 8000.0)).sqrt()
}

/// The spatial eigenvalue λ nearest to an expected one, heard in the ringing of a lossless plate.
fn heard(edges: Edge, intervals: usize, expected: f64) -> f64 {
    let plate = Plate {
        edges: [edges; 4],
        sigma0: 0.0,
        sigma1: 0.0,
        grid: Some([intervals; 2]),
        ..Plate::steel([SIDE, SIDE], THICKNESS)
    };
    let h = SIDE / intervals as f64;
    // At the stability limit; what the time step does to the pitch is undone below.
    let rate = 4.0 * kappa() / (h * h) * 1.0001;
    let mut model = Model::new();
    let plate = model.add(plate);
    model.pulse(plate.on([0.13, 0.29]), Pulse { duration: 4e-4, ..Pulse::default() });
    let ear = model.pickup(plate.on([0.93, 0.88]), Quantity::Velocity);
    let mut simulation = model.compile(rate).unwrap();
    let mut signal = vec![0.0; rate as usize];
    simulation.process(&[ear], &mut [&mut signal]);
    let count = signal.len() as f64;
    let window = |n: usize| 0.5 - 0.5 * (TAU * n as f64 / count).cos();
    let level = |lambda: f64| {
        // sin(ωk/2) = k√λ_space/2 undoes the time discretisation.
        let step = 2.0 * (0.5 * lambda * kappa() / (SIDE * SIDE) / rate).asin();
        let (mut real, mut imaginary) = (0.0, 0.0);
        for (n, sample) in signal.iter().enumerate() {
            let (sin, cos) = (step * n as f64).sin_cos();
            real += window(n) * sample * cos;
            imaginary += window(n) * sample * sin;
        }
        real.hypot(imaginary)
    };
    let loudest = |from: f64, to: f64, steps: usize| {
        let at = |i: usize| from + (to - from) * i as f64 / steps as f64;
        (0..=steps)
            .map(at)
            .map(|lambda| (level(lambda), lambda))
            .fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a })
            .1
    };
    let coarse = loudest(0.965 * expected, 1.02 * expected, 55);
    loudest(coarse - 1e-3 * expected, coarse + 1e-3 * expected, 20)
}

const FREE: [f64; 6] = [13.468, 19.596, 24.270, 34.801, 34.801, 61.093];
/// Without 131.581, which lies too close to its neighbour to be heard apart; `percuss study plate` has all six.
const CLAMPED: [f64; 5] = [35.985, 73.394, 73.394, 108.217, 132.205];

#[test]
fn free_plate_has_the_modes_of_the_literature() {
    for (mode, expected) in FREE.into_iter().enumerate() {
        let errors = [18, 36].map(|intervals| 100.0 * (heard(Edge::Free, intervals, expected) / expected - 1.0));
        println!(
            "free mode {}: {expected}, off by {:+.3} % on 18, {:+.3} % on 36 intervals",
            mode + 1,
            errors[0],
            errors[1]
        );
        assert!(errors[0].abs() < 3.0 && errors[1].abs() < 1.0, "mode {}: {errors:?}", mode + 1);
        let order = (errors[0] / errors[1]).log2();
        assert!((1.6..2.6).contains(&order), "mode {}: order {order}", mode + 1);
    }
}

#[test]
fn clamped_plate_has_the_modes_of_the_literature() {
    for expected in CLAMPED {
        let error = 100.0 * (heard(Edge::Clamped, 36, expected) / expected - 1.0);
        println!("clamped {expected}: off by {error:+.3} % on 36 intervals");
        assert!(error.abs() < 2.0, "{expected}: {error} %");
    }
}

#[test]
fn supported_plate_has_the_modes_of_its_own_grid() {
    let n = 20;
    for (p, q) in [(1, 1), (1, 2), (2, 2), (1, 3)] {
        let sine = |m: i32| (0.5 * std::f64::consts::PI * f64::from(m) / f64::from(n)).sin().powi(2);
        let expected = 4.0 * f64::from(n * n) * (sine(p) + sine(q));
        let error = 100.0 * (heard(Edge::SimplySupported, n as usize, expected) / expected - 1.0);
        println!("supported ({p},{q}): {expected:.3}, off by {error:+.4} %");
        assert!(error.abs() < 0.1, "({p},{q}): {error} %");
    }
}

#[test]
fn edges_of_full_weight_make_the_plate_wider() {
    // The plate paper's edges: the first mode of a plate that acts (M+1)h wide is low by (1 + 1/M)² and the edge's order.
    let intervals = 18;
    let expected = FREE[0] * (18.0_f64 / 19.0).powi(2);
    let found = heard(Edge::FreeFullCell, intervals, expected);
    println!("free-full-cell first mode: {found:.3}, {:+.1} % of the literature", 100.0 * (found / FREE[0] - 1.0));
    assert!(found < 0.93 * FREE[0]);
}
