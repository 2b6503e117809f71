//! How contacts are solved.

/// How the slope g of a quadratised potential is chosen, or that the potential is solved by iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Scheme {
    /// g = ψ′(η): one linear solve, exact energy, but ψ drifts and contacts may pull.
    Plain,
    /// g chosen so that ψ stays on the potential: a few linear solves, exact energy, contacts never pull.
    #[default]
    Tracked,
    /// The iterative reference: discrete gradient of the potential by damped Newton steps.
    Newton,
}
