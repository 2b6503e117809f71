//! Places along a string or bar.

use crate::element::place_user::PlaceUser;
use crate::error::CompileError;
use crate::model::Place;

/// The fraction of a place along a string or bar.
pub(crate) fn fraction_along(place: Place, user: PlaceUser) -> Result<f64, CompileError> {
    match place {
        Place::Along(at) => user.check().fraction("at", at).map(|()| at),
        Place::Whole | Place::On(_) | Place::Listed(_) => user.refuse("say where along its length, from 0 to 1"),
    }
}
