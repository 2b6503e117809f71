//! Audio output and MIDI input through a JACK server.
//!
//! Needs a server: `jackd -d dummy -r 48000 -p 128 &`.

#![cfg(feature = "live")]
#![expect(clippy::disallowed_types, reason = "tests share one server and lock it")]

mod common;

use common::{instrument, player};
use midir::MidiOutput;
use percuss_live::device::{DeviceSelector, OutputDevice, Silence};
use percuss_live::midi::MidiHandler;
use percuss_live::midi_port::MidiPort;
use percuss_live::{AudioEngine, LedgerMode, Player, Sinks};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Tests run one at a time: they share the server.
static SERVER: Mutex<()> = Mutex::new(());

fn output() -> OutputDevice {
    OutputDevice::open(&DeviceSelector::Jack, 48_000.0, None).unwrap_or_else(|error| panic!("{error}: {}", error.hint))
}

fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(10), "{what}: timeout");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_scene_plays_through_the_server_and_receives_midi_notes() {
    let _server = SERVER.lock();
    let output = output();
    let instrument = instrument("hammer-string");
    let player = Player::new(&instrument, output.sample_rate, output.channels, None, LedgerMode::On).unwrap();
    let mut parts = AudioEngine::build(instrument, player, output.sample_rate, output.channels, Sinks::default());
    let port = MidiPort::open(None, MidiHandler::new(parts.handle.clone())).unwrap();
    let stream = output.start(parts.engine).unwrap_or_else(|refused| panic!("{}", refused.error));
    wait_until("audio output", || parts.meter.samples() > 4800);
    let output_client = MidiOutput::new("test").unwrap();
    let ports = output_client.ports();
    let own_port = ports.iter().find(|port| output_client.port_name(port).is_ok_and(|name| name.contains("percuss")));
    let mut connection = output_client.connect(own_port.expect("the port of percuss"), "out").unwrap();
    let strike = parts.handle.active_scene().instrument.strike_targets()[0];
    wait_until("a MIDI note", || {
        connection.send(&[0x90, 60, 127]).unwrap();
        parts.collector.collect().unwrap();
        parts.handle.active_scene().value(strike) == 1.0
    });
    let reading = parts.meter.read();
    assert!(reading.peaks[0] > 0.0 && reading.worst_residual <= 1e-12, "{reading:?}");
    drop(port);
    let engine = stream.stop();
    assert!(engine.is_some(), "the engine is returned");
}

#[test]
fn an_unsupported_buffer_size_is_an_error_that_returns_the_source() {
    let _server = SERVER.lock();
    let odd = OutputDevice::open(&DeviceSelector::Jack, 48_000.0, Some(77)).unwrap();
    let refused = odd.start(Silence).err().expect("77 frames are not supported");
    assert!(refused.source.is_some() && refused.error.hint.contains("--frames"), "{}", refused.error);
}

#[test]
fn an_unsupported_rate_becomes_that_of_the_server() {
    let _server = SERVER.lock();
    let other = OutputDevice::open(&DeviceSelector::Jack, 12_345.0, None).unwrap();
    assert_eq!(other.sample_rate, output().sample_rate);
    let scene = instrument("hammer-string");
    assert!(Player::new(&scene, other.sample_rate, other.channels, Some(1.0), LedgerMode::Off).is_ok());
    drop(player(&scene));
}

#[test]
fn an_unknown_midi_port_is_an_error_with_its_name() {
    let _server = SERVER.lock();
    let parts = common::preset_engine("bounce", Sinks::default());
    let error = MidiPort::open(Some("no such port"), MidiHandler::new(parts.handle)).err().expect("no port");
    assert!(error.contains("no such port"), "{error}");
}
