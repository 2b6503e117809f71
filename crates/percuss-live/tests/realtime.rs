//! The audio callback never allocates; the buffer size does not change the samples; scenes cross-fade and are freed on
//! another thread.

mod common;

use assert_no_alloc::{AllocDisabler, assert_no_alloc};
use common::{
    CHANNELS, RATE, Rng, SharedBuffer, bits, instrument, player, preset_engine, send_random_command, voices_engine,
};
use percuss_live::session::{SceneSource, Session, SessionWriter, replay};
use percuss_live::{AudioEngine, EngineParts, LedgerMode, Player, Sinks, VIEW_COLUMNS, VIEW_ROWS};
use percuss_scene::instrument::Instrument;
use percuss_scene::presets;

/// Aborts the test if the callback allocates or frees. Checks only with debug assertions, which the test profile has.
#[global_allocator]
static ALLOCATOR: AllocDisabler = AllocDisabler;

#[test]
fn the_callback_never_allocates_with_any_scene_and_command() {
    let mut rng = Rng(1);
    let (mut audible, mut supplied) = (0, 0);
    let presets = presets::all().iter().map(|preset| (preset.name, preset_engine(preset.name, Sinks::default())));
    for (name, mut parts) in presets.chain([("voices", voices_engine())]) {
        let mut buffer = [0.0; 128 * CHANNELS];
        let mut peak = 0.0_f32;
        for _ in 0..40 {
            (0..rng.below(6)).for_each(|_| send_random_command(&parts.handle, &mut rng, 0));
            assert_no_alloc(|| parts.engine.process(&mut buffer));
            parts.collector.collect().unwrap();
            peak = buffer.iter().fold(peak, |peak, sample| peak.max(sample.abs()));
        }
        let reading = parts.meter.read();
        assert!(peak <= 1.0, "{}: {peak}", name);
        audible += usize::from(peak > 0.0);
        supplied += usize::from(reading.supplied != 0.0);
        assert!(reading.worst_residual <= 1e-12, "{}: {reading:?}", name);
        assert_eq!((reading.blocks, reading.samples, reading.nan_resets), (40, 40 * 128, 0), "{}", name);
    }
    // Presets whose pickup is a contact force may have no contact within 0.1 s, and a restart resets the ledger.
    let minimum = presets::all().len() * 3 / 4;
    assert!(audible > minimum && supplied > minimum, "{audible} audible, {supplied} with supplied energy");
}

/// Plays a number of frames; the output is that of these frames, without the delay of the limiter.
fn played(parts: &mut EngineParts, frames: usize) -> Vec<f32> {
    let delay = parts.engine.output_delay();
    let mut samples = vec![0.0; (frames + delay) * CHANNELS];
    parts.engine.process(&mut samples);
    samples.split_off(delay * CHANNELS)
}

