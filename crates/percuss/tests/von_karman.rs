//! Plates that bend by more than a part of their thickness: the stiffening of an independent computation, closed forms, the linear limit.

use percuss::prelude::*;
use std::f64::consts::PI;

/// The simply supported steel plate of the reference, lossless.
fn square(intervals: usize) -> Plate {
    Plate {
        density: 7800.0,
        sigma0: 0.0,
        sigma1: 0.0,
        edges: [Edge::SimplySupported; 4],
        grid: Some([intervals; 2]),
        method: Method::Grid,
        ..Plate::steel([0.3; 2], 1e-3)
    }
}

/// Frequency of the coordinate of the lowest mode, released at so many thicknesses: from zero crossings over 80 ms.
fn frequency(intervals: usize, rate: f64, thicknesses: f64) -> f64 {
    let mut model = Model::new();
    let plate = square(intervals);
    let height = thicknesses * plate.thickness;
    let id = model.add(plate);
    model.stretch_by_bending(id);
    let mut simulation = model.compile(rate).unwrap();
    assert!(simulation.release_from(id, |[x, y]| height * (PI * x).sin() * (PI * y).sin()));
    let all: Vec<usize> = (0..=intervals).collect();
    let mut view = simulation.grid_view(id, &all, &all).unwrap();
    let sines: Vec<f64> = all.iter().map(|&i| (PI * i as f64 / intervals as f64).sin()).collect();
    let mut last = f64::NAN;
    let mut crossings = Vec::new();
    for step in 0..(0.08 * rate) as usize {
        simulation.step();
        view.refresh(&simulation);
        let values = view.values().chunks_exact(intervals + 1).zip(&sines);
        let q: f64 = values.map(|(row, y)| y * row.iter().zip(&sines).map(|(value, x)| value * x).sum::<f64>()).sum();
        if last * q < 0.0 {
            crossings.push((step as f64 + last / (last - q)) / rate);
        }
        last = q;
    }
    let [first, end] = [crossings[0], crossings[crossings.len() - 1]];
    0.5 * (crossings.len() - 1) as f64 / (end - first)
}

/// How much sharper large vibrations are: figures of an independent computation on 24 intervals at 176.4 kHz.
#[test]
fn a_supported_plate_is_as_much_sharper_as_an_independent_computation_says() {
    let linear = frequency(24, 176_400.0, 0.01);
    for (thicknesses, reference) in [(0.5, 1.0163), (1.0, 1.0606), (2.0, 1.1969)] {
        let ratio = frequency(24, 176_400.0, thicknesses) / linear;
        println!("{thicknesses} H: {ratio:.4} ({reference})");
        assert!((ratio / reference - 1.0).abs() < 1e-3, "{thicknesses} H: {ratio}");
    }
}

/// The energy of the lowest mode's shape is of second order on fine grids; on coarse ones the bracket misses a part of the edge.
#[test]
fn the_energy_of_a_shape_converges_with_second_order() {
    let energies = [10, 20, 40, 80].map(|n| stretching(square(n), |[x, y]| 1e-3 * (PI * x).sin() * (PI * y).sin()));
    let change = |n: usize| energies[n] - energies[n + 1];
    let orders = [0, 1].map(|n| (change(n) / change(n + 1)).log2());
    println!("{energies:?}, orders {orders:?}");
    assert!(orders[0] > 1.3 && orders[1] > 1.75 && orders[1] < 2.1, "{orders:?}");
}

/// Four times the rate halves the spacing: the frequency tends to a limit as fast as the energy does on these grids.
#[test]
fn the_stiffening_converges() {
    for thicknesses in [0.5, 1.0] {
        let ratios = [(10, 44_100.0), (20, 176_400.0), (40, 705_600.0)]
            .map(|(intervals, rate)| frequency(intervals, rate, thicknesses) / frequency(intervals, rate, 0.01));
        let order = ((ratios[0] - ratios[1]) / (ratios[1] - ratios[2])).log2();
        println!("{thicknesses} H: {ratios:?}, order {order:.2}");
        assert!((1.5..2.2).contains(&order), "{ratios:?}");
    }
}

