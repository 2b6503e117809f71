//! Membranes whose tension rises with their area, against Berger's equation. They are released at rest in smooth shapes: under the force
//! of a point the stretched area grows with the logarithm of the resolution.

use crate::element::place_user::PlaceUser;
use crate::error::Subject;
use crate::model::{ElementId, Method, Model, Outline, PickupId, Place, Plate, Quantity};
use crate::simulation::Simulation;
use std::f64::consts::PI;

const SURFACE_DENSITY: f64 = 0.35;
const TENSION: f64 = 5000.0;
/// EH/(1 − ν²) \[N/m\].
const STRETCHING: f64 = 1.4e6;
/// J₀(ROOT) = 0, and J₁(ROOT).
const ROOT: f64 = 2.404_825_557_695_773;
const BESSEL_1: f64 = 0.519_147_497_289_466_9;

fn film(outline: Outline, method: Method) -> Plate {
    let size = if outline == Outline::Disc { [0.15; 2] } else { [0.15, 0.1] };
    let membrane = Plate::membrane(size, SURFACE_DENSITY, TENSION);
    let modulus = STRETCHING * (1.0 - membrane.poisson.powi(2)) / membrane.thickness;
    Plate { outline, method, stretching_modulus: Some(modulus), sigma0: 0.0, sigma1: 0.0, ..membrane }
}

fn compile(membrane: Plate, rate: f64) -> (Simulation, ElementId, PickupId) {
    let mut model = Model::new();
    let id = model.add(membrane);
    model.modulate_tension(id);
    let pickup = model.pickup(id.on([0.4, 0.5]), Quantity::Displacement);
    (model.compile(rate).expect("it is stretched"), id, pickup)
}

/// Starts at rest in a shape over fractions of the sides, of which `amplitudes` of the lowest modes are the parts.
fn release(simulation: &mut Simulation, amplitudes: &[(usize, f64)], shape: impl Fn([f64; 2]) -> f64) {
    let body = simulation.bodies.get(0);
    let mut displacements = Vec::new();
    if body.mode_count().is_some() {
        displacements.extend(amplitudes.iter().map(|&(mode, amplitude)| (body.nodes().start + mode, amplitude)));
    } else {
        let grid = body.plate_grid().expect("a plate");
        let user = PlaceUser { subject: Subject::Element(0), element: "membrane" };
        for (i, j) in (0..=grid.intervals[1]).flat_map(|j| (0..=grid.intervals[0]).map(move |i| (i, j))) {
            let at = [grid.fraction(0, i), grid.fraction(1, j)];
            let nodes = body.nodes_at(Place::On(at), user).unwrap_or_default();
            displacements.extend(nodes.into_iter().filter(|node| node.1 > 0.5).map(|(node, _)| (node, shape(at))));
        }
    }
    for (node, displacement) in displacements {
        simulation.initial_state.0[node] = displacement;
    }
    simulation.reset();
}

