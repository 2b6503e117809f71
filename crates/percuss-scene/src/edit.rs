//! Changes of single fields in the text of a scene; all else, comments included, stays as it is. Where its values are written.

use crate::elements::ELEMENT_TABLES;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A change of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldChange {
    /// The field gets a value, written as TOML.
    Set(String),
    /// The field is removed with its line.
    Remove,
}

/// The text with a field of the element with an id changed; `None` where the text has no such element in a table of its own.
pub fn change_field(text: &str, id: &str, field: &str, change: &FieldChange) -> Option<String> {
    let root = DeTable::parse(text).ok()?;
    let table = element_table(root.get_ref(), id)?;
    let place = |name: &str| {
        let (key, value) = table.iter().find(|(key, _)| key.get_ref() == name)?;
        Some((key.span().start, value.span()))
    };
    let (span, new) = match (place(field), change) {
        (Some((_, value)), FieldChange::Set(new)) => (value, new.clone()),
        (Some((key, value)), FieldChange::Remove) => (lines_of(text, key..value.end), String::new()),
        (None, FieldChange::Set(new)) => {
            let end = lines_of(text, place("id")?.1).end;
            let is_ended = text[..end].ends_with('\n');
            (end..end, format!("{}{field} = {new}\n", if is_ended { "" } else { "\n" }))
        }
        (None, FieldChange::Remove) => (0..0, String::new()),
    };
    Some(format!("{}{new}{}", &text[..span.start], &text[span.end..]))
}

/// Paths of all values of a scene and where in the text they are written, in the order of the text; none where it is not TOML.
///
/// A path starts with the id of a table, with the name of one that there is once (`scene`), or with its name and number, from 0, where
/// it has no id: `plate.thickness`, `scene.duration`, `pulse[0].at[1]`.
pub fn values(text: &str) -> Vec<(String, Range<usize>)> {
    let mut found = Vec::new();
    if let Ok(root) = DeTable::parse(text) {
        for (name, value) in root.get_ref() {
            add_tables(name.get_ref(), value, &mut found);
        }
    }
    found.sort_by_key(|(_, span): &(String, Range<usize>)| span.start);
    found
}

/// Adds the values of a field of the scene, which is a table, or an array of tables with or without ids.
fn add_tables(name: &str, value: &Spanned<DeValue<'_>>, found: &mut Vec<(String, Range<usize>)>) {
    let Some(list) = value.get_ref().as_array() else { return add_values(name.to_owned(), value, found) };
    for (index, entry) in list.iter().enumerate() {
        let id = entry.get_ref().as_table().and_then(|table| table.get("id")?.get_ref().as_str());
        add_values(id.map_or_else(|| format!("{name}[{index}]"), str::to_owned), entry, found);
    }
}

fn add_values(path: String, value: &Spanned<DeValue<'_>>, found: &mut Vec<(String, Range<usize>)>) {
    match value.get_ref() {
        DeValue::Table(table) => {
            table.iter().for_each(|(key, value)| add_values(format!("{path}.{}", key.get_ref()), value, found));
        }
        DeValue::Array(list) => {
            list.iter().enumerate().for_each(|(index, value)| add_values(format!("{path}[{index}]"), value, found));
        }
        _ => found.push((path, value.span())),
    }
}

/// The fields of the element with an id.
fn element_table<'a>(root: &'a DeTable<'a>, id: &str) -> Option<&'a DeTable<'a>> {
    let tables = ELEMENT_TABLES.iter().filter_map(|(kind, _)| root.get(*kind)?.get_ref().as_array());
    let tables = tables.flat_map(|list| list.iter().map(Spanned::get_ref)).filter_map(DeValue::as_table);
    let has_id = |table: &&DeTable<'_>| table.get("id").and_then(|own| own.get_ref().as_str()) == Some(id);
    tables.into_iter().find(has_id)
}

/// The whole lines that a span is on.
fn lines_of(text: &str, span: Range<usize>) -> Range<usize> {
    let start = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
    let end = text[span.end..].find('\n').map_or(text.len(), |end| span.end + end + 1);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "# head\n[[mass]]\nid = \"a\"\nmass = 1\n\n[[bar]]\nid = \"b\" # name\nlength = 0.3 # m\n# end\nwidth = 1e-2";

    #[test]
    fn a_field_changes_and_all_else_stays() {
        let set = |field: &str, value: &str| change_field(TEXT, "b", field, &FieldChange::Set(value.into())).unwrap();
        assert_eq!(set("length", "0.25"), TEXT.replace("0.3", "0.25"));
        assert_eq!(set("width", "2"), TEXT.replace("1e-2", "2"));
        assert_eq!(set("pitch", "\"A3\""), TEXT.replace("# name\n", "# name\npitch = \"A3\"\n"));
        let removed = |field: &str| change_field(TEXT, "b", field, &FieldChange::Remove).unwrap();
        assert_eq!(removed("length"), TEXT.replace("length = 0.3 # m\n", ""));
        assert_eq!(removed("pitch"), TEXT);
        assert_eq!(change_field(TEXT, "c", "length", &FieldChange::Remove), None);
    }

    #[test]
    fn values_have_their_paths() {
        let text = "[scene]\nname = \"x\"\n[[mass]]\nid = \"m\"\nmass = 1\n[[pulse]]\nof = \"m\"\nat = [0.1, 2e-1]\n";
        let found = values(text);
        let paths: Vec<_> = found.iter().map(|(path, span)| format!("{path} = {}", &text[span.clone()])).collect();
        let expected = [
            "scene.name = \"x\"",
            "m.id = \"m\"",
            "m.mass = 1",
            "pulse[0].of = \"m\"",
            "pulse[0].at[0] = 0.1",
            "pulse[0].at[1] = 2e-1",
        ];
        assert_eq!(paths, expected);
        assert_eq!(values("[scene"), []);
    }

    #[test]
    fn a_field_is_added_after_an_id_on_the_last_line() {
        let text = "[[mass]]\nid = \"a\"";
        let added = change_field(text, "a", "mass", &FieldChange::Set("2".into())).unwrap();
        assert_eq!(added, "[[mass]]\nid = \"a\"\nmass = 2\n");
    }
}
