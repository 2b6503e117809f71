//! A scene file as data: what the generator writes, the minimiser changes and the parser reads as TOML.

use std::fmt;

/// A value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// Text.
    Text(String),
    /// True or false.
    Flag(bool),
    /// A list.
    List(Vec<Value>),
    /// A table on one line.
    Inline(Fields),
}

/// Names and values.
pub type Fields = Vec<(String, Value)>;

/// `[[kind]]`, or `[kind]` where there is only one of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// As in `collision`.
    pub kind: &'static str,
    /// What stands in it.
    pub fields: Fields,
}

/// A scene file. The first table is `[scene]`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Document {
    /// All tables, in the order of the file.
    pub tables: Vec<Table>,
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<[f64; 2]> for Value {
    fn from(pair: [f64; 2]) -> Self {
        Self::List(pair.map(Self::Number).to_vec())
    }
}

impl Value {
    /// An inline table.
    pub fn inline(fields: impl IntoIterator<Item = (&'static str, Value)>) -> Self {
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

    /// The ids that are named in it.
    fn mentions(&self, field: &str, id: &str) -> bool {
        match self {
            Self::Text(text) => matches!(field, "of" | "ball" | "bow" | "finger") && text == id,
            Self::Inline(fields) => fields.iter().any(|(name, value)| value.mentions(name, id)),
            Self::Number(_) | Self::Flag(_) | Self::List(_) => false,
        }
    }
}

impl Table {
    /// An empty table.
    pub fn new(kind: &'static str) -> Self {
        Self { kind, fields: Vec::new() }
    }

    /// The same with one more field.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.fields.push((name.to_owned(), value.into()));
        self
    }

    /// A field.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.fields.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    /// A field that is a number; 0 where there is none.
    pub fn number(&self, name: &str) -> f64 {
        if let Some(&Value::Number(number)) = self.get(name) { number } else { 0.0 }
    }

    /// The `id`.
    pub fn id(&self) -> Option<&str> {
        if let Some(Value::Text(id)) = self.get("id") { Some(id) } else { None }
    }

    /// Whether the table refers to an element or interaction.
    pub fn refers_to(&self, id: &str) -> bool {
        self.fields.iter().any(|(name, value)| value.mentions(name, id))
    }
}

impl Document {
    /// The table of an element or interaction.
    pub fn find(&self, id: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.id() == Some(id))
    }

    /// The document without a table and without everything that refers to it.
    pub fn without(&self, index: usize) -> Self {
        let gone = &self.tables[index];
        let notes_too = gone.kind == "score";
        let refers = |table: &Table| gone.id().is_some_and(|id| table.refers_to(id));
        let mut tables = self.tables.clone();
        let mut position = 0;
        tables.retain(|table| {
            position += 1;
            position - 1 != index && !refers(table) && !(notes_too && table.kind == "note")
        });
        Self { tables }
    }
}

impl fmt::Display for Value {
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

impl fmt::Display for Document {
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
