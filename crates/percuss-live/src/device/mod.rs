//! Audio output: a device of the system, or a null device that runs in real time without sound.

#[cfg(feature = "live")]
mod jack;
mod null;
mod stream_clock;
#[cfg(feature = "live")]
mod system;

pub use stream_clock::StreamClock;

use crate::audio_engine::AudioEngine;
use crate::midi::TimedMessage;
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Selects a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceSelector {
    /// The null device: a thread that runs in real time.
    None,
    /// The default device of the system.
    Default,
    /// The JACK server.
    Jack,
    /// A device whose name contains this.
    Named(String),
}

/// Error of an audio device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct DeviceError {
    /// Cause.
    pub message: String,
    /// Remedy.
    pub hint: String,
}

impl DeviceError {
    #[cfg(feature = "live")]
    fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into() }
    }
}

/// A stream did not start.
pub struct StartError<S> {
    /// Cause.
    pub error: DeviceError,
    /// The source, for another attempt.
    pub source: Option<S>,
}

/// State of a stream, written by the audio thread.
#[derive(Debug, Default)]
pub struct StreamStatus {
    /// Underruns reported by the device.
    pub xruns: AtomicU64,
    /// Callbacks more than two periods after the previous one.
    pub late_callbacks: AtomicU64,
    /// Whether the device reported that it is gone.
    pub device_lost: AtomicBool,
    /// Time of the last callback in milliseconds after `epoch`, where a device that is gone only stops to call; 0 elsewhere.
    last_callback: AtomicU64,
    epoch: Epoch,
}

/// Instant from which times are counted.
#[derive(Debug)]
struct Epoch(Instant);

impl Default for Epoch {
    fn default() -> Self {
        Self(Instant::now())
    }
}

/// An open audio device.
pub struct OutputDevice {
    /// Name of the device.
    pub name: String,
    /// Sample rate \[Hz\].
    pub sample_rate: f64,
    /// Number of channels.
    pub channels: usize,
    /// Frames per buffer, if known in advance.
    pub buffer_frames: Option<u32>,
    backend: Backend,
}

enum Backend {
    Null,
    #[cfg(feature = "live")]
    Jack,
    #[cfg(feature = "live")]
    System(Box<system::SystemDevice>),
}

/// Fills audio buffers, on the audio thread.
pub trait AudioSource: Send + 'static {
    /// Fills a buffer of interleaved frames.
    fn fill(&mut self, out: &mut [f32]);

    /// Frames filled so far; 0 for sources that have no time.
    fn sample_time(&self) -> u64 {
        0
    }
}

impl AudioSource for AudioEngine {
    fn sample_time(&self) -> u64 {
        self.sample_time()
    }

    fn fill(&mut self, out: &mut [f32]) {
        self.process(out);
    }
}

/// Fills buffers with zeros.
pub struct Silence;

impl AudioSource for Silence {
    fn fill(&mut self, out: &mut [f32]) {
        out.fill(0.0);
    }
}

/// A running audio stream. Stops when dropped.
pub struct Stream<S: AudioSource> {
    /// Underruns and late callbacks.
    pub status: Arc<StreamStatus>,
    /// Which sample plays when.
    pub clock: Arc<StreamClock>,
    /// MIDI messages that the device itself receives, with exact times.
    pub messages: Option<Consumer<TimedMessage>>,
    /// The stream of the backend; it stops when dropped.
    backend_stream: Option<Box<dyn BackendStream>>,
    /// Receives the source when the stream stops.
    returned: Consumer<S>,
}

/// A running stream of a backend. Stops when dropped.
trait BackendStream {
    /// Name of the client at the audio server.
    fn client_name(&self) -> Option<&str> {
        None
    }

    /// Connects the MIDI input of the stream to the port whose name contains `wanted`; returns its name.
    fn connect_midi(&self, _wanted: &str) -> Result<String, String> {
        Err("this device has no MIDI input".into())
    }
}

/// A running stream, and the queue of its MIDI messages, if it receives them itself.
type StartedBackend = (Box<dyn BackendStream>, Option<Consumer<TimedMessage>>);

/// Time in which a message is handled after it arrived \[s\].
const HANDLING_TIME: f64 = 1.5e-3;

/// Samples from a message to its effect, with buffers of a number of frames: a buffer, since the present one may be filled
/// already, and the time to handle the message. It is the same for all messages, so that their rhythm is kept.
pub(crate) fn message_latency(frames: u64, sample_rate: f64) -> u64 {
    frames + (HANDLING_TIME * sample_rate).ceil() as u64
}

/// Maximum time to wait for the source when the stream stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);
/// Interval at which the return of the source is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(1);
/// A device that is watched is gone if it has not called for this time.
const CALLBACK_TIMEOUT: Duration = Duration::from_secs(2);

impl<S: AudioSource> Stream<S> {
    /// Name of the client at the audio server, if there is one.
    pub fn client_name(&self) -> Option<&str> {
        self.backend_stream.as_ref().and_then(|stream| stream.client_name())
    }

    /// Connects the MIDI input of the stream to the port whose name contains `wanted`; returns its name.
    ///
    /// # Errors
    /// A message that names the cause.
    pub fn connect_midi(&self, wanted: &str) -> Result<String, String> {
        self.backend_stream.as_ref().map_or(Err("the device is gone".into()), |stream| stream.connect_midi(wanted))
    }

