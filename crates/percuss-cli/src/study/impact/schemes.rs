//! percuss's own schemes on the impact, and how well their books close.

use super::cases::{RATE, case_1, case_2};
use percuss::impact::Impact;
use percuss::{Barrier, Collision, ElementId, Mass, Model, Scheme, Simulation};

/// Each scheme with its name.
pub const SCHEMES: [(&str, Scheme); 3] =
    [("plain", Scheme::Plain), ("tracked", Scheme::Tracked), ("newton", Scheme::Newton)];

/// How well the books closed in one contact.
pub struct Closure {
    /// `case1`, `case2`.
    pub case: &'static str,
    /// The scheme.
    pub scheme: &'static str,
    /// Largest residual of the ledger, over the energy.
    pub residual: f64,
}

/// A lone mass and a wall, and the mass; the ledger stays closed.
pub fn lone_mass(scheme: Scheme, impact: &Impact, position: f64, velocity: f64) -> (Simulation, ElementId) {
    let mut model = Model::new();
    model.scheme = scheme;
    let mass = model.add(Mass { mass: impact.mass(), position, velocity, ..Mass::default() });
    let wall = model.add(Barrier::at(0.0));
    let law = Collision { stiffness: impact.stiffness(), exponent: impact.exponent(), loss: impact.loss(), gap: 0.0 };
    model.collide(mass.point(), wall.point(), law);
    (model.compile(RATE).expect("an impact within range compiles"), mass)
}

/// Runs a contact and a little more with the ledger open.
pub fn closures() -> Vec<Closure> {
    let cases = [("case1", case_1()), ("case2", case_2())];
    let closure = |(case, impact): (&'static str, Impact), (name, scheme)| {
        let (mut simulation, _) = lone_mass(scheme, &impact, 0.0, impact.speed());
        simulation.open_ledger();
        for _ in 0..100 {
            simulation.step();
        }
        let residual = simulation.ledger().map_or(f64::NAN, |ledger| ledger.total.worst_relative);
        Closure { case, scheme: name, residual }
    };
    cases.into_iter().flat_map(|case| SCHEMES.map(|scheme| closure(case, scheme))).collect()
}
