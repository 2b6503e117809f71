//! Words of earlier versions of the format, and the words that replace them. They appear only in hints.

/// Tables: old name, new name.
const RENAMED_TABLES: [(&str, &str); 2] = [("link", "damper"), ("control", "mapping")];

/// TableReader: table, old name, new name.
const RENAMED_FIELDS: [(&str, &str, &str); 6] = [
    ("string", "pluck", "displacement"),
    ("bar", "pluck", "displacement"),
    ("touch", "shape", "region"),
    ("roll", "grain", "correlation_length"),
    ("score", "touch", "harmonic_pressure"),
    ("score", "stop", "stopped_pressure"),
];

/// Values: field, old word, new word.
const RENAMED_VALUES: [(&str, &str, &str); 2] =
    [("edges", "free-paper", "free-full-cell"), ("message", "bend", "pitch-bend")];

/// New name of a table.
pub(crate) fn table(old: &str) -> Option<&'static str> {
    RENAMED_TABLES.iter().find(|(name, _)| *name == old).map(|(_, new)| *new)
}

/// New name of a field.
pub(crate) fn field(table: &str, old: &str) -> Option<&'static str> {
    RENAMED_FIELDS.iter().find(|(kind, name, _)| *kind == table && *name == old).map(|(_, _, new)| *new)
}

/// New word for the value of a field.
pub(crate) fn value(field: &str, old: &str) -> Option<&'static str> {
    RENAMED_VALUES.iter().find(|(name, word, _)| *name == field && *word == old).map(|(_, _, new)| *new)
}

/// Hint for an old word.
pub(crate) fn hint(old: &str, new: &str) -> String {
    format!("{old} is called {new}")
}
