//! Random gestures within their ranges, up to thirty a second, on every preset: the output stays below full scale, what comes to the
//! limiter is not above its threshold for long, and no scene holds more energy than it was given.
//!
//! `PERCUSS_GESTURE_SECONDS=60` plays each preset for a minute.

mod common;

use common::{CHANNELS, RATE, Rng, instrument};
use percuss_live::{AudioEngine, LedgerMode, Player, Sinks};
use percuss_scene::instrument::{ControlTarget, TargetAction};
use percuss_scene::presets;

/// Frames between two looks at the meter: 10 ms.
const BUFFER: usize = 480;
/// Largest number of gestures per second.
const GESTURES_PER_SECOND: f64 = 30.0;
/// Threshold of the limiter, −0.3 dBFS.
const THRESHOLD: f64 = 0.966;
/// Buffers in a row that may come to the limiter above its threshold: 50 ms.
const MOST_LOUD_BUFFERS: u32 = 5;

/// Loudest sample, longest run of buffers above the threshold, and largest energy held over energy given.
fn play_at_random(name: &str, seconds: f64, seed: u64) -> (f32, u32, f64) {
    let instrument = instrument(name);
    let player = Player::new(&instrument, RATE, CHANNELS, None, LedgerMode::On).expect("a player");
    let mut parts = AudioEngine::build(instrument, player, RATE, CHANNELS, Sinks::default());
    let scene = parts.handle.active_scene();
    // The mixer's gains are no gestures, and a restart would end what the others began.
    let is_gesture = |target: &ControlTarget| {
        matches!(
            target.action,
            TargetAction::Param(_)
                | TargetAction::Strike(_)
                | TargetAction::Blow(_)
                | TargetAction::Bend
                | TargetAction::Vibrato
        )
    };
    let targets: Vec<usize> =
        (0..scene.instrument.targets.len()).filter(|&index| is_gesture(&scene.instrument.targets[index])).collect();
    let mut rng = Rng(seed);
    let (mut loudest, mut longest, mut run, mut most_energy) = (0.0_f32, 0, 0, 0.0_f64);
    let mut given = 0.0_f64;
    for _ in 0..(seconds * RATE) as usize / BUFFER {
        if rng.uniform() < GESTURES_PER_SECOND * BUFFER as f64 / RATE {
            let target = targets[rng.below(targets.len())];
            let [min, max] = scene.instrument.targets[target].range;
            parts.handle.set(target, min + rng.uniform() * (max - min));
        }
        let mut samples = vec![0.0; BUFFER * CHANNELS];
        parts.engine.process(&mut samples);
        parts.collector.collect().unwrap();
        loudest = samples.iter().fold(loudest, |loudest, sample| loudest.max(sample.abs()));
        let reading = parts.meter.read();
        run = if reading.peaks.iter().any(|&peak| peak > THRESHOLD) { run + 1 } else { 0 };
        longest = longest.max(run);
        given = given.max(reading.initial + reading.supplied);
        most_energy = most_energy.max((reading.stored - 1e-12) / given.max(f64::MIN_POSITIVE));
        assert_eq!((reading.nan_resets, reading.cut_outs), (0, 0), "{name}");
    }
    (loudest, longest, most_energy)
}

#[test]
fn random_gestures_are_neither_too_loud_nor_do_they_pump() {
    let seconds = std::env::var("PERCUSS_GESTURE_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1.5);
    let only = std::env::var("PERCUSS_PRESET").ok();
    let mut failures = Vec::new();
    for (seed, preset) in presets::all().iter().enumerate() {
        if only.as_ref().is_some_and(|only| only != preset.name) {
            continue;
        }
        let (loudest, longest, energy) = play_at_random(preset.name, seconds, seed as u64);
        let line = format!(
            "{}: {loudest:.3} of full scale, {} ms at the limiter, holds {energy:.3}",
            preset.name,
            10 * longest
        );
        println!("{line}");
        if loudest >= 1.0 || longest > MOST_LOUD_BUFFERS || energy > 1.0 + 1e-9 {
            failures.push(line);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
