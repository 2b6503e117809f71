//! A table as a WebDataset shard: a tar archive in which every clip has a few files of the same name.
//!
//! `000042.flac` is the sound, `000042.json` has numbers, texts and lists, `000042.strike_force.npy` is a curve. Times and owners are 0, so
//! that the bytes depend on the values alone.

use crate::recipe::Recipe;
use crate::table::{Column, Table, clip_name};
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use tar::{Builder, EntryType, Header};

/// Writes a table.
pub fn write(file: impl Write, table: &Table, recipe: &Recipe) -> io::Result<()> {
    let mut archive = Builder::new(file);
    let Some((_, Column::Integers(clips))) = table.first() else { return archive.finish() };
    for (row, &clip) in clips.iter().enumerate() {
        let name = clip_name(recipe, clip as u64);
        let mut labels = Map::new();
        for (column_name, column) in table {
            match column {
                Column::Integers(values) => drop(labels.insert(column_name.clone(), json!(values[row]))),
                Column::Numbers(values) => drop(labels.insert(column_name.clone(), json!(values[row]))),
                Column::Texts(values) => drop(labels.insert(column_name.clone(), json!(values[row]))),
                Column::NumberLists(values) => drop(labels.insert(column_name.clone(), json!(values[row]))),
                Column::Curves(values) => add(&mut archive, &format!("{name}.{column_name}.npy"), &npy(&values[row]))?,
                Column::Audio(files) => {
                    let extension = recipe.keep.audio.extension().unwrap_or_default();
                    add(&mut archive, &format!("{name}.{extension}"), &files[row])?;
                }
            }
        }
        let labels = serde_json::to_vec(&Value::Object(labels)).map_err(io::Error::other)?;
        add(&mut archive, &format!("{name}.json"), &labels)?;
    }
    archive.into_inner()?.flush()
}

fn add(archive: &mut Builder<impl Write>, name: &str, bytes: &[u8]) -> io::Result<()> {
    let mut header = Header::new_ustar();
    header.set_entry_type(EntryType::Regular);
    header.set_size(bytes.len() as u64);
    header.set_mode(0o644);
    header.set_mtime(0);
    archive.append_data(&mut header, name, bytes)
}

/// An array of NumPy: magic number, version 1.0, and a header that is padded to 64 bytes.
fn npy(values: &[f32]) -> Vec<u8> {
    let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({},), }}", values.len());
    let length = (10 + header.len() + 1).next_multiple_of(64) - 10;
    header = format!("{header:<width$}\n", width = length - 1);
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((length as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_have_a_header_of_whole_blocks() {
        let bytes = npy(&[1.0, -2.5]);
        assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
        let header = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        assert_eq!((10 + header) % 64, 0);
        assert_eq!(bytes[10 + header - 1], b'\n');
        assert_eq!(&bytes[10 + header..], [1.0_f32.to_le_bytes(), (-2.5_f32).to_le_bytes()].concat());
    }
}
