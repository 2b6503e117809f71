//! Nanoseconds of this machine: the best of several medians, of the time the thread itself was at work.
//!
//! Other programs only ever make a piece of work slower, so the best of the rounds counts; within a round the median
//! passes over interrupts. Pieces that are compared take turns, so that a machine that changes its pace changes it for all.

use std::time::{Duration, Instant};

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    /// Medians taken.
    pub count: u32,
    /// Time spent on each \[s\].
    pub round: Duration,
}

impl Rounds {
    /// The usual one, or one for those in a hurry.
    pub fn new(quick: bool) -> Self {
        if quick {
            Self { count: 6, round: Duration::from_millis(6) }
        } else {
            Self { count: 11, round: Duration::from_millis(50) }
        }
    }
}

/// Time this thread has been at work, where the system says; else time that has passed.
pub fn busy() -> Duration {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
    }
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    {
        static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    }
}

/// How long a piece of work keeps this thread busy \[ns\].
pub fn nanoseconds(work: impl FnOnce()) -> f64 {
    let before = busy();
    work();
    (busy() - before).as_secs_f64() * 1e9
}

/// The middle one.
pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Nanoseconds each piece takes when called: the best of the rounds' medians. The pieces take turns, round by round.
pub fn best_medians<const N: usize>(rounds: Rounds, mut pieces: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut best = [f64::INFINITY; N];
    for piece in &mut pieces {
        piece();
    }
    for _ in 0..rounds.count {
        for (piece, best) in pieces.iter_mut().zip(&mut best) {
            let (start, mut times) = (Instant::now(), Vec::new());
            while times.len() < 3 || start.elapsed() < rounds.round {
                times.push(nanoseconds(&mut *piece));
            }
            *best = best.min(median(times));
        }
    }
    best
}

/// How many calls of a step make a piece of work long against the clock's own cost.
pub fn steps_per_call(mut step: impl FnMut()) -> usize {
    const LONG: f64 = 2e5;
    const TRIED: usize = 16;
    let one = nanoseconds(|| (0..TRIED).for_each(|_| step())) / TRIED as f64;
    ((LONG / one) as usize).clamp(1, 4096)
}
