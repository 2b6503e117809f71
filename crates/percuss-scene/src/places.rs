//! Reading places: `of` and `at`, still or moving.

use crate::build::Builder;
use crate::diagnostic::closest;
use crate::fields::Fields;
use crate::limits::{Limits, within};
use percuss::{Element, ElementId, Path, Place, Point};

const FRACTION: Limits = within(0.0, 1.0, "");

impl Builder<'_> {
    /// The place a table's `of` and `at` name, which may move.
    pub fn path(&self, fields: &Fields<'_>) -> Option<Path> {
        if !fields.changes_in_time("at") {
            return self.point(fields).map(Path::from);
        }
        let element = self.element(fields)?;
        match &self.model.elements()[element.index()] {
            Element::String(_) | Element::Bar(_) => fields.control("at", FRACTION).map(|at| element.along(at)),
            Element::Plate(_) => fields.controls("at", FRACTION).map(|at| element.over(at)),
            other => {
                let message =
                    format!("{}.at changes in time, but there is no way along a {}", fields.kind, other.kind());
                let hint = "only on strings, bars, plates and membranes can a place move".to_owned();
                fields.complain("at", message, Some(hint));
                None
            }
        }
    }

    /// The point a table's `of` and `at` name.
    pub fn point(&self, fields: &Fields<'_>) -> Option<Point> {
        let element = self.element(fields)?;
        let kind = fields.kind;
        let complain = |message: String, hint: &str| fields.complain("at", message, Some(hint.to_owned()));
        if fields.changes_in_time("at") {
            let message =
                format!("{kind}.at changes in time, which only the place of a pulse, drive, bow or finger can");
            complain(message, "give the place in numbers, as in at = 0.33, or at = [0.3, 0.4] on a plate");
            return None;
        }
        let at = match &self.model.elements()[element.index()] {
            Element::Plate(_) => return self.point_on_plate(fields, element),
            _ => fields.number_or_text("at"),
        };
        let place = match (&self.model.elements()[element.index()], at) {
            (Element::Mass(_), None) | (Element::Barrier(_), None) => Place::Whole,
            (Element::Mass(_), Some(_)) => {
                complain(format!("{kind}.at is given, but a mass is a single point"), "drop at");
                return None;
            }
            (Element::String(_) | Element::Bar(_) | Element::Barrier(_), Some(Ok(_))) => {
                Place::Along(fields.number("at", FRACTION)?)
            }
            (Element::Modal(_), Some(Err(name))) => Place::Listed(self.listed_point(fields, element, name)?),
            (Element::Modal(_), _) => {
                let names = self.points_of(element).join("\", \"");
                complain(format!("{kind}.at must name a point of the modal"), &format!("use one of \"{names}\""));
                return None;
            }
            (described, _) => {
                let what = described.kind();
                let message = format!("{kind} has no place on the {what}: at must be a number from 0 to 1");
                complain(message, "a fraction of the length, as in at = 0.33");
                return None;
            }
        };
        Some(Point { element, place })
    }

    fn point_on_plate(&self, fields: &Fields<'_>, element: ElementId) -> Option<Point> {
        if !fields.has("at") {
            fields.missing("at", "[0.3, 0.4]");
        }
        Some(element.on(fields.pair("at", FRACTION)?))
    }

    fn points_of(&self, element: ElementId) -> &[String] {
        self.modal_of[element.index()].map_or(&[], |modal| &self.point_names[modal])
    }

    fn listed_point(&self, fields: &Fields<'_>, element: ElementId, name: &str) -> Option<usize> {
        let names = self.points_of(element);
        let found = names.iter().position(|known| known == name);
        if found.is_none() {
            let hint = closest(name, names.iter().map(String::as_str)).map_or_else(
                || format!("use one of \"{}\"", names.join("\", \"")),
                |name| format!("did you mean \"{name}\"?"),
            );
            fields.complain(
                "at",
                format!("{}.at is \"{name}\", which is no point of the modal", fields.kind),
                Some(hint),
            );
        }
        found
    }
}
