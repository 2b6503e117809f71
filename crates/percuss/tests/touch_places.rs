//! What a small finger takes from a plate does not depend on where between the nodes it lies.

use percuss::*;
use std::f64::consts::PI;

const RATE: f64 = 44_100.0;
const INTERVALS: usize = 8;
const SPACING: f64 = 0.02;
/// Pixels of a picture along each side, and the diameter of a fingertip in it.
const PIXELS: usize = 185;
const TIP: f64 = 10.0;
/// So little that the plate does not bend around the finger.
const DAMPING: f64 = 2.0;

/// A fingertip in a picture, around a place in fractions of the sides.
fn fingertip(at: [f64; 2]) -> Region {
    let distance = |index: usize| {
        let pixel = [index % PIXELS, index / PIXELS].map(|pixel| pixel as f64);
        let away = [0, 1].map(|axis| pixel[axis] - at[axis] * (PIXELS - 1) as f64);
        away[0].hypot(away[1])
    };
    let values = (0..PIXELS * PIXELS).map(|index| (0.5 * TIP - distance(index) + 0.5).clamp(0.0, 1.0)).collect();
    Region::Image { width: PIXELS, values }
}

/// A disc with a radius in cells.
fn disc(at: [f64; 2], radius: f64) -> Region {
    Region::Circle { centre: at.map(Control::from), radius: (radius * SPACING).into() }
}

/// A square with a side in cells.
fn square(at: [f64; 2], side: f64) -> Region {
    Region::Rectangle { centre: at.map(Control::from), size: [0, 1].map(|_| (side * SPACING).into()) }
}

/// Energy that a finger takes in a millisecond from a free plate that moves as a whole, as a share of it.
fn taken(region: Region) -> f64 {
    let pressure = Control::Breakpoints { time: vec![0.1, 0.101], value: vec![0.0, 1.0] };
    let side = SPACING * INTERVALS as f64;
    let touch = Touch { region, pressure, mass: 0.0, stiffness: 0.0, damping: DAMPING };
    let mut model = Model::new();
    let plate = model.add(Plate {
        grid: Some([INTERVALS; 2]),
        sigma0: 0.0,
        sigma1: 0.0,
        touches: vec![touch],
        control_interval: 16,
        ..Plate::steel([side; 2], 1e-3)
    });
    // So slowly that it hardly bends: at the four points about which it is balanced.
    for at in [[0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]] {
        model.pulse(plate.on(at), Pulse { peak: 1.0, duration: 0.1, ..Pulse::default() });
    }
    let mut simulation = model.compile(RATE).unwrap();
    simulation.open_ledger();
    (0..(0.101 * RATE) as usize).for_each(|_| simulation.step());
    let before = simulation.ledger().unwrap().total;
    (0..(0.001 * RATE) as usize).for_each(|_| simulation.step());
    let after = simulation.ledger().unwrap().total;
    assert!(after.worst_relative < 1e-12);
    (after.dissipated - before.dissipated) / before.stored
}

/// Places between the nodes in the middle of the plate, next to an edge and in a corner, as far as a finger of a
/// radius in cells is wholly on the plate.
fn places(radius: f64) -> impl Iterator<Item = [f64; 2]> {
    let along = move |n: usize| match n {
        0..=8 => 4.0 + n as f64 / 8.0,
        _ => radius + (n - 9) as f64 / 4.0,
    };
    (0..14).flat_map(move |n| (0..14).map(move |m| [along(n), along(m)].map(|place| place / INTERVALS as f64)))
}

/// Least and most of what is taken at any place, over what it should be by the area of the finger, in cells.
fn spread(radius: f64, area: f64, region: impl Fn([f64; 2]) -> Region) -> [f64; 2] {
    let whole = (INTERVALS * INTERVALS) as f64;
    // 2σ̄ by the share of the plate, twice for energy.
    let expected = 4.0 * DAMPING * 0.001 * area / whole;
    let found = places(radius).map(|at| taken(region(at)) / expected);
    found.fold([f64::INFINITY, 0.0], |[least, most], found| [least.min(found), most.max(found)])
}

#[test]
fn a_small_finger_takes_the_same_wherever_between_nodes_it_lies() {
    for radius in [0.1, 0.3, 0.5, 0.9] {
        let [least, most] = spread(radius, PI * radius * radius, |at| disc(at, radius));
        println!("disc of radius {radius} cells: {least:.4} to {most:.4}");
        assert!(most < 1.1 * least, "radius {radius}: {least} to {most}");
    }
    let [least, most] = spread(0.3, 0.36, |at| square(at, 0.6));
    println!("square of 0.6 cells: {least:.4} to {most:.4}");
    assert!(most < 1.1 * least, "{least} to {most}");
}

#[test]
fn a_fingertip_in_a_picture_takes_the_same_wherever_between_nodes_it_lies() {
    let radius = 0.5 * TIP / (PIXELS - 1) as f64 * INTERVALS as f64;
    let [least, most] = spread(radius, PI * radius * radius, fingertip);
    println!("fingertip of {TIP} pixels: {least:.4} to {most:.4}");
    assert!(least > 0.5 && most < 1.1 * least, "{least} to {most}");
}
