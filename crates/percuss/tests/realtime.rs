//! Real time: a step neither allocates nor slows down in silence; blocks, single samples and runs after a reset are
//! the same to the last bit. What a model may not be is in `compile_errors`.

#[path = "models/busy.rs"]
mod scene;

use assert_no_alloc::{AllocDisabler, assert_no_alloc};
use percuss::*;
use scene::{BusyScene, busy};
use std::num::FpCategory;

/// Aborts the test where a step allocates.
#[global_allocator]
static ALLOCATOR: AllocDisabler = AllocDisabler;

const RATE: f64 = 44_100.0;
const SCHEMES: [Scheme; 3] = [Scheme::Plain, Scheme::Tracked, Scheme::Newton];

#[test]
fn steps_do_not_allocate() {
    for scheme in SCHEMES {
        let BusyScene { model, pickup, .. } = busy(scheme, 5.0);
        // A copy: it has only the room that its lists fill.
        let mut sim = model.compile(RATE).unwrap().clone();
        let mut buffer = [0.0; 64];
        assert_no_alloc(|| (0..1000).for_each(|_| sim.step()));
        assert_no_alloc(|| sim.process(&[pickup], &mut [&mut buffer]));
        sim.open_ledger();
        assert_no_alloc(|| (0..1000).for_each(|_| sim.step()));
        sim.close_ledger();
        assert_no_alloc(|| sim.reset());
        assert!(buffer.iter().any(|&sample| sample != 0.0));
    }
}

#[test]
fn plates_under_moving_touches_do_not_allocate() {
    let centre = [Control::Breakpoints { time: vec![0.0, 0.1], value: vec![0.0, 1.0] }, 0.5.into()];
    let hand = Region::Circle { centre, radius: 0.05.into() };
    let picture = Region::Image { width: 5, values: vec![0.5; 25] };
    let touches =
        [hand, picture].map(|region| Touch { region, pressure: 0.7.into(), mass: 3.0, stiffness: 1e5, damping: 90.0 });
    let mut model = Model::new();
    let plate = model.add(Plate { touches: touches.to_vec(), control_interval: 64, ..Plate::steel([0.2, 0.2], 2e-3) });
    let mass = model.add(Mass { velocity: 1.0, ..Mass::default() });
    model.collide(mass.point(), plate.on([0.3, 0.4]), Collision::default());
    model.connect(plate.on([0.35, 0.4]), mass.point(), Connection { play: 1e-4, ..Connection::default() });
    let mut sim = model.compile(RATE).unwrap();
    sim.open_ledger();
    let image = [1.0; 185 * 105];
    assert_no_alloc(|| {
        for n in 0..2000 {
            sim.step();
            if n % 294 == 0 {
                sim.press(plate, 1, 185, &image);
            }
        }
        sim.reset();
    });
}

#[test]
fn plates_that_bend_far_do_not_allocate() {
    for outline in [Outline::Rectangle, Outline::Disc] {
        let touch = Touch { region: Region::Everywhere, pressure: 0.5.into(), mass: 1.0, stiffness: 1e4, damping: 5.0 };
        let mut model = Model::new();
        let plate = model.add(Plate { touches: vec![touch], outline, ..Plate::steel([0.3, 0.3], 1e-3) });
        let stretching = model.stretch_by_bending(plate);
        let mass = model.add(Mass { velocity: 10.0, ..Mass::default() });
        model.collide(mass.point(), plate.on([0.3, 0.4]), Collision::default());
        let mut sim = model.compile(RATE).unwrap();
        assert_no_alloc(|| (0..500).for_each(|_| sim.step()));
        sim.open_ledger();
        assert_no_alloc(|| (0..500).for_each(|_| sim.step()));
        assert!(sim.ledger().unwrap().interactions[stretching.index()].stored > 0.0);
        assert_no_alloc(|| {
            sim.release_from(plate, |[x, y]| 1e-3 * x * y);
            (0..10).for_each(|_| sim.step());
            sim.reset();
        });
    }
}

