//! Output files, written completely or not at all.
//!
//! A file is written under a temporary name in its own folder and renamed when it is complete. Data that grows during a
//! run goes to an unnamed temporary file, which the system removes however the run ends.

use crate::error::{CliError, Result};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// An output file, checked to be writable before the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// Path as the user gave it, for messages.
    pub given_path: PathBuf,
    /// Path of the file itself, with symbolic links followed, so that a link is not replaced by a file.
    resolved_path: PathBuf,
}

impl OutputFile {
    /// Checks that a file can be written at a path.
    pub fn new(path: &Path) -> Result<Self> {
        let resolved_path = match fs::metadata(path) {
            Ok(found) if found.is_dir() => {
                return Err(CliError::with_hint(
                    format!("{}: is a folder, must be a file", path.display()),
                    format!("name a file in it, like {}", path.join("out").display()),
                ));
            }
            // Renaming a temporary file over a device would replace the device.
            Ok(found) if !found.is_file() => {
                return Err(CliError::with_hint(
                    format!("{}: is not an ordinary file", path.display()),
                    "percuss replaces output files by renaming; write to a file and copy that",
                ));
            }
            Ok(_) => fs::canonicalize(path).map_err(|error| CliError::io("cannot be written", path, &error))?,
            Err(_) if path.file_name().is_none() => {
                return Err(CliError::with_hint(
                    format!("{}: names no file", path.display()),
                    "end the path in a file name",
                ));
            }
            Err(_) => path.to_path_buf(),
        };
        let target = Self { given_path: path.into(), resolved_path };
        target.check_folder()?;
        Ok(target)
    }

    fn check_folder(&self) -> Result<()> {
        let folder = self.folder();
        if !folder.is_dir() {
            return Err(CliError::with_hint(
                format!("{}: the folder {} does not exist", self.given_path.display(), folder.display()),
                format!("make it first: mkdir -p {}", folder.display()),
            ));
        }
        self.create_temporary().map(drop).map_err(|error| CliError::io("cannot be written", &self.given_path, &error))
    }

    /// Folder of the file.
    pub fn folder(&self) -> &Path {
        folder_of(&self.resolved_path)
    }

    /// Whether the file exists already.
    pub fn exists(&self) -> bool {
        self.resolved_path.exists()
    }

    /// Whether another path names the same file.
    pub fn is_same_file(&self, other: &Path) -> bool {
        match (fs::canonicalize(&self.resolved_path), fs::canonicalize(other)) {
            (Ok(own), Ok(other)) => own == other,
            _ => self.resolved_path == other,
        }
    }

    fn create_temporary(&self) -> io::Result<NamedTempFile> {
        let extension =
            self.resolved_path.extension().map(|end| format!(".{}", end.to_string_lossy())).unwrap_or_default();
        let mut builder = tempfile::Builder::new();
        builder.prefix(".percuss-").suffix(&extension);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Temporary files are private by default; this one becomes an ordinary file (less the umask).
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        builder.tempfile_in(self.folder())
    }

    /// Writes the file completely or not at all.
    pub fn write(&self, fill: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>) -> Result<()> {
        let attempt = || {
            let file = self.create_temporary()?;
            let mut writer = BufWriter::new(file.as_file());
            fill(&mut writer)?;
            writer.flush()?;
            drop(writer);
            file.persist(&self.resolved_path).map_err(|failed| failed.error)
        };
        attempt().map(drop).map_err(|error| CliError::io("cannot be written", &self.given_path, &error))
    }

