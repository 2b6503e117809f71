//! MIDI input ports: that of a JACK client which also plays the sound, or one of the system.
//!
//! Messages arrive on a real-time thread, which only puts them into a queue; another thread handles them.
//!
//! Times       a JACK client knows the sample of every message. Ports of the system stamp messages in microseconds of a clock
//!             whose start is unknown: no message arrives before it was sent, so the least delay seen so far tells the start

use crate::device::StreamClock;
use crate::midi::{MidiHandler, TimedMessage};
use midir::{Ignore, MidiInput, MidiInputConnection};
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Capacity of the queue of messages.
const QUEUE_CAPACITY: usize = 4096;
/// Interval at which the queue is read.
const POLL_INTERVAL: Duration = Duration::from_micros(500);
/// By how much the least delay may rise per message, for clocks that drift \[ns\].
const DRIFT: i64 = 1_000;

/// An open MIDI port. Closes when dropped.
pub struct MidiPort {
    /// Name of the port.
    pub name: String,
    connection: Option<MidiInputConnection<Receiver>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// State of the callback.
struct Receiver {
    queue: Producer<TimedMessage>,
    clock: Arc<StreamClock>,
    /// Rate of the stream \[Hz\].
    sample_rate: f64,
    /// Time of the stream's clock less the stamp of a message without delay \[ns\].
    offset: Option<i64>,
}

impl Receiver {
    /// Queues a message that arrives now. If the queue is full it is dropped: this thread must not wait.
    fn receive(&mut self, stamp: u64, bytes: &[u8]) {
        let stamp = stamp as i64 * 1000;
        let seen = self.clock.nanoseconds(Instant::now()) - stamp;
        let offset = self.offset.map_or(seen, |known| seen.min(known + DRIFT));
        self.offset = Some(offset);
        let time = self.clock.effect_of_message(stamp + offset, self.sample_rate);
        if let Some(message) = TimedMessage::new(time, bytes) {
            let _ = self.queue.push(message);
        }
    }
}

impl MidiPort {
    /// Opens the port whose name contains `wanted`, or creates a virtual port that others can connect to. The clock is that
    /// of a stream with a sample rate \[Hz\].
    ///
    /// # Errors
    /// A message that names the cause.
    pub fn open(
        wanted: Option<&str>,
        handler: MidiHandler,
        clock: Arc<StreamClock>,
        sample_rate: f64,
    ) -> Result<Self, String> {
        let mut input = MidiInput::new("percuss").map_err(|error| error.to_string())?;
        input.ignore(Ignore::All);
        let (queue, messages) = RingBuffer::new(QUEUE_CAPACITY);
        let (name, connection) = connect(input, wanted, Receiver { queue, clock, sample_rate, offset: None })?;
        let mut port = Self::of_stream(name, messages, handler);
        port.connection = Some(connection);
        Ok(port)
    }

    /// The port of a stream that receives messages itself.
    pub fn of_stream(name: String, mut messages: Consumer<TimedMessage>, mut handler: MidiHandler) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stop_requested = stop.clone();
        let thread = std::thread::spawn(move || {
            while !stop_requested.load(Relaxed) {
                while let Ok(message) = messages.pop() {
                    handler.handle_message_at(message.time, message.bytes());
                }
                std::thread::sleep(POLL_INTERVAL);
            }
        });
        Self { name, connection: None, stop, thread: Some(thread) }
    }

    /// Drops a port whose server is gone without closing the connection, which is leaked: the JACK library crashes when a
    /// client of a server that is gone is closed.
    pub fn leak_connection(mut self) {
        std::mem::forget(self.connection.take());
    }
}

impl Drop for MidiPort {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            connection.close();
        }
        self.stop.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Callback of a port of the system.
fn receive(stamp: u64, bytes: &[u8], receiver: &mut Receiver) {
    receiver.receive(stamp, bytes);
}

fn connect(
    input: MidiInput,
    wanted: Option<&str>,
    receiver: Receiver,
) -> Result<(String, MidiInputConnection<Receiver>), String> {
    let ports = input.ports();
    let name = |port: &midir::MidiInputPort| input.port_name(port).unwrap_or_default();
    if let Some(wanted) = wanted {
        let names: Vec<String> = ports.iter().map(name).collect();
        let found = ports.iter().find(|port| name(port).to_lowercase().contains(&wanted.to_lowercase()));
        let port = found.ok_or_else(|| {
            let known = if names.is_empty() { "there are none".into() } else { names.join(", ") };
            format!("no MIDI port has a name that contains \"{wanted}\" (known ports: {known})")
        })?;
        let name = name(port);
        return Ok((name, input.connect(port, "midi", receive, receiver).map_err(|error| error.to_string())?));
    }
    #[cfg(unix)]
    {
        use midir::os::unix::VirtualInput;
        let connection = input.create_virtual("midi", receive, receiver).map_err(|error| error.to_string())?;
        Ok(("percuss:midi".into(), connection))
    }
    #[cfg(not(unix))]
    {
        let port = ports.first().ok_or("there is no MIDI port")?;
        let name = name(port);
        Ok((name, input.connect(port, "midi", receive, receiver).map_err(|error| error.to_string())?))
    }
}
