//! MIDI: voice allocation and stealing; control of single notes by their channel.

mod common;

use common::{CHANNELS, RATE, SharedBuffer, VOICES};
use percuss_live::midi::MidiHandler;
use percuss_live::session::{EventKind, SceneSource, Session, SessionEvent, SessionWriter};
use percuss_live::{ALL_VOICES, AudioEngine, LedgerMode, Player, Sinks};
use percuss_scene::instrument::Instrument;

/// Sends messages to the scene with voices; returns the commands that the engine executed: voice, target and value.
fn executed_commands(messages: &[&[u8]]) -> Vec<(u8, String, f64)> {
    let timed: Vec<_> = messages.iter().map(|&message| (0, message)).collect();
    let events = executed_events(VOICES, &timed).into_iter();
    let set = |event: SessionEvent| match event.kind {
        EventKind::Set { voice, target, value } => (voice, target, (1e6 * value).round() / 1e6),
        other => panic!("{other:?}"),
    };
    events.map(set).collect()
}

/// Sends messages with their samples to a scene; returns what the engine executed.
fn executed_events(scene: &str, messages: &[(u64, &[u8])]) -> Vec<SessionEvent> {
    let instrument = Instrument::new(&percuss_scene::parse(scene, "test.toml").unwrap_or_else(|p| panic!("{}", p[0])));
    let player = Player::new(&instrument, RATE, CHANNELS, Some(1.0), LedgerMode::On).unwrap();
    let session_file = SharedBuffer::default();
    let mut session = SessionWriter::new(Box::new(session_file.clone()), RATE, CHANNELS).unwrap();
    let names = instrument.targets.iter().map(|target| target.name.clone()).collect();
    session.add_scene(&SceneSource { path: "test.toml".into(), text: scene.into() }, 1.0, names).unwrap();
    let mut parts =
        AudioEngine::build(instrument, player, RATE, CHANNELS, Sinks { recording: None, session: Some(session) });
    let mut midi = MidiHandler::new(parts.handle.clone());
    for (time, message) in messages {
        midi.handle_message_at(*time, message);
    }
    parts.engine.process(&mut [0.0; 1024 * CHANNELS]);
    parts.collector.finish(parts.meter.samples()).unwrap();
    let text = String::from_utf8(session_file.0.lock().unwrap().clone()).unwrap();
    Session::parse(&text).unwrap().events
}

fn set_command(voice: u8, target: &str, value: f64) -> (u8, String, f64) {
    (voice, target.to_owned(), value)
}

#[test]
fn a_note_sets_its_mappings_and_a_release_resets_velocity() {
    let octave = executed_commands(&[&[0x90, 60, 100], &[0x80, 60, 0]]);
    assert_eq!(
        octave,
        [set_command(0, "finger.position", 0.5), set_command(0, "bow.force", 1.0), set_command(0, "bow.force", 0.0)]
    );
    // A note on with velocity 0 is a note off; a note off for a key that is not held does nothing.
    assert_eq!(executed_commands(&[&[0x90, 60, 100], &[0x90, 60, 0]]).len(), 3);
    assert_eq!(executed_commands(&[&[0x80, 60, 0]]), []);
}

#[test]
fn notes_are_assigned_free_voices_and_steal_the_oldest() {
    let notes = [60, 62, 64, 65].map(|key| [0x90, key, 10]);
    let voices = |messages: &[&[u8]]| {
        let events = executed_commands(messages).into_iter();
        events.filter(|(_, target, _)| target == "finger.position").map(|(voice, ..)| voice).collect::<Vec<_>>()
    };
    let [first, second, third, fourth] = &notes;
    assert_eq!(voices(&[first, second, third, fourth]), [0, 1, 2, 0]);
    // Released voices are assigned before sounding ones, the one released first.
    let release = |key| [0x80, key, 0];
    assert_eq!(voices(&[first, second, third, &release(64), &release(62), fourth, first]), [0, 1, 2, 2, 0]);
    assert_eq!(voices(&[first, second, first]), [0, 1, 0], "the same key uses the same voice");
}