/// Energy of stretching of a plate held in a shape \[J\].
fn stretching(plate: Plate, shape: impl Fn([f64; 2]) -> f64) -> f64 {
    let mut model = Model::new();
    let id = model.add(plate);
    let stretching = model.stretch_by_bending(id);
    let mut simulation = model.compile(4e6).unwrap();
    simulation.open_ledger();
    assert!(simulation.release_from(id, shape));
    simulation.ledger().unwrap().interactions[stretching.index()].stored
}

/// A disc bent into a bowl, w = ½κr²: b = 2κ² everywhere, F = −(EH/64)κ²(R² − r²)², V = πEHκ⁴R⁶/384.
#[test]
fn a_bowl_stores_what_the_closed_form_says() {
    let (radius, curvature, thickness) = (0.2, 0.3, 1e-3);
    let exact = PI * 2e11 * thickness * curvature * curvature * curvature * curvature * f64::powi(radius, 6) / 384.0;
    let errors = [12, 24, 48].map(|intervals| {
        let plate = Plate {
            outline: Outline::Disc,
            grid: Some([intervals; 2]),
            ..Plate::steel([2.0 * radius; 2], thickness / 4.0)
        };
        let bowl = |[x, y]: [f64; 2]| {
            let away = [x, y].map(|place| 2.0 * radius * (place - 0.5));
            0.5 * curvature * (away[0] * away[0] + away[1] * away[1])
        };
        (4.0 * stretching(plate, bowl) / exact - 1.0).abs()
    });
    println!("{errors:?}");
    assert!(errors[1] < 0.01 && errors[2] < 0.003, "{errors:?}");
}

/// Of a struck plate, at a place: with and without stretching.
fn samples(plate: &Plate, force: f64, stretches: bool) -> Vec<f64> {
    let mut model = Model::new();
    let id = model.add(plate.clone());
    if stretches {
        model.stretch_by_bending(id);
    }
    model.pulse(id.on([0.4, 0.3]), Pulse { peak: force, duration: 1e-3, ..Pulse::default() });
    let ear = model.pickup(id.on([0.7, 0.6]), Quantity::Displacement);
    let mut simulation = model.compile(44_100.0).unwrap();
    let step = |_| {
        simulation.step();
        simulation.read(ear)
    };
    (0..4410).map(step).collect()
}

#[test]
fn small_vibrations_are_those_of_the_linear_plate() {
    for outline in [Outline::Rectangle, Outline::Disc] {
        for edge in [Edge::SimplySupported, Edge::Clamped, Edge::Free] {
            if outline == Outline::Disc && edge == Edge::SimplySupported {
                continue;
            }
            let plate = Plate { edges: [edge; 4], outline, method: Method::Grid, ..Plate::steel([0.3, 0.3], 1e-3) };
            let [with, without] = [true, false].map(|stretches| samples(&plate, 1e-4, stretches));
            let largest = without.iter().fold(0.0_f64, |top, x| top.max(x.abs()));
            let error = with.iter().zip(&without).fold(0.0_f64, |top, (a, b)| top.max((a - b).abs()));
            println!("{outline:?}, {edge:?}: {largest:.1e} m, {:.1e}", error / largest);
            assert!(largest > 0.0 && error < 1e-9 * largest, "{outline:?}, {edge:?}: {error} of {largest}");
            let hard = samples(&plate, 300.0, true);
            let soft = samples(&plate, 300.0, false);
            let difference = hard.iter().zip(&soft).fold(0.0_f64, |top, (a, b)| top.max((a - b).abs()));
            assert!(difference > 1e-2 * soft.iter().fold(0.0_f64, |top, x| top.max(x.abs())), "{outline:?}, {edge:?}");
        }
    }
}

