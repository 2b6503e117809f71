//! Forces whose place moves: the account closes in every step, and a path that stands still is a point.

use assert_no_alloc::{AllocDisabler, assert_no_alloc};
use percuss::*;

/// Aborts the test where a step allocates. Checks only with debug assertions, which the test profile has.
#[global_allocator]
static ALLOCATOR: AllocDisabler = AllocDisabler;

const RATE: f64 = 44_100.0;

fn way<const N: usize>(value: [f64; N]) -> Control {
    Control::Breakpoints { time: (0..N).map(|i| 0.02 * i as f64).collect(), value: value.to_vec() }
}

fn hum() -> Drive {
    Drive::Samples { rate: 4000.0, values: (0..400).map(|i| 3.0 * (0.3 * f64::from(i)).sin()).collect() }
}

/// Steps without allocating; every step must close its account.
fn run_closed(model: &Model) -> Simulation {
    let mut sim = model.compile(RATE).unwrap();
    sim.open_ledger();
    assert_no_alloc(|| {
        for _ in 0..4000 {
            sim.step();
            assert!(sim.ledger().is_some_and(|ledger| ledger.total.worst_relative <= 1e-12));
        }
    });
    let ledger = sim.ledger().unwrap();
    assert!(ledger.total.supplied.abs() > 1e-9, "the force does work: {:?}", ledger.total);
    assert!(ledger.elements.iter().all(|account| account.worst_residual <= 1e-12 * ledger.total.scale));
    sim
}

#[test]
fn account_closes_while_a_force_moves_along_a_string() {
    for ends in [End::SimplySupported, End::Clamped, End::Free] {
        let mut model = Model::new();
        let string = model.add(StiffString { ends: [ends; 2], ..StiffString::default() });
        let mass = model.add(Mass { velocity: 1.0, position: -1e-4, ..Mass::default() });
        model.collide(mass.point(), string.at(0.4), Collision { loss: 0.2, ..Collision::default() });
        model.drive(string.along(way([0.0, 1.0, 0.3, 0.3, 0.9])), hum());
        model.pulse(string.along(way([0.7, 0.1])), Pulse { duration: 0.03, peak: 2.0, ..Pulse::default() });
        run_closed(&model);
    }
}

#[test]
fn account_closes_while_a_force_moves_over_a_plate_that_is_touched() {
    for edge in [Edge::SimplySupported, Edge::Clamped, Edge::Free] {
        let centre = [way([0.2, 0.8]), 0.5.into()];
        let region = Region::Circle { centre, radius: 0.05.into() };
        let hand = Touch { region, pressure: way([0.0, 1.0, 0.2]), mass: 5.0, stiffness: 1e5, damping: 100.0 };
        let plate = Plate { touches: vec![hand], edges: [edge; 4], ..Plate::steel([0.2, 0.15], 2e-3) };
        let mut model = Model::new();
        let plate = model.add(plate);
        model.drive(plate.over([way([0.0, 1.0, 0.5]), way([0.9, 0.1, 1.0])]), hum());
        model.pulse(plate.over([0.3.into(), way([0.2, 0.8])]), Pulse { duration: 0.02, peak: 9.0, ..Pulse::default() });
        run_closed(&model);
    }
}

#[test]
fn a_path_that_stands_still_is_the_point_to_the_last_bit() {
    let still = |value: f64| way([value; 3]);
    let listen = |moving: bool| {
        let mut model = Model::new();
        let string = model.add(StiffString { method: Method::Grid, ..StiffString::default() });
        let on_grid = Plate { method: Method::Grid, ..Plate::steel([0.2; 2], 2e-3) };
        let plate = model.add(Plate { edges: [Edge::Clamped; 4], size: [0.2, 0.15], ..on_grid.clone() });
        let disc = model.add(Plate { outline: Outline::Disc, ..on_grid });
        if moving {
            model.drive(disc.over([still(0.6), still(0.95)]), hum());
            model.drive(string.along(still(0.37)), hum());
            model.drive(plate.over([still(0.02), still(0.71)]), hum());
        } else {
            model.drive(disc.on([0.6, 0.95]), hum());
            model.drive(string.at(0.37), hum());
            model.drive(plate.on([0.02, 0.71]), hum());
        }
        let mut sim = model.compile(RATE).unwrap();
        sim.open_ledger();
        (0..3000).for_each(|_| sim.step());
        let supplied = sim.ledger().unwrap().total.supplied;
        [string, plate, disc].map(|element| sim.displacements(element)).concat().into_iter().chain([supplied])
    };
    let bits = |moving| listen(moving).map(f64::to_bits).collect::<Vec<_>>();
    assert_eq!(bits(true), bits(false));
    assert!(listen(true).any(|u| u.abs() > 1e-7));
}

