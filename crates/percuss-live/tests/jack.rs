//! Against a JACK server, real or `jackd -d dummy`: sound goes out, MIDI comes in over virtual ports.
//!
//! Needs a server: `jackd -d dummy -r 48000 -p 128 &`.

#![cfg(feature = "live")]
#![expect(clippy::disallowed_types, reason = "tests wait for each other")]

mod common;

use common::{instrument, player};
use midir::MidiOutput;
use percuss_live::device::{Choice, Output, Silence};
use percuss_live::midi::MidiReader;
use percuss_live::midi_port::MidiPort;
use percuss_live::{Account, Outlets, Player, rig};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// One at a time: the server is shared.
static SERVER: Mutex<()> = Mutex::new(());

fn output() -> Output {
    Output::open(&Choice::Jack, 48_000.0, None).unwrap_or_else(|error| panic!("{error}: {}", error.hint))
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(10), "{what} never happens");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_scene_sounds_through_the_server_and_notes_reach_it() {
    let _server = SERVER.lock();
    let output = output();
    let instrument = instrument("hammer-string");
    let player = Player::new(&instrument, output.rate, output.channels, None, Account::On).unwrap();
    let mut rig = rig(instrument, player, output.rate, output.channels, Outlets::default());
    let port = MidiPort::open(None, MidiReader::new(rig.controls.clone())).unwrap();
    let stream = output.start(rig.engine).unwrap_or_else(|refused| panic!("{}", refused.error));
    wait_until("the sound", || rig.meter.samples() > 4800);
    let hands = MidiOutput::new("hands").unwrap();
    let ports = hands.ports();
    let ours = ports.iter().find(|found| hands.port_name(found).is_ok_and(|name| name.contains("percuss")));
    let mut hands = hands.connect(ours.expect("our port is there"), "out").unwrap();
    let strike = rig.controls.stage().instrument.strike_targets()[0];
    wait_until("a note", || {
        hands.send(&[0x90, 60, 127]).unwrap();
        rig.housekeeper.clear().unwrap();
        rig.controls.stage().value(strike) == 1.0
    });
    let reading = rig.meter.read();
    assert!(reading.peaks[0] > 0.0 && reading.residual <= 1e-12, "{reading:?}");
    drop(port);
    let engine = stream.stop();
    assert!(engine.is_some(), "the engine comes back");
}

#[test]
fn a_size_of_buffers_that_the_server_does_not_have_is_refused_and_the_source_comes_back() {
    let _server = SERVER.lock();
    let odd = Output::open(&Choice::Jack, 48_000.0, Some(77)).unwrap();
    let refused = odd.start(Silence).err().expect("77 frames are no size of a server");
    assert!(refused.source.is_some() && refused.error.hint.contains("--frames"), "{}", refused.error);
}

#[test]
fn a_rate_that_the_server_does_not_have_becomes_the_servers() {
    let _server = SERVER.lock();
    let other = Output::open(&Choice::Jack, 12_345.0, None).unwrap();
    assert_eq!(other.rate, output().rate);
    let scene = instrument("hammer-string");
    assert!(Player::new(&scene, other.rate, other.channels, Some(1.0), Account::Off).is_ok());
    drop(player(&scene));
}

#[test]
fn a_port_that_is_not_there_is_an_error_in_words() {
    let _server = SERVER.lock();
    let rig = common::stage("bounce", Outlets::default());
    let error = MidiPort::open(Some("no such port"), MidiReader::new(rig.controls)).err().expect("no port");
    assert!(error.contains("no such port"), "{error}");
}
