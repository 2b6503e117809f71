//! Scenes with keys: which copies sound, how they make way and rest, bends, wheels, sessions.

mod common;

use common::{CHANNELS, RATE, SharedBuffer, bits};
use percuss_live::midi::MidiHandler;
use percuss_live::session::{EventKind, SceneSource, Session, SessionWriter, replay};
use percuss_live::{AudioEngine, EngineParts, LedgerMode, Player, Sinks};
use percuss_scene::instrument::Instrument;

/// A string for every key, plucked, with a hand; two may sound.
const KEYS: &str = r#"
[[string]]
id = "string"
length = 0.6
radius = 2e-4
pitch = "A3"
material = "steel"
t60 = 0.4

[[pluck]]
only = "render"
of = "string"
at = 0.2
force = 1.0

[[pluck]]
only = "live"
id = "thumb"
of = "string"
at = 0.2
time = []
force = 1.0
duration = 2e-3

[[finger]]
only = "live"
id = "hand"
of = "string"
at = 0.45
pressure = 0
stiffness = 1000
damping = 5

[[pickup]]
of = "string"
at = 0.8

[voice]
count = 2
keys = ["A3", "E4"]
pitch = "A3"

[[mapping]]
midi.message = "velocity"
target = "thumb.pluck"
range = [0.0, 1.0]

[[mapping]]
midi.message = "release"
target = "hand.pressure"
"#;
const LOWEST: u8 = 57;

fn engine(sinks: Sinks) -> (EngineParts, MidiHandler) {
    let scene = percuss_scene::parse(KEYS, "keys.toml").unwrap_or_else(|errors| panic!("{}", errors[0]));
    let instrument = Instrument::new(&scene);
    let player = Player::new(&instrument, RATE, CHANNELS, Some(0.2), LedgerMode::On).unwrap();
    let parts = AudioEngine::build(instrument, player, RATE, CHANNELS, sinks);
    let midi = MidiHandler::new(parts.handle.clone());
    (parts, midi)
}

/// Plays for a time \[s\]; returns the left channel.
fn play(parts: &mut EngineParts, seconds: f64) -> Vec<f32> {
    let mut samples = vec![0.0; (seconds * RATE) as usize * CHANNELS];
    parts.engine.process(&mut samples);
    parts.collector.collect().unwrap();
    samples.chunks(CHANNELS).map(|frame| frame[0]).collect()
}

fn peak(samples: &[f32]) -> f32 {
    samples.iter().fold(0.0, |peak, sample| peak.max(sample.abs()))
}

/// Frequency by the upward zero crossings of the first partial \[Hz\].
fn frequency(samples: &[f32], expected: f64) -> f64 {
    let power = |frequency: f64| {
        let step = std::f64::consts::TAU * frequency / RATE;
        let window = |n: usize| (std::f64::consts::PI * n as f64 / samples.len() as f64).sin().powi(2);
        let sums = samples.iter().enumerate().fold((0.0, 0.0), |(re, im), (n, &sample)| {
            let value = f64::from(sample) * window(n);
            (re + value * (step * n as f64).cos(), im + value * (step * n as f64).sin())
        });
        sums.0.hypot(sums.1)
    };
    let cents = (-120..=120).map(|cents| expected * 2_f64.powf(f64::from(cents) / 1200.0));
    cents.max_by(|&a, &b| power(a).total_cmp(&power(b))).unwrap()
}

fn cents(from: f64, to: f64) -> f64 {
    1200.0 * (to / from).log2()
}

#[test]
fn a_scene_with_keys_is_silent_until_a_key_is_played_and_other_keys_do_nothing() {
    let (mut parts, mut midi) = engine(Sinks::default());
    assert_eq!(peak(&play(&mut parts, 0.2)), 0.0, "what is for rendering does not sound");
    assert!(!midi.handle_message(&[0x90, LOWEST - 1, 100]) && !midi.handle_message(&[0x90, LOWEST + 8, 100]));
    // Pedals and wheels without a note, neither.
    midi.handle_message(&[0xB0, 64, 127]);
    midi.handle_message(&[0xE0, 0, 0]);
    assert_eq!(peak(&play(&mut parts, 0.2)), 0.0);
    assert!(midi.handle_message(&[0x90, LOWEST, 100]));
    assert!(peak(&play(&mut parts, 0.2)) > 0.01);
}

#[test]
fn the_release_of_a_key_damps_its_note_and_the_pedal_does_not() {
    let tail = |messages: &[&[u8]]| {
        let (mut parts, mut midi) = engine(Sinks::default());
        messages[..messages.len() - 1]
            .iter()
            .for_each(|message| assert!(midi.handle_message(message) || message[0] == 0xB0));
        play(&mut parts, 0.05);
        midi.handle_message(messages[messages.len() - 1]);
        play(&mut parts, 0.1);
        peak(&play(&mut parts, 0.05))
    };
    let (on, off): (&[u8], &[u8]) = (&[0x90, LOWEST, 100], &[0x80, LOWEST, 0]);
    let (held, damped, pedalled) = (tail(&[on, &[0xB0, 7, 1]]), tail(&[on, off]), tail(&[&[0xB0, 64, 127], on, off]));
    assert!(damped < 0.05 * held && pedalled == held, "{held} {damped} {pedalled}");
}

