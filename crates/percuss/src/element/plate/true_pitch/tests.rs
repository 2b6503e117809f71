//! Partials of plates under touches, on their corrected grid and in continuous space.
//!
//! Reference   Galerkin's method in the modes of the bare plate up to twice the audible range: K + ∫k̄φφᵀ, M + ∫λ̄φφᵀ. With three times the
//!             range its first twelve partials are the same within 0.05 cents for the touches used here

use crate::element::plate::exact::modes::PlateModes;
use crate::element::plate::grid::PlateMaterial;
use crate::error::{Check, Subject};
use crate::model::{Drive, Edge, Method, Model, Outline, Plate, Pulse, Region, Touch};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Mat, Par, Side};
use std::f64::consts::{PI, TAU};

const RATE: f64 = 44_100.0;
/// Points per side with which the reference sums over a touch.
const POINTS: usize = 120;
/// Below it lie motions of a rigid plate on a soft touch, which are not heard \[Hz\].
const AUDIBLE: f64 = 50.0;

/// A disc or a square on a plate: its centre in fractions, and its radius or half its side \[m\].
#[derive(Clone, Copy)]
struct Patch {
    centre: [f64; 2],
    half: f64,
    round: bool,
}

impl Patch {
    fn region(self) -> Region {
        let centre = self.centre.map(Into::into);
        if self.round {
            Region::Circle { centre, radius: self.half.into() }
        } else {
            Region::Rectangle { centre, size: [(2.0 * self.half).into(), (2.0 * self.half).into()] }
        }
    }

    fn area(self) -> f64 {
        self.half * self.half * if self.round { PI } else { 4.0 }
    }

    fn contains(self, at: [f64; 2], size: [f64; 2]) -> bool {
        let [x, y] = [0, 1].map(|axis| ((at[axis] - self.centre[axis]) * size[axis]).abs());
        if self.round { x.hypot(y) < self.half } else { x.max(y) < self.half }
    }
}

/// Frequencies of the generalised eigenvalue problem \[rad/s\], in rising order, from entries in rows.
fn frequencies(mut stiffness: Mat<f64>, mass: &Mat<f64>) -> Vec<f64> {
    let factor = mass.llt(Side::Lower).unwrap();
    solve_lower_triangular_in_place(factor.L(), stiffness.as_mut(), Par::Seq);
    let mut matrix = stiffness.transpose().to_owned();
    solve_lower_triangular_in_place(factor.L(), matrix.as_mut(), Par::Seq);
    let mut values = matrix.self_adjoint_eigenvalues(Side::Lower).unwrap();
    values.sort_by(f64::total_cmp);
    values.into_iter().map(|value| value.max(0.0).sqrt()).collect()
}

/// In continuous space \[Hz\].
fn reference(plate: &Plate, patch: Patch) -> Vec<f64> {
    let touch = &plate.touches[0];
    let material = PlateMaterial::of(plate, Check(Subject::Model)).unwrap();
    let modes = PlateModes::new(plate, &material, 2.0 * PI * RATE).unwrap();
    let centres = (0..POINTS * POINTS).map(|n| [n % POINTS, n / POINTS].map(|i| (i as f64 + 0.5) / POINTS as f64));
    let points: Vec<_> = centres.filter(|&at| patch.contains(at, plate.size)).collect();
    let columns: Vec<Vec<f64>> = points.iter().map(|&at| modes.at(at)).collect();
    let count = modes.modes.len();
    let shapes = Mat::from_fn(count, points.len(), |mode, point| columns[point][mode]);
    let overlap = &shapes * shapes.transpose() * faer::Scale(patch.area() / points.len() as f64);
    let with_diagonal = |touched: f64, own: &dyn Fn(usize) -> f64| {
        Mat::from_fn(count, count, |i, j| touched * overlap[(i, j)] + if i == j { own(i) } else { 0.0 })
    };
    let stiffness = with_diagonal(touch.stiffness, &|mode| modes.modes[mode].mass * modes.modes[mode].omega.powi(2));
    let mass = with_diagonal(touch.mass, &|mode| modes.modes[mode].mass);
    frequencies(stiffness, &mass).into_iter().map(|omega| omega / TAU).collect()
}

/// On the grid, as the update has them \[Hz\]: the stiffness of touches acts on the mean of three steps.
fn on_grid(plate: &Plate) -> Vec<f64> {
    let operators = |plate: Plate| {
        let mut model = Model::new();
        let id = model.add(plate);
        model.compile(RATE).unwrap().operators(id).unwrap()
    };
    let mut soft = plate.clone();
    soft.touches[0].stiffness = 0.0;
    let (touched, free) = (operators(plate.clone()), operators(soft));
    let k = 1.0 / RATE;
    let count = touched.mass.len();
    let [mut mass, mut stiffness] = [Mat::zeros(count, count), Mat::zeros(count, count)];
    for &(row, column, value) in &touched.stiffness {
        stiffness[(row, column)] += value;
        mass[(row, column)] += if row == column { 0.25 * k * k * value } else { 0.0 };
    }
    for &(row, column, value) in free.stiffness.iter().filter(|(row, column, _)| row == column) {
        mass[(row, column)] -= 0.25 * k * k * value;
    }
    (0..count).for_each(|node| mass[(node, node)] += touched.mass[node]);
    let update = frequencies(stiffness, &mass);
    update.into_iter().map(|omega| (0.5 * k * omega).min(1.0).asin() / (PI * k)).collect()
}

