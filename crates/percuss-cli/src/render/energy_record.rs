//! Energies of a run, binned for plots: the smallest and largest value of every bin, so that no peak is lost.

use super::plot_recorder::MAX_COLUMNS;
use percuss::Ledger;

/// Smallest and largest value within a bin.
pub type Span = (f64, f64);

/// Energies within a bin of steps \[J\].
#[derive(Clone, Debug, PartialEq)]
pub struct EnergyBin {
    /// Stored in each element.
    pub elements: Vec<Span>,
    /// Stored in each contact.
    pub contacts: Vec<Span>,
    /// Dissipated since the start.
    pub dissipated: Span,
    /// Supplied since the start.
    pub supplied: Span,
    /// Work done by changes of touches since the start.
    pub touch_work: Span,
    /// Stored in all parts, and dissipated.
    pub stored_and_dissipated: Span,
    /// Largest residual, relative to the energy.
    pub residual: f64,
}

impl EnergyBin {
    fn new(ledger: &Ledger) -> Self {
        let total = &ledger.total;
        let point = |value: f64| (value, value);
        Self {
            elements: ledger.elements.iter().map(|account| point(account.stored)).collect(),
            contacts: ledger.interactions.iter().map(|account| point(account.stored)).collect(),
            dissipated: point(total.dissipated),
            supplied: point(total.supplied),
            touch_work: point(total.touch_work),
            stored_and_dissipated: point(total.stored + total.dissipated),
            residual: relative_residual(ledger),
        }
    }

    /// Widens the spans to the present values. Does not allocate.
    fn include(&mut self, ledger: &Ledger) {
        let Ledger { total, elements, interactions, .. } = ledger;
        let accounts = elements.iter().map(|account| account.stored);
        let contacts = interactions.iter().map(|account| account.stored);
        let sums = [total.dissipated, total.supplied, total.touch_work, total.stored + total.dissipated];
        for (span, value) in self.spans_mut().zip(accounts.chain(contacts).chain(sums)) {
            *span = (span.0.min(value), span.1.max(value));
        }
        self.residual = self.residual.max(relative_residual(ledger));
    }

    fn spans(&self) -> impl Iterator<Item = &Span> {
        let sums = [&self.dissipated, &self.supplied, &self.touch_work, &self.stored_and_dissipated];
        self.elements.iter().chain(&self.contacts).chain(sums)
    }

    fn spans_mut(&mut self) -> impl Iterator<Item = &mut Span> {
        let sums = [&mut self.dissipated, &mut self.supplied, &mut self.touch_work, &mut self.stored_and_dissipated];
        self.elements.iter_mut().chain(&mut self.contacts).chain(sums)
    }

    fn merge(&mut self, other: &Self) {
        for (own, other) in self.spans_mut().zip(other.spans()) {
            *own = (own.0.min(other.0), own.1.max(other.1));
        }
        self.residual = self.residual.max(other.residual);
    }
}

fn relative_residual(ledger: &Ledger) -> f64 {
    if ledger.total.scale > 0.0 { ledger.total.residual.abs() / ledger.total.scale } else { 0.0 }
}

/// Bins of equal width, which doubles when there are too many.
#[derive(Clone, Debug)]
pub struct EnergyRecord {
    time_step: f64,
    /// Steps per bin.
    width: u64,
    /// Last step that was recorded.
    last_step: u64,
    /// The bins.
    pub bins: Vec<EnergyBin>,
}

impl EnergyRecord {
    /// A record that starts with the energies before the first step.
    pub fn new(time_step: f64, ledger: &Ledger) -> Self {
        Self { time_step, width: 1, last_step: 0, bins: vec![EnergyBin::new(ledger)] }
    }

    /// Records a step; steps are consecutive.
    pub fn observe(&mut self, step: u64, ledger: &Ledger) {
        self.last_step = step;
        while step / self.width >= MAX_COLUMNS {
            self.double_width();
        }
        match self.bins.get_mut((step / self.width) as usize) {
            Some(bin) => bin.include(ledger),
            None => self.bins.push(EnergyBin::new(ledger)),
        }
    }

    fn double_width(&mut self) {
        self.width *= 2;
        let merged = self.bins.chunks(2).map(|pair| {
            let mut first = pair[0].clone();
            pair[1..].iter().for_each(|second| first.merge(second));
            first
        });
        self.bins = merged.collect();
    }

    /// Duration of the run \[s\].
    pub fn duration(&self) -> f64 {
        self.last_step as f64 * self.time_step
    }

    /// Time of a bin: its first step, and for the last one the end of the run \[s\].
    pub fn time(&self, bin: usize) -> f64 {
        let is_last = bin + 1 == self.bins.len();
        if is_last { self.duration() } else { bin as f64 * self.width as f64 * self.time_step }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use percuss::Account;

    fn ledger(stored: f64, dissipated: f64) -> Ledger {
        let mut ledger = Ledger::default();
        ledger.elements = vec![Account::default()];
        ledger.elements[0].stored = stored;
        (ledger.total.stored, ledger.total.dissipated) = (stored, dissipated);
        ledger
    }

    #[test]
    fn peak_of_one_step_survives_any_number_of_steps() {
        let mut record = EnergyRecord::new(1e-3, &ledger(1.0, 0.0));
        for step in 1..=50_000_u64 {
            let stored = if step == 12_345 { 7.0 } else { 1.0 };
            record.observe(step, &ledger(stored, 1e-6 * step as f64));
        }
        assert!(record.bins.len() as u64 <= MAX_COLUMNS && record.bins.len() as u64 > MAX_COLUMNS / 2);
        let peaks: Vec<usize> = (0..record.bins.len()).filter(|&bin| record.bins[bin].elements[0].1 == 7.0).collect();
        assert_eq!(peaks.len(), 1);
        let width = record.time(1) - record.time(0);
        assert!((12.345 - record.time(peaks[0])) < width && record.time(peaks[0]) <= 12.345);
        assert_eq!((record.time(0), record.duration()), (0.0, 50.0));
        assert_eq!(record.time(record.bins.len() - 1), 50.0);
        assert_eq!(record.bins.last().unwrap().dissipated.1, 1e-6 * 50_000.0);
    }
}