#[test]
fn every_interaction_of_the_busy_scene_is_busy() {
    for scheme in SCHEMES {
        let BusyScene { model, contacts, .. } = busy(scheme, 5.0);
        let mut sim = model.compile(RATE).unwrap();
        sim.open_ledger();
        (0..4000).for_each(|_| sim.step());
        for contact in contacts {
            let account = sim.ledger().unwrap().interactions[contact.index()];
            assert!(account.impulse > 0.0, "{scheme:?}: {contact:?} never touches");
        }
    }
}

#[test]
fn blocks_samples_resets_and_second_compiles_agree_to_the_last_bit() {
    for scheme in SCHEMES {
        let BusyScene { model, pickup, .. } = busy(scheme, 5.0);
        let mut sim = model.compile(RATE).unwrap();
        let mut whole = vec![0.0; 3000];
        sim.process(&[pickup], &mut [&mut whole]);
        assert!(whole.iter().any(|sample| sample.abs() > 1e-3));

        sim.reset();
        let mut blocks = vec![0.0; 3000];
        blocks.chunks_mut(77).for_each(|block| _ = sim.process(&[pickup], &mut [block]));
        assert_same_bits(&whole, &blocks, "in blocks, after a reset");

        sim.open_ledger();
        sim.reset();
        let single: Vec<f64> = (0..3000)
            .map(|_| {
                sim.step();
                sim.read(pickup)
            })
            .collect();
        assert_same_bits(&whole, &single, "sample by sample, with the ledger open");

        let BusyScene { model, pickup, .. } = busy(scheme, 5.0);
        let mut twin = model.compile(RATE).unwrap();
        let mut again = vec![0.0; 3000];
        twin.process(&[pickup], &mut [&mut again]);
        assert_same_bits(&whole, &again, "compiled again");
    }
}

fn assert_same_bits(a: &[f64], b: &[f64], how: &str) {
    let differ = a.iter().zip(b).position(|(a, b)| a.to_bits() != b.to_bits());
    assert_eq!(differ, None, "{how}: first difference");
}

#[test]
fn ledger_starts_again_after_a_reset() {
    let BusyScene { model, .. } = busy(Scheme::Tracked, 5.0);
    let mut sim = model.compile(RATE).unwrap();
    sim.open_ledger();
    let start = sim.ledger().unwrap().clone();
    (0..500).for_each(|_| sim.step());
    let later = sim.ledger().unwrap().clone();
    sim.reset();
    assert_eq!(sim.ledger().unwrap(), &start);
    (0..500).for_each(|_| sim.step());
    assert_eq!(sim.ledger().unwrap(), &later);
}

#[test]
fn nothing_subnormal_is_left_when_a_scene_has_died_away() {
    for scheme in SCHEMES {
        let BusyScene { model, elements, contacts, .. } = busy(scheme, 500.0);
        let mut sim = model.compile(RATE).unwrap();
        for n in 0..60_000 {
            sim.step();
            // Looked at now and then on the way down, through all orders of magnitude.
            if n % 97 == 0 {
                let states = elements.iter().flat_map(|&e| [sim.displacements(e), sim.increments(e)].concat());
                let stored = contacts.iter().flat_map(|&contact| sim.psi(contact));
                for value in states.chain(stored) {
                    assert!(value.classify() != FpCategory::Subnormal, "{scheme:?}, step {n}: {value:e}");
                }
            }
        }
        for &element in elements.iter().filter(|_| scheme == Scheme::Tracked) {
            // (A `plain` contact may hold on to a string for ever, and under `newton` a spring may stay strained by the rounding of its
            // places, some 1e-19 m.)
            let fastest = sim.increments(element).iter().fold(0.0_f64, |fastest, du| fastest.max(du.abs()));
            assert!(fastest < 1e-100, "{scheme:?}: {element:?} has not died away, {fastest:e} m per step");
        }
    }
}
