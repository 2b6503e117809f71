//! Interactions between elements: plain descriptions in SI units. The laws are in `crate::interaction`.
//!
//! Every interaction reads η = below − above − gap \[m\] and pushes with f \[N\]: down on `below`, up on `above`.

use crate::model::bow_finger::{Bow, Finger};
use crate::model::custom_law::{CustomLaw, SharedLaw};
use crate::model::id::ElementId;
use crate::model::path::Path;
use crate::model::place::Point;

/// A one-sided collision with Hunt–Crossley loss: f = K\[η\]₊^α (1 + μη̇). It never pulls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// Stiffness K \[N/m^α\]; for a collision along strings, per metre of length \[N/m^(α+1)\].
    pub stiffness: f64,
    /// Exponent α, 1 or more.
    pub exponent: f64,
    /// Hunt–Crossley loss μ \[s/m\].
    pub loss: f64,
    /// Distance left between the two while both displacements are equal \[m\]; negative presses them together.
    pub gap: f64,
}

impl Default for Collision {
    /// A hard lossless contact of Hertzian shape.
    fn default() -> Self {
        Self { stiffness: 1e8, exponent: 1.5, loss: 0.0, gap: 0.0 }
    }
}

/// A two-sided connection: f = K\[|η|−ε\]₊^α sgn η. With play ε it rattles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Connection {
    /// Stiffness K \[N/m^α\].
    pub stiffness: f64,
    /// Exponent α, 1 or more.
    pub exponent: f64,
    /// Play ε to either side \[m\].
    pub play: f64,
    /// Offset subtracted from below − above \[m\].
    pub gap: f64,
}

impl Default for Connection {
    /// A linear connection without play.
    fn default() -> Self {
        Self { stiffness: 1e5, exponent: 1.0, play: 0.0, gap: 0.0 }
    }
}

/// A spring with a cubic part and damping: f = K₁η + K₃η³ + 2σ×η̇.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Linear stiffness K₁ \[N/m\].
    pub stiffness: f64,
    /// Cubic stiffness K₃ \[N/m³\].
    pub cubic: f64,
    /// Damping σ× \[kg/s\].
    pub damping: f64,
    /// Offset subtracted from below − above \[m\].
    pub gap: f64,
}

impl Default for Spring {
    fn default() -> Self {
        Self { stiffness: 1e4, cubic: 0.0, damping: 0.0, gap: 0.0 }
    }
}

/// A viscous damper: f = r·η̇.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damper {
    /// Resistance r \[N·s/m\].
    pub resistance: f64,
}

/// Air enclosed between two plates or membranes, or between one and a rigid wall: a spring against the change of its volume,
/// p = ρc²/V·(V_below − V_above), with the volumes ∫u dA that the two sweep upwards. It holds for waves much longer than the cavity. Its
/// force is the pressure \[Pa\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cavity {
    /// Volume V \[m³\].
    pub volume: f64,
    /// Density ρ \[kg/m³\].
    pub density: f64,
    /// Speed of sound c \[m/s\].
    pub speed_of_sound: f64,
}

impl Cavity {
    /// Air at 20 °C, of a volume \[m³\].
    #[must_use]
    pub fn of_air(volume: f64) -> Self {
        Self { volume, density: 1.204, speed_of_sound: 343.2 }
    }

    /// ρc²/V: pressure per change of volume \[Pa/m³\].
    #[must_use]
    pub fn stiffness(&self) -> f64 {
        self.density * self.speed_of_sound * self.speed_of_sound / self.volume
    }
}

/// The law of an interaction.
#[derive(Clone, Debug, PartialEq)]
pub enum Law {
    /// See [`Collision`].
    Collision(Collision),
    /// See [`Connection`].
    Connection(Connection),
    /// See [`Spring`].
    Spring(Spring),
    /// See [`Damper`].
    Damper(Damper),
    /// See [`Cavity`].
    Cavity(Cavity),
    /// See [`Bow`].
    Bow(Bow),
    /// See [`Finger`].
    Finger(Finger),
    /// See [`Model::modulate_tension`](crate::Model::modulate_tension).
    TensionModulation,
    /// See [`Model::stretch_by_bending`](crate::Model::stretch_by_bending).
    VonKarman,
    /// See [`CustomLaw`](crate::CustomLaw).
    Custom(SharedLaw),
}

macro_rules! law_from {
    ($($kind:ident),*) => {$(
        impl From<$kind> for Law {
            fn from(law: $kind) -> Self {
                Self::$kind(law)
            }
        }
    )*};
}
law_from!(Collision, Connection, Spring, Damper, Cavity, Bow, Finger);

impl<L: CustomLaw + 'static> From<L> for Law {
    fn from(law: L) -> Self {
        Self::Custom(law.into())
    }
}

impl Law {
    /// What this kind of interaction is called.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Collision(_) => "collision",
            Self::Connection(_) => "connection",
            Self::Spring(_) => "spring",
            Self::Damper(_) => "damper",
            Self::Cavity(_) => "cavity",
            Self::Bow(_) => "bow",
            Self::Finger(_) => "finger",
            Self::TensionModulation => "tension modulation",
            Self::VonKarman => "stretching",
            Self::Custom(law) => law.kind(),
        }
    }

    /// The offset in η \[m\].
    #[must_use]
    pub fn gap(&self) -> f64 {
        match self {
            Self::Collision(law) => law.gap,
            Self::Connection(law) => law.gap,
            Self::Spring(law) => law.gap,
            Self::Custom(law) => law.gap(),
            Self::Damper(_)
            | Self::Cavity(_)
            | Self::Bow(_)
            | Self::Finger(_)
            | Self::TensionModulation
            | Self::VonKarman => 0.0,
        }
    }

    /// Unit of its force: that of a cavity is a pressure, that of stretching the root of twice an energy.
    #[must_use]
    pub fn force_unit(&self) -> &'static str {
        match self {
            Self::Cavity(_) => "Pa",
            Self::VonKarman => "√J",
            Self::Collision(_)
            | Self::Connection(_)
            | Self::Spring(_)
            | Self::Damper(_)
            | Self::Bow(_)
            | Self::Finger(_)
            | Self::TensionModulation
            | Self::Custom(_) => "N",
        }
    }
}

/// Two points and the law between them, or one point under a bow or finger, as the model keeps it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Interaction {
    /// The lower side; under a bow or finger its place may move.
    pub below: Path,
    /// The upper side; `None` for a bow, a finger or an element's own tension or stretching.
    pub above: Option<Point>,
    /// The law.
    pub law: Law,
    /// Acts along the whole length instead of at a point.
    pub distributed: bool,
    /// Ends of the line on a plate along which a string or bar lies, as fractions of the sides.
    pub line: Option<[[f64; 2]; 2]>,
    /// A barrier whose height is added to the lower side: the roughness of a surface that passes under a rolling ball.
    pub surface: Option<ElementId>,
}