/// Complete elliptic integral K(m) by the arithmetic–geometric mean.
fn elliptic(m: f64) -> f64 {
    let (mut a, mut b) = (1.0_f64, (1.0 - m).sqrt());
    while (a - b).abs() > 1e-15 * a {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    PI / (2.0 * a)
}

/// J₀ by its integral, which the trapezoidal rule takes exactly.
fn bessel_0(x: f64) -> f64 {
    (0..200).map(|i| (x * (PI * (f64::from(i) + 0.5) / 200.0).sin()).cos()).sum::<f64>() / 200.0
}

/// Measured over exact frequency of the lowest mode for an amplitude, less 1. Exact: q̈ + ω²q + γq³ = 0 has a quarter period of
/// K(m)/√(ω² + γa²), m = γa²/2(ω² + γa²), with γ = EHβ⁴/8(1−ν²)ρH of a rectangle, and ½J₁² in place of ⅛ of a disc.
fn frequency_error(outline: Outline, method: Method, amplitude: f64, rate: f64) -> f64 {
    let (mut simulation, _, pickup) = compile(film(outline, method), rate);
    let is_in_modes = simulation.bodies.get(0).mode_count().is_some();
    assert_eq!(is_in_modes, method == Method::Modes);
    let size = simulation.bodies.get(0).plate_grid().expect("a plate").size;
    let (wave, part) = match outline {
        Outline::Disc => (2.0 * ROOT / size[0], 0.5 * BESSEL_1 * BESSEL_1),
        Outline::Rectangle => (PI * size[0].recip().hypot(size[1].recip()), 0.125),
    };
    let shape = |[x, y]: [f64; 2]| {
        amplitude
            * match outline {
                Outline::Disc => bessel_0(2.0 * ROOT * (x - 0.5).hypot(y - 0.5)),
                Outline::Rectangle => (PI * x).sin() * (PI * y).sin(),
            }
    };
    let user = PlaceUser { subject: Subject::Element(0), element: "membrane" };
    let centre = simulation.bodies.get(0).nodes_at(Place::On([0.5; 2]), user).expect("on it");
    release(&mut simulation, &[(0, amplitude / centre[0].1)], shape);
    let stiffening = STRETCHING * part * wave.powi(4) * amplitude * amplitude / SURFACE_DENSITY;
    let total = TENSION / SURFACE_DENSITY * wave * wave + stiffening;
    let period = 4.0 * elliptic(0.5 * stiffening / total) / total.sqrt();
    let (mut crossings, mut previous, mut step) = (Vec::new(), shape([0.4, 0.5]), 0.0);
    while crossings.len() < 41 {
        simulation.step();
        step += 1.0;
        let next = simulation.read(pickup);
        if previous * next < 0.0 {
            crossings.push((step - next / (next - previous)) / rate);
        }
        previous = next;
    }
    20.0 * period / (crossings[40] - crossings[0]) - 1.0
}

/// From hardly any to 2.5 times the tension at rest (0.007 m). The error falls with the square of the time step, in modes and on grids.
#[test]
fn the_pitch_rises_with_amplitude_as_that_of_duffings_oscillator() {
    for (outline, method, largest) in [
        (Outline::Rectangle, Method::Modes, 2e-3),
        (Outline::Disc, Method::Modes, 2e-3),
        (Outline::Rectangle, Method::Grid, 1e-2),
        (Outline::Disc, Method::Grid, 1e-2),
    ] {
        for amplitude in [1e-5, 1e-3, 3e-3, 7e-3] {
            let [coarse, fine] = [22_050.0, 44_100.0].map(|rate| frequency_error(outline, method, amplitude, rate));
            println!("{outline:?} {method:?} {amplitude}: {coarse:.2e} {fine:.2e}");
            assert!(fine.abs() < largest, "{outline:?} {method:?} {amplitude}: {coarse} {fine}");
            // A quarter, but for the rim of a disc on its grid.
            let has_fallen = fine.abs() < 0.35 * coarse.abs() || coarse.abs() < 1e-4;
            assert!(has_fallen, "{outline:?} {method:?} {amplitude}: {coarse} {fine}");
        }
    }
}

/// äₙ + β²(T + N)/ρH·aₙ = 0 with N = EH/8(1−ν²)·Σβ²a² over products of sines, by Runge and Kutta's method.
struct Reference {
    wave2: Vec<f64>,
    /// Amplitudes, then velocities.
    state: Vec<f64>,
}

impl Reference {
    fn slope(&self, state: &[f64]) -> Vec<f64> {
        let squares = self.wave2.iter().zip(state).map(|(wave2, a)| wave2 * a * a);
        let tension = TENSION + STRETCHING / 8.0 * squares.sum::<f64>();
        let mut slope = state[self.wave2.len()..].to_vec();
        slope.extend(self.wave2.iter().zip(state).map(|(wave2, a)| -wave2 * tension / SURFACE_DENSITY * a));
        slope
    }

    fn step(&mut self, k: f64) {
        let add =
            |slope: &[f64], k: f64| -> Vec<f64> { self.state.iter().zip(slope).map(|(x, dx)| x + k * dx).collect() };
        let first = self.slope(&self.state);
        let second = self.slope(&add(&first, 0.5 * k));
        let third = self.slope(&add(&second, 0.5 * k));
        let fourth = self.slope(&add(&third, k));
        for (n, x) in self.state.iter_mut().enumerate() {
            *x += k / 6.0 * (first[n] + 2.0 * second[n] + 2.0 * third[n] + fourth[n]);
        }
    }
}

/// Largest deviation from three modes of the reference over 10 ms, as a part of the largest amplitude.
fn deviation(method: Method, rate: f64) -> f64 {
    let (mut simulation, _, pickup) = compile(film(Outline::Rectangle, method), rate);
    let size = simulation.bodies.get(0).plate_grid().expect("a plate").size;
    // In rising order of frequency, on 0.15 by 0.1 m: (1, 1), (2, 1), (1, 2), (3, 1).
    let modes = [([1.0, 1.0], 0, 2e-3), ([2.0, 1.0], 1, -1e-3), ([3.0, 1.0], 3, 5e-4)];
    let value = |[m, n]: [f64; 2], [x, y]: [f64; 2]| (PI * m * x).sin() * (PI * n * y).sin();
    let amplitudes = modes.map(|(_, index, amplitude)| (index, amplitude));
    release(&mut simulation, &amplitudes, |at| modes.iter().map(|(mode, _, a)| a * value(*mode, at)).sum());
    let wave2 = modes.map(|([m, n], ..)| (PI * m / size[0]).powi(2) + (PI * n / size[1]).powi(2)).to_vec();
    let mut state: Vec<f64> = modes.iter().map(|mode| mode.2).collect();
    state.resize(6, 0.0);
    let (mut reference, mut largest) = (Reference { wave2, state }, 0.0_f64);
    // It is equal at n = −1 and n = 0, and so at rest half a step before the start.
    reference.step(0.5 / rate);
    for _ in 0..(0.01 * rate) as usize {
        simulation.step();
        (0..8).for_each(|_| reference.step(0.125 / rate));
        let terms = modes.iter().zip(&reference.state).map(|((mode, ..), a)| a * value(*mode, [0.4, 0.5]));
        largest = largest.max((simulation.read(pickup) - terms.sum::<f64>()).abs());
    }
    largest / 2e-3
}

#[test]
fn the_motion_of_several_modes_tends_to_that_of_berger() {
    for (method, largest) in [(Method::Modes, 0.02), (Method::Grid, 0.15)] {
        let [coarse, fine] = [22_050.0, 44_100.0].map(|rate| deviation(method, rate));
        println!("{method:?}: {coarse:.2e} {fine:.2e}");
        assert!(fine < largest && coarse / fine > 3.0, "{method:?}: {coarse} {fine}");
    }
}
