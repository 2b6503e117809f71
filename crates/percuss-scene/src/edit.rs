//! Changes of single fields in the text of a scene; all else, comments included, stays as it is.

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
    fn a_field_is_added_after_an_id_on_the_last_line() {
        let text = "[[mass]]\nid = \"a\"";
        let added = change_field(text, "a", "mass", &FieldChange::Set("2".into())).unwrap();
        assert_eq!(added, "[[mass]]\nid = \"a\"\nmass = 2\n");
    }
}
