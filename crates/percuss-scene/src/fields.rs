//! Reading one table of a scene file: typed fields with ranges and units, and no field left unread.

use crate::diagnostic::{Diagnostic, Source, closest};
use crate::limits::{Limits, plain, spaced};
use crate::renamed;
use std::cell::RefCell;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Where the fields of a table stand, kept for messages from the engine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    pub table: &'static str,
    pub id: String,
    pub place: Option<(usize, usize)>,
    pub fields: Vec<(String, (usize, usize))>,
}

impl Origin {
    /// Place of a field, or of the table.
    pub fn of(&self, field: &str) -> Option<(usize, usize)> {
        self.fields.iter().find(|(name, _)| name == field).map(|(_, place)| *place).or(self.place)
    }
}

/// All mistakes found so far.
pub(crate) type Problems = RefCell<Vec<Diagnostic>>;

/// One table being read. Every read notes the field as known; [`Fields::finish`] complains about the rest.
pub(crate) struct Fields<'a> {
    pub source: &'a Source,
    pub problems: &'a Problems,
    table: &'a DeTable<'a>,
    span: Range<usize>,
    /// What the table is called, for messages.
    pub kind: &'static str,
    known: RefCell<Vec<&'static str>>,
    /// Fields that must be there and are not, with an example. A misspelt one is told only once, as misspelt.
    absent: RefCell<Vec<(&'static str, String)>>,
}

impl<'a> Fields<'a> {
    pub fn new(
        source: &'a Source,
        problems: &'a Problems,
        table: &'a DeTable<'a>,
        span: Range<usize>,
        kind: &'static str,
    ) -> Self {
        Self { source, problems, table, span, kind, known: RefCell::default(), absent: RefCell::default() }
    }

    /// Reports a mistake at a field, or at the table where the field is missing.
    pub fn complain(&self, field: &str, message: String, hint: Option<String>) {
        let span = self.table.get(field).map_or(self.span.clone(), Spanned::span);
        let mut diagnostic = self.source.error(Some(span), message);
        diagnostic.hint = hint;
        self.problems.borrow_mut().push(diagnostic);
    }

    pub fn get(&self, field: &'static str) -> Option<&'a DeValue<'a>> {
        self.known.borrow_mut().push(field);
        self.table.get(field).map(Spanned::get_ref)
    }

    pub fn has(&self, field: &'static str) -> bool {
        self.get(field).is_some()
    }

    /// Notes that a field must be there and is not.
    pub fn missing(&self, field: &'static str, example: &str) {
        self.absent.borrow_mut().push((field, example.to_owned()));
    }

    pub fn wrong_type(&self, field: &str, value: &DeValue<'_>, wanted: &str) {
        let message = format!("{}.{field} is {}, must be {wanted}", self.kind, described(value));
        let hint = match value {
            DeValue::String(text) if text.trim().parse::<f64>().is_ok() => Some("drop the quotes".to_owned()),
            _ => None,
        };
        self.complain(field, message, hint);
    }

    pub fn in_range(&self, field: &str, value: f64, limits: Limits) -> Option<f64> {
        if limits.contains(value) {
            return Some(value);
        }
        let found = format!("{}.{field} is {}{}", self.kind, plain(value), spaced(limits.unit));
        self.complain(field, format!("{found}, {}", limits.requirement(value)), limits.hint(value));
        None
    }

    /// A number, if it is there and right.
    pub fn number(&self, field: &'static str, limits: Limits) -> Option<f64> {
        let value = self.get(field)?;
        match as_number(value) {
            Some(number) => self.in_range(field, number, limits),
            None => {
                self.wrong_type(field, value, "a number");
                None
            }
        }
    }

    pub fn number_or(&self, field: &'static str, limits: Limits, default: f64) -> f64 {
        self.number(field, limits).unwrap_or(default)
    }

