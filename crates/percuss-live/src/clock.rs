//! Time that this thread itself spent: what others on the machine do is not our load.

use std::time::Duration;
#[cfg(not(target_os = "linux"))]
use std::time::Instant;

/// Started once, read once.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    #[cfg(target_os = "linux")]
    begun: rustix::time::Timespec,
    #[cfg(not(target_os = "linux"))]
    begun: Instant,
}

impl Stopwatch {
    /// Starts.
    pub fn start() -> Self {
        #[cfg(target_os = "linux")]
        {
            Self { begun: thread_time() }
        }
        #[cfg(not(target_os = "linux"))]
        {
            Self { begun: Instant::now() }
        }
    }

    /// Time of this thread since the start.
    pub fn elapsed(self) -> Duration {
        #[cfg(target_os = "linux")]
        {
            let now = thread_time();
            let nanoseconds = (now.tv_sec - self.begun.tv_sec) * 1_000_000_000 + (now.tv_nsec - self.begun.tv_nsec);
            Duration::from_nanos(nanoseconds.max(0) as u64)
        }
        #[cfg(not(target_os = "linux"))]
        {
            self.begun.elapsed()
        }
    }
}

#[cfg(target_os = "linux")]
fn thread_time() -> rustix::time::Timespec {
    rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn sleep_costs_nothing_and_work_does() {
        let rest = Stopwatch::start();
        std::thread::sleep(Duration::from_millis(50));
        assert!(rest.elapsed() < Duration::from_millis(20));
        let work = Stopwatch::start();
        let begun = std::time::Instant::now();
        let mut turns = 0_u64;
        while begun.elapsed() < Duration::from_millis(100) {
            turns = std::hint::black_box(turns + 1);
        }
        assert!(work.elapsed() > Duration::from_micros(500));
    }
}
