//! Load, peaks and energy of the audio engine, shared without locks.
//!
//! Load is the CPU time of the audio thread for a buffer, divided by the duration of the buffer.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

/// Width of a bin of the load histogram.
const BIN_WIDTH: f64 = 1e-3;
const BIN_COUNT: usize = 2000;

/// An `f64` that threads share.
#[derive(Debug, Default)]
struct AtomicF64(AtomicU64);

impl AtomicF64 {
    fn set(&self, value: f64) {
        self.0.store(value.to_bits(), Relaxed);
    }
    fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Relaxed))
    }
}

/// Written by the audio thread, read by any thread.
#[derive(Debug)]
pub struct Meter {
    /// Histogram of the load; the last bin counts all larger loads.
    load_histogram: Vec<AtomicU32>,
    blocks: AtomicU64,
    load_sum: AtomicF64,
    max_load: AtomicF64,
    smoothed_load: AtomicF64,
    peaks: [AtomicF64; 2],
    has_ledger: AtomicBool,
    initial: AtomicF64,
    stored: AtomicF64,
    touch_work: AtomicF64,
    dissipated: AtomicF64,
    supplied: AtomicF64,
    worst_residual: AtomicF64,
    samples: AtomicU64,
    nan_resets: AtomicU64,
    /// Reduction by the limiter since the last read, 1 − gain.
    limiter_reduction: AtomicF64,
    cut_outs: AtomicU64,
    dropped_frames: AtomicU64,
}

/// Values of a meter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeterReading {
    /// Buffers filled.
    pub blocks: u64,
    /// Samples played.
    pub samples: u64,
    /// Mean load; 1 is the duration of the buffer.
    pub mean_load: f64,
    /// Exponentially smoothed load, for a display.
    pub smoothed_load: f64,
    /// Median load.
    pub median_load: f64,
    /// 99th percentile of the load.
    pub load_percentile_99: f64,
    /// 99.9th percentile of the load.
    pub load_percentile_99_9: f64,
    /// Maximum load.
    pub max_load: f64,
    /// Frames missing in the recording because the disk was too slow.
    pub dropped_frames: u64,
    /// Peaks of the first two channels since the last read; 1 is full scale.
    pub peaks: [f64; 2],
    /// Whether the energy ledger is open.
    pub has_ledger: bool,
    /// Energy stored at the start \[J\]. With what was supplied and the work of touches, it is what is stored and dissipated.
    pub initial: f64,
    /// Stored energy \[J\].
    pub stored: f64,
    /// Dissipated energy \[J\].
    pub dissipated: f64,
    /// Energy supplied by forces and motions from outside \[J\].
    pub supplied: f64,
    /// Work of touches as their pressure or place changes \[J\].
    pub touch_work: f64,
    /// Worst residual of a step, relative to the energy.
    pub worst_residual: f64,
    /// Number of restarts after output that was not finite.
    pub nan_resets: u64,
    /// Least gain of the limiter since the last read; 1 where it is idle.
    pub limiter_gain: f64,
    /// Number of restarts of scenes that held more energy than they were given.
    pub cut_outs: u64,
}

impl Default for Meter {
    fn default() -> Self {
        Self {
            load_histogram: (0..=BIN_COUNT).map(|_| AtomicU32::new(0)).collect(),
            blocks: AtomicU64::new(0),
            load_sum: AtomicF64::default(),
            max_load: AtomicF64::default(),
            smoothed_load: AtomicF64::default(),
            peaks: Default::default(),
            has_ledger: AtomicBool::new(false),
            initial: AtomicF64::default(),
            touch_work: AtomicF64::default(),
            stored: AtomicF64::default(),
            dissipated: AtomicF64::default(),
            supplied: AtomicF64::default(),
            worst_residual: AtomicF64::default(),
            samples: AtomicU64::new(0),
            nan_resets: AtomicU64::new(0),
            limiter_reduction: AtomicF64::default(),
            cut_outs: AtomicU64::new(0),
            dropped_frames: AtomicU64::new(0),
        }
    }
}

impl Meter {
    /// Records the load of a buffer. Only the audio thread calls it, so that sums need no atomic exchange.
    pub fn record_load(&self, load: f64) {
        let bin = ((load / BIN_WIDTH) as usize).min(BIN_COUNT);
        self.load_histogram[bin].fetch_add(1, Relaxed);
        self.blocks.fetch_add(1, Relaxed);
        self.load_sum.set(self.load_sum.get() + load);
        self.max_load.set(self.max_load.get().max(load));
        self.smoothed_load.set(self.smoothed_load.get() + 0.05 * (load - self.smoothed_load.get()));
    }

    pub(crate) fn record_peak(&self, channel: usize, peak: f64) {
        if let Some(maximum) = self.peaks.get(channel) {
            maximum.set(maximum.get().max(peak));
        }
    }

