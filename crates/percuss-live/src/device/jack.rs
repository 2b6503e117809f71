//! A client of a JACK server: audio outputs and a MIDI input in one callback.
//!
//! MIDI        a message has the frame of the cycle in which it arrived, so the sample at which it acts is known exactly. It
//!             acts a constant time later, in which the thread that handles messages runs: see `message_latency`
//! Server      a server that ends calls back no more. `StreamStatus` notices, as also for one that hangs

use super::{
    AudioSource, Backend, BackendStream, DeviceError, OutputDevice, ReturnOnDrop, StreamStatus, message_latency,
};
use crate::midi::TimedMessage;
use jack::{AsyncClient, AudioOut, Client, ClientOptions, Control, Frames, MidiIn, Port, PortFlags, ProcessScope};
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Name of the client; a second one gets a number from the server.
const CLIENT_NAME: &str = "percuss";
/// Outputs; they are connected to the first physical ports.
const CHANNELS: usize = 2;
/// MIDI messages that wait to be handled.
const MAX_BUFFERED_MESSAGES: usize = 4096;
/// Type of MIDI ports.
const MIDI_TYPE: &str = "8 bit raw midi";
/// Time for the last callback to end before the client is closed.
const DRAIN_TIME: Duration = Duration::from_millis(50);

fn open_client() -> Result<Client, DeviceError> {
    let opened = Client::new(CLIENT_NAME, ClientOptions::NO_START_SERVER);
    let (client, _) = opened.map_err(|error| {
        DeviceError::new(format!("no JACK server is running: {error}"), "start one, for instance `jackd -d dummy`")
    })?;
    Ok(client)
}

/// Rate and buffer size of the server.
pub(super) fn open(buffer_frames: Option<u32>) -> Result<OutputDevice, DeviceError> {
    let client = open_client()?;
    let sample_rate = f64::from(client.sample_rate());
    Ok(OutputDevice { name: "JACK".into(), sample_rate, channels: CHANNELS, buffer_frames, backend: Backend::Jack })
}

/// A client that runs; closed when dropped.
pub(super) struct RunningClient<S: AudioSource> {
    name: String,
    client: AsyncClient<Notifications, Process<S>>,
    is_stopping: Arc<AtomicBool>,
}

impl<S: AudioSource> RunningClient<S> {
    /// Starts a client, and returns the queue of its MIDI messages.
    pub fn start(
        device: &OutputDevice,
        source: ReturnOnDrop<S>,
        status: Arc<StreamStatus>,
    ) -> Result<(Self, Consumer<TimedMessage>), DeviceError> {
        let client = open_client()?;
        check_server(device, &client)?;
        let error = |error: jack::Error| DeviceError::new(format!("JACK: {error}"), "restart the JACK server");
        let outputs =
            (1..=CHANNELS).map(|channel| client.register_port(&format!("out_{channel}"), AudioOut::default()));
        let outputs: Vec<Port<AudioOut>> = outputs.collect::<Result<_, _>>().map_err(error)?;
        let midi = client.register_port("midi", MidiIn::default()).map_err(error)?;
        let names: Vec<String> = outputs.iter().filter_map(|port| port.name().ok()).collect();
        let (messages, received) = RingBuffer::new(MAX_BUFFERED_MESSAGES);
        let is_stopping = Arc::new(AtomicBool::new(false));
        let process = Process {
            outputs,
            midi,
            messages,
            source,
            buffer: vec![0.0; client.buffer_size() as usize * CHANNELS],
            sample_rate: device.sample_rate,
            previous: None,
            status: status.clone(),
            is_stopping: is_stopping.clone(),
        };
        let name = client.name().to_owned();
        status.watch();
        let client = client.activate_async(Notifications(status), process).map_err(error)?;
        let physical = client.as_client().ports(None, Some("audio"), PortFlags::IS_INPUT | PortFlags::IS_PHYSICAL);
        for (own, other) in names.iter().zip(&physical) {
            // A port that cannot be connected can be connected by hand.
            let _ = client.as_client().connect_ports_by_name(own, other);
        }
        Ok((Self { name, client, is_stopping }, received))
    }
}