    /// A number that must be there. A stand-in is returned after a complaint, so that reading can go on.
    pub fn required(&self, field: &'static str, limits: Limits, example: &str) -> f64 {
        if !self.has(field) {
            self.missing(field, example);
        }
        self.number(field, limits).unwrap_or(limits.most.min(1.0).max(limits.least))
    }

    pub fn text(&self, field: &'static str) -> Option<&'a str> {
        let value = self.get(field)?;
        if value.as_str().is_none() {
            self.wrong_type(field, value, "text in quotes");
        }
        value.as_str()
    }

    pub fn required_text(&self, field: &'static str, example: &str) -> Option<&'a str> {
        if !self.has(field) {
            self.missing(field, example);
        }
        self.text(field)
    }

    pub fn flag(&self, field: &'static str) -> bool {
        let Some(value) = self.get(field) else { return false };
        value.as_bool().unwrap_or_else(|| {
            self.wrong_type(field, value, "true or false");
            false
        })
    }

    /// A list of words; a single word counts as a list of one.
    pub fn words(&self, field: &'static str) -> Option<Vec<&'a str>> {
        let value = self.get(field)?;
        let words: Option<Vec<&str>> = match value {
            DeValue::Array(list) => list.iter().map(|word| word.get_ref().as_str()).collect(),
            other => other.as_str().map(|word| vec![word]),
        };
        if words.is_none() {
            self.wrong_type(field, value, "words in quotes");
        }
        words
    }

    /// One of a few words.
    pub fn choice<T: Copy>(&self, field: &'static str, choices: &[(&'static str, T)], default: T) -> T {
        match self.text(field) {
            Some(word) => self.choose(field, word, choices).unwrap_or(default),
            None => default,
        }
    }

    pub fn choose<T: Copy>(&self, field: &str, word: &str, choices: &[(&'static str, T)]) -> Option<T> {
        let found = choices.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
        if found.is_none() {
            let names: Vec<_> = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect();
            let message = format!("{}.{field} is \"{word}\", must be one of {}", self.kind, names.join(", "));
            let meant = closest(word, choices.iter().map(|(name, _)| *name));
            let hint = match (renamed::value(field, word), meant) {
                (Some(new), _) => renamed::hint(word, new),
                (None, Some(name)) => format!("did you mean \"{name}\"?"),
                (None, None) => format!("for instance {field} = {}", names[0]),
            };
            self.complain(field, message, Some(hint));
        }
        found
    }

    /// A list of numbers.
    pub fn numbers(&self, field: &'static str, limits: Limits) -> Option<Vec<f64>> {
        let value = self.get(field)?;
        let Some(list) = value.as_array() else {
            self.wrong_type(field, value, "a list of numbers");
            return None;
        };
        self.listed(field, list.iter().map(Spanned::get_ref), limits)
    }

    fn listed<'v>(&self, field: &str, list: impl Iterator<Item = &'v DeValue<'v>>, limits: Limits) -> Option<Vec<f64>> {
        let mut numbers = Vec::new();
        for value in list {
            match as_number(value) {
                Some(number) => numbers.push(self.in_range(field, number, limits)?),
                None => {
                    self.wrong_type(field, value, "a list of numbers");
                    return None;
                }
            }
        }
        Some(numbers)
    }

    /// One number for all, or a list with one for each of `count`.
    pub fn number_each(&self, field: &'static str, limits: Limits, count: usize, default: f64) -> Vec<f64> {
        let is_list = self.get(field).is_some_and(DeValue::is_array);
        if !is_list {
            return vec![self.number_or(field, limits, default); count];
        }
        let numbers = self.numbers(field, limits).unwrap_or_default();
        if numbers.len() != count {
            let message = format!("{}.{field} has {} entries, must have {count}", self.kind, numbers.len());
            self.complain(field, message, Some("one for each frequency, or a single number for all".to_owned()));
        }
        let mut numbers = numbers;
        numbers.resize(count, default);
        numbers
    }

    /// Two numbers.
    pub fn pair(&self, field: &'static str, limits: Limits) -> Option<[f64; 2]> {
        let numbers = self.numbers(field, limits)?;
        let pair = <[f64; 2]>::try_from(numbers).ok();
        if pair.is_none() {
            let message = format!("{}.{field} must have 2 entries", self.kind);
            self.complain(field, message, Some(format!("one for each side, as in {field} = [0.3, 0.2]")));
        }
        pair
    }

    /// A table within the table.
    pub fn inner(&self, field: &'static str, kind: &'static str) -> Option<Fields<'a>> {
        self.known.borrow_mut().push(field);
        let value = self.table.get(field)?;
        match value.get_ref().as_table() {
            Some(table) => Some(Fields::new(self.source, self.problems, table, value.span(), kind)),
            None => {
                let wanted =
                    if kind == "control" { "a number or { time = [...], value = [...] }" } else { "a table { … }" };
                self.wrong_type(field, value.get_ref(), wanted);
                None
            }
        }
    }

    /// Names and number lists of a table within the table, in the order of the file.
    pub fn named_lists(&self, field: &'static str, limits: Limits) -> Vec<(String, Vec<f64>)> {
        let Some(inner) = self.inner(field, self.kind) else { return Vec::new() };
        let mut entries: Vec<_> = inner.table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let mut lists = Vec::new();
        for (key, value) in entries {
            let name = key.get_ref().to_string();
            let list = value.get_ref().as_array().map(|list| list.iter().map(Spanned::get_ref));
            match list {
                Some(list) => lists.push((name, inner.listed(field, list, limits).unwrap_or_default())),
                None => inner.wrong_type(field, value.get_ref(), "a list of numbers"),
            }
        }
        lists
    }

    /// A field that may be a number or a word.
    pub fn number_or_text(&self, field: &'static str) -> Option<Result<f64, &'a str>> {
        let value = self.get(field)?;
        let read = as_number(value).map(Ok).or_else(|| value.as_str().map(Err));
        if read.is_none() {
            self.wrong_type(field, value, "a number or a name");
        }
        read
    }

    /// Complains about every field nobody asked for and every one that is absent; returns where the others stand.
    pub fn finish(&self) -> Origin {
        let known = self.known.borrow();
        let mut absent = self.absent.borrow_mut();
        for (key, _) in self.table.iter().filter(|(key, _)| !known.iter().any(|name| *name == key.get_ref().as_ref())) {
            let new = renamed::field(self.kind, key.get_ref());
            let meant = new.or_else(|| closest(key.get_ref(), known.iter().copied()));
            absent.retain(|(field, _)| Some(*field) != meant);
            let message = format!("{} has no field {}", self.kind, key.get_ref());
            let hint = match (new, meant) {
                (Some(new), _) => renamed::hint(key.get_ref(), new),
                (None, Some(name)) => format!("did you mean {name}?"),
                (None, None) => listed_once(&known),
            };
            self.problems.borrow_mut().push(self.source.error(Some(key.span()), message).hint(hint));
        }
        for (field, example) in absent.drain(..) {
            let message = format!("{} has no {field}", self.kind);
            self.complain(field, message, Some(format!("add {field} = {example}")));
        }
        self.origin()
    }

    /// Where the fields stand.
    pub fn origin(&self) -> Origin {
        let places =
            self.table.iter().map(|(key, value)| (key.get_ref().to_string(), self.source.place(value.span().start)));
        Origin {
            table: self.kind,
            id: String::new(),
            place: Some(self.source.place(self.span.start)),
            fields: places.collect(),
        }
    }
}

/// The names of the known fields, for a hint.
fn listed_once(known: &[&'static str]) -> String {
    let mut fields = known.to_vec();
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

fn described(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("\"{text}\""),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        other => format!("a {}", other.type_str()),
    }
}