#[test]
fn pressure_slide_and_pitch_bend_control_the_note_of_their_channel() {
    let notes: [&[u8]; 2] = [&[0x91, 60, 10], &[0x92, 64, 10]];
    let after = |message: &[u8]| executed_commands(&[notes[0], notes[1], message]).split_off(4);
    assert_eq!(after(&[0xD2, 127]), [set_command(1, "gong.touch.1.pressure", 1.0)]);
    assert_eq!(after(&[0xB1, 74, 50]), [set_command(0, "gong.touch.1.x", 0.5)]);
    assert_eq!(after(&[0xE2, 0, 64]), [set_command(1, "bow.velocity", 0.0)]);
    assert_eq!(after(&[0xE1, 127, 127]), [set_command(0, "bow.velocity", 1.0)]);
    assert_eq!(after(&[0xA2, 64, 127]), [set_command(1, "gong.touch.1.pressure", 1.0)]);
    assert_eq!(
        after(&[0xD5, 0]),
        [set_command(ALL_VOICES, "gong.touch.1.pressure", 0.0)],
        "without a note on the channel: all voices"
    );
}

#[test]
fn a_mapping_with_a_channel_ignores_other_channels() {
    assert_eq!(executed_commands(&[&[0xBF, 7, 100]]), [set_command(ALL_VOICES, "volume", 1.0)]);
    assert_eq!(executed_commands(&[&[0xB0, 7, 100]]), []);
}

#[test]
fn invalid_messages_do_nothing() {
    for message in [&[][..], &[0x90], &[0x90, 60], &[0x90, 200, 10], &[60, 100], &[0xF0, 1, 2], &[0xFF], &[0xE0, 1]] {
        assert_eq!(executed_commands(&[message]), [], "{message:?}");
    }
}

#[test]
fn messages_act_at_their_sample() {
    let note: &[u8] = &[0x90, 60, 100];
    let events = executed_events(VOICES, &[(7, note), (100, note), (101, &[0x80, 60, 0]), (1000, note)]);
    let bows = events.into_iter().filter_map(|event| match event.kind {
        EventKind::Set { target, .. } if target == "bow.force" => Some(event.time),
        _ => None,
    });
    assert_eq!(bows.collect::<Vec<_>>(), [7, 100, 101, 1000]);
}

/// Commands that follow the first two of a note.
fn after_note(messages: &[&[u8]]) -> Vec<(u8, String, f64)> {
    executed_commands(&[&[&[0x90, 60, 127][..]], messages].concat()).split_off(2)
}

#[test]
fn the_pedal_holds_notes_until_it_is_lifted() {
    let end = || set_command(0, "bow.force", 0.0);
    assert_eq!(after_note(&[&[0xB0, 64, 127], &[0x80, 60, 0]]), []);
    assert_eq!(after_note(&[&[0xB0, 64, 127], &[0x80, 60, 0], &[0xB0, 64, 0]]), [end()]);
    assert_eq!(after_note(&[&[0xB0, 64, 127], &[0xB0, 64, 0], &[0x80, 60, 0]]), [end()]);
    assert_eq!(after_note(&[&[0xB0, 64, 127], &[0xB0, 64, 0]]), [], "a key that is held goes on");
    assert_eq!(after_note(&[&[0xB1, 64, 127], &[0x80, 60, 0]]), [end()], "the pedal of another channel");
    assert_eq!(after_note(&[&[0xB0, 64, 127], &[0xB0, 123, 0]]), [], "the pedal holds against all notes off");
    assert_eq!(after_note(&[&[0xB0, 64, 127], &[0x80, 60, 0], &[0xB0, 121, 0]])[..1], [end()], "reset controllers");
}

