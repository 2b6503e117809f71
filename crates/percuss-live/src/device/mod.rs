//! Audio output: a device of the system, or a null device that runs in real time without sound.

mod null;
#[cfg(feature = "live")]
mod system;

use crate::audio_engine::AudioEngine;
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
    /// Whether the device is gone.
    pub device_lost: AtomicBool,
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
    System(Box<system::SystemDevice>),
}

/// Fills audio buffers, on the audio thread.
pub trait AudioSource: Send + 'static {
    /// Fills a buffer of interleaved frames.
    fn fill(&mut self, out: &mut [f32]);
}

impl AudioSource for AudioEngine {
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
    /// The stream of the backend; it stops when dropped.
    backend_stream: Option<Box<dyn std::any::Any>>,
    /// Receives the source when the stream stops.
    returned: Consumer<S>,
}

/// Maximum time to wait for the source when the stream stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);
/// Interval at which the return of the source is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

impl<S: AudioSource> Stream<S> {
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

    /// Whether the device is gone.
    pub fn is_device_lost(&self) -> bool {
        self.device_lost.load(Relaxed)
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
        let status = Arc::new(StreamStatus::default());
        let backend_stream: Box<dyn std::any::Any> = match &self.backend {
            Backend::Null => Box::new(null::NullDevice::start(self, source, status.clone())),
            #[cfg(feature = "live")]
            Backend::System(device) => match device.start(self, source, status.clone()) {
                Ok(stream) => Box::new(stream),
                Err(error) => {
                    let mut returned = returned;
                    return Err(StartError { error, source: returned.pop().ok() });
                }
            },
        };
        Ok(Stream { status, backend_stream: Some(backend_stream), returned })
    }
}
