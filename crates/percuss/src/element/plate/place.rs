//! Places on a plate: two fractions of its sides.

use crate::control::signal::check_fraction_control;
use crate::element::place_user::PlaceUser;
use crate::error::CompileError;
use crate::model::{Control, PathPlace, Place};

/// Message about a place outside a round plate.
pub(crate) const OUTSIDE_RIM: &str = "its rim lies half a diameter away from [0.5, 0.5]";

/// The fractions of a place on a plate.
pub(crate) fn fractions(place: Place, user: PlaceUser) -> Result<[f64; 2], CompileError> {
    match place {
        Place::On(at) => {
            at.iter().try_for_each(|&fraction| user.check().fraction("at", fraction))?;
            Ok(at)
        }
        Place::Whole | Place::Along(_) | Place::Listed(_) => {
            user.naming("a plate").refuse("say where on it, as two fractions from 0 to 1")
        }
    }
}

/// The controls of a place that moves over a plate.
pub(crate) fn path_over(path: &PathPlace, user: PlaceUser) -> Result<[Control; 2], CompileError> {
    let PathPlace::On(path) = path else {
        return user.naming("a plate").refuse("a place moves over it by two controls");
    };
    path.iter().try_for_each(|at| check_fraction_control(at, user.check()))?;
    Ok(path.clone())
}