    /// Stops the stream and returns the source.
    pub fn stop(mut self) -> Option<S> {
        drop(self.backend_stream.take());
        let start = Instant::now();
        while !self.returned.is_abandoned() && start.elapsed() < STOP_TIMEOUT {
            std::thread::sleep(POLL_INTERVAL);
        }
        self.returned.pop().ok()
    }
}

/// Owns a source during callbacks, and sends it back when dropped.
struct ReturnOnDrop<S: AudioSource> {
    source: Option<S>,
    return_to: Producer<S>,
}

impl<S: AudioSource> ReturnOnDrop<S> {
    /// The owner of a source, and the queue in which the source returns.
    fn new(source: S) -> (Self, Consumer<S>) {
        let (return_to, returned) = RingBuffer::new(1);
        (Self { source: Some(source), return_to }, returned)
    }

    fn sample_time(&self) -> u64 {
        self.source.as_ref().map_or(0, S::sample_time)
    }

    fn fill(&mut self, out: &mut [f32]) {
        match &mut self.source {
            Some(source) => source.fill(out),
            None => out.fill(0.0),
        }
    }
}

impl<S: AudioSource> Drop for ReturnOnDrop<S> {
    fn drop(&mut self) {
        if let Some(source) = self.source.take() {
            // There is room: the queue holds one source and nothing else is pushed.
            let _ = self.return_to.push(source);
        }
    }
}

impl StreamStatus {
    #[cfg(feature = "live")]
    fn count_xrun(&self) {
        self.xruns.fetch_add(1, Relaxed);
    }

    fn count_late_callback(&self) {
        self.late_callbacks.fetch_add(1, Relaxed);
    }

    /// Milliseconds since the start, at least 1.
    fn milliseconds(&self, time: Instant) -> u64 {
        time.saturating_duration_since(self.epoch.0).as_millis().max(1) as u64
    }

    /// From now on a device that does not call is gone.
    #[cfg(feature = "live")]
    fn watch(&self) {
        self.record_callback(Instant::now());
    }

    #[cfg(feature = "live")]
    fn record_callback(&self, time: Instant) {
        self.last_callback.store(self.milliseconds(time), Relaxed);
    }

    /// Whether the device is gone.
    pub fn is_device_lost(&self) -> bool {
        let last = self.last_callback.load(Relaxed);
        let silence = self.milliseconds(Instant::now()).saturating_sub(last);
        self.device_lost.load(Relaxed) || (last > 0 && u128::from(silence) > CALLBACK_TIMEOUT.as_millis())
    }
}

impl OutputDevice {
    /// Opens a device. `sample_rate` \[Hz\] and `buffer_frames` are requests; the device may use another rate.
    ///
    /// # Errors
    /// There is no such device, or it cannot be opened.
    pub fn open(selector: &DeviceSelector, sample_rate: f64, buffer_frames: Option<u32>) -> Result<Self, DeviceError> {
        match selector {
            DeviceSelector::None => {
                let buffer_frames = Some(buffer_frames.unwrap_or(null::DEFAULT_FRAMES));
                Ok(Self { name: "none".into(), sample_rate, channels: 2, buffer_frames, backend: Backend::Null })
            }
            #[cfg(feature = "live")]
            DeviceSelector::Jack => jack::open(buffer_frames),
            #[cfg(feature = "live")]
            _ => system::SystemDevice::open(selector, sample_rate, buffer_frames),
            #[cfg(not(feature = "live"))]
            _ => Err(DeviceError {
                message: "this percuss was built without audio devices".into(),
                hint: "build with `cargo build --release --features live`, or use --device none".into(),
            }),
        }
    }

    /// Starts a stream.
    ///
    /// # Errors
    /// The device does not start; the source is returned.
    pub fn start<S: AudioSource>(&self, source: S) -> Result<Stream<S>, StartError<S>> {
        let (source, returned) = ReturnOnDrop::new(source);
        let (status, clock) = (Arc::new(StreamStatus::default()), Arc::new(StreamClock::default()));
        match self.start_backend(source, &status, &clock) {
            Ok((stream, messages)) => Ok(Stream { status, clock, messages, backend_stream: Some(stream), returned }),
            Err(error) => {
                let mut returned = returned;
                Err(StartError { error, source: returned.pop().ok() })
            }
        }
    }

    fn start_backend<S: AudioSource>(
        &self,
        source: ReturnOnDrop<S>,
        status: &Arc<StreamStatus>,
        clock: &Arc<StreamClock>,
    ) -> Result<StartedBackend, DeviceError> {
        match &self.backend {
            Backend::Null => Ok((Box::new(null::NullDevice::start(self, source, status.clone(), clock.clone())), None)),
            #[cfg(feature = "live")]
            Backend::Jack => {
                let (stream, messages) = jack::RunningClient::start(self, source, status.clone())?;
                Ok((Box::new(stream), Some(messages)))
            }
            #[cfg(feature = "live")]
            Backend::System(device) => Ok((Box::new(device.start(self, source, status.clone(), clock.clone())?), None)),
        }
    }
}
