//! Reads places: `of` and `at`, fixed or moving.

use crate::diagnostic::closest_match;
use crate::limits::FRACTION_LIMITS;
use crate::scene_builder::SceneBuilder;
use crate::table_reader::TableReader;
use percuss::{Element, ElementId, Path, Place, Point};
use toml::de::DeValue;

/// Reports a list as the place on an element that has no two coordinates.
fn report_list(table: &TableReader<'_>, element: &Element) {
    let hint = match element {
        Element::String(_) | Element::Bar(_) | Element::Barrier(_) => "a fraction of the length, as in at = 0.33",
        Element::Modal(_) => "the name of one of its points, as in at = \"out\"",
        Element::Mass(_) | Element::Mallet(_) | Element::Plate(_) => "a mass is a single point: remove at",
    };
    let message = format!("{}.at is a list, but only plates and membranes have two coordinates", table.kind);
    table.report("at", message, Some(hint.to_owned()));
}

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
            _ => {
                let kind = self.element_kind(element);
                let message = format!("{}.at changes in time, but no place can move on a {kind}", table.kind);
                let hint = "places can move on strings, bars, plates and membranes".to_owned();
                table.report("at", message, Some(hint));
                None
            }
        }
    }

    /// The fixed point given by `of` and `at`.
    pub fn point(&self, table: &TableReader<'_>) -> Option<Point> {
        // Asked for before the element, whose error is enough.
        table.get("at");
        let element = self.element(table)?;
        let kind = table.kind;
        let report = |message: String, hint: &str| table.report("at", message, Some(hint.to_owned()));
        if table.has_breakpoints("at") {
            let message =
                format!("{kind}.at changes in time; only the place of a pulse, pluck, drive, bow or finger can move");
            report(message, "give the place in numbers, as in at = 0.33, or at = [0.3, 0.4] on a plate");
            return None;
        }
        let at = match &self.model.elements()[element.index()] {
            Element::Plate(_) => return self.point_on_plate(table, element),
            other => {
                if table.get("at").is_some_and(DeValue::is_array) {
                    report_list(table, other);
                    return None;
                }
                table.number_or_string("at")
            }
        };
        let place = match (&self.model.elements()[element.index()], at) {
            (Element::Mass(_) | Element::Mallet(_), None) | (Element::Barrier(_), None) => Place::Whole,
            (Element::Mass(_) | Element::Mallet(_), Some(_)) => {
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
            (other, at) => {
                let what = other.kind();
                let message = format!("{kind} has no place on the {what}: at must be a number from 0 to 1");
                let is_quoted = at.is_some_and(|at| at.is_err_and(|text| text.trim().parse::<f64>().is_ok()));
                report(
                    message,
                    if is_quoted { "drop the quotes" } else { "a fraction of the length, as in at = 0.33" },
                );
                return None;
            }
        };
        Some(Point { element, place })
    }

    fn point_on_plate(&self, table: &TableReader<'_>, element: ElementId) -> Option<Point> {
        if !table.has("at") {
            table.mark_missing("at", "[0.3, 0.4]");
        }
        if table.is_number("at") {
            let message =
                format!("{}.at is one number, a {} has two coordinates", table.kind, self.element_kind(element));
            table.report("at", message, Some("a fraction of each side, as in at = [0.3, 0.4]".to_owned()));
            return None;
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
