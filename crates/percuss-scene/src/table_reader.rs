//! Reads one table of a scene file: typed fields with limits and units; reports fields that were never requested.

use crate::diagnostic::{Diagnostic, SourceText, closest_match};
use crate::limits::{ValueLimits, format_number, unit_suffix};
use crate::renamed;
use std::cell::RefCell;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Lines and columns of a table and its fields, kept for errors from the engine.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableLocation {
    /// Kind of the table, as in `[[kind]]`.
    pub kind: &'static str,
    pub id: String,
    /// Start of the table.
    pub start: Option<(usize, usize)>,
    pub fields: Vec<(String, (usize, usize))>,
}

impl TableLocation {
    /// Line and column of a field, or of the table if it has no such field.
    pub fn field(&self, field: &str) -> Option<(usize, usize)> {
        self.fields.iter().find(|(name, _)| name == field).map(|(_, location)| *location).or(self.start)
    }
}

/// Stands for all fields of a table.
const ANY_FIELD: &str = "*";

/// Errors found so far.
pub(crate) type Diagnostics = RefCell<Vec<Diagnostic>>;

/// One table being read. Every read marks its field as requested; [`TableReader::finish`] reports the other fields.
pub(crate) struct TableReader<'a> {
    pub source: &'a SourceText,
    pub errors: &'a Diagnostics,
    toml: &'a DeTable<'a>,
    span: Range<usize>,
    /// Kind of the table, for messages.
    pub kind: &'static str,
    requested: RefCell<Vec<&'static str>>,
    /// Required fields that are missing, with an example. A misspelt one is reported once, as misspelt.
    missing: RefCell<Vec<(&'static str, String)>>,
    /// Number of errors found before this table.
    errors_before: usize,
}

impl<'a> TableReader<'a> {
    pub fn new(
        source: &'a SourceText,
        errors: &'a Diagnostics,
        toml: &'a DeTable<'a>,
        span: Range<usize>,
        kind: &'static str,
    ) -> Self {
        let errors_before = errors.borrow().len();
        let (requested, missing) = (RefCell::default(), RefCell::default());
        Self { source, errors, toml, span, kind, requested, missing, errors_before }
    }

    /// Whether no error was found in this table so far.
    pub fn is_valid(&self) -> bool {
        self.errors.borrow().len() == self.errors_before && self.missing.borrow().is_empty()
    }

    /// Reports an error at a field, or at the table if it has no such field.
    pub fn report(&self, field: &str, message: String, hint: Option<String>) {
        let span = self.toml.get(field).map_or(self.span.clone(), Spanned::span);
        let mut diagnostic = self.source.error(Some(span), message);
        diagnostic.hint = hint;
        self.errors.borrow_mut().push(diagnostic);
    }

    pub fn get(&self, field: &'static str) -> Option<&'a DeValue<'a>> {
        self.requested.borrow_mut().push(field);
        self.toml.get(field).map(Spanned::get_ref)
    }

    pub fn has(&self, field: &'static str) -> bool {
        self.get(field).is_some()
    }

    /// Marks a required field as missing; [`TableReader::finish`] reports it.
    pub fn mark_missing(&self, field: &'static str, example: &str) {
        self.missing.borrow_mut().push((field, example.to_owned()));
    }

    pub fn report_wrong_type(&self, field: &str, value: &DeValue<'_>, expected: &str) {
        let message = format!("{}.{field} is {}, must be {expected}", self.kind, describe_value(value));
        self.report(field, message, is_quoted_number(value).then(|| "drop the quotes".to_owned()));
    }

    /// The value, if it is within limits; else reports it.
    pub fn check_limits(&self, field: &str, value: f64, limits: ValueLimits) -> Option<f64> {
        if limits.contains(value) {
            return Some(value);
        }
        let found = format!("{}.{field} is {}{}", self.kind, format_number(value), unit_suffix(limits.unit));
        self.report(field, format!("{found}, {}", limits.requirement(value)), limits.hint(value));
        None
    }

    /// A number, if present and valid.
    pub fn number(&self, field: &'static str, limits: ValueLimits) -> Option<f64> {
        let value = self.get(field)?;
        match as_number(value) {
            Some(number) => self.check_limits(field, number, limits),
            None => {
                self.report_wrong_type(field, value, "a number");
                None
            }
        }
    }

    pub fn is_number(&self, field: &'static str) -> bool {
        self.get(field).is_some_and(|value| as_number(value).is_some())
    }

    pub fn number_or(&self, field: &'static str, limits: ValueLimits, default: f64) -> f64 {
        self.number(field, limits).unwrap_or(default)
    }

    /// A required number. After an error, returns a value within the limits so that reading can continue.
    pub fn required_number(&self, field: &'static str, limits: ValueLimits, example: &str) -> f64 {
        if !self.has(field) {
            self.mark_missing(field, example);
        }
        self.number(field, limits).unwrap_or(limits.max.min(1.0).max(limits.min))
    }