/// The server must run at the rate of the device, with the number of frames requested.
fn check_server(device: &OutputDevice, client: &Client) -> Result<(), DeviceError> {
    let (rate, frames) = (f64::from(client.sample_rate()), client.buffer_size());
    if rate != device.sample_rate {
        let message = format!("the JACK server runs at {rate} Hz, no longer at {} Hz", device.sample_rate);
        return Err(DeviceError::new(message, "open the device again"));
    }
    match device.buffer_frames {
        Some(requested) if requested != frames => Err(DeviceError::new(
            format!("the JACK server has buffers of {frames} frames, not {requested}"),
            "omit --frames: the device or its server sets the buffer size",
        )),
        _ => Ok(()),
    }
}

impl<S: AudioSource> BackendStream for RunningClient<S> {
    fn client_name(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn connect_midi(&self, wanted: &str) -> Result<String, String> {
        let client = self.client.as_client();
        let ports = client.ports(None, Some(MIDI_TYPE), PortFlags::IS_OUTPUT);
        let Some(found) = ports.iter().find(|name| name.to_lowercase().contains(&wanted.to_lowercase())) else {
            let known = if ports.is_empty() { "there are none".into() } else { ports.join(", ") };
            return Err(format!("no MIDI port has a name that contains \"{wanted}\" (known ports: {known})"));
        };
        match client.connect_ports_by_name(found, &format!("{}:midi", self.name)) {
            Ok(()) | Err(jack::Error::PortAlreadyConnected(..)) => Ok(found.clone()),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl<S: AudioSource> Drop for RunningClient<S> {
    fn drop(&mut self) {
        // JACK cancels its thread. If the thread were inside a step, the cancellation would unwind Rust frames, which aborts
        // the program.
        self.is_stopping.store(true, Relaxed);
        std::thread::sleep(DRAIN_TIME);
    }
}

/// Counts what the server reports.
struct Notifications(Arc<StreamStatus>);

impl jack::NotificationHandler for Notifications {
    fn xrun(&mut self, _: &Client) -> Control {
        self.0.count_xrun();
        Control::Continue
    }
}

/// The callback.
struct Process<S: AudioSource> {
    outputs: Vec<Port<AudioOut>>,
    midi: Port<MidiIn>,
    messages: Producer<TimedMessage>,
    source: ReturnOnDrop<S>,
    /// Interleaved frames.
    buffer: Vec<f32>,
    sample_rate: f64,
    /// Time of the previous callback.
    previous: Option<Instant>,
    status: Arc<StreamStatus>,
    is_stopping: Arc<AtomicBool>,
}

impl<S: AudioSource> Process<S> {
    /// Queues the messages of this cycle. If the queue is full they are dropped: this thread must not wait.
    fn queue_messages(&mut self, scope: &ProcessScope) {
        let latency = message_latency(u64::from(scope.n_frames()), self.sample_rate);
        let start = self.source.sample_time() + latency;
        for message in self.midi.iter(scope) {
            if let Some(message) = TimedMessage::new(start + u64::from(message.time), message.bytes) {
                let _ = self.messages.push(message);
            }
        }
    }
}

impl<S: AudioSource> jack::ProcessHandler for Process<S> {
    fn process(&mut self, _: &Client, scope: &ProcessScope) -> Control {
        let frames = scope.n_frames() as usize;
        let period = Duration::from_secs_f64(frames as f64 / self.sample_rate);
        let now = Instant::now();
        if self.previous.replace(now).is_some_and(|previous| now - previous > 2 * period) {
            self.status.count_late_callback();
        }
        self.status.record_callback(now);
        let buffer = &mut self.buffer[..frames * CHANNELS];
        buffer.fill(0.0);
        if !self.is_stopping.load(Relaxed) {
            self.queue_messages(scope);
            self.source.fill(&mut self.buffer[..frames * CHANNELS]);
        }
        for (channel, port) in self.outputs.iter_mut().enumerate() {
            let samples = self.buffer.iter().skip(channel).step_by(CHANNELS);
            port.as_mut_slice(scope).iter_mut().zip(samples).for_each(|(out, sample)| *out = *sample);
        }
        Control::Continue
    }

    fn buffer_size(&mut self, _: &Client, frames: Frames) -> Control {
        // JACK stops the callback meanwhile, so that it may allocate.
        self.buffer.resize(frames as usize * CHANNELS, 0.0);
        Control::Continue
    }
}
