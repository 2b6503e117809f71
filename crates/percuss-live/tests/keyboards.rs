//! Presets with keys: every key in tune, and as loud as the others.
//!
//! `PERCUSS_ALL_KEYS=1` plays all keys, else every fifth.

mod common;

use common::{CHANNELS, RATE};
use percuss::Element;
use percuss_live::midi::MidiHandler;
use percuss_live::{AudioEngine, LedgerMode, Player, Sinks};
use percuss_scene::instrument::{Instrument, Keyboard};
use percuss_scene::presets;
use std::f64::consts::TAU;

/// Velocity at which presets have their level.
const VELOCITY: u8 = 100;
/// Velocity of a soft note.
const SOFT_VELOCITY: u8 = 5;
/// Levels of a note at that velocity \[dBFS\].
const LEVELS: [f64; 2] = [-12.0, -6.0];
/// Largest deviation from the pitch of a key \[cents\].
const INTONATION: f64 = 3.0;
/// Start of the part of a note whose pitch is measured, and its length \[s\].
const ATTACK: f64 = 0.1;
const MEASURED: f64 = 0.5;
/// Its length in periods for bells and bowls, whose modes come in pairs a few cents apart: so many that the pairs are resolved.
const PERIODS_OF_PAIRS: f64 = 500.0;

/// Pitch and level of a note.
struct Note {
    /// From the pitch of the key \[cents\].
    cents: f64,
    /// \[dBFS\].
    peak: f64,
}

/// Plays every key of a keyboard alone; returns what it sounds like.
fn play_every_key(instrument: &Instrument, keyboard: &Keyboard) -> Vec<Note> {
    let player = Player::new(instrument, RATE, CHANNELS, None, LedgerMode::Off).expect("a player");
    let mut parts = AudioEngine::build(instrument.clone(), player, RATE, CHANNELS, Sinks::default());
    let mut midi = MidiHandler::new(parts.handle.clone());
    let restart = instrument.find_target("restart").unwrap();
    let [lowest, highest] = keyboard.keys();
    let has_pairs = instrument.scene.model.elements().iter().any(|element| matches!(element, Element::Modal(_)));
    let is_stretched = instrument.scene.interaction_names.iter().any(|name| name.ends_with(".tension"));
    let mut notes = Vec::new();
    // Every key takes minutes.
    let step = if std::env::var_os("PERCUSS_ALL_KEYS").is_some() { 1 } else { 5 };
    for key in (lowest..=highest).step_by(step) {
        let expected = keyboard.frequency(usize::from(key - lowest));
        let measured = if has_pairs { MEASURED.max(PERIODS_OF_PAIRS / expected) } else { MEASURED };
        let mut play = |velocity: u8| {
            assert!(midi.handle_message(&[0x90, key, velocity]));
            let mut samples = vec![0.0; ((ATTACK + measured) * RATE) as usize * CHANNELS];
            parts.engine.process(&mut samples);
            assert!(parts.handle.set(restart, 1.0));
            parts.engine.process(&mut vec![0.0; (0.05 * RATE) as usize * CHANNELS]);
            parts.collector.collect().unwrap();
            samples
        };
        let samples = play(VELOCITY);
        let peak = samples.iter().fold(0.0_f32, |peak, sample| peak.max(sample.abs()));
        // A string that its own motion stretches has its pitch where it is played softly.
        let soft = is_stretched.then(|| play(SOFT_VELOCITY));
        let frames = soft.as_ref().unwrap_or(&samples).chunks(CHANNELS);
        let mono: Vec<f64> = frames.map(|frame| frame.iter().map(|&s| f64::from(s)).sum()).collect();
        let found = loudest_near(&mono[(ATTACK * RATE) as usize..], expected);
        notes.push(Note { cents: 1200.0 * (found / expected).log2(), peak: 20.0 * f64::from(peak).log10() });
    }
    notes
}

/// Frequency of the largest value of the spectrum within a semitone of a frequency \[Hz\].
fn loudest_near(samples: &[f64], frequency: f64) -> f64 {
    let length = samples.len() as f64;
    let windowed: Vec<f64> = samples
        .iter()
        .enumerate()
        .map(|(n, sample)| sample * (std::f64::consts::PI * n as f64 / length).sin().powi(2))
        .collect();
    let power = |cents: f64| {
        let (sine, cosine) = (TAU * frequency * (cents / 1200.0).exp2() / RATE).sin_cos();
        // Rotates a phasor from sample to sample.
        let (mut re, mut im, mut x, mut y) = (0.0, 0.0, 1.0, 0.0);
        for sample in &windowed {
            (re, im) = (re + sample * x, im + sample * y);
            (x, y) = (x * cosine - y * sine, x * sine + y * cosine);
        }
        re * re + im * im
    };
    let mut best = (-100..=100).step_by(5).map(f64::from).max_by(|&a, &b| power(a).total_cmp(&power(b))).unwrap();
    let mut step = 5.0;
    while step > 0.02 {
        step *= 0.5;
        best = [best - step, best, best + step].into_iter().max_by(|&a, &b| power(a).total_cmp(&power(b))).unwrap();
    }
    frequency * (best / 1200.0).exp2()
}

#[test]
fn every_key_is_in_tune_and_as_loud_as_the_others() {
    let only = std::env::var("PERCUSS_PRESET").ok();
    let mut failures = Vec::new();
    let mut keyboards = 0;
    for preset in presets::all().iter().filter(|preset| only.as_ref().is_none_or(|only| only == preset.name)) {
        let scene = percuss_scene::parse(preset.text, preset.name).unwrap_or_else(|errors| panic!("{}", errors[0]));
        let instrument = Instrument::new(&scene);
        let Some(keyboard) = instrument.scene.keyboard.clone() else { continue };
        keyboards += 1;
        let started = std::time::Instant::now();
        let notes = play_every_key(&instrument, &keyboard);
        let extreme = |value: fn(&Note) -> f64| {
            let values = notes.iter().map(value);
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], value| [least.min(value), most.max(value)])
        };
        let (cents, peaks) = (extreme(|note| note.cents), extreme(|note| note.peak));
        println!("{:20} {cents:+6.2?} cents  {peaks:6.1?} dBFS  {:.1} s", preset.name, started.elapsed().as_secs_f64());
        let is_in_tune = cents.iter().all(|cents| cents.abs() < INTONATION);
        let is_level = peaks[0] > LEVELS[0] && peaks[1] < LEVELS[1];
        if !is_in_tune || !is_level {
            let list = notes.iter().map(|note| format!("{:+.1} c {:.1} dB", note.cents, note.peak));
            failures.push(format!("{}: {}", preset.name, list.collect::<Vec<_>>().join(", ")));
        }
    }
    assert!(keyboards > 0 && failures.is_empty(), "{}", failures.join("\n"));
}
