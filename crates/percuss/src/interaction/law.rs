//! The law of one row of the contact network.

use crate::interaction::affine::Affine;
use crate::interaction::bow::BowLaw;
use crate::interaction::collision::CollisionLaw;
use crate::interaction::connection::ConnectionLaw;
use crate::interaction::finger::FingerLaw;
use crate::interaction::spring::SpringLaw;

/// The law of one row.
#[derive(Clone, Debug)]
pub(crate) enum RowLaw {
    Collision(CollisionLaw),
    Connection(ConnectionLaw),
    Spring(SpringLaw),
    /// f = r·η̇, dissipated r(δt·η)².
    Viscous(f64),
    /// Boxed: much larger than the others.
    Bow(Box<BowLaw>),
    Finger(FingerLaw),
}

impl RowLaw {
    /// The law at η, with `back` = η⁻ and the slope of the plain scheme.
    #[inline(always)]
    pub fn affine(&mut self, eta: f64, back: f64) -> Affine {
        match self {
            Self::Collision(law) => law.affine(eta),
            Self::Connection(law) => law.affine(eta),
            Self::Spring(law) => law.affine(eta, back),
            Self::Viscous(r) => Affine { r: *r, ..Affine::default() },
            Self::Bow(law) => law.prepare(eta, back),
            Self::Finger(law) => law.prepare(eta, back),
        }
    }

    /// ψ(η), signed; 0 for laws without a potential.
    #[inline]
    pub fn psi(&self, eta: f64) -> f64 {
        match self {
            Self::Collision(law) => law.potential.psi(eta),
            Self::Connection(law) => law.psi(eta),
            _ => 0.0,
        }
    }

    /// The largest ψ′ of three places; ψ′ does not decrease with depth.
    pub fn steepest(&self, places: [f64; 3]) -> f64 {
        match self {
            Self::Collision(law) => law.potential.slope(places.into_iter().fold(f64::MIN, f64::max)),
            Self::Connection(law) => law.slope(places.into_iter().fold(0.0, |far: f64, x| far.max(x.abs()))),
            _ => 0.0,
        }
    }

    pub fn is_friction(&self) -> bool {
        matches!(self, Self::Bow(_))
    }

    pub fn is_one_sided(&self) -> bool {
        matches!(self, Self::Collision(_))
    }

    /// φ(η) \[J\].
    pub fn potential_energy(&self, eta: f64) -> f64 {
        0.5 * self.psi(eta).powi(2)
    }

    /// Discrete gradient of the potential over d from `back`, and its derivative.
    pub fn discrete_gradient(&self, back: f64, d: f64) -> (f64, f64) {
        match self {
            Self::Collision(law) => law.potential.discrete_gradient(back, d),
            Self::Connection(law) => law.discrete_gradient(back, d),
            _ => (0.0, 0.0),
        }
    }

    /// Energy stored outside the potential \[J\], between η and `ahead` = η⁺.
    pub fn other_energy(&self, ahead: f64, eta: f64) -> f64 {
        match self {
            Self::Spring(law) => law.energy(ahead, eta),
            Self::Bow(law) => law.energy(),
            Self::Finger(law) => law.energy(),
            _ => 0.0,
        }
    }

    /// 4q of the parts that no scheme can limit \[N/m\]: the linear ones, and that of a cubic spring which stores all of an energy
    /// \[J\]. Fingers change in time and are checked by their controls.
    pub fn linear_stiffness(&self, energy: f64, half_rate: f64) -> [f64; 2] {
        match self {
            Self::Spring(law) => [law.stiffness + 8.0 * half_rate * law.damping, 4.0 * (energy * law.cubic).sqrt()],
            Self::Viscous(r) => [4.0 * half_rate * r, 0.0],
            Self::Bow(law) => [4.0 * half_rate * law.linear_resistance(), 0.0],
            Self::Collision(_) | Self::Connection(_) | Self::Finger(_) => [0.0; 2],
        }
    }

    /// Whether η may be replaced by `place`, read from the nodes.
    #[inline]
    pub fn may_read(&mut self, eta: f64, place: f64) -> bool {
        match self {
            Self::Spring(law) => law.may_read(eta, place),
            Self::Collision(_) | Self::Connection(_) | Self::Viscous(_) | Self::Bow(_) | Self::Finger(_) => true,
        }
    }

    /// Advances laws with memory.
    #[inline]
    pub fn advance(&mut self, eta: f64, back: f64, d: f64, force: f64) {
        match self {
            Self::Bow(law) => law.advance(eta, back, d, force),
            Self::Finger(law) => law.advance(eta, back, d),
            _ => {}
        }
    }

    /// Resets laws with memory, at rest at η.
    pub fn reset(&mut self, eta: f64, back: f64) {
        match self {
            Self::Bow(law) => law.reset(),
            Self::Finger(law) => law.reset(eta, back),
            Self::Spring(law) => law.reach = 0.0,
            _ => {}
        }
    }
}
