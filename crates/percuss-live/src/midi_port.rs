//! MIDI input ports of the system.
//!
//! With JACK, messages arrive on a real-time thread. It only puts them into a queue; another thread handles them.

use crate::midi::MidiHandler;
use midir::{Ignore, MidiInput, MidiInputConnection};
use rtrb::{Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::Duration;

/// Capacity of the queue of messages.
const QUEUE_CAPACITY: usize = 4096;
/// Length of a channel message; longer messages are ignored.
const MAX_MESSAGE_LENGTH: usize = 3;
/// Interval at which the queue is read.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Bytes of a message and their number.
type RawMessage = ([u8; MAX_MESSAGE_LENGTH], usize);

/// An open MIDI port. Closes when dropped.
pub struct MidiPort {
    /// Name of the port.
    pub name: String,
    connection: Option<MidiInputConnection<Producer<RawMessage>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl MidiPort {
    /// Opens the port whose name contains `wanted`, or creates a virtual port that others can connect to.
    ///
    /// # Errors
    /// A message that names the cause.
    pub fn open(wanted: Option<&str>, mut handler: MidiHandler) -> Result<Self, String> {
        let mut input = MidiInput::new("percuss").map_err(|error| error.to_string())?;
        input.ignore(Ignore::All);
        let (queue, mut messages) = RingBuffer::new(QUEUE_CAPACITY);
        let (name, connection) = connect(input, wanted, queue)?;
        let stop = Arc::new(AtomicBool::new(false));
        let stop_requested = stop.clone();
        let thread = std::thread::spawn(move || {
            while !stop_requested.load(Relaxed) {
                while let Ok((bytes, count)) = messages.pop() {
                    handler.handle_message(&bytes[..count]);
                }
                std::thread::sleep(POLL_INTERVAL);
            }
        });
        Ok(Self { name, connection: Some(connection), stop, thread: Some(thread) })
    }
}

impl MidiPort {
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

/// Callback: queues a message.
fn enqueue(_: u64, message: &[u8], queue: &mut Producer<RawMessage>) {
    if message.len() <= MAX_MESSAGE_LENGTH {
        let mut bytes = [0; MAX_MESSAGE_LENGTH];
        bytes[..message.len()].copy_from_slice(message);
        // If the queue is full the message is dropped: this thread must not wait.
        let _ = queue.push((bytes, message.len()));
    }
}

fn connect(
    input: MidiInput,
    wanted: Option<&str>,
    queue: Producer<RawMessage>,
) -> Result<(String, MidiInputConnection<Producer<RawMessage>>), String> {
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
        return Ok((name, input.connect(port, "midi", enqueue, queue).map_err(|error| error.to_string())?));
    }
    #[cfg(unix)]
    {
        use midir::os::unix::VirtualInput;
        let connection = input.create_virtual("midi", enqueue, queue).map_err(|error| error.to_string())?;
        Ok(("percuss:midi".into(), connection))
    }
    #[cfg(not(unix))]
    {
        let port = ports.first().ok_or("there is no MIDI port")?;
        let name = name(port);
        Ok((name, input.connect(port, "midi", enqueue, queue).map_err(|error| error.to_string())?))
    }
}
