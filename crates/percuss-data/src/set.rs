//! A set in a folder: shards, their records, and the card.
//!
//! A shard is complete when its record is there, which is written after it. A run writes the shards that are not complete; so it can
//! be repeated after a kill, and shards can be made by several processes or machines with one folder.

use crate::card;
use crate::clip;
use crate::error::{DataError, Result};
use crate::recipe::{Format, Recipe};
use crate::table::{self, Row};
use crate::{parquet_file, tar_file, whole_file};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::ScopedJoinHandle;

/// What is known of a complete shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardRecord {
    /// Name of the file.
    pub file: String,
    /// Its length \[bytes\].
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
    /// Clips in it.
    pub clips: u64,
    /// Draws that could not be simulated and were replaced.
    pub replaced: u64,
    /// Clips that were left out.
    pub skipped: u64,
}

/// What a set was made from; it must not change between runs.
#[derive(PartialEq, Serialize, Deserialize)]
struct Origin {
    percuss: String,
    recipe: String,
    scene: String,
}

/// A set in a folder.
pub struct DataSet<'a> {
    recipe: &'a Recipe,
    folder: PathBuf,
}

/// Folder of the shards.
const DATA: &str = "data";
/// Folder of their records.
const RECORDS: &str = "records";

impl<'a> DataSet<'a> {
    /// Starts or continues the set of a recipe in a folder.
    ///
    /// # Errors
    /// The folder holds something else, or a set of another recipe or version.
    pub fn open(recipe: &'a Recipe, folder: &Path) -> Result<Self> {
        let set = Self { recipe, folder: folder.into() };
        let origin_file = folder.join("origin.json");
        let origin = Origin {
            percuss: env!("CARGO_PKG_VERSION").into(),
            recipe: digest(recipe.text.as_bytes()),
            scene: digest(recipe.scene_text.as_bytes()),
        };
        if let Ok(text) = fs::read_to_string(&origin_file) {
            if serde_json::from_str::<Origin>(&text).ok() != Some(origin) {
                return Err(DataError::refused(
                    format!("{}: holds a set of another recipe, scene or version of percuss", folder.display()),
                    "name another folder, or remove this one",
                ));
            }
            return Ok(set);
        }
        // The first run may have been killed before its first file was complete.
        let is_used = |folder: &Path| {
            fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(|entry| !whole_file::is_partial(&entry)))
        };
        if is_used(folder) && !folder.join("recipe.toml").exists() {
            return Err(DataError::refused(
                format!("{}: is not empty, and holds no set", folder.display()),
                "name a new or empty folder",
            ));
        }
        fs::create_dir_all(folder).map_err(DataError::file(folder))?;
        // First, since it tells that the folder is a set's.
        whole_file::write(&folder.join("recipe.toml"), recipe.text.as_bytes())?;
        for part in [DATA, RECORDS] {
            let path = folder.join(part);
            fs::create_dir_all(&path).map_err(DataError::file(&path))?;
        }
        whole_file::write(&folder.join("scene.toml"), recipe.scene_text.as_bytes())?;
        let origin =
            serde_json::to_string_pretty(&origin).map_err(|error| DataError::file(&origin_file)(error.into()))?;
        whole_file::write(&origin_file, format!("{origin}\n").as_bytes())?;
        Ok(set)
    }

    /// Name of the file of a shard.
    #[must_use]
    pub fn shard_name(&self, shard: u64) -> String {
        let extension = match self.recipe.format {
            Format::Parquet => "parquet",
            Format::WebDataset => "tar",
        };
        format!("train-{shard:05}-of-{:05}.{extension}", self.recipe.shards())
    }

    /// The record of a shard; `None` unless it is complete.
    #[must_use]
    pub fn record(&self, shard: u64) -> Option<ShardRecord> {
        let text = fs::read_to_string(self.record_path(shard)).ok()?;
        let record: ShardRecord = serde_json::from_str(&text).ok()?;
        let size = fs::metadata(self.folder.join(DATA).join(&record.file)).ok()?.len();
        (size == record.bytes && record.file == self.shard_name(shard)).then_some(record)
    }

    fn record_path(&self, shard: u64) -> PathBuf {
        self.folder.join(RECORDS).join(format!("{shard:05}.json"))
    }

    /// Shards that are not complete.
    #[must_use]
    pub fn missing_shards(&self) -> Vec<u64> {
        (0..self.recipe.shards()).filter(|&shard| self.record(shard).is_none()).collect()
    }

    /// Makes a shard, whether it is there or not. `done` is called after every clip. Clips are spread over the threads of rayon's
    /// current pool.
    ///
    /// # Errors
    /// A clip that cannot be made, or a file that cannot be written.
    pub fn write_shard(&self, shard: u64, done: &(dyn Fn() + Sync)) -> Result<ShardRecord> {
        self.store(shard, self.render(shard, done)?)
    }

    /// Makes shards one after another. Each is written while the clips of the next are rendered, so that no thread waits for the disk.
    ///
    /// # Errors
    /// As [`write_shard`](Self::write_shard). The shards before the one that fails are complete.
    pub fn write_shards(&self, shards: &[u64], done: &(dyn Fn() + Sync)) -> Result<()> {
        std::thread::scope(|scope| {
            let mut writing: Option<ScopedJoinHandle<'_, Result<ShardRecord>>> = None;
            let finish = |writing: Option<ScopedJoinHandle<'_, Result<ShardRecord>>>| match writing
                .map(ScopedJoinHandle::join)
            {
                Some(Ok(written)) => written.map(drop),
                Some(Err(panic)) => std::panic::resume_unwind(panic),
                None => Ok(()),
            };
            for &shard in shards {
                let rows = self.render(shard, done);
                finish(writing.take())?;
                let rows = rows?;
                writing = Some(scope.spawn(move || self.store(shard, rows)));
            }
            finish(writing)
        })
    }

    /// Renders the clips of a shard.
    fn render(&self, shard: u64, done: &(dyn Fn() + Sync)) -> Result<Vec<Row>> {
        let clips = self.recipe.clips_of(shard);
        if clips.is_empty() {
            let message = format!("there is no shard {shard}, the recipe has {}", self.recipe.shards());
            return Err(DataError::refused(message, "shards are counted from 0"));
        }
        let row = |clip| {
            let row = clip::render(self.recipe, clip)?.map(|clip| Row::new(clip, self.recipe)).transpose();
            done();
            row
        };
        clips.into_par_iter().filter_map(|clip| row(clip).transpose()).collect()
    }

    /// Writes a shard and its record.
    fn store(&self, shard: u64, rows: Vec<Row>) -> Result<ShardRecord> {
        let clips = self.recipe.clips_of(shard);
        let (kept, replaced) = (rows.len() as u64, rows.iter().map(|row| u64::from(row.rejected())).sum());
        let file = self.shard_name(shard);
        let path = self.folder.join(DATA).join(&file);
        let bytes = self.encode(rows).map_err(DataError::file(&path))?;
        whole_file::write(&path, &bytes)?;
        let (sha256, skipped) = (digest(&bytes), clips.end - clips.start - kept);
        let record = ShardRecord { file, bytes: bytes.len() as u64, sha256, clips: kept, replaced, skipped };
        let path = self.record_path(shard);
        let text = serde_json::to_string_pretty(&record).map_err(|error| DataError::file(&path)(error.into()))?;
        whole_file::write(&path, format!("{text}\n").as_bytes())?;
        Ok(record)
    }

    fn encode(&self, rows: Vec<Row>) -> std::io::Result<Vec<u8>> {
        let table = table::table(self.recipe, rows);
        let mut bytes = Vec::new();
        match self.recipe.format {
            Format::Parquet => parquet_file::write(&mut bytes, &table, self.recipe).map_err(std::io::Error::other)?,
            Format::WebDataset => tar_file::write(&mut bytes, &table, self.recipe)?,
        }
        Ok(bytes)
    }

    /// Writes the card and the list of checksums, and removes what killed runs left. Call it when no other process writes shards.
    ///
    /// # Errors
    /// A shard is missing, or a file cannot be written.
    pub fn finish(&self) -> Result<Vec<ShardRecord>> {
        let records: Vec<Option<ShardRecord>> = (0..self.recipe.shards()).map(|shard| self.record(shard)).collect();
        let missing = records.iter().filter(|record| record.is_none()).count();
        if missing > 0 {
            return Err(DataError::refused(format!("{missing} shards are missing"), "make them first"));
        }
        let records: Vec<ShardRecord> = records.into_iter().flatten().collect();
        let sums: String =
            records.iter().map(|record| format!("{}  {DATA}/{}\n", record.sha256, record.file)).collect();
        whole_file::write(&self.folder.join("SHA256SUMS"), sums.as_bytes())?;
        whole_file::write(&self.folder.join("README.md"), card::text(self.recipe, &records).as_bytes())?;
        for folder in [self.folder.clone(), self.folder.join(DATA), self.folder.join(RECORDS)] {
            whole_file::remove_partial(&folder)?;
        }
        Ok(records)
    }
}

/// SHA-256 in hexadecimal digits.
fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
