//! Places along a string or bar.

use crate::control::signal::check_fraction_control;
use crate::element::place_user::PlaceUser;
use crate::error::CompileError;
use crate::model::{Control, PathPlace, Place};

/// The fraction of a place along a string or bar.
pub(crate) fn fraction_along(place: Place, user: PlaceUser) -> Result<f64, CompileError> {
    match place {
        Place::Along(at) => user.check().fraction("at", at).map(|()| at),
        Place::Whole | Place::On(_) | Place::Listed(_) => user.refuse("say where along its length, from 0 to 1"),
    }
}

/// The controls of a place that moves along a string or bar; the second is not used.
pub(crate) fn path_along(path: &PathPlace, user: PlaceUser) -> Result<[Control; 2], CompileError> {
    let PathPlace::Along(at) = path else { return user.refuse("a place moves along it by one control") };
    check_fraction_control(at, user.check())?;
    Ok([at.clone(), Control::Constant(0.0)])
}
