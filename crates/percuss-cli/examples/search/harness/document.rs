//! A scene file as data: written by the generator, changed by the minimiser, printed as TOML.

use std::fmt;

/// A value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum TomlValue {
    /// A number.
    Number(f64),
    /// Text.
    Text(String),
    /// True or false.
    Flag(bool),
    /// A list.
    List(Vec<TomlValue>),
    /// A table on one line.
    Inline(Fields),
}

/// Names and values.
pub type Fields = Vec<(String, TomlValue)>;

/// A table `[[kind]]`, or `[kind]` for kinds that occur once.
#[derive(Clone, Debug, PartialEq)]
pub struct TomlTable {
    /// Kind, such as `collision`.
    pub kind: &'static str,
    /// Fields.
    pub fields: Fields,
}

/// A scene file. The first table is `[scene]`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SceneDocument {
    /// All tables, in the order of the file.
    pub tables: Vec<TomlTable>,
}

impl From<f64> for TomlValue {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for TomlValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<[f64; 2]> for TomlValue {
    fn from(pair: [f64; 2]) -> Self {
        Self::List(pair.map(Self::Number).to_vec())
    }
}

impl TomlValue {
    /// An inline table.
    pub fn inline(fields: impl IntoIterator<Item = (&'static str, TomlValue)>) -> Self {
        Self::Inline(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// A list of numbers.
    pub fn numbers(numbers: impl IntoIterator<Item = f64>) -> Self {
        Self::List(numbers.into_iter().map(Self::Number).collect())
    }

    /// Breakpoints in time.
    pub fn control(time: Vec<f64>, value: Vec<f64>) -> Self {
        Self::inline([("time", Self::numbers(time)), ("value", Self::numbers(value))])
    }

    /// Whether the value names an id.
    fn mentions(&self, field: &str, id: &str) -> bool {
        match self {
            Self::Text(text) => matches!(field, "of" | "ball" | "bow" | "finger" | "below" | "above") && text == id,
            Self::Inline(fields) => fields.iter().any(|(name, value)| value.mentions(name, id)),
            Self::Number(_) | Self::Flag(_) | Self::List(_) => false,
        }
    }
}

impl TomlTable {
    /// An empty table.
    pub fn new(kind: &'static str) -> Self {
        Self { kind, fields: Vec::new() }
    }

    /// Adds a field.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<TomlValue>) -> Self {
        self.fields.push((name.to_owned(), value.into()));
        self
    }

    /// Removes fields.
    #[must_use]
    pub fn without(mut self, names: &[&str]) -> Self {
        self.fields.retain(|(name, _)| !names.contains(&name.as_str()));
        self
    }

    /// Value of a field.
    pub fn get(&self, name: &str) -> Option<&TomlValue> {
        self.fields.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    /// Value of a numeric field; 0 if it is missing.
    pub fn number(&self, name: &str) -> f64 {
        if let Some(&TomlValue::Number(number)) = self.get(name) { number } else { 0.0 }
    }

    /// The `id`.
    pub fn id(&self) -> Option<&str> {
        if let Some(TomlValue::Text(id)) = self.get("id") { Some(id) } else { None }
    }

    /// Whether the table refers to an element or interaction.
    pub fn refers_to(&self, id: &str) -> bool {
        self.fields.iter().any(|(name, value)| value.mentions(name, id))
    }
}

impl SceneDocument {
    /// The table of an element or interaction.
    pub fn find(&self, id: &str) -> Option<&TomlTable> {
        self.tables.iter().find(|table| table.id() == Some(id))
    }

    /// The document without a table and without all tables that refer to it.
    pub fn without(&self, index: usize) -> Self {
        let removed = &self.tables[index];
        let removes_notes = removed.kind == "score";
        let refers = |table: &TomlTable| removed.id().is_some_and(|id| table.refers_to(id));
        let mut tables = self.tables.clone();
        let mut position = 0;
        tables.retain(|table| {
            position += 1;
            position - 1 != index && !refers(table) && !(removes_notes && table.kind == "note")
        });
        Self { tables }
    }
}

impl fmt::Display for TomlValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) if number.fract() == 0.0 && number.abs() < 1e6 => write!(f, "{number:.0}"),
            Self::Number(number) if (1e-4..1e6).contains(&number.abs()) => write!(f, "{number:?}"),
            Self::Number(number) => write!(f, "{number:e}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::List(values) => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", values.join(", "))
            }
            Self::Inline(fields) => {
                let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                write!(f, "{{ {} }}", fields.join(", "))
            }
        }
    }
}

impl fmt::Display for SceneDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, table) in self.tables.iter().enumerate() {
            let gap = if index == 0 { "" } else { "\n" };
            match table.kind {
                "scene" | "score" | "voice" => writeln!(f, "{gap}[{}]", table.kind)?,
                kind => writeln!(f, "{gap}[[{kind}]]")?,
            }
            for (name, value) in &table.fields {
                writeln!(f, "{name} = {value}")?;
            }
        }
        Ok(())
    }
}
