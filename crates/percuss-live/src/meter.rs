//! How it goes: load, peaks, energy, all without locks.
//!
//! Load is the time the engine's own thread spent on a buffer over the time the buffer lasts.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Width of a bin of the load's histogram.
const BIN: f64 = 1e-3;
const BINS: usize = 2000;

/// A number that two threads share.
#[derive(Debug, Default)]
struct Shared(AtomicU64);

impl Shared {
    fn set(&self, value: f64) {
        self.0.store(value.to_bits(), Relaxed);
    }
    fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Relaxed))
    }
}

/// Written by the engine, read by anyone.
#[derive(Debug)]
pub struct Meter {
    /// Bins of the load, the last for everything beyond.
    loads: Vec<AtomicU32>,
    blocks: AtomicU64,
    sum: Shared,
    worst: Shared,
    recent: Shared,
    peaks: [Shared; 2],
    has_account: AtomicBool,
    stored: Shared,
    dissipated: Shared,
    supplied: Shared,
    residual: Shared,
    samples: AtomicU64,
    rescues: AtomicU64,
    xruns: AtomicU64,
    gaps: AtomicU64,
}

/// What the meter says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// Buffers filled.
    pub blocks: u64,
    /// Samples played.
    pub samples: u64,
    /// Mean load, 1 is all there is.
    pub mean: f64,
    /// Load of the last buffers, for a display.
    pub recent: f64,
    /// Load not exceeded by half of the buffers.
    pub median: f64,
    /// By 99 in 100.
    pub percentile_99: f64,
    /// By 999 in 1000.
    pub percentile_99_9: f64,
    /// Worst load.
    pub worst: f64,
    /// Buffers that the device said came too late.
    pub xruns: u64,
    /// Frames that the disk was too slow to take.
    pub gaps: u64,
    /// Peak of the first two channels since last read, 1 is full scale.
    pub peaks: [f64; 2],
    /// Whether the energy account is kept.
    pub has_account: bool,
    /// Energy held, lost and put in \[J\].
    pub stored: f64,
    /// Lost.
    pub dissipated: f64,
    /// Put in.
    pub supplied: f64,
    /// Worst error of the account, of the energy.
    pub residual: f64,
    /// Times the scene left the numbers and was started again.
    pub rescues: u64,
}

impl Default for Meter {
    fn default() -> Self {
        Self {
            loads: (0..=BINS).map(|_| AtomicU32::new(0)).collect(),
            blocks: AtomicU64::new(0),
            sum: Shared::default(),
            worst: Shared::default(),
            recent: Shared::default(),
            peaks: Default::default(),
            has_account: AtomicBool::new(false),
            stored: Shared::default(),
            dissipated: Shared::default(),
            supplied: Shared::default(),
            residual: Shared::default(),
            samples: AtomicU64::new(0),
            rescues: AtomicU64::new(0),
            xruns: AtomicU64::new(0),
            gaps: AtomicU64::new(0),
        }
    }
}

impl Meter {
    /// Notes the load of a buffer. Only the engine's thread writes it, so that sums need no exchange.
    pub fn note_load(&self, load: f64) {
        let bin = ((load / BIN) as usize).min(BINS);
        self.loads[bin].fetch_add(1, Relaxed);
        self.blocks.fetch_add(1, Relaxed);
        self.sum.set(self.sum.get() + load);
        self.worst.set(self.worst.get().max(load));
        self.recent.set(self.recent.get() + 0.05 * (load - self.recent.get()));
    }

    pub(crate) fn note_peak(&self, channel: usize, peak: f64) {
        if let Some(shared) = self.peaks.get(channel) {
            shared.set(shared.get().max(peak));
        }
    }

    pub(crate) fn note_account(&self, is_kept: bool) {
        self.has_account.store(is_kept, Relaxed);
    }

    /// Notes the account of a voice; the first begins a new sum.
    pub(crate) fn note_energy(&self, voice: usize, total: &percuss::Total) {
        let before = |shared: &Shared| if voice == 0 { 0.0 } else { shared.get() };
        self.stored.set(before(&self.stored) + total.stored);
        self.dissipated.set(before(&self.dissipated) + total.dissipated);
        self.supplied.set(before(&self.supplied) + total.supplied);
        self.residual.set(before(&self.residual).max(total.worst_relative));
    }

    pub(crate) fn note_samples(&self, now: u64) {
        self.samples.store(now, Relaxed);
    }

    pub(crate) fn note_rescue(&self) {
        self.rescues.fetch_add(1, Relaxed);
    }

    pub(crate) fn note_gap(&self, frames: u64) {
        self.gaps.fetch_add(frames, Relaxed);
    }

    /// Notes that the device ran dry.
    pub fn note_xrun(&self) {
        self.xruns.fetch_add(1, Relaxed);
    }

    /// Samples played so far.
    pub fn samples(&self) -> u64 {
        self.samples.load(Relaxed)
    }

    /// What it says now; the peaks start anew.
    pub fn read(&self) -> Reading {
        let blocks = self.blocks.load(Relaxed);
        Reading {
            blocks,
            samples: self.samples(),
            mean: self.sum.get() / blocks.max(1) as f64,
            recent: self.recent.get(),
            median: self.percentile(0.5),
            percentile_99: self.percentile(0.99),
            percentile_99_9: self.percentile(0.999),
            worst: self.worst.get(),
            xruns: self.xruns.load(Relaxed),
            gaps: self.gaps.load(Relaxed),
            peaks: [0, 1].map(|channel: usize| f64::from_bits(self.peaks[channel].0.swap(0, Relaxed))),
            has_account: self.has_account.load(Relaxed),
            stored: self.stored.get(),
            dissipated: self.dissipated.get(),
            supplied: self.supplied.get(),
            residual: self.residual.get(),
            rescues: self.rescues.load(Relaxed),
        }
    }

    /// The load that a share of the buffers does not exceed, to the width of a bin.
    fn percentile(&self, share: f64) -> f64 {
        let counts: Vec<u64> = self.loads.iter().map(|bin| u64::from(bin.load(Relaxed))).collect();
        let wanted = (share * counts.iter().sum::<u64>() as f64).ceil() as u64;
        let mut seen = 0;
        let bin = counts.iter().position(|count| {
            seen += count;
            seen >= wanted.max(1)
        });
        match bin {
            // The end of a bin may lie beyond the worst that was in it.
            Some(bin) if bin < BINS => ((bin + 1) as f64 * BIN).min(self.worst.get()),
            Some(_) => self.worst.get(),
            None => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_the_loads() {
        let meter = Meter::default();
        assert_eq!(meter.read().percentile_99_9, 0.0);
        for n in 0..1000 {
            meter.note_load(f64::from(n) / 1000.0);
        }
        meter.note_load(7.0);
        let reading = meter.read();
        assert!((reading.median - 0.5).abs() <= 2.0 * BIN, "{}", reading.median);
        assert!((reading.percentile_99 - 0.99).abs() <= 2.0 * BIN, "{}", reading.percentile_99);
        assert!((reading.percentile_99_9 - 0.999).abs() <= 2.0 * BIN, "{}", reading.percentile_99_9);
        assert_eq!((reading.worst, reading.blocks), (7.0, 1001));
    }
}
