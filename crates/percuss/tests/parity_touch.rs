//! A touched plate is stepped in several ways, of which its size and its touches decide: all give the same samples.

use percuss::*;

const RATE: f64 = 44_100.0;

/// A struck plate under touches with parts of a load, and where it is listened to.
fn pressed(intervals: [usize; 2], edge: Edge, region: &Region, parts: &[f64]) -> (Simulation, PickupId) {
    let mut model = Model::new();
    let plate = model.add(Plate {
        grid: Some(intervals),
        edges: [edge; 4],
        control_interval: 16,
        ..Plate::steel(intervals.map(|count| 0.02 * count as f64), 1e-3)
    });
    model.pulse(plate.on([0.4, 0.6]), Pulse { peak: 30.0, ..Pulse::default() });
    for part in parts {
        let pressure = Control::Breakpoints { time: vec![0.0, 0.004, 0.01], value: vec![0.0, 1.0, 0.3] };
        let [mass, stiffness, damping] = [3.0, 1e6, 20.0].map(|strength| part * strength);
        model.touch(plate, Touch { region: region.clone(), pressure, mass, stiffness, damping }).unwrap();
    }
    let heard = model.pickup(plate.on([0.45, 0.5]), Quantity::Velocity);
    (model.compile(RATE).unwrap(), heard)
}

fn samples((mut simulation, heard): (Simulation, PickupId)) -> Vec<f64> {
    let mut samples = vec![0.0; 600];
    simulation.process(&[heard], &mut [&mut samples]);
    if let Some(ledger) = simulation.ledger() {
        assert!(ledger.total.worst_relative < 1e-12, "the account has to close");
    }
    samples
}

/// A hand that moves across the plate and over its edge.
fn hand() -> Region {
    let line = |from: f64, to: f64| Control::Breakpoints { time: vec![0.0, 0.012], value: vec![from, to] };
    Region::Circle { centre: [line(0.1, 1.0), line(0.9, 0.2)], radius: 0.3.into() }
}

#[test]
fn a_touch_in_two_parts_and_an_account_make_no_difference_on_plates_of_any_size() {
    for intervals in [[20, 17], [30, 9], [61, 61], [131, 45], [401, 250]] {
        for edge in [Edge::SimplySupported, Edge::Clamped, Edge::Free] {
            // The rim of a bed depends on its stiffness, so that parts of a touch with a rim are all of it and nothing.
            for (region, parts) in [(Region::Everywhere, [0.5, 0.5]), (hand(), [1.0, 0.0])] {
                let plain = samples(pressed(intervals, edge, &region, &[1.0]));
                let (mut booked, heard) = pressed(intervals, edge, &region, &[1.0]);
                booked.open_ledger();
                let others = [samples((booked, heard)), samples(pressed(intervals, edge, &region, &parts))];
                let loudest = plain.iter().fold(0.0_f64, |loudest, x| loudest.max(x.abs()));
                assert!(loudest > 1e-3, "there was something to hear: {loudest}");
                for (way, other) in others.iter().enumerate() {
                    let off = plain.iter().zip(other).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / loudest;
                    assert!(off < 1e-12, "{intervals:?} {edge:?} {region:?}, way {way}: off by {off:e}");
                }
            }
        }
    }
}
