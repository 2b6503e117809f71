//! The null device: a thread that requests buffers in real time and discards them.

use super::{AudioSource, BackendStream, OutputDevice, ReturnOnDrop, StreamClock, StreamStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Default number of frames per buffer.
pub(super) const DEFAULT_FRAMES: u32 = 128;

/// The running thread; stops when dropped.
pub(super) struct NullDevice {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl NullDevice {
    pub fn start<S: AudioSource>(
        device: &OutputDevice,
        mut source: ReturnOnDrop<S>,
        status: Arc<StreamStatus>,
        clock: Arc<StreamClock>,
    ) -> Self {
        let frames = device.buffer_frames.unwrap_or(DEFAULT_FRAMES);
        let rate = device.sample_rate;
        let period = Duration::from_secs_f64(f64::from(frames) / rate);
        let mut buffer = vec![0.0; frames as usize * device.channels];
        let stop = Arc::new(AtomicBool::new(false));
        let stop_requested = stop.clone();
        let thread = std::thread::spawn(move || {
            let mut due = Instant::now();
            while !stop_requested.load(Relaxed) {
                clock.record(clock.nanoseconds(Instant::now()), source.sample_time(), u64::from(frames), rate);
                source.fill(&mut buffer);
                due += period;
                let now = Instant::now();
                if now > due + period {
                    // Too late to catch up: continue from here, as a device does.
                    status.count_late_callback();
                    due = now;
                }
                std::thread::sleep(due.saturating_duration_since(now));
            }
        });
        Self { stop, thread: Some(thread) }
    }
}

impl BackendStream for NullDevice {}

impl Drop for NullDevice {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