    pub(crate) fn record_ledger_state(&self, is_open: bool) {
        self.has_ledger.store(is_open, Relaxed);
    }

    /// Adds the energies of a voice; voice 0 starts a new sum.
    pub(crate) fn record_energy(&self, voice: usize, total: &percuss::Total) {
        let sum = |value: &AtomicF64| if voice == 0 { 0.0 } else { value.get() };
        self.initial.set(sum(&self.initial) + total.initial);
        self.touch_work.set(sum(&self.touch_work) + total.touch_work);
        self.stored.set(sum(&self.stored) + total.stored);
        self.dissipated.set(sum(&self.dissipated) + total.dissipated);
        self.supplied.set(sum(&self.supplied) + total.supplied);
        self.worst_residual.set(sum(&self.worst_residual).max(total.worst_relative));
    }

    pub(crate) fn record_samples(&self, samples: u64) {
        // Who reads it sees all events up to this sample.
        self.samples.store(samples, Release);
    }

    pub(crate) fn record_nan_reset(&self) {
        self.nan_resets.fetch_add(1, Relaxed);
    }

    pub(crate) fn record_limiter_gain(&self, gain: f64) {
        self.limiter_reduction.set(self.limiter_reduction.get().max(1.0 - gain));
    }

    pub(crate) fn record_cut_out(&self) {
        self.cut_outs.fetch_add(1, Relaxed);
    }

    pub(crate) fn record_dropped_frames(&self, frames: u64) {
        self.dropped_frames.fetch_add(frames, Relaxed);
    }

    /// Samples played. All events of the engine before this sample are in its queue.
    pub fn samples(&self) -> u64 {
        self.samples.load(Acquire)
    }

    /// Restarts of scenes that held more energy than they were given.
    pub fn cut_outs(&self) -> u64 {
        self.cut_outs.load(Relaxed)
    }

    /// Current values; resets the peaks and the limiter's gain.
    pub fn read(&self) -> MeterReading {
        let blocks = self.blocks.load(Relaxed);
        MeterReading {
            blocks,
            samples: self.samples(),
            mean_load: self.load_sum.get() / blocks.max(1) as f64,
            smoothed_load: self.smoothed_load.get(),
            median_load: self.percentile(0.5),
            load_percentile_99: self.percentile(0.99),
            load_percentile_99_9: self.percentile(0.999),
            max_load: self.max_load.get(),
            dropped_frames: self.dropped_frames.load(Relaxed),
            peaks: [0, 1].map(|channel: usize| f64::from_bits(self.peaks[channel].0.swap(0, Relaxed))),
            has_ledger: self.has_ledger.load(Relaxed),
            initial: self.initial.get(),
            touch_work: self.touch_work.get(),
            stored: self.stored.get(),
            dissipated: self.dissipated.get(),
            supplied: self.supplied.get(),
            worst_residual: self.worst_residual.get(),
            nan_resets: self.nan_resets.load(Relaxed),
            limiter_gain: 1.0 - f64::from_bits(self.limiter_reduction.0.swap(0, Relaxed)),
            cut_outs: self.cut_outs(),
        }
    }

    /// Load that a fraction of the buffers does not exceed, to the width of a bin.
    fn percentile(&self, fraction: f64) -> f64 {
        let counts: Vec<u64> = self.load_histogram.iter().map(|bin| u64::from(bin.load(Relaxed))).collect();
        let rank = (fraction * counts.iter().sum::<u64>() as f64).ceil() as u64;
        let mut seen = 0;
        let bin = counts.iter().position(|count| {
            seen += count;
            seen >= rank.max(1)
        });
        match bin {
            // The upper end of a bin can exceed the maximum.
            Some(bin) if bin < BIN_COUNT => ((bin + 1) as f64 * BIN_WIDTH).min(self.max_load.get()),
            Some(_) => self.max_load.get(),
            None => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_match_the_recorded_loads() {
        let meter = Meter::default();
        assert_eq!(meter.read().load_percentile_99_9, 0.0);
        for n in 0..1000 {
            meter.record_load(f64::from(n) / 1000.0);
        }
        meter.record_load(7.0);
        let reading = meter.read();
        assert!((reading.median_load - 0.5).abs() <= 2.0 * BIN_WIDTH, "{}", reading.median_load);
        assert!((reading.load_percentile_99 - 0.99).abs() <= 2.0 * BIN_WIDTH, "{}", reading.load_percentile_99);
        assert!((reading.load_percentile_99_9 - 0.999).abs() <= 2.0 * BIN_WIDTH, "{}", reading.load_percentile_99_9);
        assert_eq!((reading.max_load, reading.blocks), (7.0, 1001));
    }
}