#[test]
fn what_is_no_stiff_plate_of_moderate_size_is_refused() {
    let compile = |model: &Model| model.compile(44_100.0).map(|_| ());
    let mut model = Model::new();
    let membrane = model.add(Plate::membrane([0.3, 0.3], 0.3, 2000.0));
    model.stretch_by_bending(membrane);
    assert!(matches!(compile(&model), Err(CompileError::NotStretchedByBending { .. })));
    let mut model = Model::new();
    let mass = model.add(Mass::default());
    model.stretch_by_bending(mass);
    assert!(matches!(compile(&model), Err(CompileError::NotStretchedByBending { .. })));
    let mut model = Model::new();
    let large = model.add(Plate::steel([3.0, 3.0], 1e-3));
    model.stretch_by_bending(large);
    assert!(matches!(compile(&model), Err(CompileError::GridTooLarge { .. })));
    let mut model = Model::new();
    let plate = model.add(square(12));
    model.stretch_by_bending(plate);
    compile(&model).unwrap();
    model.scheme = Scheme::Newton;
    assert!(matches!(compile(&model), Err(CompileError::NoDiscreteGradient { .. })));
}

/// A plate struck a hundred times within ten seconds, then left to fade, then struck softly.
struct Strokes {
    drift: f64,
    /// Pitch of the lowest mode after the soft stroke \[Hz\].
    pitch: f64,
    largest: f64,
}

fn hard_strokes(scheme: Scheme, count: usize) -> Strokes {
    const RATE: f64 = 44_100.0;
    let mut random = 0x5eed_u64;
    let mut draw = |low: f64, high: f64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (random >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut model = Model::new();
    model.scheme = scheme;
    let plate = Plate { sigma0: 1.5, sigma1: 0.0, ..square(16) };
    let id = model.add(plate);
    let stretching = model.stretch_by_bending(id);
    for _ in 0..count {
        let pulse =
            Pulse { time: draw(0.0, 10.0), peak: draw(50.0, 300.0), duration: draw(5e-4, 3e-3), ..Pulse::default() };
        model.pulse(id.on([draw(0.1, 0.9), draw(0.1, 0.9)]), pulse);
    }
    model.pulse(id.on([0.45, 0.55]), Pulse { time: 18.0, peak: 1e-2, duration: 4e-3, ..Pulse::default() });
    let ear = model.pickup(id.on([0.5, 0.5]), Quantity::Displacement);
    let mut simulation = model.compile(RATE).unwrap();
    let mut largest = 0.0_f64;
    let mut advance = |simulation: &mut Simulation, seconds: f64| {
        for _ in 0..(seconds * RATE) as usize {
            simulation.step();
            largest = largest.max(simulation.read(ear).abs());
        }
    };
    advance(&mut simulation, 10.0);
    let drift = simulation.drift(stretching).unwrap();
    advance(&mut simulation, 8.1);
    // The projection on the lowest mode.
    let all: Vec<usize> = (0..=16).collect();
    let mut view = simulation.grid_view(id, &all, &all).unwrap();
    let sines: Vec<f64> = all.iter().map(|&i| (PI * i as f64 / 16.0).sin()).collect();
    let (mut last, mut crossings) = (f64::NAN, Vec::new());
    for step in 0..RATE as usize / 2 {
        simulation.step();
        view.refresh(&simulation);
        let rows = view.values().chunks_exact(17).zip(&sines);
        let q: f64 = rows.map(|(row, y)| y * row.iter().zip(&sines).map(|(value, x)| value * x).sum::<f64>()).sum();
        if last * q < 0.0 {
            crossings.push(step as f64 + last / (last - q));
        }
        last = q;
    }
    let span = crossings[crossings.len() - 1] - crossings[0];
    Strokes { drift, pitch: 0.5 * (crossings.len() - 1) as f64 / span * RATE, largest }
}

#[test]
fn a_hundred_hard_strokes_leave_no_trace() {
    let fresh = hard_strokes(Scheme::Tracked, 0);
    let struck = hard_strokes(Scheme::Tracked, 100);
    let plain = hard_strokes(Scheme::Plain, 100);
    let cents = |pitch: f64| 1200.0 * (pitch / fresh.pitch).log2();
    println!(
        "drift {:.2e} (plain {:.2e}), {:.1e} cents (plain {:.1e}), up to {:.1} mm",
        struck.drift,
        plain.drift,
        cents(struck.pitch),
        cents(plain.pitch),
        1e3 * struck.largest
    );
    assert!(struck.largest > 1.5e-3, "hard strokes bend it by more than its thickness: {}", struck.largest);
    assert!(struck.drift < 3e-3 && cents(struck.pitch).abs() < 1.0);
    assert!(plain.drift > 2.0 * struck.drift);
}
