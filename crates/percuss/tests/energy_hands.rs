//! Energy: bows of every kind and fingers, still and moving, on strings and plates, with contacts in the same block.

use percuss::*;

const FRICTIONS: [Friction; 3] = [
    Friction::Exponential { sharpness: 100.0 },
    Friction::Stribeck { sliding: 0.3, sticking: 0.8, velocity: 0.1, creep: 1e-3 },
    Friction::Bristle { sliding: 0.3, sticking: 0.8, velocity: 0.1, stiffness: 1e5, damping: 1.0, viscous: 0.05 },
];

fn ramp(from: f64, to: f64, seconds: f64) -> Control {
    Control::Breakpoints { time: vec![0.0, seconds], value: vec![from, to] }
}

/// A long thick string, as of a tromba marina.
fn string() -> StiffString {
    StiffString { length: 1.9, radius: 5e-4, tension: 91.0, sigma0: 0.1, sigma1: 0.05, ..StiffString::default() }
}

fn assert_closed(simulation: &Simulation) {
    let ledger = simulation.ledger().expect("open");
    assert!(ledger.total.worst_relative < 1e-12, "{:?}", ledger.total);
    for account in &ledger.interactions {
        assert!(account.worst_residual < 1e-12 * ledger.total.scale, "{account:?}");
        assert!(account.dissipated >= 0.0);
    }
}

#[test]
fn bows_close_their_account_and_never_lose_less_than_nothing() {
    for friction in FRICTIONS {
        for scheme in [Scheme::Plain, Scheme::Tracked, Scheme::Newton] {
            let mut model = Model::new();
            model.scheme = scheme;
            let string = model.add(string());
            let bridge = model.add(Mass { mass: 1e-3, frequency: 500.0, damping: 0.05, ..Mass::default() });
            let floor = model.add(Barrier::at(0.0));
            // The bow passes over the bridge, so that the two share nodes for a while.
            let bow = Bow { force: ramp(0.05, 1.5, 0.2), velocity: ramp(0.02, 0.3, 0.2), friction };
            let bow = model.bow(string.along(ramp(0.5, 0.9, 0.2)), bow);
            model.connect(
                string.at(0.8),
                bridge.point(),
                Connection { stiffness: 5e6, exponent: 1.3, ..Connection::default() },
            );
            model.collide(
                floor.point(),
                bridge.point(),
                Collision { stiffness: 5e8, exponent: 1.3, gap: 5e-6, ..Collision::default() },
            );
            let mut simulation = model.compile(44_100.0).unwrap();
            simulation.open_ledger();
            let mut dissipated = 0.0;
            for _ in 0..10_000 {
                simulation.step();
                let account = simulation.ledger().unwrap().interactions[bow.index()];
                assert!(account.dissipated >= dissipated, "friction does no work of its own");
                dissipated = account.dissipated;
            }
            let account = simulation.ledger().unwrap().interactions[bow.index()];
            assert!(account.supplied > 1e-6 && account.dissipated > 1e-6, "{account:?}");
            let tolerance = if scheme == Scheme::Newton { 1e-9 } else { 1e-12 };
            let total = simulation.ledger().unwrap().total;
            assert!(total.worst_relative < tolerance, "{friction:?} {scheme:?}: {total:?}");
        }
    }
}

#[test]
fn a_bow_moves_over_a_plate() {
    let mut model = Model::new();
    let plate = model.add(Plate::steel([0.3, 0.2], 1e-3));
    let bow = Bow { force: 2.0.into(), velocity: 0.2.into(), friction: FRICTIONS[1] };
    model.bow(plate.over([ramp(0.0, 1.0, 0.1), 1.0.into()]), bow);
    let mut simulation = model.compile(44_100.0).unwrap();
    simulation.open_ledger();
    (0..6000).for_each(|_| simulation.step());
    assert_closed(&simulation);
}

#[test]
fn a_lifted_bow_and_a_lifted_finger_do_nothing() {
    let ring = |hands: bool, friction: Friction| {
        let mut model = Model::new();
        let string = model.add(StiffString {
            displacement: Shape::Triangle { at: 0.3, height: 1e-3 },
            method: Method::Grid,
            ..string()
        });
        if hands {
            model.bow(string.at(0.2), Bow { force: 0.0.into(), velocity: 0.2.into(), friction });
            model.finger(string.along(ramp(0.1, 0.9, 0.1)), Finger { pressure: 0.0.into(), ..Finger::default() });
        }
        let ear = model.pickup(string.at(0.71), Quantity::Displacement);
        let mut buffer = vec![0.0; 3000];
        model.compile(44_100.0).unwrap().process(&[ear], &mut [&mut buffer]);
        buffer
    };
    for friction in FRICTIONS {
        assert_eq!(ring(true, friction), ring(false, friction));
    }
}

#[test]
fn fingers_that_press_and_slide_close_their_account() {
    let mut model = Model::new();
    let string = model.add(StiffString { displacement: Shape::Triangle { at: 0.3, height: 3e-3 }, ..string() });
    let pressure =
        Control::Breakpoints { time: vec![0.0, 0.01, 0.05, 0.1, 0.12], value: vec![0.0, 1.0, 0.2, 1.0, 0.0] };
    let finger = Finger { pressure, stiffness: 1e4, damping: 2.0 };
    let finger = model.finger(string.along(ramp(0.2, 0.7, 0.1)), finger);
    let mut simulation = model.compile(44_100.0).unwrap();
    simulation.open_ledger();
    (0..8000).for_each(|_| simulation.step());
    assert_closed(&simulation);
    let account = simulation.ledger().unwrap().interactions[finger.index()];
    assert!(account.supplied.abs() > 1e-9 && account.dissipated > 1e-6, "{account:?}");
    assert_eq!(account.stored, 0.0);
}

#[test]
fn a_bow_that_stands_still_only_brakes() {
    let mut model = Model::new();
    let string = model.add(StiffString { displacement: Shape::Triangle { at: 0.3, height: 3e-3 }, ..string() });
    let bow = model.bow(string.at(0.21), Bow { force: 0.5.into(), ..Bow::default() });
    let mut simulation = model.compile(44_100.0).unwrap();
    simulation.open_ledger();
    let start = simulation.ledger().unwrap().total.stored;
    (0..22_050).for_each(|_| simulation.step());
    let ledger = simulation.ledger().unwrap();
    assert_eq!(ledger.interactions[bow.index()].supplied, 0.0);
    assert!(ledger.total.stored < 0.5 * start, "{:?}", ledger.total);
    assert_closed(&simulation);
}

#[test]
fn a_finger_that_leaves_takes_along_what_it_holds() {
    let mut model = Model::new();
    let string = model.add(StiffString { displacement: Shape::Triangle { at: 0.3, height: 3e-3 }, ..string() });
    let bow = Bow { force: 0.2.into(), velocity: 0.1.into(), ..Bow::default() };
    // The moving bow shares a block with the finger.
    model.bow(string.along(ramp(0.2, 0.3, 0.1)), bow);
    for seconds in [0.02, 0.05, 0.0501] {
        let finger = Finger { pressure: ramp(1.0, 0.0, seconds), stiffness: 1e4, damping: 2.0 };
        model.finger(string.at(0.5 + seconds), finger);
    }
    let mut simulation = model.compile(44_100.0).unwrap();
    simulation.open_ledger();
    (0..4000).for_each(|_| simulation.step());
    assert_closed(&simulation);
}
