//! Blocks of several pickups: the samples of single steps to the last bit, without allocating.

#[path = "models/busy.rs"]
#[allow(dead_code, reason = "only the model, an element and its pickup are needed here")]
mod scene;

use assert_no_alloc::{AllocDisabler, assert_no_alloc};
use percuss::prelude::*;
use scene::{BusyScene, busy};

/// Aborts the test where a block allocates.
#[global_allocator]
static ALLOCATOR: AllocDisabler = AllocDisabler;

const RATE: f64 = 44_100.0;
const SAMPLES: usize = 1000;

fn scene() -> (Simulation, [PickupId; 3]) {
    let BusyScene { mut model, elements, contacts, pickup } = busy(Scheme::Tracked, 5.0);
    let velocity = model.pickup(elements[1].at(0.7), Quantity::Velocity);
    let force = model.force_pickup(contacts[2]);
    (model.compile(RATE).unwrap(), [pickup, velocity, force])
}

fn sample_by_sample() -> [Vec<f64>; 3] {
    let (mut simulation, pickups) = scene();
    let mut samples = [const { Vec::new() }; 3];
    for _ in 0..SAMPLES {
        simulation.step();
        samples.iter_mut().zip(pickups).for_each(|(samples, pickup)| samples.push(simulation.read(pickup)));
    }
    assert!(samples.iter().all(|samples| samples.iter().any(|&sample| sample != 0.0)));
    samples
}

fn assert_same_bits(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    assert!(found.iter().zip(expected).all(|(a, b)| a.to_bits() == b.to_bits()));
}

#[test]
fn blocks_of_any_length_hold_the_samples_of_single_steps() {
    let expected = sample_by_sample();
    for length in [1, 7, 64, 1000] {
        let (mut simulation, pickups) = scene();
        let mut found = [const { Vec::new() }; 3];
        for start in (0..SAMPLES).step_by(length) {
            let mut block = vec![vec![f64::NAN; length.min(SAMPLES - start)]; 3];
            assert_eq!(simulation.process(&pickups, &mut block), block[0].len());
            found.iter_mut().zip(block).for_each(|(found, block): (&mut Vec<f64>, _)| found.extend(block));
        }
        found.iter().zip(&expected).for_each(|(found, expected)| assert_same_bits(found, expected));
    }
}

#[test]
fn blocks_do_not_allocate() {
    let (mut simulation, pickups) = scene();
    let mut block = [[0.0; 64]; 3];
    assert_no_alloc(|| simulation.process(&pickups, &mut block));
    let [one, two, three] = &mut block;
    assert_no_alloc(|| simulation.process(&pickups, &mut [&mut one[..], &mut two[..32], &mut three[..]]));
    assert_eq!(simulation.steps(), 96);
}

#[test]
fn the_shortest_channel_ends_a_block_and_what_has_no_pickup_is_silent() {
    let expected = sample_by_sample();
    let (mut simulation, pickups) = scene();
    let (_, foreign) = scene();
    let mut channels = [9, 5, 7, 6].map(|length| vec![1.0; length]);
    assert_eq!(simulation.process(&[pickups[2], foreign[0], pickups[0]], &mut channels), 5);
    assert_eq!(simulation.steps(), 5);
    assert_same_bits(&channels[0][..5], &expected[2][..5]);
    assert_same_bits(&channels[2][..5], &expected[0][..5]);
    assert!(channels[1] == [0.0; 5] && channels[3][..5] == [0.0; 5]);
    assert!(channels.iter().all(|channel| channel[5..].iter().all(|&sample| sample == 1.0)), "the rest is left");
    assert_eq!(simulation.process::<[f64; 0]>(&pickups, &mut []), 0);
    assert_eq!(simulation.steps(), 5);
}
