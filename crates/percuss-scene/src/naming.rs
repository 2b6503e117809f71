//! Ids: giving them, and finding what has one.

use crate::build::Builder;
use crate::diagnostic::closest;
use crate::fields::{Fields, Origin};
use percuss::{Drive, Element, ElementId, InteractionId, Point};

impl Builder<'_> {
    /// The id of a table, which must be new; without `default` it must be given.
    pub fn new_id(&self, fields: &Fields<'_>, default: Option<String>) -> String {
        let id = match default {
            Some(default) => fields.text("id").map_or(default, str::to_owned),
            None => fields.required_text("id", &format!("\"my-{}\"", fields.kind)).unwrap_or("").to_owned(),
        };
        let taken = self.handles.iter().map(|(id, _)| id).chain(self.contacts.iter().map(|(id, _)| id));
        if !id.is_empty() && taken.into_iter().any(|other| *other == id) {
            let hint = Some("every id must be different".to_owned());
            fields.complain("id", format!("{}.id is \"{id}\", which is taken", fields.kind), hint);
        }
        id
    }

    /// The element a table's `of` names.
    pub fn element(&self, fields: &Fields<'_>) -> Option<ElementId> {
        let of = fields.required_text("of", "\"id of an element\"")?;
        self.element_named(fields, "of", of)
    }

    /// The element of an id that stands in a field.
    pub fn element_named(&self, fields: &Fields<'_>, field: &str, of: &str) -> Option<ElementId> {
        let found = self.handles.iter().find(|(id, _)| id == of).map(|(_, handle)| *handle);
        if found.is_none() {
            let ids = || self.handles.iter().map(|(id, _)| id.as_str());
            let hint = closest(of, ids()).map_or_else(
                || format!("known ids: {}", ids().collect::<Vec<_>>().join(", ")),
                |id| format!("did you mean \"{id}\"?"),
            );
            let message = format!("{}.{field} is \"{of}\", which is the id of no element", fields.kind);
            fields.complain(field, message, Some(hint));
        }
        found
    }

    /// Adds an element that the file does not list, such as the surface under a rolling ball.
    pub fn add_hidden(&mut self, fields: &Fields<'_>, element: Element) -> ElementId {
        let handle = self.model.add(element);
        let id = format!("{}-surface", fields.text("id").unwrap_or(fields.kind));
        self.origins.elements.push(Origin { id: id.clone(), ..fields.origin() });
        self.handles.push((id, handle));
        self.modal_of.push(None);
        handle
    }

    /// Adds a force that the file does not list.
    pub fn drive_hidden(&mut self, fields: &Fields<'_>, point: Point, drive: Drive) {
        self.model.drive(point, drive);
        self.origins.exciters.push(fields.origin());
    }

    /// The interaction of an id.
    pub fn contact(&self, id: &str) -> Option<InteractionId> {
        self.contacts.iter().find(|(known, _)| known == id).map(|(_, contact)| *contact)
    }
}
