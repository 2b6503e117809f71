//! The law of one row of the contact network: the built-in laws, each stored in place, and any other behind a pointer.
//!
//! All implement [`LawState`]; what a scheme asks of a law it asks through `dispatch!`, so that no kind can be forgotten.

use crate::interaction::bow::BowLaw;
use crate::interaction::collision::CollisionLaw;
use crate::interaction::connection::ConnectionLaw;
use crate::interaction::damper::DamperLaw;
use crate::interaction::finger::FingerLaw;
use crate::interaction::spring::SpringLaw;
use crate::interaction::tension::TensionLaw;
use crate::interaction::von_karman::VonKarmanLaw;
use crate::model::{AffineLaw, LawState, PotentialSample, SolvedStep};

/// The law of one row.
#[derive(Clone, Debug)]
pub(crate) enum RowLaw {
    Collision(CollisionLaw),
    Connection(ConnectionLaw),
    Spring(SpringLaw),
    Damper(DamperLaw),
    /// Boxed: much larger than the others.
    Bow(Box<BowLaw>),
    Finger(FingerLaw),
    Tension(TensionLaw),
    VonKarman(VonKarmanLaw),
    Custom(Box<dyn LawState>),
}

macro_rules! dispatch {
    ($law:expr, $name:ident => $call:expr) => {
        match $law {
            RowLaw::Collision($name) => $call,
            RowLaw::Connection($name) => $call,
            RowLaw::Spring($name) => $call,
            RowLaw::Damper($name) => $call,
            RowLaw::Bow($name) => $call,
            RowLaw::Finger($name) => $call,
            RowLaw::Tension($name) => $call,
            RowLaw::VonKarman($name) => $call,
            RowLaw::Custom($name) => $call,
        }
    };
}

impl RowLaw {
    /// The law at η, with the slope of the plain scheme.
    #[inline(always)]
    pub fn affine(&mut self, eta: f64, eta_prev: f64) -> AffineLaw {
        match self {
            Self::Custom(law) => law.affine(eta, eta_prev).sanitised(),
            built_in => dispatch!(built_in, law => law.affine(eta, eta_prev)),
        }
    }

    /// The potential at η and the work per energy stored on the way there, for a row with ψ at a velocity η̇; `None` without a
    /// potential.
    #[inline(always)]
    pub fn potential_target(&self, eta: f64, velocity: f64, psi: f64) -> Option<(PotentialSample, f64)> {
        dispatch!(self, law => {
            if !law.has_potential() {
                return None;
            }
            let there = law.sample(eta);
            Some((there, law.work_ratio(velocity, psi, there.psi)))
        })
    }

    /// ψ(η), signed; 0 for laws without a potential.
    #[inline]
    pub fn psi(&self, eta: f64) -> f64 {
        dispatch!(self, law => law.sample(eta).psi)
    }

    /// The largest ψ′ of three places; ψ′ does not decrease with depth.
    pub fn max_slope(&self, places: [f64; 3]) -> f64 {
        let deepest = places.into_iter().fold(f64::MIN, f64::max);
        let farthest = places.into_iter().fold(0.0, |far: f64, eta| far.max(eta.abs()));
        dispatch!(self, law => law.sample(if law.is_one_sided() { deepest } else { farthest }).slope)
    }

    pub fn is_friction(&self) -> bool {
        matches!(self, Self::Bow(_))
    }

    /// Whether cloning it allocates.
    pub fn is_on_heap(&self) -> bool {
        matches!(self, Self::Bow(_) | Self::Custom(_))
    }

    #[inline(always)]
    pub fn is_one_sided(&self) -> bool {
        dispatch!(self, law => law.is_one_sided())
    }

    /// Whether `hysteresis_loss` is ever other than 0.
    #[inline(always)]
    pub fn has_hysteresis_loss(&self) -> bool {
        dispatch!(self, law => law.has_hysteresis_loss())
    }

    /// Energy dissipated in a step, beside that of r \[J\]: between 0 and the energy available.
    #[inline(always)]
    pub fn hysteresis_loss(&self, step: &SolvedStep) -> f64 {
        dispatch!(self, law => law.hysteresis_loss(step))
    }

    /// μ of a Hunt–Crossley contact \[s/m\]; 0 for other laws.
    #[inline(always)]
    pub fn hunt_crossley_loss(&self) -> f64 {
        if let Self::Collision(law) = self { law.loss } else { 0.0 }
    }

    /// φ(η) \[J\].
    pub fn potential_energy(&self, eta: f64) -> f64 {
        0.5 * self.psi(eta).powi(2)
    }

    /// Discrete gradient of the potential over d from η, and its derivative.
    pub fn discrete_gradient(&self, eta: f64, d: f64) -> (f64, f64) {
        dispatch!(self, law => law.discrete_gradient(eta, d))
    }

    /// Energy stored outside the potential \[J\], between η and η⁺.
    pub fn other_energy(&self, eta_next: f64, eta: f64) -> f64 {
        dispatch!(self, law => law.energy(eta_next, eta))
    }

    /// Energy dissipated in the last step \[J\], for `resistive` = r(δt·η)²k and what was taken out of ψ.
    pub fn dissipated(&self, resistive: f64) -> f64 {
        match self {
            // r acts on the slip, not on δt·η.
            Self::Bow(bow) => bow.dissipated,
            Self::Custom(law) => resistive + law.dissipated(),
            Self::Collision(_)
            | Self::Connection(_)
            | Self::Spring(_)
            | Self::Damper(_)
            | Self::Finger(_)
            | Self::Tension(_)
            | Self::VonKarman(_) => resistive,
        }
    }

    /// Energy that a player supplied in the last step \[J\].
    pub fn supplied(&self) -> f64 {
        match self {
            Self::Bow(bow) => bow.supplied,
            Self::Finger(finger) => finger.supplied,
            Self::Collision(_)
            | Self::Connection(_)
            | Self::Spring(_)
            | Self::Damper(_)
            | Self::Tension(_)
            | Self::VonKarman(_)
            | Self::Custom(_) => 0.0,
        }
    }

    /// 4q of the parts that no scheme can limit \[N/m\]: the linear ones, and that of a cubic spring which stores all of an energy
    /// \[J\]. Fingers change in time and are checked by their controls.
    pub fn linear_stiffness(&self, energy: f64, half_rate: f64) -> [f64; 2] {
        dispatch!(self, law => law.stiffness(energy, half_rate))
    }

    /// Whether η may be replaced by `place`, read from the nodes.
    #[inline]
    pub fn accepts_eta(&mut self, eta: f64, place: f64) -> bool {
        match self {
            Self::Spring(law) => law.accepts_eta(eta, place),
            Self::Collision(_)
            | Self::Connection(_)
            | Self::Damper(_)
            | Self::Bow(_)
            | Self::Finger(_)
            | Self::Tension(_)
            | Self::VonKarman(_)
            | Self::Custom(_) => true,
        }
    }

    /// Advances laws with memory.
    #[inline(always)]
    pub fn advance(&mut self, step: &SolvedStep) {
        dispatch!(self, law => law.advance(step));
    }

    /// Resets laws with memory, at rest at η.
    pub fn reset(&mut self, eta: f64, eta_prev: f64) {
        dispatch!(self, law => law.reset(eta, eta_prev));
    }
}
