//! Audio output and MIDI input through a JACK server.
//!
//! Needs a server: `jackd -d dummy -r 48000 -p 128 &`.

#![cfg(feature = "live")]
#![expect(clippy::disallowed_types, reason = "tests share one server and lock it")]

mod common;

use common::{Rng, SharedBuffer, instrument, player};
use midir::MidiOutput;
use percuss_live::device::{DeviceSelector, OutputDevice, Silence};
use percuss_live::midi::MidiHandler;
use percuss_live::midi_port::MidiPort;
use percuss_live::session::{SceneSource, Session, SessionWriter};
use percuss_live::{AudioEngine, LedgerMode, Player, Sinks};
use percuss_scene::instrument::Instrument;
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Tests run one at a time: they share the server.
static SERVER: Mutex<()> = Mutex::new(());

/// A string that is plucked at the start; notes strike it.
const STRING: &str = r#"
[[string]]
id = "string"
length = 0.65
radius = 4e-4
material = "steel"
tension = 300

[[pluck]]
of = "string"
at = 0.2
force = 1.0

[[pickup]]
of = "string"
at = 0.1
quantity = "velocity"
"#;

fn string() -> Instrument {
    Instrument::new(&percuss_scene::parse(STRING, "string").unwrap())
}

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
    let instrument = string();
    let player = Player::new(&instrument, output.sample_rate, output.channels, None, LedgerMode::On).unwrap();
    let mut parts = AudioEngine::build(instrument, player, output.sample_rate, output.channels, Sinks::default());
    let mut stream = output.start(parts.engine).unwrap_or_else(|refused| panic!("{}", refused.error));
    let messages = stream.messages.take().expect("a MIDI input");
    let port = MidiPort::of_stream("percuss:midi".into(), messages, MidiHandler::new(parts.handle.clone()));
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
    let stream = output().start(Silence).unwrap_or_else(|refused| panic!("{}", refused.error));
    let error = stream.connect_midi("no such port").expect_err("no port");
    assert!(error.contains("no such port"), "{error}");
    let (handler, clock) = (MidiHandler::new(parts.handle), stream.clock.clone());
    let error = MidiPort::open(Some("no such port"), handler, clock, 48_000.0).err().expect("no port");
    assert!(error.contains("no such port"), "{error}");
}

/// A client that plays notes and knows the frame of each.
struct Sender {
    port: jack::Port<jack::MidiOut>,
    rng: Rng,
    /// Frames of the server at which notes were sent.
    sent: rtrb::Producer<u64>,
}

impl jack::ProcessHandler for Sender {
    fn process(&mut self, _: &jack::Client, scope: &jack::ProcessScope) -> jack::Control {
        // Empties the buffer of the last cycle.
        let mut writer = self.port.writer(scope);
        let frame = self.rng.below(scope.n_frames() as usize) as u32;
        // A note in about every third cycle.
        if self.rng.below(3) == 0 && self.sent.push(u64::from(scope.last_frame_time()) + u64::from(frame)).is_ok() {
            let note = jack::RawMidi { time: frame, bytes: &[0x90, 60, 100] };
            let _ = writer.write(&note);
        }
        jack::Control::Continue
    }
}

/// Plays notes through the server; returns the samples at which they acted less the frames at which they were sent, and
/// whether the server kept up.
fn message_delays() -> (Vec<i64>, bool) {
    let output = output();
    let file = SharedBuffer::default();
    let mut session = SessionWriter::new(Box::new(file.clone()), output.sample_rate, output.channels).unwrap();
    let scene = string();
    let names = scene.targets.iter().map(|target| target.name.clone()).collect();
    session.add_scene(&SceneSource { path: "string".into(), text: STRING.into() }, 1.0, names).unwrap();
    let player = Player::new(&scene, output.sample_rate, output.channels, Some(1.0), LedgerMode::Off).unwrap();
    let sinks = Sinks { recording: None, session: Some(session) };
    let mut parts = AudioEngine::build(scene, player, output.sample_rate, output.channels, sinks);
    let mut stream = output.start(parts.engine).unwrap_or_else(|refused| panic!("{}", refused.error));
    let name = format!("{}:midi", stream.client_name().unwrap());
    let port =
        MidiPort::of_stream(name.clone(), stream.messages.take().unwrap(), MidiHandler::new(parts.handle.clone()));
    let (sent, mut frames) = rtrb::RingBuffer::new(60);
    let (client, _) = jack::Client::new("sender", jack::ClientOptions::NO_START_SERVER).unwrap();
    let midi = client.register_port("out", jack::MidiOut::default()).unwrap();
    let own = midi.name().unwrap();
    let sender = client.activate_async((), Sender { port: midi, rng: Rng(3), sent }).unwrap();
    sender.as_client().connect_ports_by_name(&own, &name).unwrap();
    wait_until("60 notes", || {
        parts.collector.collect().unwrap();
        frames.slots() == 60
    });
    let end = parts.meter.samples() + 20_000;
    wait_until("the last note", || {
        parts.collector.collect().unwrap();
        parts.meter.samples() > end
    });
    let kept_up = stream.status.xruns.load(Relaxed) + stream.status.late_callbacks.load(Relaxed) == 0;
    drop((sender, port, stream));
    let session = Session::parse(&*file.0.lock().unwrap()).unwrap();
    // The first notes can be sent before the ports are connected.
    let acted: Vec<u64> = session.events.iter().map(|event| event.time).rev().collect();
    let mut sent: Vec<u64> = std::iter::from_fn(|| frames.pop().ok()).collect();
    sent.reverse();
    let delays = acted.iter().zip(&sent).map(|(acted, sent)| *acted as i64 - *sent as i64);
    (delays.collect(), kept_up)
}

#[test]
fn messages_act_on_their_sample_after_a_constant_time() {
    let _server = SERVER.lock();
    // A machine that is busy delays callbacks, after which the samples of percuss lag behind the frames of the server.
    for _ in 0..20 {
        let (delays, kept_up) = message_delays();
        assert!(delays.len() > 30, "{} notes", delays.len());
        if kept_up {
            assert!(delays.iter().all(|delay| *delay == delays[0]), "{delays:?}");
            return;
        }
    }
    panic!("the server never kept up");
}

#[test]
fn clients_have_names_of_their_own() {
    let _server = SERVER.lock();
    let streams = [0, 1].map(|_| output().start(Silence).unwrap_or_else(|refused| panic!("{}", refused.error)));
    let names = streams.each_ref().map(|stream| stream.client_name().unwrap().to_owned());
    assert!(names.iter().all(|name| name.starts_with("percuss")) && names[0] != names[1], "{names:?}");
}
