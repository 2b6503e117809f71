//! percuss's schemes on the impact, and the residuals of their ledgers.

use super::cases::{RATE, case_1, case_2};
use percuss::impact::Impact;
use percuss::{Barrier, Collision, ElementId, Mass, Model, Scheme, Simulation};

/// Names and schemes.
pub const SCHEMES: [(&str, Scheme); 3] =
    [("plain", Scheme::Plain), ("tracked", Scheme::Tracked), ("newton", Scheme::Newton)];

/// Residual of the ledger in one contact.
pub struct LedgerResidual {
    /// `case1`, `case2`.
    pub case: &'static str,
    /// Name of the scheme.
    pub scheme: &'static str,
    /// Largest residual of the ledger, over the energy.
    pub residual: f64,
}

/// Simulation of a mass and a wall, and the mass; the ledger is closed.
pub fn mass_and_wall(scheme: Scheme, impact: &Impact, position: f64, velocity: f64) -> (Simulation, ElementId) {
    let mut model = Model::new();
    model.scheme = scheme;
    let mass = model.add(Mass { mass: impact.mass(), position, velocity, ..Mass::default() });
    let wall = model.add(Barrier::at(0.0));
    let law = Collision { stiffness: impact.stiffness(), exponent: impact.exponent(), loss: impact.loss(), gap: 0.0 };
    model.collide(mass.point(), wall.point(), law);
    (model.compile(RATE).expect("an impact within range compiles"), mass)
}

/// Runs a contact, and some steps after it, with the ledger open.
pub fn ledger_residuals() -> Vec<LedgerResidual> {
    let cases = [("case1", case_1()), ("case2", case_2())];
    let ledger_residual = |(case, impact): (&'static str, Impact), (name, scheme)| {
        let (mut simulation, _) = mass_and_wall(scheme, &impact, 0.0, impact.speed());
        simulation.open_ledger();
        for _ in 0..100 {
            simulation.step();
        }
        let residual = simulation.ledger().map_or(f64::NAN, |ledger| ledger.total.worst_relative);
        LedgerResidual { case, scheme: name, residual }
    };
    cases.into_iter().flat_map(|case| SCHEMES.map(|scheme| ledger_residual(case, scheme))).collect()
}
