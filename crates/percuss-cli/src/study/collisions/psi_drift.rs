//! How far ψ strays from its potential: |ψ − ψ(½(η⁺ + η))| of every contact at every step.

use percuss::*;

/// A contact that is watched.
pub struct Watch {
    contact: InteractionId,
    /// Displacements below and above, for every place of the contact.
    places: Vec<[PickupId; 2]>,
    /// η of every place after the last step \[m\].
    eta: Vec<f64>,
    gap: f64,
    /// ψ(η) = scale·|η|^power, to one side or to both.
    scale: f64,
    power: f64,
    two_sided: bool,
    sum: f64,
    count: usize,
    peak: f64,
    left_over: f64,
    largest: f64,
}

/// How far ψ strayed, over its largest value on the potential.
#[derive(Clone, Copy, Default)]
pub struct Drift {
    /// Root mean square over steps and places.
    pub rms: f64,
    /// Largest.
    pub peak: f64,
    /// Largest ψ while a one-sided contact is open, where it should be 0.
    pub left_over: f64,
}

impl Drift {
    /// The larger of each.
    pub fn worse(self, other: Self) -> Self {
        Self {
            rms: self.rms.max(other.rms),
            peak: self.peak.max(other.peak),
            left_over: self.left_over.max(other.left_over),
        }
    }
}

impl Watch {
    /// Adds the pickups that tell η to a model.
    pub fn new(model: &mut Model, contact: InteractionId) -> Self {
        let Interaction { below, above, law, distributed, .. } = model.interactions()[contact.index()].clone();
        let (stiffness, exponent, two_sided) = match law {
            Law::Collision(law) => (law.stiffness, law.exponent, false),
            Law::Connection(law) => (law.stiffness, law.exponent, true),
            _ => unreachable!("only contacts with a potential are watched"),
        };
        let above = above.expect("two bodies in contact");
        let (cell, points) = match &model.elements()[below.element.index()] {
            Element::String(StiffString { length, grid: Some(intervals), .. }) if distributed => {
                let at = |node: usize| node as f64 / *intervals as f64;
                let place = |node| [below.element.at(at(node)), above.element.at(at(node))];
                (length / *intervals as f64, (1..*intervals).map(place).collect())
            }
            _ => (1.0, vec![[below.point().expect("nothing moves along"), above]]),
        };
        let pickup = |points: [Point; 2]| points.map(|point| model.pickup(point, Quantity::Displacement));
        let places: Vec<_> = points.into_iter().map(pickup).collect();
        Self {
            contact,
            eta: vec![0.0; places.len()],
            places,
            gap: law.gap(),
            scale: (2.0 * cell * stiffness / (exponent + 1.0)).sqrt(),
            power: 0.5 * (exponent + 1.0),
            two_sided,
            sum: 0.0,
            count: 0,
            peak: 0.0,
            left_over: 0.0,
            largest: 0.0,
        }
    }

    fn psi(&self, eta: f64) -> f64 {
        if eta > 0.0 || self.two_sided { self.scale * eta.abs().powf(self.power).copysign(eta) } else { 0.0 }
    }

    fn eta(&self, simulation: &Simulation, place: usize) -> f64 {
        let [below, above] = self.places[place];
        simulation.read(below) - simulation.read(above) - self.gap
    }

    /// Takes note of where everything is at the start.
    pub fn start(&mut self, simulation: &Simulation) {
        for place in 0..self.places.len() {
            self.eta[place] = self.eta(simulation, place);
        }
    }

    /// Takes note of a step; returns ψ − ψ(½(η⁺ + η)) of the place where it is largest.
    pub fn note(&mut self, simulation: &Simulation) -> f64 {
        let mut worst = 0.0_f64;
        for (place, psi) in simulation.psi(self.contact).enumerate() {
            let ahead = self.eta(simulation, place);
            let behind = std::mem::replace(&mut self.eta[place], ahead);
            let right = self.psi(0.5 * (ahead + behind));
            let off = psi - right;
            self.sum += off * off;
            self.count += 1;
            self.largest = self.largest.max(right.abs());
            if !self.two_sided && ahead <= 0.0 && behind <= 0.0 {
                self.left_over = self.left_over.max(psi.abs());
            }
            worst = if off.abs() > worst.abs() { off } else { worst };
        }
        self.peak = self.peak.max(worst.abs());
        worst
    }

    /// The largest ψ on the potential so far.
    pub fn largest(&self) -> f64 {
        self.largest
    }

    /// What was found so far.
    pub fn drift(&self) -> Drift {
        if self.largest == 0.0 {
            return Drift::default();
        }
        let rms = (self.sum / self.count as f64).sqrt();
        Drift { rms: rms / self.largest, peak: self.peak / self.largest, left_over: self.left_over / self.largest }
    }
}
