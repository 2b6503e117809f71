//! Drift of ψ from the potential: |ψ − ψ(½(η⁺ + η))| of a contact at every step.

use percuss::*;

/// Measures the drift of ψ of one contact.
pub struct PsiDriftMonitor {
    contact: InteractionId,
    /// Displacements below and above, for every row of the contact.
    pickups: Vec<[PickupId; 2]>,
    /// η of every row after the last step \[m\].
    eta: Vec<f64>,
    gap: f64,
    /// ψ(η) = scale·|η|^power, for η > 0 or on both sides.
    scale: f64,
    power: f64,
    two_sided: bool,
    sum: f64,
    count: usize,
    peak: f64,
    open_peak: f64,
    max_psi: f64,
}

/// Drift of ψ, over its largest value on the potential.
#[derive(Clone, Copy, Default)]
pub struct PsiDrift {
    /// Root mean square over steps and rows.
    pub rms: f64,
    /// Maximum.
    pub peak: f64,
    /// Largest ψ while a one-sided contact is open, where it should be 0.
    pub open_peak: f64,
}

impl PsiDrift {
    /// Maximum of each quantity.
    pub fn max(self, other: Self) -> Self {
        Self {
            rms: self.rms.max(other.rms),
            peak: self.peak.max(other.peak),
            open_peak: self.open_peak.max(other.open_peak),
        }
    }
}

impl PsiDriftMonitor {
    /// Adds the pickups that measure η to a model.
    pub fn new(model: &mut Model, contact: InteractionId) -> Self {
        let Interaction { below, above, law, distributed, .. } = model.interactions()[contact.index()].clone();
        let (stiffness, exponent, two_sided) = match law {
            Law::Collision(law) => (law.stiffness, law.exponent, false),
            Law::Connection(law) => (law.stiffness, law.exponent, true),
            _ => unreachable!("only contacts with a potential are measured"),
        };
        let above = above.expect("two bodies in contact");
        let (cell, points) = match &model.elements()[below.element.index()] {
            Element::String(StiffString { length, grid: Some(intervals), .. }) if distributed => {
                let at = |node: usize| node as f64 / *intervals as f64;
                let row = |node| [below.element.at(at(node)), above.element.at(at(node))];
                (length / *intervals as f64, (1..*intervals).map(row).collect())
            }
            _ => (1.0, vec![[below.point().expect("the point is fixed"), above]]),
        };
        let pickup = |points: [Point; 2]| points.map(|point| model.pickup(point, Quantity::Displacement));
        let pickups: Vec<_> = points.into_iter().map(pickup).collect();
        Self {
            contact,
            eta: vec![0.0; pickups.len()],
            pickups,
            gap: law.gap(),
            scale: (2.0 * cell * stiffness / (exponent + 1.0)).sqrt(),
            power: 0.5 * (exponent + 1.0),
            two_sided,
            sum: 0.0,
            count: 0,
            peak: 0.0,
            open_peak: 0.0,
            max_psi: 0.0,
        }
    }

    fn psi(&self, eta: f64) -> f64 {
        if eta > 0.0 || self.two_sided { self.scale * eta.abs().powf(self.power).copysign(eta) } else { 0.0 }
    }

    fn eta(&self, simulation: &Simulation, row: usize) -> f64 {
        let [below, above] = self.pickups[row];
        simulation.read(below) - simulation.read(above) - self.gap
    }

    /// Records the initial η.
    pub fn record_start(&mut self, simulation: &Simulation) {
        for row in 0..self.pickups.len() {
            self.eta[row] = self.eta(simulation, row);
        }
    }

    /// Records a step; returns ψ − ψ(½(η⁺ + η)) of the row in which its magnitude is largest.
    pub fn record_step(&mut self, simulation: &Simulation) -> f64 {
        let mut worst = 0.0_f64;
        for (row, psi) in simulation.psi(self.contact).enumerate() {
            let eta_next = self.eta(simulation, row);
            let eta = std::mem::replace(&mut self.eta[row], eta_next);
            let expected = self.psi(0.5 * (eta_next + eta));
            let error = psi - expected;
            self.sum += error * error;
            self.count += 1;
            self.max_psi = self.max_psi.max(expected.abs());
            if !self.two_sided && eta_next <= 0.0 && eta <= 0.0 {
                self.open_peak = self.open_peak.max(psi.abs());
            }
            worst = if error.abs() > worst.abs() { error } else { worst };
        }
        self.peak = self.peak.max(worst.abs());
        worst
    }

    /// Largest ψ on the potential so far.
    pub fn max_psi(&self) -> f64 {
        self.max_psi
    }

    /// Drift so far.
    pub fn drift(&self) -> PsiDrift {
        if self.max_psi == 0.0 {
            return PsiDrift::default();
        }
        let rms = (self.sum / self.count as f64).sqrt();
        PsiDrift { rms: rms / self.max_psi, peak: self.peak / self.max_psi, open_peak: self.open_peak / self.max_psi }
    }
}
