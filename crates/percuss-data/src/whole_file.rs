//! Files that are written completely or not at all, and stay written when the power fails.

use crate::error::{DataError, Result};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Part of the names of files that are not complete. A run that is killed leaves them; the next one removes them.
const PARTIAL: &str = ".part-";

/// Writes a file: under another name first, which it keeps until the system has stored it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let partial = partial_name(path);
    let attempt = || {
        fs::write(&partial, bytes)?;
        File::open(&partial)?.sync_all()?;
        fs::rename(&partial, path)?;
        sync_folder(path)
    };
    attempt().map_err(|error| {
        // Nothing to do where that fails, too: the name says that the file is not complete.
        let _ = fs::remove_file(&partial);
        DataError::file(path)(error)
    })
}

/// A name of this process's own.
fn partial_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let thread = format!("{:?}", std::thread::current().id()).replace(|c: char| !c.is_ascii_digit(), "");
    path.with_file_name(format!("{name}{PARTIAL}{}-{thread}", std::process::id()))
}

/// Stores the name of a file. On Windows folders cannot be opened, and need not be.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

/// Whether a run that was killed left this file.
pub fn is_partial(entry: &fs::DirEntry) -> bool {
    entry.file_name().to_string_lossy().contains(PARTIAL)
}

/// Removes what runs that were killed left in a folder.
pub fn remove_partial(folder: &Path) -> Result<()> {
    let failed = DataError::file(folder);
    for entry in fs::read_dir(folder).map_err(&failed)? {
        let entry = entry.map_err(&failed)?;
        if is_partial(&entry) {
            fs::remove_file(entry.path()).map_err(&failed)?;
        }
    }
    Ok(())
}