#[test]
fn a_force_is_felt_where_its_path_has_led_it() {
    // Sets in at a time, on the way from one corner to the other; returns the nodes that move at once. All numbers are
    // exact in binary.
    let first_to_move = |time: f64| {
        let mut model = Model::new();
        let plate = model.add(Plate { grid: Some([8, 8]), ..Plate::steel([0.3, 0.3], 2e-3) });
        let ramp = Control::Breakpoints { time: vec![0.0, 1.0], value: vec![0.0, 1.0] };
        let force = Control::Breakpoints { time: vec![time, time], value: vec![0.0, 1.0] };
        model.drive(plate.over([ramp.clone(), ramp]), Drive::Control(force));
        let mut sim = model.compile(32_768.0).unwrap();
        (0..=(time * 32_768.0) as u32).for_each(|_| sim.step());
        let moved = |&(i, j): &(usize, usize)| sim.plate_displacement(plate, i, j) != 0.0;
        (0..=8).flat_map(|i| (0..=8).map(move |j| (i, j))).filter(moved).collect::<Vec<_>>()
    };
    assert_eq!(first_to_move(0.0), [(0, 0)]);
    assert_eq!(first_to_move(0.25), [(2, 2)]);
    assert_eq!(first_to_move(0.53125), [(4, 4), (4, 5), (5, 4), (5, 5)]);
    assert_eq!(first_to_move(1.0), [(8, 8)]);
}

#[test]
fn paths_that_leave_the_element_or_never_leave_a_support_are_refused() {
    let refusal = |place: fn(ElementId, ElementId, ElementId) -> Path, width: f64| {
        let mut model = Model::new();
        let string = model.add(StiffString::default());
        let plate = model.add(Plate { edges: [Edge::Clamped; 4], ..Plate::steel([0.2, 0.15], 2e-3) });
        let mass = model.add(Mass::default());
        model.pulse(place(string, plate, mass), Pulse { width, ..Pulse::default() });
        model.compile(RATE).err()
    };
    let parameter = |error, name| matches!(error, Some(CompileError::Parameter { field, .. }) if field == name);
    assert!(parameter(refusal(|string, _, _| string.along(way([0.5, 1.01])), 0.0), "at"));
    assert!(parameter(refusal(|string, _, _| string.along(way([f64::NAN])), 0.0), "at"));
    assert!(parameter(refusal(|_, plate, _| plate.over([0.5.into(), way([-0.1, 0.5])]), 0.0), "at"));
    assert!(parameter(refusal(|string, _, _| string.along(way([0.1, 0.9])), 0.2), "width"));
    let misplaced = |error| matches!(error, Some(CompileError::Place { .. }));
    assert!(misplaced(refusal(|_, plate, _| plate.along(way([0.1, 0.9])), 0.0)));
    assert!(misplaced(refusal(|string, _, _| string.over([0.1.into(), 0.2.into()]), 0.0)));
    assert!(misplaced(refusal(|_, _, mass| mass.along(way([0.1, 0.9])), 0.0)));
    let disc = |way: [Control; 2]| {
        let mut model = Model::new();
        let plate = model.add(Plate { outline: Outline::Disc, ..Plate::steel([0.2, 0.2], 2e-3) });
        model.pulse(plate.over(way), Pulse::default());
        model.compile(RATE).err()
    };
    assert!(misplaced(disc([way([0.5, 0.9]), way([0.5, 0.9])])), "beyond the rim");
    assert_eq!(disc([way([0.0, 1.0]), 0.5.into()]), None);
    let held = |error| matches!(error, Some(CompileError::Immovable { .. }));
    assert!(held(refusal(|string, _, _| string.along(way([0.0, 0.0])), 0.0)));
    assert!(held(refusal(|_, plate, _| plate.over([1.0.into(), way([0.0, 1.0])]), 0.0)));
    assert_eq!(refusal(|string, _, _| string.along(way([0.0, 1.0])), 0.0), None);
}
