//! Which sample plays at a time of the system clock.
//!
//! Equation    sample = rate·(t − t₀); a callback at t that starts with sample n says t₀ = t − n/rate
//! Update      callbacks come late but never early, so the earliest t₀ is the true one: t₀ ← min(t₀ + drift, t − n/rate). The
//!             drift follows device clocks that are slower than the system's; after a dropout, a larger step, t₀ jumps
//! Allocates   never; the callback makes no system call but reading the clock

use super::message_latency;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// By how much t₀ may rise per callback \[ns\].
const DRIFT: i64 = 2_000;
/// A later callback means that samples were left out \[ns\].
const DROPOUT: i64 = 30_000_000;
/// Value of t₀ before the first callback.
const UNKNOWN: i64 = i64::MIN;

/// Written by the audio thread, read by threads that receive messages.
#[derive(Debug)]
pub struct StreamClock {
    /// Times are counted from here.
    epoch: Instant,
    /// Time of sample 0, t₀ \[ns\].
    start: AtomicI64,
    /// Frames of the last callback.
    frames: AtomicU64,
}

impl Default for StreamClock {
    fn default() -> Self {
        Self { epoch: Instant::now(), start: AtomicI64::new(UNKNOWN), frames: AtomicU64::new(0) }
    }
}

impl StreamClock {
    /// Nanoseconds since the epoch of this clock.
    pub fn nanoseconds(&self, time: Instant) -> i64 {
        time.saturating_duration_since(self.epoch).as_nanos() as i64
    }

    /// Records a callback for `frames` frames, at a time of this clock, whose first sample is `sample`.
    pub(crate) fn record(&self, time: i64, sample: u64, frames: u64, rate: f64) {
        self.frames.store(frames, Relaxed);
        let (seen, known) = (time - (sample as f64 * 1e9 / rate) as i64, self.start.load(Relaxed));
        let is_new = known == UNKNOWN || seen - known > DROPOUT;
        self.start.store(if is_new { seen } else { seen.min(known + DRIFT) }, Relaxed);
    }

    /// The sample at a time of this clock; 0 before the first callback.
    pub fn sample_at(&self, time: i64, rate: f64) -> u64 {
        match self.start.load(Relaxed) {
            UNKNOWN => 0,
            start => ((time - start) as f64 * 1e-9 * rate).round().max(0.0) as u64,
        }
    }

    /// The sample at which a message acts that arrives at a time of this clock.
    pub fn effect_of_message(&self, time: i64, rate: f64) -> u64 {
        self.sample_at(time, rate) + message_latency(self.frames.load(Relaxed), rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Largest error of a clock, in samples, after callbacks of `frames` that are late by up to their period.
    fn worst_error(frames: u64, device_rate: f64) -> f64 {
        let (clock, rate) = (StreamClock::default(), 48_000.0);
        let mut seed = 1_u64;
        let mut worst = 0.0_f64;
        for callback in 0..20_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Every fourth callback is on time.
            let lateness = if callback % 4 == 0 { 0.0 } else { (seed >> 33) as f64 / f64::from(1_u32 << 31) };
            let (sample, period) = (callback * frames, frames as f64 / device_rate);
            let due = sample as f64 / device_rate;
            clock.record(((due + lateness * period) * 1e9) as i64, sample, frames, rate);
            if callback > 400 {
                let found = clock.sample_at((due * 1e9) as i64, rate) as f64;
                worst = worst.max((found - sample as f64).abs());
            }
        }
        worst
    }

    #[test]
    fn late_callbacks_do_not_move_samples_by_more_than_a_fifth_of_a_millisecond() {
        for frames in [64, 128, 1024] {
            for rate in [48_000.0, 47_998.0, 48_002.0] {
                let error = worst_error(frames, rate);
                assert!(error <= 0.2e-3 * 48_000.0, "{error} samples with {frames} frames at {rate} Hz");
            }
        }
    }

    #[test]
    fn samples_left_out_by_the_device_move_the_clock_at_once() {
        let clock = StreamClock::default();
        clock.record(0, 0, 100, 1000.0);
        clock.record(100_000_000, 100, 100, 1000.0);
        assert_eq!(clock.sample_at(150_000_000, 1000.0), 150);
        clock.record(300_000_000, 200, 100, 1000.0);
        assert_eq!(clock.sample_at(300_000_000, 1000.0), 200);
    }
}
