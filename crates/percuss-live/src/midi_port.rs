//! MIDI ports of the machine.
//!
//! With JACK, messages arrive on a real-time thread: there they are only put into a queue, and read on a thread that may
//! wait.

use crate::midi::MidiReader;
use midir::{Ignore, MidiInput, MidiInputConnection};
use rtrb::{Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::Duration;

/// Messages that can wait; longer ones than a channel message are none of ours.
const QUEUE: usize = 4096;
const LONGEST: usize = 3;
/// How long a message may wait.
const PATIENCE: Duration = Duration::from_millis(1);

/// Bytes of a message and how many they are.
type Raw = ([u8; LONGEST], usize);

/// An open port. Closes when dropped.
pub struct MidiPort {
    /// For people.
    pub name: String,
    connection: Option<MidiInputConnection<Producer<Raw>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl MidiPort {
    /// Opens the port whose name contains `wanted`, or one of our own that others can be connected to.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn open(wanted: Option<&str>, mut reader: MidiReader) -> Result<Self, String> {
        let mut input = MidiInput::new("percuss").map_err(|error| error.to_string())?;
        input.ignore(Ignore::All);
        let (queue, mut waiting) = RingBuffer::new(QUEUE);
        let (name, connection) = connect(input, wanted, queue)?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let thread = std::thread::spawn(move || {
            while !stopped.load(Relaxed) {
                while let Ok((bytes, count)) = waiting.pop() {
                    reader.receive(&bytes[..count]);
                }
                std::thread::sleep(PATIENCE);
            }
        });
        Ok(Self { name, connection: Some(connection), stop, thread: Some(thread) })
    }
}

impl MidiPort {
    /// Lets go of a port whose server is gone. JACK's library breaks down when a client of a server that has gone is
    /// closed, so the little that is left of it stays until the program ends.
    pub fn abandon(mut self) {
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

fn keep(_: u64, message: &[u8], queue: &mut Producer<Raw>) {
    if message.len() <= LONGEST {
        let mut bytes = [0; LONGEST];
        bytes[..message.len()].copy_from_slice(message);
        // A full queue loses the newest: nothing may wait here.
        let _ = queue.push((bytes, message.len()));
    }
}

fn connect(
    input: MidiInput,
    wanted: Option<&str>,
    queue: Producer<Raw>,
) -> Result<(String, MidiInputConnection<Producer<Raw>>), String> {
    let ports = input.ports();
    let name = |port: &midir::MidiInputPort| input.port_name(port).unwrap_or_default();
    if let Some(wanted) = wanted {
        let names: Vec<String> = ports.iter().map(name).collect();
        let found = ports.iter().find(|port| name(port).to_lowercase().contains(&wanted.to_lowercase()));
        let port = found.ok_or_else(|| {
            let known = if names.is_empty() { "there is none".into() } else { names.join(", ") };
            format!("no MIDI port is called \"{wanted}\" ({known})")
        })?;
        let name = name(port);
        return Ok((name, input.connect(port, "midi", keep, queue).map_err(|error| error.to_string())?));
    }
    #[cfg(unix)]
    {
        use midir::os::unix::VirtualInput;
        let connection = input.create_virtual("midi", keep, queue).map_err(|error| error.to_string())?;
        Ok(("percuss:midi".into(), connection))
    }
    #[cfg(not(unix))]
    {
        let port = ports.first().ok_or("there is no MIDI port")?;
        let name = name(port);
        Ok((name, input.connect(port, "midi", keep, queue).map_err(|error| error.to_string())?))
    }
}
