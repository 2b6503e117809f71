//! Enclosed air: the pitches of drums with two heads and of kettles against their closed form, and its energy.

use percuss::*;
use std::f64::consts::{PI, TAU};

const RATE: f64 = 44_100.0;
const RADIUS: f64 = 0.178;
const TENSION: f64 = 3000.0;
const SURFACE_DENSITY: f64 = 0.3;
const SECONDS: f64 = 1.0;

fn head(method: Method) -> Plate {
    let membrane = Plate::membrane([2.0 * RADIUS; 2], SURFACE_DENSITY, TENSION);
    Plate { outline: Outline::Disc, method, sigma0: 0.5, sigma1: 0.0, ..membrane }
}

fn air(depth: f64) -> Cavity {
    Cavity::of_air(PI * RADIUS * RADIUS * depth)
}

/// Jₙ by its integral, which the trapezoidal rule takes exactly.
fn bessel(n: f64, x: f64) -> f64 {
    let points = 400;
    let value = |i: usize| {
        let t = PI * (i as f64 + 0.5) / points as f64;
        (n * t - x * t.sin()).cos()
    };
    (0..points).map(value).sum::<f64>() / points as f64
}

/// The first root of J₀(x) + (sK·πa⁴/T)·J₂(x)/x² = 0, from which f = x/2πa·√(T/σ): a membrane u = J₀(κr) − J₀(κa) under the pressure
/// sK·∫u dA. s is 2 for two heads that move against each other, 1 for one over a rigid bottom, 0 without air.
fn first_frequency(air: Cavity, s: f64) -> f64 {
    let load = s * air.stiffness() * PI * RADIUS.powi(4) / TENSION;
    let balance = |x: f64| bessel(0.0, x) + load * bessel(2.0, x) / (x * x);
    let (mut low, mut high) = (0.5, 0.5);
    while balance(high) > 0.0 {
        (low, high) = (high, high + 0.01);
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if balance(middle) > 0.0 { low = middle } else { high = middle }
    }
    low / (TAU * RADIUS) * (TENSION / SURFACE_DENSITY).sqrt()
}

/// The frequency near a guess at which a sound is strongest, under a Hann window.
fn peak_frequency(sound: &[f64], guess: f64) -> f64 {
    let count = sound.len() as f64;
    let power = |frequency: f64| {
        let part = |(n, x): (usize, &f64)| {
            let n = n as f64;
            let (angle, window) = (TAU * frequency * n / RATE, 1.0 - (TAU * n / count).cos());
            [x * window * angle.cos(), x * window * angle.sin()]
        };
        let [re, im] =
            sound.iter().enumerate().map(part).fold([0.0; 2], |sum, part| [sum[0] + part[0], sum[1] + part[1]]);
        re * re + im * im
    };
    let (mut best, mut step) = (guess, 0.003 * guess);
    while step > 1e-5 * guess {
        let around = [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0].map(|n| best + n * step);
        best = around.into_iter().max_by(|a, b| power(*a).total_cmp(&power(*b))).unwrap();
        step *= 0.5;
    }
    best
}

fn cents(found: f64, expected: f64) -> f64 {
    1200.0 * (found / expected).log2()
}

/// Displacements of the centres of the first two elements after a blow on the first.
fn sounds(model: &mut Model, struck: ElementId, other: Option<ElementId>) -> [Vec<f64>; 2] {
    model.pulse(struck.on([0.5, 0.5]), Pulse { duration: 2e-3, peak: 5.0, ..Pulse::default() });
    let centre = |model: &mut Model, id: ElementId| model.pickup(id.on([0.5, 0.5]), Quantity::Displacement);
    let pickups = [struck, other.unwrap_or(struck)].map(|id| centre(model, id));
    let mut simulation = model.compile(RATE).unwrap();
    simulation.open_ledger();
    let mut sounds = [Vec::new(), Vec::new()];
    for _ in 0..(SECONDS * RATE) as usize {
        simulation.step();
        sounds.iter_mut().zip(pickups).for_each(|(sound, pickup)| sound.push(simulation.read(pickup)));
    }
    let ledger = simulation.ledger().unwrap();
    assert!(ledger.total.worst_relative < 1e-12, "{:?}", ledger.total);
    assert!(ledger.interactions[0].peak_force > 1.0, "a pressure of some pascals");
    sounds
}

