//! Files that are either complete or not there.
//!
//! A file is written under a temporary name in its own folder and renamed when it is whole. What grows during a run
//! is spooled to a file without a name, which the system removes however the run ends.

use crate::failure::{Failure, Result};
use std::fs::{self, File};
use std::io::{self, BufRead, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A place a file will be written to, checked beforehand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// As typed, for messages.
    pub shown: PathBuf,
    /// Where the file itself is: links are followed, so that they stay.
    real: PathBuf,
}

impl Target {
    /// Checks that a file can be written here, before hours are spent on its contents.
    pub fn new(path: &Path) -> Result<Self> {
        let real = match fs::metadata(path) {
            Ok(found) if found.is_dir() => {
                return Err(Failure::hinted(
                    format!("{}: is a folder, must be a file", path.display()),
                    format!("name a file in it, like {}", path.join("out").display()),
                ));
            }
            // Renaming over a device would replace the device.
            Ok(found) if !found.is_file() => {
                return Err(Failure::hinted(
                    format!("{}: is not an ordinary file", path.display()),
                    "percuss replaces its outputs as a whole; write to a file and copy that",
                ));
            }
            Ok(_) => fs::canonicalize(path).map_err(|error| Failure::file("cannot be written", path, &error))?,
            Err(_) if path.file_name().is_none() => {
                return Err(Failure::hinted(
                    format!("{}: names no file", path.display()),
                    "end the path in a file name",
                ));
            }
            Err(_) => path.to_path_buf(),
        };
        let target = Self { shown: path.into(), real };
        target.check_folder()?;
        Ok(target)
    }

    fn check_folder(&self) -> Result<()> {
        let folder = self.folder();
        if !folder.is_dir() {
            return Err(Failure::hinted(
                format!("{}: the folder {} does not exist", self.shown.display(), folder.display()),
                format!("make it first: mkdir -p {}", folder.display()),
            ));
        }
        self.temporary().map(drop).map_err(|error| Failure::file("cannot be written", &self.shown, &error))
    }

    /// The folder the file is in.
    pub fn folder(&self) -> &Path {
        folder_of(&self.real)
    }

    /// Whether there is a file already.
    pub fn exists(&self) -> bool {
        self.real.exists()
    }

    /// Whether this is the same file as another path names.
    pub fn is(&self, other: &Path) -> bool {
        match (fs::canonicalize(&self.real), fs::canonicalize(other)) {
            (Ok(own), Ok(other)) => own == other,
            _ => self.real == other,
        }
    }

    fn temporary(&self) -> io::Result<NamedTempFile> {
        let extension = self.real.extension().map(|end| format!(".{}", end.to_string_lossy())).unwrap_or_default();
        let mut builder = tempfile::Builder::new();
        builder.prefix(".percuss-").suffix(&extension);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Temporary files are private by default; this one is to become an ordinary file (less the umask).
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        builder.tempfile_in(self.folder())
    }

    /// Writes the file: all of it, or nothing.
    pub fn write(&self, fill: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>) -> Result<()> {
        let attempt = || {
            let file = self.temporary()?;
            let mut writer = BufWriter::new(file.as_file());
            fill(&mut writer)?;
            writer.flush()?;
            drop(writer);
            file.persist(&self.real).map_err(|failed| failed.error)
        };
        attempt().map(drop).map_err(|error| Failure::file("cannot be written", &self.shown, &error))
    }

    /// The same for whoever insists on opening the file by its path.
    pub fn write_at(&self, fill: impl FnOnce(&Path) -> std::result::Result<(), String>) -> Result<()> {
        let wrong = |error: &io::Error| Failure::file("cannot be written", &self.shown, error);
        let file = self.temporary().map_err(|error| wrong(&error))?;
        fill(file.path())
            .map_err(|error| Failure::Run { message: format!("{}: {error}", self.shown.display()), hint: None })?;
        file.persist(&self.real).map(drop).map_err(|failed| wrong(&failed.error))
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A folder for outputs; removed again on drop if it was made here and nothing came of it.
#[derive(Debug)]
pub struct Folder {
    /// The folder.
    pub path: PathBuf,
    made: bool,
}

impl Folder {
    /// Makes the folder if need be. Its parents are only made `with_parents`.
    pub fn new(path: &Path, with_parents: bool) -> Result<Self> {
        if path.is_dir() {
            return Ok(Self { path: path.into(), made: false });
        }
        if path.exists() {
            return Err(Failure::hinted(
                format!("{}: is a file, must be a folder", path.display()),
                "name another folder",
            ));
        }
        if !with_parents && !folder_of(path).is_dir() {
            return Err(Failure::hinted(
                format!("{}: the folder {} does not exist", path.display(), folder_of(path).display()),
                format!("make it first: mkdir -p {}", folder_of(path).display()),
            ));
        }
        fs::create_dir_all(path).map_err(|error| Failure::file("cannot be made", path, &error))?;
        Ok(Self { path: path.into(), made: true })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.made {
            // Fails, as it should, where there is something in it.
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// On a terminal, asks before files are overwritten; scripts mean what they say.
pub fn confirm_overwriting(targets: &[&Target]) -> Result<()> {
    let existing: Vec<&&Target> = targets.iter().filter(|target| target.exists()).collect();
    let Some(first) = existing.first() else { return Ok(()) };
    if !io::stdin().is_terminal() {
        return Ok(());
    }
    let first = first.shown.display();
    let question = match existing.len() {
        1 => format!("{first} exists."),
        count => format!("{first} and {} more exist.", count - 1),
    };
    write!(io::stderr(), "{question} Overwrite? [y/N] ")?;
    io::stderr().flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    if matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") {
        Ok(())
    } else {
        Err(Failure::hinted("nothing was written", "name another file with -o"))
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
    fn a_failed_write_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::new(&folder.path().join("out.txt")).unwrap();
        let failed = target.write(|file| {
            file.write_all(b"half")?;
            Err(io::Error::other("no more"))
        });
        assert!(failed.unwrap_err().to_string().contains("no more"));
        assert!(target.write_at(|_| Err("no more".into())).is_err());
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        fs::write(&path, "old").unwrap();
        let target = Target::new(&path).unwrap();
        assert!(target.write(|_| Err(io::Error::other("no more"))).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        target.write(|file| file.write_all(b"new")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["out.txt"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_written_file_has_ordinary_permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (plain, written) = (folder.path().join("plain"), folder.path().join("written"));
        fs::write(&plain, "").unwrap();
        Target::new(&written).unwrap().write(|_| Ok(())).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&written), mode(&plain));
        let link = folder.path().join("link");
        symlink(&written, &link).unwrap();
        Target::new(&link).unwrap().write(|file| file.write_all(b"x")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&written).unwrap(), b"x");
    }

    #[test]
    fn folders_devices_and_missing_folders_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let message = |path: &Path| Target::new(path).unwrap_err().to_string();
        assert!(message(folder.path()).contains("is a folder"));
        assert!(message(&folder.path().join("no/out.wav")).contains("does not exist"));
        #[cfg(unix)]
        assert!(message(Path::new("/dev/null")).contains("not an ordinary file"));
    }

    #[test]
    fn an_unused_folder_is_removed_again_and_a_used_one_stays() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("pictures");
        drop(Folder::new(&path, false).unwrap());
        assert!(!path.exists());
        let folder = Folder::new(&path, false).unwrap();
        fs::write(path.join("a.png"), "").unwrap();
        drop(folder);
        assert!(path.exists());
        assert!(Folder::new(&path.join("no/such"), false).is_err());
    }
}