    pub fn string(&self, field: &'static str) -> Option<&'a str> {
        let value = self.get(field)?;
        if value.as_str().is_none() {
            self.report_wrong_type(field, value, "text in quotes");
        }
        value.as_str()
    }

    pub fn required_string(&self, field: &'static str, example: &str) -> Option<&'a str> {
        if !self.has(field) {
            self.mark_missing(field, example);
        }
        self.string(field)
    }

    /// A boolean; false if absent.
    pub fn flag(&self, field: &'static str) -> bool {
        let Some(value) = self.get(field) else { return false };
        value.as_bool().unwrap_or_else(|| {
            self.report_wrong_type(field, value, "true or false");
            false
        })
    }

    /// A list of strings; a single string is a list of one.
    pub fn strings(&self, field: &'static str) -> Option<Vec<&'a str>> {
        let value = self.get(field)?;
        let strings: Option<Vec<&str>> = match value {
            DeValue::Array(list) => list.iter().map(|entry| entry.get_ref().as_str()).collect(),
            other => other.as_str().map(|string| vec![string]),
        };
        if strings.is_none() {
            self.report_wrong_type(field, value, "text in quotes");
        }
        strings
    }

    /// One of several words; the default if absent or wrong.
    pub fn choice<T: Copy>(&self, field: &'static str, choices: &[(&'static str, T)], default: T) -> T {
        match self.string(field) {
            Some(word) => self.parse_choice(field, word, choices).unwrap_or(default),
            None => default,
        }
    }

    pub fn parse_choice<T: Copy>(&self, field: &str, word: &str, choices: &[(&'static str, T)]) -> Option<T> {
        let found = choices.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
        if found.is_none() {
            let names: Vec<_> = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect();
            let message = format!("{}.{field} is \"{word}\", must be one of {}", self.kind, names.join(", "));
            let suggestion = closest_match(word, choices.iter().map(|(name, _)| *name));
            let hint = match (renamed::value(field, word), suggestion) {
                (Some(new), _) => renamed::hint(word, new),
                (None, Some(name)) => format!("did you mean \"{name}\"?"),
                (None, None) => format!("for instance {field} = {}", names[0]),
            };
            self.report(field, message, Some(hint));
        }
        found
    }

    /// A list of numbers.
    pub fn numbers(&self, field: &'static str, limits: ValueLimits) -> Option<Vec<f64>> {
        let value = self.get(field)?;
        let Some(list) = value.as_array() else {
            self.report_wrong_type(field, value, "a list of numbers");
            return None;
        };
        self.parse_numbers(field, list.iter().map(Spanned::get_ref), limits)
    }

    /// A number, or a list of them.
    pub fn number_or_list(&self, field: &'static str, limits: ValueLimits) -> Option<Vec<f64>> {
        if self.get(field).is_some_and(DeValue::is_array) {
            return self.numbers(field, limits);
        }
        self.number(field, limits).map(|number| vec![number])
    }

    fn parse_numbers<'v>(
        &self,
        field: &str,
        list: impl Iterator<Item = &'v DeValue<'v>>,
        limits: ValueLimits,
    ) -> Option<Vec<f64>> {
        let mut numbers = Vec::new();
        for value in list {
            match as_number(value) {
                Some(number) => numbers.push(self.check_limits(field, number, limits)?),
                None => {
                    self.report_wrong_type(field, value, "a number");
                    return None;
                }
            }
        }
        Some(numbers)
    }

    /// One number for all, or a list of `count` numbers.
    pub fn broadcast_numbers(&self, field: &'static str, limits: ValueLimits, count: usize, default: f64) -> Vec<f64> {
        let is_list = self.get(field).is_some_and(DeValue::is_array);
        if !is_list {
            return vec![self.number_or(field, limits, default); count];
        }
        let numbers = self.numbers(field, limits).unwrap_or_default();
        if numbers.len() != count {
            let message = format!("{}.{field} has {} entries, must have {count}", self.kind, numbers.len());
            self.report(field, message, Some("one for each frequency, or a single number for all".to_owned()));
        }
        let mut numbers = numbers;
        numbers.resize(count, default);
        numbers
    }

    /// Two numbers.
    pub fn number_pair(&self, field: &'static str, limits: ValueLimits) -> Option<[f64; 2]> {
        let numbers = self.numbers(field, limits)?;
        let pair = <[f64; 2]>::try_from(numbers).ok();
        if pair.is_none() {
            let message = format!("{}.{field} must have 2 entries", self.kind);
            self.report(field, message, Some(format!("one for each side, as in {field} = [0.3, 0.2]")));
        }
        pair
    }

    /// A nested table.
    pub fn subtable(&self, field: &'static str, kind: &'static str) -> Option<TableReader<'a>> {
        self.requested.borrow_mut().push(field);
        let value = self.toml.get(field)?;
        match value.get_ref().as_table() {
            Some(table) => Some(TableReader::new(self.source, self.errors, table, value.span(), kind)),
            None => {
                let expected = if kind == "control" {
                    "a number, { time = [...], value = [...] } or a wave"
                } else {
                    "a table { … }"
                };
                self.report_wrong_type(field, value.get_ref(), expected);
                None
            }
        }
    }

    /// A nested table, or a list of them.
    pub fn subtables(&self, field: &'static str, kind: &'static str, expected: &str) -> Option<Vec<TableReader<'a>>> {
        let value = self.get(field)?;
        let span = self.toml.get(field)?.span();
        let reader = |(value, span): (&'a DeValue<'a>, Range<usize>)| {
            Some(TableReader::new(self.source, self.errors, value.as_table()?, span, kind))
        };
        let tables: Option<Vec<TableReader>> = match value {
            DeValue::Array(list) => list.iter().map(|entry| reader((entry.get_ref(), entry.span()))).collect(),
            single => reader((single, span)).map(|table| vec![table]),
        };
        if tables.is_none() {
            self.report_wrong_type(field, value, expected);
        }
        tables
    }

