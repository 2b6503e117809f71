//! Strings that lie along a line on a plate or membrane.

use percuss::*;

const RATE: f64 = 44_100.0;
const ENDS: [[f64; 2]; 2] = [[0.21, 0.4], [0.77, 0.62]];

fn head() -> Plate {
    Plate { grid: Some([24, 24]), outline: Outline::Disc, ..Plate::membrane([0.35; 2], 0.3, 3000.0) }
}

fn wire() -> StiffString {
    let displacement = Shape::Triangle { at: 0.4, height: -2e-3 };
    let string =
        StiffString { length: 0.2, radius: 1e-3, density: 4000.0, youngs_modulus: 0.0, ..StiffString::default() };
    StiffString { tension: 40.0, grid: Some(25), displacement, ..string }
}

fn law() -> Collision {
    Collision { stiffness: 1e8, exponent: 1.5, loss: 0.3, gap: 1e-4 }
}

fn run(model: &Model) -> Simulation {
    let mut simulation = model.compile(RATE).unwrap();
    simulation.open_ledger();
    (0..4000).for_each(|_| simulation.step());
    let ledger = simulation.ledger().unwrap();
    assert!(ledger.total.worst_relative < 1e-12 && ledger.total.dissipated > 0.0, "{:?}", ledger.total);
    assert!(ledger.interactions.iter().all(|account| account.adhesive_impulse == 0.0));
    assert!(ledger.interactions.iter().any(|account| account.hits > 0));
    simulation
}

/// Node by node, with the length of its cell.
#[test]
fn a_line_contact_is_a_row_of_contacts() {
    for wire_is_below in [true, false] {
        let bodies = |model: &mut Model| [model.add(wire()), model.add(head())];
        let law = if wire_is_below { law() } else { Collision { gap: -1e-4, ..law() } };
        let mut along = Model::new();
        let [wire, head] = bodies(&mut along);
        let [below, above] = if wire_is_below { [wire, head] } else { [head, wire] };
        along.collide_on_line(below, above, ENDS, law);
        let found = run(&along);

        let mut points = Model::new();
        let [own_wire, own_head] = bodies(&mut points);
        for node in 1..25 {
            let at = f64::from(node) / 25.0;
            let place = [0, 1].map(|axis| ENDS[0][axis] + at * (ENDS[1][axis] - ENDS[0][axis]));
            let [below, above] = [own_wire.at(at), own_head.on(place)];
            let [below, above] = if wire_is_below { [below, above] } else { [above, below] };
            points.collide(below, above, Collision { stiffness: law.stiffness * 0.2 / 25.0, ..law });
        }
        let expected = run(&points);
        for (own, other) in [(wire, own_wire), (head, own_head)] {
            let [found, expected] = [found.displacements(own), expected.displacements(other)];
            assert!(found.iter().any(|u| u.abs() > 1e-6));
            for (found, expected) in found.iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-12, "{found} m, not {expected}");
            }
        }
    }
}

#[test]
fn lines_that_cannot_be_are_refused() {
    let error = |ends: Option<[[f64; 2]; 2]>, parts: fn(&mut Model) -> [ElementId; 2]| {
        let mut model = Model::new();
        let [below, above] = parts(&mut model);
        match ends {
            Some(ends) => model.collide_on_line(below, above, ends, law()),
            None => model.collide_along(below, above, law()),
        };
        model.compile(RATE).map(drop)
    };
    let wire_and_head = |model: &mut Model| [model.add(wire()), model.add(head())];
    assert_eq!(error(Some(ENDS), wire_and_head), Ok(()));
    for ends in [[[f64::NAN, 0.5], [0.5; 2]], [[0.5; 2], [1.2, 0.5]], [[0.5; 2], [0.05, 0.05]]] {
        assert!(error(Some(ends), wire_and_head).is_err(), "{ends:?}");
    }
    let refused =
        |found: Result<(), CompileError>| assert!(matches!(found, Err(CompileError::Place { .. })), "{found:?}");
    refused(error(None, wire_and_head));
    refused(error(Some(ENDS), |model| [model.add(head()), model.add(head())]));
    refused(error(Some(ENDS), |model| [model.add(Barrier::at(0.0)), model.add(head())]));
    refused(error(Some(ENDS), |model| [model.add(wire()), model.add(wire())]));
    refused(error(Some(ENDS), |model| [model.add(Mass::default()), model.add(head())]));
}
