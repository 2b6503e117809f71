//! A touched plate is stepped in several ways, of which the account and its size decide: all give the same samples.

use percuss::*;

const RATE: f64 = 44_100.0;

/// A struck plate under some touches, and where it is listened to.
fn pressed(intervals: [usize; 2], edge: Edge, touches: &[Region]) -> (Model, Pickup) {
    let mut model = Model::new();
    let plate = model.add(Plate {
        grid: Some(intervals),
        edges: [edge; 4],
        control_interval: 16,
        ..Plate::steel(intervals.map(|count| 0.02 * count as f64), 1e-3)
    });
    model.pulse(plate.on([0.4, 0.6]), Pulse { peak: 30.0, ..Pulse::default() });
    for region in touches {
        let pressure = Control::Breakpoints { time: vec![0.0, 0.004, 0.01], value: vec![0.0, 1.0, 0.3] };
        let region = region.clone();
        model.touch(plate, Touch { region, pressure, mass: 3.0, stiffness: 1e6, damping: 20.0 });
    }
    let heard = model.pickup(plate.on([0.45, 0.5]), Quantity::Velocity);
    (model, heard)
}

/// Samples without an account, and how far those with one are off, as a share of the loudest.
fn difference(model: &Model, heard: Pickup) -> f64 {
    let mut plain = model.compile(RATE).unwrap();
    let mut booked = plain.clone();
    booked.open_ledger();
    let [mut samples, mut others] = [[0.0; 600]; 2];
    plain.fill(heard, &mut samples);
    booked.fill(heard, &mut others);
    assert!(booked.ledger().unwrap().total.worst_relative < 1e-12, "the account has to close");
    let loudest = samples.iter().fold(0.0_f64, |loudest, x| loudest.max(x.abs()));
    assert!(loudest > 1e-3, "there was something to hear: {loudest}");
    samples.iter().zip(others).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / loudest
}

/// A hand that moves across the plate and back over its edge.
fn hand() -> Region {
    let line = |from: f64, to: f64| Control::Breakpoints { time: vec![0.0, 0.012], value: vec![from, to] };
    Region::Circle { centre: [line(0.1, 1.0), line(0.9, 0.2)], radius: 0.3.into() }
}

#[test]
fn plates_of_all_sizes_are_pressed_alike_with_and_without_an_account() {
    for intervals in [[20, 17], [30, 9], [61, 61], [99, 97]] {
        for edge in [Edge::SimplySupported, Edge::Clamped, Edge::Free] {
            for touches in [vec![Region::Everywhere], vec![hand()], vec![hand(), Region::Everywhere]] {
                let (model, heard) = pressed(intervals, edge, &touches);
                let found = difference(&model, heard);
                assert!(found < 1e-12, "{intervals:?} {edge:?} {} touches: off by {found:e}", touches.len());
            }
        }
    }
}
