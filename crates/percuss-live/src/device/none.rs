//! No device: a thread that asks for buffers in real time and throws them away.

use super::{Health, Loan, Output, Source};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Frames in a buffer, unless others are asked for.
pub(super) const FRAMES: u32 = 128;

pub(super) struct Clock {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Clock {
    pub fn start<S: Source>(output: &Output, mut loan: Loan<S>, health: Arc<Health>) -> Self {
        let frames = output.frames.unwrap_or(FRAMES);
        let period = Duration::from_secs_f64(f64::from(frames) / output.rate);
        let mut buffer = vec![0.0; frames as usize * output.channels];
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let thread = std::thread::spawn(move || {
            let mut due = Instant::now();
            while !stopped.load(Relaxed) {
                loan.fill(&mut buffer);
                due += period;
                let now = Instant::now();
                if now > due + period {
                    // Too late to catch up: as a device would, go on from here.
                    health.note_late();
                    due = now;
                }
                std::thread::sleep(due.saturating_duration_since(now));
            }
        });
        Self { stop, thread: Some(thread) }
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
