//! Reads places: `of` and `at`, fixed or moving.

use crate::diagnostic::closest_match;
use crate::limits::FRACTION_LIMITS;
use crate::scene_builder::SceneBuilder;
use crate::table_reader::TableReader;
use percuss::{Element, ElementId, Path, Place, Point};

impl SceneBuilder<'_> {
    /// The place given by `of` and `at`, which may move.
    pub fn path(&self, table: &TableReader<'_>) -> Option<Path> {
        if !table.has_breakpoints("at") {
            return self.point(table).map(Path::from);
        }
        let element = self.element(table)?;
        match &self.model.elements()[element.index()] {
            Element::String(_) | Element::Bar(_) => table.control("at", FRACTION_LIMITS).map(|at| element.along(at)),
            Element::Plate(_) => table.control_pair("at", FRACTION_LIMITS).map(|at| element.over(at)),
            other => {
                let message = format!("{}.at changes in time, but no place can move on a {}", table.kind, other.kind());
                let hint = "places can move on strings, bars, plates and membranes".to_owned();
                table.report("at", message, Some(hint));
                None
            }
        }
    }

    /// The fixed point given by `of` and `at`.
    pub fn point(&self, table: &TableReader<'_>) -> Option<Point> {
        let element = self.element(table)?;
        let kind = table.kind;
        let report = |message: String, hint: &str| table.report("at", message, Some(hint.to_owned()));
        if table.has_breakpoints("at") {
            let message =
                format!("{kind}.at changes in time; only the place of a pulse, drive, bow or finger can move");
            report(message, "give the place in numbers, as in at = 0.33, or at = [0.3, 0.4] on a plate");
            return None;
        }
        let at = match &self.model.elements()[element.index()] {
            Element::Plate(_) => return self.point_on_plate(table, element),
            _ => table.number_or_string("at"),
        };
        let place = match (&self.model.elements()[element.index()], at) {
            (Element::Mass(_), None) | (Element::Barrier(_), None) => Place::Whole,
            (Element::Mass(_), Some(_)) => {
                report(format!("{kind}.at is given, but a mass is a single point"), "remove at");
                return None;
            }
            (Element::String(_) | Element::Bar(_) | Element::Barrier(_), Some(Ok(_))) => {
                Place::Along(table.number("at", FRACTION_LIMITS)?)
            }
            (Element::Modal(_), Some(Err(name))) => Place::Listed(self.modal_point(table, element, name)?),
            (Element::Modal(_), _) => {
                let names = self.modal_points(element).join("\", \"");
                report(format!("{kind}.at must name a point of the modal"), &format!("use one of \"{names}\""));
                return None;
            }
            (other, _) => {
                let what = other.kind();
                let message = format!("{kind} has no place on the {what}: at must be a number from 0 to 1");
                report(message, "a fraction of the length, as in at = 0.33");
                return None;
            }
        };
        Some(Point { element, place })
    }

    fn point_on_plate(&self, table: &TableReader<'_>, element: ElementId) -> Option<Point> {
        if !table.has("at") {
            table.mark_missing("at", "[0.3, 0.4]");
        }
        Some(element.on(table.number_pair("at", FRACTION_LIMITS)?))
    }

    fn modal_points(&self, element: ElementId) -> &[String] {
        self.modal_index[element.index()].map_or(&[], |modal| &self.modal_point_names[modal])
    }

    fn modal_point(&self, table: &TableReader<'_>, element: ElementId, name: &str) -> Option<usize> {
        let names = self.modal_points(element);
        let found = names.iter().position(|known| known == name);
        if found.is_none() {
            let hint = closest_match(name, names.iter().map(String::as_str)).map_or_else(
                || format!("use one of \"{}\"", names.join("\", \"")),
                |name| format!("did you mean \"{name}\"?"),
            );
            table.report("at", format!("{}.at is \"{name}\", but the modal has no such point", table.kind), Some(hint));
        }
        found
    }
}
