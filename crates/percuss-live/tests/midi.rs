//! MIDI: notes take voices and steal them, and what a controller sends for one note reaches that note only.

mod common;

use common::{CHANNELS, Paper, RATE, VOICES};
use percuss_live::midi::MidiReader;
use percuss_live::session::{Event, Log, SceneText, Session, What};
use percuss_live::{ALL, Account, Outlets, Player, rig};
use percuss_scene::instrument::Instrument;

/// Plays messages; returns what the engine did: voice, target and value.
fn played(messages: &[&[u8]]) -> Vec<(u8, String, f64)> {
    let instrument = Instrument::new(&percuss_scene::parse(VOICES, "test.toml").unwrap_or_else(|p| panic!("{}", p[0])));
    let player = Player::new(&instrument, RATE, CHANNELS, Some(1.0), Account::On).unwrap();
    let paper = Paper::default();
    let mut log = Log::begin(Box::new(paper.clone()), RATE, CHANNELS).unwrap();
    let names = instrument.targets.iter().map(|target| target.name.clone()).collect();
    log.announce(&SceneText { path: "test.toml".into(), text: VOICES.into() }, 1.0, names).unwrap();
    let mut rig = rig(instrument, player, RATE, CHANNELS, Outlets { recording: None, session: Some(log) });
    let mut reader = MidiReader::new(rig.controls.clone());
    for message in messages {
        reader.receive(message);
    }
    rig.engine.process(&mut [0.0; 64 * CHANNELS]);
    rig.housekeeper.finish(rig.meter.samples()).unwrap();
    let noted = String::from_utf8(paper.0.lock().unwrap().clone()).unwrap();
    let events = Session::parse(&noted).unwrap().events.into_iter();
    let set = |event: Event| match event.what {
        What::Set { voice, target, value } => (voice, target, (1e6 * value).round() / 1e6),
        other => panic!("{other:?}"),
    };
    events.map(set).collect()
}

fn set(voice: u8, target: &str, value: f64) -> (u8, String, f64) {
    (voice, target.to_owned(), value)
}

#[test]
fn a_note_stops_the_string_bows_it_and_lets_go() {
    let octave = played(&[&[0x90, 60, 100], &[0x80, 60, 0]]);
    assert_eq!(octave, [set(0, "finger.position", 0.5), set(0, "bow.force", 1.0), set(0, "bow.force", 0.0)]);
    // A note of velocity 0 is a release, too; one of a key that is not down is none.
    assert_eq!(played(&[&[0x90, 60, 100], &[0x90, 60, 0]]).len(), 3);
    assert_eq!(played(&[&[0x80, 60, 0]]), []);
}

#[test]
fn notes_take_voices_of_their_own_and_the_oldest_is_stolen() {
    let notes = [60, 62, 64, 65].map(|key| [0x90, key, 10]);
    let voices = |messages: &[&[u8]]| {
        let events = played(messages).into_iter();
        events.filter(|(_, target, _)| target == "finger.position").map(|(voice, ..)| voice).collect::<Vec<_>>()
    };
    let [first, second, third, fourth] = &notes;
    assert_eq!(voices(&[first, second, third, fourth]), [0, 1, 2, 0]);
    // One that has been let go is taken before one that sounds, the longest rest first.
    let release = |key| [0x80, key, 0];
    assert_eq!(voices(&[first, second, third, &release(64), &release(62), fourth, first]), [0, 1, 2, 2, 0]);
    assert_eq!(voices(&[first, second, first]), [0, 1, 0], "the same key is the same voice");
}

#[test]
fn pressure_slide_and_bend_reach_the_note_of_their_channel() {
    let notes: [&[u8]; 2] = [&[0x91, 60, 10], &[0x92, 64, 10]];
    let after = |message: &[u8]| played(&[notes[0], notes[1], message]).split_off(4);
    assert_eq!(after(&[0xD2, 127]), [set(1, "gong.touch.1.pressure", 1.0)]);
    assert_eq!(after(&[0xB1, 74, 50]), [set(0, "gong.touch.1.x", 0.5)]);
    assert_eq!(after(&[0xE2, 0, 64]), [set(1, "bow.velocity", 0.0)]);
    assert_eq!(after(&[0xE1, 127, 127]), [set(0, "bow.velocity", 1.0)]);
    assert_eq!(after(&[0xA2, 64, 127]), [set(1, "gong.touch.1.pressure", 1.0)]);
    assert_eq!(after(&[0xD5, 0]), [set(ALL, "gong.touch.1.pressure", 0.0)], "no note there: all of them");
}

#[test]
fn channels_that_are_named_are_the_only_ones_heard() {
    assert_eq!(played(&[&[0xBF, 7, 100]]), [set(ALL, "volume", 1.0)]);
    assert_eq!(played(&[&[0xB0, 7, 100]]), []);
}

#[test]
fn broken_messages_do_nothing() {
    for message in [&[][..], &[0x90], &[0x90, 60], &[0x90, 200, 10], &[60, 100], &[0xF0, 1, 2], &[0xFF], &[0xE0, 1]] {
        assert_eq!(played(&[message]), [], "{message:?}");
    }
}
