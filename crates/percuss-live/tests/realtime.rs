//! The audio callback: it never allocates, whatever is played; buffers of any size give the same samples; scenes change
//! without a jump and are freed elsewhere.

mod common;

use assert_no_alloc::{AllocDisabler, assert_no_alloc};
use common::{CHANNELS, Chance, RATE, bits, instrument, meddle, player, stage, voices_on_stage};
use percuss_live::{COLUMNS, Outlets, ROWS};
use percuss_scene::presets;

/// Aborts the test where the callback allocates or frees. Checks only with debug assertions, which the test profile has.
#[global_allocator]
static ALLOCATOR: AllocDisabler = AllocDisabler;

#[test]
fn the_callback_never_allocates_whatever_is_played_on_whatever_scene() {
    let mut chance = Chance(1);
    let (mut audible, mut worked) = (0, 0);
    let presets = presets::all().iter().map(|preset| (preset.name, stage(preset.name, Outlets::default())));
    for (name, mut rig) in presets.chain([("voices", voices_on_stage())]) {
        let mut buffer = [0.0; 128 * CHANNELS];
        let mut loudest = 0.0_f32;
        for _ in 0..40 {
            (0..chance.below(6)).for_each(|_| meddle(&rig.controls, &mut chance, 0));
            assert_no_alloc(|| rig.engine.process(&mut buffer));
            rig.housekeeper.clear().unwrap();
            loudest = buffer.iter().fold(loudest, |most, sample| most.max(sample.abs()));
        }
        let reading = rig.meter.read();
        assert!(loudest <= 1.0, "{}: {loudest}", name);
        audible += usize::from(loudest > 0.0);
        worked += usize::from(reading.supplied != 0.0);
        assert!(reading.residual <= 1e-12, "{}: {reading:?}", name);
        assert_eq!((reading.blocks, reading.samples, reading.rescues), (40, 40 * 128, 0), "{}", name);
    }
    // Where only the force of a contact is heard, a tenth of a second may be too short for one; and some start again
    // just before the end, with a new account.
    let most = presets::all().len() * 3 / 4;
    assert!(audible > most && worked > most, "{audible} were heard, {worked} worked on");
}

/// Plays the same events in buffers of a size.
fn in_buffers_of(preset: &str, frames: usize) -> Vec<u32> {
    let mut rig = stage(preset, Outlets::default());
    let mut chance = Chance(7);
    let mut time = 0;
    while time < 5000 {
        meddle(&rig.controls, &mut chance, time);
        time += chance.below(100) as u64;
    }
    let mut samples = vec![0.0; 5000 * CHANNELS];
    samples.chunks_mut(frames * CHANNELS).for_each(|buffer| rig.engine.process(buffer));
    bits(&samples)
}

#[test]
fn buffers_of_any_size_give_the_same_samples() {
    for preset in ["tromba-marina", "water-gong", "hammer-string"] {
        let whole = in_buffers_of(preset, 5000);
        assert!(whole.iter().any(|&sample| f32::from_bits(sample).abs() > 1e-3), "{preset} is silent");
        for frames in [1, 17, 64, 512] {
            assert_eq!(in_buffers_of(preset, frames), whole, "{preset} in buffers of {frames}");
        }
    }
}

#[test]
fn scenes_change_while_all_is_played_and_are_freed_elsewhere() {
    let mut rig = stage("water-gong", Outlets::default());
    let mut chance = Chance(3);
    let mut samples = Vec::new();
    let mut buffer = [0.0; 64 * CHANNELS];
    let names = ["tromba-marina", "hammer-bar", "water-gong"];
    for block in 0..130 {
        if block % 40 == 20 {
            let next = instrument(names[block / 40 % 3]);
            let player = player(&next);
            assert!(rig.controls.swap_at(0, next, player));
        }
        meddle(&rig.controls, &mut chance, 0);
        assert_no_alloc(|| rig.engine.process(&mut buffer));
        rig.housekeeper.clear().unwrap();
        samples.extend(buffer.iter().step_by(CHANNELS).copied());
    }
    assert_eq!(rig.controls.stage().instrument.scene.name, "Water gong");
    assert!(samples.iter().all(|sample| sample.is_finite()));
}

#[test]
fn two_scenes_cross_within_ten_milliseconds() {
    let mut rig = stage("water-gong", Outlets::default());
    let next = instrument("tromba-marina");
    let player = player(&next);
    assert!(rig.controls.swap_at(100, next, player));
    let mut samples = vec![0.0; 2000 * CHANNELS];
    rig.engine.process(&mut samples);
    let mut alone = stage("water-gong", Outlets::default());
    let mut expected = vec![0.0; 2000 * CHANNELS];
    alone.engine.process(&mut expected);
    assert_eq!(bits(&samples[..100 * CHANNELS]), bits(&expected[..100 * CHANNELS]));
    let crossing = (0.01 * RATE) as usize;
    let mut other = stage("tromba-marina", Outlets::default());
    let mut after = vec![0.0; 1900 * CHANNELS];
    other.engine.process(&mut after);
    for n in 1..=crossing {
        let (left, at) = (1.0 - n as f32 / crossing as f32, (99 + n) * CHANNELS);
        let mixed = left * expected[at] + (1.0 - left) * after[(n - 1) * CHANNELS];
        assert!((samples[at] - mixed).abs() < 1e-6, "sample {n} of the crossing: {} not {mixed}", samples[at]);
    }
    let tail = (100 + crossing) * CHANNELS;
    assert_eq!(bits(&samples[tail..]), bits(&after[crossing * CHANNELS..]), "after the fade only the new one is heard");
}

#[test]
fn a_flood_is_worked_off_in_portions_and_nothing_is_lost_that_fits() {
    let mut rig = stage("hammer-string", Outlets::default());
    let mut sent = 0;
    while rig.controls.set(0, 0.5) {
        sent += 1;
    }
    assert!(sent >= 10_000 && rig.controls.lost() == 1, "{sent}");
    let mut buffer = [0.0; 16 * CHANNELS];
    let mut blocks = 0;
    while !rig.controls.set(0, 0.1) {
        rig.engine.process(&mut buffer);
        rig.housekeeper.clear().unwrap();
        blocks += 1;
    }
    assert!(blocks <= 2, "a buffer makes room");
}

#[test]
fn what_came_for_a_scene_that_is_gone_is_ignored() {
    let mut rig = stage("hammer-string", Outlets::default());
    let before = rig.controls.stage();
    let next = instrument("water-gong");
    let player = player(&next);
    assert!(before.instrument.find_target("gong.strike").is_none() && !rig.controls.set_named("gong.strike", 1.0));
    assert!(rig.controls.swap_at(0, next, player));
    assert!(rig.controls.set_named("gong.strike", 1.0));
    let mut buffer = [0.0; 512 * CHANNELS];
    rig.engine.process(&mut buffer);
    assert!(!rig.controls.set(9999, 1.0));
}

#[test]
fn the_picture_moves_with_the_plate() {
    let mut rig = stage("water-gong", Outlets::default());
    assert_eq!(rig.view.rows(), 0);
    let mut buffer = vec![0.0; 4800 * CHANNELS];
    rig.engine.process(&mut buffer);
    assert_eq!(rig.view.rows(), ROWS);
    let cells = (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (column, row)));
    let moving = cells.filter(|&(column, row)| rig.view.at(column, row) != 0.0).count();
    assert!(moving > COLUMNS * ROWS / 2, "{moving}");
}
