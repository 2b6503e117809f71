//! MIDI input of a performance: the port of its JACK client, or one of the system.

use percuss_live::device::Stream;
use percuss_live::midi::MidiHandler;
use percuss_live::midi_port::MidiPort;
use percuss_live::{AudioEngine, EngineHandle};
use std::time::{Duration, Instant};

/// Time between two looks for the port that was named.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// The MIDI input of a stream.
pub struct MidiInput {
    /// Name of the port, or "none".
    pub status: String,
    port: Option<MidiPort>,
    /// Part of the name of the port to which a JACK client connects, and whether it is connected.
    wanted: Option<(String, bool)>,
    checked: Instant,
}

impl MidiInput {
    /// Opens the port whose name contains `wanted`, or one that others can connect to.
    ///
    /// A JACK client stays without a connection if there is no such port yet; other devices have no MIDI then, which the
    /// error says.
    pub fn open(
        wanted: Option<&str>,
        handle: &EngineHandle,
        stream: &mut Stream<AudioEngine>,
        rate: f64,
    ) -> (Self, Result<(), String>) {
        let handler = MidiHandler::new(handle.clone());
        let none = Self { status: "none".into(), port: None, wanted: None, checked: Instant::now() };
        let Some(messages) = stream.messages.take() else {
            return match MidiPort::open(wanted, handler, stream.clock.clone(), rate) {
                Ok(port) => (Self { status: port.name.clone(), port: Some(port), ..none }, Ok(())),
                Err(error) => (none, Err(error)),
            };
        };
        let name = format!("{}:midi", stream.client_name().unwrap_or("percuss"));
        let port = Some(MidiPort::of_stream(name.clone(), messages, handler));
        let mut input = Self { status: name, port, wanted: wanted.map(|name| (name.to_owned(), false)), ..none };
        let connected = input.connect(stream).map(drop);
        (input, connected)
    }

    /// Connects to the port that was named. Returns its name if it was not connected before.
    fn connect(&mut self, stream: &Stream<AudioEngine>) -> Result<Option<String>, String> {
        let Some((wanted, is_connected)) = &mut self.wanted else { return Ok(None) };
        let found = stream.connect_midi(wanted);
        let was_connected = std::mem::replace(is_connected, found.is_ok());
        found.map(|name| {
            self.status.clone_from(&name);
            (!was_connected).then_some(name)
        })
    }

    /// Looks for the port that was named every second. Returns a message if it came or went.
    pub fn poll(&mut self, stream: &Stream<AudioEngine>) -> Option<String> {
        if self.checked.elapsed() < RETRY_INTERVAL {
            return None;
        }
        self.checked = Instant::now();
        let was_connected = self.wanted.as_ref()?.1;
        match self.connect(stream) {
            Ok(name) => name.map(|name| format!("MIDI from {name}")),
            Err(error) => was_connected.then(|| format!("MIDI: {error}")),
        }
    }

    /// Closes the input of a stream whose server is gone.
    pub fn abandon(&mut self) {
        if let Some(port) = self.port.take() {
            port.leak_connection();
        }
        self.status = "none".into();
    }
}
