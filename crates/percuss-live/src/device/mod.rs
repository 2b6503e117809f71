//! Where sound goes: a device of the machine, or none, which keeps the time of one.

#[cfg(feature = "live")]
mod card;
mod none;

use crate::engine::Engine;
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Which device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// No device: a thread that keeps time.
    None,
    /// The system's own.
    Default,
    /// That of the JACK server.
    Jack,
    /// One whose name contains this.
    Named(String),
}

/// Why there is no sound.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct DeviceError {
    /// What happened.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl DeviceError {
    #[cfg(feature = "live")]
    fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into() }
    }
}

/// A source that was not started, and why.
pub struct NotStarted<S> {
    /// Why.
    pub error: DeviceError,
    /// The source, to try again with.
    pub source: Option<S>,
}

/// How callbacks are called, as seen from within.
#[derive(Debug, Default)]
pub struct Health {
    /// Buffers that the device said came too late.
    pub xruns: AtomicU64,
    /// Callbacks that came later than two periods after the one before.
    pub late: AtomicU64,
    /// Whether the device is gone.
    pub lost: AtomicBool,
}

/// A device that is ready.
pub struct Output {
    /// For people.
    pub name: String,
    /// Sample rate \[Hz\].
    pub rate: f64,
    /// Number of channels.
    pub channels: usize,
    /// Frames in a buffer, where that is known beforehand.
    pub frames: Option<u32>,
    kind: Kind,
}

enum Kind {
    None,
    #[cfg(feature = "live")]
    Card(Box<card::Card>),
}

/// What fills buffers.
pub trait Source: Send + 'static {
    /// Fills a buffer of interleaved frames.
    fn fill(&mut self, out: &mut [f32]);
}

impl Source for Engine {
    fn fill(&mut self, out: &mut [f32]) {
        self.process(out);
    }
}

/// Silence: how the machine does without us.
pub struct Silence;

impl Source for Silence {
    fn fill(&mut self, out: &mut [f32]) {
        out.fill(0.0);
    }
}

/// Sound that is under way. Ends when dropped.
pub struct Stream<S: Source> {
    /// How the callbacks are called.
    pub health: Arc<Health>,
    /// Whatever plays; it ends when let go.
    playing: Option<Box<dyn std::any::Any>>,
    back: Consumer<S>,
}

/// How long a source that is on its way back is waited for, and how often it is looked for.
const PATIENCE: Duration = Duration::from_secs(2);
const GLANCE: Duration = Duration::from_millis(1);

impl<S: Source> Stream<S> {
    /// Ends the sound and gives back what made it.
    pub fn stop(mut self) -> Option<S> {
        drop(self.playing.take());
        let begun = Instant::now();
        while !self.back.is_abandoned() && begun.elapsed() < PATIENCE {
            std::thread::sleep(GLANCE);
        }
        self.back.pop().ok()
    }
}

/// What a callback owns: it sends its source back when it ends, however it ends.
struct Loan<S: Source> {
    source: Option<S>,
    back: Producer<S>,
}

impl<S: Source> Loan<S> {
    /// A loan, and where it comes back.
    fn of(source: S) -> (Self, Consumer<S>) {
        let (back, returned) = RingBuffer::new(1);
        (Self { source: Some(source), back }, returned)
    }

    fn fill(&mut self, out: &mut [f32]) {
        match &mut self.source {
            Some(source) => source.fill(out),
            None => out.fill(0.0),
        }
    }
}

impl<S: Source> Drop for Loan<S> {
    fn drop(&mut self) {
        if let Some(source) = self.source.take() {
            // There is room for it: nothing else takes this way.
            let _ = self.back.push(source);
        }
    }
}

impl Health {
    #[cfg(feature = "live")]
    fn note_xrun(&self) {
        self.xruns.fetch_add(1, Relaxed);
    }

    fn note_late(&self) {
        self.late.fetch_add(1, Relaxed);
    }

    /// Whether the device is gone.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Relaxed)
    }
}

impl Output {
    /// Finds a device. `rate` is asked for where the device leaves a choice, and `frames` where they are given.
    ///
    /// # Errors
    /// Where there is none, with what to do about it.
    pub fn open(choice: &Choice, rate: f64, frames: Option<u32>) -> Result<Self, DeviceError> {
        match choice {
            Choice::None => {
                let frames = Some(frames.unwrap_or(none::FRAMES));
                Ok(Self { name: "none".into(), rate, channels: 2, frames, kind: Kind::None })
            }
            #[cfg(feature = "live")]
            _ => card::Card::open(choice, rate, frames),
            #[cfg(not(feature = "live"))]
            _ => Err(DeviceError {
                message: "this percuss was built without sound devices".into(),
                hint: "build it with `cargo build --release --features live`, or play with --device none".into(),
            }),
        }
    }

    /// Starts the sound.
    ///
    /// # Errors
    /// Where the device will not, with what to do about it.
    pub fn start<S: Source>(&self, source: S) -> Result<Stream<S>, NotStarted<S>> {
        let (loan, back) = Loan::of(source);
        let health = Arc::new(Health::default());
        let playing: Box<dyn std::any::Any> = match &self.kind {
            Kind::None => Box::new(none::Clock::start(self, loan, health.clone())),
            #[cfg(feature = "live")]
            Kind::Card(card) => match card.start(self, loan, health.clone()) {
                Ok(stream) => Box::new(stream),
                Err(error) => {
                    let mut back = back;
                    return Err(NotStarted { error, source: back.pop().ok() });
                }
            },
        };
        Ok(Stream { health, playing: Some(playing), back })
    }
}
