//! How much of the impulse between bridge and body pulls, with the published constants of the tromba marina.

use super::RATE;
use crate::study::collisions::{Joint, TrombaMarina};
use percuss::Scheme;

/// For how long it is bowed \[s\].
pub const SECONDS: f64 = 0.5;
/// The published bow force \[N\].
pub const BOW_FORCE: f64 = 0.05;
/// What is told apart.
pub const VARIANTS: [(Joint, &str, Scheme, &str); 4] = [
    (Joint::Spring, "spring", Scheme::Plain, "plain"),
    (Joint::Spring, "spring", Scheme::Tracked, "tracked"),
    (Joint::Connection, "connection", Scheme::Plain, "plain"),
    (Joint::Connection, "connection", Scheme::Tracked, "tracked"),
];

/// The contact of bridge and body under one scheme.
pub struct Adhesion {
    /// What holds string and bridge together.
    pub joint: &'static str,
    /// The scheme.
    pub scheme: &'static str,
    /// Pulling share of the impulse.
    pub share: f64,
    /// How often they met.
    pub hits: u64,
    /// Worst residual of a step over the energy.
    pub residual: f64,
}

impl Adhesion {
    /// Bows.
    pub fn measure((joint, name, scheme, scheme_name): (Joint, &'static str, Scheme, &'static str)) -> Self {
        let TrombaMarina { mut model, contacts, .. } = TrombaMarina::bowed(joint, true, BOW_FORCE);
        model.scheme = scheme;
        let mut simulation = model.compile(RATE).expect("the study's systems are sound");
        simulation.open_ledger();
        (0..(SECONDS * RATE) as usize).for_each(|_| simulation.step());
        let ledger = simulation.ledger().expect("it was opened");
        let account = &ledger.interactions[contacts[0].index()];
        let (share, hits) = (account.adhesive_share(), account.hits);
        Self { joint: name, scheme: scheme_name, share, hits, residual: ledger.total.worst_relative }
    }
}