/// Largest deviation of the first ten audible partials \[cents\].
fn deviation(plate: &Plate, patch: Patch, [mass, stiffness]: [f64; 2]) -> f64 {
    let touch = Touch { region: patch.region(), pressure: 1.0.into(), mass, stiffness, damping: 0.0 };
    let plate = Plate { touches: vec![touch], sigma1: 0.0, ..plate.clone() };
    // What is left of a rigid motion is below a hertz on both sides.
    let audible = |frequencies: Vec<f64>| frequencies.into_iter().filter(|&frequency| frequency > AUDIBLE).take(10);
    let pairs = audible(on_grid(&plate)).zip(audible(reference(&plate, patch)));
    pairs.map(|(found, expected)| 1200.0 * (found / expected).log2().abs()).fold(0.0, f64::max)
}

fn plates() -> Vec<(&'static str, Plate)> {
    let square = |edge| Plate { edges: [edge; 4], ..Plate::steel([0.3, 0.3], 2e-3) };
    let oblong = |edge| Plate { edges: [edge; 4], ..Plate::steel([0.36, 0.18], 2e-3) };
    vec![
        ("free square", square(Edge::Free)),
        ("clamped square", square(Edge::Clamped)),
        ("supported square", square(Edge::SimplySupported)),
        ("free 2:1", oblong(Edge::Free)),
        ("clamped 2:1", oblong(Edge::Clamped)),
        ("supported 2:1", oblong(Edge::SimplySupported)),
        ("free disc", Plate { outline: Outline::Disc, ..square(Edge::Free) }),
        ("clamped disc", Plate { outline: Outline::Disc, ..square(Edge::Clamped) }),
    ]
}

const HAND: Patch = Patch { centre: [0.27, 0.43], half: 0.04, round: true };
const FELT: Patch = Patch { centre: [0.27, 0.43], half: 0.032, round: false };

/// A hand's flesh and the springs of a patch of felt; the grid alone is up to 50 cents off.
#[test]
fn plates_under_a_hand_or_felt_are_in_tune() {
    for (name, plate) in plates() {
        for (patch, load) in [(HAND, [7.2, 1e4]), (FELT, [0.3, 1e7])] {
            let cents = deviation(&plate, patch, load);
            println!("{name}: {cents:.1} cents under {load:?}");
            assert!(cents < 5.0, "{name}: {cents} cents under {load:?}");
        }
    }
}

/// A clamp bends the plate within a cell of its rim, which a grid resolves so far: a rim that is off by a tenth of a cell moves the
/// partials by about twenty cents.
#[test]
fn plates_in_a_clamp_are_in_tune_as_far_as_the_grid_resolves_its_rim() {
    for (name, plate) in plates() {
        let plain = Plate { method: Method::Grid, ..plate.clone() };
        for stiffness in [1e8, 1e9] {
            let [cents, grid] = [&plate, &plain].map(|plate| deviation(plate, HAND, [0.0, stiffness]));
            println!("{name}: {cents:.1} cents at {stiffness:e} N/m³, {grid:.1} without correction");
            assert!(
                cents < 55.0 && cents < grid,
                "{name}: {cents} cents at {stiffness:e} N/m³, {grid} without correction"
            );
        }
    }
}

/// Found by the search: the high modes of a small, strongly damped membrane are not corrected, so that a parity has none that is.
#[test]
fn parities_without_corrected_modes_are_left_alone() {
    let membrane =
        Plate { sigma0: 0.0, sigma1: 4e-5, edges: [Edge::Clamped; 4], ..Plate::membrane([1e-3; 2], 40.0, 5.0) };
    let no_pressure =
        Touch { region: Region::Everywhere, pressure: 0.0.into(), mass: 1.0, stiffness: 0.0, damping: 0.0 };
    let mut model = Model::new();
    let id = model.add(Plate { touches: vec![no_pressure], ..membrane });
    model.pulse(id.on([0.2, 0.3]), Pulse::default());
    let mut simulation = model.compile(20_000.0).unwrap();
    simulation.open_ledger();
    (0..400).for_each(|_| simulation.step());
    let total = simulation.ledger().unwrap().total;
    assert!(total.supplied > 0.0 && total.worst_relative < 1e-13, "{:e}", total.worst_relative);
}

/// Found by the search: a mode corrected to a frequency just below half the sample rate answers a force with a motion of thousands of
/// times the others', whose kinetic and potential energies are opposite numbers.
#[test]
fn corrected_modes_stay_off_half_the_sample_rate() {
    let rate = 6793.0;
    let plate = Plate {
        edges: [Edge::Clamped; 4],
        density: 9125.0,
        youngs_modulus: 1.5709e10,
        poisson: 0.3875,
        tension: 2686.9,
        sigma0: 26.0,
        sigma1: 0.0,
        ..Plate::steel([0.08329, 0.16658], 1.77e-3)
    };
    let no_pressure =
        Touch { region: Region::Everywhere, pressure: 0.0.into(), mass: 1.0, stiffness: 0.0, damping: 0.0 };
    let mut model = Model::new();
    let id = model.add(Plate { touches: vec![no_pressure], ..plate });
    let values = (0..300).map(|n| f64::from(n * n * 7919 % 1009) - 504.5).collect();
    model.drive(id.on([0.58, 0.61]), Drive::Samples { rate, values });
    let mut simulation = model.compile(rate).unwrap();
    simulation.open_ledger();
    (0..350).for_each(|_| simulation.step());
    let total = simulation.ledger().unwrap().total;
    // 361 times with that mode, 4 times without.
    assert!(total.scale < 10.0 * (total.stored + total.dissipated), "{total:?}");
}
