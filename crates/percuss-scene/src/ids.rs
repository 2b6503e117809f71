//! Ids of elements and interactions: definition and lookup.

use crate::diagnostic::closest_match;
use crate::scene_builder::{Named, SceneBuilder};
use crate::table_reader::{TableLocation, TableReader};
use percuss::{Drive, Element, ElementId, InteractionId, Point};

/// What an element is called in the file, which has a word of its own for membranes.
pub(crate) fn kind_of(element: &Element, location: Option<&TableLocation>) -> &'static str {
    match (element, location) {
        (Element::Plate(_), Some(location)) => location.kind,
        _ => element.kind(),
    }
}

impl SceneBuilder<'_> {
    /// Keeps the id of an element; one that is taken, or missing, is reported by [`Self::new_id`].
    pub fn name_element(&mut self, id: String, element: ElementId) {
        self.keep_name(&id, Named::Element(element));
        self.elements.push((id, element));
    }

    /// Keeps the id of an interaction.
    pub fn name_interaction(&mut self, id: String, interaction: InteractionId) {
        self.keep_name(&id, Named::Interaction(interaction));
        self.interactions.push((id, interaction));
    }

    fn keep_name(&mut self, id: &str, named: Named) {
        if !id.is_empty() {
            self.ids.entry(id.to_owned()).or_insert(named);
        }
    }

    /// The id of a table. It must be unique; without a `default` it is required.
    pub fn new_id(&self, table: &TableReader<'_>, default: Option<String>) -> String {
        let id = match default {
            Some(default) => table.string("id").map_or(default, str::to_owned),
            None => table.required_string("id", &format!("\"my-{}\"", table.kind)).unwrap_or("").to_owned(),
        };
        if self.ids.contains_key(&id) {
            let hint = Some(format!("every id must be different, for instance \"{id}-2\""));
            table.report("id", format!("{}.id is \"{id}\", which is already used", table.kind), hint);
        }
        id
    }

    /// The element named by the field `of`.
    pub fn element(&self, table: &TableReader<'_>) -> Option<ElementId> {
        let of = table.required_string("of", "\"id of an element\"")?;
        self.element_by_id(table, "of", of)
    }

    /// The element whose id is `of`, the value of `field`.
    pub fn element_by_id(&self, table: &TableReader<'_>, field: &str, of: &str) -> Option<ElementId> {
        let found = match self.ids.get(of) {
            Some(Named::Element(element)) => Some(*element),
            Some(Named::Interaction(_)) | None => None,
        };
        if found.is_none() {
            let ids = || self.elements.iter().map(|(id, _)| id.as_str());
            let hint = closest_match(of, ids()).map_or_else(
                || format!("known ids: {}", ids().collect::<Vec<_>>().join(", ")),
                |id| format!("did you mean \"{id}\"?"),
            );
            let message = format!("{}.{field} is \"{of}\", but no element has this id", table.kind);
            table.report(field, message, Some(hint));
        }
        found
    }

    /// Adds an element that is not a table of the file, such as the surface under a rolling ball; `role` is what it is.
    pub fn add_generated_element(&mut self, table: &TableReader<'_>, role: &str, element: Element) -> ElementId {
        let element = self.model.add(element);
        let base = format!("{}-{role}", table.string("id").unwrap_or(table.kind));
        let is_taken = |id: &String| self.ids.contains_key(id);
        let numbered = (2..).map(|n| format!("{base}-{n}"));
        let id = std::iter::once(base.clone()).chain(numbered).find(|id| !is_taken(id)).unwrap_or_default();
        self.locations.elements.push(TableLocation { id: id.clone(), ..table.location() });
        self.name_element(id, element);
        self.modal_index.push(None);
        element
    }

    /// Adds a force that is not a table of the file.
    pub fn add_generated_drive(&mut self, table: &TableReader<'_>, point: Point, drive: Drive) {
        self.model.drive(point, drive);
        self.locations.exciters.push(table.location());
    }

    /// What an element is called in the file: a plate may be a membrane.
    pub fn element_kind(&self, element: ElementId) -> &'static str {
        kind_of(&self.model.elements()[element.index()], self.locations.elements.get(element.index()))
    }

    /// The interaction with an id.
    pub fn interaction_by_id(&self, id: &str) -> Option<InteractionId> {
        match self.ids.get(id) {
            Some(Named::Interaction(interaction)) => Some(*interaction),
            Some(Named::Element(_)) | None => None,
        }
    }
}