/// Plays the same commands in buffers of a size.
fn in_buffers_of(preset: &str, frames: usize) -> Vec<u32> {
    let mut parts = preset_engine(preset, Sinks::default());
    let mut rng = Rng(7);
    let mut time = 0;
    while time < 5000 {
        send_random_command(&parts.handle, &mut rng, time);
        time += rng.below(100) as u64;
    }
    let mut samples = vec![0.0; 5000 * CHANNELS];
    samples.chunks_mut(frames * CHANNELS).for_each(|buffer| parts.engine.process(buffer));
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
fn swapping_scenes_never_allocates_or_frees_in_the_callback() {
    let mut parts = preset_engine("water-gong", Sinks::default());
    let mut rng = Rng(3);
    let mut samples = Vec::new();
    let mut buffer = [0.0; 64 * CHANNELS];
    let names = ["tromba-marina", "hammer-bar", "water-gong"];
    for block in 0..130 {
        if block % 40 == 20 {
            let next = instrument(names[block / 40 % 3]);
            let player = player(&next);
            assert!(parts.handle.swap_scene_at(0, next, player));
        }
        send_random_command(&parts.handle, &mut rng, 0);
        assert_no_alloc(|| parts.engine.process(&mut buffer));
        parts.collector.collect().unwrap();
        samples.extend(buffer.iter().step_by(CHANNELS).copied());
    }
    assert_eq!(parts.handle.active_scene().instrument.scene.name, "Water gong");
    assert!(samples.iter().all(|sample| sample.is_finite()));
}

#[test]
fn initial_and_supplied_energy_is_stored_and_lost() {
    let mut parts = preset_engine("water-gong", Sinks::default());
    let mut rng = Rng(9);
    let mut touched = 0.0_f64;
    for _ in 0..200 {
        send_random_command(&parts.handle, &mut rng, 0);
        parts.engine.process(&mut [0.0; 128 * CHANNELS]);
        parts.collector.collect().unwrap();
        let reading = parts.meter.read();
        let error = reading.initial + reading.supplied + reading.touch_work - reading.stored - reading.dissipated;
        let scale = reading.initial + reading.supplied.abs() + reading.touch_work.abs() + reading.stored;
        assert!(error.abs() <= 1e-10 * scale, "{reading:?}");
        touched = touched.max(reading.touch_work.abs());
    }
    assert!(touched > 0.0, "no touch did any work");
}

#[test]
fn scenes_cross_fade_linearly_in_ten_milliseconds() {
    let mut parts = preset_engine("water-gong", Sinks::default());
    let next = instrument("hammer-bar");
    let player = player(&next);
    assert!(parts.handle.swap_scene_at(100, next, player));
    let samples = played(&mut parts, 2000);
    let expected = played(&mut preset_engine("water-gong", Sinks::default()), 2000);
    assert_eq!(bits(&samples[..100 * CHANNELS]), bits(&expected[..100 * CHANNELS]));
    let crossfade = (0.01 * RATE) as usize;
    let after = played(&mut preset_engine("hammer-bar", Sinks::default()), 1900);
    for n in 1..=crossfade {
        let (left, at) = (1.0 - n as f32 / crossfade as f32, (99 + n) * CHANNELS);
        let mixed = left * expected[at] + (1.0 - left) * after[(n - 1) * CHANNELS];
        assert!((samples[at] - mixed).abs() < 1e-6, "sample {n} of the cross-fade: {}, expected {mixed}", samples[at]);
    }
    let tail = (100 + crossfade) * CHANNELS;
    assert_eq!(
        bits(&samples[tail..]),
        bits(&after[crossfade * CHANNELS..]),
        "after the fade only the new scene is heard"
    );
}

#[test]
fn a_full_queue_drops_commands_until_a_buffer_makes_room() {
    let mut parts = preset_engine("hammer-string", Sinks::default());
    let mut sent = 0;
    while parts.handle.set(0, 0.5) {
        sent += 1;
    }
    assert!(sent >= 10_000 && parts.handle.dropped_commands() == 1, "{sent}");
    let mut buffer = [0.0; 16 * CHANNELS];
    let mut blocks = 0;
    while !parts.handle.set(0, 0.1) {
        parts.engine.process(&mut buffer);
        parts.collector.collect().unwrap();
        blocks += 1;
    }
    assert!(blocks <= 2, "one buffer makes room");
}

#[test]
fn commands_for_a_previous_scene_are_ignored() {
    let mut parts = preset_engine("hammer-string", Sinks::default());
    let before = parts.handle.active_scene();
    let next = instrument("water-gong");
    let player = player(&next);
    assert!(before.instrument.find_target("gong.strike").is_none() && !parts.handle.set_by_name("gong.strike", 1.0));
    assert!(parts.handle.swap_scene_at(0, next, player));
    assert!(parts.handle.set_by_name("gong.strike", 1.0));
    let mut buffer = [0.0; 512 * CHANNELS];
    parts.engine.process(&mut buffer);
    assert!(!parts.handle.set(9999, 1.0));
}

#[test]
fn the_view_shows_the_displacements_of_the_plate() {
    let mut parts = preset_engine("water-gong", Sinks::default());
    assert_eq!(parts.view.rows(), 0);
    let mut buffer = vec![0.0; 4800 * CHANNELS];
    parts.engine.process(&mut buffer);
    assert_eq!(parts.view.rows(), VIEW_ROWS);
    let cells = (0..VIEW_ROWS).flat_map(|row| (0..VIEW_COLUMNS).map(move |column| (column, row)));
    let moving = cells.filter(|&(column, row)| parts.view.at(column, row) != 0.0).count();
    assert!(moving > VIEW_COLUMNS * VIEW_ROWS / 2, "{moving}");
}

/// An engine for a scene whose output is multiplied by a gain, and its session.
fn engine_with_gain(text: &str, gain: f64) -> (EngineParts, SharedBuffer) {
    let scene =
        Instrument::new(&percuss_scene::parse(text, "test.toml").unwrap_or_else(|errors| panic!("{}", errors[0])));
    let player = Player::new(&scene, RATE, CHANNELS, Some(gain), LedgerMode::On).unwrap();
    let file = SharedBuffer::default();
    let mut session = SessionWriter::new(Box::new(file.clone()), RATE, CHANNELS).unwrap();
    let names = scene.targets.iter().map(|target| target.name.clone()).collect();
    session.add_scene(&SceneSource { path: "test.toml".into(), text: text.into() }, gain, names).unwrap();
    let sinks = Sinks { recording: None, session: Some(session) };
    (AudioEngine::build(scene, player, RATE, CHANNELS, sinks), file)
}

/// A string at rest, until it is struck.
const RESTING: &str = "
[[string]]
id = 'string'
length = 0.7
radius = 0.4e-3
tension = 80
[[pickup]]
of = 'string'
at = 0.8
";

#[test]
fn a_scene_that_is_far_too_loud_is_cut_out_and_replays() {
    let (mut parts, file) = engine_with_gain(RESTING, 1e8);
    assert!(parts.handle.set_by_name("string.strike", 1.0));
    let mut output = vec![0.0; 9600 * CHANNELS];
    output.chunks_mut(128 * CHANNELS).for_each(|buffer| {
        parts.engine.process(buffer);
        parts.collector.collect().unwrap();
    });
    let loud = output.iter().rposition(|sample| *sample != 0.0).unwrap() / CHANNELS;
    assert!(loud < (0.05 * RATE) as usize, "silent after {loud} samples");
    assert!(output.iter().all(|sample| sample.abs() < 0.97));
    let reading = parts.meter.read();
    assert!(reading.cut_outs == 1 && reading.limiter_gain < 0.1, "{reading:?}");
    parts.collector.finish(parts.meter.samples()).unwrap();
    let session = Session::parse(&*file.0.lock().unwrap()).unwrap();
    let mut replayed = Vec::new();
    replay(&session, |frames, _| {
        replayed.extend_from_slice(frames);
        Ok(())
    })
    .unwrap();
    assert_eq!(bits(&replayed), bits(&output));
}

#[test]
fn a_scene_at_rest_is_silent_from_its_first_sample_whatever_its_pickup_reads() {
    // A mass that stays at its height.
    let displaced = "
[[mass]]
id = 'mass'
mass = 1.0
position = 0.5
[[pickup]]
of = 'mass'
quantity = 'displacement'
";
    let (mut parts, _) = engine_with_gain(displaced, 1.0);
    assert!(played(&mut parts, 48_000).iter().all(|sample| *sample == 0.0));
}