#[test]
fn all_notes_off_and_all_sound_off_end_the_notes_of_their_channel() {
    assert_eq!(after_note(&[&[0xB0, 123, 0]]), [set_command(0, "bow.force", 0.0)]);
    assert_eq!(after_note(&[&[0xB1, 123, 0]]), []);
    let silenced = after_note(&[&[0xB0, 64, 127], &[0x80, 60, 0], &[0xB0, 120, 0]]);
    assert_eq!(silenced[0], set_command(0, "bow.force", 0.0));
}

#[test]
fn a_bend_moves_the_place_of_the_key_by_an_interval() {
    let scene = VOICES.replace("target = \"bow.velocity\"\nrange = [-1.0, 1.0]", BEND);
    assert_ne!(scene, VOICES);
    let places = |messages: &[&[u8]]| {
        let timed: Vec<_> = messages.iter().map(|&message| (0, message)).collect();
        let place = |event: SessionEvent| match event.kind {
            EventKind::Set { target, value, .. } if target == "finger.position" => Some(value),
            _ => None,
        };
        executed_events(&scene, &timed).into_iter().filter_map(place).collect::<Vec<_>>()
    };
    // An octave above the open string; the finger at half of it.
    let (octave, up, down): (&[u8], &[u8], &[u8]) = (&[0x90, 60, 9], &[0xE0, 127, 127], &[0xE0, 0, 0]);
    let whole_tone = 2_f64.powf(2.0 / 12.0);
    let is_near = |place: f64, length: f64| assert!((1.0 - place - length).abs() < 1e-6, "{place}, {length}");
    for message in [[up], [down]] {
        let bent = places(&[octave, message[0]])[1];
        is_near(bent, if message[0] == up { 0.5 / whole_tone } else { 0.5 * whole_tone });
        let centred = places(&[octave, message[0], &[0xE0, 0, 64]])[2];
        is_near(centred, 0.5);
        let next = places(&[message[0], octave])[0];
        is_near(next, 1.0 - bent);
    }
    let ringing = places(&[octave, &[0x80, 60, 0], up])[1];
    is_near(ringing, 0.5 / whole_tone);
}

/// A bend by two semitones.
const BEND: &str = "target = \"finger.position\"\nrange = [0.0, 0.20629947]\ncurve = \"fret\"";

/// A string that is struck and damped by a hand.
const DAMPED: &str = "
[[string]]
id = \"string\"
length = 0.7
radius = 0.4e-3
tension = 80
[[pickup]]
of = \"string\"
at = 0.8
[voice]
count = 2
[[mapping]]
midi.message = \"release\"
target = \"string.hand.pressure\"
range = [0.0, 0.5]
";

#[test]
fn a_released_note_is_damped_where_the_scene_says_so() {
    let hands = |messages: &[&[u8]]| {
        let timed: Vec<_> = messages.iter().map(|&message| (0, message)).collect();
        let hand = |event: SessionEvent| match event.kind {
            EventKind::Set { voice, target, value } if target == "string.hand.pressure" => Some((voice, value)),
            _ => None,
        };
        executed_events(DAMPED, &timed).into_iter().filter_map(hand).collect::<Vec<_>>()
    };
    let (on, off): (&[u8], &[u8]) = (&[0x90, 60, 100], &[0x80, 60, 0]);
    assert_eq!(hands(&[on, off]), [(0, 0.0), (0, 0.5)]);
    assert_eq!(hands(&[&[0xB0, 64, 127], on, off]), [(0, 0.0)], "the pedal keeps the hand off");
    let silenced = hands(&[on, &[0xB0, 120, 0], on]);
    assert_eq!(silenced[1..], [(0, 0.5), (ALL_VOICES, 1.0), (ALL_VOICES, 0.0), (1, 0.0)], "until the next note");
}

#[test]
fn a_program_change_requests_a_scene() {
    let parts = common::voices_engine();
    let mut midi = MidiHandler::new(parts.handle.clone());
    assert_eq!(parts.handle.take_program_request(), None);
    midi.handle_message(&[0xC0, 3]);
    midi.handle_message(&[0xC5, 7]);
    assert_eq!(parts.handle.take_program_request(), Some(7));
    assert_eq!(parts.handle.take_program_request(), None);
}
