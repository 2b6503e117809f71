//! Controls of bows and fingers: force, velocity, pressure and position over time.
//!
//! Allocates   only in `new`

use crate::control::cached_control::CachedControl;
use crate::control::moving_point::MovingPoint;
use crate::interaction::law::RowLaw;
use crate::model::{Control, Law};

/// Controls of a bow or a finger.
#[derive(Clone, Debug)]
enum Controls {
    Bow { force: CachedControl, velocity: CachedControl },
    Finger { pressure: CachedControl, stiffness: f64, damping: f64 },
}

/// A bow or finger with its controls.
#[derive(Clone, Debug)]
pub(crate) struct BowOrFinger {
    controls: Controls,
    /// Its position, if it moves.
    pub moving_point: Option<MovingPoint>,
}

impl BowOrFinger {
    /// For a law that is controlled; `None` for other laws.
    pub fn new(law: &Law, moving_point: Option<MovingPoint>) -> Option<Self> {
        let controls = match law {
            Law::Bow(bow) => Controls::Bow { force: bow.force.clone().into(), velocity: bow.velocity.clone().into() },
            Law::Finger(finger) => Controls::Finger {
                pressure: finger.pressure.clone().into(),
                stiffness: finger.stiffness,
                damping: finger.damping,
            },
            Law::Collision(_)
            | Law::Connection(_)
            | Law::Spring(_)
            | Law::Damper(_)
            | Law::TensionModulation
            | Law::VonKarman
            | Law::Cavity(_)
            | Law::Custom(_) => {
                return None;
            }
        };
        Some(Self { controls, moving_point })
    }

    /// Largest stiffness of a finger, with 4/2k of its resistance \[N/m\].
    pub fn stiffness(&self, half_rate: f64) -> Option<f64> {
        match &self.controls {
            Controls::Bow { .. } => None,
            Controls::Finger { pressure, stiffness, damping } => {
                let max_pressure = pressure.values().iter().fold(0.0_f64, |most, &pressure| most.max(pressure));
                Some(max_pressure * (stiffness + 4.0 * half_rate * damping))
            }
        }
    }

    /// All its controls.
    pub fn visit_controls(&mut self, visit: &mut dyn FnMut(&mut Control)) {
        match &mut self.controls {
            Controls::Bow { force, velocity } => {
                [force, velocity].into_iter().for_each(|control| visit(control.control()))
            }
            Controls::Finger { pressure, .. } => visit(pressure.control()),
        }
        if let Some(moving_point) = &mut self.moving_point {
            moving_point.visit_controls(visit);
        }
    }

    /// Updates the law for the step from t \[s\] to t + k.
    #[inline]
    pub fn update(&mut self, law: &mut RowLaw, t: f64, k: f64) {
        match &mut self.controls {
            Controls::Bow { force, velocity } => {
                if let RowLaw::Bow(bow) = law {
                    bow.force = force.at(t);
                    bow.velocity = velocity.at(t);
                }
            }
            Controls::Finger { pressure, stiffness, damping } => {
                if let RowLaw::Finger(finger) = law {
                    finger.stiffness_prev = finger.stiffness_next;
                    finger.stiffness_next = *stiffness * pressure.at(t + 0.5 * k);
                    finger.resistance = *damping * pressure.at(t);
                }
            }
        }
    }
}
