//! Data for plots, binned during the run into a fixed number of columns.

use super::energy_record::EnergyRecord;
use percuss::Ledger;

/// Largest number of columns in a plot.
pub const MAX_COLUMNS: u64 = 2000;

/// Minimum and maximum per bin. The width of the bins doubles when a nonzero value falls beyond the last bin, so that a
/// force that ends early keeps its full resolution however long the run.
#[derive(Clone, Debug)]
pub struct MinMaxEnvelope {
    /// Steps per bin.
    pub width: u64,
    /// Minimum and maximum of each bin.
    pub bins: Vec<(f64, f64)>,
    /// Last step with value zero.
    last_zero: u64,
}

impl MinMaxEnvelope {
    fn new() -> Self {
        Self { width: 1, bins: Vec::with_capacity(MAX_COLUMNS as usize), last_zero: 0 }
    }

    /// Adds the value of a step.
    pub fn push(&mut self, step: u64, value: f64) {
        if value == 0.0 {
            // Zero matters only in a bin that holds other values.
            self.last_zero = step;
            if let Some(bin) = self.bins.get_mut((step / self.width) as usize) {
                *bin = (bin.0.min(0.0), bin.1.max(0.0));
            }
            return;
        }
        while step / self.width >= MAX_COLUMNS {
            self.double_width();
        }
        let index = (step / self.width) as usize;
        if index < self.bins.len() {
            let bin = &mut self.bins[index];
            *bin = (bin.0.min(value), bin.1.max(value));
        } else {
            self.bins.resize(index, (0.0, 0.0));
            let zero_before = self.last_zero / self.width == step / self.width;
            self.bins.push(if zero_before { (value.min(0.0), value.max(0.0)) } else { (value, value) });
        }
    }

    fn double_width(&mut self) {
        self.width *= 2;
        let merged = self.bins.chunks(2).map(|pair| {
            let last = pair[pair.len() - 1];
            (pair[0].0.min(last.0), pair[0].1.max(last.1))
        });
        self.bins = merged.collect();
    }
}

/// Records data for plots during a run.
#[derive(Clone, Debug)]
pub struct PlotRecorder {
    time_step: f64,
    /// Energies.
    pub energy: EnergyRecord,
    /// Force of each contact \[N\].
    pub forces: Vec<MinMaxEnvelope>,
    /// What touches do.
    pub touches: TouchPowers,
}

/// Work, energy and loss of all touches in every step.
#[derive(Clone, Debug)]
pub struct TouchPowers {
    /// Power of their changes \[W\].
    pub work: MinMaxEnvelope,
    /// Energy stored in their mass and stiffness \[J\].
    pub stored: MinMaxEnvelope,
    /// Power lost in their damping \[W\].
    pub loss: MinMaxEnvelope,
    /// Work and loss since the start, up to the step before \[J\].
    before: [f64; 2],
}

impl TouchPowers {
    fn new(ledger: &Ledger) -> Self {
        let [work, stored, loss] = [(); 3].map(|()| MinMaxEnvelope::new());
        Self { work, stored, loss, before: [ledger.total.touch_work, ledger.total.touch_dissipated] }
    }

    fn observe(&mut self, step: u64, time_step: f64, ledger: &Ledger) {
        let now = [ledger.total.touch_work, ledger.total.touch_dissipated];
        self.work.push(step, (now[0] - self.before[0]) / time_step);
        self.stored.push(step, ledger.total.touch_stored);
        self.loss.push(step, (now[1] - self.before[1]) / time_step);
        self.before = now;
    }
}

impl PlotRecorder {
    /// A recorder with the energies at the start of a run.
    pub fn new(time_step: f64, ledger: &Ledger) -> Self {
        let forces = vec![MinMaxEnvelope::new(); ledger.interactions.len()];
        Self { time_step, energy: EnergyRecord::new(time_step, ledger), forces, touches: TouchPowers::new(ledger) }
    }

    /// Records a step.
    pub fn observe(&mut self, step: u64, ledger: &Ledger) {
        for (envelope, account) in self.forces.iter_mut().zip(&ledger.interactions) {
            envelope.push(step, account.force);
        }
        self.energy.observe(step, ledger);
        self.touches.observe(step, self.time_step, ledger);
    }

    /// Curve through the minimum and maximum of every bin of an envelope, and zero after the last: times \[s\] and values.
    pub fn curve(&self, envelope: &MinMaxEnvelope) -> Vec<(f64, f64)> {
        let mut line = Vec::new();
        for (bin, &(low, high)) in envelope.bins.iter().enumerate() {
            let time = self.bin_time(envelope, bin);
            line.push((time, low));
            if high > low {
                line.push((time, high));
            }
        }
        let (last, whole) = (self.bin_time(envelope, envelope.bins.len()), self.energy.duration());
        if last < whole {
            line.extend([(last, 0.0), (whole, 0.0)]);
        }
        line
    }

    /// Start time of a bin of an envelope \[s\].
    pub fn bin_time(&self, envelope: &MinMaxEnvelope, bin: usize) -> f64 {
        bin as f64 * envelope.width as f64 * self.time_step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn early_force_keeps_full_resolution_in_a_long_run() {
        let mut envelope = MinMaxEnvelope::new();
        for step in 0..1_000_000 {
            envelope.push(step, if (100..150).contains(&step) { step as f64 } else { 0.0 });
        }
        assert_eq!((envelope.width, envelope.bins.len()), (1, 150));
        assert_eq!(envelope.bins[120], (120.0, 120.0));
    }

    #[test]
    fn merged_bins_keep_extremes_and_their_number_is_bounded() {
        let mut envelope = MinMaxEnvelope::new();
        for step in 0..1_000_000_u64 {
            let value = if step == 777_777 { -5.0 } else { 1.0 + (step == 13) as u8 as f64 };
            envelope.push(step, value);
        }
        assert!(envelope.bins.len() as u64 <= MAX_COLUMNS);
        let least = envelope.bins.iter().fold(f64::MAX, |least, bin| least.min(bin.0));
        let most = envelope.bins.iter().fold(f64::MIN, |most, bin| most.max(bin.1));
        assert_eq!((least, most), (-5.0, 2.0));
        assert_eq!(envelope.bins[1700], (1.0, 1.0), "no bin of a persistent force contains zero");
    }
}
