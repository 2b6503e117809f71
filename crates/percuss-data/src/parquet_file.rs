//! A table as a Parquet file.
//!
//! Values are written plainly, without compression and dictionaries, in one row group: sound files and random numbers do not become
//! smaller, and the bytes depend on the values alone. The metadata name the features as the library `datasets` does.

use crate::recipe::Recipe;
use crate::table::{Column, Table, clip_name};
use parquet::basic::Encoding;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int64Type};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use serde_json::json;
use std::io::Write;
use std::sync::Arc;

/// Definition levels of a value that is there: in a column of optional values, and in an optional part of an optional group.
const PRESENT: i16 = 1;
const PRESENT_IN_GROUP: i16 = 2;

/// Writes a table.
pub fn write(file: impl Write + Send, table: &Table, recipe: &Recipe) -> Result<()> {
    let schema = Arc::new(parse_message_type(&schema(table))?);
    let features = vec![KeyValue::new("huggingface".to_owned(), features(table, recipe.rate).to_string())];
    let properties = WriterProperties::builder()
        .set_created_by(concat!("percuss ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::PLAIN)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_key_value_metadata(Some(features))
        .build();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    let clips =
        table.iter().find_map(|(_, column)| if let Column::Integers(clips) = column { Some(clips) } else { None });
    for (_, column) in table {
        write_column(&mut group, column, clips, recipe)?;
    }
    group.close()?;
    writer.close()?;
    Ok(())
}

fn schema(table: &Table) -> String {
    let fields = table.iter().map(|(name, column)| match column {
        Column::Integers(_) => format!("optional int64 {name};"),
        Column::Numbers(_) => format!("optional double {name};"),
        Column::Texts(_) => format!("optional binary {name} (UTF8);"),
        Column::NumberLists(_) => list(name, "double"),
        Column::Curves(_) => list(name, "float"),
        Column::Audio(_) => format!("optional group {name} {{ optional binary bytes; optional binary path (UTF8); }}"),
    });
    format!("message clips {{ {} }}", fields.collect::<Vec<_>>().join(" "))
}

fn list(name: &str, kind: &str) -> String {
    format!("required group {name} (LIST) {{ repeated group list {{ required {kind} element; }} }}")
}

/// What `datasets` calls the columns.
fn features(table: &Table, rate: u32) -> serde_json::Value {
    let value = |kind: &str| json!({ "dtype": kind, "_type": "Value" });
    let feature = |column: &Column| match column {
        Column::Integers(_) => value("int64"),
        Column::Numbers(_) => value("float64"),
        Column::Texts(_) => value("string"),
        Column::NumberLists(_) => json!({ "feature": value("float64"), "_type": "Sequence" }),
        Column::Curves(_) => json!({ "feature": value("float32"), "_type": "Sequence" }),
        Column::Audio(_) => json!({ "sampling_rate": rate, "_type": "Audio" }),
    };
    let features: serde_json::Map<_, _> = table.iter().map(|(name, column)| (name.clone(), feature(column))).collect();
    json!({ "info": { "features": features } })
}

fn write_column(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    column: &Column,
    clips: Option<&Vec<i64>>,
    recipe: &Recipe,
) -> Result<()> {
    match column {
        Column::Integers(values) => write_values::<Int64Type>(group, values, PRESENT),
        Column::Numbers(values) => write_values::<DoubleType>(group, values, PRESENT),
        Column::Texts(values) => {
            let texts: Vec<ByteArray> = values.iter().map(|text| ByteArray::from(text.as_str())).collect();
            write_values::<ByteArrayType>(group, &texts, PRESENT)
        }
        Column::NumberLists(lists) => write_lists::<DoubleType>(group, lists),
        Column::Curves(lists) => write_lists::<FloatType>(group, lists),
        Column::Audio(files) => {
            let bytes: Vec<ByteArray> = files.iter().map(|bytes| ByteArray::from(bytes.clone())).collect();
            write_values::<ByteArrayType>(group, &bytes, PRESENT_IN_GROUP)?;
            let extension = recipe.keep.audio.extension().unwrap_or_default();
            let name = |&clip: &i64| format!("{}.{extension}", clip_name(recipe, clip as u64));
            let names: Vec<ByteArray> =
                clips.into_iter().flatten().map(|clip| ByteArray::from(name(clip).as_str())).collect();
            write_values::<ByteArrayType>(group, &names, PRESENT_IN_GROUP)
        }
    }
}

fn write_values<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    values: &[T::T],
    level: i16,
) -> Result<()> {
    write_leaf::<T>(group, values, &vec![level; values.len()], None)
}

/// Writes lists: a value that starts a list repeats at level 0, the others at level 1; an empty list is defined at level 0.
fn write_lists<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    lists: &[Vec<T::T>],
) -> Result<()> {
    let (mut definition, mut repetition) = (Vec::new(), Vec::new());
    for list in lists {
        definition.resize(definition.len() + list.len().max(1), i16::from(!list.is_empty()));
        repetition.push(0);
        repetition.resize(definition.len(), 1);
    }
    write_leaf::<T>(group, &lists.concat(), &definition, Some(&repetition))
}

fn write_leaf<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    values: &[T::T],
    definition: &[i16],
    repetition: Option<&[i16]>,
) -> Result<()> {
    let Some(mut leaf) = group.next_column()? else { return Ok(()) };
    leaf.typed::<T>().write_batch(values, Some(definition), repetition)?;
    leaf.close()
}
