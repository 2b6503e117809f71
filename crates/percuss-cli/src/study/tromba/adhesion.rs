//! Adhesive share of the impulse between bridge and body, with the published constants of the tromba marina.

use super::RATE;
use crate::study::collisions::{Joint, TrombaMarina};
use percuss::Scheme;

/// Duration of the bowing \[s\].
pub const SECONDS: f64 = 0.5;
/// The published bow force \[N\].
pub const BOW_FORCE: f64 = 0.05;
/// Joints and schemes, with their names.
pub const VARIANTS: [(Joint, &str, Scheme, &str); 4] = [
    (Joint::Spring, "spring", Scheme::Plain, "plain"),
    (Joint::Spring, "spring", Scheme::Tracked, "tracked"),
    (Joint::Connection, "connection", Scheme::Plain, "plain"),
    (Joint::Connection, "connection", Scheme::Tracked, "tracked"),
];

/// Contact of bridge and body under one scheme.
pub struct Adhesion {
    /// Joint of string and bridge.
    pub joint: &'static str,
    /// Name of the scheme.
    pub scheme: &'static str,
    /// Adhesive share of the impulse.
    pub share: f64,
    /// Number of hits.
    pub hits: u64,
    /// Largest residual of a step over the energy.
    pub residual: f64,
}

impl Adhesion {
    /// Simulates the bowed instrument.
    pub fn measure((joint, name, scheme, scheme_name): (Joint, &'static str, Scheme, &'static str)) -> Self {
        let TrombaMarina { mut model, contacts, .. } = TrombaMarina::bowed(joint, true, BOW_FORCE);
        model.scheme = scheme;
        let mut simulation = model.compile(RATE).expect("the study's systems compile");
        simulation.open_ledger();
        (0..(SECONDS * RATE) as usize).for_each(|_| simulation.step());
        let ledger = simulation.ledger().expect("the ledger is open");
        let account = &ledger.interactions[contacts[0].index()];
        let (share, hits) = (account.adhesive_share(), account.hits);
        Self { joint: name, scheme: scheme_name, share, hits, residual: ledger.total.worst_relative }
    }
}
