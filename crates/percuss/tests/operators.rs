//! The matrices an element is stepped with are symmetric and have the closed-form modes of its equation.

use percuss::{Control, Edge, Mass, Method, Model, Operators, Plate, Region, StiffString, Touch};
use std::collections::HashMap;
use std::f64::consts::PI;

fn apply(operators: &Operators, u: &[f64]) -> Vec<f64> {
    let mut force = vec![0.0; u.len()];
    for &(row, column, value) in &operators.stiffness {
        force[row] += value * u[column];
    }
    force
}

fn assert_symmetric(operators: &Operators) {
    let mut entries: HashMap<(usize, usize), f64> = HashMap::new();
    for &(row, column, value) in &operators.stiffness {
        *entries.entry((row, column)).or_default() += value;
    }
    let largest = entries.values().fold(0.0_f64, |a, b| a.max(b.abs()));
    for (&(row, column), value) in &entries {
        let other = entries.get(&(column, row)).copied().unwrap_or(0.0);
        assert!((value - other).abs() < 1e-13 * largest, "({row}, {column}): {value} against {other}");
    }
}

/// K u = λ M u for a field, λ given.
fn assert_mode(operators: &Operators, u: &[f64], lambda: f64) {
    let largest = operators.mass.iter().fold(0.0_f64, |a, &b| a.max(b)) * lambda;
    for (i, force) in apply(operators, u).into_iter().enumerate() {
        let expected = lambda * operators.mass[i] * u[i];
        assert!((force - expected).abs() < 1e-9 * largest, "node {i}: {force} against {expected}");
    }
}

#[test]
fn a_stiff_string_has_its_discrete_modes() {
    let mut model = Model::new();
    let string = StiffString { method: Method::Grid, sigma0: 3.0, sigma1: 0.01, ..StiffString::default() };
    let (tension, length) = (string.tension, string.length);
    let area = PI * string.radius.powi(2);
    let (density, bending) = (string.density * area, string.youngs_modulus * area * string.radius.powi(2) / 4.0);
    let handle = model.add(string);
    let simulation = model.compile(44100.0).expect("valid");
    let operators = simulation.operators(handle).expect("a string has nodes");
    assert_symmetric(&operators);
    let intervals = simulation.grid(handle).expect("a string has a grid").intervals as f64;
    let h = length / intervals;
    for mode in [1.0, 2.0, 7.0] {
        let u: Vec<f64> = operators.grid.iter().map(|at| (mode * PI * at.0 as f64 / intervals).sin()).collect();
        let slope = (2.0 / h * (0.5 * mode * PI / intervals).sin()).powi(2);
        assert_mode(&operators, &u, (tension * slope + bending * slope * slope) / density);
    }
}

#[test]
fn a_supported_plate_has_its_discrete_modes_and_a_touch_adds_to_the_diagonal() {
    let mut plate = Plate::steel([0.3, 0.2], 2e-3);
    plate.edges = [Edge::SimplySupported; 4];
    plate.method = Method::Grid;
    let touch =
        Touch { region: Region::Everywhere, pressure: Control::Constant(0.5), mass: 8.0, stiffness: 1e7, damping: 3.0 };
    for touched in [false, true] {
        let mut model = Model::new();
        let handle = model.add(plate.clone());
        if touched {
            model.touch(handle, touch.clone()).unwrap();
        }
        let simulation = model.compile(44100.0).expect("valid");
        let operators = simulation.operators(handle).expect("a plate has nodes");
        assert_symmetric(&operators);
        let grid = simulation.plate_grid(handle).expect("a plate has a grid");
        let [nx, ny] = grid.intervals.map(|n| n as f64);
        for (p, q) in [(1.0, 1.0), (2.0, 1.0), (3.0, 4.0)] {
            let wave = |at: &(usize, usize)| (p * PI * at.0 as f64 / nx).sin() * (q * PI * at.1 as f64 / ny).sin();
            let u: Vec<f64> = operators.grid.iter().map(wave).collect();
            let part = |p: f64, n: f64| (2.0 / grid.spacing * (0.5 * p * PI / n).sin()).powi(2);
            let laplacian = part(p, nx) + part(q, ny);
            let bending = plate.youngs_modulus * plate.thickness.powi(3) / (12.0 * (1.0 - plate.poisson.powi(2)));
            let (mut stiffness, mut mass) = (bending * laplacian * laplacian, plate.density * plate.thickness);
            if touched {
                stiffness += 0.5 * touch.stiffness;
                mass += 0.5 * touch.mass;
            }
            assert_mode(&operators, &u, stiffness / mass);
        }
    }
}

#[test]
fn every_edge_kind_gives_a_symmetric_matrix() {
    let kinds = [Edge::Free, Edge::Clamped, Edge::SimplySupported, Edge::FreeFullCell];
    for shift in 0..4 {
        let mut plate = Plate::steel([0.2, 0.15], 2e-3);
        plate.edges = std::array::from_fn(|side| kinds[(side + shift) % 4]);
        plate.tension = 100.0;
        let mut model = Model::new();
        let handle = model.add(plate);
        let simulation = model.compile(44100.0).expect("valid");
        assert_symmetric(&simulation.operators(handle).expect("a plate has nodes"));
    }
}

#[test]
fn a_mass_on_its_spring_has_its_own_frequency_whatever_its_weight() {
    let mut model = Model::new();
    let mass = model.add(Mass { mass: 0.02, frequency: 100.0, damping: 3.0, gravity: 9.81, ..Mass::default() });
    let operators = model.compile(44100.0).expect("valid").operators(mass).expect("a mass is a node");
    let [(0, 0, stiffness)] = operators.stiffness[..] else { panic!("one entry, got {:?}", operators.stiffness) };
    let frequency = (stiffness / operators.mass[0]).sqrt() / (2.0 * PI);
    assert!((frequency - 100.0).abs() < 1e-9, "{frequency} Hz");
}
