//! CPU time of the current thread.

use std::time::Duration;
#[cfg(not(any(target_os = "linux", target_family = "wasm")))]
use std::time::Instant;

/// Measures CPU time of the current thread on Linux, wall-clock time elsewhere. In WebAssembly there is no clock: no time passes.
#[derive(Clone, Copy, Debug)]
pub struct CpuTimer {
    #[cfg(target_os = "linux")]
    start: rustix::time::Timespec,
    #[cfg(not(any(target_os = "linux", target_family = "wasm")))]
    start: Instant,
}

impl CpuTimer {
    /// Starts the timer.
    pub fn start() -> Self {
        Self {
            #[cfg(target_os = "linux")]
            start: thread_time(),
            #[cfg(not(any(target_os = "linux", target_family = "wasm")))]
            start: Instant::now(),
        }
    }

    /// Time since the start.
    pub fn elapsed(self) -> Duration {
        #[cfg(target_os = "linux")]
        {
            let now = thread_time();
            let nanoseconds = (now.tv_sec - self.start.tv_sec) * 1_000_000_000 + (now.tv_nsec - self.start.tv_nsec);
            Duration::from_nanos(nanoseconds.max(0) as u64)
        }
        #[cfg(target_family = "wasm")]
        {
            Duration::ZERO
        }
        #[cfg(not(any(target_os = "linux", target_family = "wasm")))]
        {
            self.start.elapsed()
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
    fn sleeping_takes_no_cpu_time_and_computing_does() {
        let idle = CpuTimer::start();
        std::thread::sleep(Duration::from_millis(50));
        assert!(idle.elapsed() < Duration::from_millis(20));
        let busy = CpuTimer::start();
        let start = std::time::Instant::now();
        let mut count = 0_u64;
        while start.elapsed() < Duration::from_millis(100) {
            count = std::hint::black_box(count + 1);
        }
        assert!(busy.elapsed() > Duration::from_micros(500));
    }
}
