//! The columns of a shard: one row for every clip.

use crate::audio::{self, SoundFile};
use crate::clip::Clip;
use crate::distribution::{Distribution, Value};
use crate::error::Result;
use crate::recipe::{Audio, Recipe};

/// Values of a column, one for every clip.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Whole numbers.
    Integers(Vec<i64>),
    /// Numbers.
    Numbers(Vec<f64>),
    /// Texts.
    Texts(Vec<String>),
    /// Lists of numbers.
    NumberLists(Vec<Vec<f64>>),
    /// Curves.
    Curves(Vec<Vec<f32>>),
    /// Sound files.
    Audio(Vec<Vec<u8>>),
}

/// Named columns of equal length.
pub type Table = Vec<(String, Column)>;

/// A clip whose sound is encoded.
pub struct Row {
    clip: Clip,
    sound: SoundFile,
}

impl Row {
    /// Encodes the sound of a clip, whose samples are dropped.
    pub fn new(mut clip: Clip, recipe: &Recipe) -> Result<Self> {
        let sound = audio::encode(&clip, recipe.keep.audio, recipe.rate)?;
        clip.samples = Vec::new();
        Ok(Self { clip, sound })
    }

    /// Draws before that of the clip that could not be simulated.
    pub fn rejected(&self) -> u32 {
        self.clip.rejected
    }
}

/// The name of the files of a clip.
pub fn clip_name(recipe: &Recipe, clip: u64) -> String {
    let digits = (recipe.clips - 1).to_string().len().max(6);
    format!("{clip:0digits$}")
}

/// The name of a column, for a path in the scene or a label: letters, digits and underscores, which every reader takes for one name.
#[must_use]
pub fn column_name(path: &str) -> String {
    let parts = path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("_")
}

/// The table of a shard.
pub fn table(recipe: &Recipe, rows: Vec<Row>) -> Table {
    let mut table = columns(recipe, rows);
    table.iter_mut().for_each(|(name, _)| *name = column_name(name));
    table
}

fn columns(recipe: &Recipe, rows: Vec<Row>) -> Table {
    let keep = &recipe.keep;
    let mut table: Table = vec![("clip".into(), Column::Integers(each(&rows, |row| row.clip.index as i64)))];
    for (index, variation) in recipe.variations.iter().enumerate() {
        table.push((variation.path.clone(), parameter(&rows, &variation.distribution, index)));
    }
    if keep.audio == Audio::Flac {
        table.push(("audio_scale".into(), Column::Numbers(each(&rows, |row| row.sound.scale))));
    }
    for (index, name) in keep.hits.iter().enumerate() {
        table.push((format!("{name}.hits"), Column::NumberLists(each(&rows, |row| row.clip.hits[index].clone()))));
    }
    for (index, name) in keep.partials.iter().enumerate() {
        table.push((
            format!("{name}.partials"),
            Column::NumberLists(each(&rows, |row| row.clip.partials[index].clone())),
        ));
    }
    if keep.energy {
        let mut add = |name: &str, value: &dyn Fn(&crate::clip::Energy) -> f64| {
            let values = each(&rows, |row| row.clip.energy.as_ref().map_or(0.0, value));
            table.push((format!("energy.{name}"), Column::Numbers(values)));
        };
        add("initial", &|energy| energy.initial);
        add("supplied", &|energy| energy.supplied);
        add("dissipated", &|energy| energy.dissipated);
        let stored = each(&rows, |row| row.clip.energy.as_ref().map_or_else(Vec::new, |energy| energy.stored.clone()));
        table.push(("energy.stored".into(), Column::NumberLists(stored)));
    }
    for (index, name) in keep.forces.iter().enumerate() {
        let starts = each(&rows, |row| row.clip.forces[index].start as i64);
        table.push((format!("{name}.force_start"), Column::Integers(starts)));
        table.push((format!("{name}.force"), Column::Curves(each(&rows, |row| row.clip.forces[index].values.clone()))));
    }
    if keep.audio != Audio::None {
        table.push(("audio".into(), Column::Audio(rows.into_iter().map(|row| row.sound.bytes).collect())));
    }
    table
}

fn each<T>(rows: &[Row], value: impl Fn(&Row) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}

/// The column of a variation. Whole numbers among others become numbers, numbers among texts become texts.
fn parameter(rows: &[Row], distribution: &Distribution, index: usize) -> Column {
    let is_text = |value: &Value| matches!(value, Value::Text(_));
    let is_integer = |value: &Value| matches!(value, Value::Integer(_));
    let (texts, integers) = match distribution {
        Distribution::Choice(values) => (values.iter().any(is_text), values.iter().all(is_integer)),
        Distribution::Integer(_) => (false, true),
        _ => (false, false),
    };
    let value = |row: &Row| row.clip.values[index].clone();
    if texts {
        Column::Texts(each(rows, |row| match value(row) {
            Value::Text(text) => text,
            number => number.to_toml(),
        }))
    } else if integers {
        Column::Integers(each(rows, |row| if let Value::Integer(number) = value(row) { number } else { 0 }))
    } else {
        Column::Numbers(each(rows, |row| match value(row) {
            Value::Number(number) => number,
            Value::Integer(number) => number as f64,
            Value::Text(_) => f64::NAN,
        }))
    }
}
