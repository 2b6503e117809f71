//! How far a plate bends into what holds it, and what a coarse grid needs for that.
//!
//! Bed         waves decay within a bed of stiffness k̄ as e^{−βx}, β⁴ = k̄/4D of a plate and β² = k̄/T of a membrane. To what is outside, the
//!             bed acts as a clamp 1/β behind its rim, exactly but for terms of order β⁻³
//! Grid        β is resolved if 1/β is more than about a cell. A stiffer bed is replaced by the stiffest that is resolved, and its rim
//!             moved outwards by the difference of 1/β, so that the clamp is where it was
//! Nodes       nodes weight f = u² by hats, which adds f′h²/12 at the rim: f′/f is 4β at the rim of a plate's bed, 2β of a membrane's.
//!             The rim is moved inwards by as much. Where 1/β is about a cell, and where the stencil is flat, it takes less: the roots below
//!             are within 0.02 cells of clamped beams and strings on a grid. In a bed far smaller than 1/β f is a parabola instead, and
//!             its size is reduced until the second moment is right
//! Allocates   no

use crate::element::plate::grid::PlateMaterial;
use crate::element::plate::layer::coverage::Coverage;

/// 1/β of a bed at full pressure, in cells.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DecayLength {
    /// It has no stiffness.
    Infinite,
    Plate {
        decay: f64,
        has_true_pitch: bool,
    },
    Membrane {
        decay: f64,
        has_true_pitch: bool,
    },
}

/// Least 1/β that is resolved, in cells. With less the clamp depends on where its rim lies between nodes, by 0.15 cells at 1 and 0.27 at 0.7;
/// with more the bed resonates at lower frequencies.
const MIN_RESOLVED_DECAY: f64 = 1.0;

/// What the decay within a bed changes of its region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resolution {
    /// How far the rim moves outwards to replace a bed that is too stiff, in cells.
    growth: f64,
    /// How far the rim moves inwards for hats, in cells.
    shift: f64,
    /// What is left of the stiffness.
    gain: f64,
}

impl DecayLength {
    pub fn new(stiffness: f64, material: &PlateMaterial, spacing: f64, has_true_pitch: bool) -> Self {
        let plate = (4.0 * material.bending / stiffness).powf(0.25) / spacing;
        let membrane = (material.tension / stiffness).sqrt() / spacing;
        match stiffness {
            0.0 => Self::Infinite,
            _ if membrane > plate => Self::Membrane { decay: membrane, has_true_pitch },
            _ => Self::Plate { decay: plate, has_true_pitch },
        }
    }

    /// Under a pressure above 0, up to 1.
    pub fn under(self, pressure: f64) -> Resolution {
        match self {
            Self::Infinite => Resolution { growth: 0.0, shift: 0.0, gain: 1.0 },
            Self::Plate { decay, has_true_pitch } => {
                let shift = if has_true_pitch { [3.0, 3.0] } else { [4.0, 8.0] };
                Resolution::new(decay / pressure.sqrt().sqrt(), 4, shift)
            }
            Self::Membrane { decay, has_true_pitch } => {
                let shift = if has_true_pitch { [6.0, 13.0] } else { [8.0, 16.0] };
                Resolution::new(decay / pressure.sqrt(), 2, shift)
            }
        }
    }
}

impl Resolution {
    /// k̄ goes with some power of β. The shift is 1/√((slope/β)² + offset).
    fn new(decay: f64, power: i32, [slope, offset]: [f64; 2]) -> Self {
        let resolved = decay.max(MIN_RESOLVED_DECAY);
        let shift = 1.0 / ((slope * resolved).powi(2) + offset).sqrt();
        Self { growth: resolved - decay, shift, gain: (decay / resolved).powi(power) }
    }
}

/// A length whose square is less by some amount, but at least by half.
fn with_less_square(length: f64, less: f64) -> f64 {
    (length * length - less).max(0.5 * length * length).sqrt()
}

impl Coverage {
    /// The region whose hats act as this one would, and a factor on its pressure.
    pub fn resolved(self, Resolution { growth, shift, gain }: Resolution) -> (Self, f64) {
        match self {
            Self::Everywhere => (self, 1.0),
            Self::Disc { centre, radius, inside: true } => {
                let grown = radius + growth;
                let reduced = with_less_square(grown, f64::max(2.0 / 3.0, 2.0 * shift * grown));
                let area = if reduced > 0.0 { (grown / reduced).powi(2) } else { 1.0 };
                (Self::Disc { centre, radius: reduced, inside: true }, gain * area)
            }
            Self::Disc { centre, radius, inside: false } => {
                (Self::Disc { centre, radius: (radius - growth + shift).max(0.0), inside: false }, gain)
            }
            Self::Box { mut from, mut to } => {
                let mut area = 1.0;
                for axis in 0..2 {
                    let (middle, grown) = (0.5 * (from[axis] + to[axis]), to[axis] - from[axis] + 2.0 * growth);
                    let reduced = with_less_square(grown, f64::max(2.0, 4.0 * shift * grown));
                    [from[axis], to[axis]] = [middle - 0.5 * reduced, middle + 0.5 * reduced];
                    area *= if reduced > 0.0 { grown / reduced } else { 1.0 };
                }
                (Self::Box { from, to }, gain * area)
            }
            Self::Below { direction, level } => (Self::Below { direction, level: level + growth - shift }, gain),
        }
    }
}
