//! Timing: the smallest of several medians of the CPU time of the thread.
//!
//! Other processes only make a task slower, so the fastest round counts; within a round the median ignores interrupts.
//! Tasks that are compared are measured alternately, so that a change of clock rate affects all of them.

use std::time::{Duration, Instant};

/// Number and duration of the rounds of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct TimingRounds {
    /// Number of rounds; each gives a median.
    pub count: u32,
    /// Duration of a round.
    pub duration: Duration,
}

impl TimingRounds {
    /// The default, or a shorter one.
    pub fn new(quick: bool) -> Self {
        if quick {
            Self { count: 6, duration: Duration::from_millis(6) }
        } else {
            Self { count: 11, duration: Duration::from_millis(50) }
        }
    }
}

/// CPU time of this thread, on Linux and macOS; elsewhere wall-clock time.
pub fn thread_cpu_time() -> Duration {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
    }
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    {
        static FIRST_CALL: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        FIRST_CALL.get_or_init(Instant::now).elapsed()
    }
}

/// CPU time of a task \[ns\].
pub fn cpu_time_ns(task: impl FnOnce()) -> f64 {
    let before = thread_cpu_time();
    task();
    (thread_cpu_time() - before).as_secs_f64() * 1e9
}

/// Median of a list.
pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Time of each task \[ns\]: the smallest of the rounds' medians. The tasks alternate round by round.
pub fn min_of_medians<const N: usize>(rounds: TimingRounds, mut tasks: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut best = [f64::INFINITY; N];
    for task in &mut tasks {
        task();
    }
    for _ in 0..rounds.count {
        for (task, best) in tasks.iter_mut().zip(&mut best) {
            let (start, mut times) = (Instant::now(), Vec::new());
            while times.len() < 3 || start.elapsed() < rounds.duration {
                times.push(cpu_time_ns(&mut *task));
            }
            *best = best.min(median(times));
        }
    }
    best
}

/// Number of steps per batch that makes a batch long compared with reading the clock.
pub fn steps_per_batch(mut step: impl FnMut()) -> usize {
    const BATCH_NS: f64 = 2e5;
    const TRIAL_STEPS: usize = 16;
    let one = cpu_time_ns(|| (0..TRIAL_STEPS).for_each(|_| step())) / TRIAL_STEPS as f64;
    ((BATCH_NS / one) as usize).clamp(1, 4096)
}
