//! Small models with known answers, shared by the tests of laws.
#![allow(dead_code)] // every test file uses its own part

use percuss::*;

/// A lone mass thrown at a barrier: the impact study's setting.
#[derive(Clone, Copy, Debug)]
pub struct ImpactCase {
    pub stiffness: f64,
    pub loss: f64,
    pub exponent: f64,
    pub speed: f64,
}

pub const MASS: f64 = 0.01;
/// The study's case 1, 19 samples of contact at 44.1 kHz.
pub const CASE_1: ImpactCase = ImpactCase { stiffness: 1e7, loss: 0.01, exponent: 1.3, speed: 0.5 };
/// Case 2, 6 samples.
pub const CASE_2: ImpactCase = ImpactCase { stiffness: 1e9, loss: 0.5, exponent: 1.5, speed: 1.0 };
/// Case 2 at four times the speed, 4 samples.
pub const HARD: ImpactCase = ImpactCase { speed: 4.0, ..CASE_2 };

/// How a thrown mass came back.
pub struct Rebound {
    /// Speed after the impact, positive \[m/s\].
    pub speed: f64,
    pub contact: ContactAccount,
    pub worst_residual: f64,
}

impl ImpactCase {
    /// Everything known about it.
    pub fn closed_form(&self) -> impact::Impact {
        impact::Impact::new(MASS, self.stiffness, self.exponent, self.loss, self.speed).unwrap()
    }

    /// Deepest compression of the thrown mass half-way between samples, where its potential is \[m\]: from a parabola through
    /// the deepest and its neighbours.
    pub fn compression(&self, rate: f64, phase: f64, scheme: Scheme) -> f64 {
        let (mut sim, place, _) = self.thrown(rate, phase, scheme);
        let (mut path, mut before) = (vec![0.0], -1.0);
        while sim.steps() < 10_000 && (path.len() < 3 || path[path.len() - 1] > 0.0) {
            sim.step();
            let now = sim.read(place);
            if now + before > 0.0 || path.len() > 1 {
                path.push(0.5 * (now + before));
            }
            before = now;
        }
        let deepest = (1..path.len() - 1).max_by(|&a, &b| path[a].total_cmp(&path[b])).unwrap();
        let [a, b, c] = [path[deepest - 1], path[deepest], path[deepest + 1]];
        b + (c - a).powi(2) / (8.0 * (2.0 * b - a - c))
    }

    /// Throws the mass so that it meets the barrier a fraction `phase` of a step after a sample.
    fn thrown(&self, rate: f64, phase: f64, scheme: Scheme) -> (Simulation, PickupId, PickupId) {
        let mut model = Model::new();
        model.scheme = scheme;
        let mass = model.add(Mass {
            mass: MASS,
            position: -(1.0 + phase) * self.speed / rate,
            velocity: self.speed,
            ..Mass::default()
        });
        let barrier = model.add(Barrier::at(0.0));
        let law = Collision { stiffness: self.stiffness, exponent: self.exponent, loss: self.loss, gap: 0.0 };
        model.collide(mass.point(), barrier.point(), law);
        let speed = model.pickup(mass.point(), Quantity::Velocity);
        let place = model.pickup(mass.point(), Quantity::Displacement);
        (model.compile(rate).unwrap(), place, speed)
    }

    /// How the thrown mass comes back.
    pub fn rebound(&self, rate: f64, phase: f64, scheme: Scheme) -> Rebound {
        let (mut sim, place, speed) = self.thrown(rate, phase, scheme);
        sim.open_ledger();
        // Well past the contact; a mass that is not off by then sticks (`plain` does that) and its speed counts as 0.
        let off = |sim: &Simulation| sim.read(speed) < 0.0 && sim.read(place) < -20.0 * self.speed / rate;
        while !off(&sim) && sim.steps() < 10_000 {
            sim.step();
        }
        let ledger = sim.ledger().unwrap();
        Rebound {
            speed: if off(&sim) { -sim.read(speed) } else { 0.0 },
            contact: ledger.interactions[0],
            worst_residual: ledger.total.worst_relative,
        }
    }

    /// Exact speed after the impact: y − ln(1+y) is the same before (y = μv) and after (y = −μv_out).
    pub fn exact_speed(&self) -> f64 {
        if self.loss == 0.0 {
            return self.speed;
        }
        let invariant = |y: f64| y - y.ln_1p();
        let target = invariant(self.loss * self.speed);
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if invariant(-middle) < target { low = middle } else { high = middle }
        }
        low / self.loss
    }

    /// Root mean square of the relative error of the rebound speed over contact phases \[%\].
    pub fn rms_error_percent(&self, rate: f64, scheme: Scheme, phases: usize) -> f64 {
        let exact = self.exact_speed();
        let square = |i: usize| {
            let phase = (i as f64 + 0.5) / phases as f64;
            (self.rebound(rate, phase, scheme).speed / exact - 1.0).powi(2)
        };
        100.0 * ((0..phases).map(square).sum::<f64>() / phases as f64).sqrt()
    }
}
