//! What hands do in the course of time: how hard they press, how fast they draw, where they are.
//!
//! Allocates   only in `new`

use crate::control::moving_point::Walk;
use crate::control::track::Track;
use crate::interaction;
use crate::model::{Control, Law};

/// Controls of a bow or a finger.
#[derive(Clone, Debug)]
enum Gesture {
    Bow { force: Track, velocity: Track },
    Finger { pressure: Track, stiffness: f64, damping: f64 },
}

/// A hand and the place it is at.
#[derive(Clone, Debug)]
pub(crate) struct Hand {
    gesture: Gesture,
    /// Its way over the element, where it moves.
    pub walk: Option<Walk>,
}

impl Hand {
    /// The hand of a law that is held by one.
    pub fn new(law: &Law, walk: Option<Walk>) -> Option<Self> {
        let gesture = match law {
            Law::Bow(bow) => Gesture::Bow { force: bow.force.clone().into(), velocity: bow.velocity.clone().into() },
            Law::Finger(finger) => Gesture::Finger {
                pressure: finger.pressure.clone().into(),
                stiffness: finger.stiffness,
                damping: finger.damping,
            },
            Law::Collision(_) | Law::Connection(_) | Law::Spring(_) | Law::Link(_) => return None,
        };
        Some(Self { gesture, walk })
    }

    /// Largest stiffness of a finger \[N/m\].
    pub fn stiffness(&self) -> Option<f64> {
        match &self.gesture {
            Gesture::Bow { .. } => None,
            Gesture::Finger { pressure, stiffness, .. } => {
                Some(pressure.values().iter().fold(0.0_f64, |most, &pressure| most.max(stiffness * pressure)))
            }
        }
    }

    /// All its controls.
    pub fn each_control(&mut self, visit: &mut dyn FnMut(&mut Control)) {
        match &mut self.gesture {
            Gesture::Bow { force, velocity } => [force, velocity].into_iter().for_each(|track| visit(track.control())),
            Gesture::Finger { pressure, .. } => visit(pressure.control()),
        }
        if let Some(walk) = &mut self.walk {
            walk.each_control(visit);
        }
    }

    /// Tells the law what the hand does in the step from t \[s\] to t + k.
    #[inline]
    pub fn act(&mut self, law: &mut interaction::law::Law, t: f64, k: f64) {
        match (&mut self.gesture, law) {
            (Gesture::Bow { force, velocity }, interaction::law::Law::Bow(bow)) => {
                bow.force = force.at(t);
                bow.velocity = velocity.at(t);
            }
            (Gesture::Finger { pressure, stiffness, damping }, interaction::law::Law::Finger(finger)) => {
                finger.behind = finger.ahead;
                finger.ahead = *stiffness * pressure.at(t + 0.5 * k);
                finger.resistance = *damping * pressure.at(t);
            }
            _ => {}
        }
    }
}
