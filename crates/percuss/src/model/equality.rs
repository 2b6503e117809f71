//! When two models are equal: the same was added to them in the same order.
//!
//! Ids are compared by what they mean: those of parts by position, those of other models as they are.

use crate::model::description::Model;
use crate::model::id::{ElementId, Id, IdList};
use crate::model::interaction::Interaction;
use crate::model::path::Path;
use crate::model::pickup::PickupTarget;
use crate::model::place::Point;

impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        let models = ModelPair(self, other);
        self.scheme == other.scheme
            && self.portable == other.portable
            && self.elements == other.elements
            && all_equal(&self.interactions, &other.interactions, |a, b| models.interactions(a, b))
            && all_equal(&self.exciters, &other.exciters, |a, b| models.paths(&a.0, &b.0) && a.1 == b.1)
            && all_equal(&self.pickups, &other.pickups, |a, b| models.targets(a, b))
    }
}

fn all_equal<T>(a: &[T], b: &[T], mut equal: impl FnMut(&T, &T) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
}

/// Whether an id means the same in one model as another in the other.
fn is_same_part<T: Id>(own: &IdList<T>, a: T, others: &IdList<T>, b: T) -> bool {
    match (own.position(a), others.position(b)) {
        (Some(a), Some(b)) => a == b,
        (None, None) => a == b,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

#[derive(Clone, Copy)]
struct ModelPair<'a>(&'a Model, &'a Model);

impl ModelPair<'_> {
    fn elements(self, a: ElementId, b: ElementId) -> bool {
        is_same_part(&self.0.ids.elements, a, &self.1.ids.elements, b)
    }

    fn paths(self, a: &Path, b: &Path) -> bool {
        self.elements(a.element, b.element) && a.place == b.place
    }

    fn points(self, a: Point, b: Point) -> bool {
        self.elements(a.element, b.element) && a.place == b.place
    }

    fn interactions(self, a: &Interaction, b: &Interaction) -> bool {
        let above = match (a.above, b.above) {
            (Some(a), Some(b)) => self.points(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        let surfaces = match (a.surface, b.surface) {
            (Some(a), Some(b)) => self.elements(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        self.paths(&a.below, &b.below)
            && above
            && surfaces
            && a.law == b.law
            && a.distributed == b.distributed
            && a.line == b.line
    }

    fn targets(self, a: &PickupTarget, b: &PickupTarget) -> bool {
        match (*a, *b) {
            (PickupTarget::Point(a, read), PickupTarget::Point(b, other)) => self.points(a, b) && read == other,
            (PickupTarget::Force(a), PickupTarget::Force(b)) => {
                is_same_part(&self.0.ids.interactions, a, &self.1.ids.interactions, b)
            }
            (PickupTarget::Point(..), PickupTarget::Force(_)) | (PickupTarget::Force(_), PickupTarget::Point(..)) => {
                false
            }
        }
    }
}