    /// Names and number lists of a nested table, in the order of the file.
    pub fn named_number_lists(&self, field: &'static str, limits: ValueLimits) -> Vec<(String, Vec<f64>)> {
        let Some(inner) = self.subtable(field, self.kind) else { return Vec::new() };
        let mut entries: Vec<_> = inner.toml.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let mut lists = Vec::new();
        for (key, value) in entries {
            let name = key.get_ref().to_string();
            let list = value.get_ref().as_array().map(|list| list.iter().map(Spanned::get_ref));
            match list {
                Some(list) => lists.push((name, inner.parse_numbers(field, list, limits).unwrap_or_default())),
                None => inner.report_wrong_type(field, value.get_ref(), "a list of numbers"),
            }
        }
        lists
    }

    /// A number or a string.
    pub fn number_or_string(&self, field: &'static str) -> Option<Result<f64, &'a str>> {
        let value = self.get(field)?;
        let read = as_number(value).map(Ok).or_else(|| value.as_str().map(Err));
        if read.is_none() {
            self.report_wrong_type(field, value, "a number or a name");
        }
        read
    }

    /// Marks all fields as requested, where none is to be reported as unknown.
    pub fn request_all(&self) {
        self.requested.borrow_mut().push(ANY_FIELD);
    }

    /// Reports fields that were never requested and required fields that are missing; returns the location.
    pub fn finish(&self) -> TableLocation {
        let requested = self.requested.borrow();
        let is_known = |name: &str| requested.iter().any(|known| *known == name || *known == ANY_FIELD);
        let mut missing = self.missing.borrow_mut();
        for (key, _) in self.toml.iter().filter(|(key, _)| !is_known(key.get_ref())) {
            let new = renamed::field(self.kind, key.get_ref());
            let suggestion = new.or_else(|| closest_match(key.get_ref(), requested.iter().copied()));
            missing.retain(|(field, _)| Some(*field) != suggestion);
            let message = format!("{} has no field {}", self.kind, key.get_ref());
            let hint = match (new, suggestion) {
                (Some(new), _) => renamed::hint(key.get_ref(), new),
                (None, Some(name)) => format!("did you mean {name}?"),
                (None, None) => known_fields_hint(&requested),
            };
            self.errors.borrow_mut().push(self.source.error(Some(key.span()), message).hint(hint));
        }
        for (field, example) in missing.drain(..) {
            let message = format!("{} has no {field}", self.kind);
            self.report(field, message, Some(format!("add {field} = {example}")));
        }
        self.location()
    }

    /// Lines and columns of the table and its fields.
    pub fn location(&self) -> TableLocation {
        let fields = self
            .toml
            .iter()
            .map(|(key, value)| (key.get_ref().to_string(), self.source.line_column(value.span().start)));
        TableLocation {
            kind: self.kind,
            id: String::new(),
            start: Some(self.source.line_column(self.span.start)),
            fields: fields.collect(),
        }
    }
}

/// Hint that lists the fields of a table.
fn known_fields_hint(requested: &[&'static str]) -> String {
    let mut fields = requested.to_vec();
    fields.sort_unstable();
    fields.dedup();
    format!("known fields: {}", fields.join(", "))
}

pub(crate) fn as_number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(integer) => {
            let digits = integer.as_str().replace('_', "");
            i64::from_str_radix(&digits, integer.radix()).ok().map(|n| n as f64).or_else(|| digits.parse().ok())
        }
        DeValue::Float(float) => float.as_str().replace('_', "").parse().ok(),
        _ => None,
    }
}

fn describe_value(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("\"{text}\""),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Array(entries) if entries.len() <= 4 => {
            let entries: Vec<String> = entries.iter().map(|entry| describe_value(entry.get_ref())).collect();
            format!("[{}]", entries.join(", "))
        }
        DeValue::Array(entries) => format!("a list of {}", entries.len()),
        other => with_article(other.type_str()),
    }
}

/// Whether a value is a number in quotes, or a list with one.
fn is_quoted_number(value: &DeValue<'_>) -> bool {
    match value {
        DeValue::String(text) => text.trim().parse::<f64>().is_ok(),
        DeValue::Array(entries) => entries.iter().any(|entry| is_quoted_number(entry.get_ref())),
        _ => false,
    }
}

/// A word with its article.
pub(crate) fn with_article(word: &str) -> String {
    let article = if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {word}")
}