    /// Same as [`Self::write`], for libraries that open the file by its path.
    pub fn write_by_path(&self, fill: impl FnOnce(&Path) -> std::result::Result<(), String>) -> Result<()> {
        let io_error = |error: &io::Error| CliError::io("cannot be written", &self.given_path, error);
        let file = self.create_temporary().map_err(|error| io_error(&error))?;
        fill(file.path()).map_err(|error| CliError::Run {
            message: format!("{}: {error}", self.given_path.display()),
            hint: None,
        })?;
        file.persist(&self.resolved_path).map(drop).map_err(|failed| io_error(&failed.error))
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A folder for outputs. Dropping it removes the folder if it was created here and is still empty.
#[derive(Debug)]
pub struct OutputFolder {
    /// Path as the user gave it.
    pub path: PathBuf,
    created: bool,
}

impl OutputFolder {
    /// Creates the folder if it does not exist; its parents too, where `with_parents`.
    pub fn new(path: &Path, with_parents: bool) -> Result<Self> {
        if path.is_dir() {
            return Ok(Self { path: path.into(), created: false });
        }
        if path.exists() {
            return Err(CliError::with_hint(
                format!("{}: is a file, must be a folder", path.display()),
                "name another folder",
            ));
        }
        if !with_parents && !folder_of(path).is_dir() {
            return Err(CliError::with_hint(
                format!("{}: the folder {} does not exist", path.display(), folder_of(path).display()),
                format!("make it first: mkdir -p {}", folder_of(path).display()),
            ));
        }
        fs::create_dir_all(path).map_err(|error| CliError::io("cannot be created", path, &error))?;
        Ok(Self { path: path.into(), created: true })
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        if self.created {
            // Fails, as intended, if the folder is not empty.
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// Refuses to overwrite files, unless `force`.
pub fn refuse_overwrite(targets: &[&OutputFile], force: bool) -> Result<()> {
    let existing: Vec<&&OutputFile> = targets.iter().filter(|target| target.exists()).collect();
    match existing.as_slice() {
        [first, others @ ..] if !force => {
            let first = first.given_path.display();
            let found = match others.len() {
                0 => format!("{first}: exists already"),
                count => format!("{first} and {count} more exist already"),
            };
            Err(CliError::with_hint(found, "--force overwrites; or name other outputs"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn failed_write_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let target = OutputFile::new(&folder.path().join("out.txt")).unwrap();
        let failed = target.write(|file| {
            file.write_all(b"half")?;
            Err(io::Error::other("no more"))
        });
        assert!(failed.unwrap_err().to_string().contains("no more"));
        assert!(target.write_by_path(|_| Err("no more".into())).is_err());
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn failed_write_keeps_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        fs::write(&path, "old").unwrap();
        let target = OutputFile::new(&path).unwrap();
        assert!(target.write(|_| Err(io::Error::other("no more"))).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        target.write(|file| file.write_all(b"new")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["out.txt"]);
    }

    #[cfg(unix)]
    #[test]
    fn written_file_has_default_permissions_and_symlinks_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (plain, written) = (folder.path().join("plain"), folder.path().join("written"));
        fs::write(&plain, "").unwrap();
        OutputFile::new(&written).unwrap().write(|_| Ok(())).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&written), mode(&plain));
        let link = folder.path().join("link");
        symlink(&written, &link).unwrap();
        OutputFile::new(&link).unwrap().write(|file| file.write_all(b"x")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&written).unwrap(), b"x");
    }

    #[test]
    fn folders_devices_and_missing_folders_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let message = |path: &Path| OutputFile::new(path).unwrap_err().to_string();
        assert!(message(folder.path()).contains("is a folder"));
        assert!(message(&folder.path().join("no/out.wav")).contains("does not exist"));
        #[cfg(unix)]
        assert!(message(Path::new("/dev/null")).contains("not an ordinary file"));
    }

    #[test]
    fn empty_new_folder_is_removed_and_a_used_one_stays() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("pictures");
        drop(OutputFolder::new(&path, false).unwrap());
        assert!(!path.exists());
        let folder = OutputFolder::new(&path, false).unwrap();
        fs::write(path.join("a.png"), "").unwrap();
        drop(folder);
        assert!(path.exists());
        assert!(OutputFolder::new(&path.join("no/such"), false).is_err());
    }
}
