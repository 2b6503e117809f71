//! MIDI: voice allocation and stealing; control of single notes by their channel.

mod common;

use common::{CHANNELS, RATE, SharedBuffer, VOICES};
use percuss_live::midi::MidiHandler;
use percuss_live::session::{EventKind, SceneSource, Session, SessionEvent, SessionWriter};
use percuss_live::{ALL_VOICES, AudioEngine, LedgerMode, Player, Sinks};
use percuss_scene::instrument::Instrument;

/// Sends messages; returns the commands that the engine executed: voice, target and value.
fn executed_commands(messages: &[&[u8]]) -> Vec<(u8, String, f64)> {
    let instrument = Instrument::new(&percuss_scene::parse(VOICES, "test.toml").unwrap_or_else(|p| panic!("{}", p[0])));
    let player = Player::new(&instrument, RATE, CHANNELS, Some(1.0), LedgerMode::On).unwrap();
    let session_file = SharedBuffer::default();
    let mut session = SessionWriter::new(Box::new(session_file.clone()), RATE, CHANNELS).unwrap();
    let names = instrument.targets.iter().map(|target| target.name.clone()).collect();
    session.add_scene(&SceneSource { path: "test.toml".into(), text: VOICES.into() }, 1.0, names).unwrap();
    let mut parts =
        AudioEngine::build(instrument, player, RATE, CHANNELS, Sinks { recording: None, session: Some(session) });
    let mut midi = MidiHandler::new(parts.handle.clone());
    for message in messages {
        midi.handle_message(message);
    }
    parts.engine.process(&mut [0.0; 64 * CHANNELS]);
    parts.collector.finish(parts.meter.samples()).unwrap();
    let text = String::from_utf8(session_file.0.lock().unwrap().clone()).unwrap();
    let events = Session::parse(&text).unwrap().events.into_iter();
    let set = |event: SessionEvent| match event.kind {
        EventKind::Set { voice, target, value } => (voice, target, (1e6 * value).round() / 1e6),
        other => panic!("{other:?}"),
    };
    events.map(set).collect()
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