#[test]
fn two_heads_have_the_pitches_of_their_closed_form() {
    let cases: [(Method, &[f64]); 2] = [(Method::Modes, &[0.05, 0.2, 1.0]), (Method::Grid, &[0.2])];
    for (method, depths) in cases {
        for &depth in depths {
            let mut model = Model::new();
            let [batter, resonant] = [(); 2].map(|()| model.add(head(method)));
            model.enclose(resonant, batter, air(depth));
            let [first, second] = sounds(&mut model, batter, Some(resonant));
            let pairs = || first.iter().zip(&second);
            let together: Vec<f64> = pairs().map(|(one, other)| one + other).collect();
            let against: Vec<f64> = pairs().map(|(one, other)| one - other).collect();
            for (sound, s, name) in [(together, 0.0, "together"), (against, 2.0, "against each other")] {
                let expected = first_frequency(air(depth), s);
                let off = cents(peak_frequency(&sound, expected), expected);
                println!("{method:?}, {depth} m, {name}: {expected:.2} Hz, off by {off:.3} cents");
                assert!(off.abs() < 0.5, "{method:?}, {depth} m, {name}: {off} cents");
            }
        }
    }
}

#[test]
fn a_kettle_has_the_pitch_of_its_closed_form() {
    for depth in [0.1, 0.5] {
        let mut model = Model::new();
        let head = model.add(head(Method::Modes));
        let kettle = model.add(Barrier::at(0.0));
        model.enclose(kettle, head, air(depth));
        let [sound, _] = sounds(&mut model, head, None);
        let expected = first_frequency(air(depth), 1.0);
        let off = cents(peak_frequency(&sound, expected), expected);
        assert!(off.abs() < 0.5, "{depth} m: {off} cents from {expected} Hz");
    }
}

/// With a rectangular head the swept volume of mode (1, 1) is 4ab/π² per amplitude at the centre.
#[test]
fn a_static_force_meets_the_stiffness_of_the_air() {
    // So stiff air that a slow force at one place moves no volume.
    let mut model = Model::new();
    let membrane = Plate { sigma0: 200.0, ..Plate::membrane([0.3, 0.2], 0.3, 1000.0) };
    let [below, above] = [(); 2].map(|()| model.add(membrane.clone()));
    let contact = model.enclose(below, above, Cavity::of_air(1e-5));
    model.drive(
        above.on([0.5, 0.5]),
        Drive::Control(Control::Breakpoints { time: vec![0.0, 0.2], value: vec![0.0, 1.0] }),
    );
    let mut simulation = model.compile(RATE).unwrap();
    simulation.open_ledger();
    (0..(0.5 * RATE) as usize).for_each(|_| simulation.step());
    let swept = |id: ElementId| {
        let grid = simulation.plate_grid(id).unwrap();
        simulation.displacements(id).iter().sum::<f64>() * grid.spacing.powi(2)
    };
    let [below, above] = [swept(below), swept(above)];
    assert!(below > 1e-6 && (below / above - 1.0).abs() < 0.01, "they move together: {below} and {above} m³");
    let pressure = simulation.force(contact);
    let expected = Cavity::of_air(1e-5).stiffness() * (below - above);
    assert!(pressure < 0.0 && (pressure / expected - 1.0).abs() < 0.5, "{pressure} Pa, not about {expected}");
}

#[test]
fn cavities_that_cannot_be_are_refused() {
    let error = |cavity: Cavity, parts: fn(&mut Model) -> [ElementId; 2]| {
        let mut model = Model::new();
        let [below, above] = parts(&mut model);
        model.enclose(below, above, cavity);
        model.compile(RATE).map(drop)
    };
    let heads = |model: &mut Model| [model.add(head(Method::Modes)), model.add(head(Method::Modes))];
    assert_eq!(error(air(0.1), heads), Ok(()));
    for wrong in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
        for cavity in [
            Cavity { volume: wrong, ..air(0.1) },
            Cavity { density: wrong, ..air(0.1) },
            Cavity { speed_of_sound: wrong, ..air(0.1) },
        ] {
            let found = error(cavity, heads);
            assert!(matches!(found, Err(CompileError::Parameter { .. })), "{cavity:?}: {found:?}");
        }
    }
    let place = error(air(0.1), |model| [model.add(head(Method::Modes)), model.add(StiffString::default())]);
    assert!(matches!(place, Err(CompileError::Place { .. })), "{place:?}");
    let place = error(air(0.1), |model| [model.add(Mass::default()), model.add(head(Method::Modes))]);
    assert!(matches!(place, Err(CompileError::Place { .. })), "{place:?}");
    let walls = error(air(0.1), |model| [model.add(Barrier::at(0.0)), model.add(Barrier::at(1.0))]);
    assert!(walls.is_err());
    let itself = error(air(0.1), |model| [model.add(head(Method::Modes)); 2]);
    assert!(matches!(itself, Err(CompileError::SelfContact { .. })), "{itself:?}");
    // All of a plate is a place for air only.
    let mut model = Model::new();
    let [mass, plate] = [model.add(Mass::default()), model.add(head(Method::Modes))];
    model.collide(mass.point(), plate.point(), Collision::default());
    assert!(matches!(model.compile(RATE), Err(CompileError::Place { .. })));
}