#[test]
fn bends_move_the_pitch_by_their_interval_also_of_notes_that_follow() {
    let pitch = |before: &[&[u8]], after: &[&[u8]]| {
        let (mut parts, mut midi) = engine(Sinks::default());
        before.iter().for_each(|message| _ = midi.handle_message(message));
        assert!(midi.handle_message(&[0x90, LOWEST, 100]));
        after.iter().for_each(|message| _ = midi.handle_message(message));
        play(&mut parts, 0.05);
        frequency(&play(&mut parts, 0.25), 220.0 * 2_f64.powf(bend_of(before, after) / 12.0))
    };
    let (up, down, other): (&[u8], &[u8], &[u8]) = (&[0xE0, 127, 127], &[0xE0, 0, 0], &[0xE1, 127, 127]);
    for (before, after, semitones) in
        [(&[][..], &[][..], 0.0), (&[up], &[], 2.0), (&[], &[up], 2.0), (&[down], &[], -2.0), (&[], &[other], 0.0)]
    {
        let found = cents(220.0, pitch(before, after));
        assert!((found - 100.0 * semitones).abs() <= 2.0, "{found} instead of {semitones} semitones");
    }
}

/// The bend that messages of the first channel ask for \[semitones\].
fn bend_of(before: &[&[u8]], after: &[&[u8]]) -> f64 {
    let mut bends = before.iter().chain(after).filter(|message| message[0] == 0xE0);
    bends.next_back().map_or(0.0, |message| if message[2] == 0 { -2.0 } else { 2.0 })
}

#[test]
fn more_notes_than_voices_let_the_first_one_fade_without_a_click_and_all_come_to_rest() {
    let (mut parts, mut midi) = engine(Sinks::default());
    for key in 0..8 {
        midi.handle_message(&[0x90, LOWEST + key, 100]);
        let sound = play(&mut parts, 0.02);
        assert!(sound.iter().all(|sample| sample.is_finite()) && peak(&sound) < 1.0);
    }
    // As many at once, and again before the first have faded.
    for round in 0..20 {
        for key in 0..8 {
            midi.handle_message(&[0x90, LOWEST + key, 20 + 5 * round]);
        }
        play(&mut parts, 0.003);
    }
    play(&mut parts, 2.0);
    // What the DC block still holds.
    assert!(peak(&play(&mut parts, 0.5)) < 1e-12, "notes rest after they have decayed");
    let reading = parts.meter.read();
    assert!(reading.cut_outs == 0 && reading.nan_resets == 0 && reading.worst_residual < 1e-9, "{reading:?}");
}

#[test]
fn a_session_with_keys_replays_bit_for_bit() {
    let file = SharedBuffer::default();
    let mut session = SessionWriter::new(Box::new(file.clone()), RATE, CHANNELS).unwrap();
    let instrument = Instrument::new(&percuss_scene::parse(KEYS, "keys.toml").unwrap());
    let names = instrument.targets.iter().map(|target| target.name.clone()).collect();
    session.add_scene(&SceneSource { path: "keys.toml".into(), text: KEYS.into() }, 0.2, names).unwrap();
    let (mut parts, mut midi) = engine(Sinks { recording: None, session: Some(session) });
    let mut played = Vec::new();
    for step in 0_u8..60 {
        match step % 5 {
            0..=2 => midi.handle_message(&[0x90, LOWEST + step % 8, 40 + step]),
            3 => midi.handle_message(&[0xE0, 0, 2 * step]),
            _ => midi.handle_message(&[0xB0, 1, 2 * step]),
        };
        let mut samples = vec![0.0; 700 * CHANNELS];
        parts.engine.process(&mut samples);
        played.extend(samples);
    }
    parts.collector.finish(parts.meter.samples()).unwrap();
    let text = String::from_utf8(file.0.lock().unwrap().clone()).unwrap();
    let session = Session::parse(&text).unwrap();
    assert!(
        session.events.iter().any(|event| matches!(&event.kind, EventKind::Set { voice: 7, .. })),
        "the highest key"
    );
    let mut replayed = Vec::new();
    replay(&session, |samples, _| {
        replayed.extend_from_slice(samples);
        Ok(())
    })
    .unwrap();
    assert!(bits(&replayed) == bits(&played));
}

#[test]
fn keys_without_a_pitch_or_in_the_wrong_order_are_errors() {
    for (replaced, by, expected) in [
        ("pitch = \"A3\"\n\n[[map", "\n[[map", "voice has no pitch"),
        ("keys = [\"A3\", \"E4\"]\n", "", "voice has no keys"),
        ("keys = [\"A3\", \"E4\"]", "keys = [\"E4\", \"A3\"]", "lowest and the highest key"),
        ("keys = [\"A3\", \"E4\"]", "keys = [\"A3\", \"E9\"]", "octaves from the pitch"),
        ("keys = [\"A3\", \"E4\"]", "keys = [\"A3\", \"E4\"]\nbend = 99", "voice.bend is 99"),
        ("only = \"live\"", "only = \"stage\"", "must be one of \"render\", \"live\""),
        ("id = \"thumb\"\n", "", "pluck has no id"),
    ] {
        let text = KEYS.replacen(replaced, by, 1);
        assert_ne!(text, KEYS, "{replaced}");
        let errors = percuss_scene::parse(&text, "keys.toml").err().unwrap_or_else(|| panic!("{expected}"));
        let found = errors.iter().any(|error| error.to_string().contains(expected));
        assert!(found, "{expected}: {}", errors[0]);
    }
}
