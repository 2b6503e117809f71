//! What the pictures need, binned during the run into a fixed number of columns.

use percuss::Ledger;

/// Most columns of a picture.
pub const COLUMNS: u64 = 2000;

/// Energies at one instant \[J\].
#[derive(Clone, Debug)]
pub struct EnergyRow {
    /// Time \[s\].
    pub time: f64,
    /// Held by each element.
    pub elements: Vec<f64>,
    /// Held by each contact.
    pub contacts: Vec<f64>,
    /// Lost since the start.
    pub dissipated: f64,
    /// Put in since the start.
    pub supplied: f64,
    /// Largest relative residual since the last row.
    pub residual: f64,
}

/// Least and largest value per bin. Bins double in width when a value other than zero falls beyond the last, so that
/// a force that ends early is kept in full detail however long the run.
#[derive(Clone, Debug)]
pub struct Envelope {
    /// Steps per bin.
    pub width: u64,
    /// Least and largest value of each bin.
    pub bins: Vec<(f64, f64)>,
    /// The last step at which the value was zero.
    last_zero: u64,
}

impl Envelope {
    fn new() -> Self {
        Self { width: 1, bins: Vec::with_capacity(COLUMNS as usize), last_zero: 0 }
    }

    /// Notes the value of a step.
    pub fn push(&mut self, step: u64, value: f64) {
        if value == 0.0 {
            // Zero only matters where something else is in the same bin.
            self.last_zero = step;
            if let Some(bin) = self.bins.get_mut((step / self.width) as usize) {
                *bin = (bin.0.min(0.0), bin.1.max(0.0));
            }
            return;
        }
        while step / self.width >= COLUMNS {
            self.double();
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

    fn double(&mut self) {
        self.width *= 2;
        let merged = self.bins.chunks(2).map(|pair| {
            let last = pair[pair.len() - 1];
            (pair[0].0.min(last.0), pair[0].1.max(last.1))
        });
        self.bins = merged.collect();
    }
}

/// What the pictures need.
#[derive(Clone, Debug)]
pub struct Recorder {
    time_step: f64,
    steps: u64,
    stride: u64,
    /// Energies, evenly spaced in time.
    pub energy: Vec<EnergyRow>,
    /// Force of each contact \[N\].
    pub forces: Vec<Envelope>,
    residual: f64,
}

impl Recorder {
    /// A recorder for so many steps; notes the start.
    pub fn new(steps: u64, time_step: f64, ledger: &Ledger) -> Self {
        let forces = vec![Envelope::new(); ledger.interactions.len()];
        let stride = steps.div_ceil(COLUMNS).max(1);
        let mut recorder = Self { time_step, steps, stride, energy: Vec::new(), forces, residual: 0.0 };
        recorder.note_energy(0, ledger);
        recorder
    }

    /// Notes a step.
    pub fn observe(&mut self, step: u64, ledger: &Ledger) {
        for (envelope, account) in self.forces.iter_mut().zip(&ledger.interactions) {
            envelope.push(step, account.force);
        }
        if ledger.total.scale > 0.0 {
            self.residual = self.residual.max(ledger.total.residual.abs() / ledger.total.scale);
        }
        if step.is_multiple_of(self.stride) || step == self.steps {
            self.note_energy(step, ledger);
        }
    }

    fn note_energy(&mut self, step: u64, ledger: &Ledger) {
        self.energy.push(EnergyRow {
            time: step as f64 * self.time_step,
            elements: ledger.elements.iter().map(|account| account.stored).collect(),
            contacts: ledger.interactions.iter().map(|account| account.stored).collect(),
            dissipated: ledger.total.dissipated,
            supplied: ledger.total.supplied,
            residual: self.residual,
        });
        self.residual = 0.0;
    }

    /// Time of a bin of an envelope \[s\].
    pub fn bin_time(&self, envelope: &Envelope, bin: usize) -> f64 {
        bin as f64 * envelope.width as f64 * self.time_step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_early_force_keeps_its_detail_however_long_the_run() {
        let mut envelope = Envelope::new();
        for step in 0..1_000_000 {
            envelope.push(step, if (100..150).contains(&step) { step as f64 } else { 0.0 });
        }
        assert_eq!((envelope.width, envelope.bins.len()), (1, 150));
        assert_eq!(envelope.bins[120], (120.0, 120.0));
    }

    #[test]
    fn extremes_survive_merging_and_the_size_is_bounded() {
        let mut envelope = Envelope::new();
        for step in 0..1_000_000_u64 {
            let value = if step == 777_777 { -5.0 } else { 1.0 + (step == 13) as u8 as f64 };
            envelope.push(step, value);
        }
        assert!(envelope.bins.len() as u64 <= COLUMNS);
        let least = envelope.bins.iter().fold(f64::MAX, |least, bin| least.min(bin.0));
        let most = envelope.bins.iter().fold(f64::MIN, |most, bin| most.max(bin.1));
        assert_eq!((least, most), (-5.0, 2.0));
        assert_eq!(envelope.bins[1700], (1.0, 1.0), "a force that never ends has no zeros in it");
    }
}
